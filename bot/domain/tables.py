"""People, tables and their state, and the rules of servers."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from bot.domain.clocks import Clock, Pace, QuietHours, Reminding, TimeUp
from engines.core.contract import Seat, Setup
from engines.core.languages import language_of
from engines.core.optional_methods import Level

PersonId: TypeAlias = int
"""A Discord user id."""

STAND_IN_LEVEL = Level.MIDDLE
"""Level of a computer player that stands in for a person."""

DEFAULT_THEME = "default"
"""The picture theme that every painter supports."""


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user, with the name shown to others."""

    id: PersonId
    name: str = field(repr=False)


PSEUDONYM = ""
"""The stored name of a person who has deleted their data; ``domain/names`` has what is shown."""

_LAST_NUMBER = re.compile(r"(?<![^ ])[0-9]{1,4}$")

MOST_CHAIRS = 1 << 16
"""Upper bound of chair numbers, and lower than any account's id."""


def is_former(person: PersonId) -> bool:
    """Return whether this is the pseudonym of a person who deleted their data: a chair number, from 1."""
    return person < MOST_CHAIRS


Who: TypeAlias = Person | PersonId
"""A person or their id, as use cases accept either."""


def person_id(who: Who) -> PersonId:
    """Return the id of a person given as object or id."""
    return who.id if isinstance(who, Person) else who


@dataclass(frozen=True, slots=True)
class Place:
    """The place where a table was opened."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's settings."""

    dms: bool = False
    """Whether turns are announced by direct message too."""
    language: str = ""
    """The language that the person chose; empty: Discord's."""
    locale: str = ""
    """The person's locale at Discord at their last interaction; empty: unknown."""
    theme: str = DEFAULT_THEME
    """Theme of the pictures that only this person sees."""
    always_confirm: bool = True
    """Whether every sentence needs *Confirm*; else only those that the last choice does not complete."""
    reminders: Reminding = Reminding.TURNS
    zone: str = ""
    """The person's time zone; empty: none chosen."""
    quiet: tuple[int, int] | None = None
    """Begin and end of the quiet hours, as hours of the day; ``None``: no quiet hours."""

    @property
    def spoken(self) -> str:
        """Return the language in which the person is written to."""
        return self.language or language_of(self.locale)

    @property
    def reminded_by_message(self) -> bool:
        """Return whether reminders are sent as direct messages."""
        return self.reminders is Reminding.MESSAGE or (self.reminders is Reminding.TURNS and self.dms)

    def free_from(self, at: float) -> float:
        """Return the first Unix time from ``at`` on at which the person may be pinged."""
        return at if self.quiet is None else QuietHours(self.zone, *self.quiet).free_from(at)


class Status(Enum):
    """The state of a table."""

    OPEN = "open"
    """People may join."""
    RUNNING = "running"
    """The match is being played."""
    OVER = "over"
    """The match has ended; everything is revealed."""
    CLOSED = "closed"
    """The table was given up before it began, or expired; or its match was closed without a result."""
    FROZEN = "frozen"
    """The match is stopped: its ruleset is missing, its replay differs, or its records are broken."""


class ClosedBy(Enum):
    """Who or what closed a running match."""

    SERVER = "server"
    """A manager of its server."""
    AGREED = "agreed"
    """All remaining players, by agreement."""
    IDLE = "idle"
    """Nobody acted in it for a long time."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A player at a table. ``seat`` is ``None`` until the match begins and the seats are drawn."""

    order: int
    person: Person | None
    """``None``: a computer player."""
    name: str = field(repr=False)
    """A person's name, or a computer player's number."""
    seat: Seat | None = None
    withdrawn: bool = False
    stand_in: bool = False
    """Whether a computer player has taken over the seat until its person returns."""
    muted: bool = False
    """Whether the person has muted reminders of this match."""
    away: bool = False
    """Whether the person is on holiday, so that the seat's clock is stopped."""
    level: Level | None = None
    """The computer player's level; ``None``: a person, or a computer player without levels."""
    join_id: str = ""
    """The interaction id of the person's first *Join*, set at the start for the seed; empty: none."""

    @property
    def computer_number(self) -> int:
        """Return a computer player's number, from 1; earlier versions stored an English name before it."""
        digits = _LAST_NUMBER.search(self.name)
        return int(digits[0]) if digits is not None else 1

    @property
    def by_computer(self) -> bool:
        """Return whether a computer player decides, permanently or as a stand-in."""
        return self.person is None or self.stand_in


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A seat to be offered to a person; the offer is made once all others have ``agreed``."""

    seat: Seat
    person: Person
    agreed: bool


@dataclass(frozen=True, slots=True)
class FormerHolder:
    """A person who held a seat until a Unix time."""

    seat: Seat
    person: Person
    at: float


@dataclass(frozen=True, slots=True)
class FirstJoin:
    """The interaction with which a person first joined a table; kept after they leave."""

    person: PersonId
    """Negative: the mark of a person who deleted their data, see ``domain/first_joins``."""
    id: str


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The public data of a table."""

    id: str
    """Short and opaque, letters and digits: part of custom ids."""
    setup: Setup
    """``setup.seats`` is the number of chairs to fill."""
    host: Person
    place: Place
    status: Status
    chairs: tuple[Chair, ...]
    commitment: str
    """The hash of the bot's part of the shuffle; of the seed, in tables that predate parts."""
    thread_id: int | None
    rematch_of: str | None = None
    theme: str = DEFAULT_THEME
    """Theme of all public pictures and the film, chosen with the table."""
    pace: Pace = Pace.NONE
    time_up: TimeUp = TimeUp.PASS
    hints: bool = False
    """Whether hints are allowed even with several people: see :attr:`offers_hints`."""
    former: tuple[FormerHolder, ...] = ()
    """Former holders of seats."""
    start_id: str = ""
    """The interaction id of *Start*; empty: none yet, or the table predates these ids."""

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
        """Return whether hints are available: the table allows them, or only one person plays."""
        return self.hints or sum(chair.person is not None for chair in self.chairs) == 1

    @property
    def expired(self) -> bool:
        """Return whether the table was closed but can be reopened: its people still sit there.

        Either nobody joined it for long, or its host left and nobody could become host.
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
        """Return whether the match has begun, and perhaps ended: its seats are drawn."""
        return any(chair.seat is not None for chair in self.chairs)

    @property
    def join_ids(self) -> tuple[str, ...]:
        """Return the *Join* ids that are mixed into the seed before *Start*'s, in order of the chairs."""
        return tuple(chair.join_id for chair in self.chairs if chair.join_id)

    @property
    def is_mixed(self) -> bool:
        """Return whether the seed is, or will be, mixed from the bot's part and ids."""
        return bool(self.join_ids)

    def seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat that a person holds in the running or ended match."""
        return next((c.seat for c in self.chairs if c.person is not None and c.person.id == person), None)

    def seats_of_people(self) -> frozenset[Seat]:
        """Return the seats of people, including withdrawn ones, once the match has begun."""
        seats = (chair.seat for chair in self.chairs if chair.person is not None)
        return frozenset(seat for seat in seats if seat is not None)

    def person_at(self, seat: Seat) -> PersonId | None:
        """Return the person who plays a seat; ``None``: a computer player does, or they have withdrawn."""
        chair = self.chair_at(seat)
        person = None if chair.by_computer or chair.withdrawn else chair.person
        return None if person is None else person.id

    def chair_at(self, seat: Seat) -> Chair:
        """Return the chair of a seat; raises ``KeyError``."""
        for chair in self.chairs:
            if chair.seat == seat:
                return chair
        raise KeyError(seat)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One of a person's matches in a list."""

    table: TableInfo
    seat: Seat | None
    asked: bool
    since: float
    """Unix time: since when the person is asked; else of the last public change."""
    waiting: tuple[Seat, ...] = ()
    """Other seats that the match publicly waits for; empty if not looked up."""
    deadline: float | None = None
    """Unix time by which the person must decide; ``None``: not asked, or no clock."""

    @property
    def playing(self) -> bool:
        """Return whether the match is running and the person still plays."""
        seat = self.seat
        running = self.table.status is Status.RUNNING
        return running and seat is not None and not self.table.chair_at(seat).withdrawn


@dataclass(frozen=True, slots=True)
class TableCount:
    """Numbers of open and running tables of a person and in a channel."""

    opened: int
    """Open tables hosted by the person."""
    seats: int
    """Open and running tables at which the person sits."""
    waiting: int
    """Open tables in the channel."""
    channel: int
    """Open and running tables in the channel."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as stored: public data and secrets."""

    info: TableInfo
    data_hashes: tuple[tuple[str, str], ...]
    opened_at: float
    changed_at: float
    """Unix time of the last public change."""
    started_at: float | None = None
    ended_at: float | None = None
    seed: bytes | None = field(default=None, repr=False)
    part: bytes | None = field(default=None, repr=False)
    """The bot's random part of the shuffle; ``None``: the table predates parts."""
    first_joins: tuple[FirstJoin, ...] = ()
    """All first *Joins* before the match, in order, including those of people who left."""
    invited: tuple[Person, ...] = ()
    asked_since: Mapping[Seat, float] = field(default_factory=dict, repr=False)
    """Pending seats by their own views, and since when (Unix times): for lists of matches, without a replay.

    Whether a seat is pending may be secret to the seat, and so is the time.
    """
    clocks: Mapping[Seat, Clock] = field(default_factory=dict, repr=False)
    """Clocks of people's seats, once the match has begun; empty for :attr:`Pace.NONE`."""
    offer: SeatOffer | None = None
    """The pending offer of a seat, made or still to be agreed on."""
    restore_id: str = ""
    """The id of the last restore during the match, which keys all later random draws."""
    broken: bool = False
    """The stored rows are broken: this holds what could be read, and must not be saved."""

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Return the pending seats, by their own views."""
        return tuple(sorted(self.asked_since))


RequestId: TypeAlias = int | str
"""The id of an interaction, which is handled only once."""

TOKEN_LIFE_S = 900.0
"""Seconds for which Discord accepts answers to an interaction."""

REQUEST_LIFE_S = 4 * TOKEN_LIFE_S
"""Seconds for which a handled interaction is remembered, by Discord's clock; see docs/adr/0047."""

_DISCORD_EPOCH_S = 1_420_070_400.0


def snowflake_time(snowflake: int) -> float:
    """Return the Unix time at which Discord made an id."""
    return _DISCORD_EPOCH_S + (snowflake >> 22) / 1_000


@dataclass(frozen=True, slots=True)
class HandledRequest:
    """A handled interaction. ``answer`` is what it was answered."""

    id: str
    table_id: str
    person: PersonId
    act: str
    answer: str = ""

    @property
    def sent_at(self) -> float | None:
        """Return the Unix time of the interaction, by Discord's clock; ``None``: not from Discord."""
        return snowflake_time(int(self.id)) if self.id.isdecimal() else None


THREADS_PER_DAY = 40
"""Default maximum of threads that one member may start per day: no player needs more."""


class Opening(Enum):
    """The people who can open tables."""

    EVERYBODY = "everybody"
    ROLES = "roles"
    """Members with one of some roles."""
    MANAGERS = "managers"
    """Managers of the server, who always may."""


@dataclass(frozen=True, slots=True)
class ServerRules:
    """The rules of one server; the defaults allow everything."""

    opening: Opening = Opening.EVERYBODY
    roles: tuple[int, ...] = ()
    """Roles whose members may open tables, with :attr:`Opening.ROLES`."""
    channels: tuple[int, ...] = ()
    """Channels that allow tables; empty: every text channel."""
    most: int | None = None
    """Maximum open and running tables; ``None``: the bot's own limit."""
    paces: tuple[Pace, ...] = tuple(Pace)
    """Paces that tables may have; at least one."""
    pace: Pace = Pace.NONE
    """The default pace of tables; one of :attr:`paces`."""
    threads_per_day: int | None = None
    """Maximum threads that one member may start per day; ``None``: :data:`THREADS_PER_DAY`."""
    language: str = ""
    """The language of public messages; empty: Discord's."""
    locale: str = ""
    """The server's locale at Discord at the last interaction there; empty: unknown."""

    @property
    def spoken(self) -> str:
        """Return the language of public messages."""
        return self.language or language_of(self.locale)

    def with_paces(self, paces: Collection[Pace]) -> ServerRules:
        """Return the rules with other paces, in their usual order; raises ``ValueError`` for none."""
        allowed = tuple(pace for pace in Pace if pace in paces)
        if not allowed:
            raise ValueError("no pace is allowed")
        return replace(self, paces=allowed, pace=self.pace if self.pace in allowed else allowed[0])


@dataclass(frozen=True, slots=True)
class Opener:
    """Discord's data about a member who wants to open a table."""

    roles: frozenset[int]
    manages: bool
    """Whether they manage the server."""


MEMBER = Opener(frozenset(), manages=False)
"""A member without any role."""


_MARK_BYTES = 7
"""Bytes of a mark: the databases' integers have eight, including the sign bit."""


def mark_of_join(part: bytes, person: PersonId) -> int:
    """Return the number that replaces a deleted person's id at their first *Join* at an open table.

    It is negative, unlike Discord ids. Its key is the bot's part of the shuffle, which stays secret until the
    match is over; the mark is deleted as soon as the match begins or the table closes.
    """
    digest = hmac.digest(part, f"first join of {person}".encode(), hashlib.sha256)
    return -1 - int.from_bytes(digest[:_MARK_BYTES])


def first_join_of(row: TableRow, person: PersonId) -> FirstJoin | None:
    """Return a person's first *Join* at a table, if they had one."""
    known = {person} if row.part is None else {person, mark_of_join(row.part, person)}
    return next((each for each in row.first_joins if each.person in known), None)


def has_marks(joins: Iterable[FirstJoin]) -> bool:
    """Return whether any of these belongs to a person who has deleted their data."""
    return any(each.person < 0 for each in joins)


def without_marks(joins: Iterable[FirstJoin]) -> tuple[FirstJoin, ...]:
    """Return the *Joins* of people who have not deleted their data."""
    return tuple(each for each in joins if each.person >= 0)


def joined_first(row: TableRow, person: Person, request: str) -> tuple[tuple[FirstJoin, ...], str]:
    """Return all first *Joins* after a person joins, and their own id; empty at a table without a part."""
    if row.part is None:
        return row.first_joins, ""
    known, joins = first_join_of(row, person.id), row.first_joins
    if known is None:
        return (*joins, FirstJoin(person.id, request)), request
    # A person who returns after a deletion gets their id back in place of the mark.
    named = replace(known, person=person.id)
    return tuple(named if each is known else each for each in joins), known.id
