"""Completions of typed text in the game's notation: a function of the seat's view and draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.matches.limits import LIMITS
from bot.matches.loaded_table import SeatView
from engines.core.contract import ActionError, Menu, Words
from engines.core.names import as_read

LIMIT = 25
"""Maximum completions that Discord shows."""

TEXT_LIMIT = 100
"""Maximum characters that Discord allows in one."""

ORDERS = 3
"""Random orders offered for a field that may be shuffled."""


def completions(view: SeatView, draft: Words, typed: str) -> tuple[str, ...]:
    """Return texts that begin with ``typed``: continuations of the draft first, then new drafts."""
    wanted = _folded(typed)
    found: dict[str, None] = {}
    budget = iter(range(LIMITS.menus_per_completion))
    # Without a draft, both bases are the same: dict.fromkeys searches it once.
    for base in dict.fromkeys((draft, ())):
        for text in _search(view, base, (), wanted, budget):
            if len(text) <= TEXT_LIMIT:
                found.setdefault(text)
            if len(found) >= LIMIT:
                return tuple(found)
    return tuple(found)


def _search(view: SeatView, base: Words, words: Words, wanted: str, budget: Iterator[int]) -> Iterator[str]:
    """Yield texts of drafts after ``base`` that begin with ``wanted``, up to one word beyond it."""
    if next(budget, None) is None:
        return
    try:
        menu = view.menu((*base, *words))
    except ActionError:
        return
    deeper: list[Words] = []
    for choice in menu.choices() if menu is not None else ():
        following = (*words, choice.word)
        text = _text(view, base, following)
        if _folded(text).startswith(wanted):
            yield text
        if wanted.startswith(_folded(text)) and wanted:
            deeper.append(following)
    if menu is not None:
        yield from _orders(view, menu, (*base, *words), wanted)
    for following in deeper:
        yield from _search(view, base, following, wanted, budget)


def _orders(view: SeatView, menu: Menu, said: Words, wanted: str) -> Iterator[str]:
    for part in menu.fields:
        for number in range(ORDERS if part.shuffle else 0):
            drawn = part.drawn(view.chance(part.key, number))
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
    # First the parts that match what is wanted, then the others in their order.
    first, left = "", list(parts)
    while len(first) < len(wanted):
        part = next((p for p in left if wanted.startswith(_folded(first + p)[: len(wanted)])), None)
        if part is None:
            break
        left.remove(part)
        first += part
    return first + "".join(left)


def _text(view: SeatView, base: Words, words: Words) -> str:
    whole = view.game.write((*base, *words))
    if not base:
        return whole
    # The new words alone are shorter to type, but some notations can read them only after the draft.
    rest = whole.removeprefix(view.game.write(base)).strip()
    try:
        if whole != rest and view.game.read(rest) == words:
            return rest
    except ActionError:
        pass
    return whole


def _folded(text: str) -> str:
    return " ".join(as_read(text).split()).casefold()
