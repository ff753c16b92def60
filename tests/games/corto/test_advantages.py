"""The seven advantages. Rules page: *Decks*, Advantages."""

from __future__ import annotations

from typing import Any

from engines.core.contract import facts_for
from engines.corto import GAME
from engines.corto.state import State
from tests.games.corto.positions import rng
from tests.games.corto.turns import at, empty, given, offered, refused, say, step, view

BOARD = {"a3": "A01 red", "a4": "A02 blue", "b4": "B05", "d3": "D05 blue red red"}


def test_swap_exchanges_any_two_with_their_markers() -> None:
    state = given(BOARD, "A16", figurines={"corto": "a3"})
    after = say(state, "adv A16 a3 d3")
    assert (at(after, "a3").card, at(after, "a3").markers) == ("D05", (2, 1))
    assert at(after, "d3").card == "A01"
    assert after.public.corto == "a3"
    assert refused(state, "adv A16 a3 a3") == "swap_same"
    assert refused(state, "adv A16 a3 b1") == "nobody"
    assert refused(given({"a3": "A01"}, "A16"), "adv A16 a3 a4") == "need_swap"


def test_transfer_moves_one_or_two_markers() -> None:
    state = given(BOARD, "B16")
    assert refused(state, "adv B16 end") == "half"
    after = say(state, "adv B16 move d3>b4")
    assert (at(after, "d3").markers, at(after, "b4").markers) == ((1, 1), (1, 0))
    both = say(state, "adv B16 move d3>b4 move b4>a4")
    assert at(both, "a4").markers == (1, 1)
    assert refused(both, "move a4>b4") == "no_moves"
    assert refused(state, "adv B16 move a4>b4") == "marker_from"
    assert refused(state, "adv B16 move a3>a3") == "move_to"
    assert offered(state, "adv B16 a3").keys() == {"a4", "b4", "d3"}
    assert refused(given({"a3": "A01 blue", "a4": "A02"}, "B16"), "adv B16 move a3>a4") == "need_transfer"


def test_refill_draws_up_to_four_but_never_above_a_full_hand() -> None:
    state = given(BOARD, "B17 A04 A05 D06")
    after = say(state, "adv B17 play A04 a2 play A05 a1 end")
    assert after.public.turn is not None
    assert after.public.turn.draws == 3
    full = say(state, "adv B17 end draw A")
    assert full.public.turn is not None
    assert full.public.turn.seat == 1, "one card was missing"


def test_drop_in_ignores_adjacency_for_the_next_character_only() -> None:
    state = given({"a3": "A01 red", "c4": "C01"}, "C17 A04 A05", strips="ACB")
    assert "a7" not in offered(state, "A04")
    words = {word for word in offered(state, "adv C17 A04") if len(word) == 2}
    assert words == {f"a{column}" for column in (1, 2, 4, 5, 6, 7)}
    assert refused(state, "adv C17 play A04 c2") == "colour"
    assert refused(state, "adv C17 play A04 a7 play A05 a1") == "not_adjacent"


def test_drop_in_lapses_at_the_end_of_the_turn() -> None:
    state = given({"a3": "A01 red", "c4": "C01"}, "C17 A04", strips="ACB", hands={"blue": ["A06"]})
    after = say(say(state, "adv C17 end enough"), "discard", "draw A B A", seat=1)
    assert refused(after, "play A04 a7") == "not_adjacent"


def kept(**value: Any) -> dict[str, Any]:
    return {"kept": {"blue": ["C18"]}, "strips": "ACD", **value}


SAFE = {"a3": "A01 blue", "a4": "A02 red blue", "c3": "C01 blue blue", "d1": "D01"}


def test_safe_conduct_stays_in_front_and_takes_the_next_hit_by_itself() -> None:
    own = say(given(SAFE, "C18", strips="ACD"), "adv C18")
    assert own.public.kept[0] == ("C18",)
    state = given(SAFE, "A06 A14", **kept())
    after = say(state, "play A06 a2 -a3:blue")
    assert at(after, "a3").markers == (0, 1), "the hit is spent"
    assert after.public.kept[1] == ()
    assert after.public.discards[1] == ("C18",)
    assert at(say(after, "use A14 -a3:blue"), "a3").markers == (0, 0), "and the next one is not"


def test_safe_conduct_guards_whose_character_it_is_whoevers_marker_it_would_be() -> None:
    board = {"a3": "A01 blue blue red", "d1": "D01"}
    state = given(board, "A05 A14", **kept())
    after = say(state, "play A05 a2 use A14 -a3:red")
    assert at(after, "a3").markers == (1, 2)
    assert after.public.kept[1] == ()


def test_safe_conduct_stops_an_elimination() -> None:
    after = say(given(SAFE, "A19", **kept()), "rasputin A19 a2 kill a3")
    assert not empty(after, "a3")
    assert after.public.seal[0] == ()
    assert after.public.kept[1] == ()


def test_safe_conduct_does_not_mind_what_is_not_controlled_or_is_no_hit() -> None:
    even = say(given(SAFE, "A06", **kept()), "play A06 a5 -a4:blue")
    assert at(even, "a4").markers == (1, 0), "nobody controls it"
    assert even.public.kept[1] == ("C18",)
    bribed = say(given(SAFE, "D18", **kept()), "adv D18 a3:blue")
    assert at(bribed, "a3").markers == (0, 0)
    assert bribed.public.kept[1] == ("C18",)
    swapped = say(given(SAFE, "A16", **kept()), "adv A16 a3 c3")
    assert swapped.public.kept[1] == ("C18",)


def test_safe_conduct_is_no_shield_against_oneself() -> None:
    state = given({"a3": "A01 red", "d1": "D01"}, "A05 A14", strips="ACD", kept={"red": ["C18"]})
    after = say(state, "play A05 a2 use A14 -a3:red")
    assert at(after, "a3").markers == (0, 0)
    assert after.public.kept[0] == ("C18",)


def test_bribe_sends_one_opposing_marker_home_from_anywhere() -> None:
    state = given(BOARD, "D18")
    after = say(state, "adv D18 d3:blue")
    assert at(after, "d3").markers == (2, 0)
    assert after.public.stock[1] == state.public.stock[1] + 1
    assert refused(state, "adv D18 d3:red") == "bribe_none"
    assert refused(state, "adv D18 a3:blue") == "bribe_none"
    assert refused(given({"a3": "A01 red"}, "D18"), "adv D18 a3:blue") == "need_bribe"


# --- pickpocket -----------------------------------------------------------------------------------


def pick(hands: dict[str, list[str]], **value: Any) -> State:
    return given(
        {"a3": "A01 red", "e3": "E01"}, "E17 A04", seats="red blue green", strips="AEBD", hands=hands, **value
    )


def test_pickpocket_takes_a_random_card_and_its_owner_draws_from_its_deck() -> None:
    state = pick({"blue": ["A05", "D06"], "green": ["B05"]}, decks={"A": ["A06", "A07"], "D": ["D05", "D07"]})
    assert offered(state, "adv E17") == {"blue": True, "green": True}
    found = step(state, "adv E17 blue")
    after = found.state
    taken = next(card for card in after.hands[0] if card not in ("A04", "E17"))
    assert taken in ("A05", "D06")
    top = {"A05": "A06", "D06": "D05"}[taken]
    assert set(after.hands[1]) == {"A05", "D06", top} - {taken}
    assert after.public.discards[1][-1] == "E17"


def test_only_the_two_see_what_was_taken_and_only_the_drawer_what_was_drawn() -> None:
    state = pick({"blue": ["A05"], "green": ["B05"]}, decks={"A": ["A06", "A07"]})
    found = step(state, "adv E17 blue")
    told = {
        viewer: [
            fact.get("card") for fact in facts_for(found.events, viewer) if fact.kind in ("picked", "drew")
        ]
        for viewer in (0, 1, 2, None)
    }
    assert told == {0: ["A05", None], 1: ["A05", "A06"], 2: [None, None], None: [None, None]}
    faces = {viewer: {card.card for card in view(found.state, viewer).players[0].hand} for viewer in (1, 2)}
    assert faces == {1: {"A05", None}, 2: {None}}


def test_a_known_card_is_lost_sight_of_when_a_like_back_is_taken() -> None:
    """Green has seen blue take its A05; red then steals one of blue's two cards of that deck."""
    state = given(
        {"a3": "A01 red", "e3": "E01"},
        "E17",
        seats="red blue green",
        strips="AEBD",
        hands={"blue": ["A05", "A06"], "green": ["B05"]},
    )
    knowing = type(state)(
        state.public, state.decks, state.hands, state.faces, ((), (), ("A05",)), state.under
    )
    assert say(knowing, "adv E17 blue").seen[2] == ()
    alone = given(
        {"a3": "A01 red", "e3": "E01"},
        "E17",
        seats="red blue green",
        strips="AEBD",
        hands={"blue": ["A05"], "green": ["B05"]},
    )
    knowing = type(alone)(
        alone.public, alone.decks, alone.hands, alone.faces, ((), (), ("A05",)), alone.under
    )
    after = say(knowing, "adv E17 blue")
    assert after.seen[2] == ("A05",), "blue's only card of that deck: green sees where it goes"
    assert "A05" in {card.card for card in view(after, 2).players[0].hand}


def test_pickpocket_draws_from_the_fullest_deck_where_its_own_is_empty() -> None:
    state = pick({"blue": ["A05"], "green": ["B05"]}, decks={"A": [], "D": ["D05"], "B": ["B06"], "E": []})
    after = say(state, "adv E17 blue")
    assert after.hands[1] == ("B06",), "of equals the topmost"
    none = pick({"blue": ["A05"], "green": ["B05"]}, decks={"A": [], "D": [], "B": [], "E": []})
    assert say(none, "adv E17 blue").hands[1] == ()


def test_pickpocket_needs_an_opponent_with_a_card() -> None:
    assert refused(pick({"blue": [], "green": []}), "adv E17 blue") == "need_pickpocket"
    assert refused(pick({"blue": [], "green": ["B05"]}), "adv E17 blue") == "pick_whom"


def test_four_cards_a_turn_whatever_is_picked() -> None:
    state = given({"a3": "A01 red", "e3": "E01"}, "E17 A04 A05 A02", strips="AEB", hands={"blue": ["A06"]})
    after = say(state, "adv E17 blue", "play A04 a2 play A05 a1 play A02 a4")
    assert refused(after, "play A06 a5") == "four_cards"
    assert set(offered(after)) & {"A06"} == set()


def test_a_safe_conduct_in_front_of_who_has_left_still_guards() -> None:
    board = {"a3": "A01 blue", "d1": "D01"}
    state = given(board, "A06", seats="red blue green", strips="ACDB", kept={"blue": ["C18"]})
    gone = GAME.withdraw(state, 1, rng()).state
    after = say(gone, "play A06 a4 -a3:blue")
    assert at(after, "a3").markers == (0, 1, 0)
    assert after.public.kept[1] == ()
