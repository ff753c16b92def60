"""Every column of the database is exported or left out, and deleted or kept, as its description says.

The tests compare the descriptions with the tables that migrations make, put a row about Zoë into every table,
change each value and look at the export, then let her delete her data and look at every row again. A new
column or table needs nothing here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from bot.domain.tables import TableInfo
from bot.pages.privacy import export_page
from bot.pages.texts import Texts
from bot.store import Store, StoreError
from bot.store.codecs import NAME
from bot.store.personal import ABOUT_PERSON
from bot.store.schema import OWNER, Column, LeftOut, Table
from bot.store.tables import TABLES
from tests.bot.conftest import PEOPLE, Room
from tests.bot.raw import ask, change
from tests.bot.test_privacy import ZOE, sit_down
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

Row = dict[str, Any]

KINDS = {
    "INTEGER": "bigint",
    "TEXT": "text",
    "REAL": "double precision",
    "BLOB": "bytea",
    "TIMESTAMPTZ": "timestamp with time zone",
}
"""SQLite's types in PostgreSQL."""

VALUES = (
    1, 7, 21, 0, 30.5, 90.5, "a text", "Europe/Rome", '["lay"]', '["b", "c"]', '[["x"]]', '[["y"], []]',
    '[["rounds", "2"]]', "[1]", "[2, 3]", '["day"]', '["slow"]', '[[0, 1.5]]', bytes(32), bytes(31) + b"x",
)  # fmt: skip
"""Values to try: of each column, those that its description can decode."""

OF_OTHER_ROWS = {"match", "rematch_of", "seat", "rowid"}
"""Columns that are not changed, beside keys: they hold rows together, or number them."""

ALL = [table for table in TABLES if not table.only_postgresql]


@dataclass(frozen=True, slots=True)
class House:
    """A house in which every table has a row about Zoë, or about nobody."""

    room: Room
    info: TableInfo
    seat: int

    def where(self, condition: str) -> str:
        """Return a description's condition with Zoë and her match in it."""
        values = {":match": f"'{self.info.id}'", ":person": str(ZOE.id)}
        return re.sub("|".join(values), lambda found: values[found[0]], condition)

    async def rows(self, table: Table[Any], condition: str) -> list[Row]:
        """Return a table's rows by their columns."""
        names = [each.name for each in table.columns if not each.only_postgresql]
        asked = f"SELECT {', '.join(names)} FROM {table.name} WHERE {self.where(condition)}"
        order = ", ".join(table.key)
        return [
            dict(zip(names, row, strict=True))
            for row in await ask(self.room.store, f"{asked} ORDER BY {order}")
        ]

    async def row(self, table: Table[Any]) -> Row | None:
        """Return the row about Zoë, in her match if it belongs to any; in a table about nobody, any row."""
        found = await self.rows(table, about_zoe(table))
        return found[0] if found else None

    async def at(self, table: Table[Any], place: Row) -> Row | None:
        """Return the row that has the same key as another, apart from what a deletion changes."""
        lasting = {each.name for each in table.columns if not each.replacement and not each.disguised}
        names = lasting & set(table.key)
        found = [
            row for row in await self.rows(table, "TRUE") if all(row[name] == place[name] for name in names)
        ]
        return found[0] if found else None

    async def set(self, table: Table[Any], row: Row, column: Column, value: object) -> None:
        key = " AND ".join(f"{name} = ?" for name in table.key)
        places = [row[name] for name in table.key]
        await change(
            self.room.store, f"UPDATE {table.name} SET {column.name} = ? WHERE {key}", value, *places
        )

    async def export(self) -> dict[str, Any]:
        """Return what is in the file that Zoë is given."""
        data = await self.room.services.privacy.export(ZOE)
        [upload] = export_page(data, Texts("en")).uploads
        found: dict[str, Any] = json.loads(upload.data)
        return found


def about_zoe(table: Table[Any]) -> str:
    """Return the condition of the rows about Zoë, as the description has it."""
    deletion = table.deletion
    ours = f"{table.match} = :match" if table.match else "TRUE"
    if table.name == "job":
        return f"{ours} AND kind = 'remind'"
    if deletion.at_match or deletion.replaced:
        return f"{ours} AND {deletion.at_match or deletion.replaced}"
    owners = [each.name for each in table.columns if each.export is OWNER or each.disguised]
    return " AND ".join([ours, *(f"{name} = :person" for name in owners)])


def candidates(column: Column) -> Iterator[object]:
    """Yield values that the bot could store in a column."""
    codec = column.codec
    for value in codec.choices or VALUES:
        try:
            codec.decode(value)
        except Exception:
            continue
        if type(value) is {"INTEGER": int, "REAL": float, "TEXT": str, "BLOB": bytes}[codec.sql_type]:
            yield value


async def furnish(house: House, table: Table[Any]) -> None:
    """Insert a row about Zoë, made of values that the descriptions can decode."""
    row: Row = {}
    named = {
        "seat": house.seat,
        "surface": f"dm:{house.seat}",
        "job.kind": "remind",
        "job.target": f"a:5:{PEOPLE[1].id}.{ZOE.id}:0",
    }
    for column in table.columns:
        if column.only_postgresql:
            continue
        if column.name == table.match:
            row[column.name] = house.info.id
        elif column.export is OWNER or column.disguised:
            row[column.name] = ZOE.id
        elif column.codec is NAME:
            row[column.name] = ZOE.name
        elif column.replacement and column.codec.sql_type == "TEXT":
            row[column.name] = f"of {ZOE.name}"
        else:
            row[column.name] = next(candidates(column))
        row[column.name] = named.get(f"{table.name}.{column.name}", named.get(column.name, row[column.name]))
    await change(
        house.room.store,
        f"INSERT INTO {table.name} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        *row.values(),
    )


@pytest.fixture
async def house(room: Room) -> House:
    """Return a house with a row in every table."""
    info = await sit_down(room, PEOPLE[1])
    seat = info.seat_of(ZOE.id)
    assert seat is not None
    await room.lay(info, seat)
    await room.services.actions.resign(info.id, ZOE, room.request)
    house = House(room, info, seat)
    for table in ALL:
        if await house.row(table) is None:
            await furnish(house, table)
    return house


# --- the descriptions, and the tables -----------------------------------------------------------------


async def schema(store: Store) -> dict[str, dict[str, tuple[str, bool]]]:
    """Return the type of each table's columns, and whether it may be null, whichever database it is."""
    question = (
        'SELECT tables.name, columns.name, upper(columns.type), NOT ("notnull" OR pk)'
        " FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns"
        " WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'"
        if store.sharing is None
        else "SELECT table_name, column_name, data_type, is_nullable = 'YES' FROM information_schema.columns"
        " WHERE table_schema = current_schema()"
    )
    found: dict[str, dict[str, tuple[str, bool]]] = {}
    for table, column, kind, may_be_null in await ask(store, question):
        found.setdefault(table, {})[column] = kind, bool(may_be_null)
    return found


@BOTH_STORES_BY_NIGHT
async def test_the_descriptions_are_those_of_the_tables(room: Room) -> None:
    is_sqlite = room.store.sharing is None
    expected: dict[str, dict[str, tuple[str, bool]]] = {}
    for table in TABLES:
        if table.only_postgresql and is_sqlite:
            continue
        expected[table.name] = {
            each.name: (
                each.codec.sql_type if is_sqlite else KINDS[each.codec.sql_type],
                each.codec.takes_null,
            )
            for each in table.columns
            if not (each.only_postgresql and is_sqlite)
        }
    assert await schema(room.store) == expected


async def test_the_tables_check_the_choices_and_keys_that_are_described(room: Room) -> None:
    for table in ALL:
        [(text,)] = await ask(room.store, "SELECT sql FROM sqlite_schema WHERE name = ?", table.name)
        checks = {
            name: {each.strip().strip("'") for each in values.split(",")}
            for name, values in re.findall(r"CHECK \((\w+) IN\s*\(([^)]*)\)\)", text)
        }
        described = {each.name: {str(one) for one in each.codec.choices} for each in table.columns}
        assert {name: described[name] for name in checks} == checks, table.name
        key = await ask(
            room.store, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table.name
        )
        assert tuple(name for (name,) in key) == table.key


def test_descriptions_are_complete() -> None:
    for table in TABLES:
        deletion = table.deletion
        is_all_erased = (deletion.at_match or deletion.everywhere) and not deletion.replaced
        assert is_all_erased or deletion.kept, table.name
        assert bool(deletion.replaced) is any(each.replacement for each in table.columns), table.name
        in_matches = bool(deletion.at_match or deletion.replaced) and not deletion.everywhere
        for column in table.columns:
            # Else a deletion would not look into the matches that name its person here alone.
            assert column.role or column.export is not OWNER or not in_matches, table.name
            assert not isinstance(column.export, LeftOut) or column.export.why, column.name
            for export in column.exports:
                assert (export.topic or table.topics[0].name) in ABOUT_PERSON, column.name


# --- what is done -------------------------------------------------------------------------------------


@BOTH_STORES_BY_NIGHT
async def test_every_exported_value_is_in_the_file_and_nothing_else(house: House) -> None:
    """What is exported changes its own field of the file and no other, what is left out changes no letter."""
    for trigger, table_name in (("log_stands", "log"), ("draft_goes_on", "draft")):
        of_table = f" ON {table_name}" if house.room.store.sharing else ""
        await change(house.room.store, f"DROP TRIGGER {trigger}{of_table}")
    before, changed = await house.export(), 0
    assert before["person"] == str(ZOE.id)
    for table in ALL:
        row = await house.row(table)
        assert row is not None, table.name
        for column in table.columns:
            name = f"{table.name}.{column.name}"
            if column.only_postgresql or column.export is OWNER:
                continue
            fields = {
                (each.topic or table.topics[0].name, each.name or column.name) for each in column.exports
            }
            if column.name in {*table.key, *OF_OTHER_ROWS}:
                for topic, field in fields:
                    shown = ABOUT_PERSON[topic].fields[field].exported(row[column.name])
                    assert shown in [each[field] for each in before[topic]], name
                continue
            other = await _changed(house, table, row, column)
            after = await house.export()
            differing = _differences(before, after)
            assert {(topic, field) for topic, field, _ in differing} == fields, name
            for topic, field in fields:
                codec = ABOUT_PERSON[topic].fields[field]
                shown = "closed" if name == "match.closed" else codec.exported(other)
                assert (topic, field, shown) in differing, name
            await house.set(table, row, column, row[column.name])
            changed += 1
    assert changed > 90
    assert await house.export() == before


async def _changed(house: House, table: Table[Any], row: Row, column: Column) -> object:
    """Change a value to another one that the database takes, and return that."""
    for other in candidates(column):
        if other != row[column.name]:
            try:
                await house.set(table, row, column, other)
            except StoreError:
                continue
            return other
    raise AssertionError(f"no other value for {table.name}.{column.name}")


@BOTH_STORES_BY_NIGHT
async def test_what_takes_a_turn_back_tells_no_number(house: House) -> None:
    """It says which row it takes back, and rows count what others have done in secret."""
    info = await house.room.begin("vault")
    store = house.room.store
    await change(store, "UPDATE chair SET person = ? WHERE match = ? AND seat = 0", ZOE.id, info.id)
    await change(
        store,
        "INSERT INTO log (match, seq, kind, seat, words, digest, request, at)"
        " VALUES (?, 41, 'undo', 0, '[\"17\"]', 'd', 'undo:1', 5.0)",
        info.id,
    )
    [row] = [row for row in (await house.export())["sentences"] if row["kind"] == "undo"]
    assert row["words"] == []


@BOTH_STORES_BY_NIGHT
async def test_a_deletion_does_to_every_column_what_is_said(house: House) -> None:
    before: dict[str, Row] = {}
    erased: set[str] = set()
    for table in ALL:
        row = await house.row(table)
        assert row is not None, table.name
        before[table.name] = row
        ours = f"{table.match} = :match AND {table.deletion.at_match}"
        if table.deletion.everywhere or (table.deletion.at_match and row in await house.rows(table, ours)):
            erased.add(table.name)
    assert await house.room.services.privacy.delete(ZOE) == []
    for table in ALL:
        row, after = before[table.name], await house.at(table, before[table.name])
        if table.name in erased:
            assert after is None, table.name
            continue
        assert after is not None, table.name
        for column in table.columns:
            if column.only_postgresql:
                continue
            # Most columns of a replaced row differ; a column that named others, or nobody, may be as it was.
            if column.replacement or (column.disguised and row[column.name] == ZOE.id):
                assert after[column.name] != row[column.name], f"{table.name}.{column.name}"
            else:
                assert after[column.name] == row[column.name], f"{table.name}.{column.name}"


@BOTH_STORES_BY_NIGHT
async def test_a_deletion_leaves_no_value_that_names_its_person(house: House) -> None:
    named = {
        f"{table.name}.{column.name}"
        for table in ALL
        for column in table.columns
        if column.export is OWNER or (column.codec is NAME)
    }
    assert set(await _naming(house)) >= named
    assert await house.room.services.privacy.delete(ZOE) == []
    assert await _naming(house) == []
    data = await house.export()
    assert data.pop("person") == str(ZOE.id)
    assert not any(data.values())


async def _naming(house: House) -> list[str]:
    """Return the columns of the whole database in which a value names Zoë, described or not."""
    found = []
    for table, columns in (await schema(house.room.store)).items():
        asked = ", ".join(
            f"CAST({name} AS TEXT)" if kind.startswith("timestamp") else name
            for name, (kind, _) in columns.items()
        )
        for row in await ask(house.room.store, f"SELECT {asked} FROM {table}"):
            for column, value in zip(columns, row, strict=True):
                text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                if str(ZOE.id) in text or ZOE.name in text:
                    found.append(f"{table}.{column}")
    return found


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    """Return where two exports differ, apart from the order of rows: topic, field, and the other's value."""
    assert one.keys() == other.keys()
    found: list[tuple[str, str, object]] = []
    for topic in one:
        if topic == "person":
            continue
        gone, come = [], list(other[topic])
        for row in one[topic]:
            if row in come:
                come.remove(row)
            else:
                gone.append(row)
        assert len(gone) == len(come), topic
        for left, right in zip(gone, come, strict=True):
            found += [(topic, field, right[field]) for field in left if left[field] != right[field]]
    return found
