"""The treasure count: the gold of every seat line by line, and who has won."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import ADVENTURES, Figurine, View
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.core.type import Weight, comic, sans, wrapped
from renderers.corto import landscapes, markers, pieces
from renderers.corto.board import title_band
from renderers.corto.layout import CORNER, INNER, MARGIN, WIDTH
from renderers.corto.markers import marker_of
from renderers.corto.names import adventure_name
from renderers.corto.narration import ended, text_or
from renderers.corto.page import Box, box, caps, flat, put_line, put_name
from renderers.corto.theme import Theme

LABELS = 352
"""Width of the column of labels."""
ROW, HEAD, TOTAL = 46, 88, 64
_NUMBER = sans(38, Weight.BLACK)
_NONE = sans(38, Weight.SEMIBOLD)
_LABEL = sans(33, Weight.SEMIBOLD)
_NAME = sans(32, Weight.BOLD)
_SUM = sans(54, Weight.BLACK)
PIECES = {"vessel": "vessel", "aces": "aces", "tiles": "ingot", "leopards": "leopard", "train": "carriage"}
"""The piece that stands for a quest; others have the big gold."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the count: what it is for (``"largest"`` … or a strip's letter), a label, gold by seat."""

    key: str
    label: str
    gold: tuple[int, ...]


def lines(captions: Captions, view: View) -> tuple[Line, ...]:
    """Return the lines of the count as if the match ended now; the seats in their order."""
    golds = sorted(view.gold, key=lambda gold: gold.seat)
    found = [
        Line(key, captions.text(f"gold.{key}"), tuple(getattr(gold, key) for gold in golds))
        for key in ("largest", "others", "seal", "corto")
    ]
    for number, (strip, _) in enumerate(golds[0].quests if golds else ()):
        label = text_or(captions, f"quest.{ADVENTURES[strip].quest}", adventure_name(captions, strip))
        found.append(Line(strip, label, tuple(gold.quests[number][1] for gold in golds)))
    return tuple(found)


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


def put_table(canvas: Canvas, theme: Theme, captions: Captions, view: View, grid: Grid) -> None:
    """Draw the table: a column for each seat, a row for each line, the totals."""
    found = lines(captions, view)
    high = height(len(found), ties=grid.ties)
    box(canvas, (grid.left, grid.top, grid.wide, high), theme.card, theme.ink, 3, theme.ink)
    for place, seat in enumerate(grid.order):
        x = grid.column(place)
        # The last column must not cover the box's edge.
        if seat in grid.lit:
            wide = min(grid.pitch, grid.left + grid.wide - 3 - x)
            canvas.fill((x, grid.top + 3), (wide, high - 6), theme.glow)
        _put_head(canvas, theme, captions, view, seat, (x, grid.top, grid.pitch, HEAD))
    y = grid.top + HEAD
    for line in found:
        # Zero is a dash, so that gold stands out.
        _put_label(canvas, theme, grid, line.label, y)
        canvas.put(sign(theme, line.key), (grid.left + 40, y + ROW / 2))
        for seat, middle in grid.middles():
            gold = line.gold[seat]
            face, colour = (_NUMBER, theme.ink) if gold else (_NONE, mix(theme.soft, theme.card, 0.4))
            canvas.sign(str(gold) if gold else "\u2013", (middle, y + ROW / 2), face, colour)
        y += ROW
    _put_totals(canvas, theme, captions, view, grid, y)
    if grid.ties:
        y += TOTAL
        _put_label(canvas, theme, grid, captions.text("gold.ties"), y)
        for seat, middle in grid.middles():
            player = view.players[seat]
            canvas.put(marker_of(theme, player.colour, player.stock, 42), (middle, y + ROW / 2))


def _put_head(canvas: Canvas, theme: Theme, captions: Captions, view: View, seat: Seat, at: Box) -> None:
    x, y, wide, _ = at
    player = view.players[seat]
    canvas.put(marker_of(theme, player.colour, None, 44), (x + wide / 2, y + 32))
    colour = theme.soft if player.gone else theme.ink
    put_name(canvas, captions, seat, (x + wide / 2, y + 71), _NAME, wide - 14, colour, "mm")


def _put_label(canvas: Canvas, theme: Theme, grid: Grid, text: str, y: int) -> None:
    canvas.fill((grid.left + 3, y), (grid.wide - 6, 2), mix(theme.card, theme.soft, 0.35))
    put_line(canvas, text, (grid.left + 76, y + ROW / 2), _LABEL, LABELS - 84, theme.ink)


def _put_totals(canvas: Canvas, theme: Theme, captions: Captions, view: View, grid: Grid, y: int) -> None:
    canvas.fill((grid.left, y), (grid.wide, 4), theme.ink)
    middle = y + TOTAL / 2
    caps(canvas, captions.text("gold.total"), (grid.left + 76, middle + 1), 54, theme.ink, "lm", LABELS - 90)
    canvas.put(pieces.piece("gold", 46, theme), (grid.left + 40, middle))
    totals = {gold.seat: gold.total for gold in view.gold}
    for seat, x in grid.middles():
        canvas.sign(str(totals[seat]), (x, middle), _SUM, theme.ink)


def sign(theme: Theme, key: str) -> Image.Image:
    """Return the picture of a line: connected panels, a seal, a thought, or the quest's piece."""
    if key == "seal":
        return markers.seal(38, theme)
    if key in {"largest", "others", "corto"}:
        return _sign(theme, key)
    return pieces.piece(PIECES.get(ADVENTURES[key].quest, "gold"), 36, theme, number=1)


@sprite
def _sign(theme: Theme, key: str) -> Image.Image:
    pen = Pen(60, 44, centred=True)
    if key == "corto":
        # A cap in a bubble: what Corto's friends think of on their cards.
        for x, y, radius in ((-8, -3, 15), (8, -3, 15), (16, 12, 5), (22, 18, 3)):
            pen.disc((x, y), radius, theme.ink)
        for x, y, small in ((-8, -3, 12.5), (8, -3, 12.5), (16, 12, 3.0), (0, -3, 12.5)):
            pen.disc((x, y), small, theme.card)
        pen.polygon([(-12, 0), (-8, -9), (8, -9), (12, 0)], theme.ink)
        pen.polygon([(-16, 4), (-12, 0), (10, 0), (14, 4)], theme.ink)
        return pen.finish()
    places = [(-19, -9), (0, -9), (0, 13), (19, 13)] if key == "largest" else [(-10, 0), (10, 0)]
    for x, y in places:
        pen.box((x - 9, y - 10), (19, 21), 0, theme.ink)
        pen.box((x - 6.5, y - 7.5), (14, 16), 0, theme.glow if key == "largest" else theme.box)
    return pen.finish()


_TOP = 290
_TITLE = 88
_HEAP = ((-92, 0), (92, 4), (-46, 6), (46, 2), (0, 8), (-70, -24), (70, -20), (-24, -18), (24, -22))
"""Where the coins of the treasure lie, from the middle of its foot."""
_WON = sans(36, Weight.BOLD)
_GROUP = sans(33, Weight.SEMIBOLD)
_LINE = 44
_TOLD = CORNER[0] + 32
"""The middle of the signs before the groups in words."""


def scoring(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page of the count, best seats first."""
    order = ranked(view)
    high = height(len(lines(captions, view)), ties=True)
    told = _wrapped(groups_in_words(captions, view, order))
    canvas = Canvas(title_band(theme, _TOP + high + 24 + max(_LINE * len(told), CORNER[1])))
    canvas.image.paste(_panel(theme, view.strips), (0, 0))
    title = captions.text("scoring.title")
    wide = round(comic(_TITLE).width(title)) + 60
    box(canvas, (MARGIN + 26, 32, wide, 104), theme.card, theme.ink, 4, theme.ink)
    caps(canvas, title, (MARGIN + 54, 84), _TITLE, theme.ink)
    box(canvas, (MARGIN + 26, 164, 700, 62), theme.box, theme.ink, 3, theme.ink)
    put_line(canvas, ended(captions, view), (MARGIN + 42, 194), _WON, 668, theme.ink)
    best = frozenset(view.ranks[0] if view.ranks is not None else ())
    grid = Grid(MARGIN, _TOP - 28, INNER - 4, order, best, ties=True)
    put_table(canvas, theme, captions, view, grid)
    for number, (seat, line) in enumerate(told):
        x, y = _TOLD, grid.top + high + 34 + number * _LINE
        if seat is not None:
            canvas.put(marker_of(theme, view.players[seat].colour, None, 36), (x, y))
        canvas.words(line, (x + 32, y), _GROUP, theme.ink)
    return flat(theme, canvas.image)


def ranked(view: View) -> tuple[Seat, ...]:
    """Return the seats, best first; in seat order while the match runs."""
    if view.ranks is None:
        return tuple(player.seat for player in view.players)
    return tuple(seat for place in view.ranks for seat in place)


def groups_in_words(captions: Captions, view: View, order: tuple[Seat, ...]) -> list[tuple[Seat, str]]:
    """Return the squares of each seat's groups in words, the largest group first."""
    found = []
    for seat in order:
        own = sorted((group for group in view.groups if group.seat == seat), key=lambda g: not g.largest)
        if own:
            told = [
                captions.text("scoring.group", group=" ".join(group.squares), gold=group.gold)
                for group in own
            ]
            found.append((seat, " · ".join(told)))
    return found


def _wrapped(told: list[tuple[Seat, str]]) -> list[tuple[Seat | None, str]]:
    """Return the lines of some texts, and before the first of each whose it is."""
    found: list[tuple[Seat | None, str]] = []
    for seat, text in told:
        first, *others = wrapped(text, _GROUP, WIDTH - MARGIN - _TOLD - 40)
        found += [(seat, first), *((None, line) for line in others)]
    return found


@scene
def _panel(theme: Theme, strips: tuple[str, ...]) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (WIDTH, _TOP), theme.paper))
    canvas.fill((MARGIN - 3, 9), (INNER + 6, 240), theme.ink)
    view = landscapes.panorama(strips[0], INNER, 234, theme)
    canvas.image.paste(view, (MARGIN, 12))
    for figure, x in ((Figurine.CORTO, WIDTH - 226), (Figurine.RASPUTIN, WIDTH - 116)):
        canvas.put(pieces.figurine(figure, 204, theme), (x, 128))
    for x, y in sorted(_HEAP, key=lambda at: at[1]):
        canvas.put(pieces.piece("gold", 46, theme), (WIDTH - 171 + x, 222 + y))
    canvas.put(pieces.piece("ingot", 36, theme), (WIDTH - 300, 226))
    return canvas.image
