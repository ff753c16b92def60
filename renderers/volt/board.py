"""The pictures of a match of VOLT: the arena with its score panels, or with the private column.

The column shows all points, the viewer's control unit, its modules and its number tile.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.volt.view import Phase, RobotView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.volt import signs
from renderers.volt.arena import put_arena
from renderers.volt.background import empty_arena
from renderers.volt.control_unit import UNIT, put_units
from renderers.volt.highlights import Highlights
from renderers.volt.layout import BOARD, COLUMN, COLUMN_LOW, MARGIN
from renderers.volt.panels import NAME, PLAIN, is_lit, put_panels, put_spare, short_name
from renderers.volt.public_data import cards, plan
from renderers.volt.robots import emblem
from renderers.volt.theme import Theme

_UNPROGRAMMED = (Phase.START, Phase.SECOND, Phase.OVER)

_SCORES = 56
_SCORE = sans(48, Weight.BLACK)
_ROW = 46
_GAP = 4
_TILE = 50


def is_private(view: View) -> bool:
    """Return whether the viewer sees its control unit: while there is something to program."""
    if view.viewer is None or view.robots[view.viewer].gone:
        return False
    # While robots enter the arena nobody has programmed yet.
    return view.phase not in _UNPROGRAMMED and (view.phase, view.round) != (Phase.REBOOT, 1)


def board(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the arena; beside it the panels of all seats, or the viewer's control unit."""
    canvas = empty_arena(theme, view, BOARD)
    put_arena(canvas, theme, plan(view.arena), BOARD, view, highlights)
    if is_private(view):
        put_column(canvas, theme, captions, view, highlights)
    else:
        put_panels(canvas, theme, captions, view)
    return canvas.image


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


def put_column(canvas: Canvas, theme: Theme, captions: Captions, view: View, highlights: Highlights) -> None:
    """Draw the column from the picture's top to its foot."""
    assert view.viewer is not None
    _put_scores(canvas, theme, view)
    top = MARGIN + _SCORES + _GAP
    put_units(canvas, theme, highlights, (MARGIN, top), _GAP)
    _put_modules(canvas, theme, captions, held(view, highlights), top + 3 * (UNIT[1] + _GAP))
    tile = highlights.tile or view.taken[view.viewer]
    if tile is not None:
        at = (BOARD.column - MARGIN - _TILE / 2, COLUMN_LOW + _TILE / 2 + 6)
        canvas.put(_halo(theme, theme.side(view.robots[view.viewer].side).glow), at)
        canvas.put(signs.tile(theme, tile, "done", _TILE - 4), at)


def _put_scores(canvas: Canvas, theme: Theme, view: View) -> None:
    # The viewer's own points first, with those that win.
    assert view.viewer is not None
    own = view.robots[view.viewer]
    rivals = [state for state in view.robots if state.seat != view.viewer]
    narrow = 48 if len(rivals) == 3 else 64
    x = MARGIN + COLUMN
    for state in reversed(rivals):
        x -= narrow
        _put_score(canvas, theme, view, state, (x, MARGIN), narrow)
        x -= _GAP
    _put_score(canvas, theme, view, own, (MARGIN, MARGIN), x - MARGIN)


def _put_score(canvas: Canvas, theme: Theme, view: View, state: RobotView, corner: Point, width: int) -> None:
    own = state.seat == view.viewer
    plate = _plate(theme, state.side, width, lit=is_lit(view, state.seat))
    x, y = corner
    canvas.put(plate, (x + width / 2, y + _SCORES / 2))
    line, right = y + _SCORES / 2 + 16, x + width - 4
    ink = theme.ink if is_lit(view, state.seat) else "#FFFFFF"
    if own:
        target = f"/{view.target}"
        canvas.words(target, (right, line), PLAIN, ink, "rs")
        right -= round(PLAIN.width(target))
    canvas.words(str(state.score), (right, line), _SCORE, ink, "rs")


@sprite
def _plate(theme: Theme, side: str, width: int, *, lit: bool) -> Image.Image:
    # An ivory plate, as of a number tile, says that the seat is ready: a frame would be too thin on a phone.
    colours = theme.side(side)
    builder = SpriteBuilder(width, _SCORES, scale=2)
    builder.lay(builder.box((0, 0), (width, _SCORES), 9), colours.glow if lit else theme.line)
    size = (width - 4, _SCORES - 4)
    builder.lay(builder.box((2, 2), size, 7), signs.IVORY if lit else colours.field)
    made = builder.finish()
    # Beside three rivals there is little room: a plate's number hides the edge of its emblem.
    figure = emblem(theme, side, colours.dark if lit else colours.light, 30 if width > 60 else 26)
    made.alpha_composite(figure, (-4, (_SCORES - figure.height) // 2))
    return made


@sprite
def _halo(theme: Theme, colour: Colour) -> Image.Image:
    builder = SpriteBuilder(_TILE + 6, _TILE + 6, scale=2)
    builder.lay(builder.box((0, 0), (_TILE + 6, _TILE + 6), 14), theme.ink)
    builder.lay(builder.box((2, 2), (_TILE + 2, _TILE + 2), 12), colour)
    return builder.finish()


def _put_modules(
    canvas: Canvas, theme: Theme, captions: Captions, found: tuple[Held, ...], top: float
) -> None:
    """Draw the active modules, one a row, then how many are spare: the close-up names them."""
    y = top + _ROW / 2
    for item in found:
        if item.active:
            _put_module(canvas, theme, captions, item, y)
            y += _ROW + 3
    spare = tuple(cards()[item.name].deck for item in found if not item.active)
    if spare:
        put_spare(canvas, theme, spare, (MARGIN, y), MARGIN + COLUMN)


def _put_module(canvas: Canvas, theme: Theme, captions: Captions, item: Held, y: float) -> None:
    deck = cards()[item.name].deck
    if item.on:
        canvas.fill((MARGIN - 4, y - _ROW / 2 - 4), (COLUMN + 8, _ROW + 5), "#FFFFFF")
    canvas.put(signs.card(theme, deck, (COLUMN, _ROW - 3)), (MARGIN + COLUMN / 2, y - 1))
    name = short_name(captions, item.name, NAME, COLUMN - 16)
    canvas.words(name, (MARGIN + 8, y + 13), NAME, "#FFFFFF", "ls")
    if not item.known and NAME.width(name) < COLUMN - 48:
        # Face down to all others.
        canvas.sign("?", (MARGIN + COLUMN - 20, y), NAME, theme.deck(deck).light)
