"""An example of a sentence that a seat may say now: what its menus lead to first."""

from __future__ import annotations

from engines.core.contract import Menu, Words
from engines.core.match import AnyGame
from engines.core.whole_sentences import whole_sentences

LOOKS = 24
"""Menus that are looked at: whoever waits for the example waits for all of them."""


def example_of(game: AnyGame, view: object, root: Menu | None) -> Words:
    """Return the first whole sentence that a walk of the menus finds, depth first; empty: none within reach.

    It depends on the seat's view alone. An aside is an example only where nothing else may be said.
    """
    return () if root is None else next(whole_sentences(game, view, root, LOOKS), ())
