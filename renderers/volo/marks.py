"""The marks on the lagoon: white for what was done, gold for what is drafted or may be chosen."""

from __future__ import annotations

import math

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted, written
from renderers.core.geometry import Point, polar, towards
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans, serif
from renderers.volo.layout import Layout
from renderers.volo.theme import Theme

_NAME = sans(28, Weight.BOLD)
_WAY = sans(30, Weight.BOLD)
_REGION = serif(37, Weight.BOLD)
TAG_DROP = 28.0
"""How far below a bird the tag with its name lies, at zoom 1."""


@sprite
def landed(fill: Colour, rim: Colour, zoom: float) -> Image.Image:
    """Return the disc under a bird that has just come."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 31, rim)
        pen.disc((0, 0), 27, fill)

    return painted(round(68 * zoom), draw, zoom)


@sprite
def ripples(colour: Colour, zoom: float) -> Image.Image:
    """Return the rings around a bird that was added: it came from nowhere on the board."""

    def draw(pen: Pen) -> None:
        pen.ring((0, 0), 51, 2.6, colour)
        pen.ring((0, 0), 44, 3.4, colour)

    return painted(round(108 * zoom), draw, zoom)


@sprite
def flown(theme: Theme, seat: int, zoom: float) -> Image.Image:
    """Return the dotted ring where a bird flew away from."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 30, theme.water)
        for angle in range(0, 360, 20):
            pen.disc(polar(angle, 34), 2.8, theme.sides[seat].rim)

    return painted(round(80 * zoom), draw, zoom)


@sprite
def place(theme: Theme, name: str, zoom: float) -> Image.Image:
    """Return the mark of a vacant point where a bird may be added: its name on a disc."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 28, theme.ink)
        pen.disc((0, 0), 26, theme.paper)

    image = painted(round(62 * zoom), draw, zoom)
    return written(image, name, (image.width / 2, image.height / 2), _NAME, theme.ink)


@sprite
def landing(theme: Theme, word: str, zoom: float) -> Image.Image:
    """Return the mark of a landing: direction and steps on a disc with a gold rim."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 38, theme.ink)
        pen.disc((0, 0), 36, theme.gold)
        pen.disc((0, 0), 31, theme.paper)

    image = painted(round(80 * zoom), draw, zoom)
    return written(image, word, (image.width / 2, image.height / 2), _WAY, theme.ink)


@sprite
def tag(name: str, fill: Colour, rim: Colour, words: Colour) -> Image.Image:
    """Return a small label for a bird."""
    width = round(_NAME.width(name)) + 18

    def draw(pen: Pen) -> None:
        pen.box((-width / 2, -17), (width, 34), 13, rim)
        pen.box((-width / 2 + 3, -14), (width - 6, 28), 10, fill)

    image = painted(width + 4, draw)
    return written(image, name, (image.width / 2, image.height / 2), _NAME, words)


@sprite
def bead(theme: Theme, zoom: float) -> Image.Image:
    """Return the mark of a bird that can fly in a row, if not alone."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 9, theme.ink)
        pen.disc((0, 0), 6.5, theme.gold)

    return painted(round(24 * zoom), draw, zoom)


@sprite
def vacancy(theme: Theme, zoom: float, *, open_: bool) -> Image.Image:
    """Return a vacant point laid over a tint; a closed one, where nothing may be added, is dimmed."""

    def draw(pen: Pen) -> None:
        if open_:
            pen.disc((0, 0), 10, theme.glint)
            pen.disc((0, 0), 5.2, theme.dot)
        else:
            pen.disc((0, 0), 11.5, theme.water)
            pen.disc((0, 0), 3.4, theme.coast)

    return painted(round(28 * zoom), draw, zoom)


def tint(theme: Theme, index: int) -> Colour:
    """Return the colour of the water in the region with that index; regions never touch."""
    return mix(theme.water, theme.regions[index % len(theme.regions)], 0.55)


@sprite
def region(theme: Theme, index: int, name: str, zoom: float) -> Image.Image:
    """Return the sign of a region on a vacant point: the name of its lowest point."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 36, theme.ink)
        pen.disc((0, 0), 33.5, theme.white)
        pen.disc((0, 0), 30.5, theme.regions[index % len(theme.regions)])

    image = painted(round(76 * zoom), draw, zoom)
    return written(image, name, (image.width / 2, image.height / 2), _REGION, theme.ink)


def put_arrow(canvas: Canvas, theme: Theme, start: Point, end: Point, colour: Colour, zoom: float) -> None:
    """Draw the way of a flight: a shaft from ``start``, its head at the edge of the disc at ``end``."""
    tip = towards(end, start, 33 * zoom)
    neck = towards(end, start, 59 * zoom)
    side = ((start[1] - end[1]) / math.dist(start, end), (end[0] - start[0]) / math.dist(start, end))
    wings = [(neck[0] + s * 15 * zoom * side[0], neck[1] + s * 15 * zoom * side[1]) for s in (-1, 1)]

    def draw(pen: Pen, corner: Point) -> None:
        def local(point: Point) -> Point:
            return point[0] - corner[0], point[1] - corner[1]

        head = [local(tip), local(wings[0]), local(wings[1])]
        shaft = [local(start), local(neck)]
        pen.line(shaft, 9 * zoom, theme.ink)
        pen.line([*head, head[0]], 5 * zoom, theme.ink)
        pen.line(shaft, 5 * zoom, colour)
        pen.polygon(head, colour)

    canvas.draw([start, end], 24 * zoom, draw)


def put_capsule(canvas: Canvas, theme: Theme, layout: Layout, points: tuple[str, ...]) -> None:
    """Draw the gold capsule around the chosen bird or row of birds."""
    places = [layout.at(name) for name in points]
    zoom = layout.zoom

    def draw(pen: Pen, corner: Point) -> None:
        line = [(x - corner[0], y - corner[1]) for x, y in places]
        ends = [line[0], line[-1]]
        for radius, colour in ((42, theme.ink), (39.5, theme.gold), (33, theme.paper)):
            pen.line(ends, 2 * radius * zoom, colour)

    canvas.draw(places, 46 * zoom, draw)
