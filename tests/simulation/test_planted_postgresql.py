"""Faults that only the store over PostgreSQL could have: the simulation finds each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any, TypeAlias
from unittest import mock

import psycopg
import pytest

from bot.clocks.outages import Outages
from bot.store.postgresql import sharing, units
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.sharing import PostgresqlSharing
from bot.store.postgresql.units import PostgresqlTransaction
from tests.kit.simulation import simulate
from tests.kit.simulation.database import Storage
from tests.simulation.planted.sharing import (
    a_lease_is_released_while_busy,
    a_lost_lease_is_renewed,
    nothing_is_locked_while_it_is_asked,
    others_commits_are_not_heard,
)

Plant = Callable[[], AbstractContextManager[Any]]


def lease_for_days() -> AbstractContextManager[Any]:
    """Leave the matches of a process that is dead to it for days."""
    stack = ExitStack()
    for name in ("_CLAIM", "_RENEW"):
        sql = getattr(sharing, name).replace(f"'{sharing.LEASE_S} seconds'", "'5 days'")
        stack.enter_context(mock.patch.object(sharing, name, sql))
    return stack


def leave_clocks() -> AbstractContextManager[Any]:
    """Let each process leave the clocks to the others."""
    return mock.patch.object(Outages, "served", return_value=[])


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

    async def believing(connection: Connection) -> None:
        with suppress(psycopg.OperationalError):
            await commit(connection)

    return mock.patch.object(units, "commit", believing)


def take_what_is_leased() -> AbstractContextManager[Any]:
    """Carry out the jobs of matches that another process has a lease of."""
    sql = sharing._CLAIM.replace("AND lease.until < clock_timestamp()", "")  # noqa: SLF001
    return mock.patch.object(sharing, "_CLAIM", sql)


def renew_nothing() -> AbstractContextManager[Any]:
    """Take every lease for renewed, and renew none."""

    async def renew(own: PostgresqlSharing, matches: Iterable[str]) -> frozenset[str]:
        return frozenset(matches)

    return mock.patch.object(PostgresqlSharing, "renew", renew)


Plants: TypeAlias = "dict[str, tuple[Plant, set[str], str, range]]"
"""By name: what is planted, what is found, in which profile, and with which seeds."""

PLANTS: Plants = {
    "acknowledge early": (acknowledge_early, {"lost"}, "kills", range(30)),
}
SLOW: Plants = {
    "leave clocks": (leave_clocks, {"not judged"}, "live", range(60)),
    "lease for days": (lease_for_days, {"never idle"}, "shards", range(30)),
    "take what is leased": (take_what_is_leased, {"refused", "never idle"}, "leases", range(300)),
    "renew nothing": (renew_nothing, {"never idle", "no panel", "stale board"}, "leases", range(300)),
    "believe lost answers": (believe_lost_answers, {"lost", "broken"}, "cuts", range(200)),
    "a lost lease is renewed": (a_lost_lease_is_renewed, {"two boards", "board wrong"}, "leases", range(300)),
    "others' commits are not heard": (
        others_commits_are_not_heard,
        {"draft lost", "lost"},
        "stale",
        range(300),
    ),
    "a lease is released while busy": (
        a_lease_is_released_while_busy,
        {"restart edits", "two boards", "board wrong"},
        "leases",
        range(300),
    ),
    "nothing is locked while it is asked": (
        nothing_is_locked_while_it_is_asked,
        {"settings lost"},
        "stale",
        range(300),
    ),
}


def is_found(plant: Plant, kinds: set[str], profile: str, seeds: range, storage: Storage) -> bool:
    with plant():
        return any(simulate(seed, storage, profile=profile).kinds & kinds for seed in seeds)


@pytest.mark.parametrize("name", PLANTS)
def test_it_is_found(name: str, postgresql: Storage) -> None:
    assert is_found(*PLANTS[name], postgresql)


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", SLOW)
def test_it_is_found_in_the_end(name: str, postgresql: Storage) -> None:
    assert is_found(*SLOW[name], postgresql)
