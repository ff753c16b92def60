"""Squares that may be chosen, in gilt frames; what awaits there; the way of the last move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import LOCATIONS, Phase, Source, Square, View, Way
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted
from renderers.core.geometry import moved, polar
from renderers.core.theme import mix
from renderers.doge.background import background
from renderers.doge.emblems import print_emblem
from renderers.doge.highlights import Highlights, awaits
from renderers.doge.layout import EDGE, WIDTH, square_box
from renderers.doge.squares import Words, sign
from renderers.doge.theme import Theme

_ROOM = 12
"""The room around a frame's sprite."""
_BEND = _ROOM + 18
"""Pixels of a frame's sprite that its corner takes: beyond them an edge is the same everywhere."""
_FRAME = 2 * _BEND + 1

_DISC = 56

Sign: TypeAlias = Way | Source | Phase
"""What a disc on a frame says: the way to a landing and what awaits there, or that pawns are placed."""

_SIGNS: tuple[Sign, ...] = (*Way, *Source, Phase.PLACE)

Targets: TypeAlias = Mapping[Square, Sequence[Sign]]
"""The squares that are framed, and their discs."""


def load_targets(theme: Theme) -> None:
    """Load what a framed square may need, whichever it is."""
    _discs(theme)
    _frames(theme)


def targets(view: View, marks: Highlights) -> Targets:
    """Return the squares to be framed: landings, what a menu offers, what a draft names."""
    found: dict[Square, Sequence[Sign]] = {}
    for way, square in marks.landings:
        found[square] = (way, *awaits(view, square))
    for square in (*marks.targets, *(() if marks.chosen is None else (marks.chosen,))):
        found.setdefault(square, (Phase.PLACE,) if view.phase is Phase.PLACE else ())
    return found


def put_frames(
    canvas: Canvas, theme: Theme, words: Words, squares: Iterable[Square], chosen: Square | None
) -> None:
    """Frame squares in gilt; thicker, and gilt within, the one that is chosen."""
    bare = background(theme.tints, words)
    for square in squares:
        _put_frame(canvas, theme, square, chosen=square == chosen)
        # The sign hangs over the frame.
        left, top, right, low = (round(edge) for edge in sign(words, square))
        canvas.image.paste(bare.crop((left, top, right, low)), (left, top))


def _put_frame(canvas: Canvas, theme: Theme, square: Square, *, chosen: bool) -> None:
    """Put a square's frame: the corners as they are, edges and ground drawn out between them."""
    left, top, right, low = square_box(square)
    width, height = (round(side) + 2 * _ROOM for side in (right - left, low - top))
    x, y = (
        math.floor((a + b) / 2 - side / 2 + 0.5) for a, b, side in ((left, right, width), (top, low, height))
    )
    frame = _frames(theme).crop((_FRAME * chosen, 0, _FRAME * (1 + chosen), _FRAME))
    for (x0, x1, u0, u1), (y0, y1, v0, v1) in product(_thirds(width), _thirds(height)):
        part = frame.crop((u0, v0, u1, v1))
        if part.getbbox() is not None:
            drawn = part.resize((x1 - x0, y1 - y0), Image.Resampling.NEAREST)
            canvas.image.paste(drawn, (x + x0, y + y0), drawn)


def _thirds(side: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return first corner, edge and second corner along a side: where they begin and end, there and here."""
    near, far = _BEND, side - _BEND
    return (0, near, 0, _BEND), (near, far, _BEND, _BEND + 1), (far, side, _BEND + 1, _FRAME)


@sprite
def _frames(theme: Theme) -> Image.Image:
    """Return the smallest frame of a square that may be chosen, and of one that is."""
    sheet = Image.new("RGBA", (2 * _FRAME, _FRAME))
    for number, thick in enumerate((7.0, 11.0)):
        pen = Pen(_FRAME, _FRAME)
        ground = theme.gilt_lit + "60" if number else None
        for inset, line, colour in (
            (-1.4, thick + 2.8, theme.gilt_edge),
            (0, thick, theme.gilt),
            (2, 2.2, theme.gilt_pale),
        ):
            at, size = _ROOM + inset, _FRAME - 2 * (_ROOM + inset)
            pen.box((at, at), (size, size), 15 - inset, ground if inset < 0 else None, colour, line)
        sheet.paste(pen.finish(), (number * _FRAME, 0))
    return sheet


def put_discs(canvas: Canvas, theme: Theme, squares: Targets) -> None:
    """Put gilt discs on the frames of squares, free of signs, numbers and the ghost."""
    for square, signs in squares.items():
        left, top, right, low = square_box(square)
        for number, shown in enumerate(signs):
            if square in LOCATIONS:
                at = right - 14 - number * (_DISC + 2), max(top + 5, EDGE + _DISC / 2)
            else:
                x = left + 3 if (left + right) / 2 > WIDTH / 2 else right - 3
                at = x, low - 24 - (len(signs) - 1 - number) * (_DISC + 2)
            start = _DISC * _SIGNS.index(shown)
            canvas.put(_discs(theme).crop((start, 0, start + _DISC, _DISC)), at)


@sprite
def _discs(theme: Theme) -> Image.Image:
    sheet = Image.new("RGBA", (_DISC * len(_SIGNS), _DISC))
    dark = theme.gilt_edge
    for number, shown in enumerate(_SIGNS):
        pen = Pen(_DISC, _DISC, centred=True)
        # The ghost's is dark, so that it is not taken for one that turns.
        ground, ink = (theme.night, theme.mist) if shown is Source.GHOST else (theme.gilt_disc, dark)
        pen.disc((0, 0), _DISC / 2, dark)
        pen.disc((0, 0), _DISC / 2 - 2, theme.gilt)
        pen.disc((0, 0), _DISC / 2 - (4 if shown is Source.GHOST else 2), ground)
        if isinstance(shown, Way):
            side = 1 if shown is Way.CLOCKWISE else -1
            pen.line([polar(side * angle, 14) for angle in range(-110, 141, 10)], 6, dark)
            tip = [(side * -11, -9), (side * 11, -9), (0, 10)]
            pen.polygon(moved(tip, *polar(side * 146, 14), turn=side * 56), dark)
        elif shown is Phase.PLACE:
            pen.disc((0, -9), 7, dark)
            pen.polygon([(-4, -4), (4, -4), (11, 14), (-11, 14)], dark)
        image = pen.finish()
        if isinstance(shown, Source):
            print_emblem(image, shown, (_DISC / 2, _DISC / 2), 42, ink)
        sheet.paste(image, (number * _DISC, 0))
    return sheet


@sprite
def trail_dot(theme: Theme, seat: Seat) -> Image.Image:
    """Return a dot of the way that a pawn went."""
    side = theme.sides[seat]

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 8.5, theme.cream)
        pen.disc((0, 0), 7.4, mix(side.dark, theme.ink, 0.4))
        pen.disc((0, 0), 5.4, side.body)

    return painted(18, draw)
