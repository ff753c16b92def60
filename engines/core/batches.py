"""Everything that has happened in a match, batch by batch, in little memory.

A match of weeks is kept whole, since the log may be requested, but hardly ever read beyond the last batch.
So all earlier batches are packed; the audience of one is known without unpacking it.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TypeAlias, overload

from engines.core.contract import Event, Fact, Viewer, all_but, only

Batch: TypeAlias = tuple[Event, ...]
"""The events of one act, or of the start, in order."""

_EVERYBODY = 0xFF
"""A bit for the public, and one for each of at most seven seats: they are kept as a byte."""


@dataclass(frozen=True, slots=True, eq=False)
class Batches(Sequence[Batch]):
    """The batches of a match. Every act gives a new value; nothing is changed in place."""

    last: Batch = field(repr=False)
    earlier: tuple[bytes, ...] = field(default=(), repr=False)
    """All batches before the last, packed."""
    listeners: bytes = field(default=b"", repr=False)
    """Who learned anything from each of them: a bit for the public, then one for each seat."""

    def then(self, batch: Batch) -> Batches:
        """Return these batches with one more."""
        return Batches(
            batch, (*self.earlier, _packed(self.last)), self.listeners + bytes([_heard(self.last)])
        )

    def heard(self, number: int, viewer: Viewer) -> bool:
        """Return whether ``viewer`` learned anything from batch ``number``."""
        listeners = self.listeners[number] if number < len(self.listeners) else _heard(self.last)
        return bool(listeners & _bit(viewer))

    def __len__(self) -> int:
        return len(self.earlier) + 1

    @overload
    def __getitem__(self, index: int) -> Batch: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Batch, ...]: ...
    def __getitem__(self, index: int | slice) -> Batch | tuple[Batch, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(len(self))))
        number = range(len(self))[index]
        return self.last if number == len(self.earlier) else _unpacked(self.earlier[number])

    def __iter__(self) -> Iterator[Batch]:
        yield from map(_unpacked, self.earlier)
        yield self.last

    def __eq__(self, other: object) -> bool:
        # Equal batches may be packed in different bytes: `marshal` records which objects are identical.
        return isinstance(other, Batches) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def _bit(viewer: Viewer) -> int:
    return 1 if viewer is None else 2 << viewer


def _heard(batch: Batch) -> int:
    return reduce(or_, map(_audience, batch), 0)


def _audience(event: Event) -> int:
    named = reduce(or_, map(_bit, event.audience.seats), 0)
    return _EVERYBODY & ~named if event.audience.everyone_else else named


def _packed(batch: Batch) -> bytes:
    # Facts are made of texts, numbers, flags and tuples of them: `marshal` writes nothing else, and fast.
    return marshal.dumps(
        [
            (
                event.fact.kind,
                event.fact.data,
                event.audience.everyone_else,
                tuple(sorted(event.audience.seats)),
            )
            for event in batch
        ]
    )


def _unpacked(packed: bytes) -> Batch:
    return tuple(
        Event(Fact(kind, data), (all_but if everyone_else else only)(*seats))
        for kind, data, everyone_else, seats in marshal.loads(packed)  # noqa: S302 - written above
    )
