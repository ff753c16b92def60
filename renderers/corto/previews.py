"""The small strips of a private page: no names of characters, but marks of what the next word may name."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import CARDS, PieceView
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.corto import cards, landscapes, markers, pieces
from renderers.corto.lane import put_deck_column, put_figurines_and_pieces
from renderers.corto.layout import FIRST, INNER, MARGIN, PANEL, SQUARES, WIDTH, Rows, left_of
from renderers.corto.markers import put_markers
from renderers.corto.page import Box, Columns, tiled
from renderers.corto.strip_model import Cell, StripModel
from renderers.corto.theme import Theme

_NAME = sans(38, Weight.BOLD)
_LEGAL = sans(56, Weight.BLACK)
_TAG = 42
AIMED = frozenset({"hit", "kill", "train"})
"""Marks of what would be hit."""
SIGNS = {"add": "+", "to": "+", "start": "+", "from": "\u2212", "swap": "\u21c4"}
"""What stands in the disc of a mark that is no aim and no place."""


def small_strip(theme: Theme, model: StripModel, rows: Rows) -> Image.Image:
    """Return a strip's band."""
    return tiled(theme, ("small", rows), model, lambda columns: _paint(theme, model, rows, columns))


@scene
def ground(theme: Theme, strip: str, rows: Rows) -> Image.Image:
    """Return a strip without anything on it."""
    canvas = Canvas(Image.new("RGB", (WIDTH, rows.band), theme.paper))
    colours = theme.strip(strip)
    top, high = rows.gutter, rows.strip - 3
    canvas.fill((MARGIN - 3, top - 3), (INNER + 6, rows.strip + 3), theme.ink)
    view = landscapes.panorama(strip, INNER, high, theme)
    canvas.image.paste(view, (MARGIN, top))
    canvas.fill((MARGIN, top), (FIRST, high), colours.margin)
    canvas.fill((MARGIN + FIRST, top), (3, high), theme.ink)
    for column in SQUARES:
        canvas.frame((left_of(column), rows.panel_top), (PANEL, rows.panel), 3, theme.card)
    return canvas.image


def _paint(theme: Theme, whole: StripModel, rows: Rows, columns: Columns) -> Image.Image:
    canvas, model = Canvas(ground(theme, whole.strip, rows)), whole.near(columns)
    if 0 in columns:
        put_deck_column(canvas, theme, model, rows)
    # The star round the card played last lies over the cards beside it.
    for cell in sorted(model.cells, key=lambda one: one.fresh):
        _put_square(canvas, theme, model, cell, rows)
    put_figurines_and_pieces(canvas, theme, model, rows)
    for cell in model.cells:
        put_markers(canvas, theme, cell.chips, (left_of(cell.column), rows.panel_top), rows)
    # Marks last: what may be named is never hidden.
    for cell in model.cells:
        for mark in cell.marks:
            _put_mark(canvas, theme, model, cell, mark, rows)
    return canvas.image


def _put_square(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell, rows: Rows) -> None:
    x, y = left_of(cell.column), rows.panel_top
    if cell.card is None:
        if "place" in cell.marks or ("go" in cell.marks and cell.column and not cell.figurines):
            canvas.image.paste(markers.legal_square(PANEL, rows.panel, theme).convert("RGB"), (x, y))
            canvas.sign(model.square(cell.column), (x + PANEL / 2, y + rows.panel / 2), _LEGAL, theme.ink)
        elif cell.column and not model.asking:
            canvas.words(model.square(cell.column), (x + 9, y + 24), _NAME, theme.strip(model.strip).line)
        return
    middle = (x + PANEL / 2, y + rows.panel / 2)
    if cell.fresh:
        canvas.put(markers.just_played(PANEL, rows.panel, theme), middle)
    canvas.put(cards.face(CARDS[cell.card], PANEL, rows.panel, theme), middle)


# --- marks ----------------------------------------------------------------------------------------


def _put_mark(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell, mark: str, rows: Rows) -> None:
    name = model.square(cell.column)
    x, y = left_of(cell.column), rows.panel_top
    lane = rows.gutter + rows.lane
    # The lane's own tag is at its left.
    beside = {"sail", "train"}.intersection(cell.marks)
    below = (x + (PANEL - 28 if beside else PANEL / 2), y + rows.panel + 14)
    if cell.card is not None and (cell.figurines or _piece(model, cell) is not None):
        # Figurines and pieces in the lane stay in sight, and so do bubble, letter and numbers above.
        below = (x + PANEL / 2, y + rows.panel - 12)
    if mark in {"sail", "train"}:
        if mark == "sail":
            canvas.put(pieces.tag(name, _TAG, theme, glow=True), (x + 24, lane))
            return
        # On the locomotive, clear of the number of carriages and of the arrow.
        train = _piece(model, cell)
        ahead = 34 if train is not None and train.heading == "right" else -34
        canvas.put(markers.gunsight(46, theme), (x + PANEL / 2 + ahead, lane - 2))
        canvas.put(pieces.tag(name, _TAG, theme), (x + PANEL / 2, y + rows.panel - 12))
    elif mark in AIMED:
        _put_frame(canvas, theme, cell, theme.hit, rows)
        canvas.put(markers.gunsight(60, theme), _spot(x, y, cell, 1))
        canvas.put(pieces.tag(name, _TAG, theme), below)
    elif mark == "go" and (cell.card is not None or cell.column == 0 or cell.figurines):
        box: Box = (x, y, PANEL, rows.panel)
        if cell.column == 0:
            box, below = (x + 2, rows.gutter + 2, FIRST - 4, rows.strip - 7), (x + 34, rows.gutter + 26)
        canvas.put(markers.legal_frame(box[2], box[3], theme), (box[0] + box[2] / 2, box[1] + box[3] / 2))
        canvas.put(pieces.tag(name, _TAG, theme, glow=True), below)
    elif mark in SIGNS:
        _put_frame(canvas, theme, cell, theme.glow, rows)
        canvas.put(sign(theme, mark), _spot(x, y, cell, -1))
        canvas.put(pieces.tag(name, _TAG, theme, glow=True), below)


def _piece(model: StripModel, cell: Cell) -> PieceView | None:
    """Return the quest's piece below a square."""
    return next((piece for piece in model.pieces if piece.column == cell.column), None)


def _spot(x: int, y: int, cell: Cell, side: int) -> Point:
    """Return where a mark lies on a character: on its face, clear of its bubble and its letter.

    Of an aim and another mark on one square, one is on each ``side``; where a third marker covers the face,
    marks are on the edges.
    """
    if len(cell.chips) > 2:
        return x + PANEL / 2 + 58 * side, y + 60
    both = AIMED.intersection(cell.marks) and not AIMED.issuperset(cell.marks)
    return x + PANEL / 2 + (26 * side if both else 0), y + 64


def _put_frame(canvas: Canvas, theme: Theme, cell: Cell, colour: Colour, rows: Rows) -> None:
    # A square that may be hit and helped has red outside and glow inside.
    x, y = left_of(cell.column), rows.panel_top
    inset = 4 if colour != theme.hit and AIMED.intersection(cell.marks) else -2
    if inset < 0:
        canvas.frame((x - 4, y - 4), (PANEL + 8, rows.panel + 8), 2, theme.ink)
    size = (PANEL - 2 * inset, rows.panel - 2 * inset)
    canvas.frame((x + inset, y + inset), size, 6, colour)


@sprite
def sign(theme: Theme, mark: str) -> Image.Image:
    """Return a disc with a plus, a minus, or two arrows."""
    pen = Pen(46, 46, centred=True)
    pen.disc((0, 0), 22, theme.ink)
    pen.disc((0, 0), 19, theme.glow)
    if mark == "swap":
        for y, way in ((-6, 1), (6, -1)):
            pen.line([(-11, y), (11, y)], 4, theme.ink)
            pen.polygon([(way * 15, y), (way * 6, y - 6), (way * 6, y + 6)], theme.ink)
    else:
        pen.line([(-10, 0), (10, 0)], 6, theme.ink)
        if mark != "from":
            pen.line([(0, -10), (0, 10)], 6, theme.ink)
    return pen.finish()
