"""The picture of a match of VOLTO: mat, masks, marks, lost masks, plates; and the set-up."""

from __future__ import annotations

from collections import Counter

from PIL import Image

from engines.volto.view import MaskView, Phase, View, homes
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.type import Weight, fitted, sans
from renderers.volto import marks
from renderers.volto.alt_text import near_seat, still_open
from renderers.volto.background import mat
from renderers.volto.boat import LABEL_X, LOST, UNSEEN, hollow
from renderers.volto.highlights import Highlights
from renderers.volto.layout import LABEL_DROP, SIDE_X, Layout
from renderers.volto.masks import KINDS, PILL_DROP, blank, candidates, figure
from renderers.volto.plates import put_legend, put_plate
from renderers.volto.theme import Theme

_SHELF = sans(44, Weight.BOLD)
_LABEL_WIDTH = 150
_LIFT = 8
"""How far a mask is raised to make room for its pill."""


def board(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the picture of ``view`` with the marks of a draft."""
    layout = Layout(near_seat(view))
    canvas = Canvas(mat(theme, layout.near))
    for seat in (0, 1):
        _put_lost(canvas, layout, theme, captions, view, seat)
    _put_marks_below(canvas, layout, theme, view, highlights)
    for square, mask in sorted(view.standing().items()):
        _put_mask(canvas, theme, view, mask, layout.centre(square))
    if view.phase is Phase.SETUP:
        for seat in (0, 1):
            if not any(mask.seat == seat for mask in view.masks):
                for square in homes(seat):
                    canvas.put(marks.vacancy(theme, square), layout.centre(square))
        count = Counter(kind.value for kind in view.kinds[layout.near])
        put_legend(canvas, layout, theme, captions, tuple(count[kind] for kind in KINDS))
    _put_marks_above(canvas, layout, theme, highlights)
    for seat in (0, 1):
        put_plate(canvas, layout, theme, captions, view, seat)
    return canvas.image


def _put_mask(canvas: Canvas, theme: Theme, view: View, mask: MaskView, at: Point) -> None:
    if mask.kind is not None:
        canvas.put(figure(theme, mask.seat, mask.kind.value), at)
        return
    # Only a player's picture says what a rival's mask may still be.
    if view.viewer is None or view.phase is not Phase.PLAY:
        canvas.put(blank(theme, mask.seat), at)
        return
    canvas.put(blank(theme, mask.seat), (at[0], at[1] - _LIFT))
    canvas.put(candidates(theme, still_open(view, mask)), (at[0], at[1] + PILL_DROP))


def _put_marks_below(
    canvas: Canvas, layout: Layout, theme: Theme, view: View, highlights: Highlights
) -> None:
    # Marks below the masks must not hide them; what must be seen lies above.
    last = view.last
    if last is not None:
        canvas.put(marks.origin(theme, theme.gold), layout.centre(last.origin))
        marks.put_path(canvas, layout, theme, (last.origin, last.target), theme.gold)
        canvas.put(marks.angles(theme.gold), layout.centre(last.target))
        if last.left:
            canvas.put(marks.petals(theme), layout.centre(last.target))
    for square in highlights.ready:
        canvas.put(marks.ready(theme), layout.centre(square))
    if highlights.chosen is not None:
        canvas.put(marks.chosen(theme), layout.centre(highlights.chosen))
    for square in highlights.captures:
        canvas.put(marks.angles(theme.coral), layout.centre(square))
    if highlights.move is not None and not highlights.captures:
        canvas.put(marks.origin(theme, theme.ivory), layout.centre(highlights.move[0]))
        marks.put_path(canvas, layout, theme, highlights.move, theme.ivory)


def _put_marks_above(canvas: Canvas, layout: Layout, theme: Theme, highlights: Highlights) -> None:
    for square in highlights.quiet:
        canvas.put(marks.quiet_target(theme, square), layout.centre(square))
    if highlights.move is not None and highlights.captures:  # between two masks, so that it runs over both
        marks.put_path(canvas, layout, theme, highlights.move, theme.coral)
    for square in highlights.captures:
        canvas.put(marks.strike(theme, square), layout.centre(square))


def _put_lost(
    canvas: Canvas, layout: Layout, theme: Theme, captions: Captions, view: View, seat: int
) -> None:
    # Each lost mask has its place, so that a look at the boat tells what is left.
    gone = [mask for mask in view.gone if mask.seat == seat]
    lost = Counter(mask.kind.value for mask in gone if mask.kind is not None)
    label = fitted(captions.text("shelf", n=len(gone)), _SHELF, _LABEL_WIDTH)
    canvas.words(label, (SIDE_X + LABEL_X, layout.boat_top(seat) + LABEL_DROP), _SHELF, theme.ivory, "mm")
    # What the last move cost this seat: what the rival took, or what was lost with the taken mask.
    last, newest = view.last, None
    if last is not None and last.kind is not None:
        newest = last.kind if last.seat != seat else view.lost_by(last)
    # The second capture of a Lady ends the match: no more than one mask of a side has left unseen.
    if any(mask.kind is None for mask in gone):
        at = layout.unseen(seat)
        if last is not None and last.seat == seat and last.left:
            canvas.put(marks.glow(theme, UNSEEN / LOST), at)
        canvas.put(blank(theme, seat, UNSEEN), at)
    kinds = sorted((kind.value for kind in view.kinds[seat]), key=KINDS.index)
    places: Counter[str] = Counter()
    for number, kind in enumerate(kinds):
        at = layout.slot(seat, number)
        places[kind] += 1
        if places[kind] > lost[kind]:
            canvas.put(hollow(theme, seat, kind), at)
            continue
        if newest is not None and kind == newest.value and places[kind] == lost[kind]:
            canvas.put(marks.glow(theme), at)
        canvas.put(figure(theme, seat, kind, LOST), at)
