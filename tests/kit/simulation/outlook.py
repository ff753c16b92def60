"""The bot's upcoming events by its database: expiring clocks and due jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kit.simulation.findings import JUDGED_WITHIN

LONGEST = 3_600.0
"""Seconds after which the bot must be idle once people and faults have stopped."""

CALM_FOR = 200.0
"""Seconds without expiring clocks for checking screens and restarting the bot."""

AHEAD_S = 60.0
"""Seconds by which deadlines may be enforced early after the clock was set by less than a minute."""

GRACE_S = 200.0
"""Seconds without leaps after a clock has expired."""

_CLOCKS = "FROM chair JOIN match ON match.id = chair.match WHERE status = 'running' AND stopped_at IS NULL"

_ON_HOLIDAY = "person IN (SELECT person FROM holiday WHERE ended IS NULL)"
_UNSETTLED = (
    "SELECT count(*) FROM chair JOIN match ON match.id = chair.match WHERE status = 'running'"
    f" AND pace IN ('day', 'slow') AND withdrawn = 0 AND (away = 1) <> ({_ON_HOLIDAY})"
)
"""The number of clocks that do not follow a holiday yet."""

_ASKED = "SELECT count(*) FROM chair AS each WHERE each.match = match.id AND asked = 1"
"""The number of pending seats in a match: if both are late, nothing is enforced until one has decided."""


class Outlook:
    """Reads committed data; ``wall`` is the machine's Unix time."""

    def __init__(self, ask: Callable[[str], list[tuple[Any, ...]]], wall: Callable[[], float]) -> None:
        self._ask = ask
        self._wall = wall

    def next_after(self, wall: float) -> float | None:
        """Return the time of the next event; ``None``: now, infinity: never."""
        [(due,)] = self._ask(
            f"SELECT count(*) {_CLOCKS} AND (remind_at <= {wall} OR (deadline <= {wall + AHEAD_S}"
            # Lost time that is not compensated yet delays enforcement.
            f" AND (deadline > {wall - GRACE_S} OR 1 = ({_ASKED})) AND asked = 1 AND overdue = 0))"
        )
        [(unsettled,)] = self._ask(_UNSETTLED)
        if due or unsettled:
            return None
        [(found,)] = self._ask(
            f"SELECT min(at) FROM (SELECT deadline - {AHEAD_S} AS at {_CLOCKS}"
            f" UNION SELECT remind_at {_CLOCKS}"
            " UNION SELECT latest FROM holiday WHERE ended IS NULL UNION SELECT due FROM job"
            f") AS times WHERE at > {wall}"
        )
        return float("inf") if found is None else float(found)

    def is_eventful(self) -> bool:
        """Return whether a clock expires soon, or a job is due."""
        soon = self._wall() + CALM_FOR
        [(told,)] = self._ask(f"SELECT count(*) {_CLOCKS} AND remind_at < {soon}")
        [(ends,)] = self._ask(f"SELECT count(*) FROM holiday WHERE ended IS NULL AND latest < {soon}")
        if told or ends or self.jobs(CALM_FOR):
            return True
        [(count,)] = self._ask(
            f"SELECT count(*) {_CLOCKS} AND asked = 1 AND overdue = 0 AND deadline < {soon}"
            # Long expired clocks are enforced once the other seat has decided.
            f" AND (deadline > {self._wall() - JUDGED_WITHIN} OR 1 = ({_ASKED}))"
        )
        return bool(count)

    def jobs(self, within: float = 0.0) -> list[tuple[Any, ...]]:
        """Return the jobs that are due within so many seconds, and those that the bot is executing."""
        now = self._wall()
        # Scheduled jobs, such as reminders and archiving, are not waited for.
        return self._ask(
            f"SELECT match, kind, target, due, tries, error FROM job WHERE due < {now + within}"
            f" OR (due < {now + LONGEST} AND (tries > 0 OR kind NOT IN ('remind', 'archive', 'expire')))"
        )
