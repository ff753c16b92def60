"""The overlay: the gold for everything now, and who controls which characters, in their groups."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import COLOURS, GroupView, Square, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans
from renderers.corto import pieces
from renderers.corto.board import is_lit
from renderers.corto.layout import INNER, MARGIN, PANEL, PLAIN, RULER, WIDTH, left_of, middle_of, place
from renderers.corto.markers import marker_of
from renderers.corto.page import caps, flat
from renderers.corto.previews import ground
from renderers.corto.scoring import Grid, height, lines, put_table
from renderers.corto.strip_model import controllers
from renderers.corto.strips import ALL_COLUMNS
from renderers.corto.theme import Theme

_COLUMN = sans(40, Weight.BLACK)
_SUB = sans(30, Weight.BOLD)
_FOOT = 52
"""Height of the title, which stands low: the client's ALT mark may cover it."""
_EDGE, _REACH, _PALE = 7, 5, 4
"""A group's outline: how wide it is, how far outside its panels, how far its tint goes."""


def overlay(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the table of gold above the strips in plain shapes."""
    table = height(len(lines(captions, view)), ties=False)
    top = 8 + table + 8 + RULER
    low = top + len(view.strips) * PLAIN.band
    canvas = Canvas(Image.new("RGB", (WIDTH, low + _FOOT), theme.paper))
    order = tuple(player.seat for player in view.players)
    lit = frozenset(seat for seat in order if is_lit(view, seat))
    put_table(canvas, theme, captions, view, Grid(MARGIN, 8, INNER - 4, order, lit, ties=False))
    for column in ALL_COLUMNS[1:]:
        canvas.sign(str(column), (middle_of(column), top - RULER / 2 + 4), _COLUMN, theme.ink)
    for row, strip in enumerate(view.strips):
        # Pale: shapes and numbers must stand out against it.
        faded = ground(theme, strip, PLAIN)
        faded = Image.blend(faded, Image.new("RGB", faded.size, theme.card), 0.45)
        canvas.image.paste(faded, (0, top + row * PLAIN.band))
    for group in view.groups:
        _put_group(canvas, theme, view, group, top)
    _put_characters(canvas, theme, view, top)
    caps(canvas, captions.text("groups.title"), (MARGIN + 4, low + _FOOT / 2), 50, theme.ink)
    canvas.words(captions.text("groups.now"), (WIDTH - 16, low + _FOOT / 2), _SUB, theme.soft, "rm")
    return flat(theme, canvas.image)


def _corner(view: View, square: Square, top: int) -> tuple[int, int]:
    strip, column = place(square)
    return left_of(column), top + view.strips.index(strip) * PLAIN.band + PLAIN.panel_top


def colour_of(theme: Theme, view: View, seat: Seat) -> Colour:
    """Return the colour of a seat's markers."""
    return theme.sides[COLOURS.index(view.players[seat].colour)].colour


def _put_group(canvas: Canvas, theme: Theme, view: View, group: GroupView, top: int) -> None:
    colour = colour_of(theme, view, group.seat)
    boxes = [(*_corner(view, square, top), PANEL, PLAIN.panel) for square in group.squares]
    for first in group.squares:
        for second in group.squares:
            # A bridge joins the panels of neighbours, so that a group looks like one area.
            (one, column), (two, other) = place(first), place(second)
            row, below = view.strips.index(one), view.strips.index(two)
            if (below - row, other - column) in {(0, 1), (1, 0)}:
                (x, y), (u, v) = _corner(view, first, top), _corner(view, second, top)
                inset = 26
                if x == u:
                    boxes.append((x + inset, min(y, v) + 20, PANEL - 2 * inset, abs(v - y)))
                else:
                    boxes.append((min(x, u) + 20, y + inset, abs(u - x), PLAIN.panel - 2 * inset))
    # Ink, colour, pale inside, each over all boxes: the outline follows the whole shape.
    for grow, fill in ((_REACH + _EDGE + 3, theme.ink), (_REACH + _EDGE, colour)):
        for x, y, wide, high in boxes:
            canvas.fill((x - grow, y - grow), (wide + 2 * grow, high + 2 * grow), fill)
    pale = mix(colour, theme.card, 0.55)
    for x, y, wide, high in boxes:
        canvas.fill((x - _PALE, y - _PALE), (wide + 2 * _PALE, high + 2 * _PALE), pale)


def _put_characters(canvas: Canvas, theme: Theme, view: View, top: int) -> None:
    held = controllers(view)
    grouped = {square for group in view.groups for square in group.squares}
    for found in view.board:
        x, y = _corner(view, found.square, top)
        seat = held.get(found.square)
        if found.square not in grouped:
            paper = theme.card if seat is None else mix(colour_of(theme, view, seat), theme.card, 0.55)
            canvas.fill((x, y), (PANEL, PLAIN.panel), theme.ink)
            canvas.fill((x + 3, y + 3), (PANEL - 6, PLAIN.panel - 6), paper)
        canvas.put(pieces.tag(found.square, 42, theme), (x + 27, y + 20))
        centre = (x + PANEL / 2 + 14, y + PLAIN.panel / 2 + 8)
        if seat is not None:
            made = marker_of(theme, view.players[seat].colour, found.markers[seat], 70, control=True)
            canvas.put(made, centre)
            continue
        shown = [one for one, count in enumerate(found.markers) if count]
        for number, one in enumerate(shown):
            dx = (number - (len(shown) - 1) / 2) * min(44, 100 // max(1, len(shown)))
            made = marker_of(theme, view.players[one].colour, found.markers[one], 42)
            canvas.put(made, (x + PANEL / 2 + dx, centre[1] + 10))
    for group in view.groups:
        x, y = max((_corner(view, square, top) for square in group.squares), key=lambda at: (at[1], -at[0]))
        canvas.put(pieces.tag(str(group.gold), 40, theme, glow=True), (x + PANEL - 24, y + PLAIN.panel + 14))
        canvas.put(pieces.piece("gold", 40, theme), (x + PANEL - 58, y + PLAIN.panel + 14))
