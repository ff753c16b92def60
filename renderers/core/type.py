"""Type: the families that the packages bring, what they can paint, and names that fit.

The basic layout engine is used everywhere: it paints the same pixels whether or not the machine
has a shaping library. It sets no right-to-left and no combining scripts, so such names are not
painted at all: the table then sees the seat's own name.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont

ELLIPSIS = "…"
NAME_LIMIT = 100
"""Characters beyond which a name is not cut any more but replaced."""


class Family(Enum):
    """A family of type and the package that holds its files."""

    SANS = ("font_source_sans_pro", "SourceSansPro")
    SERIF = ("font_source_serif_pro", "SourceSerifPro")
    COMIC = ("font_amatic_sc", "AmaticSC")
    """Narrow capitals of a brush: bold only, and for what the house itself writes; names stay sans."""


class Weight(Enum):
    """A cut of a family, as its files are called."""

    REGULAR = "Regular"
    SEMIBOLD = "Semibold"
    BOLD = "Bold"
    BLACK = "Black"
    ITALIC = "It"
    SEMIBOLD_ITALIC = "SemiboldIt"


@dataclass(frozen=True, slots=True)
class Face:
    """A cut in a size (pixels)."""

    family: Family
    weight: Weight
    size: int

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        """Return the loaded font."""
        return _load(self)

    def width(self, text: str) -> float:
        """Return how far ``text`` advances, in pixels."""
        advance = self.font.getlength(text)
        # The ellipsis of the serifs advances by one of its three dots only.
        return max(advance, self.font.getbbox(text)[2]) if text.endswith(ELLIPSIS) else advance


def sans(size: int, weight: Weight = Weight.SEMIBOLD) -> Face:
    """Return the family without serifs."""
    return Face(Family.SANS, weight, size)


def serif(size: int, weight: Weight = Weight.SEMIBOLD) -> Face:
    """Return the family with serifs."""
    return Face(Family.SERIF, weight, size)


def comic(size: int) -> Face:
    """Return the lettering of comics."""
    return Face(Family.COMIC, Weight.BOLD, size)


@cache
def _load(face: Face) -> ImageFont.FreeTypeFont:
    package, stem = face.family.value
    resource = files(package) / "files" / f"{stem}-{face.weight.value}.ttf"
    with as_file(resource) as path:
        return ImageFont.truetype(path, face.size, layout_engine=ImageFont.Layout.BASIC)


def _drawing(family: Family, character: str) -> tuple[float, bytes]:
    """Return a character's advance and its pixels at a small size."""
    face = Face(family, Weight.BOLD, 24)
    image = Image.new("L", (64, 64))
    ImageDraw.Draw(image).text((16, 48), character, fill=255, font=face.font, anchor="ls")
    return face.width(character), image.tobytes()


@lru_cache(maxsize=4096)
def has_glyph(family: Family, character: str) -> bool:
    """Return whether the family has a drawing for ``character``, not just its box for missing ones."""
    # U+FFFF is no character, so every font paints its box for missing glyphs.
    return _drawing(family, character) != _drawing(family, "\uffff")


def paintable(text: str, family: Family) -> bool:
    """Return whether ``text`` can be painted as it is meant: glyphs, left to right, nothing invisible."""
    return bool(text) and all(
        unicodedata.category(character)[0] in "LNPSZ"
        and unicodedata.bidirectional(character) not in {"R", "AL", "AN"}
        and has_glyph(family, character)
        for character in text
    )


def tidy(name: str) -> str:
    """Return ``name`` composed (NFC), its runs of white space made one space."""
    return " ".join(unicodedata.normalize("NFC", name).split())


@lru_cache(maxsize=1024)
def fitted(text: str, face: Face, width: int) -> str:
    """Return ``text``, cut with an ellipsis where it is wider than ``width`` pixels."""
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


def painted_name(name: str, seat_label: str, face: Face, width: int) -> str:
    """Return what is painted for a player: the name, cut to ``width`` pixels, or the seat's label."""
    neat = tidy(name)
    if len(neat) > NAME_LIMIT or not paintable(neat, face.family):
        neat = seat_label
    return fitted(neat, face, width)


@lru_cache(maxsize=1024)
def ink_shift(text: str, face: Face) -> tuple[float, float]:
    """Return where the baseline's left end must lie for the ink's middle to be at the origin."""
    left, top, right, bottom = face.font.getbbox(text, anchor="ls")
    return -(left + right) / 2, -(top + bottom) / 2
