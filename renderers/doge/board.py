"""The picture of the board: the plate, and on it all that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import Card, Square, View, Way
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.doge.background import background
from renderers.doge.cards import PileCard, load_cards, put_pile
from renderers.doge.cartouche import load_cartouche, put_cartouche
from renderers.doge.highlights import Highlights
from renderers.doge.layout import (
    CARD_SQUARES,
    EDGE,
    HEIGHT,
    SLOT,
    SPOTS,
    WIDTH,
    feet,
    ghost_foot,
    pile_top,
    slot,
    trail,
)
from renderers.doge.narration import asked, found_by
from renderers.doge.pieces import put_ghost, put_pawn
from renderers.doge.plates import put_plates
from renderers.doge.slots import mark_slots
from renderers.doge.squares import words
from renderers.doge.targets import load_targets, put_discs, put_frames, targets, trail_dot
from renderers.doge.theme import Theme

_TRAIL_STEP = 20.0

Thing: TypeAlias = tuple[float, Callable[[], None]]
"""How far in front something stands, and what puts it there."""


def board(view: View, theme: Theme, captions: Captions, marks: Highlights) -> Image.Image:
    """Return the board of ``view`` with the marks of a draft."""
    # Whatever a draft or a known face may need is loaded for every picture: no file tells of it.
    for load in (load_cards, load_cartouche, load_targets):
        load(theme)
    texts, framed = words(captions), targets(view, marks)
    canvas = Canvas(background(theme.tints, texts))
    mark_slots(canvas, theme, texts, view, marks.named)
    put_frames(canvas, theme, texts, framed, marks.chosen)
    last = view.last_move
    # A pawn that has left the board leaves no trail.
    if last is not None and view.pawns[last.seat] is not None:
        step = 1 if last.way is Way.CLOCKWISE else -1
        squares = [(last.origin + step * number) % len(SPOTS) for number in range(last.steps + 1)]
        for point in trail(squares, _TRAIL_STEP):
            canvas.put(trail_dot(theme, last.seat), point)
    things = [*_piles(canvas, theme, view, marks), *_figures(canvas, theme, view, marks)]
    for _, put in sorted(things, key=lambda thing: thing[0]):
        put()
    put_discs(canvas, theme, framed)
    put_cartouche(canvas, theme, captions, view, marks)
    put_plates(canvas, theme, captions, view, asked(view))
    if view.viewer is not None:
        _gild_rim(canvas, theme)
    return canvas.image


def _gild_rim(canvas: Canvas, theme: Theme) -> None:
    # A gilt rim tells private pictures from public ones.
    for at, size in (
        ((0, 0), (WIDTH, EDGE)),
        ((0, HEIGHT - EDGE), (WIDTH, EDGE)),
        ((0, 0), (EDGE, HEIGHT)),
        ((WIDTH - EDGE, 0), (EDGE, HEIGHT)),
    ):
        canvas.fill((at[0], at[1]), size, theme.gilt_edge)
    for inset, thick, colour in ((1, EDGE - 3, theme.gilt), (3, 3, theme.gilt_pale)):
        far, length = WIDTH - inset - thick, WIDTH - 2 * inset
        for at, size in (
            ((inset, inset), (length, thick)),
            ((inset, far), (length, thick)),
            ((inset, inset), (thick, length)),
            ((far, inset), (thick, length)),
        ):
            canvas.fill(at, size, colour)


# --- what stands and lies on it -------------------------------------------------------------------


def _piles(canvas: Canvas, theme: Theme, view: View, marks: Highlights) -> Iterator[Thing]:
    known = dict(view.faces) if view.truth is None else dict(enumerate(view.truth.faces))
    for square in CARD_SQUARES:
        gifts = view.piles[square]
        pile = [PileCard(view.gifts[gift].giver, known.get(gift)) for gift in gifts]
        if square == marks.chosen and marks.gift is not None and view.viewer is not None:
            pile.append(PileCard(view.viewer, marks.gift, drafted=True))
        if pile:
            top = pile_top(square)
            yield top[1], partial(put_pile, canvas, theme, pile, top)


def _figures(canvas: Canvas, theme: Theme, view: View, marks: Highlights) -> Iterator[Thing]:
    for square in SPOTS:
        standing = _standing(view, marks, square)
        places = feet(square, len(standing), haunted=square == view.ghost)
        for (seat, hollow), foot in zip(standing, places, strict=True):
            yield foot[1], partial(put_pawn, canvas, theme, seat, foot, hollow=hollow)
    if view.ghost is not None:
        foot = ghost_foot(view.ghost)
        yield foot[1], partial(put_ghost, canvas, foot)
    if len(marks.named) == 1 and view.viewer is not None:
        foot = _on_slot(marks.named[0])
        yield foot[1], partial(put_pawn, canvas, theme, view.viewer, foot, hollow=True)
    if (found := found_by(view)) is not None:
        foot = _on_slot(found.pair.cards)
        yield foot[1], partial(put_pawn, canvas, theme, found.seat, foot)


def _standing(view: View, marks: Highlights, square: Square) -> list[tuple[Seat, bool]]:
    """Return whose pawns stand on a square, and whose hollow ones: where one would go, or came from."""
    last, found = view.last_move, found_by(view)
    # The pawn that has found the treasure stands on its slot.
    finder = None if found is None else found.seat
    standing = [(seat, False) for seat in view.pawns_at(square) if seat != finder]
    if square == marks.chosen and marks.gift is None and view.viewer is not None:
        standing += [(view.viewer, True)] if (view.viewer, False) not in standing else []
    if last is not None and last.origin == square and view.pawns[last.seat] not in (square, None):
        standing.append((last.seat, True))
    return standing


def _on_slot(pair: tuple[Card, Card]) -> Point:
    """Return the upper rim of a slot, where a pawn stands so that the craft stays in sight."""
    x, y = slot(*pair)
    return x, y - SLOT + 8
