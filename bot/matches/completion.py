"""What may be typed next, in the game's notation: a function of the seat's view and its draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.matches.seat_view import SeatView
from engines.core.contract import ActionError, Menu, Words

LIMIT = 25
"""How many completions Discord shows."""

TEXT_LIMIT = 100
"""Characters that Discord allows in one."""

LOOKS = 80
"""Menus that are looked at, at most: the answer comes from the event loop, at every key."""


ORDERS = 3
"""Random orders that are offered for what may be shuffled."""


def completions(view: SeatView, draft: Words, typed: str) -> tuple[str, ...]:
    """Return texts that begin with ``typed``: the draft's next words first, then whole new drafts."""
    wanted = _folded(typed)
    found: dict[str, None] = {}
    looks = iter(range(LOOKS))
    for base in dict.fromkeys((draft, ())):
        for text in _search(view, base, (), wanted, looks):
            if len(text) <= TEXT_LIMIT:
                found.setdefault(text)
            if len(found) >= LIMIT:
                return tuple(found)
    return tuple(found)


def _search(view: SeatView, base: Words, words: Words, wanted: str, looks: Iterator[int]) -> Iterator[str]:
    """Yield the texts of drafts after ``base`` that ``wanted`` begins, as far as it takes to cover it."""
    if next(looks, None) is None:
        return
    try:
        menu = view.menu((*base, *words))
    except ActionError:
        return
    deeper: list[Words] = []
    for choice in menu.choices() if menu is not None else ():
        following = (*words, choice.word)
        text = _text(view, base, following)
        if text is None:
            continue
        if _folded(text).startswith(wanted):
            yield text
        if wanted.startswith(_folded(text)) and wanted:
            deeper.append(following)
    if menu is not None:
        yield from _orders(view, menu, (*base, *words), wanted)
    for following in deeper:
        yield from _search(view, base, following, wanted, looks)


def _orders(view: SeatView, menu: Menu, said: Words, wanted: str) -> Iterator[str]:
    """Yield whole drafts that end with a random order of what may be shuffled, as ``wanted`` begins."""
    for part in menu.fields:
        for number in range(ORDERS if part.shuffle else 0):
            drawn = view.chance(part.key, number).shuffled(part.shuffle)
            word = "".join(drawn)
            following = view.menu((*said, word))
            if following is None:
                continue
            whole = view.game.write(following.draft)
            before, found, after = whole.partition(word)
            begun = wanted[len(_folded(before)) :].strip()
            text = before + _fitted(drawn, begun) + after if found else whole
            if _folded(text).startswith(wanted):
                yield text


def _fitted(parts: Sequence[str], wanted: str) -> str:
    """Return ``parts`` joined, in their order but for those that must stand first to begin ``wanted``."""
    first, left = "", list(parts)
    while len(first) < len(wanted):
        part = next((p for p in left if wanted.startswith(_folded(first + p)[: len(wanted)])), None)
        if part is None:
            break
        left.remove(part)
        first += part
    return first + "".join(left)


def _text(view: SeatView, base: Words, words: Words) -> str | None:
    """Return what has to be typed for ``words`` after ``base``: they alone if that is read so."""
    whole = view.game.write((*base, *words))
    if not base:
        return whole
    start = view.game.write(base)
    rest = whole.removeprefix(start).strip()
    try:
        if whole != rest and view.game.read(rest) == words:
            return rest
    except ActionError:
        pass
    return whole


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
