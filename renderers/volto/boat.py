"""The gondola that carries a seat's lost masks: black hull, the owner's metal, velvet inside."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

from renderers.core.caches import sprite
from renderers.core.geometry import Point, moved, path
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.volto.layout import BAND, BOAT, SHELF_SLOT, SHELF_TOP
from renderers.volto.masks import SOFTNESS, blank, figure
from renderers.volto.theme import Theme

LOST = 0.66
"""Zoom of the masks in a boat."""
_TOKEN = 0.42
_DECK = 184.0
_STERN = 1016.0
"""Where the decks fore and aft end, from the bow's tip."""


def _hull(inset: float) -> list[Point]:
    width, height, _ = BOAT
    x, half = width / 2, width / 2 - inset
    top, low = 4 + 2.4 * inset, height - 4 - 2.4 * inset
    return path(
        (x, top),
        (x + 8, top + 34, x + half, top + 66, x + half, top + 168),
        (x + half, low - 168),
        (x + half, low - 66, x + 8, low - 34, x, low),
        (x - 8, low - 34, x - half, low - 66, x - half, low - 168),
        (x - half, top + 168),
        (x - half, top + 66, x - 8, top + 34, x, top),
    )


@sprite
def boat(theme: Theme, seat: int) -> Image.Image:
    """Return an empty boat: the owner's sign on its foredeck, the velvet for ten masks behind."""
    width, height, _ = BOAT
    side = theme.sides[seat]
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(builder.polygon(_hull(0)), mix(side.dull, side.metal, 0.35))
    inside = builder.polygon(_hull(BAND))
    builder.lay(inside, mix(side.deep, side.cloth, 0.2))
    for top, low in ((0.0, _DECK), (_STERN, float(height))):
        deck = ImageChops.multiply(builder.box((0, top), (width, low - top)), inside)
        builder.lay(deck, mix(theme.ink, theme.panel, 0.8))
        edge = ImageChops.multiply(builder.box((0, top or low - BAND), (width, BAND)), inside)
        builder.lay(edge, mix(side.dull, side.metal, 0.35))
    # The iron at the bow, with its three teeth.
    x = width / 2
    blade: list[Point] = [(x - 3, 0), (x + 3, 0), (x + 3, 38), (x - 3, 38)]
    teeth = [moved([(-11, 0), (11, 0), (11, 5), (-11, 5)], x, 8 * i) for i in (0, 1.5, 3)]
    builder.lay(builder.polygon(blade, *teeth), mix(theme.stone, theme.ink, 0.2))
    image = builder.finish(SOFTNESS)
    token = blank(theme, seat, _TOKEN)
    image.alpha_composite(token, (round(width / 2 - token.width / 2), 34))
    return image


@sprite
def hollow(theme: Theme, seat: int, kind: str) -> Image.Image:
    """Return the place of a mask that is still in play: its silhouette pressed into the velvet."""
    side = theme.sides[seat]
    alpha = figure(theme, seat, kind, LOST).getchannel("A").point([0] * 150 + [255] * 106)
    # Soft, so that it looks pressed in rather than laid on.
    alpha = alpha.filter(ImageFilter.GaussianBlur(2))
    form = Image.new("RGBA", alpha.size)
    form.paste(mix(side.deep, theme.ink, 0.42), (0, 0), alpha)
    return form


def slot(number: int) -> float:
    """Return the y of the middle of a boat's place; they are counted from the bow."""
    return SHELF_TOP + SHELF_SLOT * (number + 0.5)
