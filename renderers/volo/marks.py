"""The marks on the lagoon: white for what was done, gold for what is drafted or may be chosen."""

from __future__ import annotations

import math
from typing import TypeAlias

from PIL import Image

from engines.volo.view import LastTurn
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted, written
from renderers.core.geometry import Point, between, moved
from renderers.core.theme import Colour
from renderers.core.type import Face, Weight, sans
from renderers.volo.birds import BODY, BODY_UP, NUMBER_DOWN, ghost, gone, number, stepped
from renderers.volo.layout import HEADINGS, Layout
from renderers.volo.theme import Theme

Coats: TypeAlias = tuple[tuple[float, Colour], ...]
"""Radii and colours of discs, the largest first."""

_NAME = sans(46, Weight.BOLD)
_LONG_NAME = sans(44, Weight.BOLD)
_TAG = sans(46, Weight.BOLD)
_STEPS = sans(48, Weight.BOLD)
_LONG = 3
"""Characters of the longest names, ``h12``."""
BEAD = (24.0, -20.0)
"""Where a bead lies beside a bird, at zoom 1."""
TAG_DROP = 18.0
"""How far below a bird the tag with its name lies, at zoom 1."""


@sprite
def landed(fill: Colour, rim: Colour, zoom: float) -> Image.Image:
    """Return the disc under a bird that has just landed."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 37, rim)
        pen.disc((0, 0), 33, fill)

    return stepped(painted(2 * round(38 * zoom), draw, zoom))


@sprite
def ripples(colour: Colour, zoom: float) -> Image.Image:
    """Return the rings around a bird that was added from the supply."""

    def draw(pen: Pen) -> None:
        for radius, width in ((59, 2.2), (51, 3.0), (43, 4.0)):
            pen.ring((0, 0), radius, width, colour)

    return painted(round(124 * zoom), draw, zoom)


def put_gone(canvas: Canvas, theme: Theme, board: Layout, seat: int, name: str) -> None:
    """Mark the point that a bird of a seat flew away from."""
    x, y = board.at(name)
    canvas.put(gone(theme, seat, board.zoom), (x, y))
    canvas.put(number(name[1:], theme.ink), (x, y + NUMBER_DOWN * board.zoom))


def put_ghost(canvas: Canvas, theme: Theme, board: Layout, last: LastTurn, name: str) -> None:
    """Mark a point that a bird of the last turn left."""
    x, y = board.at(name)
    heading = HEADINGS[last.direction]
    canvas.put(ghost(theme, last.seat, heading, board.zoom * BODY), (x, y - BODY_UP * board.zoom))
    canvas.put(pearl(theme, name[1:], board.zoom), (x, y + NUMBER_DOWN * board.zoom))


@sprite
def pearl(theme: Theme, text: str, zoom: float) -> Image.Image:
    """Return the light of a vacant point, with its number."""
    image = stepped(painted(2 * math.ceil(27 * zoom), lambda pen: pen.disc((0, 0), 26, theme.glint), zoom))
    sign = number(text, theme.name)
    image.alpha_composite(sign, ((image.width - sign.width) // 2, (image.height - sign.height) // 2))
    return image


@sprite
def discs(coats: Coats, zoom: float, text: str = "", face: Face = _STEPS) -> Image.Image:
    """Return discs, each smaller than the one before it; ``text`` in the first one's colour on them."""

    def draw(pen: Pen) -> None:
        for radius, colour in coats:
            pen.disc((0, 0), radius, colour)

    image = painted(round((2 * coats[0][0] + 4) * zoom), draw, zoom)
    return written(image, text, (image.width / 2, image.height / 2), face, coats[0][1]) if text else image


def place(theme: Theme, name: str, zoom: float) -> Image.Image:
    """Return the mark of a vacant point where a bird may be added: its name on a disc."""
    face = _LONG_NAME if len(name) >= _LONG else _NAME
    return discs(((37, theme.ink), (34.5, theme.paper)), zoom, name, face)


def beside(theme: Theme, steps: str, zoom: float) -> Image.Image:
    """Return the mark where another bird of the row lands in a flight of so many steps."""
    return discs(((31, theme.ink), (28.5, theme.gold), (23, theme.paper)), zoom, steps, _NAME)


def bead(theme: Theme, zoom: float) -> Image.Image:
    """Return the mark of a bird that can fly in a row, if not alone."""
    return discs(((14, theme.ink), (10.5, theme.gold)), zoom)


@sprite
def landing(theme: Theme, steps: str, heading: float, zoom: float) -> Image.Image:
    """Return the mark of a landing: the steps on a disc whose gold rim points where the flight goes."""

    def draw(pen: Pen) -> None:
        for radius, tip, colour in ((37, 58, theme.ink), (34.5, 53.5, theme.gold)):
            wedge = [(-radius * 0.62, -radius * 0.74), (0.0, -tip), (radius * 0.62, -radius * 0.74)]
            pen.polygon(moved(wedge, 0, 0, turn=heading), colour)
            pen.disc((0, 0), radius, colour)
        pen.disc((0, 0), 27, theme.paper)

    image = painted(2 * round(60 * zoom), draw, zoom)
    return written(image, steps, (image.width / 2, image.height / 2), _STEPS, theme.ink)


@sprite
def label(
    text: str, face: Face, colour: Colour, size: tuple[int, int], coats: tuple[tuple[float, int, Colour], ...]
) -> Image.Image:
    """Return a small label for a bird.

    ``coats``: boxes over one another, each its inset, its corners' radius and its colour. ``size``: how much
    wider than its text the label is, and its height.
    """
    width, height = round(face.width(text)) + size[0], size[1]

    def draw(pen: Pen) -> None:
        for inset, radius, fill in coats:
            corner = (inset - width / 2, inset - height / 2)
            pen.box(corner, (width - 2 * inset, height - 2 * inset), radius, fill)

    image = painted(width + 4, draw)
    return written(image, text, (image.width / 2, image.height / 2), face, colour)


def tag(theme: Theme, name: str) -> Image.Image:
    """Return the label of a bird that may be chosen."""
    return label(name, _TAG, theme.paper, (16, 44), ((0, 15, theme.gold), (4, 11, theme.ink)))


@sprite
def _arrow(
    theme: Theme, length: int, turn: int, colour: Colour, zoom: float, parts: tuple[str, ...]
) -> Image.Image:
    tail, tip = -length / 2, length / 2
    neck = tip - 32 * zoom

    def draw(pen: Pen) -> None:
        for grow, fill in ((3.0, theme.ink), (0.0, colour)):
            thin, thick = 1.5 * zoom + grow, 6 * zoom + grow
            wing, back = 20 * zoom + 1.9 * grow, neck - 1.2 * grow
            shapes: dict[str, list[Point]] = {
                "shaft": [(tail - grow, -thin), (neck + 8, -thick), (neck + 8, thick), (tail - grow, thin)],
                "head": [(back, -wing), (tip + 1.8 * grow, 0.0), (back, wing), (back + 6 * zoom, 0.0)],
            }
            for part in parts:
                pen.polygon(moved(shapes[part], 0, 0, turn=turn), fill)

    # No larger than the arrow: the square around a long one would be a board of its own.
    angle, margin = math.radians(turn), 34 * zoom
    across, down = abs(math.cos(angle)) * length / 2, abs(math.sin(angle)) * length / 2
    return painted((2 * math.ceil(across + margin), 2 * math.ceil(down + margin)), draw)


def put_arrow(
    canvas: Canvas,
    theme: Theme,
    way: tuple[Point, Point],
    colour: Colour,
    zoom: float,
    parts: tuple[str, ...] = ("shaft", "head"),
) -> None:
    """Draw the way of a flight, from behind the bird's first point to the edge of the disc at its end."""
    start, end = way
    length = math.dist(start, end)
    behind, before = -20 * zoom, 32 * zoom
    # The bird that flies and the disc where it lands stay free.
    middle = (behind + length - before) / 2 / length
    turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    # Rounded, so that equal flights share a sprite.
    canvas.put(
        _arrow(theme, round(length - before - behind), round(turn), colour, zoom, parts),
        between(start, end, middle),
    )


@sprite
def _chevrons(theme: Theme, turn: int, colour: Colour, zoom: float) -> Image.Image:
    def draw(pen: Pen) -> None:
        for width, fill in ((15.0, theme.ink), (8.5, colour)):
            for x in (-15.0, 3.0):
                pen.line(moved([(x, -19), (x + 14, 0), (x, 19)], 0, 0, turn=turn), width, fill)

    return stepped(painted(2 * round(36 * zoom), draw, zoom))


def put_step(canvas: Canvas, theme: Theme, way: tuple[Point, Point], colour: Colour, zoom: float) -> None:
    """Draw the way of a flight of one step: two chevrons, over the bird that is left behind."""
    (x, y), (end_x, end_y) = way
    turn = math.degrees(math.atan2(end_y - y, end_x - x))
    canvas.put(_chevrons(theme, round(turn), colour, zoom), between(*way, 0.4))


@sprite
def _rod(dx: int, dy: int, coats: Coats, margin: int) -> Image.Image:
    def draw(pen: Pen) -> None:
        for width, colour in coats:
            pen.line([(-dx / 2, -dy / 2), (dx / 2, dy / 2)], width, colour)

    return painted((abs(dx) + margin, abs(dy) + margin), draw)


def _put_rod(canvas: Canvas, start: Point, end: Point, coats: Coats, margin: int) -> None:
    rod = _rod(round(end[0] - start[0]), round(end[1] - start[1]), coats, margin)
    canvas.put(rod, between(start, end))


def put_capsule(canvas: Canvas, theme: Theme, board: Layout, points: tuple[str, ...]) -> None:
    """Draw the gold capsule around the chosen bird or row of birds."""
    start, end = board.at(points[0]), board.at(points[-1])
    coats = tuple(
        (2 * radius * board.zoom, colour)
        for radius, colour in ((43, theme.ink), (40, theme.gold), (33, theme.chosen))
    )
    _put_rod(canvas, start, end, coats, 2 * math.ceil(45 * board.zoom))


def put_tie(canvas: Canvas, theme: Theme, start: Point, end: Point) -> None:
    """Tie the landings of one flight of a row together."""
    _put_rod(canvas, start, end, ((11, theme.ink), (6.5, theme.gold)), 14)


@sprite
def corner(theme: Theme, width: int, radius: int, turn: int) -> Image.Image:
    """Return a corner of the frame around a picture that only its viewer gets, top left turned clockwise."""
    size = width + radius
    pen = Pen(size, size)
    pen.box((0, 0), (size, size), 0, theme.gold)
    pen.disc((size, size), radius, "#00000000")
    image = pen.finish()
    return image.rotate(-turn)
