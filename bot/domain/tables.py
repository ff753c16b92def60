"""People, the tables that they sit at, and how far these have come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from bot.domain.clocks import Clock, Pace, TimeUp
from bot.domain.reminders import QuietHours, Reminding
from engines.core.contract import Seat, Setup
from engines.core.skill import Level

PersonId: TypeAlias = int
"""A Discord user id."""

STAND_IN_LEVEL = Level.MIDDLE
"""How well a computer player thinks that decides in a person's place."""

DEFAULT_THEME = "default"
"""The theme of pictures that every painter has."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, and the name that the others know."""

    id: PersonId
    name: str = field(repr=False)


PSEUDONYM = "Former player"
"""The name of who has deleted their data, where they sat. It is stored, so it has one language."""

MOST_CHAIRS = 1 << 16
"""More than any table has chairs, and less than any account's id."""


def is_former(person: PersonId) -> bool:
    """Return whether this is the pseudonym of somebody who is gone: the number of their chair, from 1 on."""
    return person < MOST_CHAIRS


Who: TypeAlias = Person | PersonId
"""Use cases take a person or their id."""


def person_id(who: Who) -> PersonId:
    """Return the id of a person, however they are given."""
    return who.id if isinstance(who, Person) else who


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table was opened."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen."""

    dms: bool = False
    """Whether the turn comes as a direct message too."""
    language: str = "en"
    theme: str = DEFAULT_THEME
    """How the pictures are painted that only this person sees."""
    always_confirm: bool = True
    """Whether every sentence waits for Confirm, or only one that its last choice does not simply complete."""
    reminders: Reminding = Reminding.TURNS
    zone: str = ""
    """The time zone that the person has chosen; empty: none."""
    quiet: tuple[int, int] | None = None
    """From which hour of the day until which one nobody reminds them; ``None``: there are no quiet hours."""

    @property
    def reminded_by_message(self) -> bool:
        """Return whether reminders come as direct messages."""
        return self.reminders is Reminding.MESSAGE or (self.reminders is Reminding.TURNS and self.dms)

    def free_from(self, at: float) -> float:
        """Return the first Unix time from ``at`` on at which the person may be pinged."""
        return at if self.quiet is None else QuietHours(self.zone, *self.quiet).free_from(at)


class Status(Enum):
    """How far a table has come."""

    OPEN = "open"
    """People may join."""
    RUNNING = "running"
    """The match is on."""
    OVER = "over"
    """The match has ended; all is revealed."""
    CLOSED = "closed"
    """The table was given up before it began, or expired; or its match was closed without a result."""
    FROZEN = "frozen"
    """The match is stopped: its ruleset is gone or its replay differs."""


class ClosedBy(Enum):
    """Who, or what, has closed a match that was on."""

    SERVER = "server"
    """Who manages its server."""
    AGREED = "agreed"
    """All who still played."""
    IDLE = "idle"
    """Nobody did anything in it for a long time."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a table. ``seat`` is ``None`` until the match begins and the seats are drawn."""

    order: int
    person: Person | None
    """``None``: a computer player."""
    name: str = field(repr=False)
    seat: Seat | None = None
    withdrawn: bool = False
    stand_in: bool = False
    """Whether a computer player keeps the seat until its person comes back."""
    muted: bool = False
    """Whether its person wants no reminders of this match."""
    away: bool = False
    """Whether its person is on holiday, so that the seat's clock stands still."""
    level: Level | None = None
    """How well a computer player thinks; ``None``: a person sits here, or one without levels."""
    join_id: str = ""
    """The interaction of the first *Join* of its person at the start, for the seed; empty: it has none."""

    @property
    def by_computer(self) -> bool:
        """Return whether a computer player decides, for good or for now."""
        return self.person is None or self.stand_in


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A seat that is offered to somebody, once ``agreed``: until then all others are asked."""

    seat: Seat
    person: Person
    agreed: bool


@dataclass(frozen=True, slots=True)
class FormerHolder:
    """Who held a seat until it passed on, at a Unix time."""

    seat: Seat
    person: Person
    at: float


@dataclass(frozen=True, slots=True)
class FirstJoin:
    """The interaction with which a person first sat down at a table: it counts also after they left."""

    person: PersonId
    """Below zero: a mark of somebody who has deleted their data, see ``domain/first_joins``."""
    id: str


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
    """The hash of the house's part of the shuffle. Tables older than parts have their seed's."""
    thread_id: int | None
    rematch_of: str | None = None
    theme: str = DEFAULT_THEME
    """How everything public is painted, the film too: chosen with the table, nobody's own setting."""
    pace: Pace = Pace.NONE
    time_up: TimeUp = TimeUp.PASS
    hints: bool = False
    """Whether the table allows hints though people play: see :attr:`offers_hints`."""
    former: tuple[FormerHolder, ...] = ()
    """Who has held a seat before somebody else took it."""
    start_id: str = ""
    """The interaction of *Start*; empty: there was none, or the table is older than such ids."""

    @property
    def game(self) -> str:
        """Return the key of the game."""
        return self.setup.game

    @property
    def full(self) -> bool:
        """Return whether every chair is taken."""
        return len(self.chairs) >= self.setup.seats

    @property
    def offers_hints(self) -> bool:
        """Return whether players may ask for hints: the table allows it, or one plays among computers."""
        return self.hints or sum(chair.person is not None for chair in self.chairs) == 1

    @property
    def expired(self) -> bool:
        """Return whether the table was closed and can be opened again: whoever sits there still does.

        Nobody joined it for long, or its host has left and nobody could be host in their place.
        """
        people = any(chair.person is not None for chair in self.chairs)
        return self.status is Status.CLOSED and people and not self.begun

    @property
    def hostless(self) -> bool:
        """Return whether the host does not sit at the table."""
        return all(chair.person is None or chair.person.id != self.host.id for chair in self.chairs)

    @property
    def deserted(self) -> bool:
        """Return whether the table was closed because its last player left it."""
        people = any(chair.person is not None for chair in self.chairs)
        return self.status is Status.CLOSED and not people and not self.begun

    @property
    def begun(self) -> bool:
        """Return whether the match has begun, or is over: its seats are drawn."""
        return any(chair.seat is not None for chair in self.chairs)

    @property
    def join_ids(self) -> tuple[str, ...]:
        """Return the ids that the seed is mixed with before that of *Start*, in the order of the chairs."""
        return tuple(chair.join_id for chair in self.chairs if chair.join_id)

    @property
    def is_mixed(self) -> bool:
        """Return whether the seed is mixed from the house's part and ids, or will be."""
        return bool(self.join_ids)

    def seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat that a person holds in the running or ended match."""
        return next((c.seat for c in self.chairs if c.person is not None and c.person.id == person), None)

    def seats_of_people(self) -> frozenset[Seat]:
        """Return the seats that people hold, once the match has begun; whoever has left holds theirs too."""
        seats = (chair.seat for chair in self.chairs if chair.person is not None)
        return frozenset(seat for seat in seats if seat is not None)

    def person_at(self, seat: Seat) -> PersonId | None:
        """Return who plays a seat; ``None``: a computer does, if only for now, or whoever did has left."""
        chair = self.chair_at(seat)
        person = None if chair.by_computer or chair.withdrawn else chair.person
        return None if person is None else person.id

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
class MatchLine:
    """One of a person's matches in a list."""

    table: TableInfo
    seat: Seat | None
    asked: bool
    since: float
    """Unix time: where the person is asked, since when; else that of the last public change."""
    waiting: tuple[Seat, ...] = ()
    """The others whom it waits for, as the public knows; empty where that was not looked up."""
    deadline: float | None = None
    """Unix time until which the person must decide; ``None``: nothing is asked, or there is no clock."""

    @property
    def playing(self) -> bool:
        """Return whether the match is on, and the person still in it."""
        seat = self.seat
        running = self.table.status is Status.RUNNING
        return running and seat is not None and not self.table.chair_at(seat).withdrawn


@dataclass(frozen=True, slots=True)
class TableCount:
    """How many tables there are that are not over, of one person and in one channel."""

    opened: int
    """Open ones that the person has opened."""
    seats: int
    """Open and running ones at which the person sits."""
    waiting: int
    """Open ones in the channel."""
    channel: int
    """Open and running ones in the channel."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored: what everybody may know, and what nobody may."""

    info: TableInfo
    data_hashes: tuple[tuple[str, str], ...]
    opened_at: float
    changed_at: float
    """When the public last learned something; Unix time."""
    started_at: float | None = None
    ended_at: float | None = None
    seed: bytes | None = field(default=None, repr=False)
    part: bytes | None = field(default=None, repr=False)
    """What the house has drawn for the shuffle; ``None``: the table is older than such parts."""
    first_joins: tuple[FirstJoin, ...] = ()
    """Everybody's first *Join* before the match begins, in their order; who has left again has theirs too."""
    invited: tuple[Person, ...] = ()
    asked_since: Mapping[Seat, float] = field(default_factory=dict, repr=False)
    """The seats that are asked, each by its own view, and since when: for lists of matches, without a replay.

    Unix times. That a seat is asked may be its own secret, and so is the time.
    """
    clocks: Mapping[Seat, Clock] = field(default_factory=dict, repr=False)
    """The clocks of the seats that people hold, once the match has begun; none where it has no pace."""
    offer: SeatOffer | None = None
    """A seat that is offered to somebody, or is to be once all agree."""
    restore_id: str = ""
    """The backup that was put back last while the match was on: it keys what is drawn from then on."""
    broken: bool = False
    """The database has it otherwise than anybody wrote it: this is what could be read, and is not written."""

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Return the seats that are asked, each by its own view."""
        return tuple(sorted(self.asked_since))


RequestId: TypeAlias = int | str
"""The id of an interaction: the same one is carried out once."""

TOKEN_LIFE_S = 900.0
"""Seconds for which Discord takes answers to an interaction."""

REQUEST_LIFE_S = 4 * TOKEN_LIFE_S
"""Seconds for which a handled interaction is remembered, by Discord's clock; see docs/adr/0047."""

_DISCORD_EPOCH_S = 1_420_070_400.0


def snowflake_time(snowflake: int) -> float:
    """Return the Unix time at which Discord made an id."""
    return _DISCORD_EPOCH_S + (snowflake >> 22) / 1_000


@dataclass(frozen=True, slots=True)
class HandledRequest:
    """A use case that was carried out for an interaction. ``answer`` is what it was answered."""

    id: str
    table_id: str
    person: PersonId
    act: str
    answer: str = ""

    @property
    def sent_at(self) -> float | None:
        """Return the Unix time of the interaction, by Discord's clock; ``None``: Discord did not send it."""
        return snowflake_time(int(self.id)) if self.id.isdecimal() else None
