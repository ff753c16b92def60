"""What players are called: names cleaned for show, and told apart from each other and from sides.

One class, :class:`Seating`, decides for a whole table at once, so that texts, options, descriptions and
pictures call a seat alike. Nothing of it reaches a rule or a digest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeAlias

from engines.core.texts import Catalogue

FIRST_STRONG, POP = "\u2068", "\u2069"
"""Around a name: neither the order of its letters nor that of the text around it turns the other."""

MOST_MARKS = 3
"""Combining marks on one base."""

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories that show nothing, or turn the direction of what follows."""

Words: TypeAlias = tuple[str, ...]
Phrases: TypeAlias = frozenset[tuple[Words, Words]]
"""What sides are called, each folded in two ways: see :func:`_words`."""

_SIDES = ("seat.", "side.", "model.")
"""How the keys of texts begin by which a game, or its painter, calls a side."""

_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Letters, marks and signs that show nothing; those that choose between two forms of a sign among them."""

_LOOKS = {
    "A": "АΑᎪᴀꓮᗅ", "B": "ВΒᏴʙвꓐᗷ", "C": "СϹᏟᴄꓚᑕ", "D": "ᎠᴅꓓᗪƉ", "E": "ЕΕᎬᴇꓰ℮", "F": "Ϝꓝᖴ", "G": "ԌᏀɢꓖ",
    "H": "НΗᎻʜнꓧᕼ", "J": "ЈᎫᴊꓙᒍ", "K": "КΚᏦᴋкκꓗ", "L": "ᏞʟꓡᒪⅬ", "M": "МΜᎷᴍмꓟ", "N": "Νɴꓠ", "O": "ОΟՕ0ꓳ",
    "P": "РΡᏢᴘꓑᑭ", "Q": "Ԛ", "R": "ᎡʀꓣᖇᏒ", "S": "ЅՏᏚꓢ", "T": "ТΤᎢᴛтτꓔ", "U": "Սᴜꓴᑌ", "V": "ѴᏙᴠꓦᐯ",
    "W": "ԜᎳᴡꓪ", "X": "ХΧꓫ", "Y": "УΥҮꓬ", "Z": "ΖᏃᴢꓜ", "a": "аαɑ", "b": "ЬβƄƅ", "c": "сϲ", "d": "ԁɗƌƋ",
    "e": "еε", "g": "ɡց", "h": "һհ", "j": "јϳ", "l": "I1|ІΙӀӏǀꓲiіιıɩ", "n": "ηոռ", "o": "оοօσ", "p": "рρ",
    "q": "ԛգ", "r": "гᴦ", "s": "ѕ", "u": "υսʋ", "v": "νѵ", "w": "ԝωѡ", "x": "хχ", "y": "уγүყ", "z": "ʐ",
    "力": "カ", "口": "ロ", "二": "ニ", "工": "エ", "夕": "タ", "卜": "ト", "八": "ハ",
}  # fmt: skip
"""Letters and digits, by the one for which they can be taken, most of them of other scripts than Latin."""

_LATIN = {ord(look): letter for letter, looks in _LOOKS.items() for look in looks}
_FORM_OF_LATIN = re.compile(
    r"(?P<form>(?:NEGATIVE (?:SQUARED|CIRCLED) )?LATIN (?:SMALL|CAPITAL)|REGIONAL INDICATOR SYMBOL) LETTER"
    r" (?P<letter>[A-Z])(?: WITH .*)?"
)
"""What Unicode calls them. Many have no decomposition."""

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Pairs of letters that look like one."""


def isolated(name: str) -> str:
    """Return a name within a text: neither turns the direction of the other."""
    return f"{FIRST_STRONG}{name}{POP}" if name else ""


def without_isolates(text: str) -> str:
    """Return a text as it is typed and compared."""
    return text.replace(FIRST_STRONG, "").replace(POP, "")


@lru_cache(maxsize=4096)
def tidy(name: str) -> str:
    """Return what of a name can be shown: one line without controls, at most three marks on a base.

    Empty where nothing would be seen.
    """
    line = "".join(c for c in " ".join(name.split()) if c in JOINERS or _is_seen(c))
    shown = "".join(map(_with_few_marks, _clusters(line))).strip()
    return shown if any(unicodedata.category(c)[0] not in "MZC" for c in shown if c not in _BLANK) else ""


def as_read(text: str) -> str:
    """Return what somebody typed as it is read: compatible forms made plain (NFKC), nothing of no width."""
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
        """Return it within a text, the name as ``show`` makes markup of it."""
        return isolated(show(self.name)) + self.tail


def beside(side: str) -> str:
    """Return how a side is said after a name; empty for no side."""
    return f" ({side})" if side else ""


Fit: TypeAlias = Callable[[str, str], Called | None]
"""Cuts a name so that it has room with the side that follows it, if one does; ``None``: it has none."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A table's players: their names and their sides, by seat, and what sides are called in any language."""

    names: tuple[str, ...] = field(repr=False)
    sides: tuple[str, ...] = field(repr=False)
    phrases: Phrases | None = field(repr=False)
    """``None``: who has which side is not known yet, and none is said."""

    def marked(self, fit: Fit) -> frozenset[int]:
        """Return the seats beside whose names the side is said: see :meth:`called`."""
        return self._decided(fit, ())[0]

    def called(self, fit: Fit, marked: Iterable[int] = ()) -> tuple[Called, ...]:
        """Return what each seat is called: its player's name, with the side where it needs one.

        It needs one where the name, or what ``fit`` leaves of it, could be taken for another's or for a side,
        and wherever ``marked`` says so. Where nothing is left of a name, the side stands for it.
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
            # Cut, two names may be one, or a side.
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
    """Return what sides are called in catalogues, in every language, and ``more``."""
    texts = [*more]
    for catalogue in catalogues:
        for in_language in catalogue.languages.values():
            for key, text in in_language.items():
                if key.startswith(_SIDES):
                    texts += [text] if isinstance(text, str) else text.values()
    return frozenset(map(_words, texts))


def is_like_any(name: str, others: Iterable[str]) -> bool:
    """Return whether a name, or a part of it between signs, could be taken for one of ``others``.

    "Anna (Red)" and "Anna, Ben" are read as Anna.
    """
    parts = (name, *_parts(name))
    return any(alike(part, other) for other in others if other for part in parts)


@lru_cache(maxsize=4096)
def is_like_side(name: str, phrases: Phrases) -> bool:
    """Return whether a name could be taken for what a side is called, or has that in it."""
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
    """Return what texts share that differ in case, marks, widths, signs and what is not seen alone."""
    return _skeletons(text)[0]


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in UNSEEN


def _clusters(line: str) -> list[str]:
    """Return a line in bases with their marks; marks without a base are left out."""
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
    """Return what of a name stands between its signs, where there are several."""
    parts = "".join("\n" if unicodedata.category(c)[0] in "PS" else c for c in name).split("\n")
    named = tuple(part for part in map(str.strip, parts) if part)
    return named if len(named) > 1 else ()


def _holds(words: Words, part: Words) -> bool:
    """Return whether ``part`` stands in ``words``, in a row."""
    size = len(part)
    return bool(part) and any(words[at : at + size] == part for at in range(len(words) - size + 1))


@lru_cache(maxsize=4096)
def _skeletons(text: str) -> Words:
    by_letters, by_looks = _words(text)
    # Of signs alone, nothing would be left. What joins them, or chooses between two forms, shows nothing.
    signs = "".join(c for c in as_read(text) if unicodedata.category(c)[0] not in "MZ")
    return "".join(by_letters) or signs, "".join(by_looks) or signs


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[Words, Words]:
    """Return the words of a text, folded by its letters and by their looks."""
    plain = as_read(text)
    by_letters, by_looks = (_folded(each).split() for each in (plain, plain.translate(_LATIN)))
    return tuple(by_letters), tuple(map(_without_pairs, by_looks))


def _signs_in_words(text: str) -> str:
    """Return a text in which signs are words: a red circle is read as the red side."""
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
    """Return letters and digits without case and diacritics; anything else parts words."""
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
