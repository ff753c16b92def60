"""A run as seen from outside: presses and responses, logs, outages, messages. Plain data.

All times are true time in seconds, which cannot be set, unless a name says ``wall``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Seat: TypeAlias = int
PersonId: TypeAlias = int
Span: TypeAlias = tuple[float, float]
"""Start and end."""

FOR_EVER = float("inf")

DONE, LOST = "done", "lost"
"""Outcomes of a press: done, or no response. All others are keys of refusals."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation of a rule; ``rule`` names the document that defines it."""

    kind: str
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """A person's request by a button or a command, and the response."""

    at: float
    person: PersonId
    act: str
    match: str = ""
    request: str = ""
    """The interaction's id; empty: the act has none, and may be repeated."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The chosen values."""
    answered_at: float = FOR_EVER
    outcome: str = LOST
    answer: Any = None
    """What it was told, as plain data."""
    wall: float | None = None
    """The Unix time that the house's clock showed at the answer; ``None``: not known."""

    @property
    def done(self) -> bool:
        """Return whether it was acknowledged as done."""
        return self.outcome == DONE


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a match's log."""

    seq: int
    kind: str
    seat: Seat | None
    words: tuple[str, ...]
    request: str
    at: float
    """The time in the row."""
    committed_at: float
    """The time when it was first seen in the database."""
    restore_id: str = ""

    @property
    def pressed(self) -> str:
        """Return the id of the interaction that caused the row; for the bot's own acts, any text."""
        head, _, rest = self.request.partition(":")
        return rest.partition(":")[0] if rest else head


@dataclass(frozen=True, slots=True)
class ClockShown:
    """A clock in the database at some moment. Spans are seconds from that moment on."""

    at: float
    seat: Seat
    reserve_s: float
    until_s: float | None
    deadline_s: float | None
    """Like :attr:`until_s`, negative once it is past; both ``None``: no clock is shown."""
    stopped: bool


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A started match: its setup and its log."""

    id: str
    game: str
    ruleset: str
    seats: int
    options: tuple[tuple[str, str], ...]
    seed: bytes = field(repr=False)
    pace: str
    guild: int
    begun_at: float
    holders: Mapping[Seat, PersonId | None]
    """The holder of each seat at the start; ``None``: a computer player."""
    rows: tuple[Row, ...]
    clocks: tuple[ClockShown, ...] = ()


@dataclass(frozen=True, slots=True)
class Holiday:
    """A person's holiday."""

    person: PersonId
    begun: float
    ended: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """A person's settings from a time on."""

    at: float
    person: PersonId
    direct_messages: bool = False
    reminders: str = "turns"
    zone: str = ""
    quiet: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A posted message, and the people that it notified."""

    at: float
    match: str
    kind: str
    people: frozenset[PersonId]
    private: bool
    late: bool = False
    """Whether its sender had died, or given up, when it arrived."""
    wall: float | None = None
    """The Unix time by the machine's clock; ``None``: unknown."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A message's state at a moment at which the bot was idle."""

    at: float
    wall: float
    match: str
    kind: str
    person: PersonId | None
    """The recipient of a direct message; ``None``: it is in a channel."""
    text: str
    alts: tuple[str, ...]
    custom_ids: tuple[str, ...]
    late: bool

    @property
    def live(self) -> bool:
        """Return whether it has buttons."""
        return bool(self.custom_ids)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole run."""

    matches: tuple[MatchRecord, ...]
    presses: tuple[Press, ...]
    outages: tuple[Span, ...] = ()
    """The outages of processes, Discord or the database, when nobody could decide."""
    troubles: tuple[Span, ...] = ()
    """The times of slow or failed requests to Discord, when no deadline is enforced."""
    slow_writes: tuple[Span, ...] = ()
    """The times when writes to the database took too long."""
    leaps: tuple[Span, ...] = ()
    """The leaps of time, like a sandbox's, during which no clock could be checked."""
    kills: tuple[float, ...] = ()
    """The times when a process was killed."""
    clock_sets: tuple[float, ...] = ()
    """The times when the machine's clock was set."""
    holidays: tuple[Holiday, ...] = ()
    absences: Mapping[PersonId, tuple[Span, ...]] = field(default_factory=dict)
    """The times when a person could not play: had left the server, or was not allowed to write there."""
    kept: Mapping[tuple[str, PersonId, str], Any] = field(default_factory=dict)
    """The settings at the end, by kind, person and match (empty: for all matches)."""
    tables: Mapping[str, int] = field(default_factory=dict)
    """All tables, with their number of computer players."""
    chosen: tuple[Chosen, ...] = ()
    """In the order of time."""
    mutes: tuple[tuple[str, PersonId, Span], ...] = ()
    """By match and person: the times when its reminders were off."""
    posts: tuple[Post, ...] = ()
    screens: tuple[Screen, ...] = ()
    names: Mapping[str, Mapping[Seat, str]] = field(default_factory=dict)
    """By match and seat: the players' names."""
    called: Mapping[tuple[str, PersonId], str] = field(default_factory=dict)
    """By match and person: what they are called, and were, if they gave their seat away."""
    threads: Mapping[int, str] = field(default_factory=dict)
    """By the ids of threads, earlier ones too: their matches."""
    deleted: frozenset[tuple[str, str]] = frozenset()
    """By match and kind: deletions by moderators."""
    closed_dms: frozenset[PersonId] = frozenset()
    """The people who refuse direct messages."""
    begun_at: float = 0.0
    ended_at: float = 0.0
    """The span that is covered. The presses of earlier rows are unknown."""
    is_settled: bool = False
    """Whether nothing was left to send at the end, so that missing messages are findings."""
    has_digests: bool = True
    """Whether alt texts contain digests of pictures; real ones do not."""

    def is_away(self, person: PersonId, since: float, until: float) -> bool:
        """Return whether a person could not play at some time of a span."""
        return any(begun <= until and ended >= since for begun, ended in self.absences.get(person, ()))

    def muted(self, match: str, person: PersonId, since: float, until: float) -> bool:
        """Return whether a person had muted a match at some time of a span."""
        spans = (span for each, who, span in self.mutes if (each, who) == (match, person))
        return any(begun <= until and ended >= since for begun, ended in spans)

    def by_request(self) -> dict[str, Press]:
        """Return the presses by interaction id; of repeated ones, the first."""
        found: dict[str, Press] = {}
        for press in self.presses:
            if press.request:
                found.setdefault(press.request, press)
        return found
