"""What the house talks about: people, tables, panels, receipts. No Discord, no database, no game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engines.core.contract import Fact, Menu, Msg, Outcome, Seat, Setup, Words

PersonId = int
"""A Discord user id."""

DEFAULT_THEME = "default"
"""The theme of pictures that every painter has."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, and the name that the others know."""

    id: PersonId
    name: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table was opened."""

    guild_id: int
    channel_id: int


class Status(Enum):
    """How far a table has come."""

    OPEN = "open"
    """People may join."""
    RUNNING = "running"
    """The match is on."""
    OVER = "over"
    """The match has ended; all is revealed."""
    CLOSED = "closed"
    """The table was given up before it began."""
    FROZEN = "frozen"
    """The match cannot be played on: its ruleset is gone or its replay differs."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a table. ``seat`` is ``None`` until the match begins and the seats are drawn."""

    order: int
    person: Person | None
    """``None``: a computer player."""
    name: str = field(repr=False)
    seat: Seat | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as everybody may know it, from the first join to the end."""

    id: str
    """Short and opaque, letters and digits: it stands in custom_ids."""
    setup: Setup
    """``setup.seats`` is the number of chairs to fill."""
    host: Person
    place: Place
    status: Status
    chairs: tuple[Chair, ...]
    commitment: str
    """The hash of the seed; empty while the table is open."""
    thread_id: int | None
    rematch_of: str | None = None
    theme: str = DEFAULT_THEME
    """How everything public is painted, the film too: chosen with the table, nobody's own setting."""

    @property
    def game(self) -> str:
        """Return the key of the game."""
        return self.setup.game

    @property
    def full(self) -> bool:
        """Return whether every chair is taken."""
        return len(self.chairs) >= self.setup.seats

    def seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat that a person holds in the running or ended match."""
        return next((c.seat for c in self.chairs if c.person is not None and c.person.id == person), None)

    def chair_at(self, seat: Seat) -> Chair:
        """Return the chair of a seat; raises ``KeyError``."""
        for chair in self.chairs:
            if chair.seat == seat:
                return chair
        raise KeyError(seat)

    def names(self) -> tuple[str, ...]:
        """Return the names by seat, once the match has begun."""
        return tuple(self.chair_at(seat).name for seat in range(len(self.chairs)))


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
class Panel:
    """All that a seat's private panel shows."""

    table: TableInfo
    seat: Seat
    view: Any = field(repr=False)
    """The preview of the draft, or the seat's view where nothing is drafted."""
    menu: Menu | None = field(repr=False)
    """What may be said next; ``None``: nothing is asked of the seat and nothing open to it."""
    draft: Words = field(repr=False)
    decision: str
    revision: int
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned since its own last act."""
    preset: Words | None = field(repr=False)
    """The last sentence that this person kept for this menu, where it may be said now."""
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    """What changed under the person's hands (the house's own texts): stale click, cut draft, refusal."""
    refusal: Msg | None = field(default=None, repr=False)
    """Why the game refused the last word, a text of the game's catalogue."""
    reveals: bool = False
    """The draft's last word lets the seat learn something hidden: once confirmed, it stands."""
    draw_offers: tuple[Seat, ...] = ()
    outcome: Outcome | None = None

    @property
    def asked(self) -> bool:
        """Return whether the match waits for this seat."""
        return self.seat in self.waiting


@dataclass(frozen=True, slots=True)
class Click:
    """Where a click on a panel came from: what the panel showed when it was drawn."""

    table_id: str
    decision: str
    revision: int


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
class MatchLine:
    """One of a person's matches in a list."""

    table: TableInfo
    seat: Seat | None
    asked: bool
    since: float
    """Unix time of the last public change."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log as its reader may know it."""

    number: int
    at: float
    told: tuple[Fact, ...] = field(repr=False)


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault
    """The house says no: nothing was changed. ``msg`` is a text of the house's own catalogue."""

    def __init__(self, msg: Msg) -> None:
        super().__init__(msg.key)
        self.msg = msg


class GameRefusal(Refusal):
    """The game says no. ``msg`` is a text of the game's catalogue, and depends on the seat's view alone."""

    def __init__(self, table: TableInfo, msg: Msg) -> None:
        super().__init__(msg)
        self.table = table
