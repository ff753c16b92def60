"""What somebody outside has seen of a run: presses and answers, logs, outages, messages. Plain data.

All times are true time in seconds, which nobody can set, unless a name says ``wall``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Seat: TypeAlias = int
PersonId: TypeAlias = int
Span: TypeAlias = tuple[float, float]
"""From when until when."""

FOR_EVER = float("inf")

DONE, LOST = "done", "lost"
"""What became of a press: it was done, or nothing was answered. Anything else is the key of a refusal."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What must not be. ``rule`` says where it stands that it must not."""

    kind: str
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """Something that a person asked the house to do, by a button or a command, and what they were told."""

    at: float
    person: PersonId
    act: str
    match: str = ""
    request: str = ""
    """The interaction's id; empty: the act has none, and may be repeated."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What was chosen with it."""
    answered_at: float = FOR_EVER
    outcome: str = LOST
    answer: Any = None
    """What it was told, as plain data."""
    wall: float | None = None
    """The Unix time that the house's clock showed at the answer; ``None``: not known."""

    @property
    def done(self) -> bool:
        """Return whether the house has said that it is done."""
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
    """The time that the row itself gives."""
    committed_at: float
    """When it was first seen in the database."""
    restore_id: str = ""

    @property
    def pressed(self) -> str:
        """Return the id of the interaction that has led to the row; of the house's own acts, any text."""
        head, _, rest = self.request.partition(":")
        return rest.partition(":")[0] if rest else head


@dataclass(frozen=True, slots=True)
class ClockShown:
    """A clock as the database has it at some moment. Spans are seconds from that moment on."""

    at: float
    seat: Seat
    reserve_s: float
    until_s: float | None
    deadline_s: float | None
    """As :attr:`until_s`, negative once it is past; both ``None``: no clock is shown."""
    stopped: bool


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that has begun: what it began with, and its log."""

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
    """Who held each seat when it began; ``None``: a computer player."""
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
    """What somebody had chosen from a time on."""

    at: float
    person: PersonId
    direct_messages: bool = False
    reminders: str = "turns"
    zone: str = ""
    quiet: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A message that was posted, and whom it has notified."""

    at: float
    match: str
    kind: str
    people: frozenset[PersonId]
    private: bool
    late: bool = False
    """Whoever has sent it had died, or given up, when it arrived."""
    wall: float | None = None
    """The Unix time that the machine's clock showed; ``None``: not known."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A message as it stood at some moment at which the house had nothing left to do."""

    at: float
    wall: float
    match: str
    kind: str
    person: PersonId | None
    """Whose direct message it is; ``None``: it stands in a channel."""
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
    """When nobody could decide, since no process, Discord or database answered."""
    troubles: tuple[Span, ...] = ()
    """When a request to Discord was not answered at once, or not well: nobody is judged meanwhile."""
    slow_writes: tuple[Span, ...] = ()
    """When the database took too long for what it was given to write."""
    leaps: tuple[Span, ...] = ()
    """When time leapt ahead, as a sandbox's does: nobody could look at a clock in between."""
    kills: tuple[float, ...] = ()
    """When a process died without warning."""
    clock_sets: tuple[float, ...] = ()
    """When the machine's clock was set."""
    holidays: tuple[Holiday, ...] = ()
    absences: Mapping[PersonId, tuple[Span, ...]] = field(default_factory=dict)
    """When somebody could not play: had left the server, or may not write there."""
    kept: Mapping[tuple[str, PersonId, str], Any] = field(default_factory=dict)
    """By what is chosen, person and match (empty where it is for all): what is kept in the end."""
    tables: Mapping[str, int] = field(default_factory=dict)
    """Every table that there is, and how many computer players sit there."""
    chosen: tuple[Chosen, ...] = ()
    """In the order of time."""
    mutes: tuple[tuple[str, PersonId, Span], ...] = ()
    """By match and person: when reminders of one match were off."""
    posts: tuple[Post, ...] = ()
    screens: tuple[Screen, ...] = ()
    names: Mapping[str, Mapping[Seat, str]] = field(default_factory=dict)
    """By match and seat: what players are called."""
    called: Mapping[tuple[str, PersonId], str] = field(default_factory=dict)
    """By match and person: what they are called, and were, if they gave their seat away."""
    threads: Mapping[int, str] = field(default_factory=dict)
    """By the ids of threads, earlier ones too: their matches."""
    deleted: frozenset[tuple[str, str]] = frozenset()
    """By match and kind: what moderators have deleted."""
    closed_dms: frozenset[PersonId] = frozenset()
    """Who takes no direct messages."""
    begun_at: float = 0.0
    ended_at: float = 0.0
    """From when until when all of this is known. What rows before it were pressed for is not known."""
    is_settled: bool = False
    """Whether nothing was left to be sent when it ended, so that what should have come has come."""
    has_digests: bool = True
    """Whether pictures name digests of what they show; real ones do not."""

    def is_away(self, person: PersonId, since: float, until: float) -> bool:
        """Return whether somebody could not play at some time of a span."""
        return any(begun <= until and ended >= since for begun, ended in self.absences.get(person, ()))

    def muted(self, match: str, person: PersonId, since: float, until: float) -> bool:
        """Return whether somebody had muted a match at some time of a span."""
        spans = (span for each, who, span in self.mutes if (each, who) == (match, person))
        return any(begun <= until and ended >= since for begun, ended in spans)

    def by_request(self) -> dict[str, Press]:
        """Return the presses by the ids of their interactions; of a repeated one, the first."""
        found: dict[str, Press] = {}
        for press in self.presses:
            if press.request:
                found.setdefault(press.request, press)
        return found
