"""A match as it is stored and as its readers see it: rows of the log, boards, receipts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from bot.domain.tables import TableInfo
from engines.core.contract import Fact, Outcome, Seat, Words


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened, as one viewer learns it. ``batch`` 0 is the start of the match."""

    batch: int
    fact: Fact = field(repr=False)


@dataclass(frozen=True, slots=True)
class Board:
    """The match as the public sees it: all that the thread shows."""

    table: TableInfo
    view: Any = field(repr=False)
    epoch: int
    """Counts the boards: a new number asks for a new message, the same one for an edit."""
    version: int
    """Counts public batches: grows with everything that the public learned."""
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the public learned since the message before this epoch's was posted."""
    draw_offers: tuple[Seat, ...]
    outcome: Outcome | None
    seed: bytes | None = field(repr=False)
    """The seed, once the match is over."""
    before: Any = field(default=None, repr=False)
    """What the public saw before this epoch began; ``None`` in the first one."""
    opening: tuple[Fact, ...] = field(default=(), repr=False)
    """What the public learned when it began."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A committed sentence. The same request gives the same receipt again."""

    table: TableInfo
    seat: Seat
    seq: int
    words: Words = field(repr=False)
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned by it."""
    repeated: bool
    """The request had been carried out before; nothing was committed now."""
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log as its reader may know it."""

    number: int
    at: float
    told: tuple[Fact, ...] = field(repr=False)


class DrawState(Enum):
    """What became of a word about a draw."""

    OFFERED = "offered"
    AGREED = "agreed"
    """All have offered: the match is over."""
    ALREADY = "already"
    """This seat's offer stands already."""
    DECLINED = "declined"
    """The offers are gone."""


class RowKind(Enum):
    """What a row of a match's log says. The first three are the engine's, the others the house's."""

    ACT = "act"
    WITHDRAW = "withdraw"
    AGREE = "agree"
    OFFER = "offer"
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of the log: never changed, never deleted. ``digest`` is of the state after it."""

    seq: int
    kind: RowKind
    seat: Seat | None
    words: Words = field(repr=False)
    digest: str = field(repr=False)
    request: str
    at: float
    """Unix time."""
