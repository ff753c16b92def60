"""The overlay: who controls which characters, their groups, and the gold for them now."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import COLOURS, GroupView, Square, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans
from renderers.corto import pieces
from renderers.corto.layout import HEAD, INNER, MARGIN, PANEL, SMALL, WIDTH, left_of, middle_of, place
from renderers.corto.markers import marker_of
from renderers.corto.page import caps, flat
from renderers.corto.players import is_lit
from renderers.corto.previews import ground
from renderers.corto.scoring import Grid, height, lines, put_table
from renderers.corto.strip_model import controllers
from renderers.corto.strips import ALL_COLUMNS
from renderers.corto.theme import Theme

_COLUMN = sans(28, Weight.BLACK)
_SQUARE = sans(30, Weight.BOLD)
_SUB = sans(30, Weight.BOLD)
_TOP = HEAD + 28
_EDGE, _REACH, _PALE = 7, 5, 4
"""A group's outline: how wide it is, how far outside its panels, how far its tint goes."""


def overlay(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page with the strips in plain shapes above the table of gold."""
    strips = _TOP + len(view.strips) * SMALL.band
    found = lines(captions, view)
    canvas = Canvas(Image.new("RGB", (WIDTH, strips + 22 + height(len(found), ties=False) + 16), theme.paper))
    caps(canvas, captions.text("groups.title"), (MARGIN + 4, 38), 60, theme.ink)
    canvas.words(captions.text("groups.now"), (WIDTH - 16, 40), _SUB, theme.soft, "rm")
    for column in ALL_COLUMNS[1:]:
        canvas.sign(str(column), (middle_of(column), HEAD + 12), _COLUMN, theme.ink)
    for row, strip in enumerate(view.strips):
        # Pale: shapes and numbers must stand out against it.
        faded = ground(theme, strip)
        faded = Image.blend(faded, Image.new("RGB", faded.size, theme.card), 0.45)
        canvas.image.paste(faded, (0, _TOP + row * SMALL.band))
    for group in view.groups:
        _put_group(canvas, theme, view, group)
    _put_characters(canvas, theme, view)
    order = tuple(player.seat for player in view.players)
    lit = frozenset(seat for seat in order if is_lit(view, seat))
    put_table(canvas, theme, captions, view, Grid(MARGIN, strips + 18, INNER - 4, order, lit, ties=False))
    return flat(theme, canvas.image)


def _corner(view: View, square: Square) -> tuple[int, int]:
    strip, column = place(square)
    return left_of(column), _TOP + view.strips.index(strip) * SMALL.band + SMALL.panel_top


def colour_of(theme: Theme, view: View, seat: Seat) -> Colour:
    """Return the colour of a seat's markers."""
    return theme.sides[COLOURS.index(view.players[seat].colour)].colour


def _put_group(canvas: Canvas, theme: Theme, view: View, group: GroupView) -> None:
    colour = colour_of(theme, view, group.seat)
    boxes = [(*_corner(view, square), PANEL, SMALL.panel) for square in group.squares]
    for first in group.squares:
        for second in group.squares:
            # A bridge joins the panels of neighbours, so that a group looks like one area.
            (one, column), (two, other) = place(first), place(second)
            row, below = view.strips.index(one), view.strips.index(two)
            if (below - row, other - column) in {(0, 1), (1, 0)}:
                (x, y), (u, v) = _corner(view, first), _corner(view, second)
                inset = 26
                if x == u:
                    boxes.append((x + inset, min(y, v) + 20, PANEL - 2 * inset, abs(v - y)))
                else:
                    boxes.append((min(x, u) + 20, y + inset, abs(u - x), SMALL.panel - 2 * inset))
    # Ink, colour, pale inside, each over all boxes: the outline follows the whole shape.
    for grow, fill in ((_REACH + _EDGE + 3, theme.ink), (_REACH + _EDGE, colour)):
        for x, y, wide, high in boxes:
            canvas.fill((x - grow, y - grow), (wide + 2 * grow, high + 2 * grow), fill)
    pale = mix(colour, theme.card, 0.55)
    for x, y, wide, high in boxes:
        canvas.fill((x - _PALE, y - _PALE), (wide + 2 * _PALE, high + 2 * _PALE), pale)


def _put_characters(canvas: Canvas, theme: Theme, view: View) -> None:
    held = controllers(view)
    grouped = {square for group in view.groups for square in group.squares}
    for found in view.board:
        x, y = _corner(view, found.square)
        seat = held.get(found.square)
        if found.square not in grouped:
            paper = theme.card if seat is None else mix(colour_of(theme, view, seat), theme.card, 0.55)
            canvas.fill((x, y), (PANEL, SMALL.panel), theme.ink)
            canvas.fill((x + 3, y + 3), (PANEL - 6, SMALL.panel - 6), paper)
        canvas.put(pieces.tag(found.square, 35, theme), (x + 28, y + 20))
        centre = (x + PANEL / 2 + 10, y + SMALL.panel / 2 + 8)
        if seat is not None:
            made = marker_of(theme, view.players[seat].colour, found.markers[seat], 70, control=True)
            canvas.put(made, centre)
            continue
        shown = [one for one, count in enumerate(found.markers) if count]
        for number, one in enumerate(shown):
            dx = (number - (len(shown) - 1) / 2) * min(44, 100 // max(1, len(shown)))
            made = marker_of(theme, view.players[one].colour, found.markers[one], 36)
            canvas.put(made, (x + PANEL / 2 + dx, centre[1] + 10))
    for group in view.groups:
        x, y = max((_corner(view, square) for square in group.squares), key=lambda at: (at[1], -at[0]))
        canvas.put(
            pieces.tag(str(group.gold), 40, theme, glow=True), (x + PANEL / 2 + 20, y + SMALL.panel + 14)
        )
        canvas.put(pieces.piece("gold", 40, theme), (x + PANEL / 2 - 14, y + SMALL.panel + 14))
