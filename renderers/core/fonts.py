"""Further fonts, for names: those in the operator's folder, and which of them has a character."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from PIL import ImageFont, features

from engines.core.names import JOINERS

log = logging.getLogger(__name__)

MOST = 64
"""Files of a folder that are used, at most, in the order of their names."""

SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})

_PROBE = 24
"""Size in pixels at which a glyph is only looked up."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})

_SHAPED = (
    (0x0590, 0x10A0), (0x1700, 0x18B0), (0x1900, 0x1AB0), (0x1B00, 0x1C50), (0x1CD0, 0x1D00),
    (0xA800, 0xA960), (0xA980, 0xAAE0), (0xABC0, 0xAC00), (0x10A00, 0x10A60), (0x11000, 0x12000),
)  # fmt: skip
"""Blocks of scripts whose letters change shape or place beside each other: first, end (exclusive)."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a further font should look: its size in pixels, and the style of the type beside it."""

    size: int
    is_bold: bool
    is_serif: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a text in one font."""

    text: str = field(repr=False)
    font: ImageFont.FreeTypeFont = field(repr=False)


@dataclass(frozen=True, slots=True)
class FontFile:
    """A font of the folder."""

    path: Path
    is_bold: bool
    is_serif: bool


class _Folder:
    """The fonts of the folder that this process uses; none until :func:`use_fonts`."""

    files: tuple[FontFile, ...] = ()


_folder = _Folder()


def use_fonts(folder: Path | None) -> tuple[int, tuple[Path, ...]]:
    """Paint names with the fonts of a folder too; return how many there are, and the unreadable files."""
    found: list[FontFile] = []
    unreadable: list[Path] = []
    candidates = [] if folder is None else sorted(folder.rglob("*"))
    for path in [path for path in candidates if path.suffix.lower() in SUFFIXES][:MOST]:
        try:
            family, style = ImageFont.truetype(path, _PROBE).getname()
        except (OSError, ValueError):
            unreadable.append(path)
            continue
        words = f"{family} {style}".lower()
        found.append(FontFile(path, "bold" in words or "black" in words, "serif" in words))
    if unreadable:
        log.warning("unreadable font files: %s", ", ".join(path.name for path in unreadable))
    _folder.files = tuple(found)
    _font.cache_clear()
    _file_with.cache_clear()
    return len(found), tuple(unreadable)


@cache
def has_raqm() -> bool:
    """Return whether this machine can shape text."""
    return features.check("raqm") is True


def needs_shaping(character: str) -> bool:
    """Return whether a character is of a script that needs Raqm."""
    if unicodedata.bidirectional(character) in _RIGHT_TO_LEFT:
        return True
    return any(begin <= ord(character) < end for begin, end in _SHAPED)


def has(font: ImageFont.FreeTypeFont, character: str) -> bool:
    """Return whether a font has a drawing for a character, not just its box for missing ones."""
    # U+FFFF is no character, so every font paints its box for missing glyphs.
    return _drawing(font, character) != _drawing(font, "\uffff")


def has_further(character: str) -> bool:
    """Return whether one of the further fonts has a character."""
    return _file_with(character, is_bold=False, is_serif=False) is not None


def used() -> tuple[FontFile, ...]:
    """Return the further fonts that this process uses."""
    return _folder.files


def runs(
    text: str, font: ImageFont.FreeTypeFont, own: Callable[[str], bool], style: Style
) -> tuple[Run, ...]:
    """Return a text in parts of one font each, from left to right.

    ``font`` is used for what it has (``own``) and for what no font has; further fonts for the rest.
    """
    parts: list[tuple[str, ImageFont.FreeTypeFont]] = []
    shaped = False
    for character in text:
        if shaped and not character.isalnum() and not needs_shaping(character):
            # Blanks and signs between words of a script are painted in its font, if it has them.
            chosen = parts[-1][1]
            if character in JOINERS or has(chosen, character):
                parts[-1] = parts[-1][0] + character, chosen
                continue
        shaped = needs_shaping(character)
        file = (
            None
            if own(character) and not shaped
            else _file_with(character, is_bold=style.is_bold, is_serif=style.is_serif)
        )
        chosen = font if file is None else _font(file.path, style.size, shaped=shaped)
        if parts and parts[-1][1] is chosen:
            parts[-1] = parts[-1][0] + character, chosen
        else:
            parts.append((character, chosen))
        shaped = shaped and file is not None
    return tuple(Run(part, chosen) for part, chosen in _untailed(parts, font))


def _untailed(
    parts: list[tuple[str, ImageFont.FreeTypeFont]], font: ImageFont.FreeTypeFont
) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """Return parts with what follows a script's last word in ``font``, or it would be left of the word."""
    found: list[tuple[str, ImageFont.FreeTypeFont]] = []
    for part, chosen in parts:
        kept = part
        while chosen.layout_engine is ImageFont.Layout.RAQM and kept and not _belongs(kept[-1]):
            kept = kept[:-1]
        found += [each for each in ((kept, chosen), (part[len(kept) :], font)) if each[0]]
    return found


def _belongs(character: str) -> bool:
    return character in JOINERS or needs_shaping(character)


@lru_cache(maxsize=256)
def _font(path: Path, size: int, *, shaped: bool) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if shaped and has_raqm() else ImageFont.Layout.BASIC
    return ImageFont.truetype(path, size, layout_engine=engine)


@lru_cache(maxsize=4096)
def _file_with(character: str, *, is_bold: bool, is_serif: bool) -> FontFile | None:
    """Return a further font that has a character, preferring one of the wanted style."""
    looks = sorted(_folder.files, key=lambda file: (file.is_bold != is_bold, file.is_serif != is_serif))
    return next((file for file in looks if has(_font(file.path, _PROBE, shaped=False), character)), None)


def _drawing(font: ImageFont.FreeTypeFont, character: str) -> tuple[float, tuple[int, int], bytes]:
    """Return a character's advance, and the size and the pixels of its ink."""
    ink: Any = font.getmask(character, "L")
    return font.getlength(character), ink.size, bytes(ink)
