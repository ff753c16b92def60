"""The empty lagoon: water, rows of points, the islet in the middle, poles at the corners, coordinates."""

from __future__ import annotations

import math

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point, arc, moved, polar
from renderers.core.type import Weight, sans
from renderers.volo.layout import CENTRE, HEIGHT, WIDTH, Layout, layout
from renderers.volo.theme import Theme

_COORDINATE = sans(33, Weight.BOLD)
_SHORE = 43.0
"""From the outer rows to the water's edge; the corners are rounded so far that poles stand at it."""
_ROUND = 200.0
_AWAY = 73.0
_AWAY_ROW = 62.0
_AWAY_END = 62.0
_AWAY_MIDDLE = 44.0


@scene
def lagoon(theme: Theme, key: str) -> Image.Image:
    """Return the empty board ``key``."""
    board = layout(key)
    pen = Pen(WIDTH, HEIGHT, ground=theme.ground)
    pen.shape(_water(board), theme.water, theme.coast, 3)
    for row in board.rows:
        names = [name for name in board.points if name[0] == row]
        pen.line([board.at(names[0]), board.at(names[-1])], 2.2, theme.row)
    for name in board.points:
        pen.disc(board.at(name), 10 * board.zoom, theme.glint)
        pen.disc(board.at(name), 5.2 * board.zoom, theme.dot)
    for name in board.corners:
        _pole(pen, theme, board.at(name))
    _islet(pen, theme, board.zoom)
    canvas = Canvas(pen.finish())
    _coordinates(canvas, theme, board)
    return canvas.image


def _water(board: Layout) -> list[Point]:
    """Return a hexagon with round corners around all points."""
    apothem = (board.edge - 1) * board.row_height + _SHORE * board.zoom
    middles = (apothem - _ROUND) * 2 / math.sqrt(3)
    outline: list[Point] = []
    for angle in range(90, 450, 60):
        outline += arc(polar(angle, middles, CENTRE), _ROUND, angle - 30, angle + 30, 8)
    return outline


def _pole(pen: Pen, theme: Theme, at: Point) -> None:
    x, y = at
    pen.polygon([(x - 8, y + 20), (x - 5, y - 18), (x + 5, y - 18), (x + 8, y + 20)], theme.land)
    pen.polygon([(x - 7, y - 2), (x - 6.4, y - 9), (x + 6.4, y - 9), (x + 7, y - 2)], theme.glint)
    pen.oval((x, y + 21), 13, 4, theme.land)


def _islet(pen: Pen, theme: Theme, zoom: float) -> None:
    """Draw the absent centre: rock and a bell tower, nothing that looks like a bird or a point."""
    x, y = CENTRE
    pen.polygon(moved([(-30, 12), (-18, 3), (20, 3), (32, 12), (18, 20), (-20, 20)], x, y, zoom), theme.coast)
    pen.polygon(moved([(-8, 8), (-7, -20), (0, -34), (7, -20), (8, 8)], x, y, zoom), theme.land)
    pen.polygon(moved([(8, 8), (8, -4), (16, -10), (24, -4), (24, 8)], x, y, zoom), theme.land)
    pen.polygon(moved([(-2.5, -10), (-2.5, -18), (2.5, -18), (2.5, -10)], x, y, zoom), theme.glint)


def _coordinates(canvas: Canvas, theme: Theme, board: Layout) -> None:
    for row in board.rows:
        first, *_, last = board.places(row)
        away = (_AWAY if first not in board.corners else _AWAY_END) * board.zoom
        if board.at(first)[1] == CENTRE[1]:
            away = _AWAY_MIDDLE
        left, y = board.at(first)
        canvas.words(row, (left - away, y), _COORDINATE, theme.slate, "mm")
        canvas.words(last[1:], (board.at(last)[0] + away, y), _COORDINATE, theme.slate, "mm")
    for row, dy in ((board.rows[0], _AWAY_ROW * board.zoom), (board.rows[-1], -_AWAY_ROW * board.zoom)):
        for name in board.points:
            if name[0] == row:
                x, y = board.at(name)
                canvas.words(name[1:], (x, y + dy), _COORDINATE, theme.slate, "mm")
