"""The gondola that carries a seat's lost masks: black hull, the owner's metal, velvet inside."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

from renderers.core.caches import sprite
from renderers.core.geometry import Point, moved, path
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.volto.layout import BAND, BOAT, LABEL_DROP, SHELF_TOP
from renderers.volto.masks import SOFTNESS, blank, figure
from renderers.volto.theme import Theme

LOST = 0.6
"""Zoom of the masks in a boat."""
UNSEEN = 0.4
"""Zoom of a mask that has left unseen: it lies in the bow, beside the place of the Candidate."""
LABEL_X = 34
"""How far right of a boat's middle the middle of its label lies: its owner's sign stands before it."""
_TOKEN = 0.32
_TOKEN_X = 60
_BOW = 346.0
"""Where the foredeck begins."""


def _hull(inset: float) -> list[Point]:
    width, height = BOAT
    x, half, low = width / 2, width / 2 - inset, height - 6 - 2 * inset
    return path(
        (x - half, 0),
        (x + half, 0),
        (x + half, 236),
        (x + half, 300, x + 10, low - 38, x, low),
        (x - 10, low - 38, x - half, 300, x - half, 236),
    )


@sprite
def boat(theme: Theme, seat: int) -> Image.Image:
    """Return an empty boat: the owner's sign at its stern, above; velvet for ten masks; the bow below."""
    width, height = BOAT
    side = theme.sides[seat]
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(builder.polygon(_hull(0)), mix(side.dull, side.metal, 0.35))
    inside = builder.polygon(_hull(BAND))
    builder.lay(inside, mix(side.deep, side.cloth, 0.4))
    for top, low in ((0.0, SHELF_TOP - BAND / 2), (_BOW, float(height))):
        deck = ImageChops.multiply(builder.box((0, top), (width, low - top)), inside)
        builder.lay(deck, mix(theme.ink, theme.panel, 0.8))
    # The iron at the bow, with its three teeth.
    x, tip = width / 2, height - 6.0
    blade: list[Point] = [(x - 3, tip - 40), (x + 3, tip - 40), (x + 3, tip + 6), (x - 3, tip + 6)]
    teeth = [moved([(-11, 0), (11, 0), (11, 5), (-11, 5)], x, tip - y) for y in (0, 12, 24)]
    builder.lay(builder.polygon(blade, *teeth), mix(theme.stone, theme.ink, 0.2))
    image = builder.finish(SOFTNESS)
    token = blank(theme, seat, _TOKEN)
    image.alpha_composite(token, (round(_TOKEN_X - token.width / 2), round(LABEL_DROP - token.height / 2)))
    return image


@sprite
def hollow(theme: Theme, seat: int, kind: str) -> Image.Image:
    """Return the place of a mask that is still in play: its silhouette pressed into the velvet."""
    side = theme.sides[seat]
    alpha = figure(theme, seat, kind, LOST).getchannel("A").point([0] * 150 + [255] * 106)
    # Soft, so that it looks pressed in rather than laid on.
    alpha = alpha.filter(ImageFilter.GaussianBlur(2))
    form = Image.new("RGBA", alpha.size)
    form.paste(mix(side.deep, theme.ink, 0.35), (0, 0), alpha)
    return form
