"""Set-up, turns, draws, passes, skips and who leaves. Rules page: *Set-up*, *Turn*, *End*, rulings."""

from __future__ import annotations

import pytest

from engines.core.contract import IllegalAction, Setup, facts_for
from engines.core.setups import complete
from engines.corto import GAME
from engines.corto.cards import CARDS, Kind
from engines.corto.state import State
from engines.corto.verbs import could_begin
from engines.corto.view import Phase, table_of
from tests.games.corto.positions import of, rng
from tests.games.corto.turns import at, given, kinds, offered, refused, say, step, view

BEGINNING = {"seats": ["red", "blue", "yellow"], "strips": ["A", "B", "C", "D"], "first": "blue"}
BOARD = {"a3": "A01 red", "b3": "B01 blue", "d3": "D01"}


def begun(seats: int = 2, seed: str = "begin", **options: str) -> State:
    return GAME.start(complete(GAME.manifest, seats, options), rng(seed)).state


# --- set-up ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "strips"), [(2, 3), (3, 4), (4, 4)])
def test_each_table_has_its_strips_starting_characters_and_decks(seats: int, strips: int) -> None:
    public = begun(seats).public
    assert len(public.strips) == strips
    assert [found.square for found in public.board] == [f"{strip.lower()}1" for strip in public.strips]
    assert all(CARDS[found.card].kind is Kind.CHARACTER for found in public.board)
    assert [len(deck) for deck in begun(seats).decks] == [19] * strips
    assert public.stock == (13,) * seats


def test_named_adventures_are_in_play_and_the_order_is_random() -> None:
    orders = {
        begun(2, f"order{n}", adventure1="F", adventure2="C", adventure4="A").public.strips for n in range(20)
    }
    assert {frozenset(order) for order in orders} == {frozenset("FCA")}
    assert len(orders) > 2


def test_an_adventure_named_twice_counts_once_and_two_seats_have_the_first_three() -> None:
    twice = begun(3, "twice", adventure1="E", adventure2="E").public.strips
    assert "E" in twice
    assert len(set(twice)) == 4
    four = begun(2, "four", adventure1="A", adventure2="B", adventure3="C", adventure4="D").public.strips
    assert set(four) == set("ABC")


@pytest.mark.parametrize(
    "setup",
    [
        Setup("volt", "1", 2, complete(GAME.manifest).options),
        Setup("corto", "3", 2, complete(GAME.manifest).options),
        Setup("corto", "1", 5, complete(GAME.manifest).options),
        Setup("corto", "1", 2, ()),
        Setup("corto", "1", 2, (*complete(GAME.manifest).options[:3], ("adventure4", "G"))),
    ],
)
def test_other_setups_are_refused(setup: Setup) -> None:
    with pytest.raises(ValueError, match=r"corto|CORTO|option"):
        GAME.start(setup, rng())


def test_markers_are_placed_clockwise_and_hands_drawn_at_any_time_after() -> None:
    state = of(BEGINNING)
    assert view(state).asked == (1,)
    assert refused(state, "start a1", seat=0) == "not_asked"
    assert refused(state, "draw A", seat=1) == "duty_start"
    assert refused(state, "start a2", seat=1) == "start_where"
    placed = say(state, "start a1", seat=1)
    assert at(placed, "a1").markers == (0, 1, 0)
    assert view(placed).asked == (1, 2)
    drawn = say(placed, "draw A A", seat=1)
    second = say(drawn, "start a1 draw A B C D", seat=2)
    assert at(second, "a1").markers == (0, 1, 1), "several may choose the same"
    assert view(second).asked == (0, 1)
    third = say(second, "start d1", seat=0)
    assert third.public.phase is Phase.TURN
    assert third.public.turn is not None
    assert third.public.turn.seat == 1
    assert view(third).asked == (0, 1), "red owes four draws, blue two and then its turn"


def test_no_seat_begins_its_first_turn_before_it_has_drawn() -> None:
    state = say(of(BEGINNING), "start a1", seat=1)
    state = say(say(state, "start a1 draw A B C D", seat=2), "start a1", seat=0)
    assert refused(state, "discard", seat=1) == "duty_hand"
    assert refused(state, "draw A A A A A", seat=1) == "draws_spent"
    assert offered(say(state, "draw A A A A", seat=1), seat=1).keys() >= {"discard"}


def test_all_draws_of_a_line_are_judged_before_the_first() -> None:
    state = say(of(BEGINNING), "start a1", seat=1)
    assert refused(state, "draw A B F", seat=1) == "no_deck"
    assert refused(state, "draw A start a1", seat=1) == "after_reveal"


# --- play or discard ------------------------------------------------------------------------------


def test_after_playing_up_to_two_cards_are_drawn() -> None:
    state = given(BOARD, "A04 A05 D05 D06")
    after = say(state, "play A04 a4 play A05 a5 play D05 d4 end")
    assert after.public.phase is Phase.DRAWS
    assert after.public.turn is not None
    assert after.public.turn.draws == 2
    one = say(after, "draw A")
    assert len(one.hands[0]) == 2
    done = say(one, "enough")
    assert done.public.turn is not None
    assert done.public.turn.seat == 1
    assert len(say(after, "draw A B").hands[0]) == 3


def test_a_hand_never_holds_more_than_four() -> None:
    after = say(given(BOARD, "A04 A05 D05 D06"), "play A04 a4 end")
    assert after.public.turn is not None
    assert after.public.turn.draws == 1


def test_an_unfinished_hand_of_draws_may_be_given_in_one_line() -> None:
    after = say(given(BOARD, "A04 A05"), "play A04 a4 end draw A enough")
    assert after.public.turn is not None
    assert after.public.turn.seat == 1
    assert len(after.hands[0]) == 2


def test_a_discard_turn_draws_back_to_four_and_must() -> None:
    state = given(BOARD, "A04 A05 D05 D06")
    after = say(state, "discard A05 D06")
    assert after.public.discards == (("A05",), (), ("D06",))
    assert after.public.phase is Phase.DRAWS
    assert refused(after, "enough") == "draw_all"
    assert refused(after, "play A04 a4") == "duty_draws"
    done = say(after, "draw A", "draw B")
    assert len(done.hands[0]) == 4
    assert done.public.turn is not None
    assert done.public.turn.seat == 1


def test_a_discard_is_written_in_the_order_of_the_cards() -> None:
    state = given(BOARD, "A04 A05 D05")
    menu = GAME.menu(view(state), GAME.read("discard D05 A04"))
    assert menu is not None
    assert menu.draft == ("discard", "A04", "D05")
    assert menu.closing


def test_a_turn_of_play_cannot_become_a_discard_nor_end_without_a_card() -> None:
    state = given(BOARD, "A04 A05")
    assert refused(state, "end") == "end_nothing"
    assert refused(say(state, "play A04 a4"), "discard A05") == "discard_played"


def test_four_cards_a_turn() -> None:
    state = given(BOARD, "A04 A05 A02 A10")
    after = say(state, "play A04 a4 play A05 a5 play A02 a2 play A10 a6")
    assert set(offered(after)) - {"left", "+a5", "-a5:red"} == {"end", "A", "B", "D"}


def test_steps_are_final_one_by_one_and_the_card_in_hand_goes_on() -> None:
    state = given(BOARD, "A04 A05")
    one = say(state, "play A04 a4")
    assert one.public.phase is Phase.TURN
    assert view(one).asked == (0,)
    assert at(say(one, "+a3"), "a3").markers == (2, 0)


# --- passes, empty decks --------------------------------------------------------------------------

EMPTY: dict[str, list[str]] = {"A": [], "B": [], "D": []}


def test_a_discard_of_nothing_without_a_draw_is_a_pass() -> None:
    state = given(BOARD, "A04 A05 D05 D06", hands={"blue": ["A06", "A07", "A08", "A10"]})
    assert kinds(state, "discard") == ["passed", "turn"]
    after = say(state, "discard")
    assert after.public.passes == 1
    over = say(after, "discard", seat=1)
    assert over.public.phase is Phase.OVER
    assert over.public.reason == "passes"


def test_any_other_turn_breaks_the_row_of_passes() -> None:
    state = given(BOARD, "A04 A05 D05 D06", hands={"blue": ["A06", "A07", "A08", "A10"]})
    after = say(say(state, "discard"), "discard A06 draw A", seat=1)
    assert after.public.passes == 0
    assert say(say(state, "discard"), "discard", seat=1).public.phase is Phase.OVER


def test_who_has_nothing_to_play_and_nothing_to_draw_is_skipped() -> None:
    state = given(BOARD, "A04 A05", hands={"blue": ["A14", "A15"]}, decks=EMPTY)
    found = step(state, "play A04 a4 end")
    assert [fact.kind for fact in facts_for(found.events, None)][-2:] == ["passed", "turn"]
    public = found.state.public
    assert public.turn is not None
    assert public.turn.seat == 0
    limited = public.limited[1]
    assert limited is not None
    assert {"A14", "A15"} <= set(limited)
    assert not any(could_begin(table_of(view(state, 1)), card) for card in limited)


def test_nobody_is_skipped_while_a_deck_has_cards() -> None:
    state = given(BOARD, "A04", hands={"blue": ["A14"]}, decks={**EMPTY, "B": ["B05"]})
    after = say(state, "play A04 a4 end enough")
    assert after.public.turn is not None
    assert after.public.turn.seat == 1


def test_skips_all_round_end_the_match() -> None:
    state = given(BOARD, "A04 A14", hands={"blue": ["A15"]}, decks=EMPTY)
    over = say(state, "play A04 a4 end")
    assert over.public.reason == "passes"
    assert over.public.phase is Phase.OVER


def test_draws_stop_when_the_decks_are_empty() -> None:
    state = given(BOARD, "A04 A05", decks={**EMPTY, "A": ["A06"]}, hands={"blue": ["A10"]})
    assert refused(state, "play A04 a4 end draw A A") == "draws_spent"
    assert refused(state, "play A04 a4 end draw B") == "deck_empty"
    after = say(state, "play A04 a4 end draw A")
    assert after.hands[0] == ("A05", "A06")
    assert after.public.turn is not None
    assert after.public.turn.seat == 1


# --- who leaves -----------------------------------------------------------------------------------


def test_of_two_the_other_wins() -> None:
    after = GAME.withdraw(given(BOARD, "A04"), 0, rng()).state
    assert after.public.ranks == ((1,), (0,))
    assert after.public.reason == "withdrawn"


def test_of_three_the_hand_goes_under_its_decks_and_the_turn_passes_on() -> None:
    state = given(BOARD, "A04 D05 A05", seats="red blue green")
    found = GAME.withdraw(state, 0, rng())
    after = found.state
    assert after.hands[0] == ()
    assert after.decks[0][-2:] == ("A04", "A05")
    assert after.decks[2][-1] == "D05"
    assert at(after, "a3").markers == (1, 0, 0)
    assert after.public.turn is not None
    assert after.public.turn.seat == 1
    assert {card.card for card in view(after, 0).known_under} == {"A04", "A05", "D05"}
    assert not any(card.card for card in view(after, 1).known_under)
    assert all("A04" not in str(event.fact.data) for event in found.events)
    with pytest.raises(IllegalAction):
        GAME.withdraw(after, 0, rng())


def test_turns_of_who_has_left_are_left_out_and_are_no_passes() -> None:
    full = ["A06", "A07", "A08", "A10"]
    state = given(BOARD, "A04 A05 A02 A03", seats="red blue green", hands={"blue": full, "green": ["B05"]})
    after = GAME.withdraw(state, 1, rng()).state
    passed = say(after, "discard")
    assert passed.public.turn is not None
    assert passed.public.turn.seat == 2
    assert passed.public.passes == 1


def three_full_hands() -> State:
    hands = {"blue": ["A06", "A07", "A08", "A10"], "green": ["B05", "B06", "B07", "B08"]}
    return given(BOARD, "A04 A05 A02 A03", seats="red blue green", hands=hands)


def test_a_pass_of_who_leaves_does_not_count_for_the_others() -> None:
    one = GAME.withdraw(say(three_full_hands(), "discard"), 0, rng()).state
    assert one.public.passes == 0
    both = say(one, "discard", seat=1)
    assert (both.public.phase, both.public.passes) == (Phase.TURN, 1), "green has not passed"
    assert say(both, "discard", seat=2).public.reason == "passes"
    two = say(say(three_full_hands(), "discard"), "discard", seat=1)
    later = GAME.withdraw(two, 1, rng()).state
    assert (later.public.phase, later.public.passes) == (Phase.TURN, 1), "green is still to move"
    assert GAME.withdraw(two, 2, rng()).state.public.reason == "passes", "all who stay have passed"


def test_who_leaves_in_the_set_up_is_not_waited_for() -> None:
    state = of(BEGINNING)
    gone = GAME.withdraw(state, 1, rng()).state
    assert gone.public.place == 2
    placed = say(say(gone, "start a1 draw A A A A", seat=2), "start a1 draw A A A A", seat=0)
    assert placed.public.turn is not None
    assert placed.public.turn.seat == 2


def test_an_agreed_draw_is_shared_by_all_and_shows_all() -> None:
    over = GAME.agree(given(BOARD, "A04"), rng()).state
    assert over.public.ranks == ((0, 1),)
    assert all(card.card is not None for player in view(over).players for card in player.hand)


# --- deadlines ------------------------------------------------------------------------------------


def test_time_out_in_the_set_up_takes_the_topmost_and_draws() -> None:
    state = of(BEGINNING)
    words = GAME.lapse(view(state, 1), rng())
    assert words == ("start", "a1", "draw", "A", "B", "C", "D")
    assert GAME.lapse(view(state, 0), rng()) is None


def test_time_out_in_a_turn_plays_no_card() -> None:
    state = given(BOARD, "A04 A05 D05", decks={"A": ["A06"], "B": ["B05", "B06"], "D": ["D06", "D07"]})
    assert GAME.lapse(view(state), rng()) == ("discard", "draw", "B")
    begun_turn = say(state, "play A04 a4")
    assert GAME.lapse(view(begun_turn), rng()) == ("end", "draw", "B", "D")
    assert GAME.lapse(view(say(begun_turn, "end draw B")), rng()) == ("draw", "D")
