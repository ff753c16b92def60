"""Whole sentences that a seat may say now, as a walk of its menus comes to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.core.contract import ActionError, Menu, Words
from engines.core.match import AnyGame


def whole_sentences(game: AnyGame, view: Any, root: Menu, looks: int) -> Iterator[Words]:
    """Yield whole sentences, depth first, until so many menus were looked at; asides come last.

    What comes depends on the seat's view alone. ``root`` is the seat's first menu.
    """
    # What is asked is tried first: the stack hands out the last one first.
    left = sorted(_following(root), key=lambda draft: is_aside(root, draft))[::-1]
    seen = {root.draft}
    for _ in range(looks):
        if not left:
            return
        try:
            menu = game.menu(view, left.pop())
        except ActionError:
            continue
        # Words may fold into a draft that was left already.
        if menu is None or menu.draft in seen:
            continue
        seen.add(menu.draft)
        if menu.complete:
            yield menu.draft
        left += _following(menu)[::-1]


def is_aside(root: Menu, words: Words) -> bool:
    """Return whether words begin with what is open to the seat at any time."""
    choice = root.find(words[0]) if words else None
    return choice is not None and choice.aside


def _following(menu: Menu) -> list[Words]:
    # What is chosen already could be chosen otherwise for ever: what is left to choose leads on.
    fields = sorted(menu.fields, key=lambda part: bool(part.chosen))
    words = [choice.word for part in fields for choice in part.choices]
    words += ["".join(part.shuffle) for part in fields if part.shuffle]
    return [(*menu.draft, word) for word in words]
