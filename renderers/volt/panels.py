"""The score panels of the public picture: robot, points, whether its seat is done, name, modules."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.volt.view import CardView, Phase, RobotView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.core.type import Face, Weight, fitted, sans
from renderers.volt import signs, tiles
from renderers.volt.layout import COLUMN, COLUMN_LOW, MARGIN
from renderers.volt.public_data import module_name
from renderers.volt.robots import hull, robot
from renderers.volt.theme import Theme

SMALL = 46
"""The smallest type: its capitals are nine pixels high on a phone."""
NAME = sans(SMALL, Weight.BOLD)
PLAIN = sans(SMALL, Weight.SEMIBOLD)
_TILE = 54
_NAME_HEIGHT, _ROW = 40, 40
SIGN = 32
"""The width of a deck's sign."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How high a panel and its upper part are, and how large the robot and the points in it."""

    height: int
    head: int
    robot: int
    score: Face

    @property
    def portrait(self) -> int:
        """Return the width of the robot's field."""
        return self.robot + 14


_LOW = _Shape(184, 64, 66, sans(70, Weight.BLACK))
_HIGH = _Shape(240, 118, 108, sans(84, Weight.BLACK))


def put_panels(canvas: Canvas, theme: Theme, captions: Captions, view: View) -> None:
    """Draw a panel for every seat, from the top of the column to its foot."""
    seats = len(view.robots)
    shape = _LOW if seats > 3 else _HIGH
    pitch = min((COLUMN_LOW - MARGIN) // seats, shape.height + 12)
    for seat in range(seats):
        _put_panel(canvas, theme, captions, view, seat, shape, MARGIN + pitch * seat)


def _put_panel(
    canvas: Canvas, theme: Theme, captions: Captions, view: View, seat: int, shape: _Shape, top: int
) -> None:
    state, size = view.robots[seat], (COLUMN, shape.height)
    empty = panel(theme, state.side, size, (shape.portrait, shape.head + 4), lit=is_lit(view, seat))
    canvas.put(empty, (MARGIN + COLUMN / 2, top + shape.height / 2))
    put_portrait(canvas, theme, state, (MARGIN + shape.portrait / 2, top + shape.head / 2 + 4), shape.robot)
    left, high = MARGIN + shape.portrait + 10, shape.head > 100
    put_score(canvas, theme, view, seat, (left, top + (38 if high else shape.head / 2 + 3)), shape.score)
    status = (left + 30, top + 92) if high else (MARGIN + COLUMN - 36, top + shape.head / 2 + 3)
    canvas.put(_status(theme, view, seat), status)
    own = theme.gold_lit if seat == view.viewer else theme.words
    name = captions.painted_name(seat, NAME, COLUMN - 20)
    line = top + shape.head + _NAME_HEIGHT - 7
    canvas.words(name, (MARGIN + 10, line), NAME, theme.quiet if state.gone else own, "ls")
    _put_modules(canvas, theme, captions, view, seat, top + shape.head + _NAME_HEIGHT)


def is_lit(view: View, seat: int) -> bool:
    """Return whether a seat's panel is lit: it has programmed, or it has won."""
    if view.ranks is not None:
        return seat in view.ranks[0]
    return seat in view.done


@sprite
def panel(
    theme: Theme, side: str, size: tuple[int, int], portrait: tuple[int, int], *, lit: bool
) -> Image.Image:
    """Return an empty panel: dark glass with a field of its side's colour; its frame shines if ``lit``."""
    width, height = size
    colours = theme.side(side)
    builder = SpriteBuilder(width, height, scale=2)
    builder.lay(
        builder.box((0, 0), (width, height), 12), colours.glow if lit else mix(theme.line, theme.panel, 0.3)
    )
    inset = 5 if lit else 3
    field = builder.box((inset, inset), (width - 2 * inset, height - 2 * inset), 9)
    builder.lay(field, theme.panel_lit if lit else theme.panel)
    wide, high = portrait
    half = builder.box((inset, inset), (wide, high - inset), 9)
    half.paste(0, mask=builder.polygon([(wide + 4, 0), (wide + 60, 0), (wide + 60, high), (wide - 12, high)]))
    builder.lay(half, colours.field)
    return builder.finish()


def _status(theme: Theme, view: View, seat: int) -> Image.Image:
    if view.ranks is not None:
        rank = next(place for place, seats in enumerate(view.ranks, 1) if seat in seats)
        return tiles.token(theme, rank, _TILE + 4)
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
    else:
        canvas.put(_faded(theme, state.side, state.damage, cell), at)
        if state.lost is not None or state.gone:
            canvas.put(signs.crossed(theme, round(cell * 1.36)), at)
    # On the board its damage is counted there.
    if state.damage and state.pos is None and not state.gone:
        canvas.put(hull(theme, state.damage, 88), (at[0], at[1] + cell * 0.3))


@sprite
def _faded(theme: Theme, side: str, damage: int, cell: int) -> Image.Image:
    made = robot(theme, side, damage, cell).copy()
    alpha = made.getchannel("A").point([round(v * 0.42) for v in range(256)])
    made.putalpha(alpha)
    return made


def put_score(canvas: Canvas, theme: Theme, view: View, seat: int, at: Point, face: Face) -> None:
    """Write a seat's points and those that win, from the left end and the middle of the points."""
    score = str(view.robots[seat].score)
    line = at[1] + face.size * 0.33
    canvas.words(score, (at[0], line), face, theme.gold_lit, "ls")
    canvas.words(f"/{view.target}", (at[0] + face.width(score), line), PLAIN, theme.gold, "ls")


# --- modules --------------------------------------------------------------------------------------


def short_name(captions: Captions, name: str, face: Face, room: int) -> str:
    """Return a module's name, or its first word where there is no room for two: no two modules share it."""
    whole = module_name(captions, name)
    return whole if face.width(whole) <= room else fitted(whole.partition(" ")[0], face, room)


def _put_modules(canvas: Canvas, theme: Theme, captions: Captions, view: View, seat: int, top: float) -> None:
    """Draw open modules with their names, one a row, then hidden ones and how many are spare."""
    modules = view.modules[seat]
    left, right, y = MARGIN + 6, MARGIN + COLUMN - 6, top + _ROW / 2
    opened = tuple(card for card in modules.active if card.name is not None)
    hidden = tuple(card for card in modules.active if card.name is None)
    decks = tuple(card.deck for card in modules.spare)
    for number, card in enumerate(opened):
        # Two open ones leave the spare ones no row of their own.
        room = right - left - (_spare_width(len(decks)) + 6 if number and decks else 0)
        _put_open(canvas, theme, captions, card, (left, y + _ROW * number), room)
    y += _ROW * min(1, len(opened))
    for number, card in enumerate(hidden):
        canvas.put(_unknown(theme, card.deck), (left + _CHIP[0] / 2 + (_CHIP[0] + 4) * number, y))
    if not decks:
        return
    if len(opened) == 2:
        put_spare(canvas, theme, decks, (right - _spare_width(len(decks)) - 4, y), right)
    elif len(hidden) == 2:
        put_spare(canvas, theme, decks, (left, y + _ROW), right)
    else:
        put_spare(canvas, theme, decks, (left + (_CHIP[0] + 4) * len(hidden), y), right)


def _put_open(canvas: Canvas, theme: Theme, captions: Captions, card: CardView, at: Point, room: int) -> None:
    assert card.name is not None
    canvas.put(signs.card(theme, card.deck, (room, _ROW - 3)), (at[0] + room / 2, at[1]))
    sign = SIGN + 6
    name = short_name(captions, card.name, NAME, room - 14)
    if NAME.width(name) <= room - 14 - sign:
        canvas.put(signs.deck_sign(theme, card.deck, SIGN), (at[0] + 6 + SIGN / 2, at[1]))
        canvas.words(name, (at[0] + 8 + sign, at[1] + 13), NAME, "#FFFFFF", "ls")
    else:
        canvas.words(name, (at[0] + 8, at[1] + 13), NAME, "#FFFFFF", "ls")


_CHIP = (84, _ROW - 3)


@sprite
def _unknown(theme: Theme, deck: str) -> Image.Image:
    """Return an active module that lies face down: its deck's sign and a question mark."""
    made = signs.card(theme, deck, _CHIP).copy()
    made.alpha_composite(signs.deck_sign(theme, deck, SIGN), (8, (_CHIP[1] - SIGN) // 2))
    builder = SpriteBuilder(*_CHIP, scale=2)
    builder.lay(builder.word("?", (60, _CHIP[1] / 2), NAME), "#FFFFFF")
    made.alpha_composite(builder.finish())
    return made


def _spare_width(count: int) -> int:
    """Return how wide the number of spare modules is, without their decks."""
    return round(NAME.width(f"+{count}"))


def put_spare(canvas: Canvas, theme: Theme, decks: tuple[str, ...], at: Point, right: float) -> None:
    """Write how many spare modules there are, then the signs of their decks as far as there is room."""
    x, y = at[0] + 4, at[1]
    canvas.words(f"+{len(decks)}", (x, y + 14), PLAIN, theme.words, "ls")
    x += _spare_width(len(decks)) + 2
    for deck in decks:
        if x + SIGN > right:
            return
        canvas.put(signs.deck_sign(theme, deck, SIGN), (x + SIGN / 2, y))
        x += SIGN + 2
