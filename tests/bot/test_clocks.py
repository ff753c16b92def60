"""Clocks: when they run, what they leave of a reserve, and who learns what of them."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY, HOUR, Clock, Pace
from bot.domain.match import RowKind
from bot.domain.tables import TableInfo
from engines.core.contract import Seat
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, sit_down

THREE_DAYS = 3 * DAY


async def clocks_of(room: Room, info: TableInfo) -> dict[Seat, Clock]:
    return dict((await room.services.cache.get(info.id)).row.clocks)


async def deadlines(room: Room, info: TableInfo) -> dict[Seat, float | None]:
    """Return the hours from now until each seat's deadline."""
    found = await clocks_of(room, info)
    return {
        seat: None if clock.deadline is None else (clock.deadline - room.now) / HOUR
        for seat, clock in found.items()
    }


# --- one clock ------------------------------------------------------------------------------------------


def test_a_decision_uses_its_allowance_first_then_the_reserve() -> None:
    clock = Clock(THREE_DAYS).begun(Pace.DAY, 0.0)
    assert (clock.until, clock.deadline) == (DAY, DAY + THREE_DAYS)
    assert clock.answered(DAY).reserve == THREE_DAYS
    assert clock.answered(DAY + HOUR).reserve == THREE_DAYS - HOUR
    assert clock.answered(9 * DAY).reserve == 0.0


def test_what_is_left_of_a_reserve_is_the_next_decisions() -> None:
    clock = Clock(THREE_DAYS).begun(Pace.DAY, 0.0).answered(DAY + HOUR).off().begun(Pace.DAY, 50 * DAY)
    assert clock.deadline == 50 * DAY + DAY + THREE_DAYS - HOUR


def test_a_clock_that_stands_takes_nothing() -> None:
    clock = Clock(THREE_DAYS)
    assert clock.answered(9 * DAY) == clock.off() == clock
    assert clock.given(Pace.DAY, 0.0) == clock


def test_time_that_is_given_counts_from_now_where_time_is_up() -> None:
    clock = Clock(0.0).begun(Pace.EVENING, 0.0)
    assert clock.given(Pace.EVENING, 0.5 * HOUR).deadline == 2 * HOUR
    late = clock.ran_out().given(Pace.EVENING, 5 * HOUR)
    assert (late.deadline, late.overdue) == (6 * HOUR, False)


def test_missed_decisions_are_counted_in_a_row() -> None:
    clock = Clock(0.0).counted(missed=True).counted(missed=True)
    assert clock.missed == 2
    assert clock.counted(missed=False).missed == 0


# --- in a match -----------------------------------------------------------------------------------------


async def test_without_a_pace_there_is_no_clock(room: Room) -> None:
    info = await room.begin(seats=3)
    await room.lay_all(info)
    assert await clocks_of(room, info) == {}
    assert await room.clocks.deadlines.next_in() is None


async def test_all_who_decide_together_have_clocks_of_their_own(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.DAY)
    assert await deadlines(room, info) == {0: 96.0, 1: 96.0, 2: 96.0}
    room.now += 30 * HOUR
    await room.lay(info, 0)
    room.now += 2 * HOUR
    await room.lay(info, 1)
    await room.lay(info, 2)
    # A round is over: seat 0 took six hours of its reserve, the others eight.
    assert await deadlines(room, info) == {0: 90.0, 1: 88.0, 2: 88.0}


async def test_who_decided_in_secret_looks_like_who_has_not(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.DAY)
    before = (await room.services.queries.board(info.id)).clocks
    room.now += 30 * HOUR
    await room.lay(info, 0)
    assert (await room.services.queries.board(info.id)).clocks == before
    assert (await room.panel(info, 0)).clock is None
    assert (await room.panel(info, 1)).clock is not None
    assert all(clock.reserve == 0.0 and clock.missed == 0 for clock in before.values())


async def test_who_decided_in_secret_is_never_late(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.EVENING)
    await room.lay(info, 0)
    room.now += HOUR
    await room.clocks.deadlines.judge(info.id)
    assert {row.seat for row in await room.log_rows(info.id) if row.kind is RowKind.LAPSE} == {1, 2}


async def test_a_draft_moves_no_clock(room: Room) -> None:
    info = await room.begin(seats=2, pace=Pace.DAY)
    before = await clocks_of(room, info)
    room.now += HOUR
    card = (await room.hand(info, 0))[0]
    await room.draft(info, 0, "lay", card)
    assert await clocks_of(room, info) == before


async def test_the_offer_of_a_draw_moves_no_clock(room: Room) -> None:
    info = await room.begin("volto", pace=Pace.DAY)
    before = await clocks_of(room, info)
    room.now += HOUR
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    assert await clocks_of(room, info) == before


async def test_computers_and_whoever_resigned_have_no_deadline(room: Room) -> None:
    info = await open_table(
        room.services, "vault", {}, 3, PEOPLE[0], PLACE, room.request, computers=COMPUTER, pace=Pace.DAY
    )
    info = await sit_down(room.services, info.id, PEOPLE[1], room.request)
    people = sorted(seat for seat in range(3) if info.chair_at(seat).person is not None)
    assert sorted(await clocks_of(room, info)) == people
    await room.services.actions.resign(info.id, room.person(info, people[0]), room.request)
    assert (await clocks_of(room, info))[people[0]].deadline is None


async def test_clocks_outlive_a_restart(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.SLOW)
    room.now += 80 * HOUR
    await room.lay(info, 0)
    before = await clocks_of(room, info)
    await room.again()
    assert await clocks_of(room, info) == before
    assert before[0].reserve == 7 * DAY - 8 * HOUR


async def test_a_match_that_is_over_has_no_deadline(room: Room) -> None:
    info = await room.begin("volto", pace=Pace.LIVE)
    await room.services.actions.resign(info.id, room.person(info, 0), room.request)
    assert set((await deadlines(room, info)).values()) == {None}
    room.now += DAY
    assert await room.clocks.deadlines.past() == []


async def test_lists_say_until_when(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.EVENING)
    [seat] = (await room.services.cache.get(info.id)).row.asked
    [asked] = await room.services.queries.matches(room.person(info, seat))
    [other] = await room.services.queries.matches(room.person(info, 1 - seat))
    assert (asked.deadline, other.deadline) == (room.now + HOUR, None)
    assert (await room.services.queries.listed(room.person(info, seat)))[0].deadline == room.now + HOUR


@pytest.mark.parametrize("key", sorted(ALL_GAMES))
async def test_whoever_the_public_sees_asked_is_asked(room: Room, key: str) -> None:
    """A clock may show only what everybody knows: nobody is waited for who was not asked at first."""
    info = await room.begin(key, max(ALL_GAMES[key].manifest.seats))
    log = (await room.services.cache.get(info.id)).require_log()
    match, decided = log.match, set[Seat]()
    for _ in range(120):
        public = match.waiting
        asked = {seat for seat in public if seat in match.game.waiting(match.view(seat))}
        assert public - asked <= decided
        assert not any(seat in match.game.waiting(match.view(seat)) for seat in range(log.match.setup.seats)
                       if seat not in public)  # fmt: skip
        following = match.play_on()
        if following is None:
            break
        count = match.public_count
        match, seat = following
        decided = decided | {seat} if match.public_count == count else set()
