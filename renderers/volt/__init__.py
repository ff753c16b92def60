"""The painter of VOLT."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.contract import Fact, Msg, msg
from engines.volt.view import Phase, View
from renderers.core.contract import Key, Picture, Table
from renderers.core.film import MEDIA_TYPE, reel
from renderers.core.painter import Order, Painter
from renderers.volt.alt_text import alt, film_alt, plain
from renderers.volt.board import board, is_private
from renderers.volt.highlights import highlights
from renderers.volt.layout import REPLAY
from renderers.volt.module_sheet import module_sheet
from renderers.volt.replay import frames, shown
from renderers.volt.theme import THEMES


class VoltPainter(Painter[View]):
    """Paints the arena: for the public with all panels, for a seat with its own control unit."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return the arena, and for a seat the close-up of its modules."""
        arena = ("board", msg("picture.own" if is_private(view) else "picture.board"))
        seat = view.viewer
        holds = seat is not None and (view.modules[seat].active or view.modules[seat].spare)
        if holds and view.phase is not Phase.OVER:
            return (arena, ("controller", msg("picture.controller")))
        return (arena,)

    def image(self, order: Order[View]) -> Image.Image:
        """Return the picture with the marks of the draft."""
        view, theme, captions = order.view, THEMES.choose(order.table.theme), self.captions(order.table)
        marks = highlights(view, order.draft, order.menu)
        if order.key == "controller":
            return module_sheet(view, theme, captions, marks)
        return board(view, theme, captions, marks)

    def palette(self, theme: str) -> None:
        """Return no palette: light on steel has more colours than one holds."""

    def describe(self, order: Order[View]) -> str:
        """Return the alt text."""
        return alt(
            self.captions(order.table), order.view, highlights(order.view, order.draft, order.menu), order.key
        )

    def animate(self, before: View, facts: Sequence[Fact], table: Table) -> Picture | None:
        """Return the dice of a round one after the other, or ``None`` where no die was activated."""
        captions, moments = self.captions(table), shown(before, facts)
        if not moments:
            return None
        painted = frames(moments, THEMES.choose(table.theme), captions)
        return Picture(reel(painted), MEDIA_TYPE, *REPLAY.size, film_alt(captions, before, facts))

    def text(self, view: View, table: Table) -> str:
        """Return the arena as plain text."""
        return plain(self.captions(table), view)


RENDERER = VoltPainter()
