"""Reminders: whom, when and how; what holds them back; and what they may not tell."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from bot.domain.clocks import DAY, HOUR, Pace, Reminding
from bot.domain.jobs import Call, CallWay, JobKind
from bot.domain.refusals import Refusal
from bot.domain.tables import TableInfo
from bot.matches.outbox import Outbox
from engines.core.contract import Seat
from tests.bot.conftest import ALL_GAMES, PEOPLE, Room
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

pytestmark = BOTH_STORES_BY_NIGHT


async def remind(room: Room) -> list[tuple[str, Call]]:
    """Remind as the loop does; return the calls that came of it, and have them made."""
    outbox = Outbox(room.services.cache)
    for match in await room.clocks.reminders.due():
        await room.clocks.reminders.remind(match)
    found = [job for job in await outbox.next_jobs(999) if job.kind is JobKind.REMIND]
    for job in found:
        await outbox.done(job)
    return [(job.table_id, Call.parse(job.target)) for job in found]


async def told(room: Room) -> list[tuple[CallWay, tuple[Seat, ...]]]:
    return [(call.way, call.seats) for _, call in await remind(room)]


async def asked(room: Room, info: TableInfo) -> Seat:
    return (await room.services.cache.get(info.id)).row.asked[0]


async def play(room: Room, info: TableInfo, seat: Seat) -> None:
    """Say whatever may be said for a seat."""
    words = await room.sentence(info, seat)
    await room.services.actions.submit(info.id, seat, None, words, str(next(room.requests)))


async def refused(work: Awaitable[object]) -> str:
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.msg.key


def person(info: TableInfo, seat: Seat) -> int:
    found = info.person_at(seat)
    assert found is not None
    return found


@pytest.mark.parametrize("pace", [pace for pace in Pace if pace is not Pace.NONE])
async def test_at_half_time_and_before_the_last_tenth(room: Room, pace: Pace) -> None:
    info = await room.begin("volo", pace=pace)
    begun, seat = room.now, await asked(room, info)
    times = []
    for step in range(1, 200):
        room.now = begun + pace.allowance * step / 100
        if await told(room):
            times.append(step)
    # From a day on it may be an hour later, since an hour is kept between two.
    assert times == [50, 90]
    assert (await room.services.cache.get(info.id)).row.clocks[seat].remind_at is None


async def test_every_reminder_comes_once_whatever_is_killed(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    room.now += 12 * HOUR
    assert await told(room) == [(CallWay.MENTION, (await asked(room, info),))]
    assert await told(room) == []
    await room.again()
    assert await told(room) == []


async def test_who_was_late_to_be_told_is_told_once(room: Room) -> None:
    await room.begin("volo", pace=Pace.DAY)
    room.now += 23 * HOUR
    assert len(await told(room)) == 1
    room.now += HOUR
    assert await told(room) == []


async def test_nothing_is_told_once_it_is_decided(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    room.now += 11 * HOUR
    seat = await asked(room, info)
    await play(room, info, seat)
    room.now += HOUR
    assert await told(room) == []
    room.now += 11 * HOUR
    assert await told(room) == [(CallWay.MENTION, (await asked(room, info),))]


async def test_quiet_hours_hold_reminders_back_and_no_clock(room: Room) -> None:
    room.now = datetime(2026, 5, 4, 11, 0, tzinfo=ZoneInfo("Europe/Rome")).timestamp()
    info = await room.begin("volo", pace=Pace.DAY)
    seat, settings = await asked(room, info), room.services.settings
    before = (await room.services.cache.get(info.id)).row.clocks[seat]
    await settings.set_zone(person(info, seat), "Europe/Rome")
    await settings.set_quiet(person(info, seat), begin=22, end=8)
    room.now += 12 * HOUR  # at eleven in the evening
    assert await told(room) == []
    room.now += 9 * HOUR - 1
    assert await told(room) == []
    after = (await room.services.cache.get(info.id)).row.clocks[seat]
    assert (after.until, after.deadline) == (before.until, before.deadline)
    room.now += 1  # at eight
    assert len(await told(room)) == 1


async def test_quiet_hours_beyond_the_deadline_are_not_waited_for(room: Room) -> None:
    room.now = datetime(2026, 5, 4, 21, 45, tzinfo=ZoneInfo("Europe/Rome")).timestamp()
    info = await room.begin("volo", pace=Pace.EVENING)
    seat, settings = await asked(room, info), room.services.settings
    await settings.set_zone(person(info, seat), "Europe/Rome")
    await settings.set_quiet(person(info, seat), begin=22, end=8)
    room.now += 30 * 60
    assert await told(room) == []
    assert await room.clocks.reminders.next_in() is None


async def test_no_more_than_one_an_hour_from_a_day_on(room: Room) -> None:
    first = await room.begin("volo", pace=Pace.DAY)
    room.now += 600
    second = await room.begin("volo", pace=Pace.DAY)
    whose = person(first, await asked(room, first))
    if person(second, await asked(room, second)) != whose:
        await play(room, second, await asked(room, second))
    begun, times = room.now, []
    for minute in range(0, 24 * 60, 5):
        room.now = begun + minute * 60
        for match, call in await remind(room):
            info = first if match == first.id else second
            if whose in {info.person_at(seat) for seat in call.seats}:
                times.append(minute)
    assert len(times) == 4
    assert all(later - earlier >= 60 for earlier, later in pairwise(times))


async def test_several_matches_are_one_direct_message(room: Room) -> None:
    infos = [await room.begin("volo", pace=Pace.DAY) for _ in range(3)]
    for each in PEOPLE[:2]:
        await room.services.settings.set_reminders(each, Reminding.MESSAGE)
    waiting = {person(info, await asked(room, info)) for info in infos}
    room.now += 12 * HOUR
    calls = await remind(room)
    assert {call.way for _, call in calls} == {CallWay.MESSAGE}
    assert len(calls) == len(waiting)
    room.now += 2 * HOUR
    assert await remind(room) == []


async def test_who_wants_none_gets_none(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.LIVE)
    await room.services.settings.set_reminders(person(info, await asked(room, info)), Reminding.NONE)
    room.now += 599
    assert await told(room) == []


async def test_a_muted_match_reminds_of_nothing_until_it_is_heard_again(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.LIVE)
    who = person(info, await asked(room, info))
    assert await room.clocks.reminders.mute(info.id, who)
    room.now += 300
    assert await told(room) == []
    await room.again()
    assert not await room.clocks.reminders.mute(info.id, who)
    room.now += 240
    assert len(await told(room)) == 1


async def test_who_takes_no_messages_is_mentioned_from_the_next_decision_on(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.LIVE)
    seat = await asked(room, info)
    await room.services.settings.set_reminders(person(info, seat), Reminding.MESSAGE)
    room.now += 300
    assert await told(room) == [(CallWay.MESSAGE, (seat,))]
    await room.services.outbox.note_unreached(person(info, seat), reached=False)
    room.now += 240
    # No change within one decision: it would say that a message was tried.
    assert await told(room) == [(CallWay.MESSAGE, (seat,))]
    await play(room, info, seat)
    await play(room, info, await asked(room, info))
    assert await asked(room, info) == seat
    room.now += 300
    assert (CallWay.MENTION, (seat,)) in await told(room)


@pytest.mark.parametrize("key", sorted(ALL_GAMES))
async def test_mentions_go_by_what_the_public_sees(room: Room, key: str) -> None:
    """Whoever has decided in secret is mentioned as if they had not."""
    info = await room.begin(key, pace=Pace.LIVE)
    log = (await room.services.cache.get(info.id)).require_log()
    waiting = set(log.public.waiting)
    for seat in sorted(waiting):
        # As long as nobody notices: a secret decision, if the game has one here.
        before = (await room.services.cache.get(info.id)).require_log().public
        await play(room, info, seat)
        if (await room.services.cache.get(info.id)).require_log().public is not before:
            return
    room.now += 300
    [(_, call)] = await remind(room)
    assert set(call.seats) == waiting


# --- nudges -------------------------------------------------------------------------------------------


async def test_those_who_wait_can_have_the_others_told_once(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    seat = await asked(room, info)
    waiter = person(info, 1 - seat)
    room.now += HOUR
    await room.clocks.reminders.nudge(info.id, waiter, "1")
    await room.clocks.reminders.nudge(info.id, waiter, "1")
    [(_, call)] = await remind(room)
    assert (call.seats, call.nudge) == ((seat,), True)
    assert await refused(room.clocks.reminders.nudge(info.id, waiter, "2")) == "no.nudge_again"
    # It takes no reminder away.
    room.now += 11 * HOUR
    [(_, call)] = await remind(room)
    assert not call.nudge


async def test_who_may_not_nudge(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    seat = await asked(room, info)
    nudge = room.clocks.reminders.nudge
    assert await refused(nudge(info.id, person(info, seat), "1")) == "no.nudge_asked"
    assert await refused(nudge(info.id, PEOPLE[3], "2")) == "no.not_seated"
    slow = await room.begin("volo", pace=Pace.NONE)
    waiter = person(slow, 1 - await asked(room, slow))
    assert await refused(nudge(slow.id, waiter, "3")) == "no.nudge_nobody"


async def test_a_nudge_waits_for_the_end_of_quiet_hours(room: Room) -> None:
    room.now = datetime(2026, 5, 4, 21, 0, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
    info = await room.begin("volo", pace=Pace.SLOW)
    seat = await asked(room, info)
    await room.services.settings.set_zone(person(info, seat), "Asia/Tokyo")
    await room.services.settings.set_quiet(person(info, seat), begin=20, end=6)
    await room.clocks.reminders.nudge(info.id, person(info, 1 - seat), "1")
    assert await remind(room) == []
    room.now += 9 * HOUR
    assert [call.nudge for _, call in await remind(room)] == [True]


# --- holidays -----------------------------------------------------------------------------------------


async def test_on_holiday_a_clock_stands_still_and_then_runs_on(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    seat = await asked(room, info)
    await play(room, info, seat)
    seat = await asked(room, info)
    who = person(info, seat)
    begun = (await room.services.cache.get(info.id)).row.clocks[seat]
    room.now += HOUR
    await room.clocks.holidays.begin(who)
    assert (await room.services.cache.get(info.id)).info.chair_at(seat).away
    room.now += 20 * DAY
    await room.again()
    assert await room.clocks.deadlines.past() == []
    assert await remind(room) == []
    await room.clocks.holidays.end(who)
    after = (await room.services.cache.get(info.id)).row.clocks[seat]
    assert (after.until, after.deadline) == (
        (begun.until or 0) + 20 * DAY,
        (begun.deadline or 0) + 20 * DAY,
    )
    assert not (await room.services.cache.get(info.id)).info.chair_at(seat).away


async def test_a_holiday_ends_of_itself_after_thirty_days(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    who = person(info, await asked(room, info))
    await room.clocks.holidays.begin(who)
    room.now += 30 * DAY - 1
    await room.clocks.holidays.settle()
    assert (await room.clocks.holidays.of(who))[0] is not None
    room.now += 1
    await room.clocks.holidays.settle()
    assert await room.clocks.holidays.of(who) == (None, 0.0)
    assert not (await room.services.cache.get(info.id)).info.chairs[0].away
    await play(room, info, await asked(room, info))
    room.now += 1
    assert await refused(room.clocks.holidays.begin(who)) == "no.no_holiday_left"
    room.now += 340 * DAY
    assert (await room.clocks.holidays.of(who))[1] > 4 * DAY


async def test_between_two_holidays_something_is_decided(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    seat = await asked(room, info)
    who = person(info, seat)
    await room.clocks.holidays.begin(who)
    room.now += DAY
    await room.clocks.holidays.end(who)
    room.now += HOUR
    assert await refused(room.clocks.holidays.begin(who)) == "no.holiday_again"
    await play(room, info, seat)
    await room.clocks.holidays.begin(who)
    assert (await room.clocks.holidays.of(who))[1] == 29 * DAY


async def test_a_holiday_is_for_matches_over_days(room: Room) -> None:
    live, slow = await room.begin("volo", pace=Pace.EVENING), await room.begin("volo", pace=Pace.SLOW)
    for who in PEOPLE[:2]:
        await room.clocks.holidays.begin(who)
    room.now += HOUR
    assert await room.clocks.deadlines.past() == [live.id]
    room.now += 25 * DAY
    assert slow.id not in await room.clocks.deadlines.past()


async def test_a_decision_on_holiday_begins_clocks_that_stand(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    seat = await asked(room, info)
    for who in PEOPLE[:2]:
        await room.clocks.holidays.begin(who)
    room.now += 2 * DAY
    await play(room, info, seat)
    other = await asked(room, info)
    clock = (await room.services.cache.get(info.id)).row.clocks[other]
    assert (clock.stopped_at, clock.until) == (room.now, room.now + DAY)
    # Nothing of the reserve is gone for what was decided on holiday.
    assert (await room.services.cache.get(info.id)).row.clocks[seat].reserve == Pace.DAY.reserve


def test_calls_of_the_same_second_are_told_apart() -> None:
    """Quiet hours of several people end at the same time: none of their calls is taken for another."""
    calls = [
        Call(way, 1_800_000_000, seats, nudge)
        for way in CallWay
        for seats in ((0,), (1,), (0, 1))
        for nudge in (False, True)
    ]
    assert len({call.number for call in calls}) == len(calls)
    assert all(Call.parse(call.target) == call for call in calls)
