"""Every statement of both databases finds its rows by an index, but for a few that read whole tables.

Each public method of a unit, and of what processes share, is called once on a filled database. What reaches
the database is noted, and explained afterwards. A new method is called too: values are made for it from its
annotations.
"""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import psycopg
import pytest

from bench.growth import FIRST_PERSON, multiply, play
from bot.domain.address import Address
from bot.domain.clocks import Holiday
from bot.domain.jobs import Job, JobKind, NewJob, Shown
from bot.domain.lessons import LessonRow
from bot.domain.match import Draft, DraftRow, LogRow, Preset, RowKind
from bot.domain.refusals import Act, CountedAct
from bot.domain.results import Ending, EndingKind, Fate, SeatResult
from bot.domain.shards import ALL, Shards
from bot.domain.tables import (
    FirstJoin,
    FormerHolder,
    HandledRequest,
    Person,
    Preferences,
    SeatOffer,
    ServerRules,
    Status,
    TableRow,
)
from bot.store import Conflict, Sharing, Store, Transaction, open_store
from bot.store.sqlite import SqliteStore
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

MATCHES = 2_000

WHOLE_TABLES = {
    "drop_unreadable": {"job", "shown"},  # the start looks for rows that SQLite itself takes amiss
    "values_like": {"house"},  # the start asks which deletions were interrupted
    "unbegun": {"match"},  # once after a restore
    "set_restore_id": {"match"},  # the same
    "shift_people": {"person", "counted_act", "request", "retired"},  # when the machine's clock was set
    "shift_jobs": {"job"},  # the same
    "next_jobs": {"job"},  # tests and benches alone ask it
}
"""The methods that read whole tables, and which."""

JOINED_WHOLE = {"lacking_results": {"match_rematch", "ending", "house"}}
"""The same in PostgreSQL alone, which joins whole tables for them: the start asks once, in the background."""

GOING_ON = {"holiday_now"}
"""Partial indexes that hold what goes on, and no more: to read all of one is no scan."""

CHANGES = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")

NOW = 1_700_000_000.0


class Undone(Exception):  # noqa: N818 - no error
    """Ends a unit, and undoes it."""


class Notes:
    """The statements that reach a database, and their values, by the method that was called."""

    def __init__(self) -> None:
        self.method = ""
        self.statements: dict[tuple[str, str], tuple[object, ...]] = {}

    def note(self, sql: str, values: Iterable[object] = ()) -> None:
        """Note a statement; what begins and ends units is none."""
        if self.method and sql.split(maxsplit=1)[0] in CHANGES:
            self.statements.setdefault((self.method, sql), tuple(values))


@pytest.fixture
async def store(database: Address) -> AsyncIterator[Store]:
    """Return a database with thousands of matches that are over, and one that goes on."""
    await play(database)
    await asyncio.to_thread(multiply, database, MATCHES, NOW)
    store = await open_store(database)
    yield store
    await store.close()


@pytest.fixture
async def notes(store: Store, monkeypatch: pytest.MonkeyPatch) -> Notes:
    """Return what notes all statements from now on."""
    notes = Notes()
    if isinstance(store, SqliteStore):
        await store.writer.run(lambda connection: connection.set_trace_callback(notes.note))
        return notes

    def noted(real: Callable[..., Any]) -> Callable[..., Any]:
        async def execute(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
            notes.note(query.decode() if isinstance(query, bytes) else query, params or ())
            return await real(self, query, params, **options)

        return execute

    for kind in (psycopg.AsyncConnection, psycopg.AsyncRawCursor):
        monkeypatch.setattr(kind, "execute", noted(kind.execute))
    return notes


class Samples:
    """Values for the parameters of any method, by their annotations."""

    def __init__(self, row: TableRow) -> None:
        person, match = Person(FIRST_PERSON, "Player 0"), row.info.id
        self._known: Mapping[Any, object] = {
            str: match,
            int: person.id,
            float: NOW,
            bool: True,
            bytes: bytes(32),
            TableRow: replace(
                row,
                offer=SeatOffer(0, person, agreed=True),
                invited=(person,),
                first_joins=(FirstJoin(person.id, "1"),),
            ),
            Shards: ALL,
            Status: Status.OPEN,
            JobKind: JobKind.BOARD,
            Job: Job(match, JobKind.BOARD, "", 1, 0),
            NewJob: NewJob(match, JobKind.BOARD),
            LogRow: LogRow(10_000, RowKind.ACT, 0, (), "", "never", NOW),
            DraftRow: DraftRow(0, aside=False, draft=Draft(revision=10_000)),
            HandledRequest: HandledRequest(str(FIRST_PERSON - 1), match, person.id, "open"),
            FormerHolder: FormerHolder(0, person, NOW),
            Shown: Shown(1, 2),
            Holiday: Holiday(NOW, NOW, None),
            Act: Act.TABLE,
            CountedAct: CountedAct("1", Act.TABLE, person.id, NOW),
            Ending: Ending(match, 1, "volto", 2, 2, rated=False, kind=EndingKind.RULES, ended_at=NOW),
            SeatResult: SeatResult(
                0, person.id, None, 1, tied=False, score=None, fate=Fate.HELD, sentences=3
            ),
            ServerRules: ServerRules(),
            Preferences: Preferences(),
            Preset: Preset("volto", "menu", "text"),
            LessonRow: LessonRow("volto", "first"),
        }

    def arguments(self, method: Callable[..., Any]) -> dict[str, object]:
        """Return what to call a method with; raises ``KeyError`` for a kind of value that is not known."""
        hints = get_type_hints(method)
        return {name: self._of(hints[name]) for name in inspect.signature(method).parameters}

    def _of(self, hint: Any) -> object:
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        if not kinds:
            return self._known[hint]
        value = self._of(kinds[0])
        return [value] if get_origin(hint) in (Iterable, Sequence) else value


def methods_of(kind: type) -> set[str]:
    """Return the names of the public methods that are awaited."""
    found = inspect.getmembers(kind, inspect.iscoroutinefunction)
    return {name for name, _ in found if not name.startswith("_")}


async def call_all(store: Store, notes: Notes) -> None:
    """Call every method of a unit, each in a unit of its own that is undone, and all that is shared."""
    async with store.read() as reader:
        [row] = [row for row in await reader.tables_in([Status.RUNNING], 2 * NOW) if row.seed]
    samples = Samples(row)
    for name in sorted(methods_of(Transaction)):
        with suppress(Undone, Conflict):
            async with store.transaction() as unit:
                await unit.version("")  # what follows a question is carried out at once
                notes.method = name
                await getattr(unit, name)(**samples.arguments(getattr(unit, name)))
                raise Undone
    if store.sharing is not None:
        for name in sorted(methods_of(Sharing) - {"keep"}):  # it listens for ever, and asks for no rows
            notes.method = name
            await getattr(store.sharing, name)(**samples.arguments(getattr(store.sharing, name)))
    notes.method = ""


def scanned_by_sqlite(path: Path, notes: Notes) -> Iterator[tuple[str, str, str]]:
    """Yield what reads a whole table: the method, the table, the statement."""
    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        for method, sql in notes.statements:
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {sql}"):
                verb, *names = step.split()
                if verb == "SCAN" and names[0] in tables and not GOING_ON & set(names[1:]):
                    yield method, names[0], sql


def scanned_by_postgresql(url: str, notes: Notes) -> Iterator[tuple[str, str, str]]:
    """Yield what reads a whole table, or a whole index."""
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("SET enable_seqscan = off")
        cursor = psycopg.RawCursor(connection)
        for (method, sql), values in notes.statements.items():
            [(explained,)] = cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}".encode(), list(values)).fetchall()
            for node in steps(explained[0]["Plan"]):
                if node.get("Index Name") in GOING_ON or "Index Cond" in node:
                    continue
                if node["Node Type"] in ("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Index Scan"):
                    yield method, node.get("Relation Name") or node["Index Name"], sql


def steps(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a step of a plan of PostgreSQL, and all below it."""
    yield node
    for below in node.get("Plans", ()):
        yield from steps(below)


@BOTH_STORES_BY_NIGHT
async def test_every_statement_goes_by_an_index(store: Store, database: Address, notes: Notes) -> None:
    await call_all(store, notes)
    assert {method for method, _ in notes.statements} >= methods_of(Transaction) - {"drop_unreadable"}
    if isinstance(database, Path):
        found = list(scanned_by_sqlite(database, notes))
    else:
        found = list(scanned_by_postgresql(database.url, notes))
    allowed = WHOLE_TABLES if isinstance(database, Path) else {**WHOLE_TABLES, **JOINED_WHOLE}
    assert [each for each in found if each[1] not in allowed.get(each[0], ())] == []
    scanned = {(method, table) for method, table, _ in found}
    named = {(method, table) for method, tables in WHOLE_TABLES.items() for table in tables}
    assert not isinstance(database, Path) or named == scanned, "some of them reads whole tables no more"
