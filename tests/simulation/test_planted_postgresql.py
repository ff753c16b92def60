"""Faults that only the store over PostgreSQL could have: the simulation finds each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any, TypeAlias
from unittest import mock

import psycopg
import pytest

from bot.store.postgresql import presence, sharing, units
from bot.store.postgresql.lines import Line
from bot.store.postgresql.sharing import PostgresqlSharing
from bot.store.postgresql.units import PostgresqlTransaction
from tests.kit.simulation import simulate
from tests.kit.simulation.database import Storage

Plant = Callable[[], AbstractContextManager[Any]]


def lease_for_days() -> AbstractContextManager[Any]:
    """Leave the matches of a process that is dead to it for days."""
    stack = ExitStack()
    for name in ("_CLAIM", "_RENEW"):
        sql = getattr(sharing, name).replace(f"'{sharing.LEASE} seconds'", "'5 days'")
        stack.enter_context(mock.patch.object(sharing, name, sql))
    return stack


def leave_clocks() -> AbstractContextManager[Any]:
    """Let no process have the clocks, as if another one had them for ever."""
    locked = presence._locked  # noqa: SLF001

    async def not_clocks(line: Line, kind: int, number: int) -> bool:
        return kind != presence.CLOCKS and await locked(line, kind, number)

    return mock.patch.object(presence, "_locked", not_clocks)


def acknowledge_early() -> AbstractContextManager[Any]:
    """Answer before the commit: it follows in a while."""
    commit = PostgresqlTransaction.commit

    async def late(unit: PostgresqlTransaction) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        await commit(unit)

    async def early(unit: PostgresqlTransaction) -> None:
        asyncio.create_task(late(unit)).add_done_callback(lambda task: task.cancelled() or task.exception())

    return mock.patch.object(PostgresqlTransaction, "commit", early)


def believe_lost_answers() -> AbstractContextManager[Any]:
    """Take a unit for committed where the connection ends before anything has said so."""
    commit = units.commit

    async def believing(line: Line) -> None:
        with suppress(psycopg.OperationalError):
            await commit(line)

    return mock.patch.object(units, "commit", believing)


def write_over_others() -> AbstractContextManager[Any]:
    """Change a table whatever version of it another process has committed meanwhile."""

    async def advance(unit: PostgresqlTransaction, table_id: str, version: int) -> None:
        unit.changes[table_id] = version
        sql = "UPDATE match SET version = version + 1 WHERE id = ?"
        await unit._do(sql, table_id, found=True)  # noqa: SLF001

    return mock.patch.object(PostgresqlTransaction, "advance", advance)


def take_what_is_leased() -> AbstractContextManager[Any]:
    """Carry out the jobs of matches that another process has a lease of."""
    sql = sharing._CLAIM.replace("AND lease.until < clock_timestamp()", "")  # noqa: SLF001
    return mock.patch.object(sharing, "_CLAIM", sql)


def renew_nothing() -> AbstractContextManager[Any]:
    """Take every lease for renewed, and renew none."""

    async def renew(own: PostgresqlSharing, matches: Iterable[str]) -> frozenset[str]:
        return frozenset(matches)

    return mock.patch.object(PostgresqlSharing, "renew", renew)


Found: TypeAlias = "dict[str, tuple[Plant, set[str], Iterable[int]]]"
"""By name: what is planted, what is found, and seeds of which one finds it."""

PLANTS: Found = {
    "leave clocks": (leave_clocks, {"not judged"}, (1, 3, 33)),
    "acknowledge early": (acknowledge_early, {"lost"}, (7, 11, 23)),
    "take what is leased": (take_what_is_leased, {"refused"}, (56,)),
}
SLOW: Found = {
    "lease for days": (lease_for_days, {"never idle"}, (11, 1)),
    "renew nothing": (renew_nothing, {"never idle", "no panel", "stale board"}, (27, 84)),
    "believe lost answers": (believe_lost_answers, {"lost"}, (53, 22, 42, 75)),
    "write over others": (write_over_others, {"lost"}, range(400)),
}


def found(plant: Plant, kinds: set[str], seeds: Iterable[int], storage: Storage) -> bool:
    with plant():
        return any(one.kind in kinds for seed in seeds for one in simulate(seed, storage).findings)


@pytest.mark.parametrize("name", PLANTS)
def test_it_is_found(name: str, postgresql: Storage) -> None:
    assert found(*PLANTS[name], postgresql)


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", SLOW)
def test_it_is_found_in_the_end(name: str, postgresql: Storage) -> None:
    assert found(*SLOW[name], postgresql)
