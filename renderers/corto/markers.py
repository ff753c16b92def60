"""Players' markers, their changes, and signs of a turn over the page. Sizes are pixels.

On a character the marker of who controls it is large, with a ring; the others stand to the right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import COLOURS
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point, moved
from renderers.corto.brush import Brush
from renderers.corto.curves import boxed, oval
from renderers.corto.drawing import draw, drawings, inks
from renderers.corto.layout import PANEL, Rows
from renderers.corto.lettering import number as written
from renderers.corto.strip_model import Chip
from renderers.corto.theme import SHAPES, Theme

Outline: TypeAlias = Sequence[Point]

SPREAD = 1.6
"""A marker's sprite is this many times its size: tips of triangles and diamonds reach beyond it."""

_FACTORS = {"circle": 1.0, "square": 1.04, "triangle": 0.92, "diamond": 0.98}
_LIFTS = {"triangle": -0.02, "diamond": -0.10}
"""Shapes that stand a little higher, by their size, so that their tips keep off a name plate."""


def _outline(shape: str, radius: float) -> Outline:
    if shape == "circle":
        return oval(0, 0, radius, radius, 40)
    if shape == "square":
        return boxed(-0.88 * radius, -0.88 * radius, 1.76 * radius, 1.76 * radius)
    if shape == "triangle":
        return (0, -1.30 * radius), (1.26 * radius, 0.90 * radius), (-1.26 * radius, 0.90 * radius)
    return (0, -1.24 * radius), (1.18 * radius, 0), (0, 1.24 * radius), (-1.18 * radius, 0)


@sprite
def marker(seat: Seat, number: int | None, size: int, theme: Theme, *, control: bool = False) -> Image.Image:
    """Return a marker of ``seat`` with a number, or without one for ``None``.

    The marker of the seat that controls a character has a white ring and a second edge of ink.
    """
    shape, side = SHAPES[seat], theme.sides[seat]
    sheet = round(size * SPREAD)
    lift = _LIFTS.get(shape, 0.0) * size
    brush = Brush(sheet, sheet, 1, theme.ink)
    with brush.at(sheet / 2, sheet / 2 + lift):
        rim = _outline(shape, size * (0.5 if control else 0.475))
        brush.fill(rim, theme.ink)
        brush.line(rim, size * 0.07, "none", closed=True)
        if control:
            brush.fill(_outline(shape, size * 0.48), theme.card)
            inner = _outline(shape, size * 0.39)
            brush.fill(inner, side.colour)
            brush.line(inner, size * 0.04, "none", closed=True)
        else:
            brush.fill(_outline(shape, size * 0.445), side.colour)
    image = brush.finish()
    if number is not None:
        text = str(number)
        tall = size * ((0.76 if control else 0.86) if len(text) == 1 else 0.60) * _FACTORS[shape]
        low = 0.09 * size if shape == "triangle" else 0.0
        written(image, text, (sheet / 2, sheet / 2 + lift + low), tall, side.words, size / 44)
    return image


def jagged(tips: int, width: float, height: float, depth: float, seed: int) -> list[Point]:
    """Return a star of uneven tips round the origin."""
    points: list[Point] = []
    for i in range(2 * tips):
        # Multiples of the golden ratio look thrown, and are the same in every process.
        uneven = 0.92 + 0.16 * ((seed * 0.381966 + i * 0.618034) % 1)
        reach = uneven * (1 - depth if i % 2 else 1)
        turn = math.pi * i / tips
        points.append((width / 2 * reach * math.cos(turn), height / 2 * reach * math.sin(turn)))
    return points


@sprite
def change(amount: int, size: int, theme: Theme) -> Image.Image:
    """Return the star behind a marker that has just changed: wide rays for more, white spikes for fewer.

    It bears no number, or it would be read as a marker of its own.
    """
    brush = Brush(size, size, size / 48, theme.ink)
    with brush.at(24, 24):
        points = jagged(9, 44, 44, 0.26, 3) if amount > 0 else jagged(14, 44, 44, 0.42, 5)
        brush.fill(points, theme.glow if amount > 0 else theme.card)
        brush.outline(points, 2)
    return brush.finish()


@sprite
def change_sign(amount: int, size: int, theme: Theme) -> Image.Image:
    """Return the flag at a marker that has just changed: a plus or a minus, without a number."""
    pen = Pen(size, size, zoom=size / 28, centred=True)
    pen.box((-14, -14), (28, 28), 5, theme.ink)
    pen.box((-11.5, -11.5), (23, 23), 3, theme.glow if amount > 0 else theme.card)
    pen.box((-8, -2.5), (16, 5), 0, theme.ink)
    if amount > 0:
        pen.box((-2.5, -8), (5, 16), 0, theme.ink)
    return pen.finish()


@sprite
def just_played(width: int, height: int, theme: Theme, reach: float = 1) -> Image.Image:
    """Return the star behind a card of ``width`` × ``height`` that was just played or chosen.

    It is 52 units wider and higher, of which the card's width has 126; ``reach``: how far its tips stand out.
    """
    zoom = width / 126
    tall = height / zoom
    brush = Brush(width + round(52 * zoom), height + round(52 * zoom), zoom, theme.ink)
    # Tips stand out of the card's four sides by turns, unevenly, so that none looks like a border's edge.
    room = 7 * reach
    wide, high = 126 + 2 * room, tall + 2 * room
    across, down = 4, max(3, round(high / 34))
    corners = [
        *((i / (2 * across) * wide, 0.0) for i in range(2 * across)),
        *((wide, i / (2 * down) * high) for i in range(2 * down)),
        *((wide - i / (2 * across) * wide, high) for i in range(2 * across)),
        *((0.0, high - i / (2 * down) * high) for i in range(2 * down)),
    ]
    points: list[Point] = []
    for i, (x, y) in enumerate(corners):
        out = (13 if i % 2 else -2) * (0.75 + 0.4 * (i * 0.618034 % 1)) * reach
        dx = -1 if x <= 0 else 1 if x >= wide else 0
        dy = -1 if y <= 0 else 1 if y >= high else 0
        points.append((x + dx * out, y + dy * out))
    with brush.at(26 - room, 26 - room):
        brush.fill(points, theme.glow)
        brush.outline(points, 2.6)
    return brush.finish()


@sprite
def gunsight(size: int, theme: Theme) -> Image.Image:
    """Return the mark of what may be hit."""
    brush = Brush(size, size, size / 64, theme.ink)
    with brush.at(32, 32):
        for width, colour in ((11, theme.ink), (6, theme.hit)):
            brush.line(oval(0, 0, 21, 21, 40), width, "none", colour, closed=True)
            for turn in (0, 90, 180, 270):
                brush.line(moved([(30, 0), (10, 0)], 0, 0, turn=turn), width, "none", colour)
    return brush.finish()


@sprite
def legal_square(width: int, height: int, theme: Theme) -> Image.Image:
    """Return a square where something may be put: filled with glow, in a thick dashed frame."""
    image = Image.new("RGBA", (width, height), theme.glow)
    image.alpha_composite(_dashed_frame(width, height, theme))
    return image


@sprite
def legal_frame(width: int, height: int, theme: Theme) -> Image.Image:
    """Return the frame of a character that may be chosen for its benefit: ink dashes on glow."""
    wide = max(6, round(width / 16))
    image = Image.new("RGBA", (width, height), theme.glow)
    image.alpha_composite(_dashed_frame(width, height, theme))
    # Hollow: the character that may be chosen must stay visible.
    inside = Image.new("RGBA", (width - 2 * wide, height - 2 * wide))
    image.paste(inside, (wide, wide))
    return image


def _dashed_frame(width: int, height: int, theme: Theme) -> Image.Image:
    wide, dash = max(4, round(width / 21)), max(8, round(width / 8))
    image = Image.new("RGBA", (width, height), theme.ink)
    image.paste((0, 0, 0, 0), (wide, wide, width - wide, height - wide))
    for start, end in _gaps(width, dash):
        image.paste((0, 0, 0, 0), (start, 0, end, height))
    sides = Image.new("RGBA", (width, height), theme.ink)
    sides.paste((0, 0, 0, 0), (wide, 0, width - wide, height))
    for start, end in _gaps(height, dash):
        sides.paste((0, 0, 0, 0), (0, start, width, end))
    image.alpha_composite(sides)
    return image


def _gaps(length: int, dash: int) -> list[tuple[int, int]]:
    count = max(1, round((length / dash - 1) / 1.7))
    step = (length - dash) / count
    return [(round(i * step + dash), round((i + 1) * step)) for i in range(count)]


@sprite
def seal(size: int, theme: Theme) -> Image.Image:
    """Return a seal of wax, under which a player's killed characters lie."""
    brush = Brush(size, size, size / 46, theme.ink)
    with brush.at(23, 23.5, 1.05):
        draw(brush, drawings("signs")["seal"], inks(theme))
    return brush.finish()


# --- on a character -------------------------------------------------------------------------------

_CONTROL, _PLAIN = 60, 52
_REACHES = {"circle": 0.53, "square": 0.48, "triangle": 0.66, "diamond": 0.62}
"""How far a marker of each shape reaches to either side, by its size."""
_CROWD = 0.82
"""How large markers are where all four seats have some on a character."""
_STAR, _SIGN = 1.45, 28
"""How many times as large as its marker a change's star is; its sign's pixels."""


def marker_of(
    theme: Theme, colour: str, number: int | None, size: int, *, control: bool = False
) -> Image.Image:
    """Return a marker of the seat that plays a colour, without a number where there is ``None``."""
    return marker(COLOURS.index(colour), number, size, theme, control=control)


def _swell(chips: tuple[Chip, ...], rows: Rows) -> float:
    return rows.swell * (_CROWD if len(chips) > 3 else 1)


def spots(chips: tuple[Chip, ...], rows: Rows) -> tuple[Point, ...]:
    """Return the middles of a character's markers, from its panel's upper left corner.

    None reaches into the next panel; three leave the upper corners free, where a card has its signs.
    """
    swell = _swell(chips, rows)
    sizes = [swell * (_CONTROL if chip.control else _PLAIN) for chip in chips]
    insides = [size * _REACHES[_shape(chip)] - 3 for size, chip in zip(sizes, chips, strict=True)]
    low, step = rows.base - 21 * swell, 44 * swell
    found: list[Point] = []
    for place, (inside, chip) in enumerate(zip(insides, chips, strict=True)):
        if place == 0:
            found.append((inside, low - (4 * swell if chip.control else 0)))
        elif place == 1:
            found.append((PANEL - inside, low))
        elif len(chips) == 3:
            found.append((PANEL / 2 + (7 if chips[0].control else 0), low - step))
        elif chips[0].control:
            found.append((PANEL - inside, low - (place - 1) * step))
        else:
            found.append((inside if place == 2 else PANEL - inside, low - step))
    return tuple(found)


def _shape(chip: Chip) -> str:
    return SHAPES[COLOURS.index(chip.colour)]


def put_markers(
    canvas: Canvas, theme: Theme, chips: tuple[Chip, ...], corner: Point, rows: Rows, zoom: float = 1.0
) -> None:
    """Draw a character's markers and which of them have changed; ``corner``: its panel's upper left."""
    found = [
        (chip, (corner[0] + x * zoom, corner[1] + y * zoom))
        for chip, (x, y) in zip(chips, spots(chips, rows), strict=True)
    ]
    scale = _swell(chips, rows) * zoom
    for chip, at in found:
        if chip.change:
            size = _CONTROL if chip.control else _PLAIN
            canvas.put(change(chip.change, round(size * _STAR * scale), theme), at)
    for chip, at in found:
        if chip.number:
            size = round((_CONTROL if chip.control else _PLAIN) * scale)
            canvas.put(marker_of(theme, chip.colour, chip.number, size, control=chip.control), at)
    for chip, (x, y) in found:
        if chip.change:
            made = change_sign(chip.change, round(_SIGN * scale), theme)
            # At the marker's shoulder; in the star of one that is gone.
            away = (30 if chip.control else 26) * scale if chip.number else 0
            canvas.put(made, (x + away, y - away))
