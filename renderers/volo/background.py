"""The empty lagoon at dawn: sky, water, bank, rows of points, islet, poles, and the names of places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point, bezier, moved, path, scatter
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.volo.birds import stepped
from renderers.volo.layout import CENTRE, HEIGHT, HORIZON, WIDTH, Layout, layout
from renderers.volo.marks import pearl
from renderers.volo.theme import Theme

_SUN = 42.0
_MIDDLE = CENTRE[0]
_TOWN = path(
    (0, 2), (0, -5), (10, -5), (10, -9), (16, -12), (22, -9), (22, -6), (31, -6), (31, -9), (38, -9),
    (38, -35), (36.5, -35), (41.5, -49), (46.5, -35), (45, -35), (45, -10), (54, -10), (54, -7), (60, -7),
    (60, -14), (62, -14), (62, -22, 67, -27, 70, -28), (70.6, -34), (71.2, -28),
    (74, -27, 79, -22, 79, -14), (81, -14), (81, -8), (90, -8), (90, -5), (97, -9), (104, -5), (104, -20),
    (107, -26), (110, -20), (110, -4), (122, -4), (122, 2),
)  # fmt: skip
"""Roofs, a bell tower, a dome, a second tower: 122 units wide, their foot on y = 0."""
_GLITTER = 72
_RIPPLES = 40


def put_sky(pen: Pen, theme: Theme) -> None:
    """Fill the sky with rings of light, the sun half risen, mist and towns on the far shores."""
    sky = theme.scenery.sky
    pen.box((0, 0), (WIDTH, HORIZON), 0, sky[0])
    # From the widest ring inwards, each over the one before.
    for index, colour in enumerate(sky[1:], 1):
        radius = 66 + (len(sky) - 1 - index) ** 1.22 * 78
        pen.oval((_MIDDLE, HORIZON), radius * 1.25, radius, colour)
    pen.disc((_MIDDLE, HORIZON), _SUN, theme.scenery.sun)
    for colour, height, start in ((theme.scenery.shores[0], 11.0, 1), (theme.scenery.shores[1], 7.0, 40)):
        outline: list[Point] = [(0, HORIZON)]
        for i, (a, b, _) in enumerate(scatter(34, start)):
            x = i * WIDTH / 32 + a * 16 - 16
            away = min(1.0, abs(x - _MIDDLE) / (WIDTH / 2))
            outline.append((x, HORIZON - height * (0.1 + 0.9 * away) * (0.55 + 0.45 * b)))
        pen.polygon([*outline, (WIDTH + 20, HORIZON)], colour)
    pen.polygon(moved(_TOWN, 372, HORIZON, 0.9), theme.scenery.shores[2])
    pen.polygon([(728 - 0.8 * x, HORIZON + 0.8 * y) for x, y in _TOWN], theme.scenery.shores[3])


def put_water(pen: Pen, theme: Theme) -> None:
    """Fill the lagoon with long bands, then ripples and the sun's reflection."""
    bands = theme.water
    deep = HEIGHT - HORIZON
    pen.box((0, HORIZON), (WIDTH, deep), 0, bands[0])
    for index, colour in enumerate(bands[1:], 1):
        pen.polygon(_band(HORIZON + deep * index / len(bands), index), colour)
    pen.box((0, HORIZON - 1), (WIDTH, 3), 0, theme.scenery.glitter)
    # Ripples grow towards the viewer, which makes the water look flat and deep.
    for a, b, c in scatter(_RIPPLES):
        down = b**0.8
        index = min(len(bands) - 1, int(down * len(bands)))
        tone = bands[max(0, index - 3)] if c < 0.6 else bands[min(len(bands) - 1, index + 2)]
        at = (a * WIDTH, HORIZON + 24 + down * deep)
        _ripple(pen, at, (30 + 120 * down) * (0.4 + c), 2 + 2 * down, tone)
    for a, b, c in scatter(_GLITTER, 500):
        down = b**2.1
        # Squared, so that most glints lie in the sun's line.
        aside = (a - 0.5) * abs(a - 0.5) * 5
        at = (_MIDDLE + aside * (20 + 60 * down), HORIZON + 8 + down * deep * 0.6)
        tone = theme.scenery.glitter if down < 0.5 else bands[2]
        _ripple(pen, at, (12 + 46 * down) * (0.5 + c), 2 + 2 * down, tone)


def _band(top: float, index: int) -> list[Point]:
    line = []
    for i in range(56):
        x = i * 20.0
        wave = 13 * math.sin(x / 171 + index * 2.3) + 8 * math.sin(x / 67 + index * 4.1)
        line.append((x, top + wave + 5 * math.sin(x / 31 + index * 1.7)))
    return [*line, (WIDTH, HEIGHT), (0, HEIGHT)]


def _ripple(pen: Pen, at: Point, length: float, thick: float, colour: Colour) -> None:
    x, y = at
    top = [(x + length * (i / 10 - 0.5), -thick / 2 * math.sin(math.pi * i / 10)) for i in range(11)]
    pen.polygon([(px, y + py) for px, py in top] + [(px, y - py) for px, py in reversed(top)], colour)


_BACK = path((0, 700), (60, 730, 92, 800, 124, 850), (190, 884, 274, 860, 282, HEIGHT), (0, HEIGHT))
_FRONT = path((0, 752), (50, 770, 84, 826, 112, 862), (180, 892, 264, 872, 270, HEIGHT), (0, HEIGHT))
_REEDS = 18
_SAND = path((-32, 16), (-28, 10, -20, 7, -10, 6), (4, 4, 22, 7, 32, 16), (24, 21, -22, 21, -32, 16))
_GREEN = path(
    (-28, 14),
    (-26, 6, -18, 2, -11, 3),
    (-8, -3, 2, -3, 6, 3),
    (14, -1, 26, 6, 28, 14),
    (18, 17, -18, 17, -28, 14),
)
_MIRRORED = [(-22, 19), (-8, 19), (-7, 44), (3, 44), (4, 19), (24, 19), (20, 27), (6, 27), (-19, 25)]
_HOUSE = [(4, 10), (4, -6), (14, -13), (24, -6), (24, 10)]
_HOUSE_ROOF = [(1, -4), (14, -14), (27, -4), (24, -2), (14, -10), (4, -2)]
_TOWER = [(-8, 10), (-8, -31), (4, -31), (4, 10)]
_TOWER_SHADE = [(-8, 10), (-8, -31), (-3, -31), (-3, 10)]
_SPIRE = [(-10, -30), (-2, -48), (6, -30)]
_BELL = [(-4.5, -27), (0.5, -27), (0.5, -18), (-4.5, -18)]


def put_bank(pen: Pen, theme: Theme) -> None:
    """Draw the near bank in both lower corners, and reeds on it."""
    near, middle, far = theme.scenery.bank
    for flip in (False, True):
        pen.polygon(_flank(_BACK, flip=flip), middle)
        # Another throw on each flank: mirrored reeds would look made.
        for i, (a, b, c) in enumerate(scatter(_REEDS, 900 if flip else 700)):
            inwards = a**1.3
            (foot,) = _flank([(inwards * 96, 760 + inwards * 88 + b * 34)], flip=flip)
            height = (96 + c * 62) * (1 - inwards * 0.62)
            lean = (b - 0.25) * 30 * (1 - inwards * 0.4)
            _reed(pen, foot, height, -lean if flip else lean, (far, middle, near)[i % 3], head=i % 5 == 0)
        # In front of the reeds' feet.
        pen.polygon(_flank(_FRONT, flip=flip), near)


def _flank(points: Sequence[Point], *, flip: bool) -> list[Point]:
    return [(WIDTH - x, y) for x, y in points] if flip else [*points]


def _reed(pen: Pen, foot: Point, height: float, lean: float, colour: Colour, *, head: bool) -> None:
    x, y = foot
    stalk = bezier(
        foot, (x, y - height * 0.4), (x + lean * 0.4, y - height * 0.8), (x + lean, y - height), 12
    )
    half = [2.9 * (1 - i / 12) + 0.5 for i in range(13)]
    left = [(px - w, py) for (px, py), w in zip(stalk, half, strict=True)]
    right = [(px + w, py) for (px, py), w in zip(stalk, half, strict=True)]
    pen.polygon([*left, *reversed(right)], colour)
    if head:
        (ax, ay), (bx, by) = stalk[-3], stalk[-1]
        turn = math.degrees(math.atan2(by - ay, bx - ax))
        oval = [(14 * math.cos(i * math.pi / 12), 5.6 * math.sin(i * math.pi / 12)) for i in range(24)]
        pen.polygon(moved(oval, (ax + bx) / 2, (ay + by) / 2, 1, turn), colour)


def put_islet(pen: Pen, theme: Theme, zoom: float) -> None:
    """Draw the missing centre point: a small island with a bell tower, which no bird can pass."""
    sand, green, lit, shaded, roof, trees = theme.scenery.islet
    x, y = CENTRE[0], CENTRE[1] + 6 * zoom

    def fill(points: Sequence[Point], colour: Colour) -> None:
        pen.polygon(moved(points, x, y, zoom), colour)

    pen.oval((x, y + 17 * zoom), 39 * zoom, 11.5 * zoom, theme.scenery.glitter)
    fill(_MIRRORED, theme.scenery.pole[0])
    fill(_SAND, sand)
    fill(_GREEN, green)
    fill(_HOUSE, lit)
    fill(_HOUSE_ROOF, roof)
    fill(_TOWER, lit)
    fill(_TOWER_SHADE, shaded)
    fill(_SPIRE, roof)
    fill(_BELL, roof)
    for tx, tall in ((-20, 25), (-14, 18)):
        curves = ((tx - 6, 2, tx - 3, 12 - tall, tx, 6 - tall), (tx + 3, 12 - tall, tx + 6, 2, tx + 4.5, 12))
        fill(path((tx - 4.5, 12), *curves), trees)


def put_pole(pen: Pen, theme: Theme, at: Point) -> None:
    """Draw mooring poles: a missing corner point."""
    echo, lit, dark, cap = theme.scenery.pole
    for points, colour in (
        ([(-9, 14), (9, 14), (6, 29), (-6, 29)], echo),
        ([(-11, 14), (-5, -18), (1, -18), (-3, 14)], lit),
        ([(11, 14), (5, -18), (-1, -18), (3, 14)], dark),
        ([(-3.5, 16), (-3.5, -25), (3.5, -25), (3.5, 16)], lit),
        ([(-3.5, -25), (-3.5, -19), (3.5, -19), (3.5, -25)], cap),
        ([(-8, -3), (8, -3), (8, -8), (-8, -8)], theme.slate),
    ):
        pen.polygon(moved(points, *at), colour)
    x, y = at
    width, height = _SIGN
    pen.box((x - width / 2, y - height / 2), _SIGN, 8, theme.glint, theme.slate, 3)


_COORDINATE = sans(46, Weight.BOLD)
_AWAY = 57.0
"""How far from its row's first and last point a letter stands, at zoom 1."""
_SIGN = (42, 46)
DIM = sans(46, Weight.SEMIBOLD)


@scene
def lagoon(theme: Theme, key: str, *, asking: bool = False) -> Image.Image:
    """Return the empty board ``key``; while a point is asked for, vacant points are not lit."""
    board = layout(key)
    canvas = Canvas(_unlit(theme, key))
    for name in board.points:
        if asking:
            canvas.sign(name[1:], board.at(name), DIM, theme.name)
        else:
            canvas.put(pearl(theme, name[1:], board.zoom), board.at(name))
    _coordinates(canvas, theme, board)
    return canvas.image


@scene
def _unlit(theme: Theme, key: str) -> Image.Image:
    """Return the board ``key`` without what belongs to its points."""
    board = layout(key)
    canvas = Canvas(_open_water(theme))
    # The lines of the rows lie below bank, poles and islet.
    for row in board.rows:
        ends = [board.at(name)[0] for name in board.points if name[0] == row]
        canvas.fill((min(ends), board.at(row + "2")[1] - 1), (max(ends) - min(ends), 2), theme.row)
    canvas.put(stepped(_sheet(None, lambda pen: _put_near(pen, theme, board))), (WIDTH / 2, HEIGHT / 2))
    return canvas.image


@scene
def _open_water(theme: Theme) -> Image.Image:
    """Return sky and water, which all boards share."""
    drawn = _sheet(theme.water[0], lambda pen: put_sky(pen, theme))
    # Hard edges between bands of water go unnoticed and compress well.
    water = _sheet(theme.water[0], lambda pen: put_water(pen, theme), hard=True)
    top = round(HORIZON) - 1
    drawn.paste(water.crop((0, top, WIDTH, HEIGHT)), (0, top))
    return drawn


def _sheet(ground: Colour | None, draw: Callable[[Pen], None], *, hard: bool = False) -> Image.Image:
    # A pen of this size takes 80 MiB: each is gone before the next one comes.
    pen = Pen(WIDTH, HEIGHT, ground=ground)
    draw(pen)
    return pen.finish(hard=hard)


def _put_near(pen: Pen, theme: Theme, board: Layout) -> None:
    put_bank(pen, theme)
    for name in board.corners:
        put_pole(pen, theme, board.at(name))
    put_islet(pen, theme, board.zoom)


def _coordinates(canvas: Canvas, theme: Theme, board: Layout) -> None:
    for row in board.rows:
        first, *_, last = board.places(row)
        # Where a row's end has no point, its letter hangs on the poles that stand there.
        away = 0.0 if first in board.corners else _AWAY * board.zoom
        for x in (board.at(first)[0] - away, board.at(last)[0] + away):
            canvas.sign(row, (x, board.at(first)[1]), _COORDINATE, theme.slate)
