"""The pseudo-language on every page: nothing English is left, cut, or put together by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.domain.clocks import KNOWN_ZONES, city
from bot.pages.texts import Texts
from engines.core.languages import LANGUAGES
from engines.core.registry import games
from engines.core.text_notes import notes
from engines.core.texts import load
from tests.kit.pseudo import CODE, installed, left_over, pseudo, put_together
from tests.texts.gallery import Shown, game_pages, house_pages
from tests.ui.limits import check
from tests.ui.positions import KEYS

CITIES = frozenset(map(city, KNOWN_ZONES))

ALLOWED = (
    frozenset({*(game.manifest.title for game in games().values()), "Bauta", "Discord", "English"}) | CITIES
)
"""What is the same in every language; cities are called as the database of time zones calls them, and
languages what they call themselves."""


@pytest.fixture(autouse=True, scope="module")
def pseudo_language() -> Iterator[None]:
    with installed():
        yield


def faults(page: Shown, english: Shown) -> set[str]:
    """Return what is wrong with a page of the pseudo-language, beside the same page in English."""
    found: set[str] = set()
    for place, text in page.texts:
        found |= {
            f"{page.name}, {place}: {word} is English: {text[:80]}" for word in left_over(text, ALLOWED)
        }
        found |= {f"{page.name}, {place}: joined by {part!r}: {text[:80]}" for part in put_together(text)}
    cut, usual = ("".join(text for _, text in each.texts).count("…") for each in (page, english))
    if cut > usual:
        found.add(f"{page.name}: something is cut")
    return found


def all_faults(pages: Iterator[Shown], english: Iterator[Shown]) -> list[str]:
    found: set[str] = set()
    for page, usual in zip(pages, english, strict=True):
        assert page.name == usual.name
        if page.components is not None:
            check(page.components)
        found |= faults(page, usual)
    return sorted(found)


def test_the_pages_of_the_house() -> None:
    assert all_faults(house_pages(Texts(CODE)), house_pages(Texts())) == []


@pytest.mark.parametrize("key", KEYS)
def test_the_pages_of_a_game(key: str) -> None:
    assert all_faults(game_pages(key, Texts(CODE)), game_pages(key, Texts())) == []


SURFACES = {
    "label": 80,
    "placeholder": 150,
    "option label": 100,
    "option description": 100,
    "modal title": 45,
    "modal label": 45,
    "modal description": 100,
}
"""The most characters that Discord takes, by place."""


def test_every_text_of_the_house_on_a_control_has_its_limit() -> None:
    keys: dict[str, list[str]] = {}
    for key, text in load("bot").languages["en"].items():
        keys.setdefault(str(text), []).append(key)
    limits, seen, found = notes("bot").limit, set[str](), set[str]()
    for page in (*house_pages(Texts()), *(page for key in KEYS for page in game_pages(key, Texts()))):
        for place, text in page.texts:
            if place in SURFACES and text in keys:
                known = [limit for key in keys[text] if (limit := limits(key)) is not None]
                seen.add(place)
                found |= set() if known and min(known) <= SURFACES[place] else {f"{place}: {keys[text]}"}
    assert found == set()
    assert seen == set(SURFACES)


def test_a_text_of_the_pseudo_language() -> None:
    assert pseudo("Join {player}!") == "«Jóíñ {player}!»"
    assert pseudo("-# Type `c4` or /play, **now**.") == "-# «Ţýpé `c4` óŕ /play, **ñów** öööö.»"
    assert pseudo("◀") == "◀"
    assert pseudo({"one": "a card", "other": "{n} cards"}) == {
        "one": "«á çáŕđ»",
        "few": "«{n} çáŕđš»",
        "many": "«{n} çáŕđš»",
        "other": "«{n} çáŕđš»",
    }
    assert pseudo({"by": "piece", "guard": "guard", "other": "{piece}"}) == {
        "by": "piece",
        "guard": "«ğúáŕđ»",
        "other": "«{piece}»",
    }
    assert [LANGUAGES[CODE].plural(n) for n in (0, 1, 2, 5)] == ["other", "one", "few", "many"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("«Đŕáw» Red", ["Red"]),
        ("«Đŕáw a card»", ["card"]),
        ("«Đŕáw» NALCANSNLA \u2068Anna\u2069 <@17> `draw A` /play c4 https://example.org 🎲", []),
        ("[«VOLTO»](https://example.org/a)", []),
    ],
)
def test_what_is_left_of_english_is_found(text: str, words: list[str]) -> None:
    assert left_over(text, ALLOWED) == words


@pytest.mark.parametrize(
    ("text", "between"),
    [
        ("«á» «b»", [" "]),
        ("«á.» «b»", []),
        ("«á: »«b»", [""]),
        ("«á» · «b», «ç» ůnd «đ»", []),
        ("«á «b» ç»\n«đ»", []),
        ("«á» · \u2068«Áúţómá 1»\u2069 – \u2068Anna\u2069 · «b»", [" · N – N · "]),
    ],
)
def test_what_is_put_together_is_found(text: str, between: list[str]) -> None:
    assert put_together(text) == between
