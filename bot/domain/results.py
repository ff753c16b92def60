"""Results of matches: how each ended, and what became of each seat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.domain.tables import PersonId
from engines.core.contract import Seat
from engines.core.optional_methods import Level


class EndingKind(Enum):
    """How a match ended."""

    RULES = "rules"
    """By the rules of its game."""
    RESIGNED = "resigned"
    """With the last resignation that its rules needed."""
    AGREED = "agreed"
    """As a draw that all had agreed to."""
    CLAIMED = "claimed"
    """The waiting player claimed it from a timed-out one."""


class Fate(Enum):
    """What became of a seat: the last of these that applies."""

    HELD = "held"
    """One person held it to the end."""
    RESIGNED = "resigned"
    LATE = "late"
    """The match was claimed from it after a deadline."""
    STOOD_IN = "stood_in"
    """A computer player stood in for its person at the end."""
    PASSED_ON = "passed_on"
    """It was handed on to another person during the match."""
    COMPUTER = "computer"
    """A computer player's from the start."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match that is over; a match without a result has none."""

    match: str
    guild: int
    game: str
    seats: int
    people: int
    """Seats of people."""
    rated: bool
    kind: EndingKind
    ended_at: float
    """Unix time."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The result of one seat."""

    seat: Seat
    person: PersonId | None
    """Who held the seat at the end; ``None``: a computer player."""
    level: Level | None
    """The computer player's level, if it has one."""
    place: int
    """From 1; seats that share a place are followed by a gap. Together won or lost: 1."""
    tied: bool
    """Whether another seat has the same place."""
    score: int | None
    """Points, in games that count them."""
    fate: Fate
    sentences: int
    """Sentences that the person or computer player decided; notes and what was taken back do not count."""
