"""The descriptions of the tables: what they write they read again, and they decode nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.domain.clocks import Clock
from bot.domain.tables import Preferences
from bot.store import BrokenRecord
from bot.store.schema import Column, Table
from bot.store.tables import TABLES
from bot.store.tables.matches import CHAIR, MATCH
from bot.store.tables.people import PERSON, SERVER
from bot.store.tables.work import JOB, SHOWN
from tests.bot.test_personal_columns import candidates

SECRET = "Zoë's secret"

NOT_WRITTEN = {MATCH.name, JOB.name, SHOWN.name}
"""Tables whose records are read from other columns than they are written to, or from more."""

TOGETHER: Mapping[str, dict[str, Any]] = {
    PERSON.name: {"zone": "Europe/Rome"},
    MATCH.name: {"status": "running", "closed": 0},
    SERVER.name: {"paces": '["day"]', "pace": "day"},
}
"""Values that fit to each other."""

RECORDS = [table for table in TABLES if table.make is not dict]

WRITTEN = [table for table in RECORDS if table.name not in NOT_WRITTEN]

LENIENT = {"job.tries", "job.version"}
"""Columns of which anything is read, so that players of broken tables are notified."""


def row_of(table: Table[Any]) -> dict[str, Any]:
    """Return values that the bot could store, by the columns of a record."""
    row = {each.name: next(candidates(each)) for each in table.columns if each.in_record}
    return row | TOGETHER.get(table.name, {})


@pytest.mark.parametrize(
    "table", [each for each in RECORDS if each.name not in NOT_WRITTEN], ids=lambda table: table.name
)
def test_a_record_is_written_as_it_was_read(table: Table[Any]) -> None:
    row = row_of(table)
    assert table.values(table.decode(tuple(row.values()))) == list(row.values())


@pytest.mark.parametrize("table", RECORDS, ids=lambda table: table.name)
def test_whatever_the_bot_never_writes_breaks_the_row_and_is_not_quoted(table: Table[Any]) -> None:
    row = row_of(table)
    table.decode(tuple(row.values()))
    for column in table.columns:
        if not column.in_record or f"{table.name}.{column.name}" in LENIENT:
            continue
        for wrong in wrong_values(column):
            with pytest.raises(BrokenRecord) as caught:
                table.decode(tuple((row | {column.name: wrong}).values()))
            assert str(caught.value).partition(":")[0] == table.name
            assert SECRET not in str(caught.value)
            assert caught.value.__cause__ is None


def wrong_values(column: Column) -> list[object]:
    """Return values of other kinds, and none where there must be one."""
    wrong: list[object] = [] if column.codec.takes_null else [None]
    if column.codec.sql_type != "BLOB":
        wrong.append(SECRET.encode())
    if column.codec.sql_type != "TEXT" or column.codec.choices or column.codec.is_json:
        wrong.append(SECRET)
    if column.codec.sql_type == "TEXT":
        wrong.append(7)
    return wrong


def test_a_row_with_a_column_too_few_is_broken() -> None:
    with pytest.raises(BrokenRecord):
        PERSON.decode(tuple(row_of(PERSON).values())[:-1])


def test_of_a_broken_row_the_rest_is_saved() -> None:
    row = row_of(CHAIR) | {"deadline": SECRET}
    found = CHAIR.salvage(tuple(row.values()))
    assert "deadline" not in found
    assert found.keys() == {each.keyword for each in CHAIR.columns if each.in_record} - {"deadline"}


def test_what_was_never_chosen_has_its_default() -> None:
    row = dict(zip(PERSON.record_names, PERSON.values(Preferences()), strict=True))
    assert (row["quiet_from"], row["quiet_until"], row["zone"]) == (None, None, "")
    assert PERSON.decode(tuple(row.values())) == Preferences()


def test_only_some_columns_can_be_encoded() -> None:
    sitting = CHAIR.decode(tuple(row_of(CHAIR).values()))
    assert isinstance(sitting.clock, Clock)
    assert CHAIR.encoder(("deadline", "asked"))(sitting) == [sitting.clock.deadline, sitting.asked]
