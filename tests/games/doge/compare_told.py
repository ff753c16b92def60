"""All that the engine and the reference say of a match to anybody, in the same shape."""

from __future__ import annotations

from typing import Any

from engines.core.contract import Event, facts_for
from engines.doge import GAME
from engines.doge.components import LOCATIONS
from engines.doge.state import State
from engines.doge.view import COLOURS, Pair, View, marks_of
from tests.games.doge import reference_view
from tests.games.doge.reference_sheet import ROWS, Json
from tests.games.doge.reference_world import World

TURNS = ("roll", "move", "choose", "haunt", "owes")
"""The phases of a turn: in the others there is no active player."""
RESULTS = {"found": "won", "ghost": "ghost", "cards": "cards", "out": "out"}


def world_of(state: State) -> World:
    """Return the reference's world of a match before its pawns are placed."""
    public = state.public
    return World(
        deal=[words_of(pair) for pair in (*state.pairs, state.treasure)],
        deck=[str(LOCATIONS[square]) for square in state.ghosts],
        first=0,
        removed=[str(card) for card in public.laid_out],
        gifts=public.can_leave_gifts,
    )


# --- what the engine says -------------------------------------------------------------------------


def words_of(pair: Pair) -> tuple[str, str]:
    """Return the institution and the craft of a pair."""
    return str(pair.institution), str(pair.craft)


def told_public(view: View) -> Json:
    """Return what the engine tells everybody, in the reference's words."""
    outcome = GAME.outcome(view)
    assert outcome is None or outcome.ranks == (tuple(range(view.seats)),), "all win, or nobody does"
    phase = {"show": "owes", "give": "owes"}.get(view.phase, str(view.phase))
    return {
        "phase": phase,
        "owes": None if view.owes is None else (str(view.phase), view.owes),
        "asked": sorted(GAME.waiting(view)),
        "turn": view.turn if phase in TURNS else None,
        "die": view.die,
        "pawns": list(view.pawns),
        "counts": [0 if seat in view.out else view.cards_in_hand(seat) for seat in range(view.seats)],
        "piles": {
            square: [COLOURS[view.gifts[gift].giver] for gift in pile]
            for square, pile in enumerate(view.piles)
            if pile
        },
        "discards": [COLOURS[view.gifts[discard.gift].giver] for discard in view.discards],
        "drawn": [str(LOCATIONS[square]) for square in view.drawn],
        "deck": view.deck,
        "guesses": [(guess.seat, *words_of(guess.pair), guess.right) for guess in view.guesses],
        "out": sorted(view.out),
        "removed": sorted(map(str, view.laid_out)),
        "result": view.result and RESULTS[view.result.reason],
        "won": None if outcome is None else outcome.won,
        "resigned": list(view.resigned),
        "ghost": None if view.ghost is None else str(LOCATIONS[view.ghost]),
    }


def told_faces(view: View, faces: dict[int, Any]) -> Json:
    """Return the faces known in the piles and among the discards."""

    def face(gift: int) -> str | None:
        return str(faces[gift]) if gift in faces else None

    return {
        "piles": {square: [face(gift) for gift in pile] for square, pile in enumerate(view.piles) if pile},
        "discards": [face(discard.gift) for discard in view.discards],
    }


def told_sheet(view: View) -> Json:
    """Return a seat's clue sheet."""
    sheet, notes = view.sheet, view.notes
    assert sheet is not None
    assert notes is not None
    found: Json = {
        "columns": {
            COLOURS[part.seat]: [
                {str(card): str(clue.mark) for card in clue.cards}
                for clue in sorted(part.clues, key=lambda one: one.step)
            ]
            for part in sheet.sections
        },
        "pencil": {(COLOURS[mark.seat], str(mark.card)): str(mark.mark) for mark in notes.marks},
        "auto": notes.auto,
    }
    assert found["pencil"] == {
        (COLOURS[part.seat], str(card)): str(mark) for part in sheet.sections for card, mark in part.pencil
    }
    follows: list[object] = [sheet.deals, sheet.treasures]
    follows += [follow for part in sheet.sections for follow in (part.pairs, part.sure)]
    if not notes.auto:
        assert follows == [None] * len(follows), "with auto off nothing follows"
        return found
    assert None not in follows
    gone = [str(card) for card in view.laid_out]
    found["deals"] = sheet.deals
    found["treasures"] = sorted(map(words_of, sheet.treasures or ()))
    found["pairs"] = {COLOURS[part.seat]: sorted(map(words_of, part.pairs or ())) for part in sheet.sections}
    marks: Json = {COLOURS[part.seat]: marks_of(part) for part in sheet.sections}
    found["marks"] = {
        colour: {card: mark for card, mark in rows.items() if card not in gone}
        for colour, rows in marks.items()
    }
    found["sure"] = {
        COLOURS[part.seat]: {
            str(card): str(dict(part.sure or ()).get(card, "")) for card in (*view.crafts, *view.institutions)
        }
        for part in sheet.sections
    }
    return found


def told_private(view: View) -> Json:
    """Return what the engine tells one seat alone."""
    assert view.own is not None
    return {
        "pair": words_of(view.own),
        "hand": [] if view.viewer in view.out else sorted(map(str, view.hand)),
        "faces": told_faces(view, dict(enumerate(view.truth.faces) if view.truth else view.faces)),
        "shown": [(view.gifts[gift].giver, *words_of(pair)) for gift, pair in view.shown],
        "treasure": None if view.treasure is None else words_of(view.treasure),
        "ahead": None if view.ahead is None else (*words_of(view.ahead.pair), view.ahead.square),
        "sheet": told_sheet(view),
    }


def told(state: State) -> Json:
    """Return all that the engine says of a state to anybody, and its whole truth."""
    views = {viewer: GAME.view(state, viewer) for viewer in (None, *range(state.public.seats))}
    found: Json = {f"public for {viewer}": told_public(view) for viewer, view in views.items()}
    for viewer, view in views.items():
        if viewer is not None:
            found[f"private of {COLOURS[viewer]}"] = told_private(view)
        assert (view.truth is None) == (state.public.result is None)
    found["truth"] = {
        "deal": [words_of(pair) for pair in (*state.pairs, state.treasure)],
        "deck": [str(LOCATIONS[square]) for square in state.ghosts],
        "faces": told_faces(views[None], dict(enumerate(state.faces))),
    }
    truth = views[None].truth
    if truth is not None:
        assert (truth.pairs, truth.treasure, truth.faces) == (state.pairs, state.treasure, state.faces)
        assert truth.ghosts == state.ghosts
    return found


# --- what the reference says ----------------------------------------------------------------------


def expected(world: World) -> Json:
    """Return the same of the reference's world."""
    public = reference_view.public(world) | {
        "owes": world.owes,
        "turn": world.turn if world.phase in TURNS else None,
        "die": world.die if world.phase in TURNS else None,
        "won": None if world.result is None else world.result == "won",
        "resigned": world.resigned,
        "ghost": world.drawn[-1] if world.drawn else None,
    }
    found: Json = {f"public for {viewer}": dict(public) for viewer in (None, *range(world.seats))}
    for seat in range(world.seats):
        found[f"private of {COLOURS[seat]}"] = reference_view.private(world, seat)
    found["truth"] = {"deal": world.deal, "deck": world.deck, "faces": reference_view.faces(world, None)}
    piles = reference_view.shown(world)
    found["truth"]["faces"] = {
        "piles": {square: [card.face for card in pile] for square, pile in piles.items()},
        "discards": [card.face for card in world.discards],
    }
    return found


def differences(state: State, world: World) -> Json:
    """Return what the two say otherwise, with both."""
    one, two = told(state), expected(world)
    assert one.keys() == two.keys()
    found: Json = {}
    for part in one:
        assert one[part].keys() == two[part].keys(), part
        for key in one[part]:
            if one[part][key] != two[part][key]:
                found[f"{part}: {key}"] = one[part][key], two[part][key]
    return found


def hearsay(before: World, after: World, events: tuple[Event, ...]) -> Json:
    """Return who hears of other cards than the reference says, with what it hears."""
    found: Json = {}
    for viewer in (None, *range(after.seats)):
        must, may = reference_view.told(before, after, viewer)
        data = str([fact.data for fact in facts_for(events, viewer)])
        heard = {card for card in ROWS if f"'{card}'" in data}
        if not must <= heard <= may:
            found[str(viewer)] = heard, must, may
    return found
