"""The right column of the private picture: the viewer's points, rivals, number tiles, modules."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.volt.view import Phase, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour
from renderers.core.type import Weight, fitted, sans
from renderers.volt import signs
from renderers.volt.highlights import Highlights
from renderers.volt.layout import COLUMN
from renderers.volt.panels import is_lit, panel, put_pips, put_portrait, put_score
from renderers.volt.public_data import cards, module_name
from renderers.volt.robots import emblem
from renderers.volt.theme import Theme

_OWN = (COLUMN[1], 116)
_RIVAL_HEIGHT = 64
_RIVAL = sans(44, Weight.BLACK)
_TILE = 54
_NAME = sans(36, Weight.BOLD)
_SPARE = sans(33, Weight.SEMIBOLD)
_CARD_HEIGHT, _SPARE_HEIGHT = 104, 52
_GAP = 8


@dataclass(frozen=True, slots=True)
class Held:
    """An own module; ``on``: a standing order that is on, or named with a die; ``known``: face up to all."""

    name: str
    active: bool
    known: bool
    on: bool


def held(view: View, highlights: Highlights) -> tuple[Held, ...]:
    """Return the viewer's modules, active ones first, as the drafted swaps leave them."""
    assert view.viewer is not None
    modules = view.modules[view.viewer]
    came = {swap[1:] for swap in highlights.swaps if swap[0] == "+"}
    went = {swap[1:] for swap in highlights.swaps if swap[0] == "-"}
    named = (
        {use.partition("-")[0] for unit in highlights.units for use in unit.uses}
        if not highlights.old
        else set()
    )
    on = named | set(highlights.orders)
    found = [
        Held(card.name, card.name not in went, card.face_up and card.name not in went, card.name in on)
        for card in modules.active
        if card.name
    ]
    found += [
        Held(card.name, card.name in came, False, card.name in on) for card in modules.spare if card.name
    ]
    return tuple(sorted(found, key=lambda item: not item.active))


def put_column(
    canvas: Canvas, theme: Theme, captions: Captions, view: View, highlights: Highlights, bottom: int
) -> None:
    """Draw the column from the picture's top to ``bottom``."""
    x, y = COLUMN[0], 8
    assert view.viewer is not None
    state = view.robots[view.viewer]
    lit = is_lit(view, view.viewer)
    canvas.put(panel(theme, state.side, _OWN, 112, lit=lit), (x + _OWN[0] / 2, y + _OWN[1] / 2))
    put_portrait(canvas, theme, state, (x + 58, y + _OWN[1] / 2 + 5), 96)
    put_score(canvas, theme, view, view.viewer, (x + 172, y + 46))
    put_pips(canvas, theme, state.score, view.target, (x + 174, y + 95))
    y += _OWN[1] + _GAP
    rivals = [state for state in view.robots if state.seat != view.viewer]
    # The gap behind the last plate is not needed, so it counts as room.
    pitch = (COLUMN[1] + 6) // len(rivals)
    for number, state in enumerate(rivals):
        left, middle = x + pitch * number, y + _RIVAL_HEIGHT / 2
        plate = _rival(theme, state.side, pitch - 6, lit=is_lit(view, state.seat))
        canvas.put(plate, (left + (pitch - 6) / 2, middle))
        canvas.sign(str(state.score), (left + pitch - 24, middle), _RIVAL, "#FFFFFF")
    y += _RIVAL_HEIGHT + _GAP
    if view.free and view.phase is Phase.PROGRAM and not view.draw_tiles:
        _put_tiles(canvas, theme, view, highlights, (x, y))
        y += _TILE + _GAP
    _put_modules(canvas, theme, captions, held(view, highlights), (x, y + 4), bottom)


@sprite
def _rival(theme: Theme, side: str, width: int, *, lit: bool) -> Image.Image:
    # A shining frame says that the rival has programmed.
    colours = theme.side(side)
    builder = SpriteBuilder(width, _RIVAL_HEIGHT, scale=2)
    builder.lay(builder.box((0, 0), (width, _RIVAL_HEIGHT), 9), colours.glow if lit else theme.line)
    inset = 5 if lit else 2
    size = (width - 2 * inset, _RIVAL_HEIGHT - 2 * inset)
    builder.lay(builder.box((inset, inset), size, 7), colours.field)
    made = builder.finish()
    figure = emblem(theme, side, colours.light, 38)
    made.alpha_composite(figure, (-3 + max(3, (width - 76) // 3), (_RIVAL_HEIGHT - figure.height) // 2))
    return made


def _put_tiles(canvas: Canvas, theme: Theme, view: View, highlights: Highlights, corner: Point) -> None:
    # Free tiles are ivory, taken ones dark, the viewer's own has a frame of light.
    assert view.viewer is not None
    own = highlights.tile or view.taken[view.viewer]
    for number in range(1, len(view.robots) + 1):
        at = (corner[0] + _TILE / 2 + (_TILE + 4) * (number - 1), corner[1] + _TILE / 2)
        free = number in view.free or number == own
        if number == own:
            canvas.put(_halo(theme, theme.side(view.robots[view.viewer].side).glow), at)
        canvas.put(
            signs.tile(theme, number, "done" if free else "gone", _TILE - (6 if number == own else 0)), at
        )


@sprite
def _halo(theme: Theme, colour: Colour) -> Image.Image:
    builder = SpriteBuilder(_TILE + 6, _TILE + 6, scale=2)
    builder.lay(builder.box((0, 0), (_TILE + 6, _TILE + 6), 14), theme.ink)
    builder.lay(builder.box((2, 2), (_TILE + 2, _TILE + 2), 12), colour)
    return builder.finish()


def _put_modules(
    canvas: Canvas, theme: Theme, captions: Captions, found: tuple[Held, ...], corner: Point, bottom: int
) -> None:
    x, y = corner
    for item in found:
        height = _CARD_HEIGHT if item.active else _SPARE_HEIGHT
        # What has no room is left out: the close-up shows all modules.
        if y + height > bottom:
            return
        if item.active:
            _put_card(canvas, theme, captions, item, (x, y))
        else:
            size = (COLUMN[1], _SPARE_HEIGHT)
            deck = cards()[item.name].deck
            canvas.put(
                signs.card(theme, deck, size, hidden=False, dim=True), (x + size[0] / 2, y + size[1] / 2)
            )
            name = fitted(module_name(captions, item.name), _SPARE, size[0] - 20)
            canvas.words(name, (x + 10, y + size[1] / 2), _SPARE, theme.words)
        y += height + _GAP


def _put_card(canvas: Canvas, theme: Theme, captions: Captions, item: Held, corner: Point) -> None:
    x, y = corner
    size = (COLUMN[1], _CARD_HEIGHT)
    card = cards()[item.name]
    if item.on:
        canvas.fill((x - 4, y - 4), (size[0] + 8, size[1] + 8), "#FFFFFF")
    canvas.put(signs.card(theme, card.deck, size, hidden=False), (x + size[0] / 2, y + size[1] / 2))
    if not item.known:
        canvas.put(signs.veil(theme, card.deck, (16, size[1] - 16)), (x + 14, y + size[1] / 2))
    # Names have two words at most: one a line.
    first, _, second = module_name(captions, item.name).partition(" ")
    for line, text in enumerate((first, second)):
        room = size[0] - 38 if line == 0 else 106 if card.die else 142
        canvas.words(fitted(text, _NAME, room), (x + 30, y + 28 + 46 * line), _NAME, "#FFFFFF")
    right = x + size[0] - 10
    if card.die:
        canvas.words(card.span, (right, y + 76), _NAME, "#FFFFFF", "rm")
        canvas.put(signs.die(theme, card.die, 0, 34), (right - _NAME.width(card.span) - 24, y + 76))
    else:
        canvas.put(signs.deck_sign(theme, card.deck, 44), (right - 22, y + 76))
