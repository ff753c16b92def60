"""Whole sentences of a seat: all, if they can be listed, or the first ones; and counts of lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from engines.core.contract import ActionError, Menu, Words
from engines.core.match import AnyGame
from engines.core.optional_methods import Enumerable, TakesNotes
from engines.core.rng import Rng

LIMIT = 100_000
"""Sentences that are listed by default, at most."""

DRAFTS_PER_SENTENCE = 20
"""Drafts that a walk may look at for each sentence of its limit."""


class NotListable(ValueError):  # noqa: N818 - what the console answers, not a failure
    """The sentences cannot be listed; the text says why."""


def legal(game: AnyGame, view: Any, limit: int = LIMIT, *, asides: bool = True) -> tuple[Words, ...]:
    """Return all whole sentences of the viewer's seat, each once: no notes, and ``asides`` if wanted.

    Uses the game's own list if it has one (:class:`Enumerable`), else walks the menus.
    Raises :class:`NotListable` if there are more than ``limit``, or if a word is a shuffle.
    """
    source = game.legal(view) if isinstance(game, Enumerable) else sentences(game, view, limit, asides=asides)
    if source is None:
        raise NotListable("this game does not list the sentences of this position")
    if not asides:
        menu = game.menu(view)
        unwanted = {choice.word for choice in menu.choices() if choice.aside} if menu else set()
        source = (words for words in source if not words or words[0] not in unwanted)
    found = tuple(islice(source, limit + 1))
    if len(found) > limit:
        raise NotListable(f"there are more than {limit} sentences")
    return found


def sentences(game: AnyGame, view: Any, limit: int = LIMIT, *, asides: bool = True) -> Iterator[Words]:
    """Yield all whole sentences by walking the menus, depth first, each in normal form and once.

    Notes are left out: they change nothing, and may be of any length. So are unwanted asides.
    Raises :class:`NotListable` at a shuffle, or when it has looked at far more drafts than ``limit``.
    """
    first = game.menu(view)
    if first is None:
        return
    seen = {first.draft}
    stack = [first]
    while stack:
        menu = stack.pop()
        if menu.complete:
            yield menu.draft
        if any(part.shuffle and not part.take for part in menu.fields):
            raise NotListable("a word here is an order of many things: there are too many to list")
        # Reversed, since the stack hands out the last one first.
        for choice in reversed(menu.choices()):
            if choice.aside and not asides:
                continue
            draft = (*menu.draft, choice.word)
            if isinstance(game, TakesNotes) and game.is_note(draft):
                continue
            following = game.menu(view, draft)
            if following is not None and following.draft not in seen:
                seen.add(following.draft)
                stack.append(following)
        # Menus may lead on endlessly without a sentence: the caller's limit would never be reached.
        if len(seen) > limit * DRAFTS_PER_SENTENCE + DRAFTS_PER_SENTENCE:
            raise NotListable(f"there are more than {len(seen)} beginnings of sentences")


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


def perft(game: AnyGame, state: Any, depth: int, rng: Rng, limit: int = LIMIT) -> int:
    """Return the number of lines of ``depth`` sentences from ``state``: the leaves of the tree.

    One seat decides at each node: the lowest pending one. Asides are not counted, and a
    match that ends before ``depth`` has no leaf there. ``rng`` is the match's.
    Raises :class:`NotListable` at the first node whose sentences cannot be listed.
    """
    if depth == 0:
        return 1
    seats = game.waiting(game.view(state, None))
    if not seats:
        return 0
    seat = min(seats)
    view = game.view(state, seat)
    duties = legal(game, view, limit, asides=False)
    if depth == 1:
        return len(duties)
    after = (game.act(state, seat, words, rng).state for words in duties)
    return sum(perft(game, one, depth - 1, rng, limit) for one in after)
