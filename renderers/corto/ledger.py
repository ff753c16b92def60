"""The gold of every seat, line by line: a table for the overlay and for the treasure count."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import ADVENTURES, GoldView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Voice
from renderers.core.theme import mix
from renderers.core.type import Weight, sans
from renderers.corto import art
from renderers.corto.boxes import Box, box, caps, name_of, shrunk
from renderers.corto.counters import counter
from renderers.corto.story import said_or
from renderers.corto.theme import Theme

LABELS = 352
"""Width of the column of labels."""
ROW, HEAD, TOTAL = 54, 102, 82
_NUMBER = sans(38, Weight.BLACK)
_NONE = sans(38, Weight.SEMIBOLD)
_LABEL = sans(33, Weight.SEMIBOLD)
_NAME = sans(32, Weight.BOLD)
_SUM = sans(58, Weight.BLACK)
PIECES = {"vessel": "vessel", "aces": "aces", "tiles": "ingot", "leopards": "leopard", "train": "carriage"}
"""The piece that stands for a quest; others have the big gold."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the count: what it is for (``"largest"`` … or a strip's letter), a label, gold by seat."""

    key: str
    label: str
    gold: tuple[int, ...]


def lines(voice: Voice, view: View) -> tuple[Line, ...]:
    """Return the lines of the count as if the match ended now; the seats in their order."""
    golds = sorted(view.gold, key=lambda gold: gold.seat)
    found = [
        Line(key, voice.say(f"gold.{key}"), tuple(_part(gold, key) for gold in golds))
        for key in ("largest", "others", "seal", "corto")
    ]
    for number, (strip, _) in enumerate(golds[0].quests if golds else ()):
        label = said_or(voice, f"quest.{ADVENTURES[strip].quest}", ADVENTURES[strip].name)
        found.append(Line(strip, label, tuple(gold.quests[number][1] for gold in golds)))
    return tuple(found)


def _part(gold: GoldView, key: str) -> int:
    return {"largest": gold.largest, "others": gold.others, "seal": gold.seal, "corto": gold.corto}[key]


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a table lies: its upper left corner, its width, its seats in the order of their columns.

    ``lit``: seats whose columns shine; ``ties``: with the markers in stock, which break ties.
    """

    left: int
    top: int
    wide: int
    order: tuple[Seat, ...]
    lit: frozenset[Seat]
    ties: bool

    @property
    def pitch(self) -> int:
        """Return the width of a seat's column."""
        return (self.wide - LABELS) // len(self.order)

    def column(self, place: int) -> int:
        """Return the left edge of a seat's column."""
        return self.left + LABELS + place * self.pitch

    def middles(self) -> list[tuple[Seat, float]]:
        """Return the seats and the middles of their columns."""
        return [(seat, self.column(place) + self.pitch / 2) for place, seat in enumerate(self.order)]


def height(count: int, *, ties: bool) -> int:
    """Return the height of a table of so many lines."""
    return HEAD + ROW * count + TOTAL + (ROW if ties else 0)


def put_table(canvas: Canvas, theme: Theme, voice: Voice, view: View, grid: Grid) -> None:
    """Lay the table: a column for each seat, a row for each line, the totals."""
    found = lines(voice, view)
    high = height(len(found), ties=grid.ties)
    box(canvas, (grid.left, grid.top, grid.wide, high), theme.card, theme.ink, 3, theme.ink)
    for place, seat in enumerate(grid.order):
        x = grid.column(place)
        if seat in grid.lit:
            wide = min(grid.pitch, grid.left + grid.wide - 3 - x)
            canvas.fill((x, grid.top + 3), (wide, high - 6), theme.glow)
        _put_head(canvas, theme, voice, view, seat, (x, grid.top, grid.pitch, HEAD))
    y = grid.top + HEAD
    for line in found:
        _put_line(canvas, theme, grid, line, y)
        y += ROW
    _put_totals(canvas, theme, voice, view, grid, y)
    if grid.ties:
        _put_ties(canvas, theme, voice, view, grid, y + TOTAL)


def _put_head(canvas: Canvas, theme: Theme, voice: Voice, view: View, seat: Seat, at: Box) -> None:
    x, y, wide, _ = at
    player = view.players[seat]
    canvas.put(counter(theme, player.colour, None, 44), (x + wide / 2, y + 38))
    name, face = name_of(voice, seat, _NAME, wide - 14, 26)
    colour = theme.soft if player.gone else theme.ink
    canvas.words(name, (x + wide / 2, y + 82), face, colour, "mm")


def _put_label(canvas: Canvas, theme: Theme, grid: Grid, text: str, y: int) -> None:
    """Rule a row off and write what it is for."""
    canvas.fill((grid.left + 3, y), (grid.wide - 6, 2), mix(theme.card, theme.soft, 0.35))
    shown, face = shrunk(text, _LABEL, LABELS - 84, 26)
    canvas.words(shown, (grid.left + 76, y + ROW / 2), face, theme.ink)


def _put_line(canvas: Canvas, theme: Theme, grid: Grid, line: Line, y: int) -> None:
    """Write a line; nothing earned is a quiet dash."""
    _put_label(canvas, theme, grid, line.label, y)
    canvas.put(sign(theme, line.key), (grid.left + 40, y + ROW / 2))
    for seat, x in grid.middles():
        gold = line.gold[seat]
        face, colour = (_NUMBER, theme.ink) if gold else (_NONE, mix(theme.soft, theme.card, 0.4))
        canvas.sign(str(gold) if gold else "\u2013", (x, y + ROW / 2), face, colour)


def _put_totals(canvas: Canvas, theme: Theme, voice: Voice, view: View, grid: Grid, y: int) -> None:
    canvas.fill((grid.left, y), (grid.wide, 4), theme.ink)
    middle = y + TOTAL / 2
    caps(canvas, voice.say("gold.total"), (grid.left + 76, middle + 1), 54, theme.ink, "lm", LABELS - 90)
    canvas.put(art.piece("gold", 50, theme), (grid.left + 40, middle))
    totals = {gold.seat: gold.total for gold in view.gold}
    for seat, x in grid.middles():
        canvas.sign(str(totals[seat]), (x, middle), _SUM, theme.ink)


def _put_ties(canvas: Canvas, theme: Theme, voice: Voice, view: View, grid: Grid, y: int) -> None:
    _put_label(canvas, theme, grid, voice.say("gold.ties"), y)
    for seat, x in grid.middles():
        player = view.players[seat]
        canvas.put(counter(theme, player.colour, player.stock, 42), (x, y + ROW / 2))


def sign(theme: Theme, key: str) -> Image.Image:
    """Return the picture of a line: connected panels, a seal, a thought, or the quest's piece."""
    if key == "seal":
        return art.seal(42, theme)
    if key in {"largest", "others", "corto"}:
        return _sign(theme, key)
    return art.piece(PIECES.get(ADVENTURES[key].quest, "gold"), 36, theme, number=1)


@sprite
def _sign(theme: Theme, key: str) -> Image.Image:
    """Return connected panels, or Corto's cap in a thought."""
    pen = Pen(60, 44, centred=True)
    if key == "corto":
        _thought(pen, theme)
        return pen.finish()
    places = [(-19, -9), (0, -9), (0, 13), (19, 13)] if key == "largest" else [(-10, 0), (10, 0)]
    for x, y in places:
        pen.box((x - 9, y - 10), (19, 21), 0, theme.ink)
        pen.box((x - 6.5, y - 7.5), (14, 16), 0, theme.glow if key == "largest" else theme.box)
    return pen.finish()


def _thought(pen: Pen, theme: Theme) -> None:
    """Draw a seaman's cap in a thought."""
    for x, y, radius in ((-8, -3, 15), (8, -3, 15), (16, 12, 5), (22, 18, 3)):
        pen.disc((x, y), radius, theme.ink)
    for x, y, small in ((-8, -3, 12.5), (8, -3, 12.5), (16, 12, 3.0), (0, -3, 12.5)):
        pen.disc((x, y), small, theme.card)
    pen.polygon([(-12, 0), (-8, -9), (8, -9), (12, 0)], theme.ink)
    pen.polygon([(-16, 4), (-12, 0), (10, 0), (14, 4)], theme.ink)
