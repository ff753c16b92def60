"""The name plates, and the set-up's legend in the middle of the mat.

A plate shows a seat's player, whether it is to move, its last move, who has won. The legend shows how many
masks of each kind there are, their name and how they move.
"""

from __future__ import annotations

from PIL import Image

from engines.volto.view import Phase, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.core.type import Weight, sans, serif, shrunk
from renderers.volto.alt_text import plate
from renderers.volto.layout import BAND, CELL, FILES, LEFT, PLATE, SIDE_X, TOP, Layout
from renderers.volto.masks import KINDS, SOFTNESS, figure
from renderers.volto.theme import Theme

_NAME, _LEAST_NAME = serif(48), 44
_STATUS, _LEAST_STATUS = sans(44, Weight.BOLD), 30
_NAME_DROP, _STATUS_DROP = 31.0, 75.0
"""How far below a plate's upper edge the middles of its two lines lie."""
_MARGIN = 14
_LAMP = 44
"""Pixels of a burning lamp before the status."""


@sprite
def _plate(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    side, (width, height) = theme.sides[seat], PLATE
    builder = SpriteBuilder(round(width), round(height), scale=2)
    whole = builder.box((0, 0), (width, height), 16)
    builder.lay(whole, mix(side.dull, side.metal, 0.6) if lit else mix(theme.panel, theme.quiet, 0.2))
    field = builder.box((BAND, BAND), (width - 2 * BAND, height - 2 * BAND), 8)
    builder.lay(field, side.cloth if lit else theme.panel)
    return builder.finish(SOFTNESS)


def put_plate(
    canvas: Canvas, layout: Layout, theme: Theme, captions: Captions, view: View, seat: int
) -> None:
    """Draw a seat's plate; a lamp burns on it if the seat must act, or has won."""
    if view.phase is Phase.SETUP:
        lit = seat not in view.arranged
    else:
        lit = seat == (view.turn if view.result is None else view.result.winner)
    top = layout.plate_top(seat)
    canvas.put(_plate(theme, seat, lit=lit), (SIDE_X, top + PLATE[1] / 2))
    room = PLATE[0] - 2 * _MARGIN
    name, face = captions.shrunk_name(seat, _NAME, round(room), _LEAST_NAME)
    canvas.words(name, (SIDE_X, top + _NAME_DROP), face, theme.words, "mm")
    lamp = _LAMP if lit else 0
    shown, face = shrunk(plate(captions, view, seat), _STATUS, round(room - lamp), _LEAST_STATUS)
    middle, line = SIDE_X + lamp / 2, top + _STATUS_DROP
    canvas.words(shown, (middle, line), face, theme.ivory if lit else theme.quiet, "mm")
    if lit:
        canvas.put(_lamp(theme), (middle - face.width(shown) / 2 - _LAMP / 2, line))


@sprite
def _lamp(theme: Theme) -> Image.Image:
    builder = SpriteBuilder(60, 60, centred=True)
    builder.lay(builder.soft(builder.discs([(0, 0)], 17), 5), theme.gold, 0.8)
    builder.lay(builder.discs([(0, 0)], 12), theme.ivory)
    return builder.finish(SOFTNESS)


_WORDS, _LEAST_WORDS = sans(44), 30
_WIDTH, _HEIGHT = CELL * len(FILES) + BAND, 3 * CELL + BAND
_LINE = (_HEIGHT - 4 * BAND) / len(KINDS)
_COUNT_X, _FIGURE_X, _KIND_X, _WAY_X = 22.0, 126.0, 176.0, 386.0
_FIGURE = 0.6
_MIDDLE = TOP + 3.5 * CELL


@sprite
def _chest(theme: Theme, seat: int) -> Image.Image:
    side = theme.sides[seat]
    builder = SpriteBuilder(_WIDTH, _HEIGHT, scale=2)
    whole = builder.box((0, 0), (_WIDTH, _HEIGHT), 16)
    builder.lay(whole, mix(side.dull, side.metal, 0.6))
    velvet = builder.box((BAND, BAND), (_WIDTH - 2 * BAND, _HEIGHT - 2 * BAND), 8)
    builder.lay(velvet, mix(side.deep, theme.panel, 0.45))
    return builder.finish(SOFTNESS)


def put_legend(
    canvas: Canvas, layout: Layout, theme: Theme, captions: Captions, counts: tuple[int, ...]
) -> None:
    """Draw the legend over the middle rows; ``counts``: how many of each kind, in the order of ``KINDS``."""
    left, top = LEFT - BAND / 2, _MIDDLE - _HEIGHT / 2 + 2 * BAND
    canvas.put(_chest(theme, layout.near), (left + _WIDTH / 2, _MIDDLE))
    for line, (kind, count) in enumerate(zip(KINDS, counts, strict=True)):
        y = top + (line + 0.5) * _LINE
        canvas.put(figure(theme, layout.near, kind, _FIGURE), (left + _FIGURE_X, y))
        for x, end, text, fill in (
            (_COUNT_X, _FIGURE_X, captions.text("count", n=count), theme.gold),
            (_KIND_X, _WAY_X, captions.text(f"kind.{kind}"), theme.words),
            (_WAY_X, _WIDTH - BAND, captions.text(f"way.{kind}"), theme.words),
        ):
            shown, face = shrunk(text, _WORDS, round(end - x - BAND), _LEAST_WORDS)
            canvas.words(shown, (left + x, y), face, fill)
