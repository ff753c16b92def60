"""Every column of the database is exported or left out, and deleted or kept, as ``column_fates.py`` says.

The tests change the column's value and look at the export, then let Zoë delete her data and look at the row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from bot.domain.clocks import Holiday
from bot.domain.jobs import JobKind, NewJob, Shown
from bot.domain.lessons import LessonRow
from bot.domain.match import Draft, Preset
from bot.domain.refusals import Act, CountedAct
from bot.domain.tables import ServerRules
from bot.matches.privacy import _value
from bot.pages.privacy import export_page
from bot.pages.texts import Texts
from bot.store import Store
from tests.bot.column_fates import (
    ERASED,
    EXPORTED,
    KEPT,
    KEYS,
    LEFT_OUT,
    ONLY_POSTGRESQL,
    OTHERWISE,
    REPLACED,
    ROWS,
    WHOSE,
)
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.bot.raw import ask, change
from tests.bot.test_privacy import ZOE, sit_down
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import sit_down as sit_down_at


@dataclass(frozen=True, slots=True)
class House:
    """A house in which every table has a row about Zoë, or about nobody."""

    room: Room
    tables: Mapping[str, tuple[str, ...]]
    """The columns of each table, as the database has them."""
    given: Mapping[str, object]

    async def row(self, table: str, where: str | None = None) -> dict[str, Any] | None:
        """Return the row that is looked at, by its columns."""
        names = self.tables[table]
        text = _filled_in(where or ROWS[table], self.given)
        rows = await ask(self.room.store, f"SELECT {_asked(table, names)} FROM {table} WHERE {text}")
        assert len(rows) < 2, table
        return dict(zip(names, rows[0], strict=True)) if rows else None

    async def change(self, table: str, column: str, value: object) -> None:
        text = _filled_in(ROWS[table], self.given)
        await change(self.room.store, f"UPDATE {table} SET {column} = ? WHERE {text}", value)

    async def export(self) -> dict[str, Any]:
        """Return what is in the file that Zoë is given."""
        data = await self.room.services.privacy.export(ZOE)
        [upload] = export_page(data, Texts("en")).uploads
        found: dict[str, Any] = json.loads(upload.data)
        return found


def _asked(table: str, names: Iterable[str]) -> str:
    # PostgreSQL's own tables have times that Python has not.
    text = table in ONLY_POSTGRESQL
    return ", ".join(f"CAST({name} AS TEXT)" if text else name for name in names)


def _filled_in(where: str, given: Mapping[str, object]) -> str:
    for name, value in given.items():
        where = where.replace(f":{name}", f"'{value}'" if isinstance(value, str) else str(value))
    return where


def _names(text: str) -> list[str]:
    return [each.partition("=")[0] for each in text.split()]


async def columns(store: Store) -> dict[str, tuple[str, ...]]:
    """Walk the schema of a database, whichever it is."""
    question = (
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables,"
        " pragma_table_info(tables.name) AS columns"
        " WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' ORDER BY 1, columns.cid"
        if store.sharing is None
        else "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() ORDER BY 1, ordinal_position"
    )
    found: dict[str, tuple[str, ...]] = {}
    for table, column in await ask(store, question):
        found[table] = (*found.get(table, ()), column)
    return found


@pytest.fixture
async def house(room: Room) -> House:
    """Return a house with a row in every table."""
    return await furnished(room)


ALL_OF_A_CLOCK = """
    UPDATE chair SET asked_at = 10.5, reserve = 20.5, until = 30.5, deadline = 40.5, missed = 3,
        remind_at = 50.5, reminded = 2, nudged = 1, stopped_at = 60.5
    WHERE match = ? AND person = ?"""

ALL_OF_A_PERSON = """
    UPDATE person SET zone = 'Europe/Rome', quiet_from = 21, quiet_until = 7, reminded_at = 70.5,
        unreached_at = 80.5
    WHERE id = ?"""

A_DRAFT = """
    INSERT INTO draft (match, seat, aside, words, revision, cut, trail, confirmed)
    VALUES (?, ?, 0, '["lay"]', 9, 1, '[["x"]]', 3)"""


async def furnished(room: Room) -> House:
    services = room.services
    over = await sit_down(room, PEOPLE[1])
    seat = over.seat_of(ZOE.id)
    assert seat is not None
    await room.lay(over, seat)
    await services.settings.set_dms(ZOE, True)
    await services.outbox.set_shown(over.id, f"dm:{seat}", Shown(5551, 5552, 3, 4, 5, "as it was sent"))
    await services.outbox.note_dm_channel(ZOE.id, 5550, 5551)
    await services.actions.resign(over.id, ZOE, room.request)
    running = await sit_down(room, *PEOPLE[1:3])
    await services.actions.resign(running.id, ZOE, room.request)
    async with room.store.transaction() as transaction:
        await transaction.rename_person(running.id, ZOE.id, "Former player")
    given = await room.begin("vault")
    at = (given.id, ZOE.id, ZOE.name)
    table = await services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request, invited=[ZOE])
    left = await services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request)
    await sit_down_at(services, left.id, ZOE, room.request)
    await services.lobby.leave(left.id, ZOE, room.request)
    async with room.store.transaction() as transaction:
        await transaction.save_preset(ZOE.id, Preset("vault", "lay", "lay the usual"))
        await transaction.save_lesson(
            ZOE.id, LessonRow("volo", "cut", Draft(("a5",), 2, 0, (("b",),)), done=True)
        )
        await transaction.begin_holiday(ZOE.id, Holiday(1.0, 9.0, None))
        await transaction.end_holiday(ZOE.id, 5.0)
        await transaction.save_server_rules(1, ServerRules(most=7))
        await transaction.set_value("some key", "some value")
        await transaction.count_acts([CountedAct("5554", Act.EXPORT, ZOE.id, 90.5, 1, over.id)], 0.0)
        await transaction.retire(5553, 5.0, 1.0)
        await transaction.enqueue([NewJob(over.id, JobKind.REMIND, f"a:5:{PEOPLE[1].id}.{ZOE.id}:0")])
    for sql, *values in (
        ("UPDATE job SET error = 'of Zoë', tries = 2 WHERE match = ?", over.id),
        ("UPDATE match SET thread = 777, theme = 'clear', ended_at = 50.5 WHERE id = ?", over.id),
        (ALL_OF_A_CLOCK, over.id, ZOE.id),
        (ALL_OF_A_PERSON, ZOE.id),
        ("DELETE FROM draft WHERE match = ?", over.id),
        (A_DRAFT, over.id, seat),
        ("INSERT INTO former_holder (match, seat, person, name, at) VALUES (?, 0, ?, ?, 90.5)", *at),
        ("INSERT INTO seat_offer (match, seat, person, name, agreed) VALUES (?, 1, ?, ?, 1)", *at),
        ("UPDATE request SET answer = 'an answer' WHERE person = ?", ZOE.id),
    ):
        await change(room.store, sql, *values)
    found = {
        "over": over.id,
        "running": running.id,
        "given": given.id,
        "open": table.id,
        "left": left.id,
        "zoe": ZOE.id,
        "seat": seat,
        "dm": f"dm:{seat}",
    }
    return House(room, await columns(room.store), found)


def _every(tables: Mapping[str, tuple[str, ...]]) -> set[str]:
    return {f"{table}.{column}" for table, names in tables.items() for column in names}


def _listed_once(lists: list[str], found: set[str]) -> None:
    """Expect each column of a database in exactly one of some lists, and nothing else there."""
    listed = [
        name
        for text in lists
        for each in _names(text)
        for name in (
            sorted(one for one in found if one.startswith(each[:-1])) if each.endswith("*") else [each]
        )
    ]
    assert sorted(found - set(listed)) == [], "columns of which nothing is said"
    twice = {name for name in listed if listed.count(name) > 1}
    assert twice == set()
    of_the_other = {name for name in listed if name.partition(".")[0] in ONLY_POSTGRESQL} | {
        "former_holder.rowid"
    }
    assert set(listed) - found <= of_the_other, "columns that are no more"


@BOTH_STORES_BY_NIGHT
async def test_of_every_column_it_is_said_what_becomes_of_it(room: Room) -> None:
    tables = await columns(room.store)
    every = _every(tables)
    # Two columns may make one field; whose a row is, the export says at its top.
    _listed_once([*EXPORTED.values(), WHOSE, *LEFT_OUT.values()], every)
    replaced = set(REPLACED.split())
    _listed_once([ERASED, REPLACED, *KEPT.values()], every)
    assert replaced <= every
    assert set(ROWS) >= set(tables)


@BOTH_STORES_BY_NIGHT
async def test_every_exported_value_is_in_the_file_and_nothing_else(house: House) -> None:
    """What is exported changes its own field of the file and no other, what is left out changes no letter."""
    for trigger, table in (("log_stands", "log"), ("draft_goes_on", "draft")):
        of_table = f" ON {table}" if house.room.store.sharing else ""
        await change(house.room.store, f"DROP TRIGGER {trigger}{of_table}")
    fields = {
        each.partition("=")[0]: (theme, each.partition("=")[2] or each.partition(".")[2].partition("=")[0])
        for theme, text in EXPORTED.items()
        for each in text.split()
    }
    whose, keys, changed = set(WHOSE.split()), set(KEYS.split()), 0
    before = await house.export()
    assert before["person"] == str(ZOE.id)
    for table, names in house.tables.items():
        row = await house.row(table)
        assert row is not None, f"{table} has no row about Zoë: see furnished()"
        for column in names:
            name = f"{table}.{column}"
            if name in whose:
                continue
            if name in keys:
                if name in fields:
                    theme, field = fields[name]
                    assert _value(field, row[column]) in [each[field] for each in before[theme]], name
                continue
            other = OTHERWISE.get(name, _another(row[column]))
            assert other != row[column], name
            await house.change(table, column, other)
            after = await house.export()
            differing = _differences(before, after)
            if name in fields:
                theme, field = fields[name]
                shown = "closed" if name == "match.closed" else _value(field, other)
                assert {(theme, field)} == {(at, of) for at, of, _ in differing}, name
                assert shown in [value for _, _, value in differing], name
            else:
                assert differing == [], name
            await house.change(table, column, row[column])
            changed += 1
    assert changed > 90
    assert await house.export() == before


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
    before = {table: await house.row(table) for table in house.tables}
    places = {table: _place(table, row) for table, row in before.items() if row is not None}
    assert set(places) == set(house.tables)
    assert await house.room.services.privacy.delete(ZOE) == []
    erased, replaced = {each.partition(".")[0] for each in ERASED.split()}, set(REPLACED.split())
    for table, row in before.items():
        assert row is not None
        after = await house.row(table, places[table])
        if table in erased:
            assert after is None, table
            continue
        assert after is not None, table
        for column, value in row.items():
            name = f"{table}.{column}"
            if name in replaced:
                assert after[column] != value, name
            elif name not in ("match.version", "job.revision", "lease.holder", "lease.until"):
                assert after[column] == value, name


@BOTH_STORES_BY_NIGHT
async def test_a_deletion_leaves_no_value_that_names_its_person(house: House) -> None:
    assert await _naming(house)
    assert await house.room.services.privacy.delete(ZOE) == []
    assert await _naming(house) == []
    data = await house.export()
    assert data.pop("person") == str(ZOE.id)
    assert not any(data.values())


async def _naming(house: House) -> list[str]:
    """Return the columns of the whole database in which a value names Zoë."""
    found = []
    for table, names in house.tables.items():
        for row in await ask(house.room.store, f"SELECT {_asked(table, names)} FROM {table}"):
            for column, value in zip(names, row, strict=True):
                text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                if str(ZOE.id) in text or ZOE.name in text:
                    found.append(f"{table}.{column}")
    return found


def _place(table: str, row: Mapping[str, Any]) -> str:
    """Return where a row stands, whoever it is about."""
    keys = {
        "match": "id",
        "chair": "match ord",
        "log": "match seq",
        "draft": "match seat aside",
        "shown": "match surface",
        "request": "id",
        "job": "match kind",
        "former_holder": "match seat at",
        "seat_offer": "match seat",
        "held_seat": "match key",
        "invitation": "match ord",
        "first_join": "match ord",
        "person": "id",
    }.get(table)
    if keys is None or table == "held_seat":
        return ROWS[table]
    return " AND ".join(
        f"{key} = '{row[key]}'" if isinstance(row[key], str) else f"{key} = {row[key]}"
        for key in keys.split()
    )


def _another(value: object) -> object:
    match value:
        case None:
            return 1
        case int():
            return 1 - value if value in (0, 1) else value + 1
        case float():
            return value - 1  # what is sorted by it stays the first
        case bytes():
            return bytes(byte ^ 1 for byte in value)
        case _:
            # Lists of words are JSON, and stay so.
            text = str(value)
            return json.dumps([[["another"]]]) if text.startswith(("[", "{")) else f"{text} another"


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    """Return where two exports differ: theme, field, and the other's value; rows are told apart by place."""
    assert one.keys() == other.keys()
    found: list[tuple[str, str, object]] = []
    for theme in one:
        if theme == "person":
            continue
        here, there = one[theme], other[theme]
        assert len(here) == len(there), theme
        for left, right in zip(here, there, strict=True):
            found += [(theme, field, right[field]) for field in left if left[field] != right[field]]
    return found
