"""The name plates: who sits where, whose turn it is, what was done last, how it ended."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.type import Weight, fitted, sans, serif
from renderers.core.voice import Voice
from renderers.volto.layout import PLATE, PLATE_TOPS, Layout
from renderers.volto.masks import blank
from renderers.volto.theme import Theme

_NAME = serif(46)
_STATUS = sans(33, Weight.BOLD)
_TOKEN = 0.5
_TEXT_X = 106.0
_GAP = 30


@sprite
def _plate(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    """Return an empty plate: in its owner's cloth while that seat is lit, else dark."""
    side = theme.sides[seat]
    left, right, height = PLATE
    pen = Pen(round(right - left), round(height))
    size = (right - left, height)
    if lit:
        pen.box((0, 0), size, 18, side.cloth, side.metal, 5)
        pen.box((8, 8), (size[0] - 16, size[1] - 16), 11, None, side.metal, 1.8)
    else:
        pen.box((0, 0), size, 18, theme.panel, theme.quiet, 2)
    return pen.finish()


def put_plate(
    canvas: Canvas, layout: Layout, theme: Theme, voice: Voice, seat: int, status: str, *, lit: bool
) -> None:
    """Lay the plate of a seat; a lamp burns on it if the seat is lit."""
    left, right, height = PLATE
    middle = PLATE_TOPS[layout.place(seat)] + height / 2
    canvas.put(_plate(theme, seat, lit=lit), ((left + right) / 2, middle))
    canvas.put(blank(theme, seat, _TOKEN), (left + 46, middle))
    room = right - left - _TEXT_X - 30
    shown = fitted(status, _STATUS, round(room * 0.62))
    taken = _STATUS.width(shown) + _GAP if shown else 0
    if lit:
        taken += 34
        canvas.put(_lamp(theme), (right - 22 - taken + _GAP / 2, middle))
    name = voice.painted(seat, _NAME, round(room - taken))
    canvas.words(name, (_TEXT_X, middle), _NAME, theme.words)
    canvas.words(shown, (right - 30, middle), _STATUS, theme.ivory if lit else theme.quiet, "rm")


@sprite
def _lamp(theme: Theme) -> Image.Image:
    pen = Pen(40, 40, centred=True)
    pen.disc((0, 0), 15, theme.ink)
    pen.disc((0, 0), 12.5, theme.gold)
    pen.disc((0, 0), 7, theme.ivory)
    return pen.finish()
