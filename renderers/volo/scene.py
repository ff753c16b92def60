"""The empty lagoon at dawn: sky, water, bank, rows of points, islet, poles, and the names of places."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.theme import rgb
from renderers.core.type import Weight, sans
from renderers.volo.layout import CENTRE, HEIGHT, WIDTH, Layout, layout, rank
from renderers.volo.shore import put_bank, put_islet, put_pole
from renderers.volo.sky import put_sky, put_water
from renderers.volo.theme import Theme

_COORDINATE = sans(34, Weight.BOLD)
_NAME = sans(27, Weight.SEMIBOLD)
_AWAY = 64.0
_AWAY_END = 60.0
_AWAY_MIDDLE = 41.0
_AWAY_ROW = 58.0
SHADE = 0.3
NAMED = 3
"""Every so many places of a row a vacant point shows its name, so that nobody counts beyond two."""


@scene
def lagoon(theme: Theme, key: str, *, asking: bool = False) -> Image.Image:
    """Return the empty board ``key``; while points are asked for, those that are no choice have no light."""
    board = layout(key)
    pen = Pen(WIDTH, HEIGHT, ground=theme.water[0])
    put_sky(pen, theme)
    put_water(pen, theme)
    for row in board.rows:
        names = [name for name in board.points if name[0] == row]
        pen.line([board.at(names[0]), board.at(names[-1])], 1.8, theme.row)
    put_bank(pen, theme)
    signs = () if asking else tuple(name for name in board.points if named(board, name))
    for name in board.points:
        if name in signs:
            pen.disc(board.at(name), 22, theme.glint)
            continue
        if not asking:
            pen.disc(board.at(name), 10 * board.zoom, theme.glint)
        pen.disc(board.at(name), (3.4 if asking else 5.2) * board.zoom, theme.dot)
    for name in board.corners:
        put_pole(pen, theme, board.at(name))
    put_islet(pen, theme, board.zoom)
    canvas = Canvas(pen.finish())
    for name in signs:
        canvas.sign(name, board.at(name), _NAME, theme.name)
    _coordinates(canvas, theme, board)
    return canvas.image


def named(board: Layout, name: str) -> bool:
    """Return whether a vacant point shows its name: every third place that has no coordinate beside it."""
    row, number = rank(name)
    inside = row not in {board.rows[0], board.rows[-1]} and number < len(board.places(row)) - 1
    return inside and number % NAMED == 0


@scene
def dusk(theme: Theme, key: str) -> Image.Image:
    """Return the empty board ``key`` in shade: what shadows are cut from."""
    light = lagoon(theme, key)
    return Image.blend(light, Image.new("RGB", light.size, rgb(theme.shade)), SHADE)


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
