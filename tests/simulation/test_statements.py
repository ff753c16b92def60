"""How a simulation has a real PostgreSQL carry out statements: one at a time, whatever waits for a lock."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from random import Random
from typing import Any

import pytest
from psycopg import AsyncConnection, OperationalError, errors

from tests.kit.simulation.database import Storage
from tests.kit.simulation.loop import SeededLoop
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.postgresql import PostgresqlDatabase
from tests.kit.simulation.statements import LOCK_TIMEOUT

LOCK = "SELECT pg_advisory_xact_lock({})"


class Nowhere:
    """A run without a house."""

    def __init__(self, loop: SeededLoop) -> None:
        self.loop = loop
        self.random = loop.random
        self.plan = Plan()
        self.tally = Counter[str]()

    def others_wall(self) -> float:
        return self.loop.time()

    def committed(self) -> None:
        return

    def tell(self, what: str, text: str) -> None:
        return


class Bench:
    """A loop, and what runs on it: the world's own tasks, or those of a life."""

    def __init__(self, loop: SeededLoop, database: PostgresqlDatabase) -> None:
        self.loop = loop
        self.database = database

    def begin(self, work: Coroutine[Any, Any, Any], life: int = 1) -> asyncio.Task[Any]:
        return self.loop.create_task(work, context=self.loop.in_life(life))

    def run(self, *tasks: asyncio.Task[Any]) -> None:
        self.loop.run_until(lambda: all(task.done() for task in tasks))

    async def connected(self) -> AsyncConnection[Any]:
        return await AsyncConnection.connect(self.database.address.url, autocommit=True)

    def connections(self, number: int, life: int = 1) -> list[AsyncConnection[Any]]:
        tasks = [self.begin(self.connected(), life) for _ in range(number)]
        self.run(*tasks)
        return [task.result() for task in tasks]


@pytest.fixture
def bench(postgresql: Storage) -> Iterator[Bench]:
    loop = SeededLoop(Random(1), 10_000)  # type: ignore[abstract] # no sockets, no signals
    with postgresql() as database, database.edges(Nowhere(loop)):
        assert isinstance(database, PostgresqlDatabase)
        yield Bench(loop, database)
        for life in (1, 2):
            loop.end_life(life)
            database.cut_off(life)
        loop.bury_all()


async def do(line: AsyncConnection[Any], *statements: str) -> None:
    for each in statements:
        await line.execute(each.encode())


def test_what_waits_for_a_lock_goes_on_once_it_is_free(bench: Bench) -> None:
    done: list[int] = []

    async def take(number: int, line: AsyncConnection[Any]) -> None:
        await do(line, LOCK.format(7))
        done.append(number)
        await do(line, "COMMIT")

    first, *others = bench.connections(4)
    bench.run(bench.begin(do(first, "BEGIN", LOCK.format(7))))
    for line in others:
        bench.run(bench.begin(do(line, "BEGIN")))
    tasks = [bench.begin(take(number, line)) for number, line in enumerate(others)]
    bench.run(bench.begin(asyncio.sleep(1.0)))
    assert not done
    bench.run(bench.begin(do(first, "COMMIT")), *tasks)
    assert sorted(done) == [0, 1, 2]


def test_who_wait_for_each_other_do_not_wait_for_ever(bench: Bench) -> None:
    lines = bench.connections(2)
    bench.run(*(bench.begin(do(line, "BEGIN", LOCK.format(n))) for n, line in enumerate(lines)))
    tasks = [bench.begin(do(line, LOCK.format(1 - n), "COMMIT")) for n, line in enumerate(lines)]
    bench.run(*tasks)
    failed = [error for task in tasks if (error := task.exception()) is not None]
    assert [type(error) for error in failed] == [errors.DeadlockDetected]


def test_what_waits_too_long_is_given_up(bench: Bench) -> None:
    first, second = bench.connections(2)
    bench.run(bench.begin(do(first, "BEGIN", LOCK.format(7))))
    begun = bench.loop.time()
    task = bench.begin(do(second, LOCK.format(7)))
    bench.run(task)
    assert isinstance(task.exception(), errors.QueryCanceled)
    assert bench.loop.time() - begun >= LOCK_TIMEOUT


def test_who_is_cancelled_leaves_no_statement_behind(bench: Bench) -> None:
    first, second = bench.connections(2)
    bench.run(bench.begin(do(first, "BEGIN", LOCK.format(7))))
    task = bench.begin(do(second, LOCK.format(7)))
    bench.run(bench.begin(asyncio.sleep(1.0)))
    task.cancel()
    bench.run(task)
    assert task.cancelled()
    bench.run(bench.begin(do(second, "SELECT 1")))


def test_the_locks_of_a_life_that_ends_are_free(bench: Bench) -> None:
    [first], [second] = bench.connections(1, life=1), bench.connections(1, life=2)
    bench.run(bench.begin(do(first, "BEGIN", LOCK.format(7))))
    task = bench.begin(do(second, LOCK.format(7)), life=2)
    bench.run(bench.begin(asyncio.sleep(1.0), life=2))
    assert not task.done()
    bench.loop.end_life(1)
    bench.database.cut_off(1)
    bench.run(task)
    assert task.exception() is None


@pytest.mark.parametrize("cuts", [0.0, 1.0])
def test_a_connection_may_end_before_a_statement_or_before_its_answer(bench: Bench, cuts: float) -> None:
    insert = "INSERT INTO house (key, value) VALUES ('key', 'value')"
    outcomes: set[tuple[bool, bool]] = set()
    for _ in range(6):
        [line] = bench.connections(1)
        bench.database.cut(cuts)
        task = bench.begin(do(line, insert))
        bench.run(task)
        bench.database.cut(0.0)
        outcomes.add(
            (isinstance(task.exception(), OperationalError), bool(bench.database.ask("TABLE house")))
        )
        bench.database.clear()
    assert outcomes == ({(True, False), (True, True)} if cuts else {(False, True)})


def test_the_server_goes_by_the_time_of_the_loop(bench: Bench) -> None:
    async def ask(line: AsyncConnection[Any]) -> float:
        cursor = await line.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        [(found,)] = await cursor.fetchall()
        return float(found)

    [line] = bench.connections(1)
    for _ in range(3):
        bench.run(bench.begin(asyncio.sleep(1_000.0)))
        task = bench.begin(ask(line))
        bench.run(task)
        assert task.result() == pytest.approx(bench.loop.time(), abs=3.0)
