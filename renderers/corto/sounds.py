"""Sound words: shaded capitals of 10 × 14 units over a burst."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.theme import Colour
from renderers.corto.brush import Brush
from renderers.corto.drawing import data
from renderers.corto.markers import jagged
from renderers.corto.theme import Theme

HEIGHT = 104
"""Units of a sound with its burst."""

_MARGIN = 42


@dataclass(frozen=True, slots=True)
class Sound:
    """A word: the colours of its burst and its letters, how large its letters are (units are theirs)."""

    burst: Colour
    face: Colour
    sizes: tuple[float, ...]


SOUNDS: Mapping[str, Sound] = {
    "BANG!": Sound("#D9512F", "#FBE9A8", (2.3, 2.46, 2.62, 2.78, 2.94)),
    "CRACK!": Sound("#EFE7D3", "#D9512F", (2.42, 2.62, 2.73, 2.73, 2.62, 2.42)),
    "RATATAT!": Sound("#E6B93F", "#FFFBEA", (2.3, 2.65, 2.3, 2.65, 2.3, 2.65, 2.3, 2.65)),
}
"""A kill, a hit, hits in a row or from afar."""


def _advance(letter: str, size: float) -> float:
    return (6.2 if letter == "!" else 10.6) * size + 3.4


@sprite
def lettering(word: str, height: int, theme: Theme) -> Image.Image:
    """Return one of :data:`SOUNDS`, ``height`` pixels high; raises ``KeyError`` for any other word."""
    sound = SOUNDS[word]
    zoom = height / HEIGHT
    width = sum(_advance(*pair) for pair in zip(word, sound.sizes, strict=True)) + 2 * _MARGIN
    brush = Brush(round(width * zoom), height, zoom, theme.ink)
    with brush.at(width / 2, HEIGHT / 2):
        points = jagged(9 + len(word), width * 0.94, 94, 0.24, len(word))
        brush.fill(points, sound.burst)
        brush.outline(points, 3)
    x = float(_MARGIN)
    for i, (letter, size) in enumerate(zip(word, sound.sizes, strict=True)):
        lift, turn = 4 * math.sin(2.4 * i + 1), -4 + 5 * math.sin(1.7 * i)
        with brush.at(x, HEIGHT / 2 - 1 - 7 * size + lift, size, turn):
            _letter(brush, letter, sound.face, theme)
        x += _advance(letter, size)
    return brush.finish()


def _letter(brush: Brush, letter: str, face: Colour, theme: Theme) -> None:
    body, holes = data("letters")[letter]
    # Three layers of ink below the face make a letter look thick.
    for depth in (1.3, 0.9, 0.5):
        with brush.at(depth, depth):
            for outline in body:
                brush.fill(outline, theme.ink)
                brush.outline(outline, 1, 0)
    for outline in body:
        brush.fill(outline, face)
        brush.outline(outline, 1.2, 0.4)
    for outline in holes:
        brush.fill(outline, theme.ink)
