"""Painting processes that are renewed after a number of jobs, while nobody waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.workers.painting_pool import PaintingPool, painting
from bot.workers.pool import ProcessDied, WorkerPool, WorkingProcess
from tests.kit.nursery import Worker
from tests.kit.waiting import PATIENCE, eventually, let_others_run
from tests.ui.jobs import signed, waits_for
from tests.ui.test_painting import is_running, request

pytestmark = pytest.mark.usefixtures("forked")


class Processes:
    """The processes that a pool has started. Those after the first ``prompt`` are ready with ``gate``."""

    def __init__(self) -> None:
        self.all: list[Watched] = []
        self.most = 0
        """Processes that ran at once."""
        self.prompt = 1
        self.gate = asyncio.Event()
        self.gate.set()
        self.faults: dict[int, Exception] = {}
        """What the start of a process ends with, by its number."""

    def start(self, command: Sequence[str]) -> WorkingProcess:
        process = Watched(self, command)
        self.all.append(process)
        self.most = max(self.most, len(self.running()))
        return process

    def running(self) -> list[int]:
        return [process.pid for process in self.all if is_running(process.pid)]


class Watched(Worker):
    def __init__(self, others: Processes, command: Sequence[str]) -> None:
        self.number, self.others = len(others.all), others
        fault = others.faults.get(self.number)
        if type(fault) is OSError:  # there is no process at all; a TimeoutError is one too
            raise fault
        super().__init__(command)
        self.is_ready = asyncio.Event()

    async def ready(self) -> None:
        if self.number >= self.others.prompt:
            await self.others.gate.wait()
        if self.number in self.others.faults:
            raise self.others.faults[self.number]
        await super().ready()
        self.is_ready.set()


@pytest.fixture
async def started(monkeypatch: pytest.MonkeyPatch) -> Processes:
    processes = Processes()
    monkeypatch.setattr("bot.workers.pool.WorkingProcess", processes.start)
    return processes


async def do(pool: WorkerPool, work: Callable[..., Any] = os.getpid, *given: object) -> Any:
    await pool.free.acquire()
    return (await pool.work(PATIENCE, work, *given)).made


async def at_work(pool: WorkerPool, path: Path) -> asyncio.Task[int]:
    """Return a job that has begun, and ends when there is a file."""
    task: asyncio.Task[int] = asyncio.create_task(do(pool, waits_for, path))
    await eventually(path.with_suffix(".begun").exists)
    return task


async def test_a_process_is_another_one_after_its_life(started: Processes) -> None:
    pool = WorkerPool(1, painting(None), life=3)
    first = [await do(pool) for _ in range(3)]
    assert first == [started.all[0].pid] * 3
    await eventually(lambda: not is_running(first[0]))
    assert [await do(pool) for _ in range(2)] == [started.all[1].pid] * 2
    assert pool.processes == {started.all[1]}
    await pool.close()
    assert started.running() == []


async def test_a_pool_without_a_life_keeps_its_processes(started: Processes) -> None:
    pool = WorkerPool(1, painting(None))
    assert len({await do(pool) for _ in range(20)}) == 1
    await pool.close()
    assert len(started.all) == 1


async def test_no_job_fails_by_it_and_there_is_one_more_process_at_most(started: Processes) -> None:
    pool, seen = WorkerPool(2, painting(None), life=5), set[int]()
    async with asyncio.timeout(PATIENCE):
        while len(seen) < 4:
            seen.update(await asyncio.gather(*(do(pool) for _ in range(20))))
            assert len(pool.processes) <= 3
    assert started.most == 3
    await pool.close()
    assert started.running() == []


async def test_jobs_go_on_in_the_old_one_while_its_successor_starts(started: Processes) -> None:
    pool = WorkerPool(1, painting(None), life=2)
    started.gate.clear()
    async with asyncio.timeout(PATIENCE):
        assert [await do(pool) for _ in range(9)] == [started.all[0].pid] * 9
    assert len(pool.processes) == 2
    started.gate.set()
    await eventually(lambda: len(started.running()) == 1)
    assert await do(pool) == started.all[1].pid
    await pool.close()


async def test_the_old_one_finishes_its_job_before_it_ends(started: Processes, tmp_path: Path) -> None:
    pool = WorkerPool(1, painting(None), life=1)
    started.gate.clear()
    old = await do(pool)
    job = await at_work(pool, tmp_path / "go")
    started.gate.set()
    await started.all[1].is_ready.wait()
    await let_others_run()
    assert len(started.running()) == 2
    after = asyncio.create_task(do(pool))
    (tmp_path / "go").write_text("")
    assert await job == old
    assert await after == started.all[1].pid
    await eventually(lambda: not is_running(old))
    await pool.close()


async def test_of_two_only_one_is_renewed_at_a_time(started: Processes, tmp_path: Path) -> None:
    pool, started.prompt = WorkerPool(2, painting(None), life=1), 2
    started.gate.clear()
    pool.start_all()
    jobs = [await at_work(pool, tmp_path / name) for name in ("a", "b")]
    for name in ("a", "b"):
        (tmp_path / name).write_text("")
    old = set(await asyncio.gather(*jobs))
    for _ in range(3):
        await asyncio.gather(do(pool), do(pool))
    assert (len(old), len(started.all)) == (2, 3)
    started.gate.set()
    async with asyncio.timeout(PATIENCE):
        while old & set(started.running()):
            await asyncio.gather(do(pool), do(pool))
    assert started.most == 3
    await pool.close()


@pytest.mark.parametrize(
    "fault", [ProcessDied(), TimeoutError(), OSError()], ids=lambda fault: type(fault).__name__
)
async def test_a_successor_that_does_not_start_is_tried_again_later(
    started: Processes, fault: Exception
) -> None:
    pool = WorkerPool(1, painting(None), life=3)
    started.faults[1] = fault
    old, *_ = [await do(pool) for _ in range(3)]
    await eventually(lambda: len(started.running()) == 1)
    started.faults.clear()
    known = len(started.all)
    await eventually(lambda: len(pool.processes) == 1)
    assert [await do(pool) for _ in range(3)] == [old] * 3
    assert len(started.all) == known + 1
    await eventually(lambda: not is_running(old))
    assert await do(pool) == started.all[-1].pid
    await pool.close()
    assert started.running() == []


async def test_closing_in_the_middle_of_it_leaves_no_process(started: Processes, tmp_path: Path) -> None:
    for ready in (False, True):
        pool = WorkerPool(1, painting(None), life=1)
        started.prompt = len(started.all) + 1
        started.gate.clear()
        await do(pool)
        job = await at_work(pool, tmp_path / f"never {ready}")
        if ready:
            started.gate.set()
            await started.all[-1].is_ready.wait()
            await let_others_run()
        assert len(started.running()) == 2
        await pool.close()
        assert started.running() == []
        assert pool.processes == set()
        await asyncio.wait([job])
        assert job.cancelled()


async def test_closing_just_when_the_old_one_is_to_end_leaves_no_process(started: Processes) -> None:
    pool = WorkerPool(1, painting(None), life=1)
    await do(pool)
    await started.all[1].is_ready.wait()
    await pool.close()
    assert started.running() == []


@pytest.mark.parametrize("ready", [False, True])
async def test_an_old_one_that_dies_costs_no_job_and_leaves_one_process_too_many_at_most(
    started: Processes, tmp_path: Path, ready: bool
) -> None:
    pool = WorkerPool(1, painting(None), life=2)
    started.gate.clear()
    old, *_ = [await do(pool) for _ in range(2)]
    job = await at_work(pool, tmp_path / "go")
    if ready:
        started.gate.set()
        await started.all[1].is_ready.wait()
        await let_others_run()
    started.prompt = 3
    os.kill(old, signal.SIGKILL)
    (tmp_path / "go").write_text("")
    assert await job == started.all[2].pid
    started.gate.set()
    await started.all[1].is_ready.wait()
    for _ in range(20):
        await do(pool)
        assert len(pool.processes) <= 2
    assert started.most == 2
    await pool.close()
    assert started.running() == []


async def test_a_pool_renews_its_painters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.painting_pool.LIFE", 2)
    async with PaintingPool(workers=1, paint_with=signed) as painter:
        pictures = [await painter.paint(request(draft=(word,))) for word in ("a", "b")]
        (old,) = {picture.alt for picture in pictures if picture is not None}
        await eventually(lambda: not is_running(int(old)))
        late = await painter.paint(request(draft=("late",)))
        assert late is not None
        assert late.alt != old


def environment_of(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text("utf-8", "replace")


async def test_no_process_is_given_a_token_or_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISCORD_TOKEN", "BAUTA_DATABASE", "bauta_database", "BAUTA_API_URL", "PGPASSWORD"):
        monkeypatch.setenv(name, "hunter2")
    process = WorkingProcess(painting(None))
    try:
        assert "hunter2" not in environment_of(process.pid)
    finally:
        await process.end()
