"""The strip below the map: a plate for each seat, one for what is laid out, one for the ghost's deck."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import Pair, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.geometry import Point, star
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, serif
from renderers.doge.cards import ghost_deck, hand_fan
from renderers.doge.emblems import print_emblem
from renderers.doge.layout import GHOST_PLATE, PLATE, plate_corner
from renderers.doge.narration import identity
from renderers.doge.theme import Theme

_FRAME = 12
"""The room around a plate's sprite, for the frame and the star."""

_FEW = 2
"""So few cards of the ghost's deck are red."""

_NAME = serif(31, Weight.BOLD)
_LEAST = 30
_COUNT = serif(44, Weight.BOLD)
_NOTE = serif(31, Weight.SEMIBOLD_ITALIC)
_LEFT = serif(30, Weight.SEMIBOLD_ITALIC)
_EMBLEM = 38
_NAME_Y, _ROW_Y = 20, 57
_ROOM = PLATE[0] - 16


def put_plates(canvas: Canvas, theme: Theme, captions: Captions, view: View, asked: Sequence[Seat]) -> None:
    """Draw the strip; the seats that are ``asked``, or have found the treasure, are gilt."""
    for seat in range(view.seats):
        _put_player(canvas, theme, captions, view, seat, lit=seat in asked)
    # Two cards a plate, on the plates of the seats that are not taken.
    for number, card in enumerate(view.laid_out):
        left, top = plate_corner(view.seats + number // 2)
        if number % 2 == 0:
            canvas.put(_plate(theme, lit=False), (left + PLATE[0] / 2, top + PLATE[1] / 2))
            canvas.words(captions.text("plate.laid_out"), (left + 12, top + _NAME_Y), _NOTE, theme.rubric)
        print_emblem(canvas.image, card, (left + 38 + 60 * (number % 2), top + _ROW_Y), 46, theme.ink)
    left, top, right, low = GHOST_PLATE
    canvas.fill((left, top), (right - left, low - top), theme.ink)
    canvas.fill((left + 1, top + 1), (right - left - 2, low - top - 2), theme.mist)
    canvas.put(ghost_deck(theme, view.deck), (left + 42, (top + low) / 2))
    ink = theme.ink if view.deck > _FEW else theme.rubric
    canvas.words(str(view.deck), (left + 108, top + 28), _COUNT, ink, "mm")
    canvas.words(captions.text("plate.deck"), (left + 108, top + 63), _LEFT, theme.ink, "mm")


def _put_player(
    canvas: Canvas, theme: Theme, captions: Captions, view: View, seat: Seat, *, lit: bool
) -> None:
    left, top = plate_corner(seat)
    out = seat in view.out
    canvas.put(_plate(theme, lit=lit), (left + PLATE[0] / 2, top + PLATE[1] / 2))
    name, face = captions.shrunk_name(seat, _NAME, _ROOM - (12 if lit else 0), _LEAST)
    canvas.words(name, (left + 9, top + _NAME_Y), face, theme.soft if out else theme.ink)
    own = identity(view, seat)
    count = view.cards_in_hand(seat)
    row = top + _ROW_Y
    fan = hand_fan(theme, seat, 1 if out or own is not None else count, hollow=out)
    canvas.put(fan, (left + 9 + fan.width / 2, row))
    x = left + 9 + fan.width + (4 if out else 6)
    if out:
        note = captions.text("plate.left" if seat in view.resigned else "plate.out")
        canvas.words(note, (x, row - 1), _NOTE, theme.rubric)
    else:
        canvas.words(str(count), (x, row - 2), _COUNT, theme.ink)
    if own is not None:
        _put_pair(canvas, theme, own, (left + PLATE[0] - 4, row))
    elif out and (refuted := _refuted(view, seat)) is not None:
        _put_pair(canvas, theme, refuted, (left + PLATE[0] - 4, row), struck=True)


def _refuted(view: View, seat: Seat) -> Pair | None:
    wrong = (guess.pair for guess in view.guesses if guess.seat == seat and not guess.right)
    return next(wrong, None)


def _put_pair(canvas: Canvas, theme: Theme, pair: Pair, right: Point, *, struck: bool = False) -> None:
    """Print a pair's emblems, their right edge on ``right``."""
    x, y = right
    for number, card in enumerate(pair.cards):
        middle = (x - (1.5 - number) * _EMBLEM, y)
        print_emblem(canvas.image, card, middle, _EMBLEM, theme.soft if struck else theme.ink)
    if struck:
        canvas.put(_strike(theme), (x - _EMBLEM, y))


@sprite
def _strike(theme: Theme) -> Image.Image:
    pen = Pen(2 * _EMBLEM + 12, _EMBLEM + 8, centred=True)
    for width, colour in ((8, theme.cream), (4.5, theme.rubric)):
        pen.line([(-_EMBLEM, 15), (_EMBLEM, -15)], width, colour)
    return pen.finish()


@sprite
def _plate(theme: Theme, *, lit: bool) -> Image.Image:
    """Return a plate; one that is lit has a gilt frame and a star at its corner."""
    width, height = PLATE
    pen = Pen(width + 2 * _FRAME, height + 2 * _FRAME, centred=True)

    def lay(out: float, colour: Colour) -> None:
        pen.box((-width / 2 - out, -height / 2 - out), (width + 2 * out, height + 2 * out), 3, colour)

    if lit:
        lay(5, theme.gilt_edge)
        lay(3.8, theme.gilt_lit)
    lay(0.5, theme.gilt_edge if lit else theme.ink)
    lay(-1, theme.sign if lit else mix(theme.tints.paper_lit, theme.tints.paper, 0.2))
    if lit:
        corner = width / 2 - 8, 9 - height / 2
        pen.polygon(star(5, 18, 8.2, corner), theme.gilt_edge)
        pen.polygon(star(5, 14.6, 6.6, corner), theme.gilt_lit)
    return pen.finish()
