"""The true history of a run, by true time, which cannot be set and which outages do not stop.

The ledger reads the database after every commit, and every posted message. Audits use it, so that they do
not rely on what the bot says about time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from bot.domain.clocks import Reminding
from bot.domain.jobs import Call
from bot.domain.tables import Preferences
from tests.kit.simulation.messages import Channel, Message

SHORT = 60.0
"""Seconds from which the bot compensates an outage."""

PERHAPS = 10.0
"""Seconds from which it may do so: it counts as absent since its last heartbeat."""

Span: TypeAlias = tuple[float, float]

FOR_EVER = float("inf")


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which people of a shard could not play, through no fault of theirs; in true time."""

    cause: str
    """``house``: no process serves the shard. ``frozen``: the process stands still. ``gateway``: it is not
    connected. ``rest``: Discord's API fails it, by the rule of :mod:`~tests.kit.simulation.rest_outages`."""
    shard: int
    begun: float
    ended: float
    """Infinity: it continues."""


@dataclass(frozen=True, slots=True)
class Post:
    """A posted message, and the people that it notified."""

    message: Message
    at: float
    """True time."""
    wall: float
    people: frozenset[int]
    call: Call | None
    """Of a reminder: its call, if the job still existed."""
    is_turn: bool = False
    """Whether it is a call after quiet hours instead of a reminder."""


class Committed(Protocol):
    """What the ledger needs of a database."""

    def ask(self, sql: str) -> list[tuple[Any, ...]]: ...

    def version(self) -> object: ...


class Ledger:
    """Records what happens. ``now`` is true time."""

    def __init__(
        self,
        now: Callable[[], float],
        wall: Callable[[], float],
        committed: Committed,
    ) -> None:
        self.now = now
        self._wall = wall
        self._ask, self._current_version = committed.ask, committed.version
        self._out: dict[tuple[str, int], float] = {}
        """By cause and shard: the start of a current outage."""
        self._over: list[Outage] = []
        self.house_is_gone()
        self.sets: list[float] = []
        """The times when the machine's clock was set."""
        self._ahead: list[tuple[float, float]] = [(now(), wall() - now())]
        """By true time: by how many seconds wall time has been ahead since then."""
        self.rows: dict[tuple[str, int], float] = {}
        """The commit times of log rows, by match and number."""
        self.begun: dict[str, float] = {}
        """The start times of matches."""
        self._holidays: dict[int, list[list[float]]] = {}
        self._chosen: dict[int, list[tuple[float, Preferences]]] = {}
        self._muted: dict[tuple[str, int], list[tuple[float, bool]]] = {}
        self._version: object = None
        self.posts: list[Post] = []
        self.turn_calls: set[tuple[str, str]] = set()
        """By match and target: calls after quiet hours."""

    # --- recording --------------------------------------------------------------------------------

    def house_serves(self, shard: int = 0) -> None:
        """Note that a process serves a shard."""
        self.is_back("house", shard)

    def house_is_gone(self, shard: int = 0) -> None:
        """Note that no process serves a shard any more."""
        self.is_out("house", shard)

    def is_out(self, cause: str, shard: int) -> None:
        """Note the start of an outage of a shard: see :class:`Outage`."""
        self._out.setdefault((cause, shard), self.now())

    def is_back(self, cause: str, shard: int) -> None:
        """Note its end."""
        begun = self._out.pop((cause, shard), None)
        if begun is not None:
            self.was_out(cause, shard, begun, self.now())

    def was_out(self, cause: str, shard: int, begun: float, ended: float) -> None:
        """Note an outage that has ended."""
        self._over.append(Outage(cause, shard, begun, ended))

    def clock_is_set(self) -> None:
        """Note that the machine's clock was set."""
        self.sets.append(self.now())
        self._ahead.append((self.now(), self._wall() - self.now()))

    def committed(self) -> None:
        """Read the database if it has changed."""
        version = self._current_version()
        if version == self._version:
            return
        self._version, now = version, self.now()
        for match, last in self._ask("SELECT match, max(seq) FROM log GROUP BY match"):
            for seq in range(last, 0, -1):
                if (match, seq) in self.rows:
                    break
                self.rows[match, seq] = now
        for (match,) in self._ask("SELECT id FROM match WHERE commitment <> ''"):
            self.begun.setdefault(match, now)
        self._note_holidays(now)
        for person, dms, reminders, zone, begin, end in self._ask(
            "SELECT id, dms, reminders, zone, quiet_from, quiet_until FROM person"
        ):
            quiet = None if begin is None or end is None else (begin, end)
            found = Preferences(dms=bool(dms), reminders=Reminding(reminders), zone=zone, quiet=quiet)
            _note(self._chosen.setdefault(person, []), now, found)
        for match, person, muted in self._ask("SELECT match, person, muted FROM chair WHERE person > 0"):
            if muted or (match, person) in self._muted:
                _note(self._muted.setdefault((match, person), []), now, bool(muted))

    def _note_holidays(self, now: float) -> None:
        away = {person for (person,) in self._ask("SELECT person FROM holiday WHERE ended IS NULL")}
        for person in away:
            spans = self._holidays.setdefault(person, [])
            if not spans or spans[-1][1] < FOR_EVER:
                spans.append([now, FOR_EVER])
        for person, spans in self._holidays.items():
            if person not in away:
                spans[-1][1] = min(spans[-1][1], now)

    def posted(self, message: Message, place: Channel) -> None:
        """Note a posted message."""
        call = self._call_of(message) if message.kind == "reminder" else None
        people = message.pinged if place.person is None else frozenset({place.person})
        is_turn = call is not None and (message.match, call.target) in self.turn_calls
        self.posts.append(Post(message, self.now(), self._wall(), people, call, is_turn))

    def _call_of(self, message: Message) -> Call | None:
        jobs = self._ask(f"SELECT target FROM job WHERE kind = 'remind' AND match = '{message.match}'")
        calls = (Call.parse(target) for (target,) in jobs)
        return next((call for call in calls if call.number == message.number), None)

    # --- queries of audits ------------------------------------------------------------------------

    def all_outages(self) -> list[Outage]:
        """Return all outages of all shards, including current ones."""
        return self._over + [Outage(*what, begun, FOR_EVER) for what, begun in self._out.items()]

    def outages(self, shortest: float = SHORT, shard: int = 0) -> list[Span]:
        """Return the times that the bot compensates to the people of a shard."""
        return [
            (each.begun, each.ended)
            for each in self._over
            if each.shard == shard and each.ended - each.begun >= shortest
        ]

    def holidays(self, people: Iterable[int]) -> list[Span]:
        """Return the holidays of some people."""
        return [(begun, ended) for each in people for begun, ended in self._holidays.get(each, [])]

    def true_time(self, wall: float, until: float) -> float:
        """Return the last true time up to ``until`` at which the machine's clock showed ``wall``."""
        found = until
        for place, (since, ahead) in reversed(list(enumerate(self._ahead))):
            end = self._ahead[place + 1][0] if place + 1 < len(self._ahead) else FOR_EVER
            # Sums of large times are exact to about a microsecond.
            if since <= (found := wall - ahead) <= min(end, until) + 1e-3:
                return min(found, until)
        return found

    def chosen(self, person: int, since: float, until: float) -> list[Preferences]:
        """Return all settings that a person had at some time of a span."""
        return _between(self._chosen.get(person, []), since, until) or [Preferences()]

    def all_chosen(self) -> list[tuple[float, int, Preferences]]:
        """Return all settings in the order of time: start, person, and settings."""
        noted = [(at, person, each) for person, chosen in self._chosen.items() for at, each in chosen]
        return sorted(noted, key=lambda each: each[:2])

    def mutes(self) -> list[tuple[str, int, Span]]:
        """Return who muted which match, and when."""
        return [
            (match, person, (at, end))
            for (match, person), noted in self._muted.items()
            for (at, muted), end in zip(noted, [*(at for at, _ in noted[1:]), FOR_EVER], strict=True)
            if muted
        ]

    def muted(self, match: str, person: int, since: float, until: float) -> bool:
        """Return whether a person had muted a match for all of a span."""
        noted = self._muted.get((match, person), [])
        return any(at <= since for at, _ in noted) and all(_between(noted, since, until))


def _note(noted: list[tuple[float, Any]], now: float, value: Any) -> None:
    if not noted or noted[-1][1] != value:
        noted.append((now, value))


def _between(noted: list[tuple[float, Any]], since: float, until: float) -> list[Any]:
    ends = [*(at for at, _ in noted[1:]), FOR_EVER]
    return [value for (at, value), end in zip(noted, ends, strict=False) if at <= until and end >= since]


def length(spans: Iterable[Span], since: float, until: float) -> float:
    """Return the total seconds between two times that the spans cover."""
    covered, reached = 0.0, since
    for span_begun, span_ended in sorted(spans):
        begun, ended = max(span_begun, reached), min(span_ended, until)
        if ended > begun:
            covered, reached = covered + ended - begun, ended
    return covered
