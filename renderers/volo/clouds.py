"""The cloud under each flock, cut from paper, one cell a bird: disc, waists to its neighbours, shadow, bird.

Cells share no pixel: each ends half-way to the neighbours that it is joined to. So each is painted once for
every set of neighbours, and a flock takes one paste for each bird. Cells are put from the upper right to the
lower left: shadows fall to the lower left, where the next cells cover them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from renderers.core.caches import sprite
from renderers.core.canvas import Pen, painted
from renderers.core.geometry import Point, moved
from renderers.core.theme import Colour
from renderers.volo.birds import BODY_UP, EGG, NUMBER_DOWN, resting, stepped
from renderers.volo.layout import Layout, layout, rank
from renderers.volo.theme import Theme

DISC = 34.8
WAIST = 24.2
SHADE = 85
"""Opacity of shadows, of 255."""
_SPAN = 80.0
_STEPS = 14
_REACH = 54
"""How far a cell reaches from its point, at zoom 1."""
_SHADOW = (-5, 10)
_THREADS: tuple[tuple[float, ...], ...] = ((0.0,), (-5.5, 5.5))
"""Where the threads of wind of each seat's birds lie beside the line between neighbours."""
_THREAD_WIDTH = (2.6, 1.8)
_FORWARD = ("E", "SE", "SW")
"""Of each pair of opposite directions, the one whose border is drawn; the other's is what is left."""
_RING, _RING_INK = 5.0, 7.0
"""Width of a coloured rim around a bird, without and with the ink around it."""


@dataclass(frozen=True, slots=True)
class CloudStyle:
    """How a seat's cells look: rim colour, and whether they have a shadow and a bird."""

    seat: int
    ring: Colour | None = None
    shadow: bool = True
    bird: bool = True


def ordered(board: Layout, names: Iterable[str]) -> list[str]:
    """Return points in the order in which their cells are put."""
    return sorted(names, key=lambda name: (board.at(name)[1], -board.at(name)[0]))


@sprite
def cell(theme: Theme, key: str, style: CloudStyle, ways: tuple[str, ...]) -> Image.Image:
    """Return what lies on a bird's point where birds of its flock are in the directions ``ways``."""
    board, side = layout(key), theme.sides[style.seat]
    rims = _rims(theme, style)

    def draw(pen: Pen) -> None:
        # From the widest rim inwards; the cloud covers the rest.
        for grow, colour in rims:
            put_shape(pen, board, ways, grow, colour)
        put_shape(pen, board, ways, 0, side.cloud)
        for way in ways:
            for lens in _threads(theme, style.seat, _turn(board, way)):
                pen.polygon(_halfway(board, way, lens), side.thread)
        pen.oval((0, NUMBER_DOWN), *EGG, theme.glint)

    made = own(stepped(square(board, draw)), board, ways)
    if style.shadow:
        # Hard edges compress well.
        flat = own(
            square(board, lambda pen: put_shape(pen, board, ways, rims[0][0], theme.shade)), board, ways
        )
        flat.putalpha(flat.getchannel("A").point([SHADE if value > 127 else 0 for value in range(256)]))
        cast = Image.new("RGBA", flat.size)
        cast.paste(flat, (round(_SHADOW[0] * board.zoom), round(_SHADOW[1] * board.zoom)))
        made = Image.alpha_composite(cast, made)
    if style.bird:
        body = resting(theme, style.seat, board.zoom)
        at = ((made.width - body.width) // 2, (made.height - body.height) // 2 - round(BODY_UP * board.zoom))
        made.alpha_composite(body, at)
    return trimmed(made)


def _rims(theme: Theme, style: CloudStyle) -> tuple[tuple[float, Colour], ...]:
    # A coloured rim is seen only beside tinted water or ink.
    if style.ring is None:
        return ((theme.rim, theme.sides[style.seat].rim),)
    ring = (_RING, style.ring)
    return ((_RING_INK, theme.ink), ring) if style.shadow else (ring,)


# --- shapes ---------------------------------------------------------------------------------------


def square(board: Layout, draw: Callable[[Pen], None]) -> Image.Image:
    """Return the transparent square of a cell that ``draw`` drew on, its point in the middle."""
    return painted(2 * round(_REACH * board.zoom), draw, board.zoom)


def put_shape(pen: Pen, board: Layout, ways: tuple[str, ...], grow: float, colour: Colour) -> None:
    """Fill a point's disc and its waists, ``grow`` units larger."""
    pen.disc((0, 0), DISC + grow, colour)
    # The sides of a waist are arcs that touch the discs at (-40, 0) and (40, 0).
    half = _SPAN / 2
    bend = (half * half + WAIST * WAIST - DISC * DISC) / (2 * (DISC - WAIST))
    height = bend + WAIST
    reach = math.atan2(half, height)
    upper = [
        ((bend - grow) * math.sin(a), -height + (bend - grow) * math.cos(a))
        for a in (reach * (2 * i / _STEPS - 1) for i in range(_STEPS + 1))
    ]
    waist = [*upper, *((x, -y) for x, y in reversed(upper))]
    for way in ways:
        pen.polygon(_halfway(board, way, moved(waist, 0, 0, turn=_turn(board, way))), colour)


def _halfway(board: Layout, way: str, points: list[Point]) -> list[Point]:
    """Return points around the middle of a step."""
    dx, dy = board.step(way)
    return moved(points, dx / 2 / board.zoom, dy / 2 / board.zoom)


def _turn(board: Layout, way: str) -> float:
    dx, dy = board.step(way)
    return math.degrees(math.atan2(dy, dx))


def _threads(theme: Theme, seat: int, turn: float) -> Iterable[list[Point]]:
    """Yield the outlines of the wind between two neighbours: one thread for seat 0, two for seat 1."""
    width = _THREAD_WIDTH[seat] * theme.thread
    for aside in _THREADS[seat]:
        top = [(2.4 * i - 24, aside - width * math.sin(math.pi * i / 20) ** 0.5) for i in range(21)]
        yield moved([*top, *((x, 2 * aside - y) for x, y in reversed(top))], 0, 0, turn=turn)


# --- borders --------------------------------------------------------------------------------------


def own(image: Image.Image, board: Layout, ways: tuple[str, ...]) -> Image.Image:
    """Remove from a square the parts of the neighbours in ``ways``; return it."""
    alpha = image.getchannel("A")
    for way in ways:
        dx, dy = board.step(way)
        # Of two neighbours one gets the complement of the other's mask, so that no pixel is shared or left.
        if way in _FORWARD:
            near = _before(dx, dy, image.width, (0, 0))
        else:
            near = ImageChops.invert(_before(-dx, -dy, image.width, (dx, dy)))
        alpha = ImageChops.darker(alpha, near)
    image.putalpha(alpha)
    return image


@lru_cache(maxsize=64)
def _before(dx: int, dy: int, size: int, about: tuple[int, int]) -> Image.Image:
    """Return the mask of what lies before the middle of a step from ``about``, relative to (0, 0)."""
    # Drawn on a sheet that is the same for both sides: seen from either, the border has the same pixels.
    far = 4 * size
    sheet = Image.new("L", (2 * far, 2 * far), 255)
    length = math.hypot(dx, dy)
    ux, uy = dx / length * far * 2, dy / length * far * 2
    x, y = far + dx / 2, far + dy / 2
    beyond = [(x - uy, y + ux), (x + uy, y - ux), (x + uy + ux, y - ux + uy), (x - uy + ux, y + ux + uy)]
    ImageDraw.Draw(sheet).polygon(beyond, fill=0)
    left, top = far - about[0] - size // 2, far - about[1] - size // 2
    return sheet.crop((left, top, left + size, top + size))


def trimmed(image: Image.Image) -> Image.Image:
    """Return a sprite without its empty margins; its middle stays."""
    left, top, right, low = image.getchannel("A").getbbox() or (0, 0, image.width, image.height)
    x, y = min(left, image.width - right), min(top, image.height - low)
    return image.crop((x, y, image.width - x, image.height - y))


def cells(board: Layout, names: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return points in the order of their cells, each with the directions of its neighbours among them."""
    among = frozenset(names)
    return [(name, board.beside(name, among)) for name in ordered(board, sorted(among, key=rank))]
