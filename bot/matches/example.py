"""An example of a sentence that a seat may say now: the first that its menus lead to."""

from __future__ import annotations

from engines.core.contract import Menu, Words
from engines.core.match import AnyGame
from engines.core.whole_sentences import whole_sentences

LOOKS = 24
"""Maximum menus to search: the person waits for all of them."""


def example_of(game: AnyGame, view: object, root: Menu | None) -> Words:
    """Return the first complete sentence of a depth-first search of the menus; empty: none within the limit.

    It depends on the seat's view alone. An aside is returned only if nothing else may be said.
    """
    return () if root is None else next(whole_sentences(game, view, root, LOOKS), ())
