"""The painter of the vault game: a small picture with a pixel for every letter that a view knows."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

from PIL import Image

from engines.core.contract import Menu, Msg, Words, msg
from renderers.core.caches import sprite
from renderers.core.contract import Picture, Table
from tests.kit.vault.state import View

SIDE = 32


@sprite
def ground(side: int) -> Image.Image:
    """Return the empty picture."""
    return Image.new("RGB", (side, side))


class VaultPainter:
    """A :class:`renderers.core.contract.Renderer`."""

    @property
    def themes(self) -> tuple[str, ...]:
        return ("default",)

    def pictures(self, view: View) -> tuple[tuple[str, Msg], ...]:
        board = ("board", msg("picture.board"))
        return (board,) if view.own is None else (board, ("hand", msg("picture.hand")))

    def paint(
        self, view: View, key: str, table: Table, draft: Words = (), menu: Menu | None = None
    ) -> Picture:
        words = menu is not None and [choice.word for choice in menu.choices()]
        known = json.dumps([key, self.text(view, table), draft, words]).encode()
        image = ground(SIDE).copy()
        image.frombytes(known.ljust(3 * SIDE * SIDE, b"\0")[: 3 * SIDE * SIDE])
        out = io.BytesIO()
        image.save(out, "PNG")
        return Picture(out.getvalue(), "image/png", SIDE, SIDE, f"The vault. {self.text(view, table)}"[:1000])

    def warm(self, view: View, key: str, table: Table, draft: Words = (), menu: Menu | None = None) -> None:
        ground(SIDE)

    def film(self, views: Sequence[Any], table: Table) -> Picture:
        return self.paint(views[-1], "board", table)

    def text(self, view: View, table: Table) -> str:
        lines = [f"Round {len(view.public.shown) + 1}", *(" ".join(cards) for cards in view.public.shown)]
        if view.own is not None:
            own = view.own
            lines += [f"You hold {' '.join(own.hand)}", f"laid {own.laid}", f"clue {own.clue}", *own.notes]
        return "\n".join(lines)
