"""Bands: parts of a page in the colours of its theme, kept by what they show, and piled up.

A band is painted in full colour once, then laid in the palette: a page of bands that are known needs no
more colours to be found, and is encoded as it is. They stay in memory only, for they show positions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from PIL import Image

from renderers.core.caches import MIB, Bounded, image_bytes
from renderers.corto.layout import WIDTH
from renderers.corto.palette import palette
from renderers.corto.theme import Theme

BANDS: Bounded[Image.Image] = Bounded(24 * MIB, image_bytes)
"""Some twenty pages."""


def band(theme: Theme, key: Hashable, paint: Callable[[], Image.Image]) -> Image.Image:
    """Return what ``paint`` paints in the palette of ``theme``, from memory where ``key`` is known."""
    return BANDS.get((theme, key), lambda: flat(theme, paint()))


def flat(theme: Theme, image: Image.Image) -> Image.Image:
    """Return a picture in the palette of ``theme``."""
    return image.quantize(palette=palette(theme), dither=Image.Dither.NONE)


def pile(theme: Theme, bands: Sequence[Image.Image]) -> Image.Image:
    """Return a page: bands below each other."""
    page = Image.new("P", (WIDTH, sum(one.height for one in bands)))
    page.putpalette(palette(theme).getpalette() or ())
    top = 0
    for one in bands:
        page.paste(one, (0, top))
        top += one.height
    return page
