"""What players agree on: pauses, more time, seats that pass on; and who may not."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from bot.domain.clocks import DAY, HOUR, Pace
from bot.domain.jobs import JobKind, Shown
from bot.domain.match import MotionKind, RowKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.matches.outbox import Outbox
from engines.core.contract import Seat
from tests.bot.conftest import ALL_GAMES, PEOPLE, Room
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table

pytestmark = BOTH_STORES_BY_NIGHT

EVE = Person(700000000000000055, "Eve")


async def table(room: Room, info: TableInfo) -> LoadedTable:
    return await room.services.cache.get(info.id)


async def refused(work: Awaitable[object]) -> str:
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.msg.key


async def asked(room: Room, info: TableInfo) -> Seat:
    return (await table(room, info)).row.asked[0]


async def jobs(room: Room) -> set[tuple[JobKind, str]]:
    return {(job.kind, job.target) for job in await Outbox(room.services.cache).next_jobs(99)}


# --- pauses -------------------------------------------------------------------------------------------


async def test_a_pause_needs_all_and_stops_every_clock(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    first, second, third = (room.person(info, seat) for seat in range(3))
    before = (await table(room, info)).row.clocks
    assert not await motions.propose(info.id, first, MotionKind.PAUSE, "1")
    assert not await motions.answer(info.id, second, "2", agrees=True)
    assert not (await table(room, info)).require_log().paused
    room.now += HOUR
    assert await motions.answer(info.id, third, "3", agrees=True)
    # The same click again is the same answer.
    assert await motions.answer(info.id, third, "3", agrees=True)
    room.now += 40 * DAY
    await room.again()
    assert (await table(room, info)).require_log().paused
    assert await room.clocks.deadlines.past() == []
    assert await room.clocks.reminders.due() == []
    assert await refused(room.services.motions.propose(info.id, first, MotionKind.PAUSE, "4")) == "no.paused"
    await room.services.motions.resume(info.id, second, "5")
    after = (await table(room, info)).row.clocks
    for seat, clock in before.items():
        if clock.deadline is not None:
            assert after[seat].deadline == clock.deadline + 40 * DAY
    assert await refused(room.services.motions.resume(info.id, second, "6")) == "no.not_paused"


async def test_one_objection_is_enough(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    await motions.propose(info.id, room.person(info, 0), MotionKind.PAUSE, "1")
    await motions.answer(info.id, room.person(info, 1), "2", agrees=False)
    assert (await table(room, info)).require_log().motion is None
    assert await refused(motions.answer(info.id, room.person(info, 2), "3", agrees=True)) == "no.no_motion"
    # It can be proposed again, and taken back by who proposed it.
    await motions.propose(info.id, room.person(info, 0), MotionKind.PAUSE, "4")
    assert await refused(motions.propose(info.id, room.person(info, 1), MotionKind.PAUSE, "5")) == (
        "no.motion_stands"
    )
    await motions.answer(info.id, room.person(info, 0), "6", agrees=False)
    assert (await table(room, info)).require_log().motion is None


async def test_who_may_not_answer(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    proposer = room.person(info, 0)
    await motions.propose(info.id, proposer, MotionKind.PAUSE, "1")
    assert await refused(motions.answer(info.id, proposer, "2", agrees=True)) == "no.no_motion"
    assert await refused(motions.answer(info.id, EVE, "3", agrees=True)) == "no.not_seated"
    await room.services.actions.resign(info.id, room.person(info, 1), "4")
    assert await refused(motions.answer(info.id, room.person(info, 1), "5", agrees=True)) == "no.withdrawn"
    # Whoever has left need not agree.
    assert await motions.answer(info.id, room.person(info, 2), "6", agrees=True)


async def test_a_motion_falls_with_who_proposed_it(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    await motions.propose(info.id, room.person(info, 0), MotionKind.PAUSE, "1")
    for job in await Outbox(room.services.cache).next_jobs(99):
        await Outbox(room.services.cache).done(job)
    await room.clocks.absences.gone(info.id, 0)
    assert (await table(room, info)).require_log().motion is None
    assert (JobKind.MOTION, "") in await jobs(room)
    assert await refused(motions.answer(info.id, room.person(info, 1), "2", agrees=True)) == "no.no_motion"
    # The others may propose what they like.
    await motions.propose(info.id, room.person(info, 1), MotionKind.PAUSE, "3")
    await room.services.actions.resign(info.id, room.person(info, 1), "4")
    assert (await table(room, info)).require_log().motion is None


async def test_a_motion_falls_where_the_last_to_answer_has_left(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    await motions.propose(info.id, room.person(info, 0), MotionKind.PAUSE, "1")
    for job in await Outbox(room.services.cache).next_jobs(99):
        await Outbox(room.services.cache).done(job)
    await room.clocks.absences.gone(info.id, 1)
    # Whoever has still to answer is asked on, without who has left.
    assert (await table(room, info)).require_log().motion is not None
    assert (JobKind.MOTION, "") in await jobs(room)
    await room.clocks.absences.gone(info.id, 2)
    assert (await table(room, info)).require_log().motion is None
    assert not (await table(room, info)).require_log().paused


async def test_the_offer_of_a_seat_falls_with_its_motion(room: Room) -> None:
    info, motions = await room.begin("corto", 4, pace=Pace.DAY), room.services.motions
    await room.clocks.absences.gone(info.id, 3)
    assert not await motions.offer_seat(info.id, room.person(info, 0), EVE, "1")
    await room.clocks.absences.gone(info.id, 0)
    after = await table(room, info)
    assert after.require_log().motion is None
    assert after.row.offer is None


async def test_without_clocks_there_is_nothing_to_pause(room: Room) -> None:
    info = await room.begin("volo")
    motions = room.services.motions
    assert await refused(motions.propose(info.id, PEOPLE[0], MotionKind.PAUSE, "1")) == "no.no_clocks"


async def test_with_computers_alone_nobody_need_agree(room: Room) -> None:
    info = await open_table(
        room.services,
        "corto",
        {},
        3,
        PEOPLE[0],
        (await room.begin()).place,
        "x",
        computers=COMPUTER * 2,
        pace=Pace.DAY,
    )
    assert await room.services.motions.propose(info.id, PEOPLE[0], MotionKind.PAUSE, "1")
    assert (await table(room, info)).require_log().paused


@pytest.mark.parametrize("key", sorted(ALL_GAMES))
async def test_a_motion_tells_nothing_and_is_replayed(room: Room, key: str) -> None:
    info, motions = await room.begin(key, pace=Pace.DAY), room.services.motions
    await room.play_some(info, 3)
    before = (await table(room, info)).require_log()
    await motions.propose(info.id, PEOPLE[0], MotionKind.PAUSE, "1")
    await motions.answer(info.id, PEOPLE[1], "2", agrees=True)
    after = (await table(room, info)).require_log()
    assert after.match is before.match
    await room.again()
    again = (await table(room, info)).require_log()
    assert (again.motion, again.paused, again.digest) == (None, True, before.digest)
    await room.play_some(info, 2)
    assert (await table(room, info)).require_log().paused


# --- more time ------------------------------------------------------------------------------------------


async def test_opponents_grant_time_once_a_decision(room: Room) -> None:
    info, motions = await room.begin("volo", pace=Pace.DAY), room.services.motions
    seat = await asked(room, info)
    waits = room.person(info, 1 - seat)
    before = (await table(room, info)).row.clocks[seat]
    assert await refused(motions.grant(info.id, room.person(info, seat), "1")) == "no.grant_nobody"
    for _ in range(2):
        await motions.grant(info.id, waits, "2")
    after = (await table(room, info)).row.clocks[seat]
    assert (after.until, after.deadline) == ((before.until or 0) + DAY, (before.deadline or 0) + DAY)
    assert await refused(motions.grant(info.id, waits, "3")) == "no.grant_again"
    assert await refused(motions.grant(info.id, EVE, "4")) == "no.not_seated"
    await room.play_some(info, 2)
    await motions.grant(info.id, waits, "5")


# --- seats that pass on ---------------------------------------------------------------------------------


async def test_a_seat_passes_on_to_who_accepts(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.DAY), room.services.motions
    await room.play_some(info, 4)
    seat = await asked(room, info)
    old = room.person(info, seat)
    room.now += 23 * HOUR
    view = (await table(room, info)).seat_view(seat).view
    assert await motions.offer_seat(info.id, old, EVE, "1")
    assert (JobKind.SEAT_OFFER, "") in await jobs(room)
    await motions.take_seat(info.id, EVE, "2")
    await motions.take_seat(info.id, EVE, "2")
    now = await table(room, info)
    assert now.info.person_at(seat) == EVE.id
    assert now.seat_view(seat).view == view
    assert now.row.clocks[seat].until == room.now + DAY
    assert {(JobKind.FORGET, str(old.id)), (JobKind.TURN, str(seat))} <= await jobs(room)
    # The one who held it sees nothing any more, at once and after a restart.
    for _ in range(2):
        assert await refused(room.services.drafts.panel(info.id, old)) == "no.not_seated"
        assert info.id not in {line.table.id for line in await room.services.queries.matches(old)}
        assert info.id in {line.table.id for line in await room.services.queries.matches(EVE)}
        assert [each.person.id for each in (await table(room, info)).info.former] == [old.id]
        await room.again()
    await room.play_some(info, 2)
    assert RowKind.REPLACE in [row.kind for row in await room.log_rows(info.id)]


async def test_seats_passed_on_in_their_order_whatever_the_clock_says(room: Room) -> None:
    info, motions = await room.begin("vault", pace=Pace.DAY), room.services.motions
    for seat, newcomer in ((1, EVE), (0, PEOPLE[2])):
        await motions.offer_seat(info.id, room.person(info, seat), newcomer, f"offer {seat}")
        await motions.take_seat(info.id, newcomer, f"take {seat}")
        room.now -= 2 * HOUR
    for _ in range(2):
        assert [each.seat for each in (await table(room, info)).info.former] == [1, 0]
        await room.again()


async def test_a_draft_does_not_pass_on(room: Room) -> None:
    info, motions = await room.begin("vault", pace=Pace.DAY), room.services.motions
    seat = await asked(room, info)
    old = room.person(info, seat)
    panel = await room.draft(info, seat, "lay")
    await motions.offer_seat(info.id, old, EVE, "1")
    await motions.take_seat(info.id, EVE, "2")
    new = await room.services.drafts.panel(info.id, EVE)
    assert new.draft == ()
    assert new.revision > panel.revision


async def test_who_may_take_no_seat(room: Room) -> None:
    info, motions = await room.begin("corto", 3), room.services.motions
    holder, other = room.person(info, 0), room.person(info, 1)
    assert await refused(motions.offer_seat(info.id, holder, other, "1")) == "no.has_held_seat"
    assert await refused(motions.offer_seat(info.id, EVE, EVE, "2")) == "no.not_seated"
    await motions.offer_seat(info.id, holder, EVE, "3")
    assert await refused(motions.take_seat(info.id, PEOPLE[3], "4")) == "no.no_seat_offered"
    assert await refused(motions.refuse_seat(info.id, other, "5")) == "no.no_seat_offered"
    await motions.take_seat(info.id, EVE, "6")
    assert await refused(motions.offer_seat(info.id, other, holder, "7")) == "no.has_held_seat"
    # Refused by who was asked, or taken back.
    for number, who in enumerate((PEOPLE[3], other)):
        await motions.offer_seat(info.id, other, PEOPLE[3], f"8{number}")
        await motions.refuse_seat(info.id, who, f"9{number}")
        assert await refused(motions.take_seat(info.id, PEOPLE[3], f"10{number}")) == "no.no_seat_offered"


async def test_the_others_pass_on_a_seat_whose_time_is_up(room: Room) -> None:
    info, motions = await room.begin("corto", 3, pace=Pace.LIVE), room.services.motions
    for _ in range(40):
        room.now += 600
        for match in await room.clocks.deadlines.past():
            await room.clocks.deadlines.judge(match)
        live = await table(room, info)
        if any(chair.stand_in for chair in live.info.chairs):
            break
        here = [seat for seat in live.row.asked if seat != 0]
        for seat in here:
            words = await room.sentence(info, seat)
            await room.services.actions.submit(info.id, seat, None, words, room.request)
    late = next(chair.seat for chair in (await table(room, info)).info.chairs if chair.stand_in)
    assert late is not None
    first, second = (room.person(info, seat) for seat in range(3) if seat != late)
    assert not await motions.offer_seat(info.id, first, EVE, "1")
    assert await refused(motions.take_seat(info.id, EVE, "2")) == "no.no_seat_offered"
    await motions.answer(info.id, second, "3", agrees=True)
    await motions.take_seat(info.id, EVE, "4")
    now = (await table(room, info)).info
    assert now.person_at(late) == EVE.id
    await room.again()
    assert late in (await table(room, info)).require_log().people


async def test_an_objection_takes_the_offer_with_it(room: Room) -> None:
    info, motions = await room.begin("volo", pace=Pace.LIVE), room.services.motions
    seat = await asked(room, info)
    room.now += 600
    await room.clocks.deadlines.judge(info.id)
    waits = room.person(info, 1 - seat)
    # With two, nobody else is left to agree.
    assert await motions.offer_seat(info.id, waits, EVE, "1")
    await motions.refuse_seat(info.id, EVE, "2")
    assert (await table(room, info)).row.offer is None


async def test_who_gave_a_seat_away_can_be_forgotten(room: Room) -> None:
    info, motions = await room.begin("volo"), room.services.motions
    old = room.person(info, 0)
    await motions.offer_seat(info.id, old, EVE, "1")
    await motions.take_seat(info.id, EVE, "2")
    data = await room.services.privacy.export(old)
    assert [row["match"] for row in data["seats_given_away"]] == [info.id]
    assert await room.services.privacy.delete(old) == []
    [former] = (await table(room, info)).info.former
    assert former.person.id < 100
    assert old.name not in former.person.name


# --- turns that are taken back --------------------------------------------------------------------------


async def test_a_turn_is_taken_back_if_all_agree(room: Room) -> None:
    info, motions = await room.begin("volo", pace=Pace.DAY), room.services.motions
    seat = await asked(room, info)
    before = await table(room, info)
    await room.play_some(info, 1)
    mine, other = room.person(info, seat), room.person(info, 1 - seat)
    assert await refused(motions.propose(info.id, other, MotionKind.UNDO, "1")) == "no.undo"
    assert not await motions.propose(info.id, mine, MotionKind.UNDO, "2")
    assert await motions.answer(info.id, other, "3", agrees=True)
    after = await table(room, info)
    assert after.row.asked == before.row.asked
    assert after.require_log().match.view(None) == before.require_log().match.view(None)
    assert after.require_log().motion is None
    assert after.row.clocks[seat].until == room.now + DAY
    await room.again()
    assert (await table(room, info)).require_log().digest == after.require_log().digest
    await room.play_some(info, 3)


async def test_who_plays_on_answers_that_nothing_is_taken_back(room: Room) -> None:
    info, motions = await room.begin("volo", pace=Pace.DAY), room.services.motions
    seat = await asked(room, info)
    await room.play_some(info, 1)
    await motions.propose(info.id, room.person(info, seat), MotionKind.UNDO, "1")
    await room.play_some(info, 1)
    assert (await table(room, info)).require_log().motion is None
    late = motions.answer(info.id, room.person(info, 1 - seat), "2", agrees=True)
    assert await refused(late) == "no.no_motion"
    again = motions.propose(info.id, room.person(info, seat), MotionKind.UNDO, "3")
    assert await refused(again) == "no.undo"


async def test_an_offer_of_a_seat_ends_with_its_match(room: Room) -> None:
    info = await room.begin("volo", 2, pace=Pace.DAY)
    await room.services.motions.offer_seat(info.id, room.person(info, 0), EVE, "1")
    for job in await Outbox(room.services.cache).next_jobs(99):
        await room.services.outbox.done(job)
    await room.services.actions.resign(info.id, room.person(info, 1), "2")
    assert (await table(room, info)).row.offer is None
    assert (JobKind.SEAT_OFFER, "") in await jobs(room)
    await room.again()
    assert (await table(room, info)).row.offer is None


async def test_a_seat_that_nobody_wants_can_be_offered_to_somebody_else(room: Room) -> None:
    info = await room.begin("volo", 2, pace=Pace.EVENING)
    late = await asked(room, info)
    waiting = room.person(info, 1 - late)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    assert await room.services.motions.offer_seat(info.id, waiting, EVE, "1")
    await room.services.motions.refuse_seat(info.id, EVE, "2")
    assert (await table(room, info)).require_log().motion is None
    assert {(JobKind.BOARD, ""), (JobKind.SEAT_OFFER, "")} <= await jobs(room)
    assert await room.services.motions.offer_seat(info.id, waiting, PEOPLE[3], "3")


# --- holidays meanwhile -------------------------------------------------------------------------------


async def test_a_holiday_gives_nobody_the_time_again_that_they_were_given_before(room: Room) -> None:
    info = await room.begin("volo", 2, pace=Pace.DAY)
    seat = await asked(room, info)
    other = room.person(info, 1 - seat)
    await room.services.motions.grant(info.id, other, "1")
    before = (await table(room, info)).row.clocks[seat]
    await room.clocks.holidays.begin(other)
    assert (await table(room, info)).row.clocks[seat] == before
    await room.clocks.holidays.end(other)
    assert (await table(room, info)).row.clocks[seat] == before


@pytest.mark.parametrize("has_decided", [False, True])
async def test_the_clock_of_a_seat_that_passes_on_tells_nothing_of_a_secret_decision(
    room: Room, has_decided: bool
) -> None:
    info = await room.begin("vault", 2, pace=Pace.DAY)
    room.now += HOUR
    if has_decided:
        await room.lay(info, 0)
    await room.services.motions.offer_seat(info.id, room.person(info, 0), PEOPLE[2], room.request)
    await room.services.motions.take_seat(info.id, PEOPLE[2], room.request)
    board = await room.services.queries.board(info.id)
    assert board.waiting == (0, 1)
    assert board.clocks[0].until == room.now + Pace.DAY.allowance


async def test_a_match_that_begins_in_a_holiday_begins_with_the_clock_stopped(room: Room) -> None:
    for person in PEOPLE[:2]:
        await room.clocks.holidays.begin(person)
    info = await room.begin("volo", 2, pace=Pace.DAY)
    seat = await asked(room, info)
    clock = (await table(room, info)).row.clocks[seat]
    assert clock.stopped_at == room.now
    room.now += 5 * DAY
    await room.clocks.holidays.end(room.person(info, seat))
    clock = (await table(room, info)).row.clocks[seat]
    assert clock.until == room.now + Pace.DAY.allowance


async def test_a_holiday_is_shown_on_a_board_that_is_right_but_for_it(room: Room) -> None:
    info = await room.begin("volo", 2, pace=Pace.DAY)
    await room.services.outbox.set_shown(info.id, "board", Shown(1, 2, 1, 1, digest="right"))
    await room.clocks.holidays.begin(room.person(info, 0))
    shown = await room.services.outbox.shown(info.id, "board")
    assert shown is not None
    assert shown.is_stale
    assert (JobKind.BOARD, "") in await jobs(room)
