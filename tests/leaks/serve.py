"""The bot with the vault beside the other games, as a process of its own; what it says can be broken.

Painting processes begin by importing this module too.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
from typing import Any

from bot.__main__ import main
from bot.matches import loading, lobby
from bot.matches.table_cache import TableCache
from engines.core.contract import Words
from tests.kit.painting import wait_for_workers
from tests.kit.vault import GAME, RENDERER
from tests.kit.vault.install import install

BREAKS = "VAULT_BREAKS"
"""The variable that lets the draft "sort", and the picture of the hand, fail in so many words."""


SAME = "VAULT_SAME"
"""The variable that makes two bots draw the same seeds."""


def break_it() -> None:
    """Let a menu and a painter raise errors that say a card."""
    game: Any = type(GAME)
    painter: Any = type(RENDERER)
    menu, paint = game.menu, painter.paint

    def broken_menu(self: object, view: Any, draft: Words = ()) -> Any:
        if draft == ("sort",):
            raise KeyError(view.own.hand[0])
        return menu(self, view, draft)

    def broken_paint(self: object, view: Any, key: str, *more: Any) -> Any:
        if key == "hand":
            raise ValueError(f"this cannot be painted: {view.own.hand}")
        return paint(self, view, key, *more)

    game.menu, painter.paint = broken_menu, broken_paint


def same_bytes() -> None:
    """Let the house draw the same bytes in every process, so that two of them can be compared."""
    numbers = itertools.count()
    init: Any = TableCache.__init__
    init.__kwdefaults__["entropy"] = lambda size: hashlib.sha256(str(next(numbers)).encode()).digest()[:size]
    # The ids that a seed is mixed with are other ones in every sandbox.
    for module in (lobby, loading):
        vars(module)["mixed_seed"] = lambda part, _: part


if __name__ in {"__main__", "__mp_main__"}:  # the bot, or one of its painters
    install()
    wait_for_workers()
    if os.environ.get(SAME):
        same_bytes()
    if os.environ.get(BREAKS):
        break_it()

if __name__ == "__main__":
    sys.exit(main(["serve", "--until-eof"]))
