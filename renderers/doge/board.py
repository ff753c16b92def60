"""The picture of the board: the plate, and on it all that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import CRAFTS, INSTITUTIONS, LOCATIONS, Card, PawnMove, Phase, Square, View, Way
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.doge.background import Words, background, key_spans, sign, words
from renderers.doge.cards import PileCard, put_pile
from renderers.doge.cartouche import put_cartouche
from renderers.doge.highlights import Highlights, awaits
from renderers.doge.layout import (
    CARD_SQUARES,
    EDGE,
    HEIGHT,
    KEY,
    SIGN_NUMBER,
    SLOT,
    SPOTS,
    WIDTH,
    feet,
    ghost_foot,
    pile_top,
    slot,
    trail,
)
from renderers.doge.marks import (
    AWAITS,
    WAYS,
    SlotMark,
    Target,
    put_discs,
    put_frame,
    put_slot_mark,
    trail_dot,
)
from renderers.doge.narration import asked, found_by
from renderers.doge.pieces import put_ghost, put_pawn
from renderers.doge.plates import put_plates
from renderers.doge.theme import Theme

_TRAIL_STEP = 20.0

Thing: TypeAlias = tuple[float, Callable[[], None]]
"""How far in front something stands, and what puts it there."""


def board(view: View, theme: Theme, captions: Captions, marks: Highlights) -> Image.Image:
    """Return the board of ``view`` with the marks of a draft."""
    texts = words(captions)
    canvas = Canvas(background(theme.tints, texts))
    _strike_laid_out(canvas, theme, texts, view)
    _mark_slots(canvas, theme, view, marks)
    targets = _targets(view, marks)
    _put_frames(canvas, theme, texts, targets, marks.chosen)
    last = view.public.last_move
    # A pawn that has left the board leaves no trail.
    if last is not None and view.public.pawns[last.seat] is not None:
        for point in trail(_way(last), _TRAIL_STEP):
            canvas.put(trail_dot(theme, last.seat), point)
    things = [*_piles(canvas, theme, view, marks), *_figures(canvas, theme, view, marks)]
    for _, put in sorted(things, key=lambda thing: thing[0]):
        put()
    for square, signs in targets.items():
        put_discs(canvas, theme, square, signs)
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


# --- marks on the plate ---------------------------------------------------------------------------


def _strike_laid_out(canvas: Canvas, theme: Theme, texts: Words, view: View) -> None:
    """Strike what was laid out at the start: slots, and names on the map and in the key."""
    laid_out = view.public.laid_out
    for institution in INSTITUTIONS:
        for craft in CRAFTS:
            if institution in laid_out or craft in laid_out:
                put_slot_mark(canvas, theme, SlotMark.LAID_OUT, slot(institution, craft))
    for card in laid_out:
        if card in CRAFTS:
            (left, right), y = key_spans(texts)[card], KEY + 2.0
        else:
            square = _square_of(card)
            left, top, right, low = sign(texts, square)
            left, y = left + SIGN_NUMBER + 2, (top + low) / 2
        canvas.put(_strike(theme, round(right - left)), ((left + right) / 2, y))


def _square_of(institution: Card) -> Square:
    return next(square for square, card in LOCATIONS.items() if card is institution)


@sprite
def _strike(theme: Theme, length: int) -> Image.Image:
    pen = Pen(length + 8, 24, centred=True)
    half = length / 2
    pen.line([(-half, 3), (-half * 0.2, -2), (half, 1)], 4, theme.rubric)
    return pen.finish()


def _mark_slots(canvas: Canvas, theme: Theme, view: View, marks: Highlights) -> None:
    if view.treasure is not None:
        put_slot_mark(canvas, theme, SlotMark.TREASURE, slot(*view.treasure.cards))
    for seat, pair in enumerate(() if view.truth is None else view.truth.pairs):
        put_slot_mark(canvas, theme, SlotMark.IDENTITY, slot(*pair.cards), seat)
    for guess in view.public.guesses:
        if not guess.right:
            put_slot_mark(canvas, theme, SlotMark.REFUTED, slot(*guess.pair.cards), guess.seat)
    for institution, craft in marks.named:
        put_slot_mark(canvas, theme, SlotMark.NAMED, slot(institution, craft))


def _targets(view: View, marks: Highlights) -> dict[Square, list[Target]]:
    """Return the squares that are framed, and what the discs on their frames say."""
    found = {square: [WAYS[way]] for way, square in marks.landings}
    for square, signs in found.items():
        signs += [AWAITS[source] for source in awaits(view, square)]
    for square in marks.targets:
        found.setdefault(square, [Target.PLACE] if view.public.phase is Phase.PLACE else [])
    if marks.chosen is not None:
        found.setdefault(marks.chosen, [])
    return found


def _put_frames(
    canvas: Canvas, theme: Theme, texts: Words, squares: Iterable[Square], chosen: Square | None
) -> None:
    bare = background(theme.tints, texts)
    for square in squares:
        put_frame(canvas, theme, square, chosen=square == chosen)
        # The sign hangs over the frame.
        left, top, right, low = (round(edge) for edge in sign(texts, square))
        box = (left - 1, top - 1, right + 2, low + 2)
        canvas.image.paste(bare.crop(box), box[:2])


def _way(move: PawnMove) -> list[Square]:
    step = 1 if move.way is Way.CLOCKWISE else -1
    return [(move.origin + step * number) % len(SPOTS) for number in range(move.steps + 1)]


# --- what stands and lies on it -------------------------------------------------------------------


def _piles(canvas: Canvas, theme: Theme, view: View, marks: Highlights) -> Iterator[Thing]:
    known = dict(view.faces) if view.truth is None else dict(enumerate(view.truth.faces))
    for square in CARD_SQUARES:
        gifts = view.public.piles[square]
        pile = [PileCard(view.public.gifts[gift].giver, known.get(gift)) for gift in gifts]
        if square == marks.chosen and marks.gift is not None and view.viewer is not None:
            pile.append(PileCard(view.viewer, marks.gift, drafted=True))
        if pile:
            top = pile_top(square)
            yield top[1], partial(put_pile, canvas, theme, pile, top)


def _figures(canvas: Canvas, theme: Theme, view: View, marks: Highlights) -> Iterator[Thing]:
    for square in SPOTS:
        standing = _standing(view, marks, square)
        places = feet(square, len(standing), haunted=square == view.public.ghost)
        for (seat, hollow), foot in zip(standing, places, strict=True):
            yield foot[1], partial(put_pawn, canvas, theme, seat, foot, hollow=hollow)
    if view.public.ghost is not None:
        foot = ghost_foot(view.public.ghost)
        yield foot[1], partial(put_ghost, canvas, foot)
    if len(marks.named) == 1 and view.viewer is not None:
        foot = _on_slot(marks.named[0])
        yield foot[1], partial(put_pawn, canvas, theme, view.viewer, foot, hollow=True)
    if (found := found_by(view)) is not None:
        foot = _on_slot(found.pair.cards)
        yield foot[1], partial(put_pawn, canvas, theme, found.seat, foot)


def _standing(view: View, marks: Highlights, square: Square) -> list[tuple[Seat, bool]]:
    """Return whose pawns stand on a square, and whose hollow ones: where one would go, or came from."""
    public, last = view.public, view.public.last_move
    standing = [(seat, False) for seat in public.pawns_at(square)]
    if square == marks.chosen and marks.gift is None and view.viewer is not None:
        standing += [(view.viewer, True)] if (view.viewer, False) not in standing else []
    if last is not None and last.origin == square and public.pawns[last.seat] not in (square, None):
        standing.append((last.seat, True))
    return standing


def _on_slot(pair: tuple[Card, Card]) -> Point:
    """Return the upper rim of a slot, where a pawn stands so that the craft stays in sight."""
    x, y = slot(*pair)
    return x, y - SLOT + 8
