"""Requests to the console: one line of JSON, read with care."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from engines.core.contract import Seat, Viewer, Words
from engines.core.match import MAX_SENTENCE_CHARS, AnyGame
from engines.core.rng import SEED_BYTES

MAX_LINE_BYTES = 1 << 20
"""A longer request is refused before anything is done with it, so that the rest takes bounded time."""


class Refusal(ValueError):  # noqa: N818 - the answer it becomes is no error of the console
    """Why a request is refused: ``kind`` is a word for programs, ``text`` says it to people."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


def _refuse(text: str) -> NoReturn:
    raise Refusal("request", text)


def _no_number(text: str) -> NoReturn:
    raise Refusal("json", f"{text} is no JSON")


@dataclass(frozen=True, slots=True)
class Request:
    """A JSON object with its fields' types checked as they are read."""

    fields: Mapping[str, Any] = field(repr=False)

    @classmethod
    def parse(cls, line: bytes) -> Request:
        """Return the request on a line; raises :class:`Refusal` of kind ``json`` or ``request``."""
        if len(line) > MAX_LINE_BYTES:
            raise Refusal("json", f"this is longer than {MAX_LINE_BYTES} bytes")
        try:
            value = json.loads(line.decode(), parse_constant=_no_number)
        except (UnicodeDecodeError, RecursionError) as error:
            raise Refusal("json", f"this is no JSON: {type(error).__name__}") from error
        except json.JSONDecodeError as error:
            raise Refusal("json", f"this is no JSON: {error.msg} at character {error.pos}") from error
        except ValueError as error:
            if isinstance(error, Refusal):
                raise
            raise Refusal("json", "this is no JSON: a number is too long") from error
        if not isinstance(value, dict):
            _refuse('a request is an object such as {"cmd":"games"}')
        return cls(value)

    def only(self, names: Iterable[str]) -> None:
        """Refuse fields that the command does not have: a misspelt one must not be ignored."""
        known = ("cmd", *names)
        for name in self.fields:
            if name not in known:
                _refuse(f"{self.text('cmd')!r} has no field {name!r}; its fields: {', '.join(known)}")

    def text(self, name: str) -> str:
        """Return a text."""
        value = self._needed(name)
        if not isinstance(value, str):
            _refuse(f"{name!r} must be a text")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a text, or ``None`` if it is left out."""
        return self.text(name) if name in self.fields else None

    def number(self, name: str, default: int | None = None) -> int:
        """Return a whole number, at least 0."""
        value = self._needed(name) if default is None else self.fields.get(name, default)
        # ``true`` is an int to Python, and no number to anybody else.
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            _refuse(f"{name!r} must be a whole number, 0 or more")
        return value

    def optional_number(self, name: str) -> int | None:
        """Return a whole number, or ``None`` if it is left out."""
        return self.number(name) if name in self.fields else None

    def seat(self, seats: int) -> Seat:
        """Return one of the match's seats."""
        seat = self.number("seat")
        if seat >= seats:
            _refuse(f"there is no seat {seat}: the seats are 0 to {seats - 1}")
        return seat

    def viewer(self, seats: int, *, needed: bool = True) -> Viewer:
        """Return a seat, or ``None`` for the public."""
        if needed:
            self._needed("seat")
        return None if self.fields.get("seat") is None else self.seat(seats)

    def options(self) -> dict[str, str]:
        """Return the chosen options; none if left out."""
        value = self.mapping("options") if "options" in self.fields else {}
        for key, choice in value.items():
            if not isinstance(choice, str):
                _refuse(f"option {key!r} must be a text")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return an object."""
        value = self._needed(name)
        if not isinstance(value, dict):
            _refuse(f"{name!r} must be an object")
        return value

    def seed(self, default: bytes) -> bytes:
        """Return the seed; ``default`` if left out."""
        if "seed" not in self.fields:
            return default
        text = self.text("seed")
        digits = "0123456789abcdefABCDEF"
        if len(text) != 2 * SEED_BYTES or any(digit not in digits for digit in text):
            _refuse(f"'seed' must be {2 * SEED_BYTES} hexadecimal digits")
        return bytes.fromhex(text)

    def words(self, name: str, game: AnyGame) -> Words:
        """Return a sentence or draft: the game's notation, or a list of words.

        Raises :class:`InvalidAction` for text that is not in the game's notation.
        """
        value = self._needed(name)
        if isinstance(value, str):
            return game.read(self.short_text(name))
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            _refuse(f"{name!r} must be a text in the game's notation, or a list of words")
        if sum(map(len, value)) + len(value) > MAX_SENTENCE_CHARS:
            _refuse(f"{name!r} must have at most {MAX_SENTENCE_CHARS} characters")
        return tuple(value)

    def short_text(self, name: str) -> str:
        """Return a text of at most :data:`MAX_SENTENCE_CHARS` characters."""
        value = self.text(name)
        if len(value) > MAX_SENTENCE_CHARS:
            _refuse(f"{name!r} must have at most {MAX_SENTENCE_CHARS} characters")
        return value

    def _needed(self, name: str) -> Any:
        if name not in self.fields:
            _refuse(f"the field {name!r} is missing")
        return self.fields[name]
