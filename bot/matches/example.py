"""An example of a sentence that a seat may say now: what its menus lead to first."""

from __future__ import annotations

from engines.core.contract import ActionError, Menu, Words
from engines.core.match import AnyGame

LOOKS = 24
"""Menus that are looked at: whoever waits for the example waits for all of them."""


def example_of(game: AnyGame, view: object, root: Menu | None) -> Words:
    """Return the first whole sentence that a walk of the menus finds, depth first; empty: none within reach.

    It depends on the seat's view alone. An aside is an example only where nothing else may be said.
    """
    if root is None:
        return ()
    # What is asked is tried first: the stack hands out the last one first.
    left = sorted(_following(root), key=lambda draft: _is_aside(root, draft[0]))[::-1]
    seen = {root.draft}
    for _ in range(LOOKS):
        if not left:
            break
        try:
            menu = game.menu(view, left.pop())
        except ActionError:
            continue
        if menu is not None and menu.complete:
            return menu.draft
        # Words may fold into a draft that was left already.
        if menu is not None and menu.draft not in seen:
            seen.add(menu.draft)
            left += _following(menu)[::-1]
    return ()


def _is_aside(root: Menu, word: str) -> bool:
    choice = root.find(word)
    return choice is not None and choice.aside


def _following(menu: Menu) -> list[Words]:
    # What is chosen already could be chosen otherwise for ever: what is left to choose leads on.
    fields = sorted(menu.fields, key=lambda part: bool(part.chosen))
    words = [choice.word for part in fields for choice in part.choices]
    words += ["".join(part.shuffle) for part in fields if part.shuffle]
    return [(*menu.draft, word) for word in words]
