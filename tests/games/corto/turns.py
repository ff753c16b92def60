"""Turns to test with: a position in short words, sentences as they are typed, and what they bring."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import ActionError, Seat, Step
from engines.corto import GAME
from engines.corto.state import State
from engines.corto.view import CharacterView, View, look
from tests.games.corto.positions import of, rng

Board = dict[str, str]
"""Who stands where: ``{"a1": "A01 red blue blue"}``, the card, then a colour for each marker."""


def given(
    board: Board,
    hand: str,
    *,
    seats: str = "red blue",
    strips: str = "ABD",
    ruleset: str = GAME.manifest.ruleset,
    **value: Any,
) -> State:
    """Return a position in which the first seat, with these cards, begins a turn."""
    colours = seats.split()
    characters = {}
    for square, text in board.items():
        card, *markers = text.split()
        characters[square] = {
            "card": card,
            "markers": {colour: markers.count(colour) for colour in set(markers)},
        }
    hands = {colours[0]: hand.split(), **value.pop("hands", {})}
    place = {"seats": colours, "strips": list(strips), "board": characters, "hands": hands, **value}
    return of(place, ruleset)


def step(state: State, text: str, seat: Seat = 0) -> Step[State]:
    """Return what a typed sentence leads to; raises the game's refusal."""
    return GAME.act(state, seat, GAME.read(text), rng("acts"))


def say(state: State, *lines: str, seat: Seat = 0) -> State:
    """Return the state after sentences of a seat, one a line."""
    for text in lines:
        state = step(state, text, seat).state
    return state


def kinds(state: State, text: str, seat: Seat = 0) -> list[str]:
    """Return the kinds of the public facts of a sentence."""
    found = step(state, text, seat)
    return [event.fact.kind for event in found.events if event.audience.includes(None)]


def refused(state: State, text: str, seat: Seat = 0) -> str:
    """Return the key of the refusal of a typed sentence; its text must be complete in English."""
    return refusal(state, text, seat).msg.key.removeprefix("error.")


def refusal(state: State, text: str, seat: Seat = 0) -> ActionError:
    """Return the refusal of a typed sentence."""
    with pytest.raises(ActionError) as caught:
        step(state, text, seat)
    assert words(caught.value)
    return caught.value


def words(error: ActionError) -> str:
    """Return what a refusal says in English."""
    return texts.load("engines.corto").render(error.msg, "seat {}".format)


def at(state: State, square: str) -> CharacterView:
    """Return the character on a square."""
    found = look(state, None).at(square)
    assert found is not None, f"nobody on {square}"
    return found


def empty(state: State, square: str) -> bool:
    """Return whether nobody stands on a square."""
    return look(state, None).at(square) is None


def view(state: State, seat: Seat = 0) -> View:
    """Return what a seat knows."""
    return look(state, seat)


def offered(state: State, text: str = "", seat: Seat = 0) -> dict[str, bool]:
    """Return the words that the menu offers after a draft, and whether each reveals something."""
    menu = GAME.menu(look(state, seat), GAME.read(text))
    assert menu is not None
    return {choice.word: choice.reveals for choice in menu.choices()}
