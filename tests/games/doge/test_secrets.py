"""What reaches whom. Rules page, *What is secret*; asides that nobody else can notice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from engines.core.contract import ActionError, Viewer, Words
from engines.core.match import Match
from engines.core.rng import Rng
from engines.doge import GAME
from engines.doge.components import Card
from tests.games.doge.support import (
    BLUE,
    DEAL,
    EVERYBODY,
    GREEN,
    RED,
    SPENT,
    TREASURE,
    YELLOW,
    at,
    facts,
    pair,
    piles,
    play,
    prompt,
    public,
    seat_of,
    start,
    story,
    twins,
    view,
)
from tests.games.doge.test_conservation import at_random
from tests.kit.samples import some

DRAFTS: tuple[Words, ...] = (
    (),
    ("guess",),
    ("guess", "marina", "corder"),
    ("mark", "blue", "remer"),
    ("mark", "red", "corder"),
    ("ahead",),
    ("auto",),
    ("show", "comune"),
    ("cw",),
)


def asking(match: Match, viewer: Viewer, draft: Words) -> Any:
    """Return the menu after a draft, or why there is none."""
    seen = match.view(viewer)
    try:
        menu = GAME.menu(seen, draft)
    except ActionError as error:
        return error.msg
    return menu, GAME.preview(seen, draft)


def seen(match: Match, viewer: Viewer) -> tuple[Any, ...]:
    """Return all that a viewer has of a match: its view, facts, who is waited for, menus, refusals."""
    own = match.view(viewer)
    menus = [] if viewer is None else [asking(match, viewer, draft) for draft in DRAFTS]
    return own, GAME.describe(own), facts(match, viewer), GAME.waiting(own), menus, GAME.outcome(own)


def all_alike(matches: list[Match], viewers: tuple[Viewer, ...]) -> None:
    first, *others = matches
    for viewer in viewers:
        expected = seen(first, viewer)
        assert all(seen(other, viewer) == expected for other in others), viewer


# --- what was shown ---------------------------------------------------------------------------------


def choices(giver: str, verb: str) -> list[str]:
    """Return all cards that yellow can show or give."""
    crafts = [card for card in Card if card.value in "ascia favro corder impiraressa"]
    institutions = [card for card in Card if card.value in "peril marina sovrintendenza biennale"]
    if verb == "give":
        return [f"{giver} give {card} 7" for card in (*crafts, *institutions)]
    pairs = [*(("comune", card) for card in crafts), *((card, "remer") for card in institutions)]
    return [f"{giver} {verb} {one} {other} 7" for one, other in pairs]


def test_no_third_seat_learns_what_was_shown() -> None:
    met = play(at("2455", die=2), "blue cw")
    after = [play(met, line) for line in choices("yellow", "show")]
    assert len(after) == 8
    all_alike(after, (None, RED, GREEN))
    assert len({view(match, "blue").shown for match in after}) == 8


def test_no_third_seat_learns_what_the_ghost_was_given() -> None:
    owed = play(at("1477", die=1, ghosts="comune"), "blue cw")
    after = [play(owed, line) for line in choices("yellow", "give")]
    assert len(after) == 8
    all_alike(after, (None, RED, GREEN))


def test_no_third_seat_learns_what_was_left_in_advance_and_used() -> None:
    gifts = [line.removeprefix("yellow ahead ") for line in choices("yellow", "ahead")]
    for pawns, die in (("2455", 2), ("1477", 1)):
        after = [
            play(at(pawns, die=die, ghosts="comune", ahead={"yellow": gift}), "blue cw") for gift in gifts
        ]
        assert {str(piles(match)) for match in after} == {"{7: 'yellow'}"}
        all_alike(after, (None, RED, GREEN))


def test_no_other_seat_learns_what_was_looked_at() -> None:
    cards = ("comune", "peril", "ascia", "remer")
    after = [
        play(at("3777", die=2, told=[f"red shows green {card} 5"]), "blue cw", "blue look") for card in cards
    ]
    # Green was shown it with another card, and red knows its own.
    all_alike(after, (None, YELLOW))
    assert len({story(match, "blue")[1] for match in after}) == 4


def test_the_receiver_is_not_told_which_card_was_the_true_one() -> None:
    """Yellow is Comune and Remer, or Biennale and Favro: Comune and Favro are shown in both."""
    deals = [
        (("sovrintendenza ascia", "comune remer", "biennale corder", "marina impiraressa"), "peril favro"),
        (("sovrintendenza ascia", "biennale favro", "comune corder", "marina impiraressa"), "peril remer"),
    ]
    after = [
        play(at("2455", die=2, deal=deal, treasure=treasure), "blue cw", "yellow show comune favro 7")
        for deal, treasure in deals
    ]
    assert [match.state.faces for match in after] == [(Card.FAVRO,), (Card.COMUNE,)]
    all_alike(after, (None, BLUE, GREEN))
    # Red's pair differs; what it was told of the meeting does not.
    assert facts(after[0], RED) == facts(after[1], RED)
    later = [
        play(match, "yellow roll 1", "yellow ccw", "red roll 2", "red cw", "red look") for match in after
    ]
    assert len({view(match, "red").faces for match in later}) == 2, "red has seen which was false"
    all_alike(later, (None, BLUE, GREEN))


def test_who_guessed_wrong_keeps_the_treasure_to_itself() -> None:
    deals = [
        (("sovrintendenza favro", "comune remer", "biennale corder", "marina impiraressa"), TREASURE),
        (("sovrintendenza favro", "comune remer", "biennale corder", "peril impiraressa"), "marina ascia"),
    ]
    after = [
        play(at("1357", deal=deal, treasure=treasure), "yellow guess biennale favro")
        for deal, treasure in deals
    ]
    all_alike(after, (None, BLUE, RED))
    assert view(after[0], "yellow").treasure != view(after[1], "yellow").treasure


def test_a_resignation_shows_no_hand() -> None:
    left = [
        play(at("1357", told=[f"red shows green {card} 5"]), "red resigns") for card in ("comune", "peril")
    ]
    all_alike(left, (None, BLUE, YELLOW))


def test_nobody_sees_the_ghost_deck() -> None:
    decks = ["comune marina peril", "comune peril marina", "comune marina peril"]
    after = [play(at("1777", die=1, ghosts=deck), "blue cw") for deck in decks]
    all_alike(after, EVERYBODY)


# --- asides that nobody notices ---------------------------------------------------------------------


def moments() -> list[Match]:
    """Return matches in every phase."""
    told = ["yellow shows red favro 5", "red shows green comune 5"]
    found = [
        play(start(), "blue place 4"),
        at("1357", told=told),
        at("1357", die=2, told=told),
        play(at("3557", die=2, told=told), "blue cw"),
        play(at("1448", die=1, ghosts="comune"), "blue cw"),
        play(at("2455", die=2), "blue cw"),
        play(at("1477", die=1, ghosts="comune"), "blue cw"),
        play(at("1577", die=2, left=SPENT), "blue cw"),
    ]
    assert [public(match).phase for match in found] == [
        *("place", "roll", "move", "choose", "haunt", "show", "give", "last")
    ]
    return found


def quiet(match: Match, colour: str, words: str) -> Match:
    """Return the match after an aside; nobody else may notice anything."""
    after = play(match, f"{colour} {words}")
    seat = seat_of(colour)
    assert after.batches[-1] == (), "there is no event at all"
    assert after.waiting == match.waiting
    assert public(after) == public(match)
    assert after.public_count == match.public_count
    for viewer in EVERYBODY:
        if viewer != seat:
            assert seen(after, viewer)[:2] == seen(match, viewer)[:2]
            assert seen(after, viewer)[3:] == seen(match, viewer)[3:]
            assert facts(after, viewer) == []
    return after


@pytest.mark.parametrize("words", some(["mark {other} remer X", "mark {other} remer 0 marina ?", "auto off"]))
def test_nobody_can_notice_a_note(words: str) -> None:
    for match in moments():
        for colour, other in (("yellow", "blue"), ("blue", "red")):
            after = quiet(match, colour, words.format(other=other))
            assert after.digest() == match.digest(), "it is in no digest"


def test_nobody_can_notice_a_gift_in_advance() -> None:
    for match in moments():
        own = view(match, "red")
        assert own.own is not None
        if not own.false_hand:
            continue
        false = own.false_hand[-1]
        after = quiet(match, "red", f"ahead {false} 7")
        assert after.state.ahead[RED] is not None
        quiet(quiet(after, "red", f"ahead {false} 9"), "red", "ahead -")


def test_the_seat_itself_is_asked_the_same_as_before() -> None:
    for match in moments():
        for words in ("mark red remer X", "auto off"):
            after = play(match, f"blue {words}")
            assert after.menu(BLUE) == match.menu(BLUE)


def test_no_aside_shifts_the_dice_or_the_lot() -> None:
    asides = ["red mark blue remer X", "red auto off", "red ahead biennale favro 7", "red ahead -"]
    for line in ("blue roll", "blue resigns", "yellow guess peril favro"):
        match = at("1357")
        plain, noted = play(match, line), play(match, *asides, line)
        assert public(plain) == public(noted)
        assert facts(plain, None) == facts(noted, None)
        assert plain.digest() == noted.digest()
    owed = play(at("2455", die=2), "blue cw")
    plain, noted = play(owed, "yellow resigns"), play(owed, *asides, "yellow resigns")
    assert plain.state.faces == noted.state.faces


def test_nobody_can_notice_that_a_guess_is_thought_of() -> None:
    # A draft is a question to the own menu: it changes nothing, whatever is drafted.
    for match in moments():
        before = [seen(match, viewer) for viewer in EVERYBODY]
        digest = match.digest()
        for draft in (("guess",), ("guess", "peril"), ("guess", "peril", "ascia"), ("guess", "corder")):
            for seat in (BLUE, YELLOW, GREEN):
                asking(match, seat, draft)
        assert [seen(match, viewer) for viewer in EVERYBODY] == before
        assert match.digest() == digest


def test_nobody_is_waited_for_because_it_might_guess() -> None:
    for match in moments():
        if public(match).phase != "place":
            assert len(match.waiting) == 1


def test_the_question_before_a_guess_tells_no_secret() -> None:
    # It is equal for all truths that look alike to the guesser, the right pair's too.
    match = at("1357", told=["yellow shows red favro 5"])
    for twin in twins(match, RED):
        for institution, craft in (("peril", "ascia"), ("marina", "favro"), ("comune", "ascia")):
            draft = ("guess", institution, craft)
            assert prompt(twin, "red", *draft) == prompt(match, "red", *draft)


# --- whole matches ----------------------------------------------------------------------------------

PRIVATE: dict[str, Callable[[Match, Any], int]] = {
    "identity": lambda match, fact: [each.cards for each in match.state.pairs].index(
        (fact["institution"], fact["craft"])
    ),
    "shown": lambda match, fact: public(match).gifts[-1].receiver,
    "showed": lambda match, fact: public(match).gifts[-1].giver,
    "given": lambda match, fact: public(match).gifts[-1].receiver,
    "gave": lambda match, fact: public(match).gifts[-1].giver,
    "saw": lambda match, fact: public(match).discards[-1].looker,
    "treasure": lambda match, fact: public(match).guesses[-1].seat,
}
"""Facts for one seat alone, and whose they are, right after they happened."""


@pytest.mark.parametrize(("seats", "matches"), [(4, 3), (3, 4), (2, 10)])
def test_private_facts_go_to_one_seat(seats: int, matches: int) -> None:
    found = set()
    for number in range(matches):
        for match in at_random(seats, number):
            for event in match.batches[-1]:
                owner = PRIVATE.get(event.fact.kind)
                assert event.audience.includes(None) is (owner is None)
                if owner is not None:
                    found.add(event.fact.kind)
                    seat = owner(match, event.fact)
                    assert [s for s in range(seats) if event.audience.includes(s)] == [seat]
    assert {"identity", "shown", "showed", "given", "gave", "treasure"} <= found


# --- imagined truths --------------------------------------------------------------------------------


def test_imagined_truths_vary_all_that_is_hidden() -> None:
    told = ["yellow shows blue corder 5", "red shows green comune 5", "green gives yellow ascia 3"]
    match = at("1357", told=told, ghosts="comune marina peril", ahead={"red": "biennale favro 7"})
    match = play(match, "yellow auto off")
    found = twins(match, BLUE, 60)
    assert all(twin.view(BLUE) == match.view(BLUE) for twin in found)
    states = [twin.state for twin in found]
    for seat in (YELLOW, RED, GREEN):
        assert len({state.pairs[seat] for state in states}) > 3
        assert {state.ahead[seat] is None for state in states} == {True, False}
        assert {state.notes[seat].auto for state in states} == {True, False}
        assert len({state.notes[seat].marks for state in states}) > 3
    assert {state.pairs[BLUE] for state in states} == {pair(DEAL[BLUE])}
    assert {state.ahead[BLUE] for state in states} == {None}
    assert len({state.treasure for state in states}) > 5
    assert len({state.ghosts for state in states}) == 6
    assert {state.faces[0] for state in states} == {Card.COMUNE, Card.CORDER}, "either may be the false one"
    assert len({state.faces[1] for state in states}) > 5
    assert len({state.faces[2] for state in states}) > 5


def test_imagined_truths_keep_what_is_known() -> None:
    told = [
        "yellow gives blue ascia 3",
        "red shows green comune 5",
        "blue looks 5",
        "green shows red peril 7",
    ]
    match = at("1357", told=told, ahead={"blue": "sovrintendenza ascia 7"})
    for twin in twins(match, BLUE, 20):
        assert twin.state.faces[:2] == (Card.ASCIA, Card.COMUNE)
        assert twin.state.ahead[BLUE] == match.state.ahead[BLUE]
        assert Card.ASCIA not in twin.state.pairs[YELLOW].cards
    assert {twin.state.ahead[BLUE] for twin in twins(match, RED, 30)} != {None}


def test_imagined_gifts_and_hands_are_legal() -> None:
    told = ["yellow shows blue favro 5", "yellow gives red corder 5"]
    match = at("1357", told=told)
    for viewer, twin in product((None, BLUE, GREEN), range(10)):
        state = GAME.imagine(match.view(viewer), Rng(bytes([twin] * 32)))
        for seat, gift in enumerate(state.ahead):
            if gift is not None:
                true = set(gift.pair.cards) & set(state.pairs[seat].cards)
                assert len(true) == 1
                assert set(gift.pair.cards) - true <= set(state.false_hand(seat))


def test_nobody_is_imagined_to_leave_what_it_cannot() -> None:
    for match in (at("1357", gifts="asked"), at("1357", left={"yellow": ""}), at("1-57")):
        gifts = {twin.state.ahead[YELLOW] for twin in twins(match, BLUE, 20)}
        assert gifts == {None}


def test_after_the_end_there_is_one_truth() -> None:
    match = play(at("1357", told=["yellow shows blue favro 5"]), "red guess peril ascia")
    for viewer in EVERYBODY:
        for twin in twins(match, viewer, 2):
            assert GAME.record(twin.state) == GAME.record(match.state)


def test_reprs_tell_nothing() -> None:
    match = play(at("1357", told=["yellow shows blue favro 5"]), "red mark blue ascia X")
    for text in (repr(match), repr(match.state), repr(view(match, "red"))):
        assert not any(card.value in text for card in Card)
