"""States that a viewer could not tell from the real one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from engines.core.contract import Seat
from engines.core.rng import Rng, Stream
from engines.volto import rules
from engines.volto.board import MUSTER, SEATS, SQUARES, Square, can_move, rival
from engines.volto.candidates import Kinds, Matchings
from engines.volto.state import State
from engines.volto.view import STANDINGS_LIMIT, MaskView, Phase, Public, View, new_mask

DRAWS = 64
"""Symbols drawn at random before all are tried in order."""

Standing: TypeAlias = tuple[int, ...]
"""The masks of a side (by their place in its order) on the squares that it holds, square by square."""

Repeats: TypeAlias = tuple[tuple[Standing, ...], ...]
"""For each place that the same squares were held three times or more: the masks each time."""

Pattern: TypeAlias = tuple[tuple[Kinds, ...], ...]
"""The symbols that stood there each time: what decides which of these standings are one position."""


def imagine(view: View, rng: Rng) -> State:
    """Return a state consistent with this view: symbols drawn, then the match so far played again with them.

    The match must have gone on under them: no position standing for the third time, a move for
    whoever is to move, no Candidate in the rival's palace. All such states are equally likely, except
    where they are so rare that :data:`DRAWS` draws find none.
    """
    stream = rng.stream("imagine")
    if view.phase is Phase.SETUP:
        state = rules.no_masks(view.ruleset)
        for seat in view.arranged:
            state = rules.arrange(state, seat, _known(view, seat) or stream.shuffled(MUSTER))
        return state
    known = tuple(_known(view, seat) for seat in SEATS)
    if view.phase is Phase.OVER:
        return _again(view, (known[0] or (), known[1] or ()))
    return _again(view, Guess(view, known).draw(stream))


def _part(view: View, seat: Seat) -> tuple[MaskView, ...]:
    return tuple(mask for mask in view.masks if mask.seat == seat)


def _known(view: View, seat: Seat) -> Kinds | None:
    kinds = tuple(mask.kind for mask in _part(view, seat) if mask.kind is not None)
    return kinds if len(kinds) == len(_part(view, seat)) else None


def _again(view: View, kinds: tuple[Kinds, Kinds]) -> State:
    masks = tuple(new_mask(mask.seat, mask.track[0]) for mask in view.masks)
    state = State(Public(view.ruleset, 0, Phase.SETUP, masks, view.arranged), kinds)
    if view.first is not None:
        state = rules.begin(state, view.first)
    for ply in view.plies:
        state = rules.play(state, ply.origin, ply.target).state
    state = replace(state, public=replace(state.public, step=view.step))
    # It may have ended without a move.
    return state if view.result is None else rules.finish(state, view.result)


class Guess:
    """Draws symbols for the sides that a viewer does not know, in a match that is in play."""

    def __init__(self, view: View, known: tuple[Kinds | None, ...]) -> None:
        self._view = view
        self._known = known
        self._repeats = tuple(_repeats(view, seat) for seat in SEATS)
        self._ways = tuple(
            Matchings(tuple(mask.fits for mask in _part(view, seat)), view.kinds[seat]) for seat in SEATS
        )

    def draw(self, stream: Stream) -> tuple[Kinds, Kinds]:
        """Return symbols for both sides; the real ones fit, so that there always are some."""
        for _ in range(DRAWS):
            sun, moon = (self._known[seat] or self._ways[seat].draw(stream) for seat in SEATS)
            patterns = _pattern(self._repeats[0], sun), _pattern(self._repeats[1], moon)
            if self._moves(0, sun) and self._moves(1, moon) and self.goes_on(patterns):
                return sun, moon
        return stream.choice(tuple(self._all()))

    def _all(self) -> Iterator[tuple[Kinds, Kinds]]:
        # One pair of sides for each two patterns of standings that go together: all pairs were too many.
        suns, moons = (self._by_pattern(seat) for seat in SEATS)
        for sun_pattern, sun in suns.items():
            for moon_pattern, moon in moons.items():
                if self.goes_on((sun_pattern, moon_pattern)):
                    yield sun, moon

    def _by_pattern(self, seat: Seat) -> dict[Pattern, Kinds]:
        known = self._known[seat]
        found: dict[Pattern, Kinds] = {}
        for kinds in self._ways[seat] if known is None else (known,):
            if self._moves(seat, kinds):
                found.setdefault(_pattern(self._repeats[seat], kinds), kinds)
        return found

    def _moves(self, seat: Seat, kinds: Kinds) -> bool:
        # Only the side to move can be stuck; at every earlier turn somebody made a move.
        if self._view.turn != seat:
            return True
        part = zip(_part(self._view, seat), kinds, strict=True)
        own = {mask.square: kind for mask, kind in part if mask.square is not None}
        return can_move(seat, own, self._view.owners())

    def goes_on(self, patterns: tuple[Pattern, Pattern]) -> bool:
        """Return whether no position has stood for the third time."""
        for sun, moon in zip(*patterns, strict=True):
            together = list(zip(sun, moon, strict=True))
            if any(together.count(one) >= STANDINGS_LIMIT for one in together):
                return False
        return True


def _pattern(repeats: Repeats, kinds: Kinds) -> Pattern:
    return tuple(tuple(tuple(kinds[index] for index in standing) for standing in group) for group in repeats)


def _repeats(view: View, seat: Seat) -> Repeats:
    # Where both sides held the same squares often enough, the symbols decide whether a position was repeated.
    order = {mask.id: index for index, mask in enumerate(_part(view, seat))}
    groups: dict[tuple[object, ...], list[dict[Square, str]]] = {}
    for turn, owners, where in _history(view):
        groups.setdefault((turn, frozenset(owners.items())), []).append(where.copy())
    return tuple(
        tuple(_standing(where, order) for where in group)
        for group in groups.values()
        if len(group) >= STANDINGS_LIMIT
    )


def _standing(where: Mapping[Square, str], order: Mapping[str, int]) -> Standing:
    return tuple(order[where[square]] for square in SQUARES if where.get(square) in order)


def _history(view: View) -> Iterator[tuple[Seat | None, dict[Square, Seat], dict[Square, str]]]:
    """Yield who is to move, whose mask stands where, and which: the same two objects every time."""
    owners = {mask.track[0]: mask.seat for mask in view.masks}
    where = {mask.track[0]: mask.id for mask in view.masks}
    yield view.first, owners, where
    for ply in view.plies:
        mover = where.pop(ply.origin)
        del owners[ply.origin]
        if ply.left:
            del where[ply.target], owners[ply.target]
        else:
            where[ply.target], owners[ply.target] = mover, ply.seat
        yield rival(ply.seat), owners, where
