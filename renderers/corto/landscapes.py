"""The long watercolours of the adventures. Sizes are pixels."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers.core.caches import scene, sprite
from renderers.core.theme import rgb
from renderers.corto.brush import Brush
from renderers.corto.cards import land
from renderers.corto.drawing import draw, drawings, scenery
from renderers.corto.theme import Theme

WIDTH, HEIGHT = 1076, 230
"""Units of a landscape; its lowest 50 are the lane of the quest."""

_EYE = 0.45
"""Where a landscape is cut that is less high than it was drawn: the share taken from the sky."""


def panorama(adventure: str, width: int, height: int, theme: Theme) -> Image.Image:
    """Return the landscape of an adventure, large enough to fill the picture, cut where it is too large."""
    # Adventures can be replaced, so the landscape's name is part of the key.
    return _landscape(adventure, land(adventure), width, height, theme)


@scene
def _landscape(adventure: str, name: str, width: int, height: int, theme: Theme) -> Image.Image:
    strip = theme.strip(adventure)
    known = {**drawings("lands_a"), **drawings("lands_b"), **drawings("lands_c")}
    zoom = max(width / WIDTH, height / HEIGHT)
    brush = Brush(width, height, zoom, theme.ink, ground=strip.sky)
    left = (width / zoom - WIDTH) / 2
    top = (height / zoom - HEIGHT) * _EYE
    with brush.at(left, top):
        draw(brush, known.get(name) or known["plain"], scenery(theme, strip))
    return brush.finish().convert("RGB")


@sprite
def window(adventure: str, width: int, height: int, theme: Theme) -> Image.Image:
    """Return the frame of an empty square, through which one sees the landscape."""
    image = Image.new("RGBA", (width, height))
    pen = ImageDraw.Draw(image)
    thin = max(1, round(width / 63))
    white = max(2, round(width / 32))
    pen.rectangle((0, 0, width - 1, height - 1), outline=theme.strip(adventure).line, width=thin)
    for i in range(thin, thin + white):
        pen.rectangle((i, i, width - 1 - i, height - 1 - i), outline=(*rgb(theme.card), 255))
    return image
