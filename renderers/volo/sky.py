"""The dawn: rings of light around a half-risen sun, far shores with two towns, the water and its glitter."""

from __future__ import annotations

import math

from renderers.core.canvas import Pen
from renderers.core.geometry import Point, moved, path
from renderers.core.scatter import scatter
from renderers.core.theme import Colour
from renderers.volo.layout import CENTRE, HEIGHT, HORIZON, WIDTH
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
    for index, colour in enumerate(sky[1:], 1):
        radius = 66 + (len(sky) - 1 - index) ** 1.22 * 78
        pen.oval((_MIDDLE, HORIZON), radius * 1.25, radius, colour)
    pen.disc((_MIDDLE, HORIZON), _SUN, theme.scenery.sun)
    for colour, height, start in ((theme.scenery.shores[0], 11.0, 1), (theme.scenery.shores[1], 7.0, 40)):
        pen.polygon(_shore(height, start), colour)
    pen.polygon(moved(_TOWN, 372, HORIZON, 0.9), theme.scenery.shores[2])
    pen.polygon([(728 - 0.8 * x, HORIZON + 0.8 * y) for x, y in _TOWN], theme.scenery.shores[3])


def _shore(height: float, start: int) -> list[Point]:
    """Return a low far shore, lower towards the sun."""
    outline: list[Point] = [(0, HORIZON)]
    for i, (a, b, _) in enumerate(scatter(34, start)):
        x = i * WIDTH / 32 + a * 16 - 16
        away = min(1.0, abs(x - _MIDDLE) / (WIDTH / 2))
        outline.append((x, HORIZON - height * (0.1 + 0.9 * away) * (0.55 + 0.45 * b)))
    return [*outline, (WIDTH + 20, HORIZON)]


def put_water(pen: Pen, theme: Theme) -> None:
    """Fill the lagoon with bands that the wind has drawn out, then ripples and the sun's way."""
    bands = theme.water
    deep = HEIGHT - HORIZON
    pen.box((0, HORIZON), (WIDTH, deep), 0, bands[0])
    for index, colour in enumerate(bands[1:], 1):
        pen.polygon(_band(HORIZON + deep * index / len(bands), index), colour)
    pen.box((0, HORIZON - 1), (WIDTH, 3), 0, theme.scenery.glitter)
    for a, b, c in scatter(_RIPPLES):
        down = b**0.8
        index = min(len(bands) - 1, int(down * len(bands)))
        tone = bands[max(0, index - 3)] if c < 0.6 else bands[min(len(bands) - 1, index + 2)]
        at = (a * WIDTH, HORIZON + 24 + down * deep)
        _ripple(pen, at, (30 + 120 * down) * (0.4 + c), 2 + 2 * down, tone)
    for a, b, c in scatter(_GLITTER, 500):
        down = b**2.1
        aside = (a - 0.5) * abs(a - 0.5) * 5
        at = (_MIDDLE + aside * (20 + 60 * down), HORIZON + 8 + down * deep * 0.6)
        tone = theme.scenery.glitter if down < 0.5 else bands[2]
        _ripple(pen, at, (12 + 46 * down) * (0.5 + c), 2 + 2 * down, tone)


def _band(top: float, index: int) -> list[Point]:
    """Return everything below a wavy line."""
    line = []
    for i in range(56):
        x = i * 20.0
        wave = 13 * math.sin(x / 171 + index * 2.3) + 8 * math.sin(x / 67 + index * 4.1)
        line.append((x, top + wave + 5 * math.sin(x / 31 + index * 1.7)))
    return [*line, (WIDTH, HEIGHT), (0, HEIGHT)]


def _ripple(pen: Pen, at: Point, length: float, thick: float, colour: Colour) -> None:
    """Draw a lens that lies on the water."""
    x, y = at
    top = [(x + length * (i / 10 - 0.5), -thick / 2 * math.sin(math.pi * i / 10)) for i in range(11)]
    pen.polygon([(px, y + py) for px, py in top] + [(px, y - py) for px, py in reversed(top)], colour)
