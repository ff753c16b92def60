"""The empty lagoon at dawn: sky, water, bank, rows of points, islet, poles, and the names of places."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.type import Weight, sans
from renderers.volo.birds import stepped
from renderers.volo.layout import CENTRE, HEIGHT, HORIZON, WIDTH, Layout, layout
from renderers.volo.marks import pearl
from renderers.volo.shore import put_bank, put_islet, put_pole
from renderers.volo.sky import put_sky, put_water
from renderers.volo.theme import Theme

_COORDINATE = sans(46, Weight.BOLD)
_AWAY = 64.0
_AWAY_END = 60.0
_AWAY_MIDDLE = 41.0
DIM = sans(28, Weight.SEMIBOLD)


@scene
def lagoon(theme: Theme, key: str, *, asking: bool = False) -> Image.Image:
    """Return the empty board ``key``; while points are asked for, points have no light."""
    board = layout(key)
    canvas = Canvas(_waters(theme))
    for row in board.rows:
        ends = [board.at(name)[0] for name in board.points if name[0] == row]
        canvas.fill((min(ends), board.at(row + "2")[1] - 1), (max(ends) - min(ends), 2), theme.row)
    pen = Pen(WIDTH, HEIGHT)
    put_bank(pen, theme)
    for name in board.corners:
        put_pole(pen, theme, board.at(name))
    put_islet(pen, theme, board.zoom)
    canvas.put(stepped(pen.finish()), (WIDTH / 2, HEIGHT / 2))
    for name in board.points:
        if asking:
            canvas.sign(name[1:], board.at(name), DIM, theme.name)
        else:
            canvas.put(pearl(theme, name[1:], board.zoom), board.at(name))
    _coordinates(canvas, theme, board)
    return canvas.image


def _waters(theme: Theme) -> Image.Image:
    """Return sky and water; bands of water have hard edges, which nobody sees and which pack small."""
    pen = Pen(WIDTH, HEIGHT, ground=theme.water[0])
    put_sky(pen, theme)
    drawn = pen.finish()
    pen = Pen(WIDTH, HEIGHT, ground=theme.water[0])
    put_water(pen, theme)
    top = round(HORIZON) - 1
    drawn.paste(pen.finish(hard=True).crop((0, top, WIDTH, HEIGHT)), (0, top))
    return drawn


def _coordinates(canvas: Canvas, theme: Theme, board: Layout) -> None:
    for row in board.rows:
        first, *_, last = board.places(row)
        away = (_AWAY if first not in board.corners else _AWAY_END) * board.zoom
        if board.at(first)[1] == CENTRE[1]:
            away = _AWAY_MIDDLE
        for x in (board.at(first)[0] - away, board.at(last)[0] + away):
            canvas.words(row, (x, board.at(first)[1]), _COORDINATE, theme.slate, "mm")
