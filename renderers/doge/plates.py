"""The strip below the map: a plate for each seat, one for what is laid out, one for the ghost's deck."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import Card, Pair, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.geometry import Point, star
from renderers.core.theme import mix
from renderers.core.type import Weight, serif
from renderers.doge.cards import ghost_deck, hand_fan
from renderers.doge.emblems import print_emblem
from renderers.doge.layout import GHOST_PLATE, PLATE, plate_corner
from renderers.doge.theme import Theme

_FRAME = 5
_NAME = serif(31, Weight.BOLD)
_LEAST = 28
_COUNT = serif(46, Weight.BOLD)
_NOTE = serif(31, Weight.SEMIBOLD_ITALIC)
_LEFT = serif(30, Weight.SEMIBOLD_ITALIC)
_EMBLEM = 38
_NAME_Y, _ROW_Y = 20, 57
_ROOM = PLATE[0] - 16


def put_plates(canvas: Canvas, theme: Theme, captions: Captions, view: View, asked: Sequence[Seat]) -> None:
    """Draw the strip; the seats that are ``asked``, or have found the treasure, are gilt."""
    public = view.public
    for seat in range(public.seats):
        _put_player(canvas, theme, captions, view, seat, lit=seat in asked)
    laid_out = public.laid_out
    # Two cards a plate, on the plates of the seats that are not taken.
    for number in range(0, len(laid_out), 2):
        at = plate_corner(public.seats + number // 2)
        _put_laid_out(canvas, theme, captions, laid_out[number : number + 2], at)
    _put_ghost(canvas, theme, captions, public.deck)


def _put_player(
    canvas: Canvas, theme: Theme, captions: Captions, view: View, seat: Seat, *, lit: bool
) -> None:
    public = view.public
    left, top = plate_corner(seat)
    out = seat in public.out
    canvas.put(_plate(theme, lit=lit), (left + PLATE[0] / 2, top + PLATE[1] / 2))
    name, face = captions.shrunk_name(seat, _NAME, _ROOM - (22 if lit else 0), _LEAST)
    canvas.words(name, (left + 9, top + _NAME_Y), face, theme.soft if out else theme.ink)
    identity = _identity(view, seat)
    count = public.cards_in_hand(seat)
    row = top + _ROW_Y
    fan = hand_fan(theme, seat, 1 if out or identity is not None else count, hollow=out)
    canvas.put(fan, (left + 9 + fan.width / 2, row))
    x = left + 9 + fan.width + 10
    if out:
        note = captions.text("plate.left" if seat in public.resigned else "plate.out")
        canvas.words(note, (x, row - 1), _NOTE, theme.rubric)
    else:
        canvas.words(str(count), (x, row - 2), _COUNT, theme.ink)
    if identity is not None:
        _put_pair(canvas, theme, identity, (left + PLATE[0] - 8, row))
    elif out and (refuted := _refuted(view, seat)) is not None:
        _put_pair(canvas, theme, refuted, (left + PLATE[0] - 8, row), struck=True)
    if lit:
        canvas.put(_star(theme), (left + PLATE[0] - 10, top + 8))


def _identity(view: View, seat: Seat) -> Pair | None:
    """Return a seat's pair where the viewer knows it: the own, and all at the end."""
    if view.truth is not None:
        return view.truth.pairs[seat]
    return view.own if seat == view.viewer else None


def _refuted(view: View, seat: Seat) -> Pair | None:
    wrong = (guess.pair for guess in view.public.guesses if guess.seat == seat and not guess.right)
    return next(wrong, None)


def _put_pair(canvas: Canvas, theme: Theme, pair: Pair, right: Point, *, struck: bool = False) -> None:
    """Print a pair's emblems, their right edge on ``right``."""
    x, y = right
    for number, card in enumerate(pair.cards):
        middle = (x - (1.5 - number) * (_EMBLEM + 2), y)
        print_emblem(canvas.image, card, middle, _EMBLEM, theme.soft if struck else theme.ink)
    if struck:
        canvas.put(_strike(theme), (x - _EMBLEM - 2, y))


@sprite
def _strike(theme: Theme) -> Image.Image:
    pen = Pen(2 * _EMBLEM + 12, _EMBLEM + 8, centred=True)
    for width, colour in ((8, theme.cream), (4.5, theme.rubric)):
        pen.line([(-_EMBLEM, 15), (_EMBLEM, -15)], width, colour)
    return pen.finish()


@sprite
def _plate(theme: Theme, *, lit: bool) -> Image.Image:
    width, height = PLATE
    pen = Pen(width + 2 * _FRAME, height + 2 * _FRAME)
    if lit:
        pen.box((0, 0), (width + 2 * _FRAME, height + 2 * _FRAME), 4, theme.gilt_edge)
        pen.box((1.2, 1.2), (width + 2 * _FRAME - 2.4, height + 2 * _FRAME - 2.4), 3, theme.gilt_lit)
    pen.box((_FRAME - 0.5, _FRAME - 0.5), (width + 1, height + 1), 2, theme.gilt_edge if lit else theme.ink)
    ground = theme.sign if lit else mix(theme.tints.paper_lit, theme.tints.paper, 0.2)
    pen.box((_FRAME + 1, _FRAME + 1), (width - 2, height - 2), 1, ground)
    return pen.finish()


@sprite
def _star(theme: Theme) -> Image.Image:
    """Return the sign of who is to act, besides the gilt frame."""
    pen = Pen(40, 40, centred=True)
    pen.polygon(star(5, 19, 8.6), theme.gilt_edge)
    pen.polygon(star(5, 15.4, 7), theme.gilt_lit)
    return pen.finish()


def _put_laid_out(
    canvas: Canvas, theme: Theme, captions: Captions, cards: Sequence[Card], corner: Point
) -> None:
    """List cards that lay face up at the start: in nobody's hand, and not the treasure."""
    left, top = corner
    canvas.put(_plate(theme, lit=False), (left + PLATE[0] / 2, top + PLATE[1] / 2))
    canvas.words(captions.text("plate.laid_out"), (left + 12, top + _NAME_Y), _NOTE, theme.rubric)
    for number, card in enumerate(cards):
        print_emblem(canvas.image, card, (left + 38 + 60 * number, top + _ROW_Y), 46, theme.ink)


def _put_ghost(canvas: Canvas, theme: Theme, captions: Captions, count: int) -> None:
    left, top, right, low = GHOST_PLATE
    canvas.put(_ghost_ground(theme), ((left + right) / 2, (top + low) / 2))
    canvas.put(ghost_deck(theme, count), (left + 42, (top + low) / 2))
    x = left + 108
    canvas.words(str(count), (x, top + 28), _COUNT, theme.ink if count > 2 else theme.rubric, "mm")
    canvas.words(captions.text("plate.deck"), (x, top + 63), _LEFT, theme.ink, "mm")


@sprite
def _ghost_ground(theme: Theme) -> Image.Image:
    left, top, right, low = GHOST_PLATE
    width, height = round(right - left), round(low - top)
    pen = Pen(width, height)
    pen.box((0, 0), (width, height), 2, theme.ink)
    pen.box((1.4, 1.4), (width - 2.8, height - 2.8), 1, theme.mist)
    return pen.finish()
