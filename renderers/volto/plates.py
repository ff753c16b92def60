"""The name plates: who sits where, whose turn it is, what was done last, how it ended."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.sprite_builder import Studio
from renderers.core.theme import mix
from renderers.core.type import Weight, fitted, sans, serif
from renderers.volto.layout import BAND, PLATE, PLATE_TOPS, Layout
from renderers.volto.masks import SOFTNESS, blank
from renderers.volto.theme import Theme

_NAME = serif(46)
_STATUS = sans(33, Weight.BOLD)
_TOKEN = 0.48
_TEXT_X = 100.0
_GAP = 30


@sprite
def _plate(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    """Return an empty plate: in its owner's cloth while that seat is lit, else black lacquer."""
    left, right, height = PLATE
    side, width = theme.sides[seat], right - left
    studio = Studio(round(width), round(height), scale=2)
    whole = studio.box((0, 0), (width, height), 16)
    studio.lay(whole, mix(side.dull, side.metal, 0.6) if lit else mix(theme.panel, theme.quiet, 0.2))
    field = studio.box((BAND, BAND), (width - 2 * BAND, height - 2 * BAND), 8)
    studio.lay(field, side.cloth if lit else theme.panel)
    return studio.finish(SOFTNESS)


def put_plate(
    canvas: Canvas, layout: Layout, theme: Theme, voice: Voice, seat: int, status: str, *, lit: bool
) -> None:
    """Lay the plate of a seat; a lamp burns on it if the seat is lit."""
    left, right, height = PLATE
    middle = PLATE_TOPS[layout.place(seat)] + height / 2
    canvas.put(_plate(theme, seat, lit=lit), ((left + right) / 2, middle))
    canvas.put(blank(theme, seat, _TOKEN), (left + 50, middle))
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
    studio.lay(studio.soft(studio.discs([(0, 0)], 17), 5), theme.gold, 0.8)
    studio.lay(studio.discs([(0, 0)], 12), theme.ivory)
    return studio.finish(SOFTNESS)
