"""Rolling, going either way, meetings and looks. Rules page, *Turn*."""

from __future__ import annotations

import pytest

from engines.doge.components import Card
from tests.games.doge.support import (
    EVERYBODY,
    asked,
    at,
    english,
    hands,
    marks,
    offered,
    piles,
    play,
    prompt,
    public,
    refusal,
    section,
    story,
    view,
)

# --- roll and move --------------------------------------------------------------------------------


def test_a_turn_begins_with_the_die() -> None:
    match = at("1357")
    assert offered(match, "blue") == "roll"
    assert refusal(match, "blue cw") == "not_now"
    assert refusal(match, "yellow roll") == "not_asked"
    match = play(match, "blue roll 3")
    assert offered(match, "blue") == "cw ccw"
    assert refusal(match, "blue roll") == "not_now"


@pytest.mark.parametrize(
    ("die", "way", "square"), [(1, "cw", 4), (4, "cw", 7), (1, "ccw", 2), (3, "ccw", 0), (4, "ccw", 9)]
)
def test_the_pawn_goes_exactly_so_far_either_way_round(die: int, way: str, square: int) -> None:
    match = play(at("3555", die=die), f"blue {way}")
    assert public(match).pawns[0] == square
    moved = public(match).last_move
    assert moved is not None
    assert (moved.origin, moved.target, moved.way, moved.steps) == (3, square, way, die)


def test_the_ring_closes_behind_the_ninth_square() -> None:
    assert public(play(at("8555", die=3), "blue cw")).pawns[0] == 1


def test_passing_over_pawns_and_piles_does_nothing() -> None:
    # On the way from 1 to 5 there are a pawn, a pile and an empty main location.
    match = play(at("1388", die=4, told=["red shows green comune 3"]), "blue cw")
    assert asked(match) == "roll yellow"
    assert piles(match) == {3: "red"}
    assert public(match).drawn == ()


def test_an_empty_card_square_ends_the_turn() -> None:
    match = play(at("3555", die=4), "blue cw")
    assert asked(match) == "roll yellow"
    assert story(match) == ["Blue goes clockwise to square 7."]


def test_turns_go_clockwise_by_seat_and_skip_who_is_out() -> None:
    assert asked(play(at("1357", turn="green", die=2), "green cw")) == "roll blue"
    assert asked(play(at("1-77", die=2), "blue cw")) == "roll red"
    assert asked(play(at("1--7", die=2), "blue cw")) == "roll green"


def test_who_is_alone_goes_on_alone() -> None:
    assert asked(play(at("1---", die=2), "blue cw")) == "roll blue"


def test_any_number_of_pawns_may_share_a_square() -> None:
    match = play(at("2333", die=1), "blue cw", "blue meet red", "red show biennale favro 7")
    assert public(match).pawns == (3, 3, 3, 3)


# --- meetings -------------------------------------------------------------------------------------


def test_a_lone_pawn_is_met_without_a_question() -> None:
    match = play(at("2455", die=2), "blue cw")
    assert asked(match) == "show yellow"
    assert story(match) == ["Blue goes clockwise to Comune.", "Blue meets Yellow."]
    assert public(match).drawn == (), "the Comune is not empty"
    assert prompt(match, "yellow").startswith("Blue meets you. Show an institution and a craft")


def test_of_several_pawns_one_is_chosen() -> None:
    match = play(at("2333", die=1), "blue cw")
    assert (asked(match), offered(match, "blue")) == ("choose blue", "yellow red green")
    assert prompt(match, "blue") == "Who do you meet?"
    assert refusal(match, "blue meet blue") == "meet_whom"
    assert refusal(match, "blue leave") == "not_now", "a meeting is compulsory"
    at_a_pile = play(at("3557", die=2, told=PILED), "blue cw")
    assert prompt(at_a_pile, "blue") == "Meet a player, or look at the top card of the pile?"
    assert asked(play(match, "blue meet red")) == "show red"
    assert asked(play(match, "blue red")) == "show red", "the colour says it"


def test_a_meeting_shows_one_true_and_one_false_card_to_one_player() -> None:
    match = play(at("2455", die=2), "blue cw", "yellow show comune favro 7")
    assert story(match, "blue") == [
        "Yellow shows Comune and Favro: one true, one false.",
        "Yellow puts a false card on square 7.",
    ]
    assert story(match, "yellow")[0] == "Blue sees Comune and Favro, but Favro is false."
    assert story(match, "red") == story(match) == ["Yellow puts a false card on square 7."]
    assert asked(match) == "roll yellow", "the turn ends by itself"


def test_the_true_card_goes_back_and_the_false_one_to_the_bottom_of_a_pile() -> None:
    before = at("2455", die=2, told=["red shows green comune 7", "green gives red remer 7"])
    match = play(before, "blue cw", "yellow show sovrintendenza remer 7")
    assert piles(match) == {7: "red green yellow"}
    assert hands(match) == [8, 7, 7, 7]
    hand = view(match, "yellow").hand
    assert Card.REMER in hand, "true: back in the hand"
    assert Card.SOVRINTENDENZA not in hand
    assert len(hand) == 9


def test_either_of_the_two_cards_may_be_the_true_one() -> None:
    met = play(at("2455", die=2), "blue cw")
    for cards, false in (("comune favro", Card.FAVRO), ("biennale remer", Card.BIENNALE)):
        match = play(met, f"yellow show {cards} 3")
        assert dict(view(match, "yellow").faces)[0] is false
        assert dict(view(match, "blue").shown)[0].cards == tuple(map(Card, cards.split()))
        assert view(match, "blue").faces == (), "it is not told which is which"


def test_every_card_square_and_no_other_may_be_chosen() -> None:
    met = play(at("2455", die=2), "blue cw")
    for square in range(10):
        line = f"yellow show comune favro {square}"
        if square % 2:
            assert piles(play(met, line)) == {square: "yellow"}
        else:
            assert refusal(met, line) == "no_card_square"


def test_any_false_card_goes_with_the_true_one_of_the_other_kind() -> None:
    met = play(at("2455", die=2), "blue cw")
    assert offered(met, "yellow") == (
        "comune remer ascia favro corder impiraressa peril marina sovrintendenza biennale"
    )
    assert offered(met, "yellow", "show", "comune") == "comune remer ascia favro corder impiraressa"
    assert offered(met, "yellow", "show", "remer") == "comune remer peril marina sovrintendenza biennale"


def test_the_last_false_card_decides_the_true_one() -> None:
    met = play(at("2455", die=2, left={"yellow": "ascia"}), "blue cw")
    assert offered(met, "yellow") == "comune ascia"
    assert refusal(met, "yellow show biennale remer 7") == "given_away"
    match = play(met, "yellow show comune ascia 7")
    assert hands(match)[1] == 0
    assert [card.value for card in view(match, "yellow").hand] == ["remer", "comune"]


def test_a_false_card_and_a_square_are_enough_and_the_square_is_proposed() -> None:
    # Of the squares with the lowest pile, the next one clockwise of the giver's pawn.
    met = play(at("2455", die=2, told=["red shows green comune 5"]), "blue cw")
    assert (
        prompt(met, "yellow", "favro")
        == "You show Comune and Favro to Blue. The false card goes to square 7."
    )
    assert piles(play(met, "yellow favro")) == {5: "red", 7: "yellow"}
    assert piles(play(met, "yellow 9 favro")) == {5: "red", 9: "yellow"}


def test_what_is_chosen_is_marked_and_may_be_changed() -> None:
    met = play(at("2455", die=2), "blue cw")
    for draft, chosen in (
        ((), ["", ""]),
        (("comune",), ["comune", ""]),
        (("favro",), ["comune", "favro", "5"]),
        (("favro", "7", "corder"), ["comune", "corder", "7"]),
        (("favro", "7", "peril"), ["remer", "peril", "7"]),
        (("show", "comune", "favro", "7", "remer"), ["remer", ""]),
    ):
        menu = met.menu(1, draft)
        assert menu is not None
        assert [part.chosen for part in menu.fields if part.key != "aside"] == chosen


def test_who_has_no_false_card_left_cannot_be_met() -> None:
    match = play(at("2433", die=1, left={"red": ""}), "blue cw")
    assert asked(match) == "show green", "green alone is left"
    match = play(at("2355", die=1, left={"yellow": ""}), "blue cw")
    assert asked(match) == "roll yellow", "there is nothing to do"
    match = play(at("2333", die=1, left={"red": ""}), "blue cw")
    assert offered(match, "blue") == "yellow green"
    assert refusal(match, "blue meet red") == "meet_whom"


def test_who_owes_no_cards_cannot_show_any() -> None:
    met = play(at("2455", die=2), "blue cw")
    assert refusal(met, "red show biennale favro 7") == "not_asked"
    assert refusal(met, "blue show sovrintendenza ascia 7") == "not_asked"
    assert refusal(met, "yellow give favro 7") == "not_now"
    assert refusal(met, "yellow roll") == "not_now"


# --- piles ----------------------------------------------------------------------------------------

PILED = ("red shows green comune 5", "green gives red remer 5")


def test_a_pile_may_be_looked_at_or_left() -> None:
    match = play(at("3777", die=2, told=PILED), "blue cw")
    assert (asked(match), offered(match, "blue")) == ("choose blue", "look leave")
    assert prompt(match, "blue").startswith("Look at the top card of the pile")
    left = play(match, "blue leave")
    assert (piles(left), asked(left)) == ({5: "red green"}, "roll yellow")
    assert story(left) == ["Blue leaves the pile alone."]


def test_the_top_card_is_seen_by_one_player_and_discarded() -> None:
    match = play(at("3777", die=2, told=PILED), "blue cw", "blue look")
    assert piles(match) == {5: "green"}
    assert story(match) == ["Blue looks at a card from Red on square 5, then discards it."]
    assert story(match, "blue")[1] == "It’s Comune, so Red isn’t Comune."
    assert [(found.gift, found.looker, found.square) for found in public(match).discards] == [(0, 0, 5)]
    knows = {seat: 0 in dict(match.view(seat).faces) for seat in EVERYBODY[1:]}
    # Green was shown it in a meeting, and knows the pair alone.
    assert knows == {0: True, 1: False, 2: True, 3: False}
    assert marks(match, "blue")["comune"] == ". 0 ."
    assert asked(match) == "roll yellow"


def test_a_look_is_one_act_with_the_discarding() -> None:
    match = play(at("3777", die=2, told=PILED), "blue cw", "blue look")
    assert refusal(match, "blue leave") == "not_asked"
    assert len(public(match).discards) == 1


def test_one_may_look_at_a_card_of_ones_own_colour() -> None:
    match = play(at("3777", die=2, told=["blue shows red ascia 5"]), "blue cw", "blue look")
    assert story(match, "blue")[1] == "It’s Maestro d’ascia, so Blue isn’t Maestro d’ascia."
    assert not any(section(match, "blue", other).clues for other in ("yellow", "red", "green"))
    assert piles(match) == {}


def test_with_a_meeting_and_a_pile_one_of_the_two_must_be_done() -> None:
    match = play(at("3575", die=2, told=PILED), "blue cw")
    assert offered(match, "blue") == "yellow green look"
    assert refusal(match, "blue leave") == "not_now"
    assert asked(play(match, "blue meet green")) == "show green"
    looked = play(match, "blue look")
    assert (asked(looked), piles(looked)) == ("roll yellow", {5: "green"})


def test_a_pile_beside_pawns_that_cannot_be_met_may_be_left() -> None:
    match = play(at("3577", die=2, told=PILED, left={"yellow": ""}), "blue cw")
    assert offered(match, "blue") == "look leave"


def test_one_meeting_and_a_pile_is_still_a_choice() -> None:
    match = play(at("3577", die=2, told=PILED), "blue cw")
    assert offered(match, "blue") == "yellow look"


# --- what is said before it is done -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("pawns", "text"),
    [
        ("1577", "↻ square 5 · meet Yellow"),
        ("1557", "↻ square 5 · meet one of these: Yellow and Red"),
        ("3517", "↻ square 5 · meet Yellow, or see the pile"),
        ("3177", "↻ square 5 · pile of 2 cards"),
        ("0777", "↻ Biennale · the ghost: 10 cards left"),
        ("7333", "↻ square 9 · nothing there"),
    ],
)
def test_both_ways_say_what_awaits_there(pawns: str, text: str) -> None:
    match = at(pawns, die=4 if pawns[0] == "1" else 2, told=PILED if pawns[0] == "3" else ())
    menu = match.menu(0)
    assert menu is not None
    choice = menu.find("cw")
    assert choice is not None
    assert english(choice.label) == text


@pytest.mark.parametrize(
    ("pawns", "reveals"),
    [
        ("0777", True),  # a ghost card is turned up
        ("1577", True),  # the gift may have been left in advance
        ("1557", False),  # whom to meet is asked first
        ("3517", False),  # a meeting or the pile
        ("3177", False),
        ("7333", False),
    ],
)
def test_a_way_reveals_what_comes_without_a_question(pawns: str, reveals: bool) -> None:
    match = at(pawns, die=4 if pawns[0] == "1" else 2, told=PILED if pawns[0] == "3" else ())
    menu = match.menu(0)
    assert menu is not None
    choice = menu.find("cw")
    assert choice is not None
    assert choice.reveals is reveals
    after = match.menu(0, ("cw",))
    assert after is not None
    assert after.reveals is reveals


def test_what_shows_something_hidden_reveals() -> None:
    pile = play(at("3577", die=2, told=PILED), "blue cw").menu(0)
    assert pile is not None
    assert {choice.word: choice.reveals for choice in pile.choices() if not choice.aside} == {
        "yellow": True,
        "look": True,
    }
    left = play(at("3777", die=2, told=PILED), "blue cw").menu(0)
    assert left is not None
    assert {choice.word: choice.reveals for choice in left.choices() if not choice.aside} == {
        "look": True,
        "leave": False,
    }
