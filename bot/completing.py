"""What may be typed next, in the game's notation: a function of the seat's view and its draft."""

from __future__ import annotations

from collections.abc import Iterator

from bot.live import Desk
from engines.core.contract import ActionError, Words

LIMIT = 25
"""How many completions Discord shows."""

TEXT_LIMIT = 100
"""Characters that Discord allows in one."""

LOOKS = 80
"""Menus that are looked at, at most: the answer comes from the event loop, at every key."""


def completions(desk: Desk, draft: Words, typed: str) -> tuple[str, ...]:
    """Return texts that begin with ``typed``: the draft's next words first, then whole new drafts."""
    wanted = _folded(typed)
    found: dict[str, None] = {}
    looks = iter(range(LOOKS))
    for base in dict.fromkeys((draft, ())):
        for text in _search(desk, base, (), wanted, looks):
            if len(text) <= TEXT_LIMIT:
                found.setdefault(text)
            if len(found) >= LIMIT:
                return tuple(found)
    return tuple(found)


def _search(desk: Desk, base: Words, words: Words, wanted: str, looks: Iterator[int]) -> Iterator[str]:
    """Yield the texts of drafts after ``base`` that ``wanted`` begins, as far as it takes to cover it."""
    if next(looks, None) is None:
        return
    try:
        menu = desk.menu((*base, *words))
    except ActionError:
        return
    deeper: list[Words] = []
    for choice in menu.choices() if menu is not None else ():
        following = (*words, choice.word)
        text = _text(desk, base, following)
        if text is None:
            continue
        if _folded(text).startswith(wanted):
            yield text
        if wanted.startswith(_folded(text)) and wanted:
            deeper.append(following)
    for following in deeper:
        yield from _search(desk, base, following, wanted, looks)


def _text(desk: Desk, base: Words, words: Words) -> str | None:
    """Return what has to be typed for ``words`` after ``base``: they alone if that is read so."""
    whole = desk.game.write((*base, *words))
    if not base:
        return whole
    start = desk.game.write(base)
    rest = whole.removeprefix(start).strip()
    try:
        if whole != rest and desk.game.read(rest) == words:
            return rest
    except ActionError:
        pass
    return whole


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
