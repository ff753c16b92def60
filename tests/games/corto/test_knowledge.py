"""What seats know of hidden cards, and for how long. Rules page: *What is secret*."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.core.contract import Fact, facts_for
from engines.corto import GAME
from engines.corto.state import State
from tests.games.corto.positions import rng
from tests.games.corto.turns import given, say, step, view

BOARD = {"a3": "A01 red", "b3": "B01 blue", "e3": "E01"}


def known(state: State, viewer: int, seat: int) -> list[str | None]:
    """Return the faces of a seat's hand that a viewer knows."""
    return [card.card for card in view(state, viewer).players[seat].hand]


def three(red: str, blue: str, green: str, **decks: list[str]) -> State:
    more: dict[str, Any] = {"decks": decks} if decks else {}
    hands = {"blue": blue.split(), "green": green.split()}
    return given(BOARD, red, seats="red blue green", strips="AEBD", hands=hands, **more)


def test_hands_are_backs_to_others_and_draws_too() -> None:
    state = three("A04 B05", "A06", "B06")
    assert known(state, 1, 0) == [None, None]
    found = step(state, "play A04 a4 end draw E")
    drawn = [fact for fact in facts_for(found.events, 1) if fact.kind == "drew"]
    assert drawn == [Fact("drew", (("seat", 0), ("deck", "E"), ("card", None)))]
    own = [fact["card"] for fact in facts_for(found.events, 0) if fact.kind == "drew"]
    assert own == [found.state.hands[0][-1]]
    assert [card.deck for card in view(found.state, 2).players[0].hand] == ["B", "E"]


def test_a_taken_card_is_known_until_all_see_it() -> None:
    state = three("E17", "A06", "B06", A=["A07", "A08"], E=[], B=[], D=[])
    after = say(state, "adv E17 blue")
    assert known(after, 1, 0) == ["A06"]
    assert known(after, 2, 0) == [None]
    played = say(say(after, "play A06 a4"), "end enough")
    assert played.seen == ((), (), ())


def test_who_left_sees_its_own_cards_being_drawn() -> None:
    state = three("A04 A05", "B05", "B06", A=["A07"], E=["E02"], B=["B07"], D=["D02"])
    gone = GAME.withdraw(state, 0, rng()).state
    assert [card.card for card in view(gone, 0).known_under] == ["A04", "A05"]
    after = say(gone, "discard", "draw A A E", seat=1)
    assert "A04" in known(after, 0, 1)
    assert "A07" not in known(after, 0, 1)
    assert "A04" not in known(after, 2, 1)
    assert [card.card for card in view(after, 0).known_under] == ["A05"]


def test_what_a_skip_has_shown_holds_until_a_card_comes_in() -> None:
    empty: dict[str, list[str]] = {"A": [], "E": [], "B": [], "D": []}
    state = three("A04 A05", "A14", "B05", **empty)
    skipped = say(state, "play A04 a4 end")
    limited = skipped.public.limited[1]
    assert limited is not None
    assert "A14" in limited
    assert "B05" not in limited
    assert skipped.public.turn is not None
    assert skipped.public.turn.seat == 2
    gone = GAME.withdraw(skipped, 2, rng()).state
    assert gone.public.limited[1] == limited
    drawn = say(gone, "play A05 a5 end enough")
    assert drawn.public.turn is not None
    assert drawn.public.turn.seat == 1, "the hand of who left can be drawn"
    assert say(drawn, "discard", "draw B", seat=1).public.limited[1] is None


def test_a_picked_hand_is_limited_no_more_for_the_thief() -> None:
    empty: dict[str, list[str]] = {"A": [], "E": [], "B": [], "D": []}
    state = three("E17 A05", "A14", "B05", **empty)
    limits = (("A14", "E17"), ("A14", "B15"), None)
    knowing = replace(state, public=replace(state.public, limited=limits))
    after = say(knowing, "adv E17 blue")
    assert after.public.limited == (None, ("A14", "B15"), None)
