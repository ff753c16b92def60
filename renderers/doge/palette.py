"""The palettes of the pictures, one a theme: shipped as data, so that nothing is learnt at the start."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from PIL import Image

from renderers.core.encode import colours_of, commonest_colours, shipped_palette
from renderers.core.theme import Colour, rgb
from renderers.doge.theme import THEMES, Theme

COLOURS = 160
"""How many a palette has: fewer than a file can hold, for it packs smaller."""

_APART = 120
"""How far apart two colours are, as :func:`commonest_colours` takes it."""


@cache
def shipped(theme: Theme) -> Image.Image:
    """Return the palette of a theme; raises ``KeyError`` for a theme that none is shipped for."""
    return shipped_palette("renderers.doge", THEMES, theme)


def learnt(theme: Theme, samples: Iterable[Image.Image]) -> list[Colour]:
    """Return a palette for a theme: its own colours exactly, then the commonest of ``samples``."""
    exact = dict.fromkeys(rgb(colour) for colour in colours_of(theme))
    found = commonest_colours(samples, exact, COLOURS, _APART)
    return ["#{:02X}{:02X}{:02X}".format(*colour) for colour in found]
