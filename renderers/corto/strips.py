"""The strips of the public page: a panorama, its squares, and what stands on them."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import CARDS, COLUMNS
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.type import Weight, sans
from renderers.corto import cards, landscapes, markers, sounds
from renderers.corto.lane import put_deck_column, put_figurines_and_pieces
from renderers.corto.layout import FIRST, INNER, MARGIN, PANEL, SQUARES, WIDTH, Rows, left_of, middle_of
from renderers.corto.markers import put_markers
from renderers.corto.page import Columns, tiled
from renderers.corto.strip_model import Cell, StripModel
from renderers.corto.theme import Theme

_NAME = sans(41, Weight.BOLD)
_PLATE = (58, 42)
"""Width and height of the box round an empty square's name."""
_REACH = 0.6
"""How far the star of the card played last stands out: its neighbours' names stay whole."""
TILT = 3.5
_TINTS = 24
"""Colours of a leaning card: turning it would blend hundreds."""
_LOUD, _LOW = 72, 50
"""Height of a sound over an empty square, and in the lane."""


def public_strip(theme: Theme, model: StripModel, rows: Rows, discard: str) -> Image.Image:
    """Return a strip's band; ``discard``: the word for its discard."""
    kind = "public", rows, discard
    return tiled(theme, kind, model, lambda columns: _paint(theme, model, rows, discard, columns))


def _paint(theme: Theme, whole: StripModel, rows: Rows, discard: str, columns: Columns) -> Image.Image:
    canvas, model = Canvas(ground(theme, whole.strip, rows)), whole.near(columns)
    if 0 in columns:
        put_deck_column(canvas, theme, model, rows, discard)
    for cell in model.cells:
        if cell.card is not None and not cell.fresh:
            # The shadow is a wash: black is for the borders, which say what a card does.
            x, y = left_of(cell.column), rows.panel_top
            canvas.fill((x + 4, y + 5), (PANEL, rows.panel), theme.strip(model.strip).shadow)
            made = cards.face(CARDS[cell.card], PANEL, rows.panel, theme, cards.Print(cell.name))
            canvas.put(made, (x + PANEL / 2, y + rows.panel / 2))
    # The card played last leans over its neighbours, so it comes after them.
    for cell in model.cells:
        if cell.card is not None and cell.fresh:
            centre = (middle_of(cell.column), rows.panel_top + rows.panel / 2)
            canvas.put(markers.just_played(PANEL, rows.panel, theme, _REACH), centre)
            canvas.put(tilted(theme, cell.card, cell.name, rows.panel), centre)
    for cell in model.cells:
        _put_sound(canvas, theme, model, cell, rows)
    # Figurines, pieces and markers decide the game: no sound may hide one.
    put_figurines_and_pieces(canvas, theme, model, rows)
    for cell in model.cells:
        put_markers(canvas, theme, cell.chips, (left_of(cell.column), rows.panel_top), rows)
    return canvas.image


def _put_sound(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell, rows: Rows) -> None:
    """Letter a sound over an emptied square or below a panel, if nothing else is there."""
    pieced = {piece.column for piece in model.pieces}
    if not cell.sound or cell.figurines or cell.column in pieced:
        return
    free = cell.card is None
    made = sounds.lettering(cell.sound, _LOUD if free else _LOW, theme)
    half = made.width / 2
    middle = min(max(middle_of(cell.column), MARGIN + FIRST + half), WIDTH - MARGIN - half)
    y = rows.panel_top + rows.panel * 0.6 if free else rows.gutter + rows.lane
    canvas.put(made, (middle, y))


# --- what never changes ---------------------------------------------------------------------------


@scene
def ground(theme: Theme, strip: str, rows: Rows) -> Image.Image:
    """Return a strip without anything on it: panorama, named windows."""
    canvas = Canvas(Image.new("RGB", (WIDTH, rows.band), theme.paper))
    colours = theme.strip(strip)
    top = rows.gutter
    canvas.fill((MARGIN - 3, top - 3), (INNER + 6, rows.strip + 3), theme.ink)
    view = landscapes.panorama(strip, INNER, rows.strip - 3, theme)
    canvas.image.paste(view, (MARGIN, top))
    canvas.fill((MARGIN, top), (FIRST, rows.strip - 3), colours.margin)
    canvas.fill((MARGIN + FIRST, top), (3, rows.strip - 3), theme.ink)
    for column in SQUARES:
        x, y = left_of(column), rows.panel_top
        window = landscapes.window(strip, PANEL, rows.panel, theme)
        canvas.image.paste(window, (x, y), window)
        wide, high = _PLATE
        canvas.fill((x + 4, y + 4), _PLATE, colours.line)
        canvas.fill((x + 6, y + 6), (wide - 4, high - 4), theme.card)
        canvas.sign(f"{strip.lower()}{column}", (x + 4 + wide / 2, y + 4 + high / 2), _NAME, theme.ink)
    return canvas.image


# --- cards ----------------------------------------------------------------------------------------


@sprite
def tilted(theme: Theme, card: str, name: str, height: int) -> Image.Image:
    """Return a character's panel of this height, leaning a little to the right."""
    made = cards.face(CARDS[card], PANEL, height, theme, cards.Print(name))
    leaning = made.convert("RGBa").rotate(TILT, Image.Resampling.BICUBIC, expand=True).convert("RGBA")
    few = made.convert("RGB").quantize(_TINTS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = leaning.convert("RGB").quantize(palette=few, dither=Image.Dither.NONE).convert("RGBA")
    flat.putalpha(leaning.getchannel("A"))
    return flat


ALL_COLUMNS = range(COLUMNS + 1)
"""Columns with the deck's."""
