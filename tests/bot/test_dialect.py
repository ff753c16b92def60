"""The same SQL over two databases: each statement is taken by both, and means the same in both."""

from __future__ import annotations

import inspect
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.domain.address import PostgresqlAddress
from bot.domain.clocks import Holiday, Pace
from bot.domain.jobs import Job, JobKind, NewJob, Shown
from bot.domain.lessons import LessonRow
from bot.domain.match import Draft, DraftRow, LogRow, Preset, RowKind
from bot.domain.refusals import Act, CountedAct
from bot.domain.results import Ending, EndingKind, Fate, SeatResult
from bot.domain.shards import ALL, Shards
from bot.domain.tables import (
    Chair,
    FormerHolder,
    HandledRequest,
    Opening,
    Person,
    Place,
    Preferences,
    SeatOffer,
    ServerRules,
    Status,
    TableInfo,
    TableRow,
)
from bot.store import Store, open_store
from bot.store.personal import ABOUT_PERSON, DISGUISE, MATCHES_NAMING, OWN_ROWS_DELETION, REMOVAL_FROM_MATCH
from bot.store.postgresql import dialect
from bot.store.postgresql.identity import HOUSE_ID
from bot.store.transaction import Transaction
from engines.core.contract import Setup
from engines.core.optional_methods import Level
from tests.kit.postgresql import Cluster

ANNA, BEN, CLARA = Person(11, "Anna"), Person(22, "Ben"), Person(33, "Clara")

# --- the texts ----------------------------------------------------------------------------------------

TRANSLATED = {
    "SELECT 1": ("SELECT 1", ()),
    "a = ? AND b = ?": ("a = $1 AND b = $2", ()),
    "a = ?2 OR b = ?1 OR c = ?2": ("a = $2 OR b = $1 OR c = $2", ()),
    "a = :one OR b = :two OR c = :one": ("a = $1 OR b = $2 OR c = $1", ("one", "two")),
    "a IN (SELECT value FROM json_each(?)) AND b = ?": ("a = ANY($1) AND b = $2", ()),
    "a NOT IN (SELECT value FROM json_each(?1))": ("a <> ALL($1)", ()),
    "a IN (SELECT b FROM c WHERE d = ?)": ("a IN (SELECT b FROM c WHERE d = $1)", ()),
    "'dm:' || seat": ("'dm:' || seat", ()),
    "a::bigint = :a": ("a::bigint = $1", ("a",)),
}


@pytest.mark.parametrize(("text", "expected"), TRANSLATED.items(), ids=TRANSLATED)
def test_placeholders_and_lists(text: str, expected: tuple[str, tuple[str, ...]]) -> None:
    assert dialect.translated(text) == expected


def test_values_come_in_the_order_of_their_placeholders() -> None:
    _, names = dialect.translated("UPDATE a SET b = :b, c = :a WHERE d = :b")
    assert dialect.bound(names, {"a": 1, "b": 2, "unused": 3}) == [2, 1]
    assert dialect.bound((), (1, None, "x", [1, 2])) == [1, None, "x", [1, 2]]


def test_a_truth_value_is_a_number() -> None:
    found = dialect.bound((), (True, False))
    assert [type(value) for value in found] == [int, int]


# --- every statement ----------------------------------------------------------------------------------


def table(table_id: str, status: Status = Status.RUNNING, **changes: Any) -> TableRow:
    chairs = (Chair(0, ANNA, "Anna", 1), Chair(1, BEN, "Ben", 0), Chair(2, None, "Automa 1", 2))
    info = TableInfo(
        table_id, Setup("g", "1", 3, (("a", "b"),)), ANNA, Place(1 << 22, 2), status, chairs, "c0ffee", 77,
        pace=Pace.DAY,
    )  # fmt: skip
    row: dict[str, Any] = {
        "started_at": 1.5,
        "seed": bytes(32),
        "asked_since": {0: 1.75},
        "invited": (CLARA,),
        "offer": SeatOffer(0, CLARA, agreed=False),
    }
    return TableRow(info, (("cards", "00ff"),), 1.0, 2.0, **{**row, **changes})


LOG = LogRow(1, RowKind.ACT, 0, ("ä", "b c"), "d1", "r1", 3.5)
FORMER = FormerHolder(0, Person(44, "Dora"), 4.0)
ENDING = Ending("t1", 1 << 22, "g", 3, 2, rated=False, kind=EndingKind.RULES, ended_at=5.0)
RESULTS = [
    SeatResult(0, 22, None, 1, tied=False, score=7, fate=Fate.HELD, sentences=3),
    SeatResult(1, 11, None, 2, tied=True, score=None, fate=Fate.LATE, sentences=1),
    SeatResult(2, None, Level.BEST, 2, tied=True, score=-1, fate=Fate.COMPUTER, sentences=2),
]
JOB = Job("t1", JobKind.BOARD, "", 1, 0)

CALLS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("save_table", (table("t1"),)),
    ("save_chairs", (table("t1"),)),
    ("save_asked", (table("t1"),)),
    ("save_seat_offer", (table("t1"),)),
    ("add_former_holder", ("t1", FORMER)),
    ("advance", ("t1", 1)),
    ("append", ("t1", LOG)),
    ("save_draft", ("t1", DraftRow(0, False, Draft(("x",), 3, 1, ((), ("y", "z")), 2)))),
    ("save_draft", ("t1", DraftRow(0, False, Draft(("y",), 4)))),
    ("add_request", (HandledRequest("i1", "t1", 11, "join", "yes"), 9.0)),
    ("save_server_rules", (5, ServerRules(Opening.ROLES, (1,), (2, 3), 4, (Pace.DAY,), Pace.DAY))),
    ("save_preferences", (11, Preferences(dms=True, language="fr", quiet=(22, 7)))),
    ("note_reminded", (11, 5.0)),
    ("note_reminded", (12, 5.0)),
    ("note_locale", (ANNA.id, "de")),
    ("note_locale", (99, "de")),
    ("note_unreached", (11, 6.0)),
    ("note_unreached", (11, None)),
    ("note_dm_channel", (11, 99, 1)),
    ("note_dm_channel", (11, 99, 2)),
    ("note_dm_channel", (22, 99, 3)),
    ("forget_dm_channel", (22, 99)),
    ("begin_holiday", (11, Holiday(3.0, 90.0, None))),
    ("begin_holiday", (22, Holiday(3.0, 9.0, None))),
    ("save_preset", (11, Preset("g", "m", "old"))),
    ("save_preset", (11, Preset("g", "m", "new"))),
    ("save_lesson", (11, LessonRow("g", "first", Draft(("a",), 2)))),
    ("save_lesson", (11, LessonRow("g", "first", Draft(("b",), 3), done=True))),
    ("set_value", ("key", "one")),
    ("set_value", ("key", "two")),
    ("set_value", ("other", "1")),
    ("enqueue", ([NewJob("t1", JobKind.BOARD, due=2.0), NewJob("t1", JobKind.TURN, "1", due=5.0)],)),
    ("set_shown", ("t1", "board", Shown(1, 10, 1, 3, 1, "abc"))),
    ("set_shown", ("t1", "board", Shown(1, 11, 4, 5, 2, "abd"))),
    ("set_shown", ("t1", "dm:0", Shown(8, 12, 4, 5))),
    ("note_version", ("t1", "board", 9)),
    ("retire", (12, 5.0, 1.0)),
    ("retire", (13, 7.0, 6.0)),
    ("retire", (13, 8.0, 6.0)),
    ("retire", (14, 8.0, 6.0)),
    ("reinstate", (14,)),
    ("mark_stale", (["t1"],)),
    ("set_shown", ("t1", "board", Shown(1, 13, 6, 6, 1, "abe"))),
    ("set_restore_id", ("restored",)),
    ("replace_part", ("t1", bytes(32), "hash", "hash")),
    ("count_acts", ([CountedAct("i7", Act.INVITATION, 11, 7.0, 5, "t1", 22)], 0.0)),
    ("count_acts", ([CountedAct("i8", Act.TABLE, 11, 8.0, 5, "t1")], 7.5)),
    ("count_acts", ([CountedAct("i9", Act.INVITATION, 11, 9.0, 5, "t1", 22)], 7.5)),
    # What was written is asked for.
    ("save_result", (ENDING, RESULTS)),
    ("save_result", (ENDING, RESULTS)),
    ("lacking_results", (ALL,)),
    ("counted_acts", ([11, 12], Act.INVITATION, 1.0)),
    ("count_invitations_to", ([22], 1.0)),
    ("counted_invitations", ("t1", [22, 33])),
    ("unbegun", ()),
    ("table", ("t1",)),
    ("table", ("nowhere",)),
    ("version", ("t1",)),
    ("version", ("nowhere",)),
    ("table_of_thread", (77,)),
    ("rematch_of", ("t1",)),
    ("matches_before", ("t1",)),
    ("tables_of", (11, 0.0)),
    ("tables_of", (33, 0.0)),
    ("tables_in", ([Status.RUNNING, Status.OPEN], 0.0)),
    ("tables_in", ([Status.OPEN], 0.0)),
    ("tables_in", ([Status.RUNNING], 0.0, Shards(1, 1, 2))),
    ("tables_in", ([Status.RUNNING], 0.0, Shards(0, 0, 2))),
    ("count_tables", (11, 2)),
    ("count_on_server", (1 << 22,)),
    ("server_rules", (5,)),
    ("server_rules", (6,)),
    ("running_threads", (1 << 22,)),
    ("log", ("t1",)),
    ("drafts", ("t1",)),
    ("request", ("i1",)),
    ("shown", ("t1", "board")),
    ("surfaces", ("t1", "dm:")),
    ("surfaces", ("t1", "")),
    ("is_retired", (12,)),
    ("is_retired", (13,)),
    ("is_retired", (14,)),
    ("ill_shown", ("board", ALL)),
    ("next_jobs", (9, 10.0)),
    ("unfinished", (10.0,)),
    ("jobs_after", (0, 10)),
    ("jobs_of", (["t1", "nowhere"], 3.0)),
    ("jobs_of", ([], 3.0)),
    ("next_due", ()),
    ("past_deadline", (10.0, 1, [0])),
    ("by_deadline", (1, [0])),
    ("next_deadline", (0.0, 4, [0, 1, 2, 3])),
    ("preferences", (11,)),
    ("preferences", (99,)),
    ("has_sat", (ANNA.id,)),
    ("has_sat", (99,)),
    ("called", (11,)),
    ("due_reminders", (10.0, 1, [0])),
    ("next_reminder", (0.0, 2, [0, 1])),
    ("unchanged_since", (10.0, 1, [0])),
    ("dm_channel", (11, 99)),
    ("dm_channel", (11, 98)),
    ("dm_channel", (22, 99)),
    ("holidays", (11,)),
    ("next_holiday_end", ()),
    ("last_decision", (22,)),
    ("unsettled_holidays", ()),
    ("on_holiday", ([11, 12],)),
    ("on_holiday", ([],)),
    ("presets", (11, "g")),
    ("lessons", (11, "g")),
    ("tables_naming", (11,)),
    ("tables_naming", (44,)),
    ("kept_about", (11,)),
    ("kept_about", (22,)),
    ("values_like", ("k",)),
    ("value", ("key",)),
    # And changed again.
    ("disguise_acts", (22, -5)),
    ("count_invitations_to", ([22, -5], 1.0)),
    ("counted_invitations", ("t1", [22])),
    ("failed", (JOB, "x" * 600, 20.0)),
    ("retry_now", (9.0,)),
    ("next_due", ()),
    ("shift_clocks", (1.5, 1, [0])),
    ("shift_people", (1.5,)),
    ("shift_jobs", (1.5, 5.0, 1, (0,))),
    ("end_holiday", (11, 50.0)),
    ("end_holidays", (60.0,)),
    ("holidays", (11,)),
    ("holidays", (22,)),
    ("drop_shown", ("t1", "board")),
    ("cancel", ("t1", JobKind.TURN)),
    ("remove_jobs", ([1],)),
    ("done", (JOB,)),
    ("drop_unreadable", ()),
    ("drop_value", ("key", "another")),
    ("drop_value", ("key", "two")),
    ("drop_value", ("other",)),
    ("values_like", ("",)),
    ("has_held_seat", ("t1", ANNA.id)),
    ("rename_person", ("t1", ANNA.id, "somebody")),
    ("has_held_seat", ("t1", ANNA.id)),
    ("has_held_seat", ("t1", 99)),
    ("has_held_seat", ("nowhere", ANNA.id)),
    ("table", ("t1",)),
    ("kept_about", (1,)),
    ("save_table", (table("t1", Status.OVER),)),
    ("has_held_seat", ("t1", ANNA.id)),
    ("value", ("scrub",)),
    ("delete_person", (11,)),
    ("kept_about", (11,)),
)
"""What is done in one unit, over both databases: each change and each question, at least once."""


def methods() -> set[str]:
    found = inspect.getmembers(Transaction, inspect.iscoroutinefunction)
    return {name for name, _ in found if not name.startswith("_")}


async def answers(store: Store) -> list[tuple[str, object]]:
    """Carry out everything in one unit, and once more each question with a reader of its own."""
    found: list[tuple[str, object]] = []
    async with store.transaction() as unit:
        for name, arguments in CALLS:
            found.append((name, ordered(await getattr(unit, name)(*arguments))))
    async with store.read() as reader:
        for name, arguments in CALLS:
            if hasattr(reader, name):
                found.append((name, ordered(await getattr(reader, name)(*arguments))))
    return found


def ordered(answer: object) -> object:
    """Return an answer: lists whose order no question names are compared without it."""
    return sorted(answer) if isinstance(answer, list) and answer and isinstance(answer[0], str) else answer


@asynccontextmanager
async def both(path: Path, address: PostgresqlAddress) -> AsyncIterator[tuple[Store, Store]]:
    async with AsyncExitStack() as stack:
        stores: list[Store] = []
        for each in (path, address):
            stores.append(await open_store(each))
            stack.push_async_callback(stores[-1].close)
        yield stores[0], stores[1]


def test_each_change_and_each_question_is_among_them() -> None:
    assert {name for name, _ in CALLS} == methods()


async def test_both_databases_answer_the_same(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    translated = dialect.translated

    def noted(sql: str) -> tuple[str, tuple[str, ...]]:
        found = translated(sql)
        texts.append(found[0])
        return found

    monkeypatch.setattr("bot.store.postgresql.units.translated", noted)
    monkeypatch.setattr("bot.store.transaction.secrets.token_hex", lambda length: "0" * 2 * length)
    async with both(tmp_path / "house.db", cluster.house()) as (sqlite, postgresql):
        async with postgresql.transaction() as unit:
            await unit.drop_value(HOUSE_ID)  # it alone has one
        there, here = await answers(sqlite), await answers(postgresql)
        for expected, found in zip(there, here, strict=True):
            assert found == expected
    assert len(set(texts)) > 90
    assert [text for text in texts if "?" in text or "json_each" in text] == []
    queries = [query.sql for query in ABOUT_PERSON.values()]
    own = [*queries, *REMOVAL_FROM_MATCH, *OWN_ROWS_DELETION, *DISGUISE, MATCHES_NAMING]
    assert {translated(text)[0] for text in own} <= set(texts)


# --- the tables ---------------------------------------------------------------------------------------

TYPES = {"INTEGER": "bigint", "TEXT": "text", "REAL": "double precision", "BLOB": "bytea"}

ITS_OWN = {("lease", "*"), ("migration", "*"), ("former_holder", "rowid")}
"""What PostgreSQL alone has: leases, its number, and what SQLite has anyway."""

Columns = dict[tuple[str, str], tuple[str, bool, str | None]]
"""By table and column: its type, whether it may be null, and its default."""


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    await (await open_store(tmp_path / "house.db")).close()
    return tmp_path / "house.db"


@pytest.fixture
async def schema(cluster: Cluster) -> str:
    house = cluster.house()
    await (await open_store(house)).close()
    return house.url.rpartition("%3D")[2]


@pytest.fixture
def sqlite(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file)) as connection:
        yield connection


def tables_of(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'"
    )
    return [name for (name,) in rows]


def test_the_tables_have_the_same_columns(sqlite: sqlite3.Connection, cluster: Cluster, schema: str) -> None:
    expected: Columns = {}
    for name in tables_of(sqlite):
        for _, column, kind, needed, default, key in sqlite.execute(f"PRAGMA table_info({name})"):
            expected[name, column] = (TYPES[kind], not needed and not key, default)
    rows = cluster.execute(
        "SELECT table_name, column_name, data_type, is_nullable = 'YES', column_default"
        f" FROM information_schema.columns WHERE table_schema = '{schema}'"
    )
    found: Columns = {}
    for table_name, column, kind, nullable, default in rows:
        if ITS_OWN.isdisjoint({(table_name, "*"), (table_name, column)}):
            said = None if default is None else str(default).removesuffix("::text")
            found[str(table_name), str(column)] = (str(kind), bool(nullable), said)
    assert found == expected


Keys = dict[str, list[tuple[str, ...]]]


def test_the_tables_have_the_same_keys(sqlite: sqlite3.Connection, cluster: Cluster, schema: str) -> None:
    expected: Keys = {name: [] for name in tables_of(sqlite)}
    for name in expected:
        info = sqlite.execute(f"PRAGMA table_info({name})").fetchall()
        primary = tuple(row[1] for row in sorted(info, key=lambda row: row[5]) if row[5])
        others = [
            tuple(row[2] for row in sqlite.execute(f"PRAGMA index_info({index[1]})"))
            for index in sqlite.execute(f"PRAGMA index_list({name})").fetchall()
            if index[2]
        ]
        expected[name] = sorted({primary, *others})
    rows = cluster.execute(
        "SELECT indrelid::regclass::text, array_agg(attname::text ORDER BY place)"
        " FROM pg_index CROSS JOIN LATERAL unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)"
        " JOIN pg_attribute ON attrelid = indrelid AND attnum = number"
        " WHERE indisunique AND indrelid IN"
        f" (SELECT oid FROM pg_class WHERE relnamespace = '{schema}'::regnamespace)"
        " GROUP BY indexrelid, indrelid"
    )
    found: Keys = {}
    for table_name, columns in rows:
        assert isinstance(columns, list)
        found.setdefault(str(table_name).removeprefix(f"{schema}."), []).append(tuple(columns))
    assert {name: sorted(keys) for name, keys in found.items() if (name, "*") not in ITS_OWN} == expected


def test_the_tables_point_to_the_same_ones(sqlite: sqlite3.Connection, cluster: Cluster, schema: str) -> None:
    expected = {
        (name, row[3], row[2])
        for name in tables_of(sqlite)
        for row in sqlite.execute(f"PRAGMA foreign_key_list({name})")
    }
    rows = cluster.execute(
        "SELECT source.relname, attname, target.relname FROM pg_constraint"
        " JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid"
        " JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]"
        f" WHERE contype = 'f' AND connamespace = '{schema}'::regnamespace"
    )
    assert {row for row in rows if (row[0], "*") not in ITS_OWN} == expected


def checks_in(text: str) -> list[list[str]]:
    """Return the values that stand in each CHECK of a text."""
    found: list[list[str]] = []
    for begin in re.finditer(r"CHECK \(", text):
        depth, end = 1, begin.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(sorted(re.findall(r"'\w+'|\b\d+\b", text[begin.end() : end])))
    return found


def test_the_tables_check_the_same_values(sqlite: sqlite3.Connection, cluster: Cluster, schema: str) -> None:
    expected = {
        name: sorted(checks_in(sql))
        for name, sql in sqlite.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        if "CHECK" in sql
    }
    rows = cluster.execute(
        "SELECT relname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint"
        " JOIN pg_class ON pg_class.oid = conrelid"
        f" WHERE contype = 'c' AND connamespace = '{schema}'::regnamespace"
    )
    found: dict[str, list[list[str]]] = {}
    for name, text in rows:
        found.setdefault(str(name), []).extend(checks_in(str(text)))
    assert {name: sorted(each) for name, each in found.items()} == expected
