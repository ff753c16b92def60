"""Positions to test with: what is not said of them is plain and the same every time."""

from __future__ import annotations

from typing import Any

from engines.core.contract import Seat, Setup
from engines.core.rng import Rng
from engines.corto import GAME
from engines.corto.board import strip_of
from engines.corto.cards import CARDS, Kind
from engines.corto.situation import load
from engines.corto.state import State
from engines.corto.table import Table
from engines.corto.view import COLOURS, PieceView, Square, View, look

SEED = bytes(range(32))

Held = dict[Square, dict[str, int]]
"""Markers on characters: ``{"a1": {"red": 2}}``."""


def rng(label: str = "test") -> Rng:
    """Return randomness of a test's own."""
    return Rng(SEED).child(label)


def setup(seats: int, ruleset: str = GAME.manifest.ruleset) -> Setup:
    """Return a set-up without chosen adventures."""
    return Setup("corto", ruleset, seats, ())


def position(held: Held, seats: tuple[str, ...] = COLOURS, strips: str = "ABCE", **value: Any) -> State:
    """Return a position whose characters are any, with these markers."""
    spare = {
        strip: [card.id for card in CARDS.values() if card.deck == strip and card.kind is Kind.CHARACTER]
        for strip in strips
    }
    board = {
        square: {"card": spare[strip_of(square)].pop(0), "markers": markers}
        for square, markers in held.items()
    }
    return of({"seats": list(seats), "strips": list(strips), "board": board, **value})


def of(value: dict[str, Any], ruleset: str = GAME.manifest.ruleset) -> State:
    """Return the state of a situation."""
    return load(value, setup(len(value["seats"]), ruleset), rng())


def public(state: State) -> View:
    """Return what everybody sees."""
    return look(state, None)


def table(state: State, seat: Seat = 0) -> Table:
    """Return the working table of a seat's sentence."""
    return Table.of_state(state, seat, rng().stream("table"))


def pieces(found: Table, strip: str) -> list[PieceView]:
    """Return a quest's pieces."""
    return found.pieces[strip]


def told(found: Table) -> list[str]:
    """Return the kinds of the facts told at a table."""
    return [event.fact.kind for event in found.events]


def places(state: State) -> list[str]:
    """Return all cards of a state, sorted: what is conserved."""
    public = state.public
    piles = (*state.decks, *state.hands, *public.discards, *public.seal, *public.kept)
    return sorted([*(card for pile in piles for card in pile), *(found.card for found in public.board)])
