"""Gifts left in advance. Rules page, *Gifts in advance*."""

from __future__ import annotations

from engines.doge.components import Card
from engines.doge.view import GiftAhead
from tests.games.doge.support import (
    asides,
    asked,
    at,
    facts,
    offered,
    pair,
    piles,
    play,
    prompt,
    public,
    refusal,
    start,
    story,
    view,
)

FAVRO = {"yellow": "comune favro 7"}


def test_a_gift_is_a_pair_and_a_square() -> None:
    match = play(at("1357"), "yellow ahead comune favro 7")
    assert view(match, "yellow").ahead == GiftAhead(pair("comune favro"), 7)
    assert match.state.ahead == (None, view(match, "yellow").ahead, None, None)


def test_it_may_be_left_before_the_first_roll_and_while_others_owe_cards() -> None:
    match = play(start(2), "blue place 0")
    own = view(match, "yellow")
    assert own.own is not None
    false = next(card for card in own.false_hand if card in public(match).crafts)
    play(match, f"yellow ahead {own.own.institution} {false} 7")
    play(at("2455", die=2), "blue cw", "red ahead biennale favro 7")


def test_at_the_next_meeting_it_is_shown_without_a_question() -> None:
    match = play(at("2455", die=2, ahead=FAVRO), "blue cw")
    assert asked(match) == "roll yellow"
    assert [fact.kind for fact in facts(match, None)] == ["moved", "met", "laid"]
    assert story(match, "blue")[2] == "Yellow shows Comune and Favro: one true, one false."
    assert "Blue sees Comune and Favro, but Favro is false." in story(match, "yellow")
    assert piles(match) == {7: "yellow"}


def test_it_is_shown_to_whoever_chooses_that_meeting() -> None:
    match = play(at("2333", die=1, ahead=FAVRO), "blue cw")
    assert asked(match) == "choose blue"
    match = play(match, "blue meet yellow")
    assert (asked(match), piles(match)) == ("roll yellow", {7: "yellow"})


def test_the_ghost_takes_its_false_card_and_its_square() -> None:
    match = play(at("1477", die=1, ghosts="comune", ahead=FAVRO), "blue cw")
    assert asked(match) == "roll yellow"
    assert piles(match) == {7: "yellow"}
    assert view(match, "blue").shown == (), "the true card is not shown"
    assert dict(view(match, "blue").faces) == {0: Card.FAVRO}
    match = play(at("1448", die=1, ghosts="comune", ahead=FAVRO), "blue cw", "blue haunt yellow")
    assert piles(match) == {7: "yellow"}


def test_it_is_used_once() -> None:
    match = play(at("2455", die=2, ahead=FAVRO), "blue cw")
    assert match.state.ahead == (None,) * 4
    assert view(match, "yellow").ahead is None
    match = play(match, "yellow roll 1", "yellow cw", "yellow meet red", "red show biennale favro 9")
    match = play(match, "red roll 4", "red ccw", "green roll 1", "green ccw")
    assert asked(match) == "show blue", "who has left nothing is asked"


def test_a_meeting_of_ones_own_uses_no_gift_of_ones_own() -> None:
    match = play(at("2455", die=2, ahead={"blue": "sovrintendenza ascia 3"}), "blue cw")
    assert asked(match) == "show yellow"
    assert match.state.ahead[0] is not None


def test_it_may_be_changed_and_taken_back() -> None:
    match = play(at("1357", ahead=FAVRO), "yellow ahead biennale remer 9")
    assert view(match, "yellow").ahead == GiftAhead(pair("biennale remer"), 9)
    assert offered(match, "yellow", "ahead").endswith(" -")
    match = play(match, "yellow ahead -")
    assert match.state.ahead == (None,) * 4
    assert refusal(match, "yellow ahead -") == "nothing_ahead"
    assert "-" not in offered(match, "yellow", "ahead").split()


def test_it_is_dropped_when_its_false_card_is_given_another_way() -> None:
    # It is left while cards are owed: the one who owes them is asked nevertheless.
    owed = play(at("2455", die=2), "blue cw", "yellow ahead comune favro 7")
    assert asked(owed) == "show yellow"
    assert play(owed, "yellow show comune favro 3").state.ahead[1] is None
    assert play(owed, "yellow show comune ascia 3").state.ahead[1] is not None
    haunted = play(at("1477", die=1, ghosts="comune"), "blue cw", "yellow ahead comune favro 7")
    assert play(haunted, "yellow give favro 3").state.ahead[1] is None
    assert play(haunted, "yellow give ascia 3").state.ahead[1] is not None


def test_it_goes_with_who_is_out() -> None:
    assert play(at("1357", ahead=FAVRO), "yellow guess peril favro").state.ahead[1] is None
    assert play(at("1357", ahead=FAVRO), "yellow resigns").state.ahead[1] is None


def test_the_table_may_play_without() -> None:
    match = at("1357", gifts="asked")
    assert asides(match, "yellow") == "guess mark auto"
    assert asides(at("1357"), "yellow") == "guess ahead mark auto"
    for words in ("ahead comune favro 7", "ahead -", "ahead"):
        assert refusal(match, f"yellow {words}") == "no_gifts_ahead"


def test_only_what_may_be_shown_may_be_left() -> None:
    match = at("1357", told=["yellow shows green ascia 3"])
    assert refusal(match, "yellow ahead comune remer 7") == "both_true"
    assert refusal(match, "yellow ahead biennale favro 7") == "both_false"
    assert refusal(match, "yellow ahead comune ascia 7") == "given_away"
    assert refusal(match, "yellow ahead comune favro 6") == "no_card_square"
    assert refusal(match, "yellow ahead") == "unfinished.ahead"


def test_who_has_no_false_card_left_has_nothing_to_leave() -> None:
    match = at("1357", left={"yellow": ""})
    assert "ahead" not in asides(match, "yellow")
    assert refusal(match, "yellow ahead comune favro 7") == "no_false_card"


def test_the_question_says_what_will_happen() -> None:
    match = at("1357")
    assert prompt(match, "yellow", "ahead").startswith("What will you show at your next meeting")
    assert prompt(match, "yellow", "ahead", "favro", "7") == (
        "At your next meeting, you show Comune and Favro. The ghost would take only the false card, "
        "which goes to square 7."
    )
    match = play(match, "yellow ahead favro 7")
    assert (
        prompt(match, "yellow", "ahead", "-")
        == "You take back your gift. You’ll choose one when you’re asked."
    )
