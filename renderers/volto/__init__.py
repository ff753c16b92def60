"""The painter of VOLTO."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Msg, msg
from engines.volto.view import Phase, View
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.volto.alt_text import alt, plain
from renderers.volto.board import board
from renderers.volto.highlights import highlights
from renderers.volto.theme import THEMES


class VoltoPainter(Painter[View]):
    """Paints the mat as its viewer knows it: one picture, the viewer's palace below."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return the board with the label for this viewer."""
        if view.viewer is None:
            return (("board", msg("picture.board")),)
        return (("board", msg("picture.setup" if view.phase is Phase.SETUP else "picture.own")),)

    def image(self, order: Order[View]) -> Image.Image:
        """Return the mat with the marks of the draft."""
        marks = highlights(order.view, order.draft, order.menu)
        return board(order.view, THEMES.choose(order.table.theme), self.captions(order.table), marks)

    def palette(self, theme: str) -> None:
        """Return no palette: lamp light and velvet have more colours than one holds."""

    def describe(self, order: Order[View]) -> str:
        """Return the alt text."""
        return alt(self.captions(order.table), order.view, highlights(order.view, order.draft, order.menu))

    def text(self, view: View, table: Table) -> str:
        """Return the mat as plain text."""
        return plain(self.captions(table), view)


RENDERER = VoltoPainter()
