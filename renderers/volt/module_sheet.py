"""The close-up of the viewer's modules: what each is called, what it goes with, what it does."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.type import Weight, fitted, sans, shrunk, wrapped
from renderers.volt import signs
from renderers.volt.board import Held, held
from renderers.volt.highlights import Highlights
from renderers.volt.layout import BOARD, FREE
from renderers.volt.panels import panel, put_portrait
from renderers.volt.public_data import cards, module_name, module_short
from renderers.volt.theme import Theme

_WIDTH, _LEAST = BOARD.size
_MARGIN, _GAP = 8, 8
_HEAD = (_WIDTH - 2 * _MARGIN, 124)
_TITLE = sans(54, Weight.BOLD)
_NAME = sans(52, Weight.BOLD)
_TEXT, _LEAST_TEXT = sans(46), 36
_LINE = 50
_ROW = 72
"""The height of a row without what it says."""


def module_sheet(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the close-up for the viewer's seat: as high as it is wide at most, unless there are many."""
    found = held(view, highlights)
    room = _WIDTH - _MARGIN - FREE - _HEAD[1] - _GAP
    told = [wrapped(module_short(captions, item.name), _TEXT, _HEAD[0] - 130) for item in found]
    if sum(_height(lines) + _GAP for lines in told) > room:
        told = [[fitted(" ".join(lines), _TEXT, _HEAD[0] - 130)] for lines in told]
    low = _MARGIN + _HEAD[1] + _GAP + sum(_height(lines) + _GAP for lines in told)
    canvas = Canvas(Image.new("RGB", (_WIDTH, max(_LEAST, low + FREE)), theme.night))
    _put_head(canvas, theme, captions, view)
    y = _MARGIN + _HEAD[1] + _GAP
    for item, lines in zip(found, told, strict=True):
        _put_row(canvas, theme, captions, item, lines, (_MARGIN, y))
        y += _height(lines) + _GAP
    if not found:
        canvas.words(captions.text("modules.none"), (_WIDTH / 2, y + _ROW), _TEXT, theme.quiet, "mm")
    return canvas.image


def _height(lines: list[str]) -> int:
    return _ROW + _LINE * len(lines)


def _put_head(canvas: Canvas, theme: Theme, captions: Captions, view: View) -> None:
    assert view.viewer is not None
    state, middle = view.robots[view.viewer], _MARGIN + _HEAD[1] / 2
    empty = panel(theme, state.side, _HEAD, (116, _HEAD[1]), lit=False)
    canvas.put(empty, (_MARGIN + _HEAD[0] / 2, middle))
    put_portrait(canvas, theme, state, (_MARGIN + 62, middle + 5), 96)
    canvas.words(captions.painted_name(view.viewer, _TITLE, 660), (156, _MARGIN + 36), _TITLE, theme.words)
    left = view.mines_left[view.viewer]
    words = captions.text("controller.state", damage=state.damage, points=state.score, mines_left=left)
    shown, face = shrunk(words, _TEXT, 670, _LEAST_TEXT)
    canvas.words(shown, (156, _MARGIN + 90), face, theme.quiet)
    x = _MARGIN + _HEAD[0] - 36
    for deck, count in reversed(tuple(zip(("red", "blue", "yellow"), view.decks, strict=True))):
        canvas.put(signs.back(theme, deck, (50, 60)), (x, _MARGIN + 38))
        canvas.sign(str(count), (x, _MARGIN + 96), _TEXT, theme.words)
        x -= 76


def _put_row(
    canvas: Canvas, theme: Theme, captions: Captions, item: Held, lines: list[str], corner: Point
) -> None:
    x, y = corner
    card, size = cards()[item.name], (_HEAD[0], _height(lines))
    if item.on:
        canvas.fill((x - 4, y - 4), (size[0] + 8, size[1] + 8), "#FFFFFF")
    made = signs.card(theme, card.deck, size, dim=not item.active)
    canvas.put(made, (x + size[0] / 2, y + size[1] / 2))
    canvas.put(signs.deck_sign(theme, card.deck, 64), (x + 52, y + size[1] / 2))
    state = "spare" if not item.active else "open" if item.known else "hidden"
    right = x + size[0] - 18
    if card.die:
        canvas.words(card.span, (right, y + 38), _NAME, "#FFFFFF", "rm")
        canvas.put(signs.die(theme, card.die, 0, 54), (right - _NAME.width(card.span) - 38, y + 38))
    name = fitted(module_name(captions, item.name), _NAME, 460)
    canvas.words(name, (x + 104, y + 38), _NAME, "#FFFFFF")
    told = captions.text(f"module.{state}")
    canvas.words(told, (x + 104 + _NAME.width(name) + 24, y + 41), _TEXT, theme.deck(card.deck).light)
    for number, line in enumerate(lines):
        canvas.words(line, (x + 104, y + 90 + _LINE * number), _TEXT, theme.words)
