"""A language made from English, which shows what could not be translated, is cut, or is put together by hand.

Letters get accents that every family of type has, each text stands in brackets and is 40 % longer, there are
four plural forms, and lists have a word of their own. What is left of English has no accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.cli.texts.catalogues import packages
from bot.pages.texts import side_phrases
from engines.core.languages import LANGUAGES, Language
from engines.core.names import phrases_of
from engines.core.text_notes import notes
from engines.core.texts import Template, load

CODE = "qps"

BEGIN, END = "«", "»"

GROWTH = 0.4
"""By how much a text is longer than English …"""

LONG, LONG_GROWTH = 300, 0.1
"""… but for long ones: a translation of those gains what it loses."""

PAINTED = 45
"""Limits up to here are of places on pictures, where a text is as long as there is room. English has to leave
some room everywhere else."""

_ACCENTS = str.maketrans("acdegiklnorstuyzACDEGIKLNORSTUYZ", "áçđéğíķĺñóŕšţúýžÁÇĐÉĞÍĶĹÑÓŔŠŢÚÝŽ")
"""Those that all cuts of all families have."""

_KEPT = re.compile(r"\{\w+\}|`[^`]*`|<[^>]*>|(?<!\w)/[a-z]+|https?://\S+")
"""Gaps, notation and settings, Discord's markup, commands, addresses."""

_HEAD = re.compile(r"(?:-# |#+ |- |> )?")

LISTED = "ůnd"
"""The word between the last two items of a list."""


def _plural(n: int) -> str:
    return "one" if n == 1 else "few" if 2 <= n <= 4 else "many" if n >= 5 else "other"


PSEUDO = Language(_plural, ("one", "few", "many", "other"), f"{{0}} {LISTED} {{1}}", f"{{0}} {LISTED} {{1}}")


def pseudo(template: Template, limit: int | None = None) -> Template:
    """Return a text of the English catalogue in the pseudo-language; ``limit``: the most characters."""
    if isinstance(template, str):
        return _lengthened(template, limit)
    if "by" in template:
        return {name: form if name == "by" else pseudo(form, limit) for name, form in template.items()}
    return {name: pseudo(template.get(name, template["other"]), limit) for name in PSEUDO.categories}


def _lengthened(text: str, limit: int | None) -> str:
    head = _HEAD.match(text)
    begin = head.end() if head else 0
    body = text[begin:]
    own = len(_KEPT.sub("", body))
    more = max(0, round(own * (GROWTH if own < LONG else LONG_GROWTH)) - 2)
    if limit is not None:
        more = max(0, min(more, limit - len(text) - 2))
    # A button that is a sign alone stays one.
    if not any(map(str.isalpha, body)):
        return text
    # The end of a sentence stays one.
    said = body.rstrip(".!?:…")
    if limit is not None and len(text) + 2 > limit:
        return f"{text[:begin]}{_accented(body)}"
    return f"{text[:begin]}{BEGIN}{_accented(said)}{_filler(more)}{body[len(said) :]}{END}"


def _accented(text: str) -> str:
    kept = [*_KEPT.finditer(text)]
    begins = [0, *(found.end() for found in kept)]
    ends = [*(found.start() for found in kept), len(text)]
    parts = [text[begin:end].translate(_ACCENTS) for begin, end in zip(begins, ends, strict=True)]
    return "".join(part + (kept[at][0] if at < len(kept) else "") for at, part in enumerate(parts))


def _filler(length: int) -> str:
    """Return words of as many characters, blanks included."""
    return ("".join(" öööö" for _ in range(length // 5 + 1)))[:length].rstrip()


@contextmanager
def installed() -> Iterator[str]:
    """Give every catalogue the pseudo-language meanwhile, and yield its code."""
    patch = pytest.MonkeyPatch()
    patch.setitem(LANGUAGES, CODE, PSEUDO)
    for package in packages():
        languages: Any = load(package).languages
        texts = {key: pseudo(text, _room(package, key)) for key, text in languages["en"].items()}
        patch.setitem(languages, CODE, texts)
    _forget()
    try:
        yield CODE
    finally:
        patch.undo()
        _forget()


def _room(package: str, key: str) -> int | None:
    limit = notes(package).limit(key)
    return limit if limit is not None and limit <= PAINTED else None


def _forget() -> None:
    # What sides are called in all languages.
    side_phrases.cache_clear()
    phrases_of.cache_clear()


_ALLOWED = re.compile(r"`[^`]*`|<[^>]*>|https?://\S+|\]\(\S+\)|(?<!\w)/[a-z_]+|\u2068[^\u2069]*\u2069|&\w+;")
"""Notation and code, mentions and times, addresses, commands, names."""

_WORD = re.compile(r"(?<![\w’'])(?![A-Z]+\b)[A-Za-z]{2,}(?![\w’'])")
"""Capitals alone are notation."""


def left_over(text: str, allowed: frozenset[str] = frozenset()) -> list[str]:
    """Return the English words in a text of the pseudo-language: those without any accent.

    ``allowed``: what is the same in every language, such as the titles of games.
    """
    for phrase in sorted(allowed, key=len, reverse=True):
        text = text.replace(phrase, " ")
    return _WORD.findall(_ALLOWED.sub(" ", text))


def put_together(text: str) -> list[str]:
    """Return what stands between two texts in one line, unless it separates sentences, fragments or items."""
    lines = _NAME.sub("N", text).splitlines()
    return [part for line in lines for part in _between(line) if part not in SEPARATORS]


_NAME = re.compile(r"\u2068[^\u2069]*\u2069")
"""What is isolated; the names of computer players are texts, too."""

SEPARATORS = frozenset({" · ", ", ", f" {LISTED} ", " – ", ": "})
"""What may stand between fragments of a turn in one line, items of a list, names, a label and its value."""


def _between(line: str) -> list[str]:
    """Return what stands between texts on the outermost level of a line."""
    found, depth, end = [], 0, -1
    for at, character in enumerate(line):
        if character == BEGIN:
            if depth == 0 and end >= 0 and not (line[end:at] == " " and line[end - 2] in ".!?"):
                found.append(line[end:at])
            depth += 1
        elif character == END:
            depth -= 1
            end = at + 1 if depth == 0 else end
    return found
