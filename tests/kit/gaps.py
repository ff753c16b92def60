"""What fills the gaps of texts, held against the kinds that ``en.notes.json`` gives them when rendered.

:func:`watch` wraps :meth:`Catalogue.render` for a whole run; :func:`taken` hands over what was found since.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from bot.cli.texts.catalogues import gaps_of, packages
from engines.core.contract import Arg, Msg, SeatName
from engines.core.languages import LANGUAGES
from engines.core.names import FIRST_STRONG, POP
from engines.core.registry import games
from engines.core.text_notes import Kind, notes
from engines.core.texts import Catalogue, listing, load

UNFINISHED = frozenset[str]()
"""Texts, as package and key, or whole packages that still fill gaps with something else."""

_FOUND: dict[str, None] = {}

_RENDER = Catalogue.render


def watch() -> None:
    """Check the arguments of every text that this process renders from now on."""
    Catalogue.render = _checked  # type: ignore[method-assign]


def taken() -> list[str]:
    """Return what was found since the last call."""
    found = list(_FOUND)
    _FOUND.clear()
    return found


def _checked(self: Catalogue, message: Msg, name_of: Any, language: str = "en") -> str:
    package = _packages().get(id(self))
    if package is not None and (wrong := faults(package, message)) and not _is_asked_by_a_test():
        _FOUND.update(dict.fromkeys(wrong))
    return _RENDER(self, message, name_of, language)


def _is_asked_by_a_test() -> bool:
    """Return whether a test renders a text itself, to compare it with what was shown, and not the house."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - nothing else is as quick
    while frame is not None and Path(frame.f_code.co_filename).name in _WAYS:
        frame = frame.f_back
    return frame is not None and bool({"tests", "bench"} & {*Path(frame.f_code.co_filename).parts})


_WAYS = frozenset({"texts.py", "captions.py", "gaps.py"})
"""Modules through which a text is rendered."""


@cache
def _packages() -> dict[int, str]:
    return {id(load(package)): package for package in packages()}


def faults(package: str, message: Msg) -> list[str]:
    """Return which gaps of a text are filled with something else than they hold."""
    if UNFINISHED & {package, f"{package} {message.key}"}:
        return []
    kinds, used = notes(package).gaps, _used_gaps(package, message.key)
    return [
        f"{package} {message.key}: {{{gap}}} holds {kinds[gap].name}, and is filled with {value!r}"
        for gap, value in message.args
        if gap in used and gap in kinds and not fits(kinds[gap], value, package)
    ]


@cache
def _used_gaps(package: str, key: str) -> frozenset[str]:
    return frozenset(gaps_of(load(package).languages["en"].get(key, "")))


def fits(kind: Kind, value: Arg, package: str = "bot") -> bool:
    """Return whether a value is one that a gap of this kind may hold."""
    item = _LISTS.get(kind)
    if item is not None:
        if kind is Kind.PARTS and isinstance(value, Msg):
            return True  # a text that joins them in its own way
        items = _split(value) if isinstance(value, str) else value
        return isinstance(items, tuple) and all(fits(item, each, package) for each in items)
    return _FITS[kind](value, package)


@lru_cache(maxsize=1024)
def _split(value: str) -> tuple[str, ...]:
    """Return the items of a list that is in words already, in the language that has the most of them."""
    if not value:
        return ()
    found: list[tuple[str, ...]] = [(value,)]
    for name, language in LANGUAGES.items():
        ends = {language.pair.format("", ""), language.last.format("", ""), language.between}
        items = tuple(re.split("|".join(map(re.escape, ends)), value))
        if listing(items, name) == value:
            found.append(items)
    return max(found, key=len)


def _is_name(value: Arg, package: str) -> bool:
    if isinstance(value, SeatName):
        return True
    if not isinstance(value, str) or not value:
        return False
    # Painted names stand alone: nothing around them could change their direction.
    return package.startswith("renderers.") or bool(_SHOWN_NAME.fullmatch(value))


_SHOWN = r"<t:\d+(:[a-zA-Z])?>"

_SHOWN_NAME = re.compile(rf"(<@\d+>|{FIRST_STRONG}[^{POP}]*{POP})( \(.+\))?")


def _is_count(value: Arg, _: str) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_time(value: Arg, package: str) -> bool:
    return _is_count(value, package) or _matches(rf"{_SHOWN}( \({_SHOWN}\))?")(value, package)


def _is_term(value: Arg, _: str) -> bool:
    return isinstance(value, Msg) or (
        isinstance(value, str) and bool(value) and not re.search(r"[.!?;\n]|, ", value)
    )


def _is_part(value: Arg, _: str) -> bool:
    return isinstance(value, (Msg, str))


def _is_text(value: Arg, _: str) -> bool:
    return isinstance(value, (str, int)) and value != ""


def _is_title(value: Arg, _: str) -> bool:
    return value in {game.manifest.title for game in games().values()} or value in games()


def _is_square(value: Arg, _: str) -> bool:
    # Some have names: “Venice in Peril”; a list of them has to be a list.
    shape = r"(?!\w{2,3}(, \w{2,3})+$)[^.!?;\n]{1,30}"
    return isinstance(value, (Msg, int)) or (isinstance(value, str) and bool(re.fullmatch(shape, value)))


def _matches(pattern: str) -> Callable[[Arg, str], bool]:
    shape = re.compile(pattern)
    return lambda value, _: isinstance(value, str) and bool(shape.fullmatch(value))


_LISTS = {
    Kind.NAMES: Kind.NAME,
    Kind.NUMBERS: Kind.NUMBER,
    Kind.LINKS: Kind.LINK,
    Kind.SQUARES: Kind.SQUARE,
    Kind.TERMS: Kind.TERM,
    Kind.PARTS: Kind.PART,
}

_FITS: dict[Kind, Callable[[Arg, str], bool]] = {
    Kind.NAME: _is_name,
    Kind.SIDE: _is_term,
    Kind.COUNT: _is_count,
    Kind.NUMBER: lambda value, package: (
        _is_count(value, package) or _matches(r"\d+(–\d+)?|I{1,3}")(value, package)
    ),
    Kind.TIME: _is_time,
    Kind.HOUR: _matches(r"\d\d:\d\d"),
    Kind.MATCH: lambda value, _: isinstance(value, str) and bool(value),
    Kind.TITLE: _is_title,
    Kind.LINK: _matches(r"<(#|@&)\d+>|https://\S+|\[.+\]\(https://\S+\)"),
    Kind.SQUARE: _is_square,
    Kind.TERM: _is_term,
    Kind.PART: _is_part,
    Kind.CHOICE: _is_part,
    Kind.QUOTE: lambda value, _: isinstance(value, (str, int)),  # also nothing at all
    Kind.NOTATION: _is_text,
    Kind.CODE: _is_text,
}
