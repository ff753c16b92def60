"""How kinds of values are stored: SQL type, decoding, encoding, and their form in an export."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from bot.domain.clocks import Remaining
from engines.core.contract import Seat, Words

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

MAX_NAME_CHARS = 100
"""Maximum characters in a name; Discord allows 32."""

MAX_UNIX_TIME = 1e11
"""Upper bound of valid Unix times: later than any we write."""


@dataclass(frozen=True, slots=True, eq=False)
class Codec(Generic[T]):
    """One kind of value. ``decode`` raises an error for everything that the bot never writes."""

    sql_type: str
    """The type in SQLite."""
    decode: Callable[[Any], T]
    encode: Callable[[T], Any] | None = None
    """``None``: stored as it is."""
    export: Callable[[Any], Any] | None = None
    """Converts a stored value for an export; ``None``: exported as it is stored."""
    choices: tuple[Any, ...] = ()
    """The only stored values; empty: not enumerable."""
    is_json: bool = False
    takes_null: bool = False
    not_null: Codec[Any] | None = None
    """The codec of all values but ``NULL``, if ``NULL`` is ``None``."""

    def exported(self, value: Any) -> Any:
        """Return a stored value as the export shows it."""
        return value if value is None or self.export is None else self.export(value)

    def or_none(self) -> Codec[T | None]:
        """Return the codec that also takes ``None``, stored as ``NULL``."""
        decode, encode = self.decode, self.encode
        return Codec(
            self.sql_type,
            lambda value: None if value is None else decode(value),
            None if encode is None else (lambda value: None if value is None else encode(value)),
            self.export,
            self.choices,
            self.is_json,
            takes_null=True,
            not_null=self,
        )


def must(holds: bool) -> None:
    """Raise ``ValueError`` unless a condition holds."""
    if not holds:
        raise ValueError


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _name(value: object) -> str:
    name = _text(value)
    must(len(name) <= MAX_NAME_CHARS)
    return name


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _count(value: object) -> int:
    count = _whole(value)
    must(0 <= count < 1 << 31)
    return count


def _id(value: object) -> int:
    found = _whole(value)
    must(found > 0)
    return found


def _person(value: object) -> int:
    # Any number: earlier versions told operators to remove people by hand.
    if type(value) is not int:
        raise TypeError
    return value


def _flag(value: object) -> bool:
    return (False, True)[_count(value)]


def _time(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError
    must(0 <= value < MAX_UNIX_TIME)
    return float(value)


def _span(value: object) -> float:
    """Return seconds, which may be negative."""
    if not isinstance(value, (int, float)):
        raise TypeError
    must(-MAX_UNIX_TIME < value < MAX_UNIX_TIME)
    return float(value)


def _words(value: object) -> Words:
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, list):
        raise TypeError
    return tuple(map(_text, found))


def _trail(text: str) -> tuple[Words, ...]:
    return tuple(map(_words, json.loads(text)))


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((_text(key), _text(value)) for key, value in json.loads(text))


def _ids(text: str) -> tuple[int, ...]:
    return tuple(map(_id, json.loads(text)))


def _remaining(text: str | None) -> dict[Seat, Remaining]:
    found: dict[Seat, Remaining] = {}
    for seat, reserve, *running in () if text is None else json.loads(text):
        must(len(running) in (0, 2))
        found[_count(seat)] = Remaining(_time(reserve), *(_span(each) for each in running))
    return found


def _remaining_text(remaining: Mapping[Seat, Remaining]) -> str | None:
    """Encode a list for each seat: seat, reserve, and allowance and total if its clock ran."""
    found = [
        [seat, each.reserve, *(span for span in (each.allowance, each.total) if span is not None)]
        for seat, each in sorted(remaining.items())
    ]
    return json.dumps(found) if found else None


def _exported_json(value: Any) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(value)
    return value


def _exported_time(value: float) -> str:
    return datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds")


def _json(decode: Callable[[Any], T]) -> Codec[T]:
    return Codec("TEXT", decode, json.dumps, _exported_json, is_json=True)


def choice(kind: type[E], sql_type: str = "TEXT") -> Codec[E]:
    """Return the codec of an enumeration, stored by its values."""
    return Codec(sql_type, kind, lambda member: member.value, choices=tuple(each.value for each in kind))


def choices(kind: type[E]) -> Codec[tuple[E, ...]]:
    """Return the codec of several members of an enumeration, stored as JSON."""
    return Codec(
        "TEXT",
        lambda text: tuple(map(kind, json.loads(text))),
        lambda members: json.dumps([each.value for each in members]),
        _exported_json,
        is_json=True,
    )


TEXT = Codec("TEXT", _text)
NAME = Codec("TEXT", _name)
"""A name that others see."""
BYTES = Codec("BLOB", _bytes)
WHOLE = Codec("INTEGER", _whole)
COUNT = Codec("INTEGER", _count)
"""A number from 0: a seat, a place in a list, how often something happened."""
FLAG = Codec("INTEGER", _flag, choices=(0, 1))
SECONDS = Codec("REAL", _time)
"""A duration, not negative."""
TIME = Codec("REAL", _time, export=_exported_time)
"""A Unix time."""
ID = Codec("INTEGER", _id, export=str)
"""A Discord id; exported as text, since it exceeds JavaScript's exact integers."""
ANY_ID = Codec("INTEGER", _whole, export=str)
"""A Discord id, or 0 if there is none."""
PERSON = Codec("INTEGER", _person)
"""The id of a person, or the pseudonym of somebody who has deleted their data."""
WORDS = _json(_words)
"""A sentence."""
TRAIL = _json(_trail)
"""Several sentences."""
PAIRS = _json(_pairs)
"""Keys and values, such as a match's options."""
IDS = _json(_ids)
"""A list of Discord ids."""
REMAINING = Codec("TEXT", _remaining, _remaining_text, is_json=True, takes_null=True)
"""What is left on the clocks, by seat."""
