"""The world of the second, slow The Secret of the Doge: pawns, hands, piles, and what everybody was shown.

Written from the rules page alone; it shares no code with ``engines.doge``. Chance comes from outside:
a :class:`World` begins with the whole deal.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import cast

from tests.games.doge.reference_sheet import COLOURS, CRAFTS, INSTITUTIONS, Clue

SQUARES = 10
LOCATIONS = {0: "marina", 2: "biennale", 4: "comune", 6: "sovrintendenza", 8: "peril"}
CARD_SHAPED = [1, 3, 5, 7, 9]
DIE = [1, 2, 2, 3, 3, 4]


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """The words are not legal; the text says why."""


def must(holds: object, why: str) -> None:
    """Raise :class:`Refused` unless something holds."""
    if not holds:
        raise Refused(why)


@dataclass
class Card:
    """A card that left a hand; ``known``: the seats that have seen its face."""

    owner: int
    face: str
    known: set[int]


@dataclass
class World:
    """A match, with all that is hidden. ``deal``: the pair of each seat and, last, the treasure."""

    deal: list[tuple[str, str]]
    deck: list[str]
    first: int
    removed: list[str] = field(default_factory=list)
    gifts: bool = False
    phase: str = "place"
    turn: int | None = None
    die: int | None = None
    pawns: list[int | None] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    piles: dict[int, list[Card]] = field(default_factory=dict)
    discards: list[Card] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    guesses: list[tuple[int, str, str, bool]] = field(default_factory=list)
    rolled: bool = False
    owes: tuple[str, int] | None = None
    """``show`` or ``give``, and the seat that owes cards to the active player."""
    queue: list[int] = field(default_factory=list)
    """Who is still to be asked for a last guess, in order."""
    out: list[int] = field(default_factory=list)
    resigned: list[int] = field(default_factory=list)
    clues: list[list[Clue]] = field(default_factory=list)
    auto: list[bool] = field(default_factory=list)
    pencil: list[dict[tuple[str, str], str]] = field(default_factory=list)
    ahead: list[tuple[str, str, int] | None] = field(default_factory=list)
    result: str | None = None

    def __post_init__(self) -> None:
        """Give each seat its cards."""
        for seat in range(self.seats):
            cards = [card for card in [*INSTITUTIONS, *CRAFTS] if card not in self.removed]
            self.hands.append(cards)
            self.clues.append([("own", seat, *self.deal[seat])])
            self.pawns.append(None)
            self.auto.append(True)
            self.pencil.append({})
            self.ahead.append(None)

    def copy(self) -> World:
        """Return a world of its own, alike in all."""
        # Several times as fast as ``copy.deepcopy``.
        return cast("World", pickle.loads(pickle.dumps(self)))

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.deal) - 1

    def still_in(self) -> list[int]:
        """Return the seats that are not out."""
        return [seat for seat in range(self.seats) if seat not in self.out]

    def clockwise(self, start: int) -> list[int]:
        """Return the seats still in, once round, ``start`` first."""
        order = [(start + step) % self.seats for step in range(self.seats)]
        return [seat for seat in order if seat not in self.out]

    def false(self, seat: int) -> list[str]:
        """Return the false cards in a hand."""
        return [card for card in self.hands[seat] if card not in self.deal[seat]]

    def at(self, square: int | None) -> list[int]:
        """Return whose pawns stand on a square, but for the active player's."""
        return [o for o in range(self.seats) if self.pawns[o] == square is not None and o != self.turn]

    def asked(self) -> list[int]:
        """Return who is waited for."""
        if self.phase == "over":
            return []
        if self.phase == "place":
            return [seat for seat in self.still_in() if self.pawns[seat] is None]
        if self.phase == "owes":
            return [self.owes[1]] if self.owes else []
        if self.phase == "last":
            return self.queue[:1]
        return [] if self.turn is None else [self.turn]


# --- what can be chosen ---------------------------------------------------------------------------


def choices(world: World) -> list[list[str]]:
    """Return what the active player can choose from where the pawn, or the ghost, stands."""
    assert world.turn is not None
    if world.phase == "haunt":
        haunted = next(square for square, name in LOCATIONS.items() if name == world.drawn[-1])
        return [["haunt", COLOURS[o]] for o in world.at(haunted) if world.false(o)]
    square = world.pawns[world.turn]
    found = [["meet", COLOURS[o]] for o in world.at(square) if world.false(o)]
    if world.piles.get(square if square is not None else -1):
        return [*found, ["look"]] if found else [["look"], ["leave"]]
    return found


def gifts(world: World, giver: int, kind: str) -> list[list[str]]:
    """Return all that a player may ``show`` or ``give`` from the hand, square and all."""
    found = []
    if kind == "give":
        return [[card, str(square)] for card in world.false(giver) for square in CARD_SHAPED]
    for institution in INSTITUTIONS:
        for craft in CRAFTS:
            held = institution in world.hands[giver] and craft in world.hands[giver]
            true = (institution in world.deal[giver]) + (craft in world.deal[giver])
            if held and true == 1:
                found += [[institution, craft, str(square)] for square in CARD_SHAPED]
    return found
