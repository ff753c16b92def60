"""Telling positions of random matches: who looks at which moment, and what is drafted."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engines.core import registry
from engines.core.contract import Seat, Viewer, Words
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng
from renderers.core.registry import renderer
from tests.renderers.looks import Look, look
from tests.renderers.looks.base import setup

MOST_TURNS = 200
MATCHES = 24
"""How many matches are played for a set.

Each gives one position at most: a later one, or the end, would tell of an earlier one's secrets.
"""

PER_SEAT = 3
"""The most private pictures that one seat has in a set."""

WHIM = 6
"""In matches with whims one sentence of so many is the baseline player's, asides included.

Computer players make no gross mistakes; people do, and pictures must show what comes of them.
"""

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
    def mover(self) -> Seat | None:
        """Return who is asked, ``None`` once the match is over."""
        return min(self.match.waiting, default=None)

    def viewers(self, who: str) -> tuple[Viewer, ...]:
        """Return who may look: see :attr:`Slot.who`."""
        if who == "public":
            return (None,)
        if who == "mover":
            return () if self.mover is None else (self.mover,)
        return tuple(seat for seat in range(self.match.setup.seats) if seat not in self.match.waiting)


@dataclass(frozen=True, slots=True)
class Slot:
    """A sort of position that a set must have.

    ``who``: ``public``, ``mover`` (asked, with the marks of the draft) or ``other`` (waits).
    ``fits`` says which moments do. ``drafts`` yields drafts for the mover; ``None``: nothing is drafted.
    ``key`` names the picture; ``None``: the one that a message shows.
    """

    who: str
    fits: Callable[[Moment], bool]
    drafts: Drafts | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A look, and how many seats its match has."""

    look: Look
    seats: int


class NoPositionError(ValueError):
    """Random matches in which a sort of position does not come up: another seed has it."""


@dataclass(frozen=True, slots=True)
class Play:
    """How matches of a game are played: options and seats are taken in turn; ``whims``: see :data:`WHIM`."""

    options: Mapping[str, Sequence[str]]
    seats: Sequence[int] = (2,)
    whims: bool = False


def play(key: str, how: Play, seed: str) -> list[Moment]:
    """Return all moments of some random matches."""
    game = registry.game(key)
    found: list[Moment] = []
    for number in range(MATCHES):
        options = {name: values[number % len(values)] for name, values in how.options.items()}
        table = setup(key, how.seats[number % len(how.seats)], **options)
        match = Match.start(game, table, hashlib.sha256(f"{seed} {key} {number}".encode()).digest())
        line = list(_turns(match, random.Random(f"{seed} {key} {number}") if how.whims else None))
        found += [Moment(number, one, (at + 1) / len(line)) for at, one in enumerate(line)]
    return found


def _turns(match: Match, whims: random.Random | None) -> Iterator[Match]:
    for _ in range(MOST_TURNS):
        if not match.waiting:
            return
        seat = min(match.waiting)
        on_a_whim = whims is not None and whims.randrange(WHIM) == 0
        match = match.act(seat, _whim(match, seat) if on_a_whim else match.computer(seat))
        yield match


def _whim(match: Match, seat: Seat) -> Words:
    menu = match.menu(seat)
    assert menu is not None
    rng = Rng(match.seed).child("whim", seat, len(match.log))
    return walk(match.game, match.view(seat), menu, rng, asides=True)


def choose(slots: Sequence[Slot], moments: Sequence[Moment], dice: random.Random) -> list[Position]:
    """Return a position for each slot, shuffled; raises :class:`NoPositionError`."""
    used: set[int] = set()
    found: list[Position] = []
    for slot in slots:
        found.append(_fill(slot, moments, dice, used, [one.look.view.viewer for one in found]))
    dice.shuffle(found)
    return found


def _fill(
    slot: Slot, moments: Sequence[Moment], dice: random.Random, used: set[int], looked: Sequence[Viewer]
) -> Position:
    """Return a position for a slot, and note its match as used; ``looked``: viewers of the others so far."""
    for moment in dice.sample(moments, len(moments)):
        if moment.number in used or not slot.fits(moment):
            continue
        viewers = [one for one in moment.viewers(slot.who) if _may_look(one, looked)]
        draft = () if slot.drafts is None else next(slot.drafts(moment), None)
        if not viewers or draft is None:
            continue
        shown = look(moment.match, viewers[0], *draft)
        keys = [key for key, _ in renderer(shown.game).pictures(shown.view)]
        if slot.key not in (None, *keys):
            continue
        used.add(moment.number)
        return Position(replace(shown, key=slot.key or keys[0]), moment.match.setup.seats)
    raise NoPositionError(f"none of {len(moments)} moments is of the sort wanted; take another seed")


def _may_look(viewer: Viewer, looked: Sequence[Viewer]) -> bool:
    return viewer is None or looked.count(viewer) < PER_SEAT


def sentences(moment: Moment) -> list[Words]:
    """Return all whole sentences of who is asked."""
    game: Any = moment.match.game
    return list(game.legal(moment.match.view(moment.mover)) or ())


def computers_words(moment: Moment) -> Words:
    """Return the sentence that a computer player would say for who is asked."""
    assert moment.mover is not None
    return moment.match.computer(moment.mover)
