"""The painter of Volo."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Msg, msg
from engines.volo.view import VoloView
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.volo.alt_text import alt, plain
from renderers.volo.board import board
from renderers.volo.highlights import highlights
from renderers.volo.theme import THEMES, shipped


class VoloPainter(Painter[VoloView]):
    """Paints the lagoon: one picture, row a below for everybody."""

    def pictures(self, view: VoloView) -> tuple[tuple[Key, Msg], ...]:
        """Return the board with the label for this viewer."""
        return (("board", msg("picture.board" if view.viewer is None else "picture.own")),)

    def image(self, order: Order[VoloView]) -> Image.Image:
        """Return the lagoon with the marks of the draft."""
        marks = highlights(order.view, order.draft, order.menu)
        return board(order.view, THEMES.choose(order.table.theme), self.captions(order.table), marks)

    def palette(self, theme: str) -> Image.Image:
        """Return the theme's palette."""
        return shipped(THEMES.choose(theme))

    def describe(self, order: Order[VoloView]) -> str:
        """Return the alt text."""
        return alt(self.captions(order.table), order.view, highlights(order.view, order.draft, order.menu))

    def text(self, view: VoloView, table: Table) -> str:
        """Return the lagoon as plain text."""
        return plain(self.captions(table), view)


RENDERER = VoloPainter()
