"""The control unit: three rings of eight arrows with their dice and modules, one below the other."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import UNITS
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour
from renderers.core.type import Weight, fitted, sans, serif
from renderers.volt import signs
from renderers.volt.highlights import Highlights, Unit
from renderers.volt.layout import COLUMN
from renderers.volt.public_data import DELTA, cards
from renderers.volt.theme import Theme

UNIT = (COLUMN, 172)
"""Width and height of a unit."""
_KEY, _PITCH = 53, 55
_DIE = 56
_RING = UNIT[1] / 2
"""The middle of a ring, from the unit's left and upper edge."""
_NUMERAL = serif(64, Weight.BLACK)
_USE = sans(46, Weight.BOLD)
_SIGN = 32
_CHIP = (72, 46)


@sprite
def _frame(theme: Theme, rim: Colour, thick: int) -> Image.Image:
    width, height = UNIT
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(builder.box((0, 0), UNIT, 14), rim)
    builder.lay(builder.box((thick, thick), (width - 2 * thick, height - 2 * thick), 11), theme.panel)
    return builder.finish()


def put_units(canvas: Canvas, theme: Theme, highlights: Highlights, corner: Point, gap: int) -> None:
    """Draw the three units from their upper left corner; dark frames if they show the last round."""
    for number, unit in enumerate(highlights.units):
        x, y = corner[0], corner[1] + (UNIT[1] + gap) * number
        colour, rim, thick = theme.quiet, theme.line, 2
        if unit.colour:
            colour = theme.deck(unit.colour).light
            rim, thick = (rim, thick) if highlights.old else (theme.deck(unit.colour).base, 4)
        if highlights.active == number:
            colour, rim, thick = "#FFFFFF", "#FFFFFF", 5
        canvas.put(_frame(theme, rim, thick), (x + UNIT[0] / 2, y + UNIT[1] / 2))
        _put_keys(canvas, theme, highlights, number, (x + _RING, y + _RING))
        if unit.colour and not unit.arrow:
            # The die waits for its arrow.
            canvas.put(signs.die(theme, unit.colour, unit.number, _DIE), (x + _RING, y + _RING))
        side = (x + UNIT[0] - _CHIP[0] / 2 - 5, y + 36)
        canvas.sign(UNITS[number], side, _NUMERAL, colour)
        _put_uses(canvas, theme, unit, (side[0], y + 94))


def _put_keys(canvas: Canvas, theme: Theme, highlights: Highlights, number: int, centre: Point) -> None:
    unit = highlights.units[number]
    allowed = highlights.arrows if highlights.active == number else None
    # Blue dice lie on straight arrows; with Diagonal Drive low ones lie on all.
    if allowed is None and unit.colour == "blue":
        drives = highlights.diagonal and unit.number <= cards()["diagonal"].high
        allowed = tuple(arrow for arrow in DELTA if len(arrow) == 1 or drives)
    for arrow, (dx, dy) in DELTA.items():
        at = (centre[0] + dx * _PITCH, centre[1] + dy * _PITCH)
        state = "idle" if allowed is None or arrow in allowed else "off"
        if unit.arrow == arrow:
            state = unit.colour or "white"
        canvas.put(signs.key(theme, arrow, state, _KEY), at)
    if unit.arrow and unit.colour:
        # After all keys: the die is as large as one, and leaves the head of its arrow free.
        dx, dy = DELTA[unit.arrow]
        at = (centre[0] + dx * (_PITCH - 16), centre[1] + dy * (_PITCH - 16))
        canvas.put(signs.die(theme, unit.colour, unit.number, _DIE), at)


def _put_uses(canvas: Canvas, theme: Theme, unit: Unit, at: Point) -> None:
    """Draw a chip for each module named with the die: its deck's sign and its choice."""
    for place, use in enumerate(unit.uses):
        name, _, choice = use.partition("-")
        deck = cards()[name].deck
        x, y = at[0], at[1] + (_CHIP[1] + 2) * place
        canvas.put(signs.card(theme, deck, _CHIP), (x, y))
        said = _choice(name, choice)
        left = x - _CHIP[0] / 2 + 4 + _SIGN / 2 if said else x
        canvas.put(signs.deck_sign(theme, deck, _SIGN), (left, y))
        if said:
            room = _CHIP[0] - _SIGN - 4
            canvas.words(fitted(said, _USE, room), (x + _CHIP[0] / 2 - 3, y + 15), _USE, "#FFFFFF", "rs")


def _choice(name: str, choice: str) -> str:
    """Return what is chosen with a module in as few letters as there is room for."""
    if choice in ("left", "right"):
        return choice[0].upper()
    return f"+{choice}" if name == "turbo" else choice
