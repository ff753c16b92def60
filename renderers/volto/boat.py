"""The gondola that carries a seat's lost masks: black hull, the owner's metal, velvet inside."""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.caches import sprite
from renderers.core.geometry import Point, moved, path
from renderers.core.studio import Studio
from renderers.core.theme import mix
from renderers.volto.layout import BOAT, SHELF_SLOT, SHELF_TOP
from renderers.volto.masks import blank, figure
from renderers.volto.theme import Theme

LOST = 0.66
"""Zoom of the masks in a boat."""
_TOKEN = 0.42
_DECK = SHELF_TOP - BOAT[2] - 6
_STERN = _DECK + 10 * SHELF_SLOT + 6
"""Where the decks fore and aft end, from the bow's tip."""


def _hull(inset: float) -> list[Point]:
    """Return the hull's outline, ``inset`` pixels inside its edge."""
    width, height, _ = BOAT
    x, half = width / 2, width / 2 - 2 - inset
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
    studio = Studio(width, height, scale=2)
    hull = studio.polygon(_hull(0))
    studio.lay(hull, (mix(theme.ink, side.metal, 0.3), theme.ink, theme.ink))
    studio.lay(studio.line(_hull(3), 2.4, closed=True), side.metal)
    inside = studio.polygon(_hull(7))
    studio.lay(inside, mix(side.deep, theme.ink, 0.1))
    middle = ImageChops.multiply(studio.soft(studio.box((20, _DECK + 20), (width - 40, 860)), 16), inside)
    studio.lay(middle, side.cloth, 0.4)
    studio.shade(inside, theme.ink, (4, 5), 6, 0.8)
    if seat == 1:  # the Moon's edge is double, so that it is not told by its colour alone
        studio.lay(studio.line(_hull(8), 1.6, closed=True), side.metal)
    for top, low in ((0.0, _DECK), (_STERN, float(height))):
        deck = ImageChops.multiply(studio.box((0, top), (width, low - top)), inside)
        studio.lay(deck, mix(theme.ink, theme.panel, 0.8))
        edge = ImageChops.multiply(studio.box((0, (top or low) - 2), (width, 4)), hull)
        studio.lay(edge, side.metal)
    _ferro(studio, theme, width / 2)
    image = studio.finish()
    token = blank(theme, seat, _TOKEN)
    image.alpha_composite(token, (round(width / 2 - token.width / 2), 37))
    return image


def _ferro(studio: Studio, theme: Theme, x: float) -> None:
    """Draw the iron at the bow: the blade and its six teeth."""
    blade: list[Point] = [(x - 2, 2), (x + 2, 2), (x + 2, 38), (x - 2, 38)]
    teeth = [moved([(-9, 0), (9, 0), (9, 3), (-9, 3)], x, 4 + 5.2 * i) for i in range(6)]
    iron = studio.polygon(blade, *teeth)
    studio.lay(studio.grown(iron, 1.4), theme.ink)
    studio.lay(iron, theme.stone)


@sprite
def hollow(theme: Theme, seat: int, kind: str) -> Image.Image:
    """Return the place of a mask that is still in play: its silhouette pressed into the velvet."""
    side = theme.sides[seat]
    alpha = figure(theme, seat, kind, LOST).getchannel("A").point([0] * 150 + [255] * 106)
    form = Image.new("RGBA", alpha.size)
    form.paste(mix(side.metal, side.deep, 0.62), (0, 2), alpha)
    form.paste(mix(side.deep, theme.ink, 0.55), (0, 0), alpha)
    return form


def slot(number: int) -> float:
    """Return the y of the middle of a boat's place; they are counted from the bow."""
    return SHELF_TOP + SHELF_SLOT * (number + 0.5)
