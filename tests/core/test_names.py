"""Names: what of them is shown, which are alike, and what seats are called."""

from __future__ import annotations

import unicodedata

import pytest

from engines.core.names import (
    FIRST_STRONG,
    POP,
    Called,
    Seating,
    alike,
    as_read,
    beside,
    is_like_side,
    isolated,
    phrases_of,
    tidy,
)
from engines.core.texts import load

SIDES = ("Red", "Blue", "Yellow", "Green")
PHRASES = phrases_of((load("engines.corto"),), "Seat 1", "Seat 2")


def fit(limit: int, name: str, side: str) -> Called | None:
    tail = beside(side)
    room = limit - len(tail)
    if room < 2:
        return None
    return Called(name if len(name) <= room else name[: room - 1] + "…", tail)


def called(*names: str, limit: int = 32) -> list[str]:
    seating = Seating(names, SIDES[: len(names)], PHRASES)
    return [str(one) for one in seating.called(lambda name, side: fit(limit, name, side))]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Anna", "Anna"),
        (" a\r\n\tb ", "a b"),
        ("\u2067Anna\u2069", "Anna"),
        ("\u202eanna\u202c\u200f", "anna"),
        ("Zoë ✨", "Zoë ✨"),
        ("a" + "\u0301\u0302\u0303\u0304\u0305", "á\u0302\u0303"),
        ("é" + "\u0301" * 9 + "x", "é\u0301\u0301x"),
        ("\u0301\u0301\u0301\u0301Anna", "Anna"),
        ("\u0301" * 40, ""),
        ("a \u0301\u0301\u0301\u0301\u0301b", "a \u0301\u0301\u0301b"),
        ("कि", "कि"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("\u3164\u034f", ""),
    ],
)
def test_what_of_a_name_is_shown(name: str, shown: str) -> None:
    assert tidy(name) == shown
    assert tidy(tidy(name)) == tidy(name)


def test_no_base_keeps_more_than_three_marks() -> None:
    wild = "".join(base + "\u0316\u0317\u0318\u0319\u0330" * 6 for base in "Zalgo né 한 के")
    marks = 0
    for character in unicodedata.normalize("NFD", tidy(wild)):
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        assert marks <= 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anna"),
        ("Anna", "ANNA"),
        ("Anna", "An\u200bna"),
        ("Anna", "\u2068Anna\u2069"),
        ("Anna", "Ann\u0430"),
        ("ANNA", "\u0391\u039d\u039d\u0391"),
        ("Anna", "Ａｎｎａ"),
        ("Anna", "𝓐𝓷𝓷𝓪"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Bob", "B0b"),
        ("Mia", "rnia"),
        ("Zoe", "Zoë"),
        ("Anna", "Anna\u0301"),
        ("Anna", "Anna ✨"),
        ("Anna", "anna_"),
        ("J.R.", "JR"),
        ("✨", "✨"),
        ("🔥", "🔥\u200d"),
        ("❤", "❤\ufe0f"),
        ("Anna", "ꓮnna"),
        ("Anna", "🅰nna"),
        ("Bob", "Ƅob"),
        ("Lena", "Łena"),
        ("Clara", "dara"),
        ("カカ", "力力"),
        ("Νίκη", "ΝΊΚΗ"),
    ],
)
def test_names_that_are_taken_for_each_other(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Ana"),
        ("Lena", "Nena"),
        ("Anna 1", "Anna 2"),
        ("✨", "🎲"),
        ("का", "की"),
        ("안나", "한나"),
        ("★", "☆"),
    ],
)
def test_names_that_are_two(one: str, other: str) -> None:
    assert not alike(one, other)


def test_names_that_are_two_say_no_side() -> None:
    assert called("Anna", "Ben", "Clara", "Dora") == ["Anna", "Ben", "Clara", "Dora"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Anna", "Anna", "Ben"), ["Anna (Red)", "Anna (Blue)", "Ben"]),
        (("Anna", "ANNA"), ["Anna (Red)", "ANNA (Blue)"]),
        (("Anna", "An\u200bna"), ["Anna (Red)", "Anna (Blue)"]),
        (("Blue", "Ben"), ["Blue (Red)", "Ben"]),
        (("Blue", "Red"), ["Blue (Red)", "Red (Blue)"]),
        (("Вlue", "Ben"), ["Вlue (Red)", "Ben"]),
        (("B l u e", "Ben"), ["B l u e (Red)", "Ben"]),
        (("Blue!", "Ben"), ["Blue! (Red)", "Ben"]),
        (("Ben (Blue)", "Ben"), ["Ben (Blue) (Red)", "Ben"]),
        (("Clara (Blue)", "Ben"), ["Clara (Blue) (Red)", "Ben"]),
        (("Seat 2", "Ben"), ["Seat 2 (Red)", "Ben"]),
        (("Ben, Clara", "Ben", "Clara"), ["Ben, Clara (Red)", "Ben", "Clara"]),
        (("Bluebell", "Ben"), ["Bluebell", "Ben"]),
        (("✨", "✨"), ["✨ (Red)", "✨ (Blue)"]),
        (("\u0301\u0301", "Ben"), ["Red", "Ben"]),
        (("", "Red"), ["Red", "Red (Blue)"]),
        # Nobody sits there: what a side is called is no name.
        (SIDES, [*SIDES]),
    ],
)
def test_a_side_is_said_where_a_name_could_mislead(names: tuple[str, ...], shown: list[str]) -> None:
    assert called(*names) == shown


def test_whatever_is_cut_the_side_stays() -> None:
    one, other = "Christopher Robin the first", "Christopher Robin the other"
    assert called(one, other) == [one, other]
    assert called(one, other, limit=20) == ["Christopher R… (Red)", "Christopher … (Blue)"]
    # A longer name becomes a side when it is cut.
    assert called("Blue Moon", "Ben", limit=6)[0] != "Blue …"
    for limit in range(1, 40):
        shown = called("Anna Maria", "anna maria", "Anna Marie", "Blue", limit=limit)
        assert len(set(shown)) == 4


def test_before_sides_are_known_none_is_said() -> None:
    seating = Seating(("Anna", "Anna"), ("Seat 1", "Seat 2"), None)
    assert [*map(str, seating.called(lambda name, side: fit(32, name, side)))] == ["Anna", "Anna"]


def test_a_name_is_isolated_without_its_side() -> None:
    assert Called("مرحبا", " (Red)").isolated() == f"{FIRST_STRONG}مرحبا{POP} (Red)"
    assert isolated("") == ""


@pytest.mark.parametrize(
    "name", ["ꓐꓡꓴꓰ", "🅱🅻🆄🅴", "🅑🅛🅤🅔", "🇷🇪🇩", "Rɇd", "Błue", "ɓlue", "Bɫue", "Bιue", "ᖇed", "R℮d", "🔴", "🟥"]
)
def test_a_side_in_other_letters_and_signs_is_taken_for_it(name: str) -> None:
    assert is_like_side(name, phrases_of((), "Red", "Blue"))
    assert not is_like_side(name, phrases_of((), "Green", "Yellow"))


@pytest.mark.parametrize("name", ["Dozer", "the Dozer", "North", "Robot 1", "robot1"])
def test_every_word_for_a_side_counts(name: str) -> None:
    phrases = phrases_of((load("engines.volt"), load("renderers.volt")))
    assert is_like_side(name, phrases)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("play A04 a3", "play A04 a3"),
        ("ｐｌａｙ　Ａ０４ ａ３", "play A04 a3"),
        ("pl\u200bay\ufeff A04\u2060 a3\u200d", "play A04 a3"),
        ("\u2068a3\u2069", "a3"),
        ("①", "1"),
    ],
)
def test_what_is_typed_is_read_in_plain_letters(text: str, read: str) -> None:
    assert as_read(text) == read
