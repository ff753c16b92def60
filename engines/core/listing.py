"""All whole sentences of a seat, where they can be listed; and counting the lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from engines.core.contract import Enumerable, Menu, Seat, Words
from engines.core.match import AnyGame
from engines.core.optional_methods import enumerable
from engines.core.rng import Rng

LIMIT = 100_000
"""Sentences that are listed unless somebody asks for more."""

DRAFTS_PER_SENTENCE = 20
"""Drafts that a walk may look at for each sentence of its limit."""


class NotListable(ValueError):  # noqa: N818 - it says what is the matter with the menu, as its kin do
    """The sentences cannot be listed; the text says why."""


def legal(game: AnyGame, view: Any, limit: int = LIMIT) -> tuple[Words, ...]:
    """Return all whole sentences of the viewer's seat, each once, asides too.

    The game's own list is taken where it has one (:class:`Enumerable`), else the menus are walked.
    Raises :class:`NotListable` if there are more than ``limit``, or if a word is a shuffle.
    """
    own = enumerable(game)
    source = sentences(game, view, limit) if own is None else _listed(own, view)
    found = tuple(islice(source, limit + 1))
    if len(found) > limit:
        raise NotListable(f"there are more than {limit} sentences")
    return found


def _listed(game: Enumerable[Any], view: Any) -> Iterator[Words]:
    source = game.legal(view)
    if source is None:
        raise NotListable("this game does not list the sentences of this position")
    return source


def sentences(game: AnyGame, view: Any, limit: int = LIMIT) -> Iterator[Words]:
    """Yield all whole sentences by walking the menus, depth first, each in normal form and once.

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
        for word in reversed(_words(menu)):
            following = game.menu(view, (*menu.draft, word))
            if following is not None and following.draft not in seen:
                seen.add(following.draft)
                stack.append(following)
        if len(seen) > limit * DRAFTS_PER_SENTENCE + DRAFTS_PER_SENTENCE:
            raise NotListable(f"there are more than {len(seen)} beginnings of sentences")


def _words(menu: Menu) -> tuple[str, ...]:
    if any(part.shuffle for part in menu.fields):
        raise NotListable("a word here is an order of many things: there are too many to list")
    return tuple(choice.word for choice in menu.choices())


def perft(game: AnyGame, state: Any, depth: int, rng: Rng, limit: int = LIMIT) -> int:
    """Return the number of lines of ``depth`` sentences from ``state``: the leaves of the tree.

    One seat decides at each node: the lowest that is waited for. Asides are not counted, and a
    match that ends before ``depth`` has no leaf there. ``rng`` is the match's.
    Raises :class:`NotListable` at the first node whose sentences cannot be listed.
    """
    if depth == 0:
        return 1
    seats = game.waiting(game.view(state, None))
    if not seats:
        return 0
    seat = min(seats)
    duties = _duties(game, game.view(state, seat), limit)
    if depth == 1:
        return len(duties)
    return sum(perft(game, _after(game, state, seat, words, rng), depth - 1, rng, limit) for words in duties)


def _after(game: AnyGame, state: Any, seat: Seat, words: Words, rng: Rng) -> Any:
    return game.act(state, seat, words, rng).state


def _duties(game: AnyGame, view: Any, limit: int) -> tuple[Words, ...]:
    found = legal(game, view, limit)
    menu = game.menu(view)
    asides = {choice.word for choice in menu.choices() if choice.aside} if menu else set()
    return tuple(words for words in found if words[:1] == () or words[0] not in asides)
