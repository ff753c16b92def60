"""Time that is nobody's: while the bot was away, and where the machine's clock was set."""

from __future__ import annotations

import asyncio

import pytest

from bot.clocks.outages import Outages, note_first_start
from bot.domain.clocks import DAY, HOUR, Pace
from bot.domain.jobs import JobKind, Shown
from bot.domain.tables import TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.timekeeping import SteadyClock
from engines.core.contract import Seat
from tests.bot.conftest import PEOPLE, Room


class Machine:
    """A machine whose clock somebody has ``set_by`` so many seconds; true time is the room's own."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.set_by = 0.0
        self.clock = SteadyClock(lambda: self.monotonic() + self.set_by, self.monotonic)
        room.services.cache.clock = self.clock
        self.outages = Outages(room.services.cache, room.services.settings, self.clock)

    def monotonic(self) -> float:
        return self.room.now


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
async def test_the_time_of_an_outage_is_given_back(room: Room, away: float, left: float) -> None:
    info, seat = await begun(room)
    await Machine(room).outages.resume()
    room.now += away
    await room.again()
    await Machine(room).outages.resume()
    assert await hours_left(room, info, seat) == pytest.approx(left)
    assert await room.clocks.deadlines.past() == []


async def test_a_bot_that_died_before_its_first_look_was_there_all_the_same(room: Room) -> None:
    await note_first_start(room.store, room.now)
    info, seat = await begun(room)
    room.now += 9 * HOUR
    await room.again()
    await note_first_start(room.store, room.now)
    await Machine(room).outages.resume()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


@pytest.mark.parametrize("jump", [-5 * DAY, 30 * DAY])
async def test_a_clock_that_is_set_takes_nobodys_time(room: Room, jump: float) -> None:
    machine = Machine(room)
    info, seat = await begun(room)
    await machine.outages.resume()
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
    await machine.outages.resume()
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
        async with cache.alone():
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
    await Machine(room).outages.resume()
    room.now += 9 * HOUR
    await Machine(room).outages.resume()
    await outbox.set_shown(info.id, "board", shown, before="right")
    noted = await outbox.shown(info.id, "board")
    assert noted is not None
    assert noted.doubted
    await outbox.set_shown(info.id, "board", shown, before=noted.digest)
    noted = await outbox.shown(info.id, "board")
    assert noted is not None
    assert noted.digest == "right"


async def test_the_board_of_who_has_decided_in_secret_is_edited_after_an_outage_too(room: Room) -> None:
    info = await room.begin("vault", 2, pace=Pace.EVENING)
    await room.lay(info, 0)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    clocks = (await room.services.cache.get(info.id)).row.clocks
    assert clocks[1].overdue
    assert clocks[0].deadline is not None
    await Machine(room).outages.resume()
    for job in await room.services.outbox.next_jobs(99):
        await room.services.outbox.done(job)
    room.now += 2 * Pace.EVENING.allowance
    await Machine(room).outages.resume()
    assert await waiting_jobs(room) == [JobKind.BOARD]


async def test_a_holiday_lasts_as_long_whatever_the_machine_says(room: Room) -> None:
    machine = Machine(room)
    await begun(room, Pace.DAY)
    await machine.outages.resume()
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
    await machine.outages.resume()
    await room.clocks.holidays.settle()
    assert (await room.clocks.holidays.of(PEOPLE[0]))[0] is None
