"""The public page: its head, the strips, the players."""

from __future__ import annotations

from itertools import pairwise

from PIL import Image

from engines.corto.view import View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans
from renderers.corto.layout import HEAD, MARGIN, RULER, WIDTH, middle_of
from renderers.corto.markers import marker_of
from renderers.corto.narration import ask, story
from renderers.corto.page import box, caps, flat, pile, put_line
from renderers.corto.players import players
from renderers.corto.strip_model import strip_models
from renderers.corto.strips import ALL_COLUMNS, public_strip
from renderers.corto.theme import Theme

_ASK = sans(32, Weight.BOLD)
_STORY = sans(28, Weight.SEMIBOLD)
_COLUMN = sans(30, Weight.BLACK)
_BOX = (186, 6, WIDTH - MARGIN - 190, HEAD - 10)


def head(theme: Theme, captions: Captions, view: View) -> Image.Image:
    """Return the band above the first strip."""
    canvas = Canvas(_paper(theme))
    left, top, wide, high = _BOX
    x = left + 14
    for seat in _asked(view):
        made = marker_of(theme, view.players[seat].colour, None, 46)
        canvas.put(made, (x + 24, top + high / 2))
        x += 52
    room = left + wide - x - 20
    first, second = ask(captions, view), story(captions, view, room, _STORY)
    if second:
        canvas.words(second, (x + 10, top + 48), _STORY, theme.ink)
    put_line(canvas, first, (x + 10, top + (19 if second else high / 2 - 1)), _ASK, room, theme.ink)
    return flat(theme, canvas.image)


def _asked(view: View) -> tuple[int, ...]:
    """Return whose markers stand in the box: the mover's, else of all who are asked, or the winners'."""
    if view.ranks is not None:
        return view.ranks[0]
    mover = view.place if view.turn is None else view.turn.seat
    return view.asked if mover is None else (mover,)


@sprite
def _paper(theme: Theme) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (WIDTH, HEAD + RULER), theme.paper))
    # The wave below the title is drawn as a row of discs: thick in the middle, thin at both ends.
    pen = Pen(172, 20)
    points = [(6.0, 14.0), (32, 8), (58, 13), (86, 16), (114, 9), (142, 12), (164, 7)]
    for (x, y), (u, v) in pairwise(points):
        for step in range(8):
            share = step / 8
            width = 1.5 + 3.0 * (1 - abs((x + (u - x) * share) / 86 - 1))
            pen.disc((x + (u - x) * share, y + (v - y) * share), width, theme.ink)
    canvas.put(pen.finish(), (MARGIN + 84, 66))
    caps(canvas, "CORTO", (MARGIN + 4, 34), 72, theme.ink)
    box(canvas, _BOX, theme.box, theme.ink, 3, theme.ink)
    for column in ALL_COLUMNS:
        canvas.sign(str(column), (middle_of(column), HEAD + RULER / 2 + 2), _COLUMN, theme.ink)
    return canvas.image


def board(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page that everybody sees."""
    discard = captions.text("board.discard")
    strips = [public_strip(theme, model, discard) for model in strip_models(view)]
    return pile(theme, [head(theme, captions, view), *strips, players(theme, captions, view)])
