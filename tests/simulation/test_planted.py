"""Races planted into the house: the simulation finds each within a stated number of seeds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest

from bot.domain.jobs import Job
from bot.matches.outbox import Outbox
from bot.store.transaction import Transaction
from tests.kit.simulation import simulate

Plant = Callable[[], AbstractContextManager[Any]]


def believe_memory() -> AbstractContextManager[Any]:
    """Carry jobs out on what memory has, although their commit may not have reached it."""

    async def at_once(self: Outbox, job: Job) -> None:
        return

    return mock.patch.object(Outbox, "catch_up", at_once)


def delete_newer_jobs() -> AbstractContextManager[Any]:
    """Take a job out of the outbox although it was enqueued again meanwhile."""

    async def done(self: Transaction, job: Job) -> None:
        sql = "DELETE FROM job WHERE match = ? AND kind = ? AND target = ?"
        await self._do(sql, job.table_id, job.kind.value, job.target)

    return mock.patch.object(Transaction, "done", done)


def acknowledge_early() -> AbstractContextManager[Any]:
    """Answer before the commit: it follows in a while."""
    commit = Transaction.commit

    async def early(self: Transaction) -> None:
        late = asyncio.create_task(_later(commit(self)))
        late.add_done_callback(lambda task: task.cancelled() or task.exception())

    return mock.patch.object(Transaction, "commit", early)


async def _later(work: Awaitable[None]) -> None:
    for _ in range(5):
        await asyncio.sleep(0)
    await work


PLANTS: dict[str, tuple[Plant, set[str], int]] = {
    "believe memory": (believe_memory, {"stale board", "stale table", "not told"}, 100),
    "delete newer jobs": (delete_newer_jobs, {"stale board", "stale table", "not told"}, 100),
    "acknowledge early": (acknowledge_early, {"lost"}, 100),
}


@pytest.mark.parametrize("name", PLANTS)
def test_it_is_found(name: str) -> None:
    plant, kinds, within = PLANTS[name]
    with plant():
        found = (finding.kind for seed in range(within) for finding in simulate(seed).findings)
        assert any(kind in kinds for kind in found), f"{name} was not found in {within} seeds"
