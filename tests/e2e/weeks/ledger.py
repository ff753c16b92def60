"""What the bot's database says of clocks, read from beside it: the truth that screens are compared with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from bot.clocks.outages import SERVED
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from bot.store.checks import open_read_only
from bot.store.sqlite_units import SqliteReader
from engines.core.registry import game


@dataclass(frozen=True, slots=True)
class ClockNow:
    """A seat's clock at one moment; Unix times."""

    match: str
    seat: int
    person: str
    until: float
    deadline: float
    reminded: int
    stopped: bool
    overdue: bool


class Ledger:
    """Reads the database of a bot that may be writing it."""

    def __init__(self, database: Path) -> None:
        self._database = database

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(open_read_only(self._database)) as connection:
            yield connection

    def clocks(self) -> list[ClockNow]:
        """Return the clocks of all seats that decide in matches that are on."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT match, seat, person, until, deadline, reminded, stopped_at IS NOT NULL, overdue"
                " FROM chair JOIN match ON match.id = chair.match"
                " WHERE status = 'running' AND deadline IS NOT NULL AND person IS NOT NULL AND stand_in = 0"
            ).fetchall()
        return [ClockNow(m, s, str(p), u, d, r, bool(st), bool(o)) for m, s, p, u, d, r, st, o in rows]

    def next_event(self, now: float) -> float | None:
        """Return when the next deadline or reminder after ``now`` is due."""
        with self._open() as connection:
            [(deadline,)] = connection.execute(
                "SELECT min(deadline) FROM chair WHERE deadline > ? AND asked = 1 AND stopped_at IS NULL"
                " AND overdue = 0 AND withdrawn = 0",
                (now,),
            )
            [(reminder,)] = connection.execute(
                "SELECT min(remind_at) FROM chair WHERE remind_at > ? AND stopped_at IS NULL", (now,)
            )
        return min((at for at in (deadline, reminder) if at is not None), default=None)

    def is_idle(self, now: float) -> bool:
        """Return whether nothing is left that the bot has to show or to decide."""
        with self._open() as connection:
            [(jobs,)] = connection.execute("SELECT count(*) FROM job WHERE due <= ?", (now,))
            [(late,)] = connection.execute(
                "SELECT count(*) FROM chair JOIN match ON match.id = chair.match WHERE status = 'running'"
                " AND deadline <= ? AND asked = 1 AND stopped_at IS NULL AND overdue = 0 AND withdrawn = 0",
                (now,),
            )
            [(due,)] = connection.execute(
                "SELECT count(*) FROM chair JOIN match ON match.id = chair.match WHERE status = 'running'"
                " AND remind_at <= ? AND stopped_at IS NULL AND withdrawn = 0 AND stand_in = 0",
                (now,),
            )
        return not (jobs or late or due)

    def served_until(self) -> float:
        """Return up to when the bot has noted that all was served; 0: never."""
        with self._open() as connection:
            rows = connection.execute("SELECT value FROM house WHERE key = ?", (f"{SERVED}1.0",)).fetchall()
        return max((float(value) for (value,) in rows), default=0.0)

    def rows(self, match: str) -> list[tuple[str, int | None, float]]:
        """Return kind, seat and time of every row of a match's log."""
        with self._open() as connection:
            return connection.execute(
                "SELECT kind, seat, at FROM log WHERE match = ? ORDER BY seq", (match,)
            ).fetchall()

    def holidays(self) -> list[tuple[str, float, float | None]]:
        """Return who was on holiday, from when until when."""
        with self._open() as connection:
            rows = connection.execute("SELECT person, begun, ended FROM holiday ORDER BY begun").fetchall()
        return [(str(person), begun, ended) for person, begun, ended in rows]

    def match_of(self, thread: str) -> str:
        """Return the id of the match of a thread."""
        with self._open() as connection:
            [(match,)] = connection.execute("SELECT id FROM match WHERE thread = ?", (int(thread),))
        return str(match)

    def status(self, match: str) -> str:
        """Return how far a match has come."""
        with self._open() as connection:
            [(status,)] = connection.execute("SELECT status FROM match WHERE id = ?", (match,))
        return str(status)

    async def closed(self, match: str) -> bool:
        """Return whether a match was closed without a result."""
        return (await self.table(match)).require_log().closed is not None

    async def table(self, match: str) -> LoadedTable:
        """Return a match as it is committed."""
        uri = f"file:{self._database}?mode=ro"
        async with aiosqlite.connect(uri, uri=True) as connection:
            reader = SqliteReader(connection)
            row, rows = await reader.table(match), await reader.log(match)
        assert row is not None
        assert row.seed is not None
        played = game(row.info.game)
        log = MatchLog.replay(played, row.info.setup, row.seed, rows, row.info.seats_of_people())
        return LoadedTable(row, log)
