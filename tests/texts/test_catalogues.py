"""Catalogues in every language, the pseudo-language too: the same gaps and forms, within their limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files

import pytest

from bot.cli.texts.catalogues import Row, forms_by_path, gaps_of, packages, translations
from engines.core.contract import Arg, SeatName, msg
from engines.core.languages import LANGUAGES
from engines.core.names import isolated
from engines.core.text_notes import Kind, notes
from engines.core.texts import load
from tests.kit.pseudo import CODE, installed


@pytest.fixture(autouse=True, scope="module")
def pseudo_language() -> Iterator[None]:
    with installed():
        yield


@pytest.mark.parametrize("package", packages())
def test_every_language_says_what_english_says(package: str) -> None:
    languages = load(package).languages
    assert CODE in languages
    for language, texts in languages.items():
        assert language in LANGUAGES, "a language without plural forms and lists"
        rows = [
            Row(package, key, path, "", form) for key in texts for path, form in forms_by_path(texts[key])
        ]
        assert [*translations(rows, language)[package]] == [key for key in languages["en"] if key in texts]


@pytest.mark.parametrize("package", packages())
def test_no_file_has_a_key_twice(package: str) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), "a key stands twice"
        return dict(pairs)

    names = {item.name for item in (files(package) / "locale").iterdir()}
    assert "en.json" in names
    for name in names:
        json.loads((files(package) / "locale" / name).read_text("utf-8"), object_pairs_hook=once)


@pytest.mark.parametrize("package", packages())
def test_no_note_is_about_nothing(package: str) -> None:
    assert notes(package).unused(load(package).languages["en"]) == []


LONGEST_NAME = "W" * 32

LONGEST: dict[Kind, Arg] = {
    Kind.NAME: SeatName(0),
    Kind.NAMES: (SeatName(0), SeatName(1)),
    Kind.SIDE: "Robot 4",
    Kind.COUNT: 1_000,
    Kind.NUMBER: 100,
    Kind.NUMBERS: (1, 2, 3),
    Kind.TIME: "<t:1700000000:R>",
    Kind.HOUR: "22:00",
    Kind.MATCH: "W" * 78,
    Kind.TITLE: "The Secret of the Doge",
    Kind.LINK: "<#1234567890123456789>",
    Kind.LINKS: ("<#1234567890123456789>",),
    Kind.CHOICE: "other",
    Kind.SQUARE: "d1:d4",
    Kind.SQUARES: ("c4", "d5", "e6"),
    Kind.TERM: "Maestro d’ascia",
    Kind.TERMS: ("Maestro d’ascia", "Sovrintendenza"),
    Kind.PART: "three days a turn, a week in reserve",
    Kind.PARTS: ("an hour a turn", "three days a turn"),
    Kind.QUOTE: "W" * 20,
    Kind.NOTATION: "place a04 b2, draw A A",
    Kind.CODE: "0" * 19,
}
"""The longest that a gap of each kind holds in a text with a limit."""


@pytest.mark.parametrize("package", packages())
def test_texts_keep_their_limits_in_every_language(package: str) -> None:
    noted, languages = notes(package), load(package).languages
    limits = {key: limit for key in languages["en"] if (limit := noted.limit(key)) is not None}
    assert limits or not noted.limits
    found = {key for language in languages for key in too_long(package, limits, language)}
    assert found == set()


def too_long(package: str, limits: Mapping[str, int], language: str) -> Iterator[str]:
    """Yield the keys of texts that a language makes longer than they may be."""
    catalogue, kinds = load(package), notes(package).gaps
    for key, limit in limits.items():
        gaps = gaps_of(catalogue.languages["en"][key])
        longest = {gap: LONGEST[kinds[gap]] if gap in kinds else "W" * 16 for gap in gaps}
        for values in (longest, longest | {"n": 1}):
            said = catalogue.render(msg(key, **values), lambda _: isolated(LONGEST_NAME), language)
            if len(said) > limit:
                yield key
