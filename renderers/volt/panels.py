"""The score panels of the public picture: robot, points, whether its seat is done, name, modules."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import CardView, Phase, RobotView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.core.type import Weight, fitted, sans
from renderers.volt import signs, tiles
from renderers.volt.layout import PANEL, panel_corner
from renderers.volt.public_data import module_name
from renderers.volt.robots import robot
from renderers.volt.theme import Theme

_NAME = sans(38, Weight.BOLD)
_CARD = sans(32, Weight.BOLD)
_SCORE = sans(74, Weight.BLACK)
_LETTER = sans(34, Weight.BLACK)
_PORTRAIT = 112
_CELL = 96
_SCORE_X = 160
_TEXT_X = 212
_CARD_SIZE = (324, 36)
_TILE = 46


def put_panels(canvas: Canvas, theme: Theme, captions: Captions, view: View) -> None:
    """Draw a panel for every seat."""
    for seat, state in enumerate(view.robots):
        x, y = panel_corner(seat, len(view.robots))
        empty = panel(theme, state.side, PANEL, _PORTRAIT, lit=is_lit(view, seat))
        canvas.put(empty, (x + PANEL[0] / 2, y + PANEL[1] / 2))
        put_portrait(canvas, theme, state, (x + _PORTRAIT / 2 + 2, y + PANEL[1] / 2 + 6), _CELL)
        canvas.put(_status(theme, view, seat), (x + 28, y + 28))
        put_score(canvas, theme, view, seat, (x + _SCORE_X, y + 48))
        put_pips(canvas, theme, state.score, view.target, (x + _SCORE_X, y + 99))
        # More than five backs would leave no room for the name.
        spare = view.modules[seat].spare[:5]
        room = PANEL[0] - _TEXT_X - 14 - 30 * len(spare)
        own = theme.gold_lit if seat == view.viewer else theme.words
        name = captions.painted_name(seat, _NAME, room)
        canvas.words(name, (x + _TEXT_X, y + 25), _NAME, theme.quiet if state.gone else own)
        for number, card in enumerate(spare):
            canvas.put(signs.back(theme, card.deck, (26, 32)), (x + PANEL[0] - 23 - 30 * number, y + 25))
        for number, card in enumerate(view.modules[seat].active):
            _put_card(canvas, theme, captions, card, (x + _TEXT_X - 4, y + 44 + 37 * number))


def is_lit(view: View, seat: int) -> bool:
    """Return whether a seat's panel is lit: it has programmed, or it has won."""
    if view.ranks is not None:
        return seat in view.ranks[0]
    return seat in view.done


@sprite
def panel(theme: Theme, side: str, size: tuple[int, int], portrait: int, *, lit: bool) -> Image.Image:
    """Return an empty panel: the field of its side's colour, then dark glass; its frame shines if ``lit``."""
    width, height = size
    colours = theme.side(side)
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(
        builder.box((0, 0), (width, height), 12), colours.glow if lit else mix(theme.line, theme.panel, 0.3)
    )
    inset = 5 if lit else 3
    field = builder.box((inset, inset), (width - 2 * inset, height - 2 * inset), 9)
    builder.lay(field, theme.panel_lit if lit else theme.panel)
    half = builder.box((inset, inset), (portrait + 20, height - 2 * inset), 9)
    half.paste(
        0,
        mask=builder.polygon(
            [(portrait + 16, 0), (portrait + 60, 0), (portrait + 60, height), (portrait - 8, height)]
        ),
    )
    builder.lay(half, colours.field)
    return builder.finish()


def _status(theme: Theme, view: View, seat: int) -> Image.Image:
    if view.ranks is not None:
        rank = next(place for place, seats in enumerate(view.ranks, 1) if seat in seats)
        return tiles.token(theme, rank, 50)
    if view.phase is Phase.OVER or seat not in view.asked:
        return signs.tile(theme, view.tiles[seat], "gone", _TILE)
    if seat not in view.done:
        return signs.tile(theme, None, "thinking", _TILE)
    return signs.tile(theme, view.taken[seat], "done", _TILE)


def put_portrait(canvas: Canvas, theme: Theme, state: RobotView, at: Point, cell: int) -> None:
    """Draw a robot; off the board it is a dark outline with a cross."""
    # A robot that has not been placed yet is faded, without a cross.
    if state.pos is not None:
        canvas.put(robot(theme, state.side, state.damage, cell), at)
        return
    figure = robot(theme, state.side, state.damage, cell)
    canvas.put(_faded(theme, state.side, state.damage, cell), at)
    if state.lost is not None or state.gone:
        canvas.put(signs.crossed(theme, figure.width), at)


@sprite
def _faded(theme: Theme, side: str, damage: int, cell: int) -> Image.Image:
    made = robot(theme, side, damage, cell).copy()
    alpha = made.getchannel("A").point([round(v * 0.42) for v in range(256)])
    made.putalpha(alpha)
    return made


def put_score(canvas: Canvas, theme: Theme, view: View, seat: int, at: Point) -> None:
    """Write a seat's points."""
    canvas.sign(str(view.robots[seat].score), at, _SCORE, theme.gold_lit)


def put_pips(canvas: Canvas, theme: Theme, score: int, target: int, at: Point) -> None:
    """Draw a bar for each point that is needed to win, gold for those scored."""
    width = 80 // target
    left = round(at[0] - 40)
    for number in range(target):
        x = left + number * width
        canvas.fill((x, at[1] - 9), (width - 4, 18), theme.gold if number < score else theme.ink)


def _put_card(canvas: Canvas, theme: Theme, captions: Captions, card: CardView, corner: Point) -> None:
    x, y = corner
    width, height = _CARD_SIZE
    known = card.name is not None
    canvas.put(
        signs.card(theme, card.deck, _CARD_SIZE, hidden=not card.face_up), (x + width / 2, y + height / 2)
    )
    canvas.put(signs.deck_sign(theme, card.deck, 32), (x + 24 if known else x + width / 2, y + height / 2))
    if card.name is not None:
        name = fitted(module_name(captions, card.name), _CARD, width - 56)
        canvas.words(name, (x + 46, y + height / 2), _CARD, "#FFFFFF")
