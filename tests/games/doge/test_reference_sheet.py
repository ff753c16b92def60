"""The reference's clue sheet, against the rulebook's examples and the rules page."""

from __future__ import annotations

import pytest

from tests.games.doge.reference_sheet import CRAFTS, Clue, columns, deduced, marks

BLUE, YELLOW, RED, GREEN = range(4)
LEO = ("own", YELLOW, "comune", "remer")
MARTA = ("shown", GREEN, "comune", "impiraressa")


def test_leos_sheet_of_the_worked_check() -> None:
    begin = deduced(4, [], YELLOW, [LEO])
    assert (begin["deals"], len(begin["treasures"])) == (576, 16)
    for other in ("blue", "red", "green"):
        zeros = [card for card, mark in begin["sure"][other].items() if mark == "0"]
        assert zeros == ["remer", "comune"]
    met = deduced(4, [], YELLOW, [LEO, MARTA])
    assert (met["deals"], len(met["treasures"])) == (144, 12)
    assert [met["sure"]["green"][craft] for craft in CRAFTS] == ["0", "0", "0", "0", "X"]
    assert met["sure"]["red"]["impiraressa"] == met["sure"]["blue"]["impiraressa"] == "0"
    clues = [LEO, MARTA, ("shown", RED, "biennale", "favro")]
    both = deduced(4, [], YELLOW, clues)
    assert (both["deals"], len(both["treasures"])) == (60, 11)
    assert set(met["treasures"]) - set(both["treasures"]) == {("biennale", "favro")}
    drawn = marks(both, columns(4, YELLOW, clues))
    assert drawn["red"]["biennale"] == drawn["red"]["favro"] == "?"


@pytest.mark.parametrize("craft", ["impiraressa", "remer"])
def test_leo_would_have_known_dario(craft: str) -> None:
    found = deduced(4, [], YELLOW, [LEO, MARTA, ("shown", RED, "biennale", craft)])
    assert (found["deals"], len(found["treasures"])) == (36, 9)
    assert found["sure"]["red"]["biennale"] == "X"


def test_the_sheets_that_the_rulebook_draws() -> None:
    dario = deduced(4, [], RED, [("own", RED, "biennale", "corder")])
    drawn = marks(dario, columns(4, RED, []))
    assert set(drawn) == {"blue", "yellow", "green"}
    for rows in drawn.values():
        assert {card for card, mark in rows.items() if mark == "0"} == {"biennale", "corder"}
        assert set(rows.values()) == {"0", ""}
    clues = [LEO, MARTA, ("shown", RED, "biennale", "favro")]
    leo = marks(deduced(4, [], YELLOW, clues), columns(4, YELLOW, clues))
    assert {card: mark for card, mark in leo["red"].items() if mark} == {
        "biennale": "?",
        "favro": "?",
        "comune": "0",
        "remer": "0",
        "impiraressa": "0",
    }
    assert {card: mark for card, mark in leo["blue"].items() if mark} == {
        "comune": "0",
        "remer": "0",
        "impiraressa": "0",
    }
    assert leo["green"]["impiraressa"] == "X"
    assert columns(4, YELLOW, clues)["green"] == [{"comune": "?", "impiraressa": "?"}]


def test_the_console_situation_of_a_seat_that_guessed_wrong() -> None:
    clues = [
        ("own", RED, "biennale", "corder"),
        ("shown", GREEN, "comune", "impiraressa"),
        ("false", BLUE, "remer"),
        ("false", YELLOW, "marina"),
        ("wrong", "marina", "favro"),
        ("treasure", "peril", "ascia"),
    ]
    found = deduced(4, [], RED, clues)
    assert found["deals"] == 6
    assert found["treasures"] == [("peril", "ascia")]
    assert found["pairs"]["blue"] == [
        ("comune", "favro"),
        ("marina", "favro"),
        ("marina", "impiraressa"),
        ("sovrintendenza", "favro"),
    ]
    green = {"comune": "?", "impiraressa": "?", "marina": "", "sovrintendenza": "", "favro": "", "remer": ""}
    zeros = dict.fromkeys(("peril", "biennale", "ascia", "corder"), "0")
    assert marks(found, columns(4, RED, clues))["green"] == green | zeros


@pytest.mark.parametrize(
    ("seats", "removed", "public_deals", "own_deals", "treasures"),
    [
        (4, [], 14400, 576, 16),
        (3, ["peril", "favro"], 576, 36, 9),
        (2, ["peril", "marina", "favro", "ascia"], 36, 4, 4),
    ],
)
def test_how_many_deals_there_are_at_the_start(
    seats: int, removed: list[str], public_deals: int, own_deals: int, treasures: int
) -> None:
    assert deduced(seats, removed, None, [])["deals"] == public_deals
    found = deduced(seats, removed, 0, [("own", 0, "comune", "corder")])
    assert (found["deals"], len(found["treasures"])) == (own_deals, treasures)
    assert not set(removed) & set(found["sure"]["yellow"])


def test_a_wrong_pair_may_be_half_right() -> None:
    found = deduced(2, ["peril", "marina", "favro", "ascia"], 0, [("wrong", "comune", "corder")])
    assert found["deals"] == 36 - 4
    assert {("comune", "remer"), ("biennale", "corder")} <= set(found["treasures"])


def test_what_was_entered_is_never_changed() -> None:
    clues: list[Clue] = [LEO, MARTA, ("false", GREEN, "comune"), ("own false", "peril")]
    assert columns(4, YELLOW, clues) == {
        "blue": [],
        "red": [],
        "green": [{"comune": "?", "impiraressa": "?"}, {"comune": "0"}],
    }
