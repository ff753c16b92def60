"""Column 0 of a strip: its deck, what of its quest lies beside the board, its discard, figurines."""

from __future__ import annotations

from collections import Counter

from engines.corto.view import Figurine
from renderers.core.canvas import Canvas
from renderers.core.type import Weight, sans
from renderers.corto import pieces
from renderers.corto.lane import TOKEN, piece_sprite
from renderers.corto.layout import FIRST, MARGIN, Rows, middle_of
from renderers.corto.markers import marker_of
from renderers.corto.page import caps, dashes
from renderers.corto.strip_model import StripModel
from renderers.corto.theme import Theme

_NUMBER = sans(42, Weight.BLACK)
_MARKER = 46
_TAG = 44
_WIDEST = 86
"""Pixels of width of a deck at most."""
ASIDE = frozenset({"carriage", "armed", "ingot", "crow"})
"""Pieces that are out of the game where nobody holds them."""


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
