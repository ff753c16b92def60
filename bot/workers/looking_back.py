"""Analysing finished matches in small parts, so that players wait for one part at most."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from bot.domain.fair_queue import Ticket
from bot.workers.thinker import Thinker, Wanted
from engines.core.contract import Seat, Setup
from engines.core.match import AnyGame, Entry, Match
from engines.core.registry import game
from engines.core.turning_points import Decision, JudgedDecision, Look, decisions

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Part(Protocol[T_co]):
    """A part of looking back. Nothing in it is secret: its match is over."""

    @property
    def game(self) -> str:
        """Return the key of the match's game."""
        ...

    @property
    def match(self) -> str:
        """Return the id of the table, for the log."""
        ...

    def done_with(self, game: AnyGame, /) -> T_co:
        """Do this part and return its result; raises whatever the game raises."""
        ...


@dataclass(frozen=True, slots=True)
class FindDecisions:
    """Replay a match and collect the decisions of one seat."""

    game: str
    match: str
    setup: Setup
    seed: bytes = field(repr=False)
    log: tuple[Entry, ...] = field(repr=False)
    seat: Seat
    own: Collection[int] = field(repr=False)
    """The numbers of the entries that the seat's person decided, rather than a computer player."""

    def done_with(self, game: AnyGame) -> tuple[Decision, ...]:
        """Return the decisions of the seat."""
        return decisions(Match.start(game, self.setup, self.seed), self.log, self.seat, self.own)


@dataclass(frozen=True, slots=True)
class JudgeDecision:
    """Judge one decision."""

    game: str
    match: str
    look: Look

    def done_with(self, game: AnyGame) -> JudgedDecision:
        """Return the judged decision."""
        return self.look.judged(game)


class LookingBackFailed(Exception):  # noqa: N818 - a finding, not a fault
    """A part failed: its game raised an exception, timed out, or killed its process."""


class LooksBack(Protocol):
    """Anything that can analyse finished matches."""

    async def look_back(self, part: Part[T], ticket: Ticket, wanted: Wanted) -> T | None:
        """Do a part and return its result; ``None``: it is no longer ``wanted``.

        ``ticket``: the person and match that the turn counts for. Raises :class:`LookingBackFailed`.
        """
        ...


class AnyThinker(Thinker, LooksBack, Protocol):
    """A thinker that can also analyse finished matches."""


FAILED = "match %s: looking back at a match of %s failed: %s"
"""Log line for a failed part; the last value is the error's name only."""


def do_part(part: Part[T]) -> T:
    """Do a part of looking back; runs in a thinking process."""
    return part.done_with(game(part.game))
