"""The painter of The Secret of the Doge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PIL import Image

from engines.core.contract import Msg, msg
from engines.doge.view import Subject, View
from renderers.core.captions import Captions
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.doge.alt_text import alt, plain
from renderers.doge.board import board
from renderers.doge.clue import clue
from renderers.doge.hand import hand
from renderers.doge.hand_model import gift_of
from renderers.doge.highlights import focus, highlights
from renderers.doge.private_text import clue_alt, hand_alt, sheet_alt
from renderers.doge.sheet import sheet
from renderers.doge.theme import THEMES, Theme, shipped


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of picture is painted and described."""

    paint: Callable[[Order[View], Theme, Captions], Image.Image]
    describe: Callable[[Order[View], Captions], str]


def _board(order: Order[View], theme: Theme, captions: Captions) -> Image.Image:
    return board(order.view, theme, captions, highlights(order.view, order.draft, order.menu))


def _board_alt(order: Order[View], captions: Captions) -> str:
    return alt(captions, order.view, highlights(order.view, order.draft, order.menu))


def _hand(order: Order[View], theme: Theme, captions: Captions) -> Image.Image:
    return hand(order.view, theme, captions, gift_of(order.view, order.draft))


def _hand_alt(order: Order[View], captions: Captions) -> str:
    return hand_alt(captions, order.view, gift_of(order.view, order.draft))


def _sheet(order: Order[View], theme: Theme, captions: Captions) -> Image.Image:
    return sheet(order.view, theme, captions, focus(order.draft))


def _sheet_alt(order: Order[View], captions: Captions) -> str:
    return sheet_alt(captions, order.view, focus(order.draft))


def _clue(order: Order[View], theme: Theme, captions: Captions) -> Image.Image:
    return clue(order.view, theme, captions)


def _clue_alt(order: Order[View], captions: Captions) -> str:
    return clue_alt(captions, order.view)


KINDS: Mapping[Key, Kind] = {
    Subject.BOARD: Kind(_board, _board_alt),
    Subject.HAND: Kind(_hand, _hand_alt),
    Subject.SHEET: Kind(_sheet, _sheet_alt),
    Subject.CLUE: Kind(_clue, _clue_alt),
}
"""All kinds of pictures by their keys."""


class DogePainter(Painter[View]):
    """Paints the board for everybody; for a seat its hand, its sheet and its newest clue too."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return what there is for this viewer, first what tells most now."""
        found = [(str(Subject.BOARD), msg("picture.board" if view.viewer is None else "picture.own"))]
        if view.sheet is not None:
            found += [("sheet", msg("picture.sheet")), ("hand", msg("picture.hand"))]
        if view.newest_clue is not None:
            found.append(("clue", msg("picture.clue")))
        return tuple(sorted(found, key=lambda picture: picture[0] != view.subject))

    def image(self, order: Order[View]) -> Image.Image:
        """Return the picture with the marks of the draft, in its palette."""
        # Rows that an act leaves as they were are not packed again.
        return self.full_colours(order).quantize(
            palette=self.palette(order.table.theme), dither=Image.Dither.NONE
        )

    def full_colours(self, order: Order[View]) -> Image.Image:
        """Return the picture before it is brought into its palette."""
        theme = THEMES.choose(order.table.theme)
        return KINDS[order.key].paint(order, theme, self.captions(order.table))

    def palette(self, theme: str) -> Image.Image:
        """Return the theme's palette."""
        return shipped(THEMES.choose(theme))

    def describe(self, order: Order[View]) -> str:
        """Return the alt text."""
        return KINDS[order.key].describe(order, self.captions(order.table))

    def text(self, view: View, table: Table) -> str:
        """Return the board as plain text."""
        return plain(self.captions(table), view)


RENDERER = DogePainter()
