"""Each illegal word has a message of its own that says what to do, equal for all truths that look alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import product

import pytest

from engines.core.console import Console
from engines.core.contract import ActionError, IllegalAction, InvalidAction, Msg
from engines.core.match import Match
from engines.core.registry import games
from engines.core.texts import load
from engines.doge.components import CARDS, CRAFTS, Card
from tests.games.doge.support import (
    COLOURS,
    SPENT,
    asked,
    at,
    english,
    pair,
    play,
    refusal,
    seat_of,
    start,
    twins,
)

PILED = ["red shows green comune 5"]


@cache
def positions() -> Mapping[str, Match]:
    """Return the positions of the table below by their names."""
    return {
        "start": play(start(), "blue place 4"),
        "roll": at("1357"),
        "asked": at("1357", gifts="asked"),
        "move": at("1357", die=2),
        "choose": play(at("3557", die=2, told=PILED), "blue cw"),
        "pile": play(at("3777", die=2, told=PILED), "blue cw"),
        "meet": play(at("2333", die=1, left={"green": ""}), "blue cw"),
        "show": play(at("2455", die=2, told=["yellow shows green ascia 3"]), "blue cw"),
        "craft": play(at("2455", die=2, left={"yellow": "ascia"}), "blue cw"),
        "haunt": play(at("1448", die=1, ghosts="comune"), "blue cw"),
        "give": play(at("1477", die=1, ghosts="comune", told=["yellow shows green ascia 3"]), "blue cw"),
        "last": play(at("1577", die=2, left=SPENT), "blue cw"),
        "three": at("135"),
        "three shows": play(at("245", die=2), "blue cw"),
        "three gives": play(at("147", die=1, ghosts="comune"), "blue cw"),
        "spent": at("1357", left={"yellow": ""}),
        "out": play(at("1357"), "yellow guess peril favro"),
        "gone": play(at("1357"), "yellow resigns"),
        "over": play(at("1357"), "yellow guess peril ascia"),
    }


TABLE = [
    # squares for pawns
    ("start", "red place 4", "occupied"),
    ("start", "red place", "unfinished.place"),
    ("start", "red place 10", "no_square"),
    ("start", "red 12", "no_square"),
    ("start", "red place harbour", "word"),
    ("start", "blue place 5", "not_asked"),
    ("start", "red roll", "not_now"),
    ("start", "red guess peril ascia", "too_early"),
    ("start", "red guess", "too_early"),
    ("roll", "blue place 2", "not_now"),
    # the turn
    ("roll", "blue cw", "not_now"),
    ("roll", "blue look", "not_now"),
    ("roll", "blue pass", "not_now"),
    ("roll", "blue red", "not_now"),
    ("roll", "blue meet red", "not_now"),
    ("roll", "blue haunt red", "not_now"),
    ("roll", "blue show sovrintendenza ascia 7", "not_now"),
    ("roll", "blue give ascia 7", "not_now"),
    ("roll", "blue stay", "word"),
    ("roll", "blue roll roll", "word"),
    ("roll", "blue roll 3", "word"),
    ("roll", "yellow roll", "not_asked"),
    ("roll", "yellow 5", "not_now"),
    ("move", "blue roll", "not_now"),
    ("move", "blue cw 3", "word"),
    ("move", "yellow ccw", "not_asked"),
    # whom to meet
    ("meet", "blue meet", "unfinished.meet"),
    ("meet", "blue meet blue", "meet_whom"),
    ("meet", "blue meet green", "meet_whom"),
    ("meet", "blue meet harbour", "word"),
    ("meet", "blue meet red yellow", "word"),
    ("meet", "blue look", "not_now"),
    ("meet", "blue leave", "not_now"),
    ("meet", "red meet yellow", "not_asked"),
    ("choose", "blue leave", "not_now"),
    ("choose", "blue meet green", "meet_whom"),
    ("pile", "blue meet red", "meet_whom"),
    ("pile", "blue meet", "not_now"),
    ("pile", "yellow look", "not_asked"),
    ("haunt", "blue haunt", "unfinished.haunt"),
    ("haunt", "blue haunt green", "haunt_whom"),
    ("haunt", "blue haunt blue", "haunt_whom"),
    ("haunt", "blue meet red", "not_now"),
    # pairs
    ("show", "yellow show", "unfinished.show"),
    ("show", "yellow show comune", "unfinished.show"),
    ("show", "yellow show 7", "unfinished.show"),
    ("show", "yellow show comune remer", "unfinished.show"),
    ("show", "yellow show comune remer 7", "both_true"),
    ("show", "yellow show marina favro 7", "both_false"),
    ("show", "yellow show comune marina 7", "two_of_a_kind"),
    ("show", "yellow show favro corder", "two_of_a_kind"),
    ("show", "yellow show comune comune 7", "two_of_a_kind"),
    ("show", "yellow show comune ascia 7", "given_away"),
    ("show", "yellow ascia", "given_away"),
    ("show", "yellow show comune favro 4", "no_card_square"),
    ("show", "yellow show comune favro 12", "no_card_square"),
    ("show", "yellow show comune favro 7 harbour", "word"),
    ("show", "yellow show comune harbour 7", "word"),
    ("show", "yellow give favro 7", "not_now"),
    ("show", "yellow roll", "not_now"),
    ("show", "blue show comune favro 7", "not_asked"),
    ("craft", "yellow show remer", "no_partner"),
    ("craft", "yellow show biennale remer 7", "given_away"),
    ("three shows", "yellow show comune impiraressa 7", "laid_out"),
    # the ghost
    ("give", "yellow give", "unfinished.give"),
    ("give", "yellow give 7", "unfinished.give"),
    ("give", "yellow give comune 7", "true_card"),
    ("give", "yellow give ascia 7", "given_away"),
    ("give", "yellow give favro 6", "no_card_square"),
    ("give", "yellow give favro 11", "no_card_square"),
    ("give", "yellow give harbour 7", "word"),
    ("give", "yellow show comune favro 7", "not_now"),
    ("give", "blue give favro 7", "not_asked"),
    ("three gives", "yellow give marina 7", "laid_out"),
    # guesses
    ("roll", "red guess", "unfinished.guess"),
    ("roll", "red guess marina", "unfinished.guess"),
    ("roll", "red guess marina biennale", "unfinished.guess"),
    ("roll", "red guess marina harbour", "word"),
    ("roll", "red guess marina corder 7", "word"),
    ("roll", "red guess marina corder remer", "word"),
    ("three", "red guess marina corder", "laid_out"),
    ("show", "red guess peril ascia", "cards_owed"),
    ("show", "yellow guess peril ascia", "cards_owed"),
    ("show", "red guess peril harbour", "word"),
    ("show", "red guess", "unfinished.guess"),
    ("give", "blue guess peril ascia", "cards_owed"),
    ("out", "yellow guess peril ascia", "out"),
    # the last round
    ("last", "blue roll", "not_now"),
    ("last", "yellow pass", "not_asked"),
    ("last", "blue pass pass", "word"),
    # gifts in advance
    ("roll", "red ahead", "unfinished.ahead"),
    ("roll", "red ahead biennale", "unfinished.ahead"),
    ("roll", "red ahead -", "nothing_ahead"),
    ("roll", "red ahead - 7", "word"),
    ("roll", "red ahead biennale corder 7", "both_true"),
    ("roll", "red ahead marina favro 7", "both_false"),
    ("roll", "red ahead biennale marina 7", "two_of_a_kind"),
    ("roll", "red ahead biennale favro 8", "no_card_square"),
    ("show", "yellow ahead comune ascia 7", "given_away"),
    ("craft", "yellow ahead remer", "no_partner"),
    ("three", "red ahead biennale impiraressa 7", "laid_out"),
    ("spent", "yellow ahead comune favro 7", "no_false_card"),
    ("asked", "red ahead biennale favro 7", "no_gifts_ahead"),
    ("out", "yellow ahead comune favro 7", "out"),
    # marks
    ("roll", "red mark", "unfinished.mark"),
    ("roll", "red mark blue", "unfinished.mark"),
    ("roll", "red mark blue remer", "unfinished.mark"),
    ("roll", "red mark blue remer X green", "unfinished.mark"),
    ("roll", "red mark blue remer Y", "mark"),
    ("roll", "red mark blue harbour X", "mark"),
    ("roll", "red mark blue X", "mark_nothing"),
    ("roll", "red mark remer X", "word"),
    ("roll", "red mark red remer X", "own_section"),
    ("three", "red mark green remer X", "no_such_seat"),
    ("three", "red mark blue marina X", "laid_out"),
    ("roll", "red auto maybe", "auto"),
    ("roll", "red auto on off", "auto"),
    # who has no say
    ("out", "yellow roll", "out"),
    ("gone", "yellow mark blue remer X", "gone"),
    ("gone", "yellow roll", "gone"),
    ("over", "blue roll", "over"),
    ("over", "red mark blue remer X", "over"),
]
"""A position, who says what, and the key of the refusal."""


def refused(match: Match, line: str) -> Msg:
    """Return the message of a refusal."""
    colour, *words = line.split()
    with pytest.raises(ActionError) as caught:
        match.act(seat_of(colour), tuple(words))
    return caught.value.msg


@pytest.mark.parametrize(("name", "line", "key"), TABLE)
def test_each_refusal_says_which_rule_it_is(name: str, line: str, key: str) -> None:
    assert refusal(positions()[name], line) == key


@pytest.mark.parametrize("name", sorted({name for name, _, _ in TABLE}))
def test_refusals_are_equal_for_all_truths_that_a_seat_cannot_tell_apart(name: str) -> None:
    match = positions()[name]
    differ = False
    for seat, colour in enumerate(COLOURS[: match.setup.seats]):
        lines = [line for where, line, _ in TABLE if where == name and line.startswith(colour)]
        others = twins(match, seat, 4) if lines else []
        differ = differ or any(twin.state.pairs != match.state.pairs for twin in others)
        for line in lines:
            said = refused(match, line)
            assert all(refused(twin, line) == said for twin in others), line
    assert differ or name == "over"


def test_every_refusal_of_the_catalogue_is_brought_about() -> None:
    catalogue = json.loads((files("engines.doge") / "locale" / "en.json").read_text("utf-8"))
    known = {key.removeprefix("error.") for key in catalogue if key.startswith("error.")}
    here = {key for _, _, key in TABLE} | {"seat", "unfinished"}
    # What a situation refuses has its own tests.
    assert {key for key in known - here if not key.startswith("situation")} == set()


def test_no_words_and_no_such_seat() -> None:
    match = at("1357")
    for seat in (0, 1):
        with pytest.raises(InvalidAction) as invalid:
            match.act(seat, ())
        assert english(invalid.value.msg) == "Something is missing. Complete your choice, or take it back."
    with pytest.raises(IllegalAction) as illegal:
        match.act(9, ("roll",))
    assert english(illegal.value.msg) == "This match has no such seat."


# --- all that can be said of a kind -----------------------------------------------------------------


def fault(one: Card, other: Card, true: tuple[Card, ...], given: tuple[Card, ...]) -> str:
    """Return what is wrong with two cards, as the rules page says it; nothing for a legal pair."""
    if (one in CRAFTS) is (other in CRAFTS):
        return "two_of_a_kind"
    if one in true and other in true:
        return "both_true"
    if one in given or other in given:
        return "given_away"
    return "" if one in true or other in true else "both_false"


@pytest.mark.parametrize("verb", ["show", "ahead"])
def test_every_pair_is_taken_or_refused_with_its_fault(verb: str) -> None:
    match = positions()["show"]
    true, given = pair("comune remer").cards, (Card.ASCIA,)
    legal = 0
    for one, other in product(CARDS, CARDS):
        expected = fault(one, other, true, given)
        line = f"yellow {verb} {one} {other} 7"
        if expected:
            assert refusal(match, line) == expected, line
        else:
            legal += 1
            play(match, line)
    assert legal == 2 * (3 + 4)


def test_every_card_and_square_for_the_ghost() -> None:
    match = positions()["give"]
    for card, square in product(CARDS, range(12)):
        line = f"yellow give {card} {square}"
        if card in pair("comune remer").cards:
            assert refusal(match, line) == "true_card"
        elif card is Card.ASCIA:
            assert refusal(match, line) == "given_away"
        elif square not in (1, 3, 5, 7, 9):
            assert refusal(match, line) == "no_card_square"
        else:
            assert asked(play(match, line)) == "roll yellow"


def test_every_guess() -> None:
    match = positions()["three"]
    out = {Card.MARINA, Card.IMPIRARESSA}
    for one, other in product(CARDS, CARDS):
        line = f"yellow guess {one} {other}"
        if {one, other} & out:
            assert refusal(match, line) == "laid_out"
        elif (one in CRAFTS) is (other in CRAFTS):
            assert refusal(match, line) == "unfinished.guess"
        else:
            right = {one, other} == {Card.PERIL, Card.ASCIA}
            assert (play(match, line).outcome is not None) is right


def test_every_mark() -> None:
    match = positions()["three"]
    for colour, card, sign in product(COLOURS, CARDS, ("X", "0", "?", "-", "1")):
        line = f"yellow mark {colour} {card} {sign}"
        if colour in ("yellow", "green"):
            assert refusal(match, line) == ("own_section" if colour == "yellow" else "no_such_seat")
        elif card in (Card.MARINA, Card.IMPIRARESSA):
            assert refusal(match, line) == "laid_out"
        elif sign == "1":
            assert refusal(match, line) == "mark"
        else:
            play(match, line)


def test_every_square_for_a_pawn() -> None:
    match = positions()["start"]
    for square in range(14):
        line = f"red place {square}"
        if square > 9:
            assert refusal(match, line) == "no_square"
        elif square == 4:
            assert refusal(match, line) == "occupied"
        else:
            play(match, line)


# --- as it is read ----------------------------------------------------------------------------------


def test_the_console_says_what_to_do() -> None:
    console = Console(games(), lambda key: load(f"engines.{key}"), lambda: bytes(32))

    def answer(**request: object) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = json.loads(console.answer(json.dumps(request).encode()))
        return found

    def said(seat: int, words: str) -> tuple[str, str]:
        error = answer(cmd="act", seat=seat, words=words)["error"]
        return error["kind"], error["text"]

    answer(cmd="new", game="doge", seats=2, seed="0" * 64)
    answer(cmd="act", seat=0, words="place 4")
    assert said(1, "place 4") == ("illegal", "There’s already a pawn on Comune. Choose a free square.")
    assert said(1, "place 10") == (
        "invalid",
        "There’s no square “10”. Choose a free square from 0 to 9.",
    )
    assert said(1, "guess peril ascia") == (
        "illegal",
        "Nobody has rolled yet. You can guess after the first roll.",
    )
    assert said(1, "harbour") == (
        "invalid",
        "“harbour” doesn’t fit there. Choose one of the words offered.",
    )


def test_texts_of_refusals_name_what_they_mean() -> None:
    show, three = positions()["show"], positions()["three"]
    assert english(refused(show, "yellow show comune remer 7")) == (
        "Both cards are true. Swap one for a false card of the same kind."
    )
    assert english(refused(show, "yellow show comune ascia 7")) == (
        "You’ve given Maestro d’ascia away. Choose a card from your hand."
    )
    assert english(refused(show, "yellow show comune favro 4")) == (
        "Square 4 isn’t a card square. Choose 1, 3, 5, 7 or 9."
    )
    assert english(refused(show, "red guess peril ascia")) == (
        "Yellow has to show cards before you can guess."
    )
    assert english(refused(three, "red guess marina corder")) == (
        "Marina is out of play in this match. Choose another card."
    )
    assert english(refused(three, "red mark blue remer Y")) == (
        "“Y” isn’t a mark. Write X, 0, ? or - after a colour and a card."
    )
