"""What each viewer knows in the reference's world: what is public, and what one seat alone has seen."""

from __future__ import annotations

from tests.games.doge.reference_sheet import COLOURS, ROWS, Json, columns, deduced, marks
from tests.games.doge.reference_world import Card, World


def public(world: World) -> Json:
    """Return what everybody knows."""
    return {
        "phase": world.phase,
        "asked": sorted(world.asked()),
        "turn": world.turn,
        "die": world.die,
        "pawns": world.pawns,
        "counts": [len(hand) for hand in world.hands],
        "piles": {square: [COLOURS[card.owner] for card in pile] for square, pile in shown(world).items()},
        "discards": [COLOURS[card.owner] for card in world.discards],
        "drawn": world.drawn,
        "deck": len(world.deck),
        "guesses": world.guesses,
        "out": sorted(world.out),
        "removed": sorted(world.removed),
        "result": world.result,
    }


def shown(world: World) -> dict[int, list[Card]]:
    """Return the piles that are there, from the top."""
    return {square: pile for square, pile in sorted(world.piles.items()) if pile}


def faces(world: World, viewer: int | None) -> Json:
    """Return the faces that a viewer knows in the piles and among the discards; all once it is over."""

    def face(card: Card) -> str | None:
        return card.face if viewer in card.known or world.phase == "over" else None

    return {
        "piles": {square: [face(card) for card in pile] for square, pile in shown(world).items()},
        "discards": [face(card) for card in world.discards],
    }


def sheet(world: World, seat: int) -> Json:
    """Return a seat's clue sheet: what was entered, and with ``auto`` what follows from it."""
    clues = world.clues[seat]
    entered = columns(world.seats, seat, clues)
    found: Json = {"columns": entered, "pencil": world.pencil[seat], "auto": world.auto[seat]}
    if world.auto[seat]:
        follows = deduced(world.seats, world.removed, seat, clues)
        found |= follows | {"marks": marks(follows, entered)}
    return found


def private(world: World, seat: int) -> Json:
    """Return what a seat alone knows."""
    treasure = next((clue[1:] for clue in world.clues[seat] if clue[0] == "treasure"), None)
    return {
        "pair": world.deal[seat],
        "hand": sorted(world.hands[seat]),
        "faces": faces(world, seat),
        "shown": [clue[1:] for clue in world.clues[seat] if clue[0] == "shown"],
        "treasure": world.deal[-1] if world.phase == "over" else treasure,
        "ahead": world.ahead[seat],
        "sheet": sheet(world, seat),
    }


def revealed(world: World) -> Json:
    """Return what everybody learns once the match is over."""
    assert world.phase == "over"
    return {"deal": world.deal, "deck": world.deck, "faces": faces(world, None)}


def told(before: World, after: World, viewer: int | None) -> tuple[set[str], set[str]]:
    """Return the cards that a viewer must hear of in one step, and all that it may hear of."""
    if after.phase == "over":
        return set(), set(ROWS)
    must = {word for guess in after.guesses[len(before.guesses) :] for word in guess[1:3]}
    may = set(must)
    if viewer is not None:
        clues = after.clues[viewer][len(before.clues[viewer]) :]
        must |= {word for clue in clues for word in clue if word in ROWS}
        given = given_by(after, viewer) - given_by(before, viewer)
        # Who gives hears what it gave.
        may |= {*given, *after.deal[viewer]} if given else set()
    return must, may | must


def given_by(world: World, seat: int) -> set[str]:
    """Return the cards that left a seat's hand, one by one, face down."""
    laid = [card for pile in world.piles.values() for card in pile]
    return {card.face for card in (*laid, *world.discards) if card.owner == seat}
