"""The name plates: who sits where, whose turn it is, what was done last, how it ended."""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.studio import Studio
from renderers.core.theme import mix
from renderers.core.type import Weight, fitted, sans, serif
from renderers.core.voice import Voice
from renderers.volto.layout import PLATE, PLATE_TOPS, Layout
from renderers.volto.masks import blank
from renderers.volto.theme import Theme

_NAME = serif(46)
_STATUS = sans(33, Weight.BOLD)
_TOKEN = 0.48
_TEXT_X = 106.0
_GAP = 30


@sprite
def _plate(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    """Return an empty plate: in its owner's cloth while that seat is lit, else black lacquer."""
    side = theme.sides[seat]
    left, right, height = PLATE
    width = right - left
    studio = Studio(round(width), round(height), scale=2)
    whole = studio.box((0, 0), (width, height), 18)
    studio.lay(whole, side.metal if lit else mix(theme.panel, theme.quiet, 0.55))
    rim = 4 if lit else 2
    field = studio.box((rim, rim), (width - 2 * rim, height - 2 * rim), 18 - rim)
    studio.lay(field, (side.cloth, side.cloth, side.deep) if lit else (theme.panel, theme.panel, theme.ink))
    studio.shade(field, side.lit if lit else theme.quiet, (0, 3), 3, 0.5)
    if lit:
        inner = studio.box((9, 9), (width - 18, height - 18), 10)
        studio.lay(ImageChops.subtract(inner, studio.grown(inner, -1.6)), side.metal)
    return studio.finish()


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
    studio = Studio(60, 60, centred=True)
    studio.lay(studio.soft(studio.discs([(0, 0)], 16), 5), theme.gold, 0.8)
    studio.lay(studio.discs([(0, 0)], 13), theme.gold)
    studio.lay(studio.discs([(0, 0)], 8), theme.ivory)
    return studio.finish()
