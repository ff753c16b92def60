"""Any game as a search sees it: worlds from ``imagine``, moves from menus, then the game's own rules.

It needs nothing of a game but the contract, so it is slow, but good enough if decisions are few. A game
may add what it knows: which sentences are likely to be good, and how well each seat stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engines.core.contract import Outcome, Seat, Words
from engines.core.listing import NotListable, legal
from engines.core.match import AnyGame
from engines.core.player import walk
from engines.core.rng import Rng

WIDTH = 60
"""Sentences considered per decision; if there are more, this many are drawn."""

LOOKS = 20
"""Sentences listed for each one considered, before listing is given up."""

LONGEST = 300
"""Sentences drawn to play a world to its end, before its match counts as a draw."""

Likely: TypeAlias = Callable[[Any, Sequence[Words]], Sequence[float]]
"""From a view and sentences of its seat: how likely each is to be the best, in any unit."""

Worth: TypeAlias = Callable[[Any], Sequence[float]]
"""From a state: how well each seat stands, from 0 (has lost) to 1 (has won)."""


@dataclass(frozen=True, slots=True, repr=False)
class MenuWorld:
    """A state, the randomness of its playout, and how many sentences were ``said`` since it was imagined."""

    state: Any
    rng: Rng
    said: int = 0


class MenuModel:
    """Any game, from the decision of the seat that has the view.

    If several seats decide at once, the search is for one of them, the viewer's if it is among them. The
    others' sentences are drawn: no seat may respond to what it cannot see. Asides and notes are left out.
    Without ``worth``, a match is played to its end with drawn sentences.
    """

    def __init__(
        self,
        game: AnyGame,
        view: Any,
        rng: Rng,
        *,
        likely: Likely | None = None,
        worth: Worth | None = None,
        width: int = WIDTH,
    ) -> None:
        self._game = game
        self._view = view
        self._rng = rng
        self._likely = likely
        self._worth = worth
        self._width = width

    def imagine(self, number: int) -> MenuWorld:
        """Return the world of playout ``number``."""
        rng = self._rng.child("playout", number)
        return MenuWorld(self._game.imagine(self._view, rng), rng)

    def mover(self, world: MenuWorld) -> Seat:
        """Return the seat that the search is for: the viewer's if it is pending, else the first that is."""
        asked = self._asked(world.state)
        return self._view.viewer if self._view.viewer in asked else asked[0]

    def moves(self, world: MenuWorld) -> Sequence[tuple[Words, float]]:
        """Return whole sentences of the mover, all of them or a sample; none once the match is over."""
        if not self._asked(world.state):
            return ()
        view = self._game.view(world.state, self.mover(world))
        found = self._sentences(view)
        weights = [1.0] * len(found) if self._likely is None else self._likely(view, found)
        whole = sum(weights)
        return [(words, weight / whole) for words, weight in zip(found, weights, strict=True)]

    def after(self, world: MenuWorld, move: Words) -> MenuWorld:
        """Return the world after a sentence of the mover, and of all seats that decide at the same time."""
        mover = self.mover(world)
        others = [seat for seat in self._asked(world.state) if seat != mover]
        world = self._act(world, mover, move)
        for seat in others:
            if seat in self._asked(world.state):
                world = self._drawn(world, seat)
        return world

    def worth(self, world: MenuWorld) -> Sequence[float]:
        """Return how well each seat stands."""
        if self._worth is not None and self._asked(world.state):
            return self._worth(world.state)
        for _ in range(LONGEST):
            asked = self._asked(world.state)
            if not asked:
                break
            world = self._drawn(world, asked[0])
        return worth_of(
            self._game.outcome(self._game.view(world.state, None)), max(self._game.manifest.seats)
        )

    def _asked(self, state: Any) -> list[Seat]:
        """Return the seats that must decide, without those that have in secret, and only look pending."""
        game = self._game
        waiting = game.waiting(game.view(state, None))
        return [seat for seat in sorted(waiting) if seat in game.waiting(game.view(state, seat))]

    def _act(self, world: MenuWorld, seat: Seat, words: Words) -> MenuWorld:
        state = self._game.act(world.state, seat, words, world.rng).state
        return replace(world, state=state, said=world.said + 1)

    def _drawn(self, world: MenuWorld, seat: Seat) -> MenuWorld:
        """Return the world after a sentence of a seat that is drawn from its menus."""
        view = self._game.view(world.state, seat)
        menu = self._game.menu(view)
        assert menu is not None  # the seat is asked
        return self._act(world, seat, walk(self._game, view, menu, world.rng.child("drawn", world.said)))

    def _sentences(self, view: Any) -> Sequence[Words]:
        """Return the sentences of a seat; if too many, a sample, always the same for the view."""
        rng = self._rng.child("sample")
        try:
            found = legal(self._game, view, self._width * LOOKS, asides=False)
        except NotListable:
            menu = self._game.menu(view)
            assert menu is not None  # the seat is asked
            walks = (walk(self._game, view, menu, rng.child(number)) for number in range(self._width))
            return tuple(dict.fromkeys(walks))
        return found if len(found) <= self._width else rng.stream().shuffled(found)[: self._width]


def worth_of(outcome: Outcome | None, seats: int) -> Sequence[float]:
    """Return how well each of ``seats`` seats did: 1 for the first, 0 for the last, a half each in a draw.

    Without an outcome it is a draw. Seats that share a rank get the mean worth of its places.
    """
    if outcome is None or outcome.drawn:
        return [0.5] * seats
    if outcome.won is not None:
        return [float(outcome.won)] * seats
    found = [0.0] * seats
    worse = sum(map(len, outcome.ranks))
    most = worse - 1
    for rank in outcome.ranks:
        worse -= len(rank)
        for seat in rank:
            found[seat] = (worse + (len(rank) - 1) / 2) / most
    return found
