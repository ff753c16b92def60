"""Sessions of the gateway are not used up: a thousand within a day, and Discord resets the token."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import discord
import pytest

from bot.gateway.session_starts import (
    CONDITION,
    MARGIN,
    RESERVED_SESSIONS,
    STABLE_AFTER_S,
    START_INTERVAL_S,
    SessionStarts,
)
from bot.runtime.heartbeat import Conditions
from bot.store import StoreError

DAY = 86_400.0


@dataclass(frozen=True)
class Said:
    remaining: int
    reset_after: int = 0
    max_concurrency: int = 1


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def conditions() -> Conditions:
    return Conditions()


@pytest.fixture
def starts(clock: Clock, conditions: Conditions) -> SessionStarts:
    return SessionStarts(conditions, clock=clock, sleep=clock.sleep)


async def plenty() -> Said:
    return Said(1_000)


async def begin(starts: SessionStarts) -> None:
    await starts.before_identify(plenty)
    await starts.identify()
    starts.connected(0)


@pytest.mark.parametrize("lasts", [0.0, 5.0, STABLE_AFTER_S - 1])
async def test_a_day_of_sessions_that_do_not_last(lasts: float, starts: SessionStarts, clock: Clock) -> None:
    begun, end = 0, clock.now + DAY
    while clock.now < end:
        await begin(starts)
        begun += 1
        await clock.sleep(lasts)
        starts.lost(0)
    assert begun < 200
    assert not starts.take_service()


async def test_the_first_session_is_begun_at_once_and_after_minutes_of_service_the_next(
    starts: SessionStarts, clock: Clock
) -> None:
    before = clock.now
    for _ in range(3):
        await begin(starts)
        assert clock.now - before < START_INTERVAL_S
        await clock.sleep(STABLE_AFTER_S)
        starts.lost(0)
        before = clock.now
    assert starts.take_service()
    assert not starts.take_service()


async def test_pauses_grow_and_one_success_resets_nothing(starts: SessionStarts, clock: Clock) -> None:
    waits = []
    for _ in range(9):
        before = clock.now
        await begin(starts)
        waits.append(clock.now - before)
        starts.all_lost()
    assert waits[0] == 0.0
    assert all(before <= after for before, after in pairwise(waits[:8]))
    assert waits[-1] >= 450.0


async def test_a_resumed_session_serves_on_and_resuming_slows_down(
    starts: SessionStarts, clock: Clock
) -> None:
    await begin(starts)
    waits = []
    for _ in range(10):
        starts.lost(0)
        before = clock.now
        await starts.before_resume()
        waits.append(clock.now - before)
        starts.connected(0)
    assert waits[0] == 0.0
    assert 45.0 <= waits[-1] <= 60.0


async def test_shards_are_begun_at_a_distance(starts: SessionStarts, clock: Clock) -> None:
    await starts.before_identify(plenty)
    times = []
    for _ in range(4):
        await starts.identify()
        times.append(clock.now)
    assert [after - before for before, after in pairwise(times)] == [START_INTERVAL_S] * 3


async def test_the_last_sessions_of_a_day_are_left_to_the_operator(
    starts: SessionStarts, clock: Clock, conditions: Conditions
) -> None:
    said = [Said(RESERVED_SESSIONS, 7_200_000), Said(0), Said(RESERVED_SESSIONS + 1)]
    noted = []

    async def ask() -> Said:
        noted.append(conditions.present().get(CONDITION, ""))
        return said.pop(0)

    before = clock.now
    await starts.before_identify(ask)
    assert clock.now - before >= 7_200.0
    assert noted[0] == ""
    assert "none is begun for 120 minutes" in noted[1]
    assert conditions.present() == {}


@pytest.mark.parametrize("error", [discord.ClientException(), OSError(), KeyError("remaining")])
async def test_a_discord_that_does_not_say_leaves_it_to_the_pauses(
    error: Exception, starts: SessionStarts, clock: Clock
) -> None:
    async def ask() -> Said:
        raise error

    before = clock.now
    await starts.before_identify(ask)
    assert clock.now == before


# --- several processes --------------------------------------------------------------------------------


class Book:
    """Where processes reserve their moments; its line to the database may be down."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.next: dict[int, float] = {}
        self.down = False

    async def reserve(self, key: int, spacing: float) -> float:
        if self.down:
            raise StoreError("planned")
        moment = max(self.clock.now, self.next.get(key, 0.0))
        self.next[key] = moment + spacing
        return moment - self.clock.now


async def test_shards_of_several_processes_are_begun_at_a_distance(
    conditions: Conditions, clock: Clock
) -> None:
    book = Book(clock)
    processes = [
        SessionStarts(conditions, clock=clock, sleep=clock.sleep, reserve=book.reserve) for _ in range(2)
    ]
    times = []
    for shard in range(6):
        process = processes[shard % 2]
        await process.before_identify(plenty)
        await process.identify(shard)
        process.connected(shard)
        process.lost(shard)
        times.append(clock.now)
    assert all(after - before >= START_INTERVAL_S + MARGIN for before, after in pairwise(times))
    assert set(book.next) == {0}


async def test_shards_of_other_keys_need_no_distance(conditions: Conditions, clock: Clock) -> None:
    book = Book(clock)
    starts = SessionStarts(conditions, clock=clock, sleep=clock.sleep, reserve=book.reserve)

    async def large() -> Said:
        return Said(1_000, max_concurrency=4)

    await starts.before_identify(large)
    before = clock.now
    for shard in range(4):
        await starts.identify(shard)
    assert clock.now == before
    await starts.identify(5)
    assert clock.now == before + START_INTERVAL_S + MARGIN
    assert set(book.next) == {0, 1, 2, 3}


async def test_without_the_database_each_process_keeps_its_own_distance(
    conditions: Conditions, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    book = Book(clock)
    starts = SessionStarts(conditions, clock=clock, sleep=clock.sleep, reserve=book.reserve)
    await starts.before_identify(plenty)
    book.down = True
    times = []
    for _ in range(3):
        await starts.identify()
        times.append(clock.now)
    assert [after - before for before, after in pairwise(times)] == [START_INTERVAL_S] * 2
    assert "gateway session: reserving a start failed: planned" in caplog.text
    book.down = False
    await starts.identify()
    assert clock.now == times[-1], "nobody else has begun one"
