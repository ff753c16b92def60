"""When time is up: what the house decides, what the one who waits may say, and how somebody comes back."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.clocks import DAY, HOUR, STAND_IN_AFTER, Pace, TimeUp
from bot.domain.jobs import JobKind
from bot.domain.match import RowKind
from bot.domain.tables import Status, TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.matches.outbox import Outbox
from engines.core.contract import Seat, Words
from tests.bot.conftest import ALL_GAMES, PEOPLE, Room, refused

GAMES_OF_THREE = sorted(key for key, game in ALL_GAMES.items() if 3 in game.manifest.seats)


async def judge(room: Room) -> None:
    """Judge every match that is due, as the loop does."""
    for match in await room.clocks.deadlines.past():
        await room.clocks.deadlines.judge(match)


async def kinds(room: Room, info: TableInfo) -> list[tuple[RowKind, Seat | None]]:
    return [(row.kind, row.seat) for row in await room.log_rows(info.id)]


async def jobs(room: Room) -> set[tuple[JobKind, str]]:
    return {(job.kind, job.target) for job in await Outbox(room.services.cache).next_jobs(99)}


async def asked(room: Room, info: TableInfo) -> tuple[Seat, ...]:
    return (await room.services.cache.get(info.id)).row.asked


# --- three and more: the house decides ------------------------------------------------------------------


async def test_nobody_is_judged_before_the_deadline(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.LIVE)
    room.now += 599
    await judge(room)
    assert await kinds(room, info) == []
    assert await room.clocks.deadlines.next_in() == 1.0
    await room.clocks.deadlines.judge(info.id)
    assert await kinds(room, info) == []


async def test_a_clock_that_runs_out_while_clocks_are_looked_at_is_judged_at_once(room: Room) -> None:
    await room.begin(seats=3, pace=Pace.LIVE)
    room.now += 599.5
    assert await room.clocks.deadlines.past() == []
    room.now += 1.0
    assert await room.clocks.deadlines.next_in() == 0.0
    room.now += 60.0
    await judge(room)
    next_in = await room.clocks.deadlines.next_in()
    assert next_in is not None
    assert next_in > 0.0, "nobody spins"


async def test_who_is_on_holiday_is_not_judged_with_the_others(room: Room) -> None:
    """Their clock says what it said when it was stopped."""
    info = await room.begin("volt", 3, pace=Pace.DAY)
    assert await asked(room, info) == (0, 1, 2)
    await room.clocks.holidays.begin(room.person(info, 0))
    room.now += 5 * DAY
    await judge(room)
    assert {seat for kind, seat in await kinds(room, info) if kind is RowKind.LAPSE} == {1, 2}


@pytest.mark.parametrize("key", GAMES_OF_THREE)
@pytest.mark.parametrize("time_up", TimeUp)
async def test_the_house_decides_in_every_game(room: Room, key: str, time_up: TimeUp) -> None:
    info = await room.begin(key, 3, pace=Pace.LIVE, time_up=time_up)
    first = await asked(room, info)
    room.now += 600
    await judge(room)
    found = await kinds(room, info)
    assert [kind for kind, _ in found][:1] == [RowKind.LAPSE]
    assert {seat for _, seat in found} >= set(first[:1])
    digest = (await room.services.cache.get(info.id)).require_log().digest
    await room.again()
    assert (await room.services.cache.get(info.id)).require_log().digest == digest


async def test_a_pass_of_the_rules_goes_before_a_computer(room: Room) -> None:
    said = {}
    for time_up in TimeUp:
        info = await room.begin("corto", 3, pace=Pace.LIVE, time_up=time_up)
        log = (await room.services.cache.get(info.id)).require_log()
        [seat, *_] = await asked(room, info)
        passed, played = log.match.lapse(seat), log.match.computer(seat)
        room.now += 600
        await judge(room)
        words = (await room.log_rows(info.id))[0].words
        said[time_up] = (words, passed, played)
    assert said[TimeUp.PASS][0] == said[TimeUp.PASS][1]
    assert said[TimeUp.COMPUTER][0] == said[TimeUp.COMPUTER][2]


async def test_whoever_was_decided_for_last_is_told_of_the_next_decision_too(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.LIVE)
    outbox = Outbox(room.services.cache)
    for job in await outbox.next_jobs(99):
        await outbox.done(job)
    room.now += 600
    await judge(room)
    assert await asked(room, info) == (0, 1, 2)
    assert {(JobKind.TURN, str(seat)) for seat in range(3)} <= await jobs(room)


async def test_the_board_says_so_once_the_public_may_know(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.DAY)
    room.now += 30 * HOUR
    await room.lay(info, 1)
    await room.lay(info, 2)
    room.now += 66 * HOUR
    await judge(room)  # of all three, only seat 0 has not decided
    board = await room.services.queries.board(info.id)
    assert board.lapsed == (0,)
    lines = await room.services.queries.log(info.id, None)
    assert [line.lapsed for line in lines if line.lapsed] == [(0,)]


async def test_what_is_decided_in_secret_is_not_told(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.DAY)
    for seat in (1, 2):
        await room.lay(info, seat)
    # Seat 0 uses up its reserve, so that its time is up first.
    room.now += 96 * HOUR - 1
    await room.lay(info, 0)
    before = await room.services.queries.board(info.id)
    assert before.waiting == (0, 1, 2)
    room.now += 25 * HOUR
    await judge(room)
    assert (await kinds(room, info))[-1] == (RowKind.LAPSE, 0)
    assert await room.services.queries.board(info.id) == before
    for seat in (1, 2):
        assert seat in await asked(room, info)
        await room.lay(info, seat)
    assert (await room.services.queries.board(info.id)).lapsed == (0,)


async def test_whoever_decides_in_time_is_not_decided_for(room: Room) -> None:
    info = await room.begin(seats=3, pace=Pace.LIVE)
    room.now += 600
    thinkers, held = room.services.thinkers, asyncio.Event()
    decide_for = thinkers.decide_for

    async def slowly(table: LoadedTable, seat: Seat) -> Words | None:
        words = await decide_for(table, seat)
        held.set()
        await asyncio.sleep(0)
        return words

    thinkers.decide_for = slowly  # type: ignore[method-assign]
    judged = asyncio.create_task(room.clocks.deadlines.judge(info.id))
    await held.wait()
    await room.lay(info, 0)
    await judged
    found = await kinds(room, info)
    assert sum(1 for _, seat in found if seat == 0) == 1
    assert (RowKind.ACT, 0) in found or (RowKind.LAPSE, 0) in found


async def test_after_the_third_time_a_computer_keeps_the_seat(room: Room) -> None:
    info = await room.begin("volt", 3, pace=Pace.LIVE)
    times = 0
    while not (await room.services.queries.table(info.id)).chair_at(0).stand_in:
        while set(await asked(room, info)) - {0}:
            seat = max(await asked(room, info))
            await room.services.actions.submit(
                info.id, seat, None, await room.sentence(info, seat), room.request
            )
        if 0 in await asked(room, info):
            times += 1
            room.now += 600
            await judge(room)
    assert times == STAND_IN_AFTER
    assert (RowKind.STAND_IN, 0) in await kinds(room, info)
    table = await room.services.queries.table(info.id)
    assert (table.person_at(0), table.seat_of(room.person(info, 0).id)) == (None, 0)
    await room.play_computers(info.id)
    assert 0 not in await asked(room, info)


async def test_a_decision_of_ones_own_begins_the_count_anew(room: Room) -> None:
    info = await room.begin("corto", 3, pace=Pace.LIVE)
    [*first] = await asked(room, info)
    room.now += 600
    await judge(room)
    missed = (await room.services.cache.get(info.id)).row.clocks
    assert all(missed[seat].missed == 1 for seat in first)
    for _ in range(12):
        seat = (await asked(room, info))[0]
        await room.services.actions.submit(info.id, seat, None, await room.sentence(info, seat), room.request)
        clocks = (await room.services.cache.get(info.id)).row.clocks
        assert clocks[seat].missed == 0


# --- two: the one who waits is asked ---------------------------------------------------------------------


async def overdue(room: Room) -> tuple[TableInfo, Seat]:
    """Begin a match of two whose first seat is late; return it, and the late seat."""
    info = await room.begin("volo", pace=Pace.EVENING)
    [late] = await asked(room, info)
    room.now += HOUR
    await judge(room)
    return info, late


async def test_nothing_is_taken_by_force(room: Room) -> None:
    info, late = await overdue(room)
    assert await kinds(room, info) == [(RowKind.TIME_UP, late)]
    assert (await room.services.queries.board(info.id)).overdue == (late,)
    assert {(JobKind.OVERDUE, ""), (JobKind.BOARD, "")} <= await jobs(room)
    room.now += 9 * DAY
    await judge(room)
    assert await kinds(room, info) == [(RowKind.TIME_UP, late)]


async def test_the_late_one_may_still_play(room: Room) -> None:
    info, late = await overdue(room)
    await room.services.actions.submit(info.id, late, None, await room.sentence(info, late), room.request)
    assert (await room.services.queries.board(info.id)).overdue == ()
    waiting = room.person(info, 1 - late)
    await refused("not_overdue", room.clocks.absences.claim(info.id, waiting, room.request))


async def test_a_claim_ends_the_match(room: Room) -> None:
    info, late = await overdue(room)
    request = room.request
    for _ in range(2):  # Discord may deliver it twice
        await room.clocks.absences.claim(info.id, room.person(info, 1 - late), request)
    board = await room.services.queries.board(info.id)
    assert board.outcome is not None
    assert (board.outcome.ranks[0], board.claimed, board.overdue) == ((1 - late,), late, ())
    assert (await kinds(room, info))[-1] == (RowKind.CLAIM, late)
    replay = await room.services.queries.replay_file(info.id)
    assert [row["kind"] for row in replay["log"]] == ["withdraw"]


async def test_waiting_longer_gives_another_allowance(room: Room) -> None:
    info, late = await overdue(room)
    await room.clocks.absences.wait_longer(info.id, room.person(info, 1 - late), room.request)
    board = await room.services.queries.board(info.id)
    assert (board.overdue, board.clocks[late].deadline) == ((), room.now + HOUR)
    room.now += HOUR
    await judge(room)
    assert (await room.services.queries.board(info.id)).overdue == (late,)


async def test_a_computer_plays_on_until_its_person_is_back(room: Room) -> None:
    info, late = await overdue(room)
    away = room.person(info, late)
    await room.clocks.absences.let_computer_play(info.id, room.person(info, 1 - late), room.request)
    assert (JobKind.THINK, "") in await jobs(room)
    await room.play_computers(info.id)
    assert await asked(room, info) == (1 - late,)
    panel = await room.services.drafts.panel(info.id, away)
    assert panel.stand_in
    await refused("stand_in", room.services.actions.offer_draw(info.id, away, room.request))
    await refused("draw_computer", room.services.actions.offer_draw(
        info.id, room.person(info, 1 - late), room.request))  # fmt: skip
    await room.again()
    await room.clocks.absences.come_back(info.id, away, room.request)
    await refused("not_away", room.clocks.absences.come_back(info.id, away, room.request))
    table = await room.services.cache.get(info.id)
    assert table.info.person_at(late) == away.id
    await room.services.actions.submit(
        info.id, 1 - late, None, await room.sentence(info, 1 - late), room.request
    )
    clock = (await room.services.cache.get(info.id)).row.clocks[late]
    assert (clock.deadline, clock.missed) == (room.now + HOUR, 0)
    await room.play_computers(info.id)
    assert await asked(room, info) == (late,)


async def test_where_both_are_late_nobody_is_asked(room: Room) -> None:
    info = await room.begin(seats=2, pace=Pace.LIVE)
    room.now += DAY
    await judge(room)
    assert await kinds(room, info) == []
    await room.lay(info, 0)
    await judge(room)
    assert (await room.services.queries.board(info.id)).overdue == (1,)


@pytest.mark.parametrize("has_decided", [False, True])
async def test_the_clock_of_who_is_back_tells_nothing_of_a_secret_decision(
    room: Room, has_decided: bool
) -> None:
    info = await room.begin(seats=2, pace=Pace.LIVE)
    await room.lay(info, 0)
    room.now += 600
    await judge(room)
    absences, away = room.clocks.absences, room.person(info, 1)
    await absences.let_computer_play(info.id, room.person(info, 0), room.request)
    if has_decided:
        await room.play_computers(info.id)
    assert (1 in await asked(room, info)) is not has_decided
    await absences.come_back(info.id, away, room.request)
    board = await room.services.queries.board(info.id)
    assert 1 in board.waiting
    assert board.clocks[1].deadline == room.now + Pace.LIVE.allowance


async def test_others_may_not_settle_it(room: Room) -> None:
    info, late = await overdue(room)
    absences = room.clocks.absences
    for act in (absences.claim, absences.let_computer_play, absences.wait_longer):
        await refused("not_seated", act(info.id, PEOPLE[3], room.request))
        await refused("own_overdue", act(info.id, room.person(info, late), room.request))
    await refused("not_seated", absences.come_back(info.id, PEOPLE[3], room.request))
    await refused("not_away", absences.come_back(info.id, room.person(info, late), room.request))
    await refused("unknown_match", absences.claim("nowhere", PEOPLE[0], room.request))
    assert await kinds(room, info) == [(RowKind.TIME_UP, late)]


async def test_those_who_play_together_claim_nothing(room: Room) -> None:
    info = await room.begin("doge", 2, pace=Pace.LIVE)
    room.now += 600
    await judge(room)
    assert RowKind.TIME_UP not in [kind for kind, _ in await kinds(room, info)]
    assert RowKind.LAPSE in [kind for kind, _ in await kinds(room, info)]


async def test_a_match_whose_people_are_all_away_waits(room: Room) -> None:
    info = await room.begin("doge", 2, pace=Pace.LIVE)
    for _ in range(40):
        room.now += 600
        await judge(room)
        await room.play_computers(info.id)
    table = await room.services.queries.table(info.id)
    assert table.status is Status.RUNNING
    assert all(chair.stand_in for chair in table.chairs)
    rows = len(await room.log_rows(info.id))
    room.now += DAY
    await judge(room)
    await room.play_computers(info.id)
    assert len(await room.log_rows(info.id)) == rows
