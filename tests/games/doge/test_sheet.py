"""The clue sheet: the rulebook's examples, columns, explanations, help, pencil. Rules page, *Clue sheet*."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.match import Match
from engines.doge import GAME
from engines.doge.components import Card
from engines.doge.deduction import reasons
from engines.doge.imagine import fitting
from engines.doge.sheet import Knowledge
from engines.doge.view import Mark, PencilMark, Subject
from tests.games.doge.support import (
    COLOURS,
    at,
    left_over,
    marks,
    pair,
    play,
    prompt,
    seat_of,
    section,
    sheet,
    view,
)


def rows(match: Match, viewer: str) -> str:
    """Return a sheet as it reads: a row for each card, a sign for each other player."""
    return "\n".join(f"{card:<14} {found}" for card, found in marks(match, viewer).items())


MARTA = "green shows yellow comune 7"
"""Marta shows Leo Comune and Impiraressa; Comune is the false one."""

DARIO = "red shows yellow favro 5"
"""Dario shows Leo Biennale and Favro; Favro is the false one."""


# --- the rulebook's examples ------------------------------------------------------------------------


def test_darios_sheet_at_the_start() -> None:
    match = at("1357")
    assert left_over(match, "red") == (576, 16)
    assert rows(match, "red") == (
        "ascia          . . .\n"
        "favro          . . .\n"
        "remer          . . .\n"
        "corder         0 0 0\n"
        "impiraressa    . . .\n"
        "comune         . . .\n"
        "peril          . . .\n"
        "marina         . . .\n"
        "sovrintendenza . . .\n"
        "biennale       0 0 0"
    )


def test_leo_knows_at_once_that_marta_is_the_impiraressa() -> None:
    match = at("1357", told=[MARTA])
    assert left_over(match, "yellow") == (144, 12)
    assert rows(match, "yellow") == (
        "ascia          . . 0\n"
        "favro          . . 0\n"
        "remer          0 0 0\n"
        "corder         . . 0\n"
        "impiraressa    0 0 X\n"
        "comune         0 0 0\n"
        "peril          . . .\n"
        "marina         . . .\n"
        "sovrintendenza . . .\n"
        "biennale       . . ."
    )


def test_leos_sheet_of_the_rulebook() -> None:
    match = at("1357", told=[MARTA, DARIO])
    assert left_over(match, "yellow") == (60, 11)
    assert rows(match, "yellow") == (
        "ascia          . . 0\n"
        "favro          . ? 0\n"
        "remer          0 0 0\n"
        "corder         . . 0\n"
        "impiraressa    0 0 X\n"
        "comune         0 0 0\n"
        "peril          . . .\n"
        "marina         . . .\n"
        "sovrintendenza . . .\n"
        "biennale       . ? ."
    )
    before, after = (sheet(at("1357", told=told), "yellow").treasures for told in ([MARTA], [MARTA, DARIO]))
    assert before is not None
    assert after is not None
    assert set(before) - set(after) == {pair("biennale favro")}, "only this treasure falls"


@pytest.mark.parametrize("false", ["impiraressa", "remer"])
def test_with_another_craft_leo_would_have_understood(false: str) -> None:
    match = at("1357", told=[MARTA, f"red shows yellow {false} 5"])
    assert left_over(match, "yellow") == (36, 9)
    assert marks(match, "yellow")["biennale"] == "0 X 0"


@pytest.mark.parametrize(
    ("pawns", "deals", "treasures", "by_all"),
    [("1357", 576, 16, 14400), ("135", 36, 9, 576), ("13", 4, 4, 36)],
)
def test_so_many_deals_fit_at_the_start(pawns: str, deals: int, treasures: int, by_all: int) -> None:
    match = at(pawns)
    for colour in COLOURS[: len(pawns)]:
        assert left_over(match, colour) == (deals, treasures)
    assert fitting(match.view(None))[1].bit_count() == by_all


def test_all_kinds_of_evidence_together() -> None:
    told = [
        "green shows red comune 7",
        "blue gives red remer 5",
        "yellow shows green marina 3",
        "red looks 3",
        "blue guesses marina favro",
        # One's own pair says nothing new; but the treasure is seen.
        "red guesses biennale corder",
    ]
    match = at("1357", told=told)
    described: Any = GAME.describe(view(match, "red"))["sheet"]
    assert described["deals"] == 6
    assert described["treasures"] == [["peril", "ascia"]]
    assert described["pairs"]["blue"] == [
        ["comune", "favro"],
        ["marina", "favro"],
        ["marina", "impiraressa"],
        ["sovrintendenza", "favro"],
    ]
    assert described["marks"]["green"] == {
        "ascia": "0",
        "favro": "",
        "remer": "",
        "corder": "0",
        "impiraressa": "?",
        "comune": "?",
        "peril": "0",
        "marina": "",
        "sovrintendenza": "",
        "biennale": "0",
    }


def test_cards_that_lie_face_up_belong_to_nobody() -> None:
    match = at("135")
    assert marks(match, "blue")["marina"] == "0 0"
    assert marks(match, "blue")["impiraressa"] == "0 0"


def test_nothing_follows_from_hands_piles_or_choices() -> None:
    # Red has seen none of these cards: not who gave them, nor where they lie, says anything.
    told = ["green shows yellow comune 7", "blue gives green remer 7", "yellow looks 7"]
    assert left_over(at("1357", told=told), "red") == (576, 16)


# --- columns ----------------------------------------------------------------------------------------


def columns(match: Match, viewer: str, about: str) -> list[dict[str, str]]:
    """Return the columns of a section: of each clue, its cards and the mark beside them."""
    return [
        {card.value: clue.mark.value for card in clue.cards} for clue in section(match, viewer, about).clues
    ]


def test_each_clue_has_a_column_of_its_own_in_its_order() -> None:
    told = [
        "red shows yellow favro 5",
        "red gives yellow remer 3",
        "red shows green marina 1",
        "yellow looks 1",
        "yellow looks 5",
    ]
    match = at("1357", told=told)
    assert columns(match, "yellow", "red") == [
        {"biennale": "?", "favro": "?"},
        {"remer": "0"},
        {"marina": "0"},
        {"favro": "0"},
    ]
    assert columns(match, "green", "red") == [{"marina": "?", "corder": "?"}]
    assert columns(match, "blue", "red") == []


def test_a_column_never_changes_whatever_follows() -> None:
    match = at("1357", told=[MARTA, "green gives yellow comune 3"])
    assert columns(match, "yellow", "green")[0] == {"comune": "?", "impiraressa": "?"}
    assert marks(match, "yellow")["impiraressa"] == "0 0 X"


@pytest.mark.parametrize(("pawns", "most"), [("1357", 16), ("135", 12), ("13", 8)])
def test_at_most_so_many_columns(pawns: str, most: int) -> None:
    # Each false card of yellow is shown to blue, and looked at by blue afterwards.
    match = at(pawns)
    cards = [card.value for card in view(match, "yellow").false_hand]
    told = [line for card in cards for line in (f"yellow shows blue {card} 3", "blue looks 3")]
    match = at(pawns, told=told)
    assert len(columns(match, "blue", "yellow")) == most
    assert {card.value for card, mark in section(match, "blue", "yellow").sure or () if mark == "X"} == {
        "comune",
        "remer",
    }


def test_a_section_for_each_other_player_and_a_row_for_each_card() -> None:
    match = at("135")
    assert [part.seat for part in sheet(match, "yellow").sections] == [0, 2]
    assert list(marks(match, "yellow")) == [card.value for card in Card]
    assert match.view(None).sheet is None


def test_a_new_clue_is_the_first_thing_to_look_at_until_ones_next_turn() -> None:
    match = play(at("2477", die=2), "blue cw")
    assert view(match, "yellow").subject is Subject.HAND
    match = play(match, "yellow show comune favro 5")
    assert view(match, "blue").subject is Subject.CLUE
    assert [view(match, colour).subject for colour in COLOURS[1:]] == [Subject.BOARD] * 3
    newest = view(match, "blue").newest_clue
    assert newest is not None
    assert (newest[0], newest[1].cards) == (1, (Card.COMUNE, Card.FAVRO))
    match = play(match, "yellow roll 4", "yellow cw", "red roll 2", "red cw")
    assert view(match, "blue").subject is Subject.CLUE
    assert view(play(match, "green roll 4", "green cw"), "blue").subject is Subject.BOARD


# --- why --------------------------------------------------------------------------------------------


def why(match: Match, viewer: str, about: str, card: str) -> str:
    return prompt(match, viewer, "mark", about, card)


def test_a_mark_names_the_clues_from_which_it_follows() -> None:
    match = at("1357", told=[MARTA, DARIO])
    assert why(match, "yellow", "green", "impiraressa") == (
        "X · Green is Impiraressa. This follows from: you’re Comune; Green showed you Comune and Impiraressa."
    )
    assert why(match, "yellow", "red", "impiraressa") == (
        "0 · Red isn’t Impiraressa. This follows from: you’re Comune; Green showed you Comune and "
        "Impiraressa."
    )
    assert why(match, "yellow", "red", "remer") == "0 · Red isn’t Remer. This follows from: you’re Remer."


def test_an_open_row_says_so() -> None:
    match = at("1357", told=[MARTA, DARIO])
    assert why(match, "yellow", "red", "biennale") == "Your clues don’t show yet whether Red is Biennale."


def test_every_kind_of_clue_has_its_words() -> None:
    match = at("1357", told=["red gives yellow favro 5", "green shows blue ascia 3", "yellow looks 3"])
    assert why(match, "yellow", "red", "favro").endswith("Red showed you Favro through the ghost.")
    assert why(match, "yellow", "green", "ascia").endswith(
        "you looked at Maestro d’ascia, a card from Green."
    )
    match = at("1357", told=["yellow guesses peril favro"])
    assert why(match, "yellow", "green", "ascia") == (
        "0 · Green isn’t Maestro d’ascia. This follows from: you saw that the treasure is Venice in "
        "Peril and Maestro d’ascia."
    )


def test_a_refuted_pair_may_decide_it() -> None:
    match = at("13", told=["yellow gives blue ascia 3", "yellow guesses comune ascia"])
    assert why(match, "blue", "yellow", "comune") == (
        "X · Yellow is Comune. This follows from: you’re Sovrintendenza; you’re Favro; Yellow showed "
        "you Maestro d’ascia through the ghost; Yellow wrongly guessed Comune and Maestro d’ascia."
    )


MANY = [
    "red shows yellow peril 7",
    "red shows yellow remer 7",
    "green shows yellow corder 7",
    "blue gives yellow corder 7",
    "red shows yellow marina 7",
    "green shows yellow sovrintendenza 7",
    "blue shows yellow impiraressa 7",
]
"""Clues of which Leo needs six to know that blue is the Sovrintendenza."""


def test_of_many_clues_four_are_named() -> None:
    text = why(at("1357", told=MANY), "yellow", "blue", "sovrintendenza")
    assert text.startswith("X · Blue is Sovrintendenza. This follows from: ")
    assert text.endswith("; 2 more clues.")
    assert text.count("; ") == 4


@pytest.mark.parametrize("told", [[MARTA, DARIO], MANY, [*MANY, "green guesses peril favro"]])
def test_an_explanation_is_sufficient_and_no_part_of_it_could_be_left_out(told: list[str]) -> None:
    match = at("1357", told=told)
    knowledge = Knowledge.of(view(match, "yellow"))
    assert knowledge is not None
    table, evidence = knowledge.table, knowledge.evidence()
    explained = 0
    for about in (0, 2, 3):
        for card in Card:
            answer = table.verdict(about, card, knowledge.deals())
            found = reasons(table, evidence, about, card)
            if answer is None:
                assert found is None
                continue
            assert found is not None
            explained += 1
            assert table.verdict(about, card, table.fitting_all(found)) is answer
            for piece in found:
                rest = [other for other in found if other is not piece]
                assert table.verdict(about, card, table.fitting_all(rest)) is not answer
    assert explained >= 12


# --- the help of the sheet --------------------------------------------------------------------------


def test_with_auto_off_neither_sure_marks_nor_treasures_are_shown() -> None:
    match = play(at("1357", told=[MARTA, DARIO]), "yellow auto off")
    found = sheet(match, "yellow")
    assert (found.deals, found.treasures) == (None, None)
    assert [(part.sure, part.pairs) for part in found.sections] == [(None, None)] * 3
    assert columns(match, "yellow", "green") == [{"comune": "?", "impiraressa": "?"}], "clues stay"
    assert marks(match, "yellow")["impiraressa"] == ". . ?"
    assert marks(match, "yellow")["remer"] == ". . ."
    assert why(match, "yellow", "green", "impiraressa") == (
        "Help is off, so your sheet doesn’t say whether Green is Impiraressa."
    )


def test_auto_goes_on_again_at_any_time() -> None:
    match = at("1357", told=[MARTA])
    assert sheet(match, "yellow").deals is not None, "on by default"
    again = play(match, "yellow auto off", "yellow auto on")
    assert again.view(1) == match.view(1)
    assert view(play(match, "yellow auto off"), "red").notes == view(match, "red").notes
    owed = play(at("2477", die=2), "blue cw")
    for colour in COLOURS:
        play(owed, f"{colour} auto off", f"{colour} auto off")


def test_auto_alone_turns_it_round() -> None:
    match = play(at("1357"), "yellow auto")
    assert sheet(match, "yellow").deals is None
    assert sheet(play(match, "yellow auto"), "yellow").deals == 576
    assert prompt(match, "yellow", "auto").startswith("Your sheet will show what follows")


# --- pencil -----------------------------------------------------------------------------------------


def pencil(match: Match, viewer: str, about: str) -> dict[str, str]:
    return {card.value: mark.value for card, mark in section(match, viewer, about).pencil}


def test_several_marks_in_one_sentence() -> None:
    match = play(at("1357"), "red mark blue remer X marina 0 green comune ?")
    assert pencil(match, "red", "blue") == {"remer": "X", "marina": "0"}
    assert pencil(match, "red", "green") == {"comune": "?"}
    assert view(match, "red").notes is not None
    assert pencil(play(match, "red mark yellow ascia x"), "red", "yellow") == {"ascia": "X"}


def test_a_mark_is_changed_and_rubbed_out() -> None:
    match = play(at("1357"), "red mark blue remer X", "red mark blue remer 0")
    assert pencil(match, "red", "blue") == {"remer": "0"}
    match = play(match, "red mark blue remer - marina X")
    assert pencil(match, "red", "blue") == {"marina": "X"}
    assert play(match, "red mark blue ascia -").view(2) == match.view(2), "there was nothing to rub out"


def test_marks_stand_in_the_order_of_the_sheet_whatever_the_order_of_the_words() -> None:
    one = play(at("1357"), "red mark blue remer X marina 0")
    other = play(at("1357"), "red mark blue marina 0", "red mark blue remer X")
    assert one.view(2) == other.view(2)
    notes = view(one, "red").notes
    assert notes is not None
    assert notes.marks == (PencilMark(0, Card.REMER, Mark.TRUE), PencilMark(0, Card.MARINA, Mark.FALSE))


def test_pencil_marks_are_no_evidence() -> None:
    match = play(at("1357"), "red mark blue remer X")
    assert left_over(match, "red") == (576, 16)
    assert marks(match, "red")["remer"] == ". . ."


def test_a_draft_of_marks_is_shown_on_the_sheet() -> None:
    match = play(at("1357"), "red mark blue remer X")
    words = ("mark", "blue", "remer", "-", "marina", "0", "ascia")
    shown = GAME.preview(view(match, "red"), words)
    assert shown.sheet is not None
    assert shown.sheet.sections[0].pencil == ((Card.MARINA, Mark.FALSE),)
    assert shown.subject is Subject.SHEET
    assert pencil(match, "red", "blue") == {"remer": "X"}, "nothing is noted yet"


def test_a_mark_needs_no_modal_and_no_word_twice() -> None:
    match = at("1357")
    menu = match.menu(seat_of("red"), ("mark",))
    assert menu is not None
    assert [choice.word for choice in menu.choices()] == ["blue", "yellow", "green"]
    for draft in (("mark", "blue"), ("mark", "blue", "remer")):
        menu = match.menu(2, draft)
        assert menu is not None
        assert (menu.draft, menu.complete) == (draft, False)
    menu = match.menu(2, ("mark", "blue", "remer", "X"))
    assert menu is not None
    assert menu.complete
    # The section stays open for the next card.
    menu = match.menu(2, ("mark", "blue", "remer", "X", "marina"))
    assert menu is not None
    assert not menu.complete
    assert menu.draft == ("mark", "blue", "remer", "X", "blue", "marina")


def test_who_is_out_keeps_its_sheet() -> None:
    match = play(at("1357"), "red mark blue remer X", "red guess peril favro", "red mark blue marina 0")
    assert pencil(match, "red", "blue") == {"remer": "X", "marina": "0"}
