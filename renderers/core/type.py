"""Type: the families that packages provide, further fonts, what they can paint, and names that fit.

Our own texts are set by the basic layout engine: it paints the same pixels whether or not the machine has a
shaping library. A name is painted glyph by glyph from whichever font has it. Scripts that need shaping, or
run from right to left, need Raqm; if that is missing, the seat's own name replaces the player's.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache, partial
from importlib.resources import as_file, files
from pathlib import Path

from PIL import ImageDraw, ImageFont

from engines.core.names import JOINERS, tidy
from renderers.core import fonts
from renderers.core.fonts import Run, has
from renderers.core.geometry import Point

ELLIPSIS = "…"

_PROBE = 24
"""Size in pixels at which a glyph is only looked up."""

_SANS_SHARE = 0.72
"""The size of sans, of that of the comic lettering, at which a text takes about the same room."""


class Family(Enum):
    """A family of type and the package that holds its files."""

    SANS = ("font_source_sans_pro", "SourceSansPro")
    SERIF = ("font_source_serif_pro", "SourceSerifPro")
    COMIC = ("font_amatic_sc", "AmaticSC")
    """Narrow brush capitals: bold only, Latin alone, and for our own texts; names stay sans."""


class Weight(Enum):
    """A cut of a family, as in the names of its files."""

    REGULAR = "Regular"
    SEMIBOLD = "Semibold"
    BOLD = "Bold"
    BLACK = "Black"
    ITALIC = "It"
    SEMIBOLD_ITALIC = "SemiboldIt"


_UPRIGHT = {Weight.ITALIC: Weight.REGULAR, Weight.SEMIBOLD_ITALIC: Weight.SEMIBOLD}
"""The upright cut for each slanted one."""


@dataclass(frozen=True, slots=True)
class Face:
    """A cut in a size (pixels)."""

    family: Family
    weight: Weight
    size: int

    @property
    def is_bold(self) -> bool:
        """Return whether further fonts beside it should be bold."""
        return self.weight not in (Weight.REGULAR, Weight.ITALIC)

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        """Return the loaded font."""
        return _load(self)

    def width(self, text: str) -> float:
        """Return how far ``text`` advances, in pixels."""
        if not self.is_enough(text):
            return sum(run.font.getlength(run.text) for run in self.runs(text))
        advance = self.font.getlength(text)
        # The ellipsis of the serifs advances by one of its three dots only.
        return max(advance, self.font.getbbox(text)[2]) if text.endswith(ELLIPSIS) else advance

    def is_enough(self, text: str) -> bool:
        """Return whether ``text`` needs no further font."""
        if text.isascii():
            return True
        if suited(text, self) is not self:
            return False
        return not fonts.used() or all(run.font is self.font for run in self.runs(text))

    def runs(self, text: str) -> tuple[Run, ...]:
        """Return ``text`` in parts of one font each, from left to right."""
        return _runs(text, self)


def sans(size: int, weight: Weight = Weight.SEMIBOLD) -> Face:
    """Return the family without serifs."""
    return Face(Family.SANS, weight, size)


def serif(size: int, weight: Weight = Weight.SEMIBOLD) -> Face:
    """Return the family with serifs."""
    return Face(Family.SERIF, weight, size)


def comic(size: int) -> Face:
    """Return the lettering of comics."""
    return Face(Family.COMIC, Weight.BOLD, size)


def suited(text: str, face: Face) -> Face:
    """Return ``face``, or the one that stands in for it because it lacks a letter of ``text``.

    Slanted cuts have neither Greek nor Cyrillic: the upright ones stand in. For comic lettering, bold sans of
    about its width does.
    """
    if text.isascii():
        return face
    other = _stand_in(face)
    return other if other is not None and _suits_better(text, other, face) else face


@cache
def _stand_in(face: Face) -> Face | None:
    if face.family is Family.COMIC:
        # Sans is wider than the narrow capitals.
        return sans(round(face.size * _SANS_SHARE), Weight.BOLD)
    upright = _UPRIGHT.get(face.weight)
    return None if upright is None else replace(face, weight=upright)


@lru_cache(maxsize=1024)
def _suits_better(text: str, other: Face, face: Face) -> bool:
    """Return whether ``other`` has a letter of ``text`` that ``face`` lacks."""
    return any(_is_in_cut(other, letter) and not _is_in_cut(face, letter) for letter in text)


def _is_in_cut(face: Face, character: str) -> bool:
    return _has_cut(face.family, face.weight, character)


@lru_cache(maxsize=4096)
def _has_cut(family: Family, weight: Weight, character: str) -> bool:
    return has(Face(family, weight, _PROBE).font, character)


@lru_cache(maxsize=1024)
def _runs(text: str, face: Face) -> tuple[Run, ...]:
    face = suited(text, face)
    own = partial(has_glyph, face.family)
    return fonts.runs(text, face.font, own, fonts.Style(face.size, face.is_bold, face.family is Family.SERIF))


@cache
def _load(face: Face) -> ImageFont.FreeTypeFont:
    package, stem = face.family.value
    resource = files(package) / "files" / f"{stem}-{face.weight.value}.ttf"
    with as_file(resource) as path:
        return ImageFont.truetype(path, face.size, layout_engine=ImageFont.Layout.BASIC)


def use_fonts(folder: Path | None) -> tuple[int, tuple[Path, ...]]:
    """Paint names with the fonts of a folder too; return how many there are, and the unreadable files.

    A process does this before it paints.
    """
    found = fonts.use_fonts(folder)
    for measured in (_runs, fitted, shrunk, extent, ink_shift):
        measured.cache_clear()
    return found


def paintable_part(name: str, family: Family) -> str:
    """Return the part of a name that can be painted beside a family, in compatible forms (NFKC).

    Empty if nothing is left, or if its script needs shaping and Raqm is missing.
    """
    plain = tidy(unicodedata.normalize("NFKC", tidy(name)))
    if not fonts.has_raqm() and any(map(fonts.needs_shaping, plain)):
        return ""
    kept = ""
    for character in plain:
        if _can_paint(character, family, after=kept):
            kept += character
    # Signs that were between lost words mean nothing.
    if kept != plain and not any(map(str.isalnum, kept)):
        return ""
    return " ".join(kept.split())


def paintable(text: str, family: Family) -> bool:
    """Return whether a family itself can paint ``text`` as it is meant."""
    return bool(text) and all(
        unicodedata.category(character)[0] in "LNPSZ" and has_glyph(family, character) for character in text
    )


def _can_paint(character: str, family: Family, *, after: str) -> bool:
    shaped = fonts.needs_shaping(character)
    if character in JOINERS:
        return bool(after) and fonts.needs_shaping(after[-1])
    if unicodedata.category(character)[0] not in ("LMNPSZ" if shaped else "LNPSZ"):
        return False
    return (not shaped and has_glyph(family, character)) or fonts.has_further(character)


def has_glyph(family: Family, character: str) -> bool:
    """Return whether the family has a drawing for ``character``, not just its box for missing ones."""
    return _has_cut(family, Weight.BOLD, character)


@lru_cache(maxsize=1024)
def fitted(text: str, face: Face, width: int) -> str:
    """Return ``text``, cut with an ellipsis if it is wider than ``width`` pixels."""
    if face.width(text) <= width:
        return text
    # A longer text is never narrower, so the cut is found by bisection.
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if face.width(text[:middle].rstrip() + ELLIPSIS) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


@lru_cache(maxsize=1024)
def shrunk(text: str, face: Face, width: int, least: int) -> tuple[str, Face]:
    """Return ``text`` and a face in which it fits: smaller, down to ``least`` pixels, then cut."""
    while face.size > least and face.width(text) > width:
        face = replace(face, size=face.size - 1)
    return fitted(text, face, width), face


def wrapped(text: str, face: Face, width: float) -> list[str]:
    """Return ``text`` in lines of at most ``width`` pixels; a word that is wider is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and face.width(longer) > width:
            lines.append(fitted(word, face, int(width)))
        else:
            lines[-1] = longer if face.width(longer) <= width else fitted(longer, face, int(width))
    return lines


@lru_cache(maxsize=1024)
def extent(text: str, face: Face, anchor: str) -> tuple[float, float, float, float]:
    """Return the box that ``text`` takes around its anchor."""
    if face.is_enough(text):
        return face.font.getbbox(text, anchor=anchor)
    boxes = [run.font.getbbox(run.text, anchor="ls") for run in face.runs(text)]
    shift_x, shift_y = _baseline(text, face, anchor)
    corners, at = [], 0.0
    for run, (left, top, right, low) in zip(face.runs(text), boxes, strict=True):
        corners.append((at + left, top, at + right, low))
        at += run.font.getlength(run.text)
    lefts, tops, rights, lows = zip(*corners, strict=True)
    return min(lefts) + shift_x, min(tops) + shift_y, max(rights) + shift_x, max(lows) + shift_y


def write(draw: ImageDraw.ImageDraw, at: Point, text: str, face: Face, fill: int | str, anchor: str) -> None:
    """Write ``text``, in as many fonts as it needs."""
    if face.is_enough(text):
        draw.text(at, text, fill=fill, font=face.font, anchor=anchor)
        return
    shift_x, shift_y = _baseline(text, face, anchor)
    x, y = at[0] + shift_x, at[1] + shift_y
    for run in face.runs(text):
        draw.text((x, y), run.text, fill=fill, font=run.font, anchor="ls")
        x += run.font.getlength(run.text)


def _baseline(text: str, face: Face, anchor: str) -> Point:
    """Return where the baseline of a text in several fonts begins, from its anchor: as in the face itself."""
    rise, fall = face.font.getmetrics()
    across = {"l": 0.0, "m": -0.5, "r": -1.0}[anchor[0]] * face.width(text)
    return across, {"a": float(rise), "m": (rise - fall) / 2, "s": 0.0, "d": -float(fall)}[anchor[1]]


@lru_cache(maxsize=1024)
def ink_shift(text: str, face: Face) -> tuple[float, float]:
    """Return where the baseline's left end must lie for the ink's middle to be at the origin."""
    left, top, right, bottom = extent(text, face, "ls")
    return -(left + right) / 2, -(top + bottom) / 2
