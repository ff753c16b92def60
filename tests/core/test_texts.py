"""Catalogues of texts, and messages as plain data."""

from __future__ import annotations

import pytest

from engines.core import texts
from engines.core.contract import EVERYONE, Arg, SeatName, all_but, fact, facts_for, msg, only
from engines.core.contract import Event as Happening
from engines.core.texts import Catalogue

BOOK = Catalogue(
    {
        "en": {
            "won": "{who} won",
            "birds": {"one": "{n} bird", "other": "{n} birds"},
            "in": "{what} in {where}",
            "home": "home",
            "takes": {
                "by": "piece",
                "piece.guard": "takes a guard",
                "other": {"one": "takes one", "other": "takes {n}"},
            },
        },
        "it": {"won": "ha vinto {who}"},
        "pl": {"birds": {"one": "{n} ptak", "few": "{n} ptaki", "many": "{n} ptaków", "other": "{n} ptaka"}},
    }
)


def name(seat: int) -> str:
    return f"<{seat}>"


def test_gaps_are_filled() -> None:
    assert BOOK.render(msg("won", who=SeatName(1)), name) == "<1> won"
    assert BOOK.render(msg("birds", n=1), name) == "1 bird"
    assert BOOK.render(msg("birds", n=2), name) == "2 birds"
    assert BOOK.render(msg("in", what=msg("birds", n=3), where=msg("home")), name) == "3 birds in home"


@pytest.mark.parametrize(("n", "said"), [(1, "1 ptak"), (3, "3 ptaki"), (5, "5 ptaków"), (22, "22 ptaki")])
def test_the_language_has_its_own_plurals(n: int, said: str) -> None:
    assert BOOK.render(msg("birds", n=n), name, "pl") == said


def test_an_argument_can_choose_the_form() -> None:
    assert BOOK.render(msg("takes", piece=msg("piece.guard")), name) == "takes a guard"
    assert BOOK.render(msg("takes", piece="bird", n=1), name) == "takes one"
    assert BOOK.render(msg("takes", piece="bird", n=4), name) == "takes 4"
    for message in (msg("birds"), msg("takes", n=4), msg("birds", n="4")):
        with pytest.raises(KeyError):
            BOOK.render(message, name)


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ((), " won"),
        (("a",), "a won"),
        (("a", SeatName(1)), "a and <1> won"),
        (("a", "b", msg("home")), "a, b and home won"),
    ],
)
def test_lists_end_in_and(who: tuple[Arg, ...], said: str) -> None:
    assert BOOK.render(msg("won", who=who), name) == said


def test_a_list_is_in_the_language_of_its_reader() -> None:
    assert BOOK.render(msg("won", who=("a", "b")), name, "it") == "ha vinto a e b"


def test_what_fills_a_gap_is_not_read_again() -> None:
    assert BOOK.render(msg("won", who="{who}"), name) == "{who} won"


def test_a_missing_text_falls_back_to_english_and_no_further() -> None:
    assert BOOK.render(msg("won", who="a"), name, "it") == "ha vinto a"
    assert BOOK.render(msg("home"), name, "it") == BOOK.render(msg("home"), name, "xx") == "home"
    for message in (msg("lost"), msg("won")):
        with pytest.raises(KeyError):
            BOOK.render(message, name)


def test_catalogues_need_english() -> None:
    assert texts.load("tests.kit.odds.engine").render(msg("side.odd"), name) == "Odd"
    with pytest.raises(FileNotFoundError):
        texts.load("tests.contract")


def test_audiences_name_who_learns() -> None:
    events = (
        Happening(fact("all"), EVERYONE),
        Happening(fact("one"), only(1)),
        Happening(fact("others"), all_but(1)),
    )
    assert [item.kind for item in facts_for(events, 1)] == ["all", "one"]
    assert [item.kind for item in facts_for(events, 0)] == ["all", "others"]
    assert [item.kind for item in facts_for(events, None)] == ["all", "others"]


def test_facts_are_looked_up_by_name() -> None:
    seen = fact("said", number=3, nothing=None)
    assert (seen["number"], seen["nothing"], seen.get("other")) == (3, None, None)
    with pytest.raises(KeyError):
        seen["other"]
