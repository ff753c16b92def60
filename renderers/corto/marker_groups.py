"""Markers on a character: who controls it is large, with a ring; the others stand to the right."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import COLOURS
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point
from renderers.corto import markers
from renderers.corto.layout import PANEL, Rows
from renderers.corto.strip_model import Chip
from renderers.corto.theme import Theme

_CONTROL, _PLAIN, _CHANGE = 58, 44, 48
_EDGE = 8


def marker_of(
    theme: Theme, colour: str, number: int | None, size: int, *, control: bool = False
) -> Image.Image:
    """Return a marker of the seat that plays a colour, without a number where there is ``None``."""
    return markers.marker(COLOURS.index(colour), number, size, theme, control=control)


def spots(chips: tuple[Chip, ...], rows: Rows) -> tuple[Point, ...]:
    """Return the middles of a character's markers, from its panel's upper left corner."""
    swell, base = rows.swell, rows.base
    right, low = PANEL - _EDGE - 16 * swell, base - 16 * swell
    left = _EDGE + 18 * swell
    if chips and chips[0].control:
        large = (_EDGE + 20 * swell, base - 22 * swell)
        return (large, *((right, low - place * 39 * swell) for place in range(len(chips) - 1)))
    if len(chips) <= 2:
        return ((left, low), (right, low))[: len(chips)]
    high = low - 42 * swell
    return ((left, low), (right, low), (left, high), (right, high))[: len(chips)]


def put_markers(
    canvas: Canvas, theme: Theme, chips: tuple[Chip, ...], corner: Point, rows: Rows, zoom: float = 1.0
) -> None:
    """Draw a character's markers, then their last changes; ``corner``: its panel's upper left."""
    found = spots(chips, rows)
    for chip, (x, y) in zip(chips, found, strict=True):
        if chip.number:
            size = round((_CONTROL if chip.control else _PLAIN) * rows.swell * zoom)
            made = marker_of(theme, chip.colour, chip.number, size, control=chip.control)
            canvas.put(made, (corner[0] + x * zoom, corner[1] + y * zoom))
    alone = len(chips) == 1
    for chip, (x, y) in zip(chips, found, strict=True):
        if chip.change:
            # Beside a marker that stands alone, above one of several, in place of one that is gone.
            dx, dy = (52 * rows.swell, 4 * rows.swell) if alone else (2, -40 * rows.swell)
            if not chip.number:
                dx, dy = 0, 0
            made = markers.change(chip.change, round(_CHANGE * zoom), theme)
            canvas.put(made, (corner[0] + (x + dx) * zoom, corner[1] + (y + dy) * zoom))
