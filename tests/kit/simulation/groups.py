"""Units that share a ``COMMIT`` of SQLite, and faults of one of them or of all.

The errors are SQLite's own: an additional statement finds no row, or violates a constraint. So everything
that the unit had changed must really be undone. See ``docs/adr/0008``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bot.store.open_files import CheckedConnection
from bot.store.schema import Statement
from bot.store.writer import Entry
from tests.kit.simulation.database import Site

CONFLICT = Statement("UPDATE match SET version = version WHERE id = ''", [()], found=True)
"""Finds no row, like a change of a table that another unit has changed before."""

BREACH = Statement("INSERT INTO job (match, kind, target, due) VALUES (NULL, NULL, NULL, NULL)", [()])
"""Violates a constraint, which is unexpected."""

FAILURES = (
    ("database is locked", sqlite3.SQLITE_BUSY, "SQLITE_BUSY"),
    ("disk I/O error", sqlite3.SQLITE_IOERR, "SQLITE_IOERR"),
    ("database or disk is full", sqlite3.SQLITE_FULL, "SQLITE_FULL"),
)
"""Errors of a ``COMMIT``. The first leaves the transaction open, the others roll it back."""

CommitGroup = Callable[..., None]


class Groups:
    """The groups of one run."""

    def __init__(self, site: Site) -> None:
        self.is_failing = False
        """Whether faults are injected now."""
        self._plan = site.plan
        self._tally = site.tally
        self._tell = site.tell
        self._committed = site.committed
        self._random = Random(f"groups {site.random.random()}")

    @property
    def may_fail(self) -> bool:
        """Return whether the plan contains faults of units or groups."""
        return self._plan.bad_units + self._plan.bad_commits > 0

    def connection(groups) -> type[CheckedConnection]:  # noqa: N805
        """Return a class of connections whose ``COMMIT`` may fail and is recorded."""

        class Connection(CheckedConnection):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
                if sql != "COMMIT":
                    return super().execute(sql, parameters)
                if (failure := groups._failure()) is not None:
                    if failure.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                        super().execute("ROLLBACK")
                    raise failure
                done = super().execute(sql, parameters)
                groups._committed()
                return done

        return Connection

    def watching(self, commit_group: CommitGroup) -> CommitGroup:
        """Return a ``commit_group`` that counts groups and injects faults."""

        def watched(connection: sqlite3.Connection, group: Sequence[Entry], *more: Any, **given: Any) -> None:
            self._tally["groups"] += 1
            if len(group) > 1:
                self._tally["groups of several"] += 1
                self._befall(group)
            commit_group(connection, group, *more, **given)

        return watched

    def _befall(self, group: Sequence[Entry]) -> None:
        """Let one unit of a group fail at random."""
        if not self.is_failing or self._random.random() >= self._plan.bad_units:
            return
        entry = self._random.choice(group)
        # Units that change nothing shared expect no conflict.
        may_conflict = any(each.unique or each.found for each in entry.statements)
        failure = self._random.choice((CONFLICT, BREACH)) if may_conflict else BREACH
        entry.statements = [*entry.statements, failure]
        self._tally["groups with a failed unit"] += 1
        what = "finds a conflict" if failure is CONFLICT else "breaks a rule"
        self._tell("database", f"a unit of {len(group)} {what}")

    def _failure(self) -> sqlite3.OperationalError | None:
        """Return a random error of a ``COMMIT``; ``None``: it succeeds."""
        if not self.is_failing or self._random.random() >= self._plan.bad_commits:
            return None
        text, code, name = self._random.choice(FAILURES)
        self._tally["failed commits"] += 1
        self._tell("database", f"a COMMIT fails: {text}")
        error = sqlite3.OperationalError(text)
        error.sqlite_errorcode, error.sqlite_errorname = code, name
        return error
