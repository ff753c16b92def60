"""Looking back at matches that are over: in small parts, so that those who play wait for one at most."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from bot.domain.fair_queue import Ticket
from bot.thinking.request import Thinker, Wanted
from engines.core.contract import Seat, Setup
from engines.core.match import AnyGame, Entry, Match
from engines.core.turning_points import Decision, JudgedDecision, Look, decisions

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Part(Protocol[T_co]):
    """A part of looking back. Nothing in it is hidden any more: its match is over."""

    @property
    def game(self) -> str:
        """Return the key of the match's game."""
        ...

    @property
    def match(self) -> str:
        """Return the id of the table, for the log."""
        ...

    def done_with(self, game: AnyGame, /) -> T_co:
        """Return what comes of it; raises whatever the game raises."""
        ...


@dataclass(frozen=True, slots=True)
class FindDecisions:
    """Play a match again, and note what its seat has decided."""

    game: str
    match: str
    setup: Setup
    seed: bytes = field(repr=False)
    log: tuple[Entry, ...] = field(repr=False)
    seat: Seat
    own: Collection[int] = field(repr=False)
    """The numbers of the entries that its person has said."""

    def done_with(self, game: AnyGame) -> tuple[Decision, ...]:
        """Return the decisions."""
        return decisions(Match.start(game, self.setup, self.seed), self.log, self.seat, self.own)


@dataclass(frozen=True, slots=True)
class JudgeDecision:
    """Judge one decision."""

    game: str
    match: str
    look: Look

    def done_with(self, game: AnyGame) -> JudgedDecision:
        """Return the decision, judged."""
        return self.look.judged(game)


class LookingBackFailed(Exception):  # noqa: N818 - a finding, not a fault
    """A part could not be done: its game has raised something, taken too long, or killed its process."""


class LooksBack(Protocol):
    """Where matches are looked back at."""

    async def look_back(self, part: Part[T], ticket: Ticket, wanted: Wanted) -> T | None:
        """Return what comes of a part; ``None``: it is not ``wanted`` any more. ``ticket``: whose turn it is.

        Raises :class:`LookingBackFailed`.
        """
        ...


class AnyThinker(Thinker, LooksBack, Protocol):
    """Where computer players think and matches are looked back at."""


FAILED = "match %s: looking back at a match of %s failed: %s"
"""What the log says of a part that failed; the last gap is for the error's name alone."""
