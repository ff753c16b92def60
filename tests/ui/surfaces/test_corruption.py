"""Any column of any row of one match set to anything: that match alone is affected, and its players are told.

A few of all columns in every run; all of them by night.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import Refusal
from bot.domain.surfaces import FROZEN
from bot.domain.tables import Status, TableInfo
from bot.store.prepare import migrations
from tests.kit import waiting
from tests.ui.surfaces.room import ANNA, BEN, Notes, Room
from tests.ui.surfaces.test_bulkheads import at_work, no_job_is_due, reopened, shown, two_matches

OWNED = {
    "match": "id",
    "chair": "match",
    "invitation": "match",
    "log": "match",
    "draft": "match",
    "request": "match",
    "job": "match",
    "shown": "match",
}
"""The tables of the database with rows of one match, and the column that names it."""

JUNK: dict[str, Any] = {
    "null": None,
    "garbage": "\x00🙈:{[\"'; --",
    "no text": b"\xff\xfe\x00",
    "huge": "9" * 100_000,
    "deep": "[" * 20_000,
    "number": -1,
    "most": 2**63 - 1,
    "float": 1e308,
}
"""Values that nobody has written."""

SAMPLE = 14
"""Cases in every run: another column each."""


@dataclass(frozen=True)
class Case:
    """One column of one match, and what is put there."""

    table: str
    column: str
    junk: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column} {self.junk}"


def columns() -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in migrations():
            connection.executescript(script)
        for table in OWNED:
            for row in connection.execute(f"PRAGMA table_info({table})"):
                yield table, row[1]


CASES = [Case(table, column, junk) for table, column in columns() for junk in JUNK]


def break_column(database: Path, case: Case, match: str) -> int:
    """Put a value where it does not belong, past all that SQLite would say; return how many rows have it."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        schema = connection.execute(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        ).fetchall()
        for kind, name, sql in schema:
            if kind == "trigger":
                connection.execute(f"DROP TRIGGER {name}")
            elif kind == "table" and name == case.table:
                loose = re.sub(r"\) STRICT(,)?", ")", sql).replace(" NOT NULL", "")
                _rewrite(connection, name, loose)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        done = 0
        value = "CAST(? AS TEXT)" if case.junk == "no text" else "?"
        with suppress(sqlite3.IntegrityError):  # a key of SQLite's own takes numbers only
            done = connection.execute(
                f"UPDATE OR IGNORE {case.table} SET {case.column} = {value} WHERE {OWNED[case.table]} = ?",
                (JUNK[case.junk], match),
            ).rowcount
        for kind, name, sql in schema:
            if kind == "trigger":
                connection.execute(sql)
            elif kind == "table" and name == case.table:
                _rewrite(connection, name, sql)
    return done


def _rewrite(connection: sqlite3.Connection, table: str, sql: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (sql, table))
    connection.execute("PRAGMA writable_schema = OFF")


@dataclass(frozen=True)
class Ground:
    """A house before anything breaks."""

    database: Path
    messages: dict[int, Any]
    """What stands on Discord."""
    broken: TableInfo
    """The match that is to be broken, with rows in every table of the database."""
    sound: TableInfo

    def notes(self) -> Notes:
        """Return Discord as it was, for one case."""
        notes = Notes()
        notes.messages.update(self.messages)
        notes.count_from(max(self.messages))
        return notes


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    database = tmp_path_factory.mktemp("ground") / "bauta.db"
    return asyncio.run(_ground(database))


async def _ground(database: Path) -> Ground:
    broken, sound, notes = await two_matches(database)
    async with reopened(database, notes) as room, at_work(room):
        room.table = broken
        await room.draft(2)
        async with room.services.cache.store.transaction() as unit:
            kinds = (JobKind.BOARD, JobKind.TURN, JobKind.ARCHIVE)
            targets = {JobKind.TURN: "0"}
            await unit.enqueue(NewJob(broken.id, kind, targets.get(kind, "")) for kind in kinds)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO invitation VALUES (?, 0, 77, 'Eve')", (broken.id,))
    for table, column in OWNED.items():
        with closing(sqlite3.connect(database)) as connection:
            [(rows,)] = connection.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (broken.id,))
            assert rows, f"nothing of the match stands in {table}"
    return Ground(database, notes.messages, broken, sound)


async def check(case: Case, ground: Ground, folder: Path) -> None:
    """Start the house over a broken match: the other plays on, and this one's players get a friendly word."""
    database = folder / f"{CASES.index(case)}.db"
    shutil.copy(ground.database, database)
    if not break_column(database, case, ground.broken.id):
        return
    async with reopened(database, ground.notes()) as room, at_work(room):
        room.table = ground.sound
        await room.say(70)
        room.worker.wake()
        await shown(room, ground.sound.id)
        await waiting.until(lambda: no_job_is_due(room))
        for person in (ANNA, BEN):
            await room.services.queries.matches(person)
            await room.services.queries.listed(person)
            with suppress(Refusal):
                panel = await room.services.drafts.panel(ground.broken.id, person)
                room.table = panel.table
                await room.say(80 + person.id)
        await waiting.until(lambda: no_job_is_due(room))
        with suppress(Refusal):
            await told(room, await room.services.queries.table(ground.broken.id))


async def told(room: Room, table: TableInfo) -> None:
    """Expect that what has become of a table was said where it is played."""
    if table.status is Status.FROZEN and (table.thread_id or table.place.channel_id):
        assert await room.services.outbox.shown(table.id, FROZEN) is not None
    elif table.status is Status.RUNNING:
        await shown(room, table.id)


@pytest.mark.parametrize("case", Random(21).sample(CASES, SAMPLE), ids=str)
async def test_a_broken_column_concerns_its_match_alone(case: Case, ground: Ground, tmp_path: Path) -> None:
    await check(case, ground, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("table", OWNED)
async def test_every_column_of_a_table(table: str, ground: Ground, tmp_path: Path) -> None:
    failed: list[str] = []
    for case in CASES:
        if case.table == table:
            try:
                await check(case, ground, tmp_path)
            except Exception as error:
                failed.append(f"{case}: {type(error).__name__} {error}")
    assert not failed, "\n".join(failed)
