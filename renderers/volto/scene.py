"""The empty mat: square, palaces, coordinates, shelves for the lost masks. Painted once a theme and side."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import moved, path
from renderers.core.type import Weight, serif
from renderers.volto.layout import (
    BOTTOM,
    CELL,
    FILE_Y,
    FILES,
    HEIGHT,
    LEFT,
    RIGHT,
    ROW_X,
    ROWS,
    SHELF_HALF,
    SHELF_X,
    TOP,
    WIDTH,
    Layout,
)
from renderers.volto.theme import Theme

_ARCH = path((-62, 70), (-62, -18), (-62, -46, -16, -44, 0, -70), (16, -44, 62, -46, 62, -18), (62, 70))
_COORDINATE = serif(34, Weight.BOLD)


@scene
def mat(theme: Theme, near: int) -> Image.Image:
    """Return the empty mat with the palace of ``near`` below."""
    layout = Layout(near)
    pen = Pen(WIDTH, HEIGHT, ground=theme.ground)
    _square(pen, theme)
    for seat in (0, 1):
        _palace(pen, theme, layout, seat)
        _shelf(pen, theme, layout, seat)
    canvas = Canvas(pen.finish())
    _coordinates(canvas, theme, layout)
    return canvas.image


def _square(pen: Pen, theme: Theme) -> None:
    pen.box((LEFT - 10, TOP - 10), (RIGHT - LEFT + 20, BOTTOM - TOP + 20), 12, theme.stone)
    for column in range(len(FILES)):
        for row in range(1, len(ROWS) - 1):
            x, y = LEFT + column * CELL, TOP + row * CELL
            fill = theme.tile if (column + row) % 2 else theme.tile_dark
            pen.box((x + 2, y + 2), (CELL - 4, CELL - 4), 3, fill)
            centre = (x + CELL / 2, y + CELL / 2)
            if (column + row) % 2:
                pen.ring(centre, 48, 2.5, theme.inlay)
            else:
                pen.polygon(moved([(0, -52), (52, 0), (0, 52), (-52, 0)], *centre), theme.inlay)
                pen.polygon(moved([(0, -48.5), (48.5, 0), (0, 48.5), (-48.5, 0)], *centre), fill)


def _palace(pen: Pen, theme: Theme, layout: Layout, seat: int) -> None:
    side = theme.sides[seat]
    top = layout.palace_top(seat)
    pen.box((LEFT - 10, top - 10), (RIGHT - LEFT + 20, CELL + 20), 12, side.wall)
    edge = top - 10 if seat == layout.near else top + CELL + 2
    pen.box((LEFT - 10, edge), (RIGHT - LEFT + 20, 8), 0, theme.stone)
    for column in range(len(FILES)):
        centre = (LEFT + column * CELL + CELL / 2, top + CELL / 2)
        pen.shape(moved(_ARCH, *centre), side.floor, theme.stone, 5)


def _shelf(pen: Pen, theme: Theme, layout: Layout, seat: int) -> None:
    side = theme.sides[seat]
    x = SHELF_X[layout.place(seat)]
    size = (2 * SHELF_HALF, BOTTOM - TOP + 20)
    pen.box((x - SHELF_HALF, TOP - 10), size, 40, side.deep, side.metal, 4)
    if seat == 1:  # the Moon's edge is double, so that it is not told by its colour alone
        pen.box((x - SHELF_HALF + 8, TOP - 2), (size[0] - 16, size[1] - 16), 33, None, side.metal, 2)


def _coordinates(canvas: Canvas, theme: Theme, layout: Layout) -> None:
    for file in FILES:
        x, _ = layout.centre(file + "1")
        for y in FILE_Y:
            canvas.words(file, (x, y), _COORDINATE, theme.words, "mm")
    for row in ROWS:
        _, y = layout.centre("a" + row)
        for x in ROW_X:
            canvas.sign(row, (x, y), _COORDINATE, theme.words)
