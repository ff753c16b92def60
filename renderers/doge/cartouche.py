"""The parchment in the basin: what is going on, the die, and whose doing it is."""

from __future__ import annotations

from functools import partial
from itertools import product

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import CRAFTS, INSTITUTIONS, Card, Phase, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.type import ELLIPSIS, Face, Weight, serif, shrunk
from renderers.doge.emblems import emblem, frame_of, print_emblem
from renderers.doge.highlights import Highlights
from renderers.doge.layout import CARTOUCHE
from renderers.doge.narration import actors, headline, subline
from renderers.doge.pieces import PIPS, die, pawn, put_pawn
from renderers.doge.theme import Theme

_HEAD = serif(46, Weight.BOLD)
_HEAD_LEAST = 38
_LINE = serif(36, Weight.BOLD)
_SUB = serif(34, Weight.SEMIBOLD_ITALIC)
_LEAST = 30
_MARGIN = 18
_ZOOMS = (0.7, 0.82, 1.0)
"""How large the acting pawns are: below two lines, below a long one, beside a short one."""

_NO_BREAK = "\u00a0"
_PAWN_PITCH = 66
_DIE, _SMALL_DIE = 86, 72
_BLAZON, _SMALL_BLAZON = 76, 60


def load_cartouche(theme: Theme) -> None:
    """Load what the cartouche may need, whatever a draft names."""
    for size in (_BLAZON, _SMALL_BLAZON):
        _blazons(theme, size)
        emblem(CRAFTS[0], _emblem_size(size))
    for number, size in product(PIPS, (_DIE, _SMALL_DIE)):
        die(number, size)
    for zoom in _ZOOMS:
        pawn(theme, 0, zoom=zoom)


def put_cartouche(canvas: Canvas, theme: Theme, captions: Captions, view: View, marks: Highlights) -> None:
    """Write headline and subline; below them the die or the pair in question, and the acting pawns."""
    left, top, right, low = CARTOUCHE
    seats = actors(view, marks)
    wide = round(right - left - 2 * _MARGIN)
    head = headline(captions, view, marks, partial(_unbroken, captions, _LINE, round(0.76 * wide)))
    below = subline(captions, view, marks, partial(_unbroken, captions, _SUB, round(0.5 * wide)))
    # A long headline takes two lines, and what lies below becomes smaller.
    lines = balanced(head) if serif(_HEAD_LEAST, Weight.BOLD).width(head) > wide else (head,)
    small = len(lines) > 1
    if small:
        rows = [(line, _LINE, 24.0 + 36 * number) for number, line in enumerate(lines)]
    else:
        rows = [(head, _HEAD, 34.0)]
    rows.append((below, _SUB, 92.0 if small else 78.0))
    for text, face, down in rows:
        shown, fitting = shrunk(text.replace(_NO_BREAK, " "), face, wide, _LEAST)
        canvas.words(shown, (left + _MARGIN, top + down), fitting, theme.ink)
    _put_below(canvas, theme, view, marks, small=small)
    # Beside a short line there is room for the whole pawns.
    is_short = _SUB.width(below) < wide - _PAWN_PITCH * len(seats)
    zoom = _ZOOMS[0] if small else _ZOOMS[2] if is_short else _ZOOMS[1]
    for number, seat in enumerate(reversed(seats)):
        put_pawn(canvas, theme, seat, (right - 42 - number * _PAWN_PITCH * zoom, low - 14), zoom=zoom)


def _unbroken(captions: Captions, face: Face, width: int, seat: Seat) -> str:
    """Return a name as it is painted, never broken into two lines; the rest of its line needs room too."""
    name = captions.painted_name(seat, face, width).replace(" ", _NO_BREAK)
    # The ellipsis of the serifs is wider than its advance: what follows would run into it.
    return name.replace(ELLIPSIS, "...")


def balanced(text: str) -> tuple[str, ...]:
    """Return a text in two lines, broken where they come out most alike."""
    parts = text.split(" ")
    breaks = [(" ".join(parts[:at]), " ".join(parts[at:])) for at in range(1, len(parts))]
    return min(breaks, key=lambda pair: max(map(len, pair)), default=(text,))


def _put_below(canvas: Canvas, theme: Theme, view: View, marks: Highlights, *, small: bool) -> None:
    left, _, _, low = CARTOUCHE
    pair = marks.named[0] if len(marks.named) == 1 else None
    if view.truth is not None:
        pair = view.truth.treasure.cards
    if pair is not None:
        size = _SMALL_BLAZON if small else _BLAZON
        for number, card in enumerate(pair):
            at = left + _MARGIN + size / 2 + number * (size + 12), low - 9 - size / 2
            _put_blazon(canvas, theme, card, at, size)
    elif view.die is not None and view.phase is not Phase.OVER:
        size = _SMALL_DIE if small else _DIE
        canvas.put(die(view.die, size), (left + _MARGIN + size / 2 - 8, low - 5 - size / 2))


def _put_blazon(canvas: Canvas, theme: Theme, card: Card, at: Point, size: int) -> None:
    """Put an institution's emblem on a shield, or a craft's in a roundel."""
    width = size + 10
    left = width * (card in CRAFTS)
    canvas.put(_blazons(theme, size).crop((left, 0, left + width, width)), at)
    print_emblem(canvas.image, card, at, _emblem_size(size), theme.ink)


def _emblem_size(size: int) -> int:
    return round(0.64 * size)


@sprite
def _blazons(theme: Theme, size: int) -> Image.Image:
    width = size + 10
    sheet = Image.new("RGBA", (2 * width, width))
    for number, card in enumerate((INSTITUTIONS[0], CRAFTS[0])):
        pen = Pen(width, width, centred=True)
        for inset, colour in ((0, theme.ink), (2, theme.sign), (5, theme.soft), (6, theme.sign)):
            radius = size / 2 - inset
            pen.polygon([(x * radius, y * radius - 1) for x, y in frame_of(card)], colour)
        sheet.paste(pen.finish(), (number * width, 0))
    return sheet
