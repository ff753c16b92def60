"""How questions to players were closed: told from the log, after a restart too, and without secrets."""

from __future__ import annotations

import pytest

from bot.domain.clocks import Pace
from bot.domain.jobs import JobKind
from bot.domain.match import ClosedQuestion, Closing, LogRow, Motion, MotionKind, RowKind, TurnEnd
from bot.domain.tables import ClosedBy, TableInfo
from bot.matches.closings import closed_draw, closed_motion, closed_overdue, turn_end
from engines.core.contract import Seat, Words
from tests.bot.conftest import PEOPLE, Room
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

pytestmark = BOTH_STORES_BY_NIGHT


def row(kind: RowKind, seat: Seat | None, words: Words = (), request: str = "") -> LogRow:
    return LogRow(1, kind, seat, words, "", request, 0.0)


def is_note(words: Words) -> bool:
    return words == ("note",)


async def closed(room: Room, info: TableInfo, kind: JobKind) -> ClosedQuestion:
    """Return how a question was closed, which is the same after a restart."""
    found = await room.services.queries.closed_question(info.id, kind)
    await room.again()
    assert await room.services.queries.closed_question(info.id, kind) == found
    return found


async def asked(room: Room, info: TableInfo) -> Seat:
    return (await room.services.cache.get(info.id)).row.asked[0]


# --- draw offers ----------------------------------------------------------------------------------------


async def test_a_declined_draw_names_the_player_who_declined(room: Room) -> None:
    info, actions = await room.begin("volo"), room.services.actions
    await actions.offer_draw(info.id, room.person(info, 0), "1")
    await actions.decline_draw(info.id, room.person(info, 1), "2")
    assert await closed(room, info, JobKind.OFFER) == ClosedQuestion(Closing.DECLINED, 1)


async def test_a_withdrawn_draw_offer_names_the_player_who_had_made_it(room: Room) -> None:
    info, actions = await room.begin("volo"), room.services.actions
    await actions.offer_draw(info.id, room.person(info, 0), "1")
    await actions.decline_draw(info.id, room.person(info, 0), "2")
    assert await closed(room, info, JobKind.OFFER) == ClosedQuestion(Closing.WITHDRAWN, 0)


async def test_an_agreed_draw_is_agreed(room: Room) -> None:
    info, actions = await room.begin("volo"), room.services.actions
    for seat in range(2):
        await actions.offer_draw(info.id, room.person(info, seat), f"{seat}")
    assert await closed(room, info, JobKind.OFFER) == ClosedQuestion(Closing.AGREED)


async def test_a_turn_declines_a_draw_and_the_next_turns_do_not_change_who_did(room: Room) -> None:
    info = await room.begin("volo")
    seat = await asked(room, info)
    await room.services.actions.offer_draw(info.id, room.person(info, 1 - seat), "1")
    await room.play_some(info, 3)
    assert await closed(room, info, JobKind.OFFER) == ClosedQuestion(Closing.PLAYED, seat)


async def test_a_resignation_ends_a_match_before_the_draw_is_answered(room: Room) -> None:
    info, actions = await room.begin("volo"), room.services.actions
    await actions.offer_draw(info.id, room.person(info, 0), "1")
    await actions.resign(info.id, room.person(info, 1), "2")
    assert (await closed(room, info, JobKind.OFFER)).how is Closing.ENDED


def test_nobody_learns_who_decided_last_in_secret() -> None:
    last = row(RowKind.ACT, 1)
    assert closed_draw(last, (0,), {1}, ended=False) == ClosedQuestion(Closing.PLAYED, 1)
    assert closed_draw(last, (0,), {0, 1}, ended=False) == ClosedQuestion(Closing.MOVED_ON)
    # A turn out of order, such as an answer that nobody waits for.
    assert closed_draw(last, (0,), {0}, ended=False) == ClosedQuestion(Closing.MOVED_ON)
    assert closed_draw(row(RowKind.LAPSE, 1), (0,), {1}, ended=False).seat is None


# --- motions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [MotionKind.PAUSE, MotionKind.ABANDON])
@pytest.mark.parametrize("agrees", [True, False])
async def test_a_motion_is_closed_by_its_answer(room: Room, kind: MotionKind, *, agrees: bool) -> None:
    info, motions = await room.begin("volo", pace=Pace.DAY), room.services.motions
    await motions.propose(info.id, room.person(info, 0), kind, "1")
    await motions.answer(info.id, room.person(info, 1), "2", agrees=agrees)
    found = await closed(room, info, JobKind.MOTION)
    assert found.how is (Closing.AGREED if agrees else Closing.DECLINED)
    assert found.motion is kind
    assert agrees or found.seat == 1


async def test_a_turn_that_is_taken_back_names_who_asked(room: Room) -> None:
    info, motions = await room.begin("volo"), room.services.motions
    seat = await asked(room, info)
    await room.play_some(info, 1)
    await motions.propose(info.id, room.person(info, seat), MotionKind.UNDO, "1")
    await motions.answer(info.id, room.person(info, 1 - seat), "2", agrees=True)
    found = await closed(room, info, JobKind.MOTION)
    assert (found.how, found.about, found.motion) == (Closing.AGREED, seat, MotionKind.UNDO)


async def test_a_turn_played_meanwhile_closes_an_undo(room: Room) -> None:
    info, motions = await room.begin("volo"), room.services.motions
    seat = await asked(room, info)
    await room.play_some(info, 1)
    await motions.propose(info.id, room.person(info, seat), MotionKind.UNDO, "1")
    await room.play_some(info, 1)
    assert (await closed(room, info, JobKind.MOTION)).how is Closing.MOVED_ON


@pytest.mark.parametrize(
    ("end", "ended", "how"),
    [
        (row(RowKind.OBJECT, 0), False, Closing.WITHDRAWN),
        (row(RowKind.OBJECT, 2), False, Closing.DECLINED),
        # The seat had been offered after all had agreed, and was refused.
        (row(RowKind.OBJECT, 0, request="refuse_seat:7"), False, Closing.AGREED),
        (row(RowKind.REPLACE, 1), False, Closing.AGREED),
        (row(RowKind.WITHDRAW, 0), False, Closing.RESIGNED),
        (row(RowKind.WITHDRAW, 0), True, Closing.ENDED),
        (row(RowKind.STAND_IN, 0), False, Closing.STAND_IN),
        (row(RowKind.CLOSE, None, (ClosedBy.SERVER.value,)), True, Closing.ENDED),
    ],
)
def test_every_end_of_a_motion_is_told_apart(end: LogRow, ended: bool, how: Closing) -> None:
    found = closed_motion(end, Motion(MotionKind.REPLACE, 0, about=1), ended=ended)
    assert (found.how, found.seat) == (how, end.seat)


def test_a_match_that_is_closed_otherwise_is_not_called_off() -> None:
    motion = Motion(MotionKind.ABANDON, 0)
    called_off = row(RowKind.CLOSE, None, (ClosedBy.AGREED.value,))
    assert closed_motion(called_off, motion, ended=True).how is Closing.AGREED
    idle = row(RowKind.CLOSE, None, (ClosedBy.IDLE.value,))
    assert closed_motion(idle, motion, ended=True).how is Closing.ENDED


async def test_a_seat_that_all_agreed_to_offer_was_agreed_while_it_is_on_offer(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.EVENING)
    late = await asked(room, info)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    await room.services.motions.offer_seat(info.id, room.person(info, 1 - late), PEOPLE[3], "1")
    found = await closed(room, info, JobKind.MOTION)
    assert (found.how, found.motion) == (Closing.AGREED, MotionKind.REPLACE)


# --- seats that ran out of time ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "how"),
    [
        ("claim", Closing.CLAIMED),
        ("let_computer_play", Closing.COMPUTER),
        ("wait_longer", Closing.MORE_TIME),
    ],
)
async def test_the_choice_for_a_late_seat_names_who_chose(room: Room, choice: str, how: Closing) -> None:
    info = await room.begin("volo", pace=Pace.EVENING)
    late = await asked(room, info)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    await getattr(room.clocks.absences, choice)(info.id, room.person(info, 1 - late), "1")
    assert await closed(room, info, JobKind.OVERDUE) == ClosedQuestion(how, 1 - late, about=late)


async def test_a_late_player_who_plays_answers_the_question(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.EVENING)
    late = await asked(room, info)
    room.now += Pace.EVENING.allowance
    await room.clocks.deadlines.judge(info.id)
    await room.play_some(info, 2)
    assert await closed(room, info, JobKind.OVERDUE) == ClosedQuestion(Closing.PLAYED, late)


def test_a_note_does_not_answer_for_a_late_player() -> None:
    rows = (row(RowKind.TIME_UP, 0), row(RowKind.ACT, 0, ("note",)))
    assert closed_overdue(rows, is_note) is None
    granted = (*rows, row(RowKind.GRANT, 0))
    assert closed_overdue(granted, is_note) == ClosedQuestion(Closing.MORE_TIME, 1, about=0)
    # What the other seat does answers nothing, and only the last time counts.
    assert closed_overdue((*granted, row(RowKind.TIME_UP, 1), row(RowKind.ACT, 0)), is_note) is None


# --- turns --------------------------------------------------------------------------------------------------


async def test_a_turn_ends_by_what_its_seat_did_since_it_was_asked(room: Room) -> None:
    info, queries = await room.begin("volo"), room.services.queries
    seat = await asked(room, info)
    epoch = (await queries.board(info.id)).epoch
    await room.play_some(info, 1)
    assert await queries.turn_end(info.id, seat, epoch) is TurnEnd.PLAYED
    # The other seat has been asked since, and has not played yet.
    then = (await queries.board(info.id)).epoch
    assert await queries.turn_end(info.id, 1 - seat, then) is TurnEnd.OTHER
    assert await queries.turn_end(info.id, seat, 0) is TurnEnd.OTHER
    await room.services.actions.resign(info.id, room.person(info, 0), "1")
    assert await queries.turn_end(info.id, seat, epoch) is TurnEnd.OVER


async def test_an_undo_takes_the_turn_of_the_other_seat(room: Room) -> None:
    info, motions, queries = await room.begin("volo"), room.services.motions, room.services.queries
    seat = await asked(room, info)
    await room.play_some(info, 1)
    epoch = (await queries.board(info.id)).epoch
    await motions.propose(info.id, room.person(info, seat), MotionKind.UNDO, "1")
    await motions.answer(info.id, room.person(info, 1 - seat), "2", agrees=True)
    assert await queries.turn_end(info.id, 1 - seat, epoch) is TurnEnd.TAKEN_BACK


def test_a_lapse_is_no_turn_of_its_player() -> None:
    assert turn_end((row(RowKind.LAPSE, 0), row(RowKind.ACT, 1)), 0, is_note) is TurnEnd.LAPSED
    assert turn_end((row(RowKind.ACT, 0), row(RowKind.ACT, 0, ("note",))), 0, is_note) is TurnEnd.PLAYED
    assert turn_end((row(RowKind.ACT, 0, ("note",)),), 0, is_note) is TurnEnd.OTHER
    # What its former player did is nothing that the new one did.
    assert turn_end((row(RowKind.ACT, 0), row(RowKind.REPLACE, 0)), 0, is_note) is TurnEnd.OTHER
