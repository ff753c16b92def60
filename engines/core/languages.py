"""What differs between languages beside their words: plural categories and lists.

Both follow Unicode's CLDR, for whole numbers; ``tests/core/test_languages.py`` compares them with Babel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

FALLBACK = "en"

Plural: TypeAlias = Callable[[int], str]
"""Returns the category of a whole number: ``"one"``, ``"two"``, ``"few"``, ``"many"`` or ``"other"``."""


def _one(n: int) -> str:
    return "one" if n == 1 else "other"


def _zero_or_one(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _none(_: int) -> str:
    return "other"


def _one_or_millions(n: int) -> str:
    return "many" if n and n % 1_000_000 == 0 else _one(n)


def _zero_one_or_millions(n: int) -> str:
    return "many" if n and n % 1_000_000 == 0 else _zero_or_one(n)


def _romanian(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


def _czech(n: int) -> str:
    return "one" if n == 1 else "few" if 2 <= n <= 4 else "other"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if _ends_in_two_to_four(n) else "many"


def _east_slavic(n: int) -> str:
    if _ends_in_one(n):
        return "one"
    return "few" if _ends_in_two_to_four(n) else "many"


def _croatian(n: int) -> str:
    if _ends_in_one(n):
        return "one"
    return "few" if _ends_in_two_to_four(n) else "other"


def _lithuanian(n: int) -> str:
    if 11 <= n % 100 <= 19 or n % 10 == 0:
        return "other"
    return "one" if n % 10 == 1 else "few"


def _ends_in_one(n: int) -> bool:
    return n % 10 == 1 and n % 100 != 11


def _ends_in_two_to_four(n: int) -> bool:
    return n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)


@dataclass(frozen=True, slots=True)
class Language:
    """The rules of one language."""

    plural: Plural
    categories: tuple[str, ...]
    """The categories that a text with a counted noun has."""
    pair: str
    """Two items of a list."""
    last: str
    """The list so far and its last item, if there are more than two."""
    between: str = ", "
    """Between the items before that."""

    def join(self, items: list[str]) -> str:
        """Return a list of words as it stands in a sentence."""
        if len(items) < 2:
            return "".join(items)
        *before, last = items
        return (self.pair if len(before) == 1 else self.last).format(self.between.join(before), last)


def _plain(plural: Plural, categories: str, word: str) -> Language:
    pattern = f"{{0}} {word} {{1}}"
    return Language(plural, tuple(categories.split()), pattern, pattern)


LANGUAGES: Mapping[str, Language] = {
    "bg": _plain(_one, "one other", "и"),
    "cs": _plain(_czech, "one few other", "a"),
    "da": _plain(_one, "one other", "og"),
    "de": _plain(_one, "one other", "und"),
    "el": _plain(_one, "one other", "και"),
    "en": _plain(_one, "one other", "and"),
    "es": _plain(_one_or_millions, "one many other", "y"),
    "fi": _plain(_one, "one other", "ja"),
    "fr": _plain(_zero_one_or_millions, "one many other", "et"),
    "hi": _plain(_zero_or_one, "one other", "और"),
    "hr": _plain(_croatian, "one few other", "i"),
    "hu": _plain(_one, "one other", "és"),
    "id": Language(_none, ("other",), "{0} dan {1}", "{0}, dan {1}"),
    "it": _plain(_one_or_millions, "one many other", "e"),
    "ja": Language(_none, ("other",), "{0}、{1}", "{0}、{1}", "、"),
    "ko": _plain(_none, "other", "및"),
    "lt": _plain(_lithuanian, "one few other", "ir"),
    "nl": _plain(_one, "one other", "en"),
    "no": _plain(_one, "one other", "og"),
    "pl": _plain(_polish, "one few many other", "i"),
    "pt": _plain(_zero_one_or_millions, "one many other", "e"),
    "ro": _plain(_romanian, "one few other", "și"),
    "ru": _plain(_east_slavic, "one few many other", "и"),
    "sv": _plain(_one, "one other", "och"),
    "th": Language(_none, ("other",), "{0}และ{1}", "{0} และ{1}", " "),
    "tr": _plain(_one, "one other", "ve"),
    "uk": _plain(_east_slavic, "one few many other", "і"),
    "vi": _plain(_zero_or_one, "one other", "và"),
    "zh-CN": Language(_none, ("other",), "{0}和{1}", "{0}和{1}", "、"),
    "zh-TW": Language(_none, ("other",), "{0}和{1}", "{0}和{1}", "、"),
}
"""By language: Discord's locales without their regions, but for the two Chinese scripts."""


def language_of(locale: str | None) -> str:
    """Return the language of a Discord locale; English without one."""
    name = locale or FALLBACK
    return name if name in LANGUAGES else name.partition("-")[0]
