"""The treasure count: groups, seals, quests, line by line, as if the match ended now."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Seat
from engines.core.kit import ranked
from engines.corto.board import Strips, neighbours
from engines.corto.cards import ADVENTURES
from engines.corto.quests import quest_of
from engines.corto.state import Public, Square

LARGEST = 2
"""Gold for each character of a seat's largest group."""
OTHERS = 1
"""Gold for each character of its other groups."""
LEAST = 2
"""Characters of a group that brings gold."""

Ranks = tuple[tuple[Seat, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class GroupView:
    """Connected characters under a seat's control, two or more; ``gold`` that they bring now."""

    seat: Seat
    squares: tuple[Square, ...]
    largest: bool
    gold: int


@dataclass(frozen=True, slots=True, repr=False)
class GoldView:
    """A seat's gold as if the match ended now, line by line.

    ``quests``: gold of each strip in play, from the top (``("C", 5)``).
    """

    seat: Seat
    largest: int
    others: int
    seal: int
    corto: int
    quests: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Return the sum of all lines."""
        return self.largest + self.others + self.seal + self.corto + sum(gold for _, gold in self.quests)


def groups(public: Public) -> tuple[GroupView, ...]:
    """Return all groups of two or more, by seat, each seat's largest first; of equals the topmost."""
    return tuple(group for seat in public.seats for group in groups_of(public, seat))


def groups_of(public: Public, seat: Seat) -> list[GroupView]:
    """Return a seat's groups of two or more, the largest first; of equals the topmost."""
    # Nobody controls a character on which two seats have most markers: it joins no group and parts others.
    own = tuple(found.square for found in public.board if found.controller == seat)
    return [
        GroupView(seat, group, place == 0, len(group) * (LARGEST if place == 0 else OTHERS))
        for place, group in enumerate(connected(public.strips, own))
        if len(group) >= LEAST
    ]


def connected(strips: Strips, squares: tuple[Square, ...]) -> tuple[tuple[Square, ...], ...]:
    """Return the connected parts of squares that are given by strip and column, the largest first.

    Of equals the topmost comes first; within each the order stays.
    """
    left = set(squares)
    found: list[tuple[Square, ...]] = []
    for square in squares:
        if square not in left:
            continue
        group, edge = {square}, [square]
        left.discard(square)
        while edge:
            reached = left.intersection(neighbours(strips, edge.pop()))
            left -= reached
            group |= reached
            edge += reached
        found.append(tuple(one for one in squares if one in group))
    return tuple(sorted(found, key=lambda group: -len(group)))


def gold(public: Public) -> tuple[GoldView, ...]:
    """Return each seat's gold, line by line."""
    seats = len(public.colours)
    quests = {
        quest.strip: quest_of(quest.strip).gold(ADVENTURES[quest.strip], quest.pieces, public.board, seats)
        for quest in public.quests
    }
    found = groups(public)
    return tuple(
        GoldView(
            seat=seat,
            largest=sum(group.gold for group in found if group.seat == seat and group.largest),
            others=sum(group.gold for group in found if group.seat == seat and not group.largest),
            seal=len(public.seal[seat]),
            corto=public.corto_gold[seat],
            quests=tuple((strip, each[seat]) for strip, each in quests.items()),
        )
        for seat in public.seats
    )


def ranks(public: Public) -> Ranks:
    """Return the seats by gold, then by markers in stock, ties sharing a rank; who has left comes last."""
    totals = gold(public)
    staying = [seat for seat in public.seats if seat not in public.left]
    worth = {seat: (totals[seat].total, public.stock[seat]) for seat in staying}
    # Who left later ranks before who left first.
    return (*ranked(worth), *((seat,) for seat in reversed(public.left)))
