"""The plaques of both seats in the upper corners, and in the lower right one whose turn it is."""

from __future__ import annotations

from PIL import Image

from engines.volo.view import VoloView
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans, serif, shrunk
from renderers.volo.birds import bird
from renderers.volo.layout import (
    PLAQUE,
    PLAQUE_EDGE,
    REST,
    STATUS_WIDTH,
    STATUS_X,
    STATUS_YS,
    WIDTH,
)
from renderers.volo.theme import Theme

_NAME, _LEAST_NAME = serif(46, Weight.BOLD), 44
_FIGURE, _LEAST_FIGURE = sans(46), 32
_STATUS, _LEAST_STATUS = serif(46, Weight.SEMIBOLD_ITALIC), 32
_RADIUS, _RIM = 18, 6
_NAME_DROP, _FIGURE_DROPS, _BIRD_DROP = 30, (83, 127), 181
"""How far below a plaque's upper edge the middles of its lines lie."""
_MARGIN = 10


@sprite
def _plaque(theme: Theme, seat: int, *, lit: bool) -> Image.Image:
    """Return a plaque: a stair of three steps at the picture's outer edge."""
    width, height = PLAQUE[0][0], PLAQUE[-1][1]
    pen = Pen(width, height)
    rim = _RIM if lit else 2
    for inset, fill in ((0, theme.gold if lit else theme.slate), (rim, theme.ink if lit else theme.cream)):
        for size in PLAQUE:
            left = 0 if seat == 0 else width - size[0]
            pen.box((left + inset, inset), (size[0] - 2 * inset, size[1] - 2 * inset), _RADIUS - inset, fill)
    return pen.finish()


def put_plaque(
    canvas: Canvas, theme: Theme, captions: Captions, view: VoloView, seat: int, *, lit: bool
) -> None:
    """Draw a seat's plaque: name, flocks, supply, bird; inverted while the seat is lit."""
    image = _plaque(theme, seat, lit=lit)
    # Seat 1's is mirrored: both hug their edge of the picture, where the board leaves most room.
    out, anchor = (1, "lm") if seat == 0 else (-1, "rm")
    edge = PLAQUE_EDGE if seat == 0 else WIDTH - PLAQUE_EDGE
    canvas.put(image, (edge + out * image.width / 2, PLAQUE_EDGE + image.height / 2))
    side, start = theme.sides[seat], edge + out * _MARGIN
    name, face = captions.shrunk_name(seat, _NAME, PLAQUE[0][0] - 2 * _MARGIN, _LEAST_NAME)
    colour = side.word_on_ink if lit else side.word
    # By its width, not by an anchor at its right: the serifs' ellipsis is wider than Pillow thinks.
    left = start if seat == 0 else start - face.width(name)
    canvas.words(name, (left, PLAQUE_EDGE + _NAME_DROP), face, colour)
    told = (("flocks", len(view.flocks[seat])), ("supply", view.supply[seat]))
    for (key, number), drop in zip(told, _FIGURE_DROPS, strict=True):
        room = PLAQUE[1][0] - 2 * _MARGIN
        text, face = shrunk(captions.text(key, n=number), _FIGURE, room, _LEAST_FIGURE)
        canvas.words(text, (start, PLAQUE_EDGE + drop), face, theme.white if lit else theme.ink, anchor)
    at = (edge + out * PLAQUE[2][0] / 2, PLAQUE_EDGE + _BIRD_DROP)
    canvas.put(bird(theme, seat, REST[seat], 0.86, theme.white), at)


def put_status(canvas: Canvas, theme: Theme, lines: tuple[str, ...]) -> None:
    """Write on the bank, in at most two lines, whose turn it is, what is asked, or who has won."""
    for line, y in zip(reversed(lines), reversed(STATUS_YS), strict=False):
        said, face = shrunk(line, _STATUS, STATUS_WIDTH, _LEAST_STATUS)
        canvas.words(said, (STATUS_X, y), face, theme.cream, "rm")
