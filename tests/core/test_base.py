"""The base class of games, with the least that a game may say for itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from engines.core.base import MenuGame
from engines.core.contract import (
    EVERYONE,
    Choice,
    Event,
    Field,
    Game,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    SeatName,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
)
from engines.core.rng import Rng

RNG = Rng(bytes(32))
SEATS = (0, 1, 2)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """Each seat counts once; ``left`` are gone."""

    counted: tuple[Seat, ...] = ()
    left: frozenset[Seat] = frozenset()
    over: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class View:
    viewer: Viewer
    state: State


class Counting(MenuGame[State, View]):
    manifest = Manifest(
        "counting", "Counting", ("1",), (3,), tuple(msg(f"seat.{seat}") for seat in SEATS), msg("t")
    )
    seat_data = frozenset({"seat", "next"})
    text_data = frozenset({"card"})
    untold = frozenset({"quiet"})
    endings = frozenset({"counted_out"})

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        return Step(State(), ())

    def on_act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        after = replace(state, counted=(*state.counted, seat))
        return Step(after, (Event(fact("counted", seat=seat, word=words[0]), EVERYONE),))

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        return Step(replace(state, left=state.left | {seat}), ())

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        return Step(replace(state, over=True), ())

    def view(self, state: State, viewer: Viewer) -> View:
        return View(viewer, state)

    def waiting(self, view: View) -> frozenset[Seat]:
        done = {*view.state.counted, *view.state.left}
        return frozenset() if view.state.over else frozenset(SEATS) - done

    def gone(self, view: View) -> frozenset[Seat]:
        return view.state.left

    def menu_for(self, view: View, draft: Words) -> Menu:
        if draft not in ((), ("one",)):
            raise InvalidAction(msg("error.word"))
        done = bool(draft)
        fields = () if done else (Field("count", msg("count"), (Choice("one", msg("one")),)),)
        return Menu("count", msg("prompt"), draft, fields, complete=done, closing=done)

    def outcome(self, view: View) -> Outcome | None:
        return Outcome((SEATS,), (msg("over"),)) if view.state.over else None

    def imagine(self, view: View, rng: Rng) -> State:
        return view.state


GAME = Counting()
SETUP = Setup("counting", "1", 3)


def refused(kind: type[IllegalAction | InvalidAction], state: State, seat: Seat, *words: str) -> str:
    with pytest.raises(kind) as caught:
        GAME.act(state, seat, words, RNG)
    return caught.value.msg.key


def test_it_meets_the_contract() -> None:
    game: Game[State, View] = GAME
    state = game.start(SETUP, RNG).state
    after = game.act(state, 1, ("one",), RNG)
    assert game.waiting(game.view(after.state, None)) == {0, 2}
    assert [event.fact["word"] for event in after.events] == ["one"]


def test_a_set_up_that_is_not_in_the_manifest_is_refused() -> None:
    with pytest.raises(ValueError, match="seats"):
        GAME.start(replace(SETUP, seats=2), RNG)


@pytest.mark.parametrize(
    ("state", "seat", "words", "kind", "key"),
    [
        (State(), 3, ("one",), IllegalAction, "error.seat"),
        (State(), -1, ("one",), IllegalAction, "error.seat"),
        (State(), 0, (), InvalidAction, "error.unfinished"),
        (State(), 0, ("two",), InvalidAction, "error.word"),
        (State(counted=(0,)), 0, ("one",), IllegalAction, "error.not_asked"),
        (State(left=frozenset({0})), 0, ("one",), IllegalAction, "error.gone"),
        (State(left=frozenset({0}), over=True), 0, ("one",), IllegalAction, "error.over"),
    ],
)
def test_an_act_is_checked_before_it_is_carried_out(
    state: State, seat: Seat, words: Words, kind: type[IllegalAction | InvalidAction], key: str
) -> None:
    assert refused(kind, state, seat, *words) == key


def test_a_seat_leaves_once_and_a_draw_is_agreed_once() -> None:
    left = GAME.withdraw(State(), 0, RNG).state
    over = GAME.agree(left, RNG).state
    for state, seat, key in ((left, 0, "error.gone"), (left, 7, "error.seat"), (over, 1, "error.over")):
        with pytest.raises(IllegalAction) as caught:
            GAME.withdraw(state, seat, RNG)
        assert caught.value.msg.key == key
    with pytest.raises(IllegalAction):
        GAME.agree(over, RNG)


def test_only_who_is_asked_has_a_menu() -> None:
    state = State(counted=(0,))
    assert GAME.menu(GAME.view(state, None)) is None
    assert GAME.menu(GAME.view(state, 0), ("one",)) is None
    menu = GAME.menu(GAME.view(state, 1))
    assert menu is not None
    assert GAME.player(GAME.view(state, 1), menu, RNG) == ("one",)


def test_what_it_does_not_know_is_left_to_the_game() -> None:
    view = GAME.view(State(), 0)
    assert GAME.lapse(view, RNG) is None
    assert GAME.preview(view, ("one",)) is view
    assert GAME.read(GAME.write(("a", "b"))) == ("a", "b")
    assert GAME.read("") == ()


def test_a_fact_is_narrated_by_its_kind_and_its_data() -> None:
    told = GAME.narrate(fact("counted", seat=0, next=1, n=2, word="one", flag=True, both=(1, 2), none=None))
    gaps = (("seat", SeatName(0)), ("next", SeatName(1)), ("n", 2), ("word", "one"))
    assert told == Msg("counted", gaps)
    assert GAME.narrate(fact("quiet")) is None
    assert GAME.narrate(fact("played", card="lion")) == msg("played", card=msg("card.lion"))


def test_facts_are_retold_without_the_end_which_the_log_has() -> None:
    facts = [fact("counted", seat=0), fact("quiet"), fact("counted_out", n=2)]
    assert GAME.retell(facts) == (msg("counted", seat=SeatName(0)),)
    assert GAME.narrate(facts[2]) == msg("counted_out", n=2)


def test_views_and_states_are_described_by_their_fields() -> None:
    state = State((2, 0), frozenset({1}))
    assert GAME.record(state) == {"counted": [2, 0], "left": [1], "over": False}
    assert GAME.describe(GAME.view(state, None)) == {"viewer": None, "state": GAME.record(state)}


def test_several_table_sizes_must_be_told_apart() -> None:
    class Sizes(Counting):
        manifest = replace(Counting.manifest, seats=(2, 3))

    with pytest.raises(TypeError, match=r"Sizes has several table sizes: it must override seats"):
        Sizes().withdraw(State(), 0, RNG)
