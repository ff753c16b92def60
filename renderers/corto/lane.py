"""What lies on a strip beside its cards: figurines, the pieces of its quest, and column 0.

Figurines and pieces stand on empty squares, or in the lane below the panels. Column 0 has the deck, what of
the quest lies beside the board, and the discard.

Nothing of this may hide a name, a marker or another piece: below a character's panel a figurine is a bust
beside its letter, on an empty square it stands whole.
"""

from __future__ import annotations

from collections import Counter

from PIL import Image

from engines.corto.view import Figurine, PieceView
from renderers.core.canvas import Canvas
from renderers.core.type import Weight, sans
from renderers.corto import pieces
from renderers.corto.layout import FIRST, MARGIN, PANEL, WIDTH, Rows, left_of, middle_of
from renderers.corto.markers import marker_of
from renderers.corto.page import caps, dashes
from renderers.corto.strip_model import Cell, StripModel
from renderers.corto.theme import Theme

PIECE = 42
"""Pixels of height that a piece has in the lane at most."""
TOKEN = 44
"""Height of a figurine's bust with its letter."""
_TILE = 64
"""Height of a face-down tile on an empty square: as much of its panel as its name leaves free."""
_TALL = 16
"""How much higher than a panel a whole figurine is."""
_NUMBER = sans(42, Weight.BLACK)
_MARKER = 46
_TAG = 44
_WIDEST = 86
"""Pixels of width of a deck at most."""
ASIDE = frozenset({"carriage", "armed", "ingot", "crow"})
"""Pieces that are out of the game where nobody holds them."""


def put_figurines_and_pieces(canvas: Canvas, theme: Theme, model: StripModel, rows: Rows) -> None:
    """Draw the quest's pieces that have a column, then the figurines outside column 0."""
    for cell in model.cells[1:]:
        here = tuple(piece for piece in model.pieces if piece.column == cell.column)
        # On a square that may be named its name needs the room.
        free = cell.card is None and "place" not in cell.marks and "go" not in cell.marks
        tiles = tuple(piece for piece in here if free and piece.kind == "tile")
        below = tuple(piece for piece in here if piece not in tiles)
        for piece in tiles:
            _put_tile(canvas, theme, piece, cell, rows)
        stands = free and not tiles
        _put_below(canvas, theme, below, () if stands else cell.figurines, cell.column, rows)
        if stands:
            _put_whole(canvas, theme, cell, rows)


def _put_tile(canvas: Canvas, theme: Theme, piece: PieceView, cell: Cell, rows: Rows) -> None:
    made = piece_sprite(theme, piece, _TILE)
    foot = rows.panel_top + rows.panel - 10
    canvas.put(made, (left_of(cell.column) + PANEL - 12 - made.width / 2, foot - made.height / 2))


def _put_whole(canvas: Canvas, theme: Theme, cell: Cell, rows: Rows) -> None:
    both = len(cell.figurines) > 1
    for name in cell.figurines:
        side = 30 if name == Figurine.RASPUTIN.value else -30
        made = pieces.figurine(Figurine(name), rows.panel + _TALL, theme)
        # A single one leaves the square's name to its left.
        x = middle_of(cell.column) + (side if both else 22)
        canvas.put(made, (x, rows.panel_top + rows.panel + _TALL - 6 - made.height / 2))


def _put_below(
    canvas: Canvas,
    theme: Theme,
    below: tuple[PieceView, ...],
    figurines: tuple[str, ...],
    column: int,
    rows: Rows,
) -> None:
    """Put pieces and figurines' busts side by side, their middle below the square's."""
    made = [piece_sprite(theme, piece, PIECE) for piece in below]
    made += [pieces.token(Figurine(name), TOKEN, theme) for name in figurines]
    wide = sum(one.width for one in made) + 2 * max(0, len(made) - 1)
    # What is wider than its column covers neither the deck nor the page's edge.
    x = max(middle_of(column) - wide / 2, MARGIN + FIRST + 4)
    x = min(x, WIDTH - MARGIN - wide - 2)
    for one in made:
        canvas.put(one, (x + one.width / 2, rows.gutter + rows.lane))
        x += one.width + 2


def piece_sprite(theme: Theme, piece: PieceView, height: int) -> Image.Image:
    """Return a piece of a quest in pixels of height; a train faces the way it travels."""
    kind = "carriage" if piece.kind == "armed" else piece.kind
    return pieces.piece(kind, height, theme, heading=piece.heading or "left", number=piece.number)


def put_deck_column(canvas: Canvas, theme: Theme, model: StripModel, rows: Rows, discard: str = "") -> None:
    """Draw column 0; ``discard``: the word for its discard; none on small strips."""
    high = rows.lane - TOKEN // 2 - (62 if discard else 22)
    # What lies beside the deck must leave its letter free.
    wide = min(round(high * 0.74), _WIDEST)
    pile = pieces.deck(model.strip, model.deck, wide, high, theme, glow=model.draw)
    x, y = MARGIN + 8, rows.gutter + 9
    canvas.image.paste(pile, (x, y), pile)
    _put_loose(canvas, theme, model, (MARGIN + FIRST - 29, y))
    if discard and model.discards:
        line = rows.gutter + rows.lane - TOKEN / 2 - 21
        caps(canvas, discard, (MARGIN + 8, line), 37, theme.ink, "lm", 88)
        canvas.words(str(model.discards), (MARGIN + FIRST - 8, line), _NUMBER, theme.ink, "rm")
    if model.draw:
        dashes(canvas, (MARGIN + 2, rows.gutter + 2, FIRST - 4, rows.strip - 7), theme.ink, 5)
    for name in model.cells[0].figurines:
        right = name == Figurine.RASPUTIN.value
        made = pieces.token(Figurine(name), TOKEN, theme)
        canvas.put(made, (middle_of(0) + (34 if right else -34), rows.gutter + rows.lane))


def _put_loose(canvas: Canvas, theme: Theme, model: StripModel, at: tuple[int, int]) -> None:
    """Put one piece for those of a kind, with their number or the marker of who holds them below it."""
    x, y = at
    loose = [piece for piece in model.pieces if piece.column is None and piece.kind not in ASIDE]
    counted = Counter(piece.kind for piece in loose)
    for piece in loose[:1]:
        made = piece_sprite(theme, piece, 44 if piece.kind == "aces" else 48)
        canvas.put(made, (x, y + 24))
        if model.holder:
            canvas.put(marker_of(theme, model.holder, None, _MARKER), (x, y + 70))
        elif counted[piece.kind] > 1:
            canvas.put(pieces.tag(f"×{counted[piece.kind]}", _TAG, theme), (x, y + 70))
