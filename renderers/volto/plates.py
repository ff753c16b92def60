"""The name plates, and the set-up's legend in the middle of the mat.

A plate shows a seat's player, whether it is to move, its last move, how the match ended. The legend shows the
name of each kind, how it moves and how many there are.
"""

from __future__ import annotations

from PIL import Image

from engines.volto.view import Phase, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.core.type import Weight, fitted, sans, serif
from renderers.volto.alt_text import status
from renderers.volto.layout import BAND, CELL, FILES, LEFT, PLATE, PLATE_TOPS, TOP, Layout
from renderers.volto.masks import KINDS, SOFTNESS, blank, figure
from renderers.volto.theme import Theme

_NAME = serif(46)
_STATUS = sans(33, Weight.BOLD)
_TOKEN = 0.48
_TEXT_X = 100.0
_GAP = 30


@sprite
def _plate(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    left, right, height = PLATE
    side, width = theme.sides[seat], right - left
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
    left, right, height = PLATE
    middle = PLATE_TOPS[layout.place(seat)] + height / 2
    canvas.put(_plate(theme, seat, lit=lit), ((left + right) / 2, middle))
    canvas.put(blank(theme, seat, _TOKEN), (left + 50, middle))
    # The status has the first claim, up to 62 % of the room; the name gets what is left.
    room = right - left - _TEXT_X - 30
    shown = fitted(status(captions, view, seat), _STATUS, round(room * 0.62))
    taken = _STATUS.width(shown) + _GAP if shown else 0
    if lit:
        taken += 34
        canvas.put(_lamp(theme), (right - 22 - taken + _GAP / 2, middle))
    name = captions.painted_name(seat, _NAME, round(room - taken))
    canvas.words(name, (_TEXT_X, middle), _NAME, theme.words)
    canvas.words(shown, (right - 30, middle), _STATUS, theme.ivory if lit else theme.quiet, "rm")


@sprite
def _lamp(theme: Theme) -> Image.Image:
    builder = SpriteBuilder(60, 60, centred=True)
    builder.lay(builder.soft(builder.discs([(0, 0)], 17), 5), theme.gold, 0.8)
    builder.lay(builder.discs([(0, 0)], 12), theme.ivory)
    return builder.finish(SOFTNESS)


_TITLE = serif(42)
_KIND_NAME = serif(29)
_WORDS = sans(27)
_WIDTH, _HEIGHT = CELL * len(FILES) + BAND, 2 * CELL + 96
_PITCH = 136
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
    top = _MIDDLE - _HEIGHT / 2
    canvas.put(_chest(theme, layout.near), (LEFT + CELL * len(FILES) / 2, _MIDDLE))
    canvas.words(captions.text("legend"), (LEFT + CELL * len(FILES) / 2, top + 42), _TITLE, theme.words, "mm")
    for i, (kind, count) in enumerate(zip(KINDS, counts, strict=True)):
        x = LEFT + CELL * len(FILES) / 2 + _PITCH * (i - 2)
        canvas.put(figure(theme, layout.near, kind, 0.86), (x, top + 132))
        lines = (
            (captions.text(f"kind.{kind}"), _KIND_NAME, theme.words),
            (captions.text("count", n=count), _KIND_NAME, theme.gold),
            (captions.text(f"way.{kind}"), _WORDS, theme.words),
            (captions.text(f"note.{kind}"), _WORDS, theme.quiet),
        )
        for line, (text, face, fill) in enumerate(lines):
            canvas.words(fitted(text, face, _PITCH), (x, top + 222 + line * 38), face, fill, "mm")
