"""The cloud under each flock, cut from paper: discs and the waists that join neighbours, edges and shadows.

All edges are laid first, then all fillings: so parts melt into one shape without a layer of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted
from renderers.core.geometry import Point, moved
from renderers.core.theme import Colour, rgb
from renderers.volo.layout import EDGE_STEPS, Layout, layout, rank
from renderers.volo.scene import dusk
from renderers.volo.theme import Theme

DISC = 34.8
WAIST = 24.2
_SPAN = 80.0
_STEPS = 14
_AROUND, _BESIDE = 6, 2
"""Neighbours of a point, and of a pair of neighbours, in open water."""
_AMID = 50.0
_SHADOW = (-5, 10)
_THREADS: tuple[tuple[float, ...], ...] = ((0.0,), (-5.5, 5.5))
"""Where the threads of wind of each seat's birds lie beside the line between neighbours."""
_THREAD_WIDTH = (2.6, 1.8)


@dataclass(frozen=True, slots=True)
class Waist:
    """What joins two neighbours: its middle, its turn (degrees, clockwise from east), whose it is."""

    at: Point
    turn: int
    names: tuple[str, str]
    open: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts of a cloud; ``rims`` names the points that have an open side."""

    points: tuple[str, ...]
    waists: tuple[Waist, ...]
    rims: tuple[str, ...]


@lru_cache(maxsize=256)
def shape(key: str, points: tuple[str, ...]) -> Shape:
    """Return the parts of the cloud under ``points`` of the board ``key``."""
    board = layout(key)
    near = board.geometry.neighbours
    around = frozenset(points)
    held = tuple(sorted(points, key=rank))
    waists = []
    for name in held:
        x, y = board.at(name)
        for other in near[name]:
            if other in around and rank(other) > rank(name):
                ox, oy = board.at(other)
                turn = round(math.degrees(math.atan2(oy - y, ox - x)))
                beside = sum(1 for side in near[name] if side in around and side in near[other])
                waists.append(Waist(((x + ox) / 2, (y + oy) / 2), turn, (name, other), beside < _BESIDE))
    rims = tuple(name for name in held if sum(1 for other in near[name] if other in around) < _AROUND)
    return Shape(held, tuple(waists), rims)


def part_of(cloud: Shape, points: tuple[str, ...]) -> Shape:
    """Return what of a cloud belongs to ``points``, with its open sides."""
    among = frozenset(points)
    return Shape(
        tuple(name for name in cloud.points if name in among),
        tuple(joint for joint in cloud.waists if joint.names[0] in among),
        tuple(name for name in cloud.rims if name in among),
    )


def _outline(grow: float) -> list[Point]:
    """Return the outline between discs at (-40, 0) and (40, 0): sides are arcs that touch both discs."""
    half = _SPAN / 2
    bend = (half * half + WAIST * WAIST - DISC * DISC) / (2 * (DISC - WAIST))
    height = bend + WAIST
    reach = math.atan2(half, height)
    upper = [
        ((bend - grow) * math.sin(a), -height + (bend - grow) * math.cos(a))
        for a in (reach * (2 * i / _STEPS - 1) for i in range(_STEPS + 1))
    ]
    return [*upper, *((x, -y) for x, y in reversed(upper))]


def _mask(image: Image.Image) -> Image.Image:
    """Return the opacity of a drawing, in few steps, without its empty margins; its middle stays."""
    mask = image.getchannel("A").point(EDGE_STEPS)
    left, top, right, low = mask.getbbox() or (0, 0, mask.width, mask.height)
    x, y = min(left, mask.width - right), min(top, mask.height - low)
    return mask.crop((x, y, mask.width - x, mask.height - y))


@sprite
def disc(grow: float, zoom: float) -> Image.Image:
    """Return the mask of the disc around one bird, ``grow`` units larger than its filling."""
    size = 2 * math.ceil((DISC + grow) * zoom + 1)
    return _mask(painted(size, lambda pen: pen.disc((0, 0), DISC + grow, "#000000"), zoom))


@sprite
def _amid(zoom: float) -> Image.Image:
    """Return the mask around a point amid others: its edge is never seen, so it is hard and quick."""
    return disc(_AMID - DISC, zoom).convert("1", dither=Image.Dither.NONE)


@sprite
def waist(grow: float, zoom: float, turn: int) -> Image.Image:
    """Return the mask of what joins two neighbours; ``turn``: degrees clockwise from east."""

    def draw(pen: Pen) -> None:
        pen.polygon(moved(_outline(grow), 0, 0, turn=turn), "#000000")

    return _mask(painted(2 * math.ceil(52 * zoom), draw, zoom))


@sprite
def thread(theme: Theme, seat: int, zoom: float, turn: int) -> Image.Image:
    """Return the wind between two neighbours: one thread for seat 0, two for seat 1."""
    width = _THREAD_WIDTH[seat] * theme.thread

    def draw(pen: Pen) -> None:
        for aside in _THREADS[seat]:
            top = [(4.0 * i - 40, aside - width * math.sin(math.pi * i / 20) ** 0.5) for i in range(21)]
            lens = [*top, *((x, 2 * aside - y) for x, y in reversed(top))]
            pen.polygon(moved(lens, 0, 0, turn=turn), "#000000")

    return _mask(painted(2 * math.ceil(42 * zoom), draw, zoom))


@sprite
def _paper(colour: Colour, width: int, height: int) -> Image.Image:
    """Return plain paper to be cut: Pillow lays it through a mask in less than half a plain colour's time."""
    return Image.new("RGB", (width, height), rgb(colour))


def stamp(canvas: Canvas, mask: Image.Image, at: Point, colour: Colour) -> None:
    """Fill through a mask that has its middle on ``at``."""
    canvas.image.paste(_paper(colour, mask.width, mask.height), _corner(mask, at), mask)


def _corner(mask: Image.Image, at: Point) -> tuple[int, int]:
    return math.floor(at[0] - mask.width / 2 + 0.5), math.floor(at[1] - mask.height / 2 + 0.5)


def put_shadow(canvas: Canvas, board: Layout, theme: Theme, cloud: Shape) -> None:
    """Lay a cloud's hard shadow on the water: the lagoon in shade, through every part with an open side."""
    dark = dusk(theme, board.key)
    for mask, at in _parts(board, cloud, theme.rim, rim=True):
        x, y = _corner(mask, (at[0] + _SHADOW[0], at[1] + _SHADOW[1]))
        box = (x, y, x + mask.width, y + mask.height)
        canvas.image.paste(dark.crop(box), box, mask)


def put_edge(canvas: Canvas, board: Layout, cloud: Shape, colour: Colour, grow: float) -> None:
    """Lay a cloud's edge, ``grow`` units wide, where it has an open side."""
    for mask, at in _parts(board, cloud, grow, rim=True):
        stamp(canvas, mask, at, colour)


def put_filling(canvas: Canvas, board: Layout, theme: Theme, cloud: Shape, seat: int) -> None:
    """Lay the filling of a seat's cloud and the threads of wind on it."""
    fill, wind = theme.sides[seat].cloud, theme.sides[seat].thread
    for mask, at in _parts(board, cloud, 0, rim=False):
        stamp(canvas, mask, at, fill)
    turns = sorted({part.turn for part in cloud.waists})
    threads = {turn: thread(theme, seat, board.zoom, turn) for turn in turns}
    for part in cloud.waists:
        stamp(canvas, threads[part.turn], part.at, wind)


def put_through(canvas: Canvas, board: Layout, cloud: Shape, grow: float, source: Image.Image) -> None:
    """Lay another picture of the whole board through the shape of a cloud.

    A point amid others has one disc that reaches into the corners between them, and needs no waists.
    """
    open_ = frozenset(cloud.rims)
    amid, edge = _amid(board.zoom), disc(grow, board.zoom)
    parts = [(edge if name in open_ else amid, board.at(name)) for name in cloud.points]
    parts += [
        (waist(grow, board.zoom, part.turn), part.at)
        for part in cloud.waists
        if part.names[0] in open_ and part.names[1] in open_
    ]
    for mask, at in parts:
        x, y = _corner(mask, at)
        box = (x, y, x + mask.width, y + mask.height)
        canvas.image.paste(source.crop(box), box, mask)


def _parts(board: Layout, cloud: Shape, grow: float, *, rim: bool) -> list[tuple[Image.Image, Point]]:
    one = disc(grow, board.zoom)
    parts = [(one, board.at(name)) for name in (cloud.rims if rim else cloud.points)]
    joints = {turn: waist(grow, board.zoom, turn) for turn in sorted({part.turn for part in cloud.waists})}
    parts += [(joints[part.turn], part.at) for part in cloud.waists if part.open or not rim]
    return parts
