"""The birds: a swallow for Orange, a dove for Blue. Units: a bird fits into ±38, heading up."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Pen, painted, written
from renderers.core.geometry import Point, mirrored, moved, path, polar
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, sans
from renderers.volo.layout import EDGE_STEPS, REST
from renderers.volo.theme import Side, Theme

BOX = 84
"""Pixels of a bird's square at zoom 1."""

SIZE = 0.84
"""Pixels of a unit at zoom 1: wings keep within the disc of a cloud."""

BODY_UP, NUMBER_DOWN = 17.0, 18.5
"""How far above its point a bird sits, and how far below it the point's number stands, at zoom 1."""
EGG = (26.0, 16.5)
"""Half the width and height of the light spot that a number stands on."""
BODY = 0.74
"""A bird's share of its full size where a number stands below it."""
_NUMBER = sans(46, Weight.BOLD)

_SWALLOW = path(
    (0, -26),
    (6, -26, 7, -20, 8, -16),
    (20, -23, 34, -14, 38, 12),
    (30, 0, 20, 0, 9, 6),
    (8, 14),
    (9, 22, 12, 30, 16, 37),
    (8, 32, 3, 26, 0, 19),
)
_SWALLOW_TIP = path((38, 12), (36.5, 2, 33, -6, 28, -11), (25, -6, 24, -2, 25, 2), (30, 3, 34, 6, 38, 12))
_DOVE = path(
    (0, -32),
    (7, -32, 8, -24, 6, -19),
    (14, -26, 28, -28, 38, -22),
    (40, -14, 39, -8, 36, -3),
    (33, -2),
    (32, 4, 29, 7, 24, 6),
    (22, 11, 18, 12, 13, 9),
    (9, 12),
    (9, 18),
    (14, 24, 16, 28, 16, 33),
    (10, 37, 4, 38, 0, 38),
)
_DOVE_BAR = path((10, -12), (18, -19, 28, -20, 35, -17), (34, -12), (27, -14, 19, -12, 12, -5))
_FLIP = {"left": -1, "right": 1}


def _half(points: list[Point], side: str) -> list[Point]:
    return [(x * _FLIP[side], y) for x, y in points]


def outline(seat: int, heading: float) -> list[Point]:
    """Return the bird's whole outline about (0, 0)."""
    return moved(mirrored(_SWALLOW if seat == 0 else _DOVE), 0, 0, turn=heading)


def stepped(image: Image.Image) -> Image.Image:
    """Return a drawing whose edges have few steps of opacity."""
    image.putalpha(image.getchannel("A").point(EDGE_STEPS))
    return image


@sprite
def bird(theme: Theme, seat: int, heading: float, zoom: float, rim: Colour | None = None) -> Image.Image:
    """Return a bird heading ``heading`` degrees clockwise from north, with a thin rim if one is named."""

    def draw(pen: Pen) -> None:
        shape = outline(seat, heading)
        if rim:
            pen.line([*shape, shape[0]], 5, rim)
        side = theme.sides[seat]
        body = _SWALLOW if seat == 0 else _DOVE
        mark = _SWALLOW_TIP if seat == 0 else _DOVE_BAR
        for half, colour in (("left", side.dark), ("right", side.light)):
            pen.polygon(moved(_half(body, half), 0, 0, turn=heading), colour)
            pen.polygon(moved(_half(mark, half), 0, 0, turn=heading), side.mark)
        if seat == 0:
            pen.disc(moved([(0, 11)], 0, 0, turn=heading)[0], 5, side.head)
        else:
            pen.disc(moved([(0, -25)], 0, 0, turn=heading)[0], 5, side.head)

    return stepped(painted(round(BOX * zoom), draw, zoom * SIZE))


def resting(theme: Theme, seat: int, zoom: float) -> Image.Image:
    """Return a bird at rest above the number of its point."""
    return bird(theme, seat, REST[seat], zoom * BODY)


@sprite
def number(text: str, colour: Colour) -> Image.Image:
    """Return the number of a point, which stands below its bird."""
    return stepped(written(Image.new("RGBA", (58, 36), (*rgb(colour), 0)), text, (29, 18), _NUMBER, colour))


@sprite
def ghost(theme: Theme, seat: int, heading: float, zoom: float) -> Image.Image:
    """Return the hollow shape of a bird that flew from there."""

    def draw(pen: Pen) -> None:
        shape = outline(seat, heading)
        pen.line([*shape, shape[0]], 10, theme.paper)
        pen.shape(shape, theme.sides[seat].rim, theme.sides[seat].rim, 2.6)
        pen.polygon(shape, theme.paper)

    return stepped(painted(round(BOX * zoom), draw, zoom * SIZE))


def gone_colours(theme: Theme, side: Side) -> tuple[Colour, Colour]:
    """Return the colours of a bird that flew away: its light and its silhouette."""
    pale = theme.water[len(theme.water) // 2]
    return pale, mix(pale, side.light, 0.6)


@sprite
def gone(theme: Theme, seat: int, zoom: float) -> Image.Image:
    """Return a bird that flew away: a dotted ring on its point, a pale silhouette.

    It never lies on a cloud, so that nobody takes it for a piece.
    """
    side = theme.sides[seat]
    pale, body = gone_colours(theme, side)

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 30 / SIZE, pale)
        for angle in range(0, 360, 24):
            pen.disc(polar(angle, 34 / SIZE), 3.1, side.rim)
        pen.polygon(moved(outline(seat, 20), 0, -12, 0.66), body)

    return stepped(painted(round(BOX * zoom), draw, zoom * SIZE))
