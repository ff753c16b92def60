"""Telling positions of random matches: who looks at which moment, and what is drafted."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engines.core import registry
from engines.core.contract import Setup, Words
from engines.core.match import Match
from tests.renderers.looks import Look, look

MOST_TURNS = 200
MATCHES = 24
"""How many matches are played for a set.

Each gives one position at most: a later one, or the end, would tell of an earlier one's secrets.
"""

PER_SEAT = 3
"""The most private pictures that one seat has in a set."""

Drafts: TypeAlias = Callable[["Moment"], Iterator[Words]]
"""What may be drafted at a moment, the best first; nothing at all: the moment does not do."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after some turns. ``number`` tells the matches apart; ``late``: share of its turns, 0 to 1."""

    number: int
    match: Match
    late: float

    @property
    def view(self) -> Any:
        """Return what the public knows."""
        return self.match.view(None)

    @property
    def mover(self) -> int | None:
        """Return who is asked, ``None`` once the match is over."""
        return min(self.match.waiting, default=None)


@dataclass(frozen=True, slots=True)
class Slot:
    """A sort of position that a set must have.

    ``who``: ``public``, ``mover`` (asked, with the marks of the draft) or ``other`` (waits).
    ``fits`` says which moments do. ``drafts`` yields drafts for the mover; ``None``: nothing is drafted.
    """

    who: str
    fits: Callable[[Moment], bool]
    drafts: Drafts | None = None


class NoPositionError(ValueError):
    """Random matches in which a sort of position does not come up: another seed has it."""


def play(key: str, options: Mapping[str, Sequence[str]], seed: str) -> list[Moment]:
    """Return all moments of some random matches; ``options``: the values that are taken in turn."""
    game = registry.game(key)
    found: list[Moment] = []
    for number in range(MATCHES):
        chosen = tuple((name, values[number % len(values)]) for name, values in options.items())
        setup = Setup(key, game.manifest.ruleset, game.manifest.seats[0], chosen)
        match = Match.start(game, setup, hashlib.sha256(f"{seed} {key} {number}".encode()).digest())
        line = list(_turns(match))
        found += [Moment(number, one, (at + 1) / len(line)) for at, one in enumerate(line)]
    return found


def _turns(match: Match) -> Iterator[Match]:
    for _ in range(MOST_TURNS):
        if not match.waiting:
            return
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
        yield match


def choose(slots: Sequence[Slot], moments: Sequence[Moment], dice: random.Random) -> list[Look]:
    """Return a look for each slot, shuffled; raises :class:`NoPositionError`."""
    used: set[int] = set()
    looks: list[Look] = []
    for slot in slots:
        looks.append(_fill(slot, moments, dice, used, [one.view.viewer for one in looks]))
    dice.shuffle(looks)
    return looks


def _fill(
    slot: Slot, moments: Sequence[Moment], dice: random.Random, used: set[int], viewers: Sequence[int | None]
) -> Look:
    """Return a look for a slot, and note its match as used; ``viewers``: those of the looks so far."""
    for moment in dice.sample(moments, len(moments)):
        if moment.number in used or not slot.fits(moment):
            continue
        viewer = _viewer(slot, moment)
        if viewer is not None and viewers.count(viewer) >= PER_SEAT:
            continue
        draft = () if slot.drafts is None else next(slot.drafts(moment), None)
        if draft is not None:
            used.add(moment.number)
            return look(moment.match, viewer, *draft)
    raise NoPositionError(f"none of {len(moments)} moments is of the sort wanted; take another seed")


def _viewer(slot: Slot, moment: Moment) -> int | None:
    if slot.who == "public":
        return None
    mover = moment.mover
    if mover is None:
        raise ValueError("nobody is asked once the match is over")
    return mover if slot.who == "mover" else 1 - mover


def sentences(moment: Moment) -> list[Words]:
    """Return all whole sentences of who is asked."""
    game: Any = moment.match.game
    return list(game.legal(moment.match.view(moment.mover)) or ())
