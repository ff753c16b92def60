"""The control unit: three rings of eight arrows, their dice, the modules named with them."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import UNITS
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.geometry import Point
from renderers.core.sprite_builder import Studio
from renderers.core.theme import Colour
from renderers.core.type import Weight, fitted, sans, serif
from renderers.volt import signs
from renderers.volt.layout import KEY, KEY_PITCH, UNIT, UNIT_PITCH
from renderers.volt.marking import Marking, Unit
from renderers.volt.plan import DELTA, cards
from renderers.volt.theme import Theme
from renderers.volt.words import use_name

_USE = sans(33, Weight.BOLD)
_NUMERAL = serif(80, Weight.BLACK)
_SMALL_NUMERAL = serif(40, Weight.BLACK)
_RING_Y = 166
"""The middle of a ring, from the unit's upper edge."""
_STRIP_Y = 345
_STRIP = (336, 44)


def put_units(canvas: Canvas, theme: Theme, voice: Voice, marking: Marking, corner: Point) -> None:
    """Lay the three units, beginning at an upper left corner."""
    for number, unit in enumerate(marking.units):
        at = (corner[0] + UNIT_PITCH * number, corner[1])
        active = marking.active == number
        allowed = marking.arrows if active else None
        if allowed is None and unit.colour == "blue":
            drives = marking.diagonal and unit.number <= cards()["diagonal"].high
            allowed = tuple(arrow for arrow in DELTA if len(arrow) == 1 or drives)
        put_unit(canvas, theme, voice, number, unit, at, active=active, allowed=allowed, old=marking.old)


@sprite
def _frame(theme: Theme, rim: Colour, thick: int) -> Image.Image:
    """Return the ground of a unit."""
    width, height = UNIT
    studio = Studio(width, height, scale=2)
    studio.lay(studio.box((0, 0), UNIT, 16), rim)
    studio.lay(studio.box((thick, thick), (width - 2 * thick, height - 2 * thick), 13), theme.panel)
    return studio.finish()


def put_unit(
    canvas: Canvas,
    theme: Theme,
    voice: Voice,
    number: int,
    unit: Unit,
    corner: Point,
    *,
    active: bool,
    allowed: tuple[str, ...] | None,
    old: bool,
) -> None:
    """Lay one unit; what it did last round (``old``) is told by its dark frame."""
    x, y = corner
    if active:
        rim, thick = "#FFFFFF", 8
    elif unit.colour and not old:
        rim, thick = theme.deck(unit.colour).base, 6
    else:
        rim, thick = theme.line, 3
    canvas.put(_frame(theme, rim, thick), (x + UNIT[0] / 2, y + UNIT[1] / 2))
    centre = (x + UNIT[0] / 2, y + _RING_Y)
    for arrow, (dx, dy) in DELTA.items():
        at = (centre[0] + dx * KEY_PITCH, centre[1] + dy * KEY_PITCH)
        canvas.put(signs.key(theme, arrow, _state(unit, arrow, allowed), KEY), at)
        if unit.arrow == arrow and unit.colour:
            inward = (at[0] - dx * 11, at[1] - dy * 11)
            canvas.put(signs.die(theme, unit.colour, unit.number, 70), inward)
    waits = bool(unit.colour) and not unit.arrow
    colour = "#FFFFFF" if active else theme.deck(unit.colour).light if unit.colour else theme.quiet
    if waits:
        canvas.put(signs.die(theme, unit.colour, unit.number, 72), (centre[0], centre[1] - 14))
        canvas.sign(UNITS[number], (centre[0], centre[1] + 38), _SMALL_NUMERAL, colour)
    else:
        canvas.sign(UNITS[number], centre, _NUMERAL, colour)
    _put_uses(canvas, theme, voice, unit, (x + UNIT[0] / 2, y + _STRIP_Y))


def _state(unit: Unit, arrow: str, allowed: tuple[str, ...] | None) -> str:
    if unit.arrow == arrow:
        return unit.colour or "white"
    return "idle" if allowed is None or arrow in allowed else "off"


def _put_uses(canvas: Canvas, theme: Theme, voice: Voice, unit: Unit, at: Point) -> None:
    """Lay a strip for each module that is named with a die, side by side."""
    if not unit.uses:
        return
    width = (_STRIP[0] - 6 * (len(unit.uses) - 1)) // len(unit.uses)
    for place, use in enumerate(unit.uses):
        deck = cards()[use.partition("-")[0]].deck
        x = at[0] - _STRIP[0] / 2 + place * (width + 6) + width / 2
        canvas.put(signs.card(theme, deck, (width, _STRIP[1]), hidden=False), (x, at[1]))
        text = fitted(use_name(voice, use), _USE, width - 14)
        canvas.words(text, (x, at[1]), _USE, "#FFFFFF", "mm")
