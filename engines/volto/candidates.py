"""What masks may be: exact matching between the masks of a side and its symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from engines.core.rng import Stream
from engines.volto.board import KINDS, Kind

Kinds: TypeAlias = tuple[Kind, ...]
Fits: TypeAlias = tuple[Kinds, ...]
"""For each mask, the symbols that its own track allows."""

_SETS: tuple[frozenset[Kind], ...] = tuple(
    frozenset(some) for size in range(1, len(KINDS) + 1) for some in combinations(KINDS, size)
)


@lru_cache(maxsize=4096)
def possible(fits: Fits, kinds: Kinds) -> Fits:
    """Return for each mask the symbols that it has in at least one way of giving ``kinds`` to all masks.

    ``kinds`` are as many as the masks, like ones repeated. By Hall's theorem a symbol is possible
    for a mask unless some set of symbols that holds it is used up by masks that can be nothing else.
    Raises ``ValueError`` where there is no way at all.
    """
    full: list[frozenset[Kind]] = []
    for some in _SETS:
        room = sum(kind in some for kind in kinds) - sum(some.issuperset(fit) for fit in fits)
        if room < 0:
            raise ValueError("the tracks allow no symbols at all")
        if room == 0:
            full.append(some)
    return tuple(
        tuple(k for k in fit if k in kinds and all(k not in some or some.issuperset(fit) for some in full))
        for fit in fits
    )


class Matchings:
    """All ways of giving a side's symbols to its masks; equal symbols are interchangeable."""

    __slots__ = ("_counts", "_fits", "_ways")

    def __init__(self, fits: Fits, kinds: Kinds) -> None:
        if len(fits) != len(kinds):
            raise ValueError("as many symbols as masks are needed")
        self._fits = fits
        self._counts = tuple(kinds.count(kind) for kind in KINDS)
        self._ways: dict[tuple[int, ...], int] = {}

    def __len__(self) -> int:
        return self._completions(0, self._counts)

    def __iter__(self) -> Iterator[Kinds]:
        return self._all(0, self._counts)

    def draw(self, stream: Stream) -> Kinds:
        """Return one of them, all equally likely; raises ``ValueError`` where there is none."""
        chosen: list[Kind] = []
        counts = self._counts
        for index in range(len(self._fits)):
            # Each symbol counts as often as there are ways to go on with it: all ways are equally likely.
            number = stream.below(self._completions(index, counts))
            for kind, left in self._next(index, counts):
                number -= self._completions(index + 1, left)
                if number < 0:
                    chosen.append(kind)
                    counts = left
                    break
        return tuple(chosen)

    def _next(self, index: int, counts: Sequence[int]) -> Iterator[tuple[Kind, tuple[int, ...]]]:
        for place, kind in enumerate(KINDS):
            if counts[place] and kind in self._fits[index]:
                yield kind, (*counts[:place], counts[place] - 1, *counts[place + 1 :])

    def _completions(self, index: int, counts: tuple[int, ...]) -> int:
        if index == len(self._fits):
            return 1
        if counts not in self._ways:  # the counts tell the index: one symbol a mask is gone
            self._ways[counts] = sum(
                self._completions(index + 1, left) for _, left in self._next(index, counts)
            )
        return self._ways[counts]

    def _all(self, index: int, counts: tuple[int, ...]) -> Iterator[Kinds]:
        if index == len(self._fits):
            yield ()
            return
        for kind, left in self._next(index, counts):
            for rest in self._all(index + 1, left):
                yield (kind, *rest)
