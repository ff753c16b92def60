"""Races planted into the house: the simulation finds each within a stated number of seeds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from itertools import count
from typing import Any
from unittest import mock

import pytest

from bot.clocks.deadlines import Deadlines
from bot.clocks.loop import ClockLoop
from bot.domain.jobs import Job, JobKind
from bot.domain.tables import Status
from bot.edit_order import EditOrder
from bot.matches import loaded_table
from bot.matches.loaded_table import LoadedTable
from bot.matches.outbox import Outbox
from bot.pages.page import Page
from bot.store import Reader
from bot.store.transaction import Transaction
from bot.sync import board, client
from bot.sync.backlog import Backlog
from bot.sync.client import MessageClient
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

    def find(self: Backlog, job: Job) -> Any:
        return self._jobs.get(job.table_id, {}).get((job.kind, job.target))

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Transaction, "done", done))
    stack.enter_context(mock.patch.object(Backlog, "_find", find))
    return stack


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


def believe_old_nonces() -> AbstractContextManager[Any]:
    """Believe that a message shows what was posted, although an old nonce returned an old one."""
    return mock.patch.object(client, "_shows", return_value=True)


def send_all_again() -> AbstractContextManager[Any]:
    """Send at every start what is right already."""
    resume = Outbox.resume

    async def again(self: Outbox) -> None:
        await resume(self)
        async with self._cache.store.read() as reader:
            rows = await reader.tables_in([Status.OPEN, Status.RUNNING], 0.0)
        matches = [row.info.id for row in rows]
        await self.doubt(matches)
        await self.ask_for((match, JobKind.LOBBY, "") for match in matches)

    return mock.patch.object(Outbox, "resume", again)


def write_at_once() -> AbstractContextManager[Any]:
    """Let clicks and the outbox edit one message at the same time."""
    return mock.patch.object(EditOrder, "alone", side_effect=lambda _: _nothing())


def give_buttons_back() -> AbstractContextManager[Any]:
    """Put buttons back into a direct message that has lost them."""
    return mock.patch.object(EditOrder, "retired", return_value=False)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def look_for_nothing() -> AbstractContextManager[Any]:
    """Post without looking for what was sent and not noted before a crash, and let no nonce help."""
    post = MessageClient.post
    numbers = count()

    async def find(self: MessageClient, *_: object, **__: object) -> list[object]:
        return []

    async def fresh(self: MessageClient, channel: int, page: Page, **options: Any) -> int:
        return await post(self, channel, page, **{**options, "nonce": f"{next(numbers)}"})

    return mock.patch.multiple(MessageClient, find=find, post=fresh)


def tell_nobody() -> AbstractContextManager[Any]:
    """Post boards that mention nobody."""
    return mock.patch.object(board, "pinged_people", return_value=[])


def count_twice() -> AbstractContextManager[Any]:
    """Leave a draft as it was after its sentence was said, and know no request again."""
    return mock.patch.multiple(loaded_table.SeatDrafts, said=lambda self, *, aside, confirmed=None: self)


def judge_early() -> AbstractContextManager[Any]:
    """Decide for whoever is asked, whatever their clock says."""

    def asked(self: Deadlines, table: LoadedTable) -> int | None:
        running = table.info.status is Status.RUNNING and not table.is_claimable()
        people = (seat for seat in table.row.asked if table.info.person_at(seat) is not None)
        return next(people, None) if running and table.row.clocks else None

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Deadlines, "_late_seat", asked))
    stack.enter_context(mock.patch.object(Reader, "past_deadline", lambda self, now: self.by_deadline()))
    return stack


def judge_nobody() -> AbstractContextManager[Any]:
    """Look at no clock."""

    async def nothing(self: ClockLoop) -> None:
        return

    return mock.patch.object(ClockLoop, "look", nothing)


PLANTS: dict[str, tuple[Plant, set[str], int]] = {
    "acknowledge early": (acknowledge_early, {"lost"}, 10),
    "send all again": (send_all_again, {"restart edits"}, 10),
    "look for nothing": (look_for_nothing, {"two boards", "two tables", "two panels"}, 30),
    "tell nobody": (tell_nobody, {"not told"}, 20),
    "count twice": (count_twice, {"doubled"}, 20),
    "judge early": (judge_early, {"judged early"}, 40),
    "judge nobody": (judge_nobody, {"not judged"}, 40),
}
RARE: dict[str, tuple[Plant, set[str], int]] = {
    "delete newer jobs": (delete_newer_jobs, {"stale board", "stale table", "not told"}, 1_000),
    "believe memory": (believe_memory, {"stale board", "stale table", "not told"}, 1_000),
    "believe old nonces": (believe_old_nonces, {"stale board", "stale table"}, 3_000),
    "write at once": (write_at_once, {"refused"}, 8_000),
    "give buttons back": (give_buttons_back, {"stale panel", "two panels"}, 4_000),
}
"""What needs more seeds than every run can take: each is given five times what it took last, or more."""


def found_within(plant: Plant, kinds: set[str], seeds: int) -> bool:
    with plant():
        return any(found.kind in kinds for seed in range(seeds) for found in simulate(seed).findings)


@pytest.mark.parametrize("name", PLANTS)
def test_it_is_found(name: str) -> None:
    assert found_within(*PLANTS[name])


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", RARE)
def test_it_is_found_in_the_end(name: str) -> None:
    assert found_within(*RARE[name])
