"""Plural categories and lists, compared with CLDR as Babel has it."""

from __future__ import annotations

import pytest
from babel import Locale
from babel.lists import format_list

from engines.core.languages import LANGUAGES, language_of

CLDR = {"en": "en_GB", "no": "nb", "zh-CN": "zh_Hans", "zh-TW": "zh_Hant"}
"""What CLDR calls a language, where its name differs from ours."""

NUMBERS = (*range(1_200), 10_000, 100_001, 999_999, 1_000_000, 1_000_001, 3_000_000)

FRACTIONS_ALONE = {("cs", "many"), ("lt", "many")}
"""Categories that no whole number has."""


@pytest.fixture(params=sorted(LANGUAGES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_plural_categories_are_those_of_cldr(name: str) -> None:
    plural, language = Locale.parse(CLDR.get(name, name)).plural_form, LANGUAGES[name]
    assert [(n, language.plural(n)) for n in NUMBERS] == [(n, plural(n)) for n in NUMBERS]
    used = {tag for tag in {*plural.tags, "other"} if (name, tag) not in FRACTIONS_ALONE}
    assert set(language.categories) == used


def test_lists_are_those_of_cldr(name: str) -> None:
    for count in range(5):
        items: list[str] = list("ABCD"[:count])
        expected = format_list(items, locale=CLDR.get(name, name)).replace("\N{NO-BREAK SPACE}", " ")
        assert LANGUAGES[name].join(items) == expected


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("en-GB", "en"),
        ("pt-BR", "pt"),
        ("es-419", "es"),
        ("zh-CN", "zh-CN"),
        ("zh-TW", "zh-TW"),
        ("xx", "xx"),
        (None, "en"),
    ],
)
def test_regions_make_no_language_of_their_own_but_in_chinese(locale: str | None, language: str) -> None:
    assert language_of(locale) == language
