"""The parts of a state, found by its fields: where two states differ, and states mixed of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

from engines.core.rng import Stream

Path: TypeAlias = tuple[str | int, ...]
"""Field names and places in tuples, from the state down."""

DEPTH = 3
"""Steps down to what counts as one part: a deck, a seat's hand, a seat's last program."""


def inside(value: object) -> Iterator[tuple[str | int, Any]]:
    """Yield what a data class or a tuple holds, by name or place; nothing for anything else."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield field.name, getattr(value, field.name)
    elif isinstance(value, tuple):
        yield from enumerate(value)


def part(state: Any, path: Path) -> Any:
    for step in path:
        state = getattr(state, step) if isinstance(step, str) else state[step]
    return state


def graft(state: Any, path: Path, value: object) -> Any:
    """Return ``state`` with another value at ``path``."""
    if not path:
        return value
    first, *rest = path
    inner = graft(part(state, path[:1]), tuple(rest), value)
    if isinstance(first, str):
        return replace(state, **{first: inner})
    return (*state[:first], inner, *state[first + 1 :])


def differences(one: Any, two: Any) -> Iterator[Path]:
    """Yield the paths of the smallest parts in which two states differ."""
    if one == two:
        return
    known, other = dict(inside(one)), dict(inside(two))
    if type(one) is not type(two) or not known or known.keys() != other.keys():
        yield ()
        return
    for step, value in known.items():
        for rest in differences(value, other[step]):
            yield (step, *rest)


def parts_apart(one: Any, two: Any) -> set[Path]:
    """Return the parts in which two states differ: paths cut where a row of plain values begins."""
    return {_cut(one, path) for path in differences(one, two)}


def _cut(state: Any, path: Path) -> Path:
    """Return the path without its last step where that is a place in a row of plain values."""
    path = path[:DEPTH]
    # An empty row is a part too: somebody's hand without a card.
    if path and isinstance(path[-1], int) and not isinstance(last := part(state, path), tuple):
        return path if is_dataclass(last) else path[:-1]
    return path


def is_noted(path: Path) -> bool:
    """Return whether a part is a seat's notes, which no record tells and no end reveals."""
    return "notes" in path


def rows(value: Any, path: Path = ()) -> Iterator[tuple[Path, tuple[Any, ...]]]:
    """Yield the rows of plain values in a state, such as decks and hands, no deeper than a part."""
    held = dict(inside(value))
    if isinstance(value, tuple) and value and not any(dict(inside(item)) for item in value):
        yield path, value
    elif len(path) < DEPTH:
        for step, item in held.items():
            yield from rows(item, (*path, step))


def swapped(state: Any, stream: Stream, shuffled: frozenset[Path]) -> Iterator[tuple[Path, Path, Any]]:
    """Yield states with two plain values exchanged, and the parts that they lie in.

    Each row gives one value for a value of another row of its kind, and one for another of its own if
    rows of its kind have an order of their own: if they are ``shuffled``.
    """
    found = dict(rows(state))
    for path, row in found.items():
        kin = [other for other in found if kind(other) == kind(path) and other != path]
        for other in ([path] if kind(path) in shuffled else []) + [stream.choice(kin) for _ in kin[:1]]:
            one, two = stream.below(len(row)), stream.below(len(found[other]))
            here, there = row[one], found[other][two]
            if here != there:
                mixed = graft(state, (*path, one), there)
                yield path, other, graft(mixed, (*other, two), here)


def shuffled_kinds(states: Iterable[Any]) -> frozenset[Path]:
    """Return the kinds of rows in which two values stand now in this order, now in the other."""
    pairs: dict[Path, set[tuple[Any, Any]]] = defaultdict(set)
    for state in states:
        for path, row in rows(state):
            pairs[kind(path)].update(combinations(row, 2))
    return frozenset(
        name for name, found in pairs.items() if any(a != b and (b, a) in found for a, b in found)
    )


def kind(path: Path) -> Path:
    """Return the path without seats and places: what the part is, whosoever it is."""
    return tuple(step for step in path if isinstance(step, str))
