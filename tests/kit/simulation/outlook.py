"""What is about to happen in a house, as its database has it: clocks that run out, and jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kit.simulation.findings import JUDGED_WITHIN

LONGEST = 3_600.0
"""Seconds after which the house must be idle once people and faults have stopped."""

CALM_FOR = 200.0
"""Seconds in which no clock runs out while screens are looked at and the house is restarted."""

AHEAD_S = 60.0
"""Seconds by which clocks may be judged earlier by a clock that was set back by less than a minute."""

GRACE_S = 200.0
"""Seconds for which nothing leaps once a clock has run out."""

_CLOCKS = "FROM chair JOIN match ON match.id = chair.match WHERE status = 'running' AND stopped_at IS NULL"

_ON_HOLIDAY = "person IN (SELECT person FROM holiday WHERE ended IS NULL)"
_UNSETTLED = (
    "SELECT count(*) FROM chair JOIN match ON match.id = chair.match WHERE status = 'running'"
    f" AND pace IN ('day', 'slow') AND withdrawn = 0 AND (away = 1) <> ({_ON_HOLIDAY})"
)
"""How many clocks do not follow a holiday yet."""

_ASKED = "SELECT count(*) FROM chair AS each WHERE each.match = match.id AND asked = 1"
"""How many are asked in a match: where both are late, nobody is judged until one has decided."""


class Outlook:
    """Asks what is committed; ``wall`` is Unix time, as the machine has it."""

    def __init__(self, ask: Callable[[str], list[tuple[Any, ...]]], wall: Callable[[], float]) -> None:
        self._ask = ask
        self._wall = wall

    def next_after(self, wall: float) -> float | None:
        """Return when something has to be done next; ``None``: now, or infinity: never."""
        [(due,)] = self._ask(
            f"SELECT count(*) {_CLOCKS} AND (remind_at <= {wall} OR (deadline <= {wall + AHEAD_S}"
            # What the house has not made up for yet is grace: it judges later by that.
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
        """Return whether a clock runs out soon, or a job is due."""
        soon = self._wall() + CALM_FOR
        [(told,)] = self._ask(f"SELECT count(*) {_CLOCKS} AND remind_at < {soon}")
        [(ends,)] = self._ask(f"SELECT count(*) FROM holiday WHERE ended IS NULL AND latest < {soon}")
        if told or ends or self.jobs(CALM_FOR):
            return True
        [(count,)] = self._ask(
            f"SELECT count(*) {_CLOCKS} AND asked = 1 AND overdue = 0 AND deadline < {soon}"
            # What is long past is judged once the other has decided.
            f" AND (deadline > {self._wall() - JUDGED_WITHIN} OR 1 = ({_ASKED}))"
        )
        return bool(count)

    def jobs(self, within: float = 0.0) -> list[tuple[Any, ...]]:
        """Return the jobs that are due within so many seconds, and others that the house is busy with."""
        now = self._wall()
        # What is due at some hour, such as a reminder or archiving, is not waited for.
        return self._ask(
            f"SELECT match, kind, target, due, tries, error FROM job WHERE due < {now + within}"
            f" OR (due < {now + LONGEST} AND (tries > 0 OR kind NOT IN ('remind', 'archive', 'expire')))"
        )
