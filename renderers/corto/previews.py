"""The small strips of a private page: no names of characters, but marks of what the next word may name."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import CARDS, Figurine
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.corto import cards, landscapes, markers, pieces
from renderers.corto.layout import FIRST, INNER, MARGIN, PANEL, SMALL, SQUARES, WIDTH, left_of, middle_of
from renderers.corto.markers import put_markers
from renderers.corto.page import Box, band, dashes
from renderers.corto.strip_model import Cell, StripModel
from renderers.corto.strips import put_piece
from renderers.corto.theme import Theme

_LETTER = sans(66, Weight.BLACK)
_NAME = sans(26, Weight.BOLD)
_LEGAL = sans(52, Weight.BLACK)
_FIGURE = 124
_ON_DECK = 104
_TAG = 34
AIMED = frozenset({"hit", "kill", "train"})
"""Marks of what would be hit."""
SIGNS = {"add": "+", "to": "+", "start": "+", "from": "\u2212", "swap": "\u21c4"}
"""What stands in the disc of a mark that is no aim and no place."""


def small_strip(theme: Theme, model: StripModel) -> Image.Image:
    """Return a strip's band."""
    return band(theme, ("small", model), lambda: _paint(theme, model))


@scene
def ground(theme: Theme, strip: str) -> Image.Image:
    """Return a strip without anything on it."""
    canvas = Canvas(Image.new("RGB", (WIDTH, SMALL.band), theme.paper))
    colours = theme.strip(strip)
    top, high = SMALL.gutter, SMALL.strip - 3
    canvas.fill((MARGIN - 3, top - 3), (INNER + 6, SMALL.strip + 3), theme.ink)
    view = landscapes.panorama(strip, INNER, high, theme)
    canvas.image.paste(view, (MARGIN, top))
    canvas.fill((MARGIN, top), (FIRST, high), colours.margin)
    canvas.fill((MARGIN + FIRST, top), (3, high), theme.ink)
    canvas.sign(strip, (MARGIN + 48, top + high / 2), _LETTER, colours.deep)
    for column in SQUARES:
        canvas.frame((left_of(column), SMALL.panel_top), (PANEL, SMALL.panel), 3, theme.card)
    return canvas.image


def _paint(theme: Theme, model: StripModel) -> Image.Image:
    canvas = Canvas(ground(theme, model.strip))
    # The star round the card played last lies over the cards beside it.
    for cell in sorted(model.cells, key=lambda one: one.fresh):
        _put_square(canvas, theme, model, cell)
    for piece in model.pieces:
        if piece.column is not None:
            put_piece(canvas, theme, piece, (middle_of(piece.column), SMALL.gutter + SMALL.lane), 0.62)
    for cell in model.cells:
        _put_figurines(canvas, theme, cell)
    canvas.put(
        pieces.tag(str(model.deck), 40, theme, glow=model.draw),
        (MARGIN + 112, SMALL.gutter + SMALL.strip / 2),
    )
    if model.draw:
        box = (MARGIN + 2, SMALL.gutter + 2, FIRST - 4, SMALL.strip - 7)
        dashes(canvas, box, theme.ink, 5)
    for cell in model.cells:
        put_markers(canvas, theme, cell.chips, (left_of(cell.column), SMALL.panel_top), SMALL)
    # Marks last: what may be named is never hidden.
    for cell in model.cells:
        for mark in cell.marks:
            _put_mark(canvas, theme, model, cell, mark)
    return canvas.image


def _put_square(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell) -> None:
    x, y = left_of(cell.column), SMALL.panel_top
    if cell.card is None:
        if "place" in cell.marks or ("go" in cell.marks and cell.column and not cell.figurines):
            canvas.image.paste(markers.legal_square(PANEL, SMALL.panel, theme).convert("RGB"), (x, y))
            canvas.sign(model.square(cell.column), (x + PANEL / 2, y + SMALL.panel / 2), _LEGAL, theme.ink)
        elif cell.column and not model.asking:
            canvas.words(model.square(cell.column), (x + 9, y + 18), _NAME, theme.strip(model.strip).line)
        return
    middle = (x + PANEL / 2, y + SMALL.panel / 2)
    if cell.fresh:
        canvas.put(markers.just_played(PANEL, SMALL.panel, theme), middle)
    canvas.put(cards.face(CARDS[cell.card], PANEL, SMALL.panel, theme), middle)


def _put_figurines(canvas: Canvas, theme: Theme, cell: Cell) -> None:
    both = len(cell.figurines) > 1
    for name in cell.figurines:
        right = name == Figurine.RASPUTIN.value or not both
        if cell.column == 0:
            x, height = MARGIN + (112 if right else 22), _ON_DECK
        else:
            x = middle_of(cell.column) + (0 if cell.card is None and not both else 44 if right else -44)
            height = _FIGURE
        made = pieces.figurine(Figurine(name), height, theme)
        canvas.put(made, (x, SMALL.gutter + SMALL.strip - 6 - made.height / 2))


# --- marks ----------------------------------------------------------------------------------------


def _put_mark(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell, mark: str) -> None:
    name = model.square(cell.column)
    x, y = left_of(cell.column), SMALL.panel_top
    lane = SMALL.gutter + SMALL.lane
    below = (x + PANEL / 2, y + SMALL.panel + 2)
    if mark in {"sail", "train"}:
        canvas.put(pieces.tag(name, 35, theme, glow=mark == "sail"), (x + 22, lane))
        if mark == "train":
            canvas.put(markers.gunsight(44, theme), (x + PANEL - 20, lane - 4))
    elif mark in AIMED:
        _put_frame(canvas, theme, cell, theme.hit)
        canvas.put(markers.gunsight(60, theme), (x + PANEL - 30, y + 32))
        canvas.put(pieces.tag(name, _TAG, theme), below)
    elif mark == "go" and (cell.card is not None or cell.column == 0 or cell.figurines):
        box: Box = (x, y, PANEL, SMALL.panel)
        if cell.column == 0:
            box, below = (x + 2, SMALL.gutter + 2, FIRST - 4, SMALL.strip - 7), (x + 34, SMALL.gutter + 26)
        canvas.put(markers.legal_frame(box[2], box[3], theme), (box[0] + box[2] / 2, box[1] + box[3] / 2))
        canvas.put(pieces.tag(name, _TAG, theme, glow=True), below)
    elif mark in SIGNS:
        _put_frame(canvas, theme, cell, theme.glow)
        aimed = AIMED.intersection(cell.marks)
        canvas.put(sign(theme, mark), (x + (PANEL / 2 if aimed else PANEL - 24), y + 26))
        canvas.put(pieces.tag(name, _TAG, theme, glow=True), below)


def _put_frame(canvas: Canvas, theme: Theme, cell: Cell, colour: Colour) -> None:
    # A square that may be hit and helped has red outside and glow inside.
    x, y = left_of(cell.column), SMALL.panel_top
    inset = 4 if colour != theme.hit and AIMED.intersection(cell.marks) else -2
    if inset < 0:
        canvas.frame((x - 4, y - 4), (PANEL + 8, SMALL.panel + 8), 2, theme.ink)
    size = (PANEL - 2 * inset, SMALL.panel - 2 * inset)
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
