"""Short ways to put a position on the mat, play on it and look at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engines.core.contract import ActionError, Event, Fact, Menu, Seat, Setup, Viewer, Words, facts_for
from engines.core.rng import Rng
from engines.core.texts import load
from engines.volto import GAME
from engines.volto.board import Kind
from engines.volto.notation import board_text
from engines.volto.rulesets import FIRST, NEWEST
from engines.volto.state import State
from engines.volto.view import MaskView, Reason, Result, View

SETUP = Setup("volto", NEWEST.number, 2)
RNG = Rng.of_match(bytes(32))
START = "nalan/csnla/5/5/5/CSNLA/NALAN"
SUN, MOON = 0, 1


def at(position: str) -> State:
    """Return the state of a position text."""
    return GAME.position(position)


def place(turn: Seat, **squares: str) -> State:
    """Return the state with letters on squares: ``place(0, c4="N", e1="C", a7="c")``."""
    return at(board_text(squares, turn))


def by_the_first_ruleset(state: State) -> State:
    """Return a state as a match has it that began by the first ruleset."""
    return replace(state, public=replace(state.public, ruleset=FIRST))


def go(state: State, *moves: str) -> State:
    """Return the state after moves by the sides in turn."""
    for move in moves:
        state, _ = step(state, move)
    return state


def step(state: State, move: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state and the events after one move by the side to move."""
    turn = state.public.turn
    assert turn is not None
    done = GAME.act(state, turn, GAME.read(move), RNG)
    return done.state, done.events


def told(state: State, move: str, viewer: Viewer = None) -> list[tuple[str, str]]:
    """Return kind and English text of what ``viewer`` learns from one move."""
    _, events = step(state, move)
    return [(fact.kind, english(fact)) for fact in facts_for(events, viewer)]


def english(fact: Fact) -> str:
    """Return the sentence that is told of a fact."""
    told = GAME.narrate(fact)
    return "" if told is None else load("engines.volto").render(told, lambda seat: ("Sun", "Moon")[seat])


def text(state: State) -> str:
    """Return the true position."""
    return GAME.position_text(state)


def result(state: State) -> Result | None:
    """Return how the match ended, checked to be the same for all viewers."""
    views = [GAME.view(state, viewer) for viewer in (None, 0, 1)]
    assert len({view.result for view in views}) == 1
    return views[0].result


def won(winner: Seat, *reasons: Reason) -> Result:
    """Return a win."""
    return Result(winner, reasons)


def drawn(*reasons: Reason) -> Result:
    """Return a draw."""
    return Result(None, reasons)


def moves(state: State, seat: Seat | None = None) -> list[str]:
    """Return all legal moves of the side to move, sorted."""
    turn = state.public.turn if seat is None else seat
    found = GAME.legal(GAME.view(state, turn))
    assert found is not None
    return sorted(map(GAME.write, found))


def targets(state: State, origin: str) -> str:
    """Return the squares that the mask on ``origin`` may go to, sorted and joined by spaces."""
    return " ".join(move[2:] for move in moves(state) if move.startswith(origin))


def mask(view: View, square: str) -> MaskView:
    """Return the mask that stands on ``square``."""
    return view.standing()[square]


def may_be(state: State, viewer: Viewer, square: str) -> str:
    """Return the letters that a mask may have as far as ``viewer`` can tell."""
    return "".join(mask(GAME.view(state, viewer), square).may_be)


def menu_of(view: View, draft: Words = ()) -> Menu:
    """Return the menu of a seat that is asked."""
    menu = GAME.menu(view, draft)
    assert menu is not None
    return menu


def refusal(state: State, seat: Seat, words: Words) -> tuple[str, str]:
    """Return kind and text of the error that a sentence raises."""
    try:
        GAME.act(state, seat, words, RNG)
    except ActionError as error:
        return error.kind, load("engines.volto").render(error.msg, lambda seat: ("Sun", "Moon")[seat])
    raise AssertionError(f"{words} was taken")


def arranged(sun: str = "NALANCSNLA", moon: str = "NALANCSNLA", rng: Rng = RNG) -> State:
    """Return a match in which both have arranged their masks."""
    state = GAME.start(SETUP, rng).state
    state = GAME.act(state, SUN, ("setup", sun), rng).state
    return GAME.act(state, MOON, ("setup", moon), rng).state


def letters(kinds: Iterable[Kind]) -> str:
    """Return symbols as letters."""
    return "".join(kinds)
