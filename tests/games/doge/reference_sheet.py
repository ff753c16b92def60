"""The clue sheet by brute force: every deal is laid out and tried against every clue.

Written from the rules page alone; it shares no code with ``engines.doge``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
Deal: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The institution of each seat and, last, the treasure's; the same of the crafts."""
Clue: TypeAlias = tuple[Any, ...]
"""Evidence: ``own SEAT INSTITUTION CRAFT`` or half of it, ``holds SEAT CARD``; ``false OWNER CARD``;
``shown GIVER INSTITUTION CRAFT``; ``wrong INSTITUTION CRAFT``; ``treasure INSTITUTION CRAFT``; and what adds
nothing, ``own false CARD``."""

COLOURS = ["blue", "yellow", "red", "green"]
INSTITUTIONS = ["comune", "peril", "marina", "sovrintendenza", "biennale"]
CRAFTS = ["ascia", "favro", "remer", "corder", "impiraressa"]
ROWS = [*CRAFTS, *INSTITUTIONS]
"""The rows of the sheet: crafts, then institutions."""


@lru_cache(maxsize=64)
def deals(seats: int, removed: tuple[str, ...]) -> tuple[Deal, ...]:
    """Return every deal of a match with so many seats and these cards laid out at the start."""
    institutions = [card for card in INSTITUTIONS if card not in removed]
    crafts = [card for card in CRAFTS if card not in removed]
    assert len(institutions) == len(crafts) == seats + 1
    return tuple((first, second) for first in permutations(institutions) for second in permutations(crafts))


def fits(deal: Deal, clue: Clue) -> bool:
    """Return whether a deal agrees with one clue."""
    institutions, crafts = deal
    kind = clue[0]
    if kind == "own":
        seat, institution, craft = clue[1:]
        return bool(institutions[seat] == institution and crafts[seat] == craft)
    if kind == "holds":
        seat, card = clue[1:]
        return card in (institutions[seat], crafts[seat])
    if kind == "shown":
        giver, institution, craft = clue[1:]
        return bool((institutions[giver] == institution) + (crafts[giver] == craft) == 1)
    if kind == "false":
        owner, card = clue[1:]
        return card not in (institutions[owner], crafts[owner])
    if kind == "wrong":
        return (institutions[-1], crafts[-1]) != clue[1:]
    if kind == "treasure":
        return (institutions[-1], crafts[-1]) == clue[1:]
    assert kind == "own false"
    return True


@lru_cache(maxsize=1024)
def owning(seats: int, removed: tuple[str, ...], own: Clue) -> tuple[Deal, ...]:
    """Return every deal in which a seat has its own pair."""
    return tuple(deal for deal in deals(seats, removed) if fits(deal, own))


def fitting(seats: int, removed: tuple[str, ...], clues: frozenset[Clue]) -> tuple[Deal, ...]:
    """Return every deal that agrees with all clues."""
    own = [clue for clue in clues if clue[0] == "own"]
    found = owning(seats, removed, own[0]) if own else deals(seats, removed)
    return tuple(deal for deal in found if all(fits(deal, clue) for clue in clues))


def sure(found: tuple[Deal, ...], other: int, card: str) -> str:
    """Return ``X`` if a player has the card in every deal, ``0`` if in none, else nothing."""
    held = [card in (institutions[other], crafts[other]) for institutions, crafts in found]
    return "X" if all(held) else "" if any(held) else "0"


def deduced(seats: int, removed: list[str], viewer: int | None, clues: list[Clue]) -> Json:
    """Return what follows from all clues of a viewer: the part of the sheet that ``auto`` fills."""
    return _deduced(seats, tuple(removed), viewer, frozenset(clues))


@lru_cache(maxsize=4096)
def _deduced(seats: int, removed: tuple[str, ...], viewer: int | None, clues: frozenset[Clue]) -> Json:
    found = fitting(seats, removed, clues)
    others = [seat for seat in range(seats) if seat != viewer]
    return {
        "deals": len(found),
        "treasures": sorted({(first[-1], second[-1]) for first, second in found}),
        "pairs": {COLOURS[o]: sorted({(first[o], second[o]) for first, second in found}) for o in others},
        "sure": {
            COLOURS[o]: {card: sure(found, o, card) for card in ROWS if card not in removed} for o in others
        },
    }


def columns(seats: int, viewer: int, clues: list[Clue]) -> dict[str, list[dict[str, str]]]:
    """Return what was entered for each other player, one column a clue, never changed."""
    found: dict[str, list[dict[str, str]]] = {COLOURS[o]: [] for o in range(seats) if o != viewer}
    for clue in clues:
        if clue[0] == "shown":
            found[COLOURS[clue[1]]].append({clue[2]: "?", clue[3]: "?"})
        elif clue[0] == "false":
            found[COLOURS[clue[1]]].append({clue[2]: "0"})
    return found


def marks(found: Json, entered: dict[str, list[dict[str, str]]]) -> dict[str, dict[str, str]]:
    """Return one mark a row: the sure one, else ``?`` for a card shown in a meeting, else nothing."""
    return {
        colour: {
            card: mark or ("?" if any(column.get(card) == "?" for column in entered[colour]) else "")
            for card, mark in rows.items()
        }
        for colour, rows in found["sure"].items()
    }
