"""Clocks after a turn was taken back: agreeing costs nothing, and the asker keeps what they have used."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.clocks import DAY, HOUR, MINUTE, Clock, Pace, Remaining
from bot.domain.match import MotionKind, RowKind
from bot.domain.tables import Person, TableInfo
from bot.matches.loaded_table import LoadedTable
from engines.core.contract import Seat
from tests.bot.conftest import Room
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

EVE = Person(700000000000000055, "Eve")
pytestmark = BOTH_STORES_BY_NIGHT


async def table(room: Room, info: TableInfo) -> LoadedTable:
    return await room.services.cache.get(info.id)


async def asked(room: Room, info: TableInfo) -> Seat:
    [seat, *_] = (await table(room, info)).row.asked
    return seat


async def left(room: Room, info: TableInfo, seat: Seat) -> tuple[float | None, float | None, float]:
    """Return the hours until a seat's allowance ends, until its deadline, and of its reserve."""
    clock = (await table(room, info)).row.clocks[seat]
    until, deadline = (None if at is None else (at - room.now) / HOUR for at in (clock.until, clock.deadline))
    return until, deadline, clock.reserve / HOUR


async def take_turn(room: Room, info: TableInfo, hours: float) -> Seat:
    """Let time pass, and the first seat that is asked decide."""
    room.now += hours * HOUR
    seat = await asked(room, info)
    await room.play_some(info, 1)
    return seat


async def take_back(room: Room, info: TableInfo, seat: Seat) -> None:
    """Let a seat ask for its turn back, and everybody else agree."""
    await room.services.motions.propose(
        info.id, (await holder(room, info, seat)), MotionKind.UNDO, str(room.request)
    )
    others = [chair.seat for chair in (await table(room, info)).playing() if not chair.by_computer]
    for other in others:
        if other is not None and other != seat:
            person = await holder(room, info, other)
            await room.services.motions.answer(info.id, person, str(room.request), agrees=True)
    assert (await table(room, info)).require_log().rows[-1].kind is RowKind.UNDO


async def holder(room: Room, info: TableInfo, seat: Seat) -> Person:
    person = (await table(room, info)).info.chair_at(seat).person
    assert person is not None
    return person


async def test_agreeing_costs_nothing(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    asker = await take_turn(room, info, 2)
    room.now += 84 * HOUR
    await take_back(room, info, asker)
    assert await left(room, info, 1 - asker) == (None, None, 72)
    await room.again()
    await take_turn(room, info, 1)
    assert await left(room, info, 1 - asker) == (24, 96, 72)


async def test_the_asker_keeps_what_is_used(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    asker = await take_turn(room, info, 20)
    room.now += 50 * HOUR
    await take_back(room, info, asker)
    assert await left(room, info, asker) == (4, 76, 72)
    await take_turn(room, info, 6)
    room.now += 5 * HOUR
    await take_back(room, info, asker)
    assert await left(room, info, asker) == (0, 70, 70), "what was used of the reserve is gone"


@pytest.mark.parametrize(
    ("pace", "used", "least"),
    [(Pace.EVENING, 59 * MINUTE, HOUR), (Pace.LIVE, 9 * MINUTE, 10 * MINUTE), (Pace.DAY, 95.5 * HOUR, HOUR)],
)
async def test_the_asker_has_an_hour_at_least(room: Room, pace: Pace, used: float, least: float) -> None:
    info = await room.begin("volo", pace=pace)
    asker = await take_turn(room, info, used / HOUR)
    await take_back(room, info, asker)
    clock = (await table(room, info)).row.clocks[asker]
    assert clock.deadline == room.now + least
    reserve = max(0.0, pace.allowance + pace.reserve - used) if pace is Pace.DAY else 0.0
    assert clock.reserve == pytest.approx(reserve)


async def test_an_outage_costs_nobody_a_second_of_what_is_taken_back(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    # Half a minute was not served, and deadlines are not moved by it yet.
    room.services.cache.lag = lambda _: 30.0
    room.now += 30.0
    asker = await take_turn(room, info, 2)
    room.now += HOUR
    await take_back(room, info, asker)
    clock = (await table(room, info)).row.clocks[asker]
    assert (clock.until, clock.deadline) == (room.now - 30.0 + 22 * HOUR, room.now - 30.0 + 94 * HOUR)


async def test_seats_that_decide_together_have_what_they_had(room: Room) -> None:
    info = await room.begin("volt", 3, pace=Pace.DAY)
    room.now += 30 * HOUR
    await room.services.actions.submit(info.id, 0, None, await room.sentence(info, 0), room.request)
    room.now += 60 * HOUR
    await take_back(room, info, 0)
    for seat in (1, 2):
        assert await left(room, info, seat) == (-6, 66, 72)
    assert await left(room, info, 0) == (0, 66, 66)


async def test_several_turns_are_taken_back_one_after_the_other(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    first = await take_turn(room, info, 30)
    second = await take_turn(room, info, 10)
    room.now += 36 * HOUR
    await take_back(room, info, second)
    assert await left(room, info, first) == (None, None, 66)
    assert await left(room, info, second) == (14, 86, 72)
    room = await room.again()
    room.now += 20 * HOUR
    await take_back(room, info, first)
    assert await left(room, info, second) == (None, None, 72)
    assert await left(room, info, first) == (0, 66, 66)


async def test_time_that_nobody_paid_for_changes_nothing(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    asker = await take_turn(room, info, 20)
    other, motions = 1 - asker, room.services.motions
    room.now += 30 * HOUR
    await room.clocks.holidays.begin(await holder(room, info, other))
    room.now += 200 * HOUR
    await room.clocks.holidays.end(await holder(room, info, other))
    await motions.propose(info.id, await holder(room, info, asker), MotionKind.PAUSE, "1")
    await motions.answer(info.id, await holder(room, info, other), "2", agrees=True)
    room.now += 300 * HOUR
    await take_back(room, info, asker)
    clock = (await table(room, info)).row.clocks[asker]
    assert clock.stopped_at == room.now
    room.now += 10 * HOUR
    await motions.resume(info.id, await holder(room, info, other), "3")
    assert await left(room, info, asker) == (4, 76, 72)
    assert await left(room, info, other) == (None, None, 72)


async def test_what_outages_have_moved_is_not_counted(room: Room) -> None:
    info = await room.begin("volt", 2, pace=Pace.DAY)
    room.now += HOUR
    await room.services.actions.submit(info.id, 0, None, await room.sentence(info, 0), room.request)
    async with room.services.cache.exclusive(), room.store.transaction() as transaction:
        await transaction.shift_clocks(100 * HOUR, 1, [0])
    room.now += 102 * HOUR
    await take_back(room, info, 0)
    assert await left(room, info, 1) == (23, 95, 72)


async def test_a_seat_that_was_taken_over_has_what_it_had(room: Room) -> None:
    info, motions = await room.begin("volo", pace=Pace.DAY), room.services.motions
    asker = await take_turn(room, info, 1)
    room.now += 50 * HOUR
    await motions.offer_seat(info.id, await holder(room, info, 1 - asker), EVE, "1")
    await motions.take_seat(info.id, EVE, "2")
    assert await left(room, info, 1 - asker) == (24, 96, 72)
    await take_back(room, info, asker)
    assert await left(room, info, 1 - asker) == (None, None, 72)


async def test_a_seat_that_a_computer_keeps_has_its_reserve_again(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    asker = await take_turn(room, info, 1)
    room.now += 97 * HOUR
    await room.clocks.deadlines.judge(info.id)
    await room.clocks.absences.let_computer_play(info.id, await holder(room, info, asker), str(room.request))
    assert (await table(room, info)).info.chair_at(1 - asker).stand_in
    await take_back(room, info, asker)
    assert await left(room, info, 1 - asker) == (None, None, 72)


async def test_a_row_that_is_older_costs_nobody_a_reserve(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    asker = await take_turn(room, info, 20)
    before = await table(room, info)
    log = before.require_log()
    assert log.rows[-1].remaining
    rows = tuple(replace(row, remaining={}) for row in log.rows)
    room.services.cache.put(replace(before, log=replace(log, rows=rows)))
    room.now += 84 * HOUR
    await take_back(room, info, asker)
    assert await left(room, info, 1 - asker) == (None, None, 72)
    assert await left(room, info, asker) == (24, 96, 72)


async def test_only_rows_that_may_be_taken_back_keep_clocks(room: Room) -> None:
    info = await room.begin("vault", 2, pace=Pace.DAY)
    await room.lay_all(info)
    assert all(not row.remaining for row in await room.log_rows(info.id))
    info = await room.begin("volo", pace=Pace.DAY)
    await take_turn(room, info, 1)
    [row] = await room.log_rows(info.id)
    assert row.remaining == {0: Remaining(72 * HOUR, 23 * HOUR, 95 * HOUR), 1: Remaining(72 * HOUR)}


def test_reminders_that_are_past_do_not_come_again() -> None:
    clock = Clock(72 * HOUR).begun(Pace.DAY, 0.0)
    kept = clock.remaining(20 * HOUR)
    again = clock.restored(kept, Pace.DAY, 50 * HOUR)
    assert (again.until, again.deadline) == (54 * HOUR, 126 * HOUR)
    assert (again.reminded, again.remind_at) == (1, 54 * HOUR - 0.1 * DAY)


def test_a_seat_that_was_late_by_then_has_an_hour() -> None:
    clock = Clock(0.0).begun(Pace.EVENING, 0.0)
    late = clock.remaining(3 * HOUR)
    again = clock.ran_out().restored(late, Pace.EVENING, 5 * HOUR)
    assert (again.deadline, again.overdue) == (6 * HOUR, False)
