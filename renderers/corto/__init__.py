"""The painter of CORTO."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Menu, Msg, Words, msg
from engines.corto.view import Phase, View
from renderers.core.caches import for_everybody
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.corto.alt_text import alt, plain
from renderers.corto.board import board
from renderers.corto.closeup import closeup
from renderers.corto.hand import hand_page
from renderers.corto.layout import board_rows
from renderers.corto.names import card_name
from renderers.corto.overlay import overlay
from renderers.corto.palette import palette
from renderers.corto.scoring import scoring
from renderers.corto.strips import tilted
from renderers.corto.theme import THEMES

_STRIP = "strip."


class CortoPainter(Painter[View]):
    """Paints the page of the adventures: the public one, or a seat's with its hand."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return the page (for a seat, its hand and then the page), the groups, the close-ups.

        After the end the treasure count comes first.
        """
        found: list[tuple[Key, Msg]] = [("board", msg("picture.board"))]
        if _is_private(view):
            found = [("board", msg("picture.own")), ("page", msg("picture.board"))]
        if view.ranks is not None and view.gold:
            found.insert(0, ("scoring", msg("picture.scoring")))
        if view.gold:
            found.append(("groups", msg("picture.groups")))
        found += [(f"{_STRIP}{strip}", msg("picture.strip", strip=strip)) for strip in view.strips]
        return tuple(found)

    def image(self, order: Order[View]) -> Image.Image:
        """Return the picture in the palette of its theme."""
        view, theme, captions = order.view, THEMES.choose(order.table.theme), self.captions(order.table)
        if order.key == "scoring":
            return scoring(view, theme, captions)
        if order.key == "groups":
            return overlay(view, theme, captions)
        if order.key.startswith(_STRIP):
            return closeup(view, theme, captions, order.key.removeprefix(_STRIP))
        if order.key == "board" and _is_private(view):
            return hand_page(view, theme, captions)
        return board(view, theme, captions)

    def warm(self, view: View, key: Key, table: Table, draft: Words = (), menu: Menu | None = None) -> None:
        """Paint as every painter does, and whoever is on the board as if played last, as each once was."""
        super().warm(view, key, table, draft, menu)
        with for_everybody():
            for found in view.board:
                name = card_name(self.captions(table), found.card)
                tilted(THEMES.choose(table.theme), found.card, name, board_rows(len(view.strips)).panel)

    def palette(self, theme: str) -> Image.Image:
        """Return the theme's palette."""
        return palette(THEMES.choose(theme))

    def describe(self, order: Order[View]) -> str:
        """Return the alt text."""
        private = order.key == "board" and _is_private(order.view)
        return alt(self.captions(order.table), order.view, order.key, private=private)

    def text(self, view: View, table: Table) -> str:
        """Return the board as plain text."""
        return plain(self.captions(table), view)


def _is_private(view: View) -> bool:
    return view.viewer is not None and view.phase is not Phase.OVER and not view.players[view.viewer].gone


RENDERER = CortoPainter()
