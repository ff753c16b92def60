"""The control unit: three rings of eight arrows with their dice and modules, and the close-up of it."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import UNITS, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour
from renderers.core.type import Weight, fitted, sans, serif
from renderers.volt import signs
from renderers.volt.column import Held, held
from renderers.volt.highlights import Highlights, Unit
from renderers.volt.layout import KEY, KEY_PITCH, UNIT, UNIT_PITCH, WIDTH
from renderers.volt.panels import panel, put_portrait
from renderers.volt.public_data import DELTA, cards, module_name, module_short, use_name
from renderers.volt.theme import Theme

_USE = sans(33, Weight.BOLD)
_NUMERAL = serif(80, Weight.BLACK)
_SMALL_NUMERAL = serif(40, Weight.BLACK)
_RING_Y = 166
"""The middle of a ring, from the unit's upper edge."""
_STRIP_Y = 345
_STRIP = (336, 44)


@sprite
def _frame(theme: Theme, rim: Colour, thick: int) -> Image.Image:
    width, height = UNIT
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(builder.box((0, 0), UNIT, 16), rim)
    builder.lay(builder.box((thick, thick), (width - 2 * thick, height - 2 * thick), 13), theme.panel)
    return builder.finish()


def put_units(
    canvas: Canvas, theme: Theme, captions: Captions, highlights: Highlights, corner: Point
) -> None:
    """Draw the three units from their upper left corner; dark frames if they show the last round."""
    for number, unit in enumerate(highlights.units):
        x, y = corner[0] + UNIT_PITCH * number + UNIT[0] / 2, corner[1]
        colour, rim, thick = theme.quiet, theme.line, 3
        if unit.colour:
            colour = theme.deck(unit.colour).light
            rim, thick = (rim, thick) if highlights.old else (theme.deck(unit.colour).base, 6)
        if highlights.active == number:
            colour, rim, thick = "#FFFFFF", "#FFFFFF", 8
        canvas.put(_frame(theme, rim, thick), (x, y + UNIT[1] / 2))
        _put_keys(canvas, theme, highlights, number, (x, y + _RING_Y))
        if unit.colour and not unit.arrow:
            # The die waits for its arrow.
            canvas.put(signs.die(theme, unit.colour, unit.number, 72), (x, y + _RING_Y - 14))
            canvas.sign(UNITS[number], (x, y + _RING_Y + 38), _SMALL_NUMERAL, colour)
        else:
            canvas.sign(UNITS[number], (x, y + _RING_Y), _NUMERAL, colour)
        _put_uses(canvas, theme, captions, unit, (x, y + _STRIP_Y))


def _put_keys(canvas: Canvas, theme: Theme, highlights: Highlights, number: int, centre: Point) -> None:
    unit = highlights.units[number]
    allowed = highlights.arrows if highlights.active == number else None
    # Blue dice lie on straight arrows; with Diagonal Drive low ones lie on all.
    if allowed is None and unit.colour == "blue":
        drives = highlights.diagonal and unit.number <= cards()["diagonal"].high
        allowed = tuple(arrow for arrow in DELTA if len(arrow) == 1 or drives)
    for arrow, (dx, dy) in DELTA.items():
        at = (centre[0] + dx * KEY_PITCH, centre[1] + dy * KEY_PITCH)
        state = "idle" if allowed is None or arrow in allowed else "off"
        if unit.arrow == arrow:
            state = unit.colour or "white"
        canvas.put(signs.key(theme, arrow, state, KEY), at)
        if unit.arrow == arrow and unit.colour:
            canvas.put(signs.die(theme, unit.colour, unit.number, 70), (at[0] - dx * 11, at[1] - dy * 11))


def _put_uses(canvas: Canvas, theme: Theme, captions: Captions, unit: Unit, at: Point) -> None:
    for place, use in enumerate(unit.uses):
        width = (_STRIP[0] - 6 * (len(unit.uses) - 1)) // len(unit.uses)
        deck = cards()[use.partition("-")[0]].deck
        x = at[0] - _STRIP[0] / 2 + place * (width + 6) + width / 2
        canvas.put(signs.card(theme, deck, (width, _STRIP[1]), hidden=False), (x, at[1]))
        text = fitted(use_name(captions, use), _USE, width - 14)
        canvas.words(text, (x, at[1]), _USE, "#FFFFFF", "mm")


_HEAD = (1084, 120)
_TITLE = sans(50, Weight.BOLD)
_STATE = sans(36)
_NAME = sans(46, Weight.BOLD)
_SHORT = sans(37)
_ROW = 116
_GAP = 8
_MARGIN = 8


def controller(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the close-up for the viewer's seat."""
    found = held(view, highlights)
    rows_top = _MARGIN + _HEAD[1] + _GAP
    units_top = rows_top + max(1, len(found)) * (_ROW + _GAP)
    canvas = Canvas(Image.new("RGB", (WIDTH, units_top + UNIT[1] + _MARGIN), theme.night))
    _put_head(canvas, theme, captions, view)
    for number, item in enumerate(found):
        _put_row(canvas, theme, captions, item, (_MARGIN, rows_top + number * (_ROW + _GAP)))
    if not found:
        canvas.words(
            captions.text("modules.none"), (WIDTH / 2, rows_top + _ROW / 2), _SHORT, theme.quiet, "mm"
        )
    put_units(canvas, theme, captions, highlights, (4, units_top))
    return canvas.image


def _put_head(canvas: Canvas, theme: Theme, captions: Captions, view: View) -> None:
    assert view.viewer is not None
    state = view.robots[view.viewer]
    canvas.put(
        panel(theme, state.side, _HEAD, 116, lit=False), (_MARGIN + _HEAD[0] / 2, _MARGIN + _HEAD[1] / 2)
    )
    put_portrait(canvas, theme, state, (_MARGIN + 62, _MARGIN + _HEAD[1] / 2 + 5), 96)
    canvas.words(captions.painted_name(view.viewer, _TITLE, 860), (160, _MARGIN + 38), _TITLE, theme.words)
    mines = view.modules[view.viewer].mines
    words = captions.text("controller.state", damage=state.damage, points=state.score, mines=mines)
    canvas.words(fitted(words, _STATE, 700), (160, _MARGIN + 88), _STATE, theme.quiet)
    x = _MARGIN + _HEAD[0] - 30
    for deck, count in reversed(tuple(zip(("red", "blue", "yellow"), view.decks, strict=True))):
        canvas.put(signs.back(theme, deck, (50, 60)), (x, _MARGIN + 40))
        canvas.sign(str(count), (x, _MARGIN + 95), _STATE, theme.words)
        x -= 68


def _put_row(canvas: Canvas, theme: Theme, captions: Captions, item: Held, corner: Point) -> None:
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
    told = captions.text(f"module.{state}")
    name = fitted(module_name(captions, item.name), _NAME, 420)
    canvas.words(name, (x + 92, y + 36), _NAME, "#FFFFFF")
    canvas.words(told, (x + 92 + _NAME.width(name) + 24, y + 38), _SHORT, theme.deck(card.deck).light)
    canvas.words(
        fitted(module_short(captions, item.name), _SHORT, 960), (x + 92, y + 84), _SHORT, theme.words
    )
