"""The close-up of what a seat holds: the control unit, and every own module with what it does."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import View
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.geometry import Point
from renderers.core.type import Weight, fitted, sans
from renderers.volt import signs
from renderers.volt.column import Held, held
from renderers.volt.layout import UNIT, WIDTH
from renderers.volt.marking import Marking
from renderers.volt.panels import panel, put_portrait
from renderers.volt.plan import cards
from renderers.volt.theme import Theme
from renderers.volt.units import put_units
from renderers.volt.words import module_name, module_short

_HEAD = (1084, 120)
_TITLE = sans(50, Weight.BOLD)
_STATE = sans(36)
_NAME = sans(46, Weight.BOLD)
_SHORT = sans(37)
_ROW = 116
_GAP = 8
_MARGIN = 8


def controller(view: View, theme: Theme, voice: Voice, marking: Marking) -> Image.Image:
    """Return the close-up for the viewer's seat."""
    found = held(view, marking)
    rows_top = _MARGIN + _HEAD[1] + _GAP
    units_top = rows_top + max(1, len(found)) * (_ROW + _GAP)
    canvas = Canvas(Image.new("RGB", (WIDTH, units_top + UNIT[1] + _MARGIN), theme.night))
    _put_head(canvas, theme, voice, view)
    for number, item in enumerate(found):
        _put_row(canvas, theme, voice, item, (_MARGIN, rows_top + number * (_ROW + _GAP)))
    if not found:
        canvas.words(voice.say("modules.none"), (WIDTH / 2, rows_top + _ROW / 2), _SHORT, theme.quiet, "mm")
    put_units(canvas, theme, voice, marking, (4, units_top))
    return canvas.image


def _put_head(canvas: Canvas, theme: Theme, voice: Voice, view: View) -> None:
    assert view.viewer is not None
    state = view.robots[view.viewer]
    canvas.put(
        panel(theme, state.side, _HEAD, 116, lit=False), (_MARGIN + _HEAD[0] / 2, _MARGIN + _HEAD[1] / 2)
    )
    put_portrait(canvas, theme, state, (_MARGIN + 62, _MARGIN + _HEAD[1] / 2 + 5), 96)
    canvas.words(voice.painted(view.viewer, _TITLE, 860), (160, _MARGIN + 38), _TITLE, theme.words)
    mines = view.modules[view.viewer].mines
    words = voice.say("controller.state", damage=state.damage, points=state.score, mines=mines)
    canvas.words(fitted(words, _STATE, 700), (160, _MARGIN + 88), _STATE, theme.quiet)
    x = _MARGIN + _HEAD[0] - 30
    for deck, count in reversed(tuple(zip(("red", "blue", "yellow"), view.decks, strict=True))):
        canvas.put(signs.back(theme, deck, (50, 60)), (x, _MARGIN + 40))
        canvas.sign(str(count), (x, _MARGIN + 95), _STATE, theme.words)
        x -= 68


def _put_row(canvas: Canvas, theme: Theme, voice: Voice, item: Held, corner: Point) -> None:
    x, y = corner
    card = cards()[item.name]
    size = (_HEAD[0], _ROW)
    if item.on:
        canvas.fill((x - 4, y - 4), (size[0] + 8, size[1] + 8), "#FFFFFF")
    made = signs.card(theme, card.deck, size, hidden=False, dim=not item.active)
    canvas.put(made, (x + size[0] / 2, y + size[1] / 2))
    canvas.put(signs.deck_sign(theme, card.deck, 60), (x + 46, y + _ROW / 2))
    state = "spare" if not item.active else "open" if item.known else "hidden"
    right = x + size[0] - 18
    if card.die:
        canvas.words(card.span, (right, y + 36), _NAME, "#FFFFFF", "rm")
        canvas.put(signs.die(theme, card.die, 0, 50), (right - _NAME.width(card.span) - 34, y + 36))
    told = voice.say(f"module.{state}")
    name = fitted(module_name(voice, item.name), _NAME, 420)
    canvas.words(name, (x + 92, y + 36), _NAME, "#FFFFFF")
    canvas.words(told, (x + 92 + _NAME.width(name) + 24, y + 38), _SHORT, theme.deck(card.deck).light)
    canvas.words(fitted(module_short(voice, item.name), _SHORT, 960), (x + 92, y + 84), _SHORT, theme.words)
