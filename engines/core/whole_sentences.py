"""Whole sentences that a seat may say now, found by walking its menus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.core.contract import ActionError, Menu, Words
from engines.core.match import AnyGame


def whole_sentences(game: AnyGame, view: Any, root: Menu, looks: int) -> Iterator[Words]:
    """Yield whole sentences, depth first, until ``looks`` menus have been visited; asides come last.

    The result depends on the seat's view alone. ``root`` is the seat's first menu.
    """
    # Reversed, since the stack hands out the last one first: asides come last.
    left = sorted(_following(root), key=lambda draft: is_aside(root, draft))[::-1]
    seen = {root.draft}
    for _ in range(looks):
        if not left:
            return
        try:
            menu = game.menu(view, left.pop())
        except ActionError:
            continue
        # Words may fold into a draft that was visited already.
        if menu is None or menu.draft in seen:
            continue
        seen.add(menu.draft)
        if menu.complete:
            yield menu.draft
        left += _following(menu)[::-1]


def is_aside(root: Menu, words: Words) -> bool:
    """Return whether words begin with an aside, which the seat may say at any time."""
    choice = root.find(words[0]) if words else None
    return choice is not None and choice.aside


def _following(menu: Menu) -> list[Words]:
    # A chosen field can be chosen differently endlessly: fields without a choice come first.
    fields = sorted(menu.fields, key=lambda part: bool(part.chosen))
    words = [choice.word for part in fields for choice in part.choices]
    words += ["".join(part.shuffle) for part in fields if part.shuffle]
    return [(*menu.draft, word) for word in words]
