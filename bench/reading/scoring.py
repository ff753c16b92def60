"""How answers are compared with the truth, fact by fact."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Facts: TypeAlias = Mapping[str, str]
"""What a form says: a value by what it is of. Each item of a list is a fact."""

Normal: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]

LISTED = "there"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Misreading:
    """A fact that was not read as it is. ``read`` or ``true`` may be :data:`NOTHING`."""

    fact: str
    read: str
    true: str


@dataclass(frozen=True, slots=True)
class Score:
    """How a picture, or several, were read. ``facts`` are the true ones.

    ``wrong`` counts facts read otherwise than they are, and facts read that do not exist.
    """

    facts: int = 0
    right: int = 0
    wrong: int = 0
    missing: int = 0

    @property
    def share(self) -> float:
        """Return the share read right of all facts, those made up included; 1 where there is none."""
        total = self.right + self.wrong + self.missing
        return self.right / total if total else 1.0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.facts + other.facts,
            self.right + other.right,
            self.wrong + other.wrong,
            self.missing + other.missing,
        )


class UnreadableAnswerError(ValueError):
    """An answer that is no JSON object."""


def facts_of(form: Mapping[str, Any], normal: Normal) -> dict[str, str]:
    """Return the facts of a form. What is ``null`` or empty says nothing."""
    found: dict[str, str] = {}
    for path, value in _leaves(normal(form), ""):
        name, count = path, 1
        while name in found:
            count += 1
            name = f"{path} #{count}"
        found[name] = value
    return found


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, f"{path} {_plain(key)}".strip())
    elif isinstance(value, list):
        for item in value:
            yield f"{path} {_plain(item)}", LISTED
    elif value is not None and _plain(value):
        yield path, _plain(value)


def _plain(value: object) -> str:
    return str(value).strip().lower()


def _listed(name: str, value: str, true: Facts) -> tuple[str, str]:
    item = f"{name} {value}"
    return (item, LISTED) if name not in true and true.get(item) == LISTED else (name, value)


def compare(read: Facts, true: Facts) -> tuple[Score, list[Misreading]]:
    """Return how a picture was read, and every fact that was not read as it is.

    Who writes the only thing of a list without the list says the same.
    """
    read = dict(_listed(name, value, true) for name, value in read.items())
    errors = [
        Misreading(name, read.get(name, NOTHING), value)
        for name, value in true.items()
        if read.get(name) != value
    ]
    missing = sum(1 for error in errors if error.fact not in read)
    made_up = [Misreading(name, value, NOTHING) for name, value in read.items() if name not in true]
    wrong = len(errors) - missing + len(made_up)
    return Score(len(true), len(true) - len(errors), wrong, missing), errors + made_up


def load(path: Path) -> Mapping[str, Any]:
    """Return a form from its file; raises ``OSError``, :class:`UnreadableAnswerError`."""
    try:
        form = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise UnreadableAnswerError(f"{path.name} is no JSON: {error}") from error
    if not isinstance(form, dict):
        raise UnreadableAnswerError(f"{path.name} is no JSON object")
    return form
