"""Time that is nobody's: while the bot was away, and where the machine's clock was set."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from unittest import mock

import pytest

from bot.clocks import outages as accounts
from bot.clocks.deadlines import Deadlines
from bot.clocks.outages import MIN_OUTAGE_S, Outages, note_first_start
from bot.domain.clocks import DAY, HOUR, Pace
from bot.domain.jobs import STALE_MARK, Call, CallWay, JobKind, RecordBefore, Shown
from bot.domain.match import RowKind
from bot.domain.tables import TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.runtime.timekeeping import SteadyClock
from bot.store import Store, StoreError
from engines.core.contract import Seat
from tests.bot.conftest import PEOPLE, Room
from tests.kit.waiting import eventually, until


class Machine:
    """A machine whose clock somebody has ``set_by`` so many seconds; true time is the room's own."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.set_by = 0.0
        self.clock = SteadyClock(lambda: self.monotonic() + self.set_by, self.monotonic)
        room.services.cache.clock = self.clock
        self.outages = Outages(room.services.cache, self.clock)
        self.deadlines = Deadlines(room.services.cache, room.services.thinkers, self.outages)
        self.ids: tuple[int, ...] = (0,)
        self.count = 1
        self.down: dict[int, float] = {}
        """Since when shards have not been in service."""
        self.outages.watch(self)

    def monotonic(self) -> float:
        return self.room.now

    def shards(self) -> tuple[tuple[int, ...], int]:
        return self.ids, self.count

    def unserved(self) -> dict[int, float]:
        return {shard: self.room.now - since for shard, since in self.down.items()}

    async def answers(self) -> bool:
        return not self.down

    async def fail(self, seconds: float, *shards: int) -> None:
        """Be out of service for so long, and look as often as the house does."""
        for shard in shards or self.ids:
            self.down[shard] = self.room.now
        await self.outages.look()
        for _ in range(3):
            self.room.now += seconds / 3
            await self.outages.look()
        self.down.clear()
        await self.outages.look()


async def begun(room: Room, pace: Pace = Pace.EVENING) -> tuple[TableInfo, Seat]:
    info = await room.begin("volo", pace=pace)
    [seat] = (await room.services.cache.get(info.id)).row.asked
    return info, seat


async def hours_left(room: Room, info: TableInfo, seat: Seat) -> float:
    table = await room.services.cache.get(info.id)
    deadline = table.row.clocks[seat].deadline
    assert deadline is not None
    return (deadline - room.services.cache.clock()) / HOUR


async def waiting_jobs(room: Room) -> list[JobKind]:
    return [job.kind for job in await room.services.outbox.next_jobs(99)]


@pytest.mark.parametrize(("away", "left"), [(30.0, 1 - 30 / HOUR), (5 * 60.0, 1.0), (9 * HOUR, 1.0)])
async def test_the_time_without_a_process_is_given_back(room: Room, away: float, left: float) -> None:
    info, seat = await begun(room)
    await Machine(room).outages.look()
    room.now += away
    await room.again()
    machine = Machine(room)
    await machine.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(left)
    assert await machine.deadlines.past() == []


async def test_a_decision_that_is_made_before_the_first_check_pays_for_no_outage(room: Room) -> None:
    info, seat = await begun(room, Pace.DAY)
    await Machine(room).outages.look()
    room.now += 30 * HOUR
    await room.again()
    machine = Machine(room)
    await room.play_some(info, 1)
    clocks = (await room.services.cache.get(info.id)).row.clocks
    assert clocks[seat].reserve == Pace.DAY.reserve, "it was made within its allowance"
    await machine.outages.look()
    assert await hours_left(room, info, 1 - seat) == pytest.approx(
        (Pace.DAY.allowance + Pace.DAY.reserve) / HOUR
    )


@pytest.mark.parametrize("outage", [2.0, 59.0, 61.0, 1_800.0])
async def test_nobody_is_judged_in_an_outage_and_all_that_was_lost_is_made_up_for(
    room: Room, outage: float
) -> None:
    machine = Machine(room)
    info, _ = await begun(room)
    await machine.outages.look()
    # It begins a second before the deadline.
    room.now += HOUR - 1
    machine.down[0] = room.now
    await machine.outages.look()
    for _ in range(2):
        room.now += outage / 2
        await machine.outages.look()
        assert machine.outages.served() == []
        assert await machine.deadlines.past() == []
        await machine.deadlines.judge(info.id)
    machine.down.clear()
    await machine.outages.look()
    room.now += 0.9
    assert await machine.deadlines.past() == []
    room.now += 0.2
    assert await machine.deadlines.past() == [info.id], "judging goes on at once after it"
    await machine.deadlines.judge(info.id)
    assert (await room.log_rows(info.id))[-1].kind is RowKind.TIME_UP


@pytest.mark.parametrize("before", [0.0, 50.0, 300.0])
async def test_a_decision_that_is_asked_in_an_outage_gets_what_it_has_lost_itself(
    room: Room, before: float
) -> None:
    machine = Machine(room)
    await machine.outages.look()
    machine.down[0] = room.now
    await machine.outages.look()
    room.now += before
    info, seat = await begun(room)
    room.now += 100.0
    await machine.outages.look()
    machine.down.clear()
    await machine.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


async def test_short_outages_add_up_to_what_was_lost(room: Room) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    moved = 0.0
    for number in range(1, 41):
        room.now += 50.0
        await machine.outages.look()
        before = await hours_left(room, info, seat)
        await machine.fail(4.0)
        moved += (await hours_left(room, info, seat) - before) * HOUR + 4.0
        lost = number * 4.0
        assert lost - MIN_OUTAGE_S < moved <= lost + 1e-3
        [served] = machine.outages.served()
        assert moved + room.services.cache.clock() - served.until == pytest.approx(lost)


async def test_overlapping_outages_are_counted_once(room: Room) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    with unwritable(room.store):
        await machine.fail(300.0)
        room.now += 100.0
        await machine.outages.look()
    await machine.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


@contextmanager
def unwritable(store: Store) -> Iterator[None]:
    """Let a database take no changes within the block."""

    with mock.patch.object(store, "transaction", side_effect=StoreError("planned")):
        yield


async def test_two_seconds_without_a_database_are_two_seconds(room: Room) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    room.now += 100.0
    with unwritable(room.store):
        machine.outages.check_database()
        await machine.outages.look()
        assert machine.outages.served() == []
        room.now += 2.0
    await machine.outages.look()
    [served] = machine.outages.served()
    assert room.now - served.until == pytest.approx(2.0)
    assert await hours_left(room, info, seat) * HOUR == pytest.approx(HOUR - 102.0)


async def test_an_hour_without_a_database_is_an_hour(room: Room) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    with unwritable(room.store):
        machine.outages.check_database()
        for _ in range(60):
            await machine.outages.look()
            room.now += 60.0
    await machine.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


async def test_a_shift_whose_commit_was_not_heard_is_not_done_twice(room: Room) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    transaction, lost = room.store.transaction, [True]

    @asynccontextmanager
    async def unheard() -> AsyncIterator[object]:
        async with transaction() as unit:
            yield unit
        if lost:
            lost.clear()
            raise StoreError("planned")

    machine.down[0] = room.now
    await machine.outages.look()
    room.now += 600.0
    await machine.outages.look()
    machine.down.clear()
    with mock.patch.object(room.store, "transaction", unheard):
        await machine.outages.look()
    assert lost == []
    room.now += 5.0
    await machine.outages.look()
    room.services.cache.forget_all()
    assert await hours_left(room, info, seat) == pytest.approx(1 - 5 / HOUR)
    [served] = machine.outages.served()
    assert room.now - served.until == pytest.approx(5.0), "until it is known, nothing could be written"


async def test_a_process_that_stood_still_has_served_nobody(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MAX_STALL_S", -0.01)  # each look counts as late
    info, seat = await begun(room)
    machine = Machine(room)
    machine.outages._rest = 0.02  # noqa: SLF001
    task = asyncio.create_task(machine.outages.keep_running())
    await eventually(lambda: machine.outages.has_begun)
    room.now += 300.0

    async def is_made_up_for() -> bool:
        return await hours_left(room, info, seat) == pytest.approx(1.0)

    await until(is_made_up_for)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_bot_that_died_before_its_first_look_was_there_all_the_same(room: Room) -> None:
    await note_first_start(room.store, room.now)
    info, seat = await begun(room)
    room.now += 9 * HOUR
    await room.again()
    await note_first_start(room.store, room.now)
    await Machine(room).outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


@pytest.mark.parametrize("jump", [-5 * DAY, 30 * DAY])
async def test_a_clock_that_is_set_takes_nobodys_time(room: Room, jump: float) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    machine.set_by += jump
    assert await hours_left(room, info, seat) == pytest.approx(1.0), "nobody has looked yet"
    assert await room.clocks.deadlines.past() == [], "whoever looks first judges nobody"
    await machine.outages.look()
    assert machine.clock.drift() == pytest.approx(0.0)
    assert room.services.cache.clock() == pytest.approx(room.now + jump)
    assert await hours_left(room, info, seat) == pytest.approx(1.0)
    assert JobKind.BOARD in await waiting_jobs(room)
    await machine.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


async def test_whoever_decides_while_deadlines_move_has_a_whole_allowance_after_it(room: Room) -> None:
    """They would write a deadline of before into a table of after, and be judged an hour early."""
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.look()
    machine.set_by += 1 * HOUR
    person, begins = room.person(info, seat), asyncio.Event()
    transaction = room.services.cache.store.transaction

    def noted() -> object:
        begins.set()
        return transaction()

    room.store.transaction = noted  # type: ignore[method-assign, assignment]
    moving = asyncio.create_task(machine.outages.look())
    await begins.wait()
    panel = await room.services.drafts.panel(info.id, person)
    menu = panel.menu
    assert menu is not None
    words = (await room.services.cache.get(info.id)).require_log().match.computer(seat)
    await room.say(info, seat, " ".join(words))
    await moving
    other = 1 - seat
    assert await hours_left(room, info, other) == pytest.approx(1.0)


async def test_deadlines_move_once_all_attempts_are_done_and_before_the_next(room: Room) -> None:
    info, _ = await begun(room)
    cache, order = room.services.cache, list[str]()
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def slow(table: LoadedTable) -> None:
        inside.set()
        await go_on.wait()
        order.append(f"under way {cache.loaded(table.id)}")

    async def alone() -> None:
        async with cache.exclusive():
            order.append("alone")

    async def late(table: LoadedTable) -> None:
        order.append("after it")

    first = asyncio.create_task(cache.attempt(info.id, slow))
    await inside.wait()
    moving = asyncio.create_task(alone())
    await asyncio.sleep(0)
    second = asyncio.create_task(cache.attempt(info.id, late))
    await asyncio.sleep(0)
    assert order == []
    go_on.set()
    await asyncio.gather(first, moving, second)
    assert order == ["under way True", "alone", "after it"]


async def test_a_page_of_before_takes_no_doubt_away(room: Room) -> None:
    """A board that was painted while deadlines moved shows the old ones, whatever its sender believes."""
    info, _ = await begun(room)
    outbox = room.services.outbox
    shown = Shown(1, 2, 1, 1, digest="right")
    await outbox.set_shown(info.id, "board", shown)
    await Machine(room).outages.look()
    room.now += 9 * HOUR
    await Machine(room).outages.look()
    await outbox.set_shown(info.id, "board", shown, before="right")
    noted = await outbox.shown(info.id, "board")
    assert noted is not None
    assert noted.is_stale
    await outbox.set_shown(info.id, "board", shown, before=noted.digest)
    noted = await outbox.shown(info.id, "board")
    assert noted is not None
    assert noted.digest == "right"


async def test_a_page_that_is_begun_while_deadlines_move_is_as_new_as_the_doubt_it_takes_away(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new deadlines are committed a moment before memory drops the old ones."""
    info, seat = await begun(room)
    cache, outbox, noted = room.services.cache, room.services.outbox, list[RecordBefore]()
    await outbox.set_shown(info.id, "board", Shown(1, 2, 1, 1, digest="right"))
    await Machine(room).outages.look()
    exclusive = cache.exclusive

    @asynccontextmanager
    async def with_a_page_before_memory_knows() -> AsyncIterator[None]:
        async with exclusive():
            await cache.get(info.id)
            yield
            noted.append(await outbox.record_before(info.id, "board"))
            assert await hours_left(room, info, seat) == pytest.approx(1.0)

    monkeypatch.setattr(cache, "exclusive", with_a_page_before_memory_knows)
    room.now += 9 * HOUR
    await Machine(room).outages.look()
    [page] = noted
    assert page.digest.startswith(STALE_MARK)
    async with cache.store.read() as reader:
        assert page.version == await reader.version(info.id)


async def test_the_board_of_who_has_decided_in_secret_is_edited_after_an_outage_too(room: Room) -> None:
    info = await room.begin("vault", 2, pace=Pace.EVENING)
    await room.lay(info, 0)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    clocks = (await room.services.cache.get(info.id)).row.clocks
    assert clocks[1].overdue
    assert clocks[0].deadline is not None
    await Machine(room).outages.look()
    for job in await room.services.outbox.next_jobs(99):
        await room.services.outbox.done(job)
    room.now += 2 * Pace.EVENING.allowance
    await Machine(room).outages.look()
    assert await waiting_jobs(room) == [JobKind.BOARD]


@pytest.mark.parametrize("set_by", [-30 * HOUR, 30 * HOUR])
async def test_what_counts_from_a_moment_follows_the_machines_clock(room: Room, set_by: float) -> None:
    """Reminders, limits and repeated jobs: a clock set back must not put them off for hours."""
    machine = Machine(room)
    info, seat = await begun(room, Pace.DAY)
    await machine.outages.look()
    cache, outbox, person = room.services.cache, room.services.outbox, room.person(info, seat)
    call = Call(CallWay.MENTION, int(cache.clock() + 2 * HOUR), (seat,))
    async with cache.store.transaction() as unit:
        await unit.note_reminded(person.id, cache.clock() - HOUR)
        await unit.cancel(info.id, JobKind.BOARD)
    await outbox.call(info.id, [call])
    for job in await outbox.next_jobs(99):
        await outbox.failed(job, "error", cache.clock() + 60.0)
    machine.set_by += set_by
    await machine.outages.look()
    async with cache.store.read() as reader:
        reminded_at, _ = await reader.called(person.id)
        jobs = (await reader.jobs_after(0, 99))[0]
    assert reminded_at == pytest.approx(cache.clock() - HOUR)
    dues = {each.job.kind: each.due for each in jobs}
    assert dues.pop(JobKind.REMIND) == call.at, "it waits for an hour of the day"
    assert dues
    assert all(due <= cache.clock() + 61.0 for due in dues.values())
    assert any(due == pytest.approx(cache.clock() + 60.0) for due in dues.values())


async def test_only_the_process_that_writes_to_people_moves_their_times(room: Room) -> None:
    """Others on the same machine see its clock change too: together they would move them twice."""
    machine = Machine(room)
    machine.ids, machine.count = (1,), 2
    await machine.outages.look()
    cache, noted_at = room.services.cache, room.services.cache.clock()
    async with cache.store.transaction() as unit:
        await unit.note_reminded(PEOPLE[0].id, noted_at)
    machine.set_by += DAY
    await machine.outages.look()
    async with cache.store.read() as reader:
        reminded_at, _ = await reader.called(PEOPLE[0].id)
    assert reminded_at == noted_at


async def test_a_holiday_lasts_as_long_whatever_the_machine_says(room: Room) -> None:
    machine = Machine(room)
    await begun(room, Pace.DAY)
    await machine.outages.look()
    await room.clocks.holidays.begin(PEOPLE[0])
    room.now += 10 * DAY
    machine.set_by += 40 * DAY
    await machine.outages.look()
    await room.clocks.holidays.settle()
    holiday, left = await room.clocks.holidays.of(PEOPLE[0])
    assert holiday is not None
    assert left == pytest.approx(20 * DAY)
    # While the bot is away, holidays pass as they do elsewhere.
    room.now += 21 * DAY
    await machine.outages.look()
    await room.clocks.holidays.settle()
    assert (await room.clocks.holidays.of(PEOPLE[0]))[0] is None
