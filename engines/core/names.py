"""What players are called: names cleaned for display, and distinguishable from each other and from sides.

One class, :class:`Seating`, decides for a whole table at once, so that texts, options, descriptions and
pictures call a seat alike. It affects no rule and no digest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeAlias

from engines.core.texts import Catalogue, forms

FIRST_STRONG, POP = "\u2068", "\u2069"
"""Isolates around a name: neither it nor the text around it changes the direction of the other."""

MOST_MARKS = 3
"""Combining marks on one base, at most."""

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories that are invisible, or change the direction of what follows."""

Words: TypeAlias = tuple[str, ...]
Phrases: TypeAlias = frozenset[tuple[Words, Words]]
"""What sides are called, each folded in two ways: see :func:`_words`."""

_SIDES = ("seat.", "side.", "model.")
"""Prefixes of the keys of texts by which a game, or its painter, calls a side."""

_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Invisible letters, marks and signs, variation selectors among them."""

_LOOKS = {
    "A": "АΑᎪᴀꓮᗅ", "B": "ВΒᏴʙвꓐᗷ", "C": "СϹᏟᴄꓚᑕ", "D": "ᎠᴅꓓᗪƉ", "E": "ЕΕᎬᴇꓰ℮", "F": "Ϝꓝᖴ", "G": "ԌᏀɢꓖ",
    "H": "НΗᎻʜнꓧᕼ", "J": "ЈᎫᴊꓙᒍ", "K": "КΚᏦᴋкκꓗ", "L": "ᏞʟꓡᒪⅬ", "M": "МΜᎷᴍмꓟ", "N": "Νɴꓠ", "O": "ОΟՕ0ꓳ",
    "P": "РΡᏢᴘꓑᑭ", "Q": "Ԛ", "R": "ᎡʀꓣᖇᏒ", "S": "ЅՏᏚꓢ", "T": "ТΤᎢᴛтτꓔ", "U": "Սᴜꓴᑌ", "V": "ѴᏙᴠꓦᐯ",
    "W": "ԜᎳᴡꓪ", "X": "ХΧꓫ", "Y": "УΥҮꓬ", "Z": "ΖᏃᴢꓜ", "a": "аαɑ", "b": "ЬβƄƅ", "c": "сϲ", "d": "ԁɗƌƋ",
    "e": "еε", "g": "ɡց", "h": "һհ", "j": "јϳ", "l": "I1|ІΙӀӏǀꓲiіιıɩ", "n": "ηոռ", "o": "оοօσ", "p": "рρ",
    "q": "ԛգ", "r": "гᴦ", "s": "ѕ", "u": "υսʋ", "v": "νѵ", "w": "ԝωѡ", "x": "хχ", "y": "уγүყ", "z": "ʐ",
    "力": "カ", "口": "ロ", "二": "ニ", "工": "エ", "夕": "タ", "卜": "ト", "八": "ハ",
}  # fmt: skip
"""Look-alikes, by the letter for which they can be taken, most of them from scripts other than Latin."""

_LATIN = {ord(look): letter for letter, looks in _LOOKS.items() for look in looks}
_FORM_OF_LATIN = re.compile(
    r"(?P<form>(?:NEGATIVE (?:SQUARED|CIRCLED) )?LATIN (?:SMALL|CAPITAL)|REGIONAL INDICATOR SYMBOL) LETTER"
    r" (?P<letter>[A-Z])(?: WITH .*)?"
)
"""Unicode's names of forms of Latin letters. Many have no decomposition."""

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Pairs of letters that look like one."""


def isolated(name: str) -> str:
    """Return a name for use within a text: neither changes the direction of the other."""
    return f"{FIRST_STRONG}{name}{POP}" if name else ""


@lru_cache(maxsize=4096)
def tidy(name: str) -> str:
    """Return the displayable part of a name: one line without controls, at most three marks on a base.

    Empty if nothing would be visible.
    """
    line = "".join(c for c in " ".join(name.split()) if c in JOINERS or _is_seen(c))
    shown = "".join(map(_with_few_marks, _clusters(line))).strip()
    return shown if any(unicodedata.category(c)[0] not in "MZC" for c in shown if c not in _BLANK) else ""


def as_read(text: str) -> str:
    """Return typed text as it is read: compatible forms made plain (NFKC), without zero-width characters."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if unicodedata.category(c) != "Cf" and c not in _BLANK)


@dataclass(frozen=True, slots=True)
class Called:
    """What a seat is called: a name, and what follows it: its side in brackets, or nothing."""

    name: str = field(repr=False)
    tail: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.name + self.tail

    def isolated(self, show: Callable[[str], str] = str) -> str:
        """Return it for use within a text; ``show`` makes markup of the name."""
        return isolated(show(self.name)) + self.tail


def beside(side: str) -> str:
    """Return a side as shown after a name; empty for no side."""
    return f" ({side})" if side else ""


Fit: TypeAlias = Callable[[str, str], Called | None]
"""Cuts a name so that it fits together with the side that follows it, if any; ``None``: it cannot fit."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A table's players: their names and their sides, by seat, and what sides are called in any language."""

    names: tuple[str, ...] = field(repr=False)
    sides: tuple[str, ...] = field(repr=False)
    phrases: Phrases | None = field(repr=False)
    """``None``: who has which side is not known yet, and none is shown."""

    def marked(self, fit: Fit) -> frozenset[int]:
        """Return the seats whose names are shown with their side: see :meth:`called`."""
        return self._decided(fit, ())[0]

    def called(self, fit: Fit, marked: Iterable[int] = ()) -> tuple[Called, ...]:
        """Return what each seat is called: its player's name, with the side if it needs one.

        It needs one if the name, or what ``fit`` leaves of it, could be taken for another's or for a side,
        or if the seat is in ``marked``. If nothing is left of a name, the side replaces it.
        """
        return self._decided(fit, marked)[1]

    def _decided(self, fit: Fit, marked: Iterable[int]) -> tuple[frozenset[int], tuple[Called, ...]]:
        shown = [tidy(name) for name in self.names]
        found = frozenset(marked) | self._confusable(shown)
        while True:
            called = [
                _called(name, side, fit, says_side=seat in found)
                for seat, (name, side) in enumerate(zip(shown, self.sides, strict=True))
            ]
            # After a cut, two names may look alike, or like a side.
            more = self._confusable([*map(str, called)]) - found
            if not more:
                return found, tuple(called)
            found |= more

    def _confusable(self, names: Sequence[str]) -> frozenset[int]:
        """Return the seats whose names could be taken for another's, or for a side."""
        if self.phrases is None:
            return frozenset()
        return frozenset(
            seat
            for seat, name in enumerate(names)
            if name
            and (
                is_like_any(name, [*names[:seat], *names[seat + 1 :]])
                or (name != self.sides[seat] and is_like_side(name, self.phrases))
            )
        )


def _called(name: str, side: str, fit: Fit, *, says_side: bool) -> Called:
    return (fit(name, side if says_side else "") if name else None) or Called(side)


@cache
def phrases_of(catalogues: tuple[Catalogue, ...], *more: str) -> Phrases:
    """Return what sides are called in catalogues, in every language, with ``more`` added."""
    texts = [*more]
    for catalogue in catalogues:
        for in_language in catalogue.languages.values():
            for key, text in in_language.items():
                if key.startswith(_SIDES):
                    texts += forms(text)
    return frozenset(map(_words, texts))


def is_like_any(name: str, others: Iterable[str]) -> bool:
    """Return whether a name, or a part of it between signs, could be taken for one of ``others``.

    "Anna (Red)" and "Anna, Ben" are read as Anna.
    """
    parts = (name, *_parts(name))
    return any(alike(part, other) for other in others if other for part in parts)


@lru_cache(maxsize=4096)
def is_like_side(name: str, phrases: Phrases) -> bool:
    """Return whether a name could be taken for what a side is called, or contains that."""
    return any(
        _holds(own, side) or _holds(side, own) or "".join(own) == "".join(side)
        for text in {name, _signs_in_words(name)}
        for phrase in phrases
        for own, side in zip(_words(text), phrase, strict=True)
    )


def alike(one: str, other: str) -> bool:
    """Return whether a name could be taken for another: by its letters, or by their looks."""
    return any(a == b for a, b in zip(_skeletons(one), _skeletons(other), strict=True))


def skeleton(text: str) -> str:
    """Return a key shared by texts that differ only in case, marks, widths, signs and what is invisible."""
    return _skeletons(text)[0]


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in UNSEEN


def _clusters(line: str) -> list[str]:
    """Split a line into bases with their marks; marks without a base are left out."""
    found: list[str] = []
    for character in line:
        if not unicodedata.category(character).startswith("M"):
            found.append(character)
        elif found:
            found[-1] += character
    return found


def _with_few_marks(cluster: str) -> str:
    parts = unicodedata.normalize("NFD", cluster)
    marks = [c for c in parts if unicodedata.category(c).startswith("M")]
    if len(marks) <= MOST_MARKS:
        return cluster
    base = "".join(c for c in parts if not unicodedata.category(c).startswith("M"))
    return unicodedata.normalize("NFC", base + "".join(marks[:MOST_MARKS]))


@lru_cache(maxsize=4096)
def _parts(name: str) -> Words:
    """Return the parts of a name between its signs, if there are several."""
    parts = "".join("\n" if unicodedata.category(c)[0] in "PS" else c for c in name).split("\n")
    named = tuple(part for part in map(str.strip, parts) if part)
    return named if len(named) > 1 else ()


def _holds(words: Words, part: Words) -> bool:
    """Return whether ``words`` contain ``part``, in a row."""
    size = len(part)
    return bool(part) and any(words[at : at + size] == part for at in range(len(words) - size + 1))


@lru_cache(maxsize=4096)
def _skeletons(text: str) -> Words:
    by_letters, by_looks = _words(text)
    # Nothing would be left of signs alone. Joiners and variation selectors are invisible.
    signs = "".join(c for c in as_read(text) if unicodedata.category(c)[0] not in "MZ")
    return "".join(by_letters) or signs, "".join(by_looks) or signs


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[Words, Words]:
    """Return the words of a text, folded by its letters and by their looks."""
    plain = as_read(text)
    by_letters, by_looks = (_folded(each).split() for each in (plain, plain.translate(_LATIN)))
    return tuple(by_letters), tuple(map(_without_pairs, by_looks))


def _signs_in_words(text: str) -> str:
    """Return a text with signs spelled out: a red circle is read as the red side."""
    return "".join(f" {unicodedata.name(c, '')} " if unicodedata.category(c) == "So" else c for c in text)


def _plain_letter(character: str) -> str:
    """Return the Latin letter that a character is a form of: with a stroke, in a square, as half a flag."""
    found = _FORM_OF_LATIN.fullmatch(unicodedata.name(character, ""))
    if found is None:
        return character
    return found["letter"] if "SMALL" not in found["form"] else found["letter"].lower()


def _without_pairs(word: str) -> str:
    for pair, one in _PAIRS:
        word = word.replace(pair, one)
    return word


def _folded(text: str) -> str:
    """Return letters and digits without case and diacritics; anything else separates words."""
    plain = text if text.isascii() else "".join(map(_plain_letter, text))
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", plain).casefold())
    return "".join(_kept(c) for c in parts)


def _kept(character: str) -> str:
    if character.isalnum():
        number = unicodedata.decimal(character, None)
        return character if number is None else str(number)
    if unicodedata.category(character).startswith("M"):
        # Outside Latin, Greek and Cyrillic a mark makes another syllable.
        return "" if unicodedata.name(character, "").startswith("COMBINING") else character
    return " "
