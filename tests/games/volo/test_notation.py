"""Words, lines and position texts."""

from __future__ import annotations

import pytest

from engines.core.contract import ActionError, InvalidAction, Words
from engines.volo import GAME
from tests.games.volo import positions
from tests.games.volo.support import RNG, at, ending, legal, said, text_of

LINES: dict[str, Words] = {
    "c4": ("c4",),
    "e2-E3": ("e2", "E3"),
    "d1:d4-NE2": ("d1:d4", "NE2"),
    "d1:d4-NE2/b3": ("d1:d4", "NE2", "b3"),
    "d9:d10-W1": ("d9:d10", "W1"),
    "d1:d4": ("d1:d4",),
    "pass": ("pass",),
    "": (),
}


@pytest.mark.parametrize(("line", "words"), LINES.items())
def test_lines_and_words_are_each_other(line: str, words: Words) -> None:
    assert GAME.read(line) == words
    assert GAME.write(words) == line


@pytest.mark.parametrize(
    ("line", "words"),
    {
        " E2 - e3 ": ("e2", "E3"),
        "D4:D1-ne2/B3": ("d1:d4", "NE2", "b3"),
        "e1:d1-E1": ("d1:e1", "E1"),
        "d10:d9-E1": ("d9:d10", "E1"),
        "PASS": ("pass",),
        "\tC4\n": ("c4",),
    }.items(),
)
def test_case_spaces_and_the_order_of_ends_do_not_matter(line: str, words: Words) -> None:
    assert GAME.read(line) == words


@pytest.mark.parametrize(
    "line",
    [
        "n4",
        "c0",
        "c04",
        "c",
        "4c",
        "c4-",
        "c4-NE",
        "c4:c5:c6",
        "c4-E1/",
        "c4/b3",
        "pass c4",
        "c4-E0",
        "c4-E100",
    ],
)
def test_what_is_no_line(line: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.read(line)
    assert said(caught.value.msg).startswith("“")


def test_a_direction_that_is_none_is_read_and_refused() -> None:
    with pytest.raises(InvalidAction):
        GAME.act(at("d2 d6", "h2 k9"), 0, GAME.read("c4-N2"), RNG)


@pytest.mark.parametrize(
    "words", [("C4",), ("d4:d1", "NE2"), ("c4", "E1", "b3", "x"), ("pass", "pass"), ("",)]
)
def test_words_are_taken_in_their_normal_form_alone(words: Words) -> None:
    with pytest.raises(InvalidAction):
        GAME.write(words)
    with pytest.raises(InvalidAction):
        GAME.act(at("d2 d6", "h2 k9"), 0, words, RNG)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "Enter a turn:"),
        (("a1",), "“a1” isn’t on this board."),
        (("g7",), "“g7” isn’t on this board."),
        (("d1", "NE2", "g7"), "“g7” isn’t on this board."),
        (("d2", "up"), "“up” isn’t a flight."),
        (("x",), "“x” isn’t a point"),
        (("d2",), "You already have a bird on d2. To fly, add where to"),
        (("h2",), "There’s already a bird on h2."),
        (("h2", "E1"), "You have no bird on h2."),
    ],
)
def test_refusals_say_why(words: Words, text: str) -> None:
    with pytest.raises(ActionError) as caught:
        GAME.act(at("d2 d6", "h2 k9"), 0, words, RNG)
    assert said(caught.value.msg).startswith(text)


def test_every_turn_of_a_match_is_read_as_it_is_written() -> None:
    for key in ("standard", "small"):
        for position, _ in positions.played(f"notation {key}", key):
            for line in legal(GAME.position(position.text())):
                words = GAME.read(line)
                for length in range(1, len(words) + 1):
                    assert GAME.read(GAME.write(words[:length])) == words[:length]


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        text_of("b2 g12 l2", "b7 g2 l7"),
        text_of("b2 f10 j2", "b6 f2 j6", board="small"),
        text_of("d2 d6", "h2 k9", "b", passed=True),
        "." * 120 + " o",
    ],
)
def test_position_texts_come_back(text: str) -> None:
    state = GAME.position(text)
    assert GAME.position_text(state) == text
    assert GAME.view(state, None).position == text


def test_a_position_text_lists_row_m_first_and_each_row_from_the_left() -> None:
    assert text_of("m2 m6", "a6").startswith("o...o")
    assert text_of("m2 m6", "a6").endswith("b o")


def test_capitals_and_spaces_around_do_not_matter() -> None:
    text = text_of("d2 d6", "h2 k9", passed=True)
    assert GAME.position_text(GAME.position(f"  {text.upper()} \n")) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "A position is its points, a space, and"),
        ("." * 120, "A position is its points, a space, and"),
        ("." * 120 + " o pass b", "A position is its points, a space, and"),
        ("." * 120 + " o passed", "A position is its points, a space, and"),
        ("." * 119 + " o", "A position has 120 points (or 84 on the small board), not 119."),
        ("." * 119 + "x o", "Each point must be `.`, `o` or `b`, not “x”."),
        ("." * 120 + " w", "The side to move must be `o` or `b`, not “w”."),
        ("o" * 61 + "." * 59 + " o", "`o` has 61 birds, but the most allowed is 60."),
    ],
)
def test_what_is_no_position(text: str, why: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.position(text)
    assert said(caught.value.msg).startswith(why)


def test_a_position_may_be_over() -> None:
    assert ending(at("d2 d3", "h2 k9", "b")) == ("united", 0)
    assert ending(at("d2 d3", "h2 k9", "o")) == ("left_united", 0)
    assert ending(at("d2 d3", "h2 h3", "o")) == ("united", 1)
    assert ending(at("d2 d4", "h2 k9")) is None


def test_no_bird_at_all_is_no_flock() -> None:
    state = at("", "h2 k9")
    assert ending(state) is None
    assert legal(state) == {"pass"}
