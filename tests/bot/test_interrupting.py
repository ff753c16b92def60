"""Computer players that interrupt: out of turn, once, on no stale thought, and otherwise unnoticed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs import JobKind
from bot.domain.match import LogRow
from bot.domain.tables import TableInfo
from bot.matches.actions import Actions
from bot.sync.backlog import ORDER
from engines.core.contract import Menu, Words
from engines.core.match import Match
from engines.core.optional_methods import Skill
from engines.core.rng import Rng
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.bot.test_whole_matches import check_replay, play_out
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, sit_down
from tests.kit.vault.eager import Eager
from tests.kit.vault.state import View

ANNA, BEN = PEOPLE[:2]


@pytest.fixture
async def enter(tmp_path: Path) -> AsyncIterator[Callable[[Eager], Any]]:
    """Return a function that opens a house with a vault whose computer players interrupt."""
    rooms: list[Room] = []

    async def entered(game: Eager) -> Room:
        rooms.append(await Room(tmp_path / "house.db", {"vault": game}).enter())
        return rooms[0]

    yield entered
    await rooms[0].store.close()


async def begin(room: Room) -> tuple[TableInfo, int, int, int]:
    """Seat Anna, Ben and a computer player, who has laid; return the table, and who sits where."""
    options = {"pledges": "open"}
    info = await open_table(room.services, "vault", options, 3, ANNA, PLACE, room.request, computers=COMPUTER)
    info = await sit_down(room.services, info.id, BEN, room.request)
    await room.play_computers(info.id)
    await clear(room)
    anna, ben = info.seat_of(ANNA.id), info.seat_of(BEN.id)
    assert anna is not None
    assert ben is not None
    (computer,) = {0, 1, 2} - {anna, ben}
    return info, anna, ben, computer


async def kinds(room: Room) -> set[JobKind]:
    return {job.kind for job in await room.services.outbox.next_jobs(99)}


async def clear(room: Room) -> None:
    """Do all jobs."""
    for job in await room.services.outbox.next_jobs(99):
        await room.services.outbox.done(job)


async def said(room: Room, info: TableInfo, seat: int) -> list[Words]:
    """Return what a seat said unasked."""
    rows: list[LogRow] = await room.log_rows(info.id)
    return [row.words for row in rows if row.seat == seat and row.words[0] in ("return", "sort")]


async def test_a_computer_player_interrupts_out_of_turn(enter: Any) -> None:
    room = await enter(Eager())
    info, anna, _ben, computer = await begin(room)
    await room.lay(info, anna)
    assert JobKind.INTERRUPT in await kinds(room)
    assert JobKind.COMPUTER not in await kinds(room), "nobody asks it"
    await room.play_computers(info.id)
    assert await said(room, info, computer) == [("return", str(anna))]
    assert (await room.panel(info, anna)).asked, "the card is back"
    assert JobKind.BOARD in await kinds(room)


async def test_it_is_asked_before_those_decide_whom_the_match_waits_for(enter: Any) -> None:
    room = await enter(Eager())
    info = await open_table(
        room.services, "vault", {"pledges": "open"}, 3, ANNA, PLACE, room.request, computers=COMPUTER * 2
    )
    anna = info.seat_of(ANNA.id)
    assert anna is not None
    await room.lay(info, anna)
    await room.play_computers(info.id)
    rows = await room.log_rows(info.id)
    assert [row.words[0] for row in rows[:2]] == ["lay", "return"]
    assert anna in (await room.services.cache.get(info.id)).row.asked


async def everything(room: Room, info: TableInfo) -> list[object]:
    queries = room.services.queries
    row = (await room.services.cache.get(info.id)).row
    panels = [await room.services.drafts.panel(info.id, who) for who in (ANNA, BEN)]
    return [await queries.board(info.id), await queries.log(info.id, ANNA), row, *panels]


async def test_nobody_notices_one_that_keeps_quiet(enter: Any) -> None:
    room = await enter(Eager())
    info, anna, ben, computer = await begin(room)
    await room.lay(info, anna)
    await room.play_computers(info.id)
    await room.lay(info, anna)
    # It may send one card back in a round: it is asked, and says nothing.
    assert JobKind.INTERRUPT in await kinds(room)
    await clear(room)
    before, woken, rows = await everything(room, info), room.woken, await room.log_rows(info.id)
    room.now += 60
    await room.play_computers(info.id)
    assert await everything(room, info) == before
    assert (room.woken, await kinds(room), await room.log_rows(info.id)) == (woken, set(), rows)
    assert len(await said(room, info, computer)) == 1
    for text in ("peek", f"note {(await room.hand(info, ben))[0]}"):
        await room.say(info, ben, text)
        assert JobKind.INTERRUPT not in await kinds(room), "it sees nothing of that"


async def test_boards_do_not_wait_for_it() -> None:
    assert set(ORDER) == set(JobKind)
    assert ORDER.index(JobKind.COMPUTER) < ORDER.index(JobKind.BOARD)
    assert ORDER.index(JobKind.INTERRUPT) > max(map(ORDER.index, (JobKind.BOARD, JobKind.TURN)))


async def test_a_restart_between_thought_and_commit(enter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    room = await enter(Eager())
    info, anna, _ben, computer = await begin(room)
    await room.lay(info, anna)

    async def dies(*_: object) -> object:
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(Actions, "_submit", dies)
        with pytest.raises(asyncio.CancelledError):
            await room.play_computers(info.id)
    room = await room.again()
    assert await said(room, info, computer) == []
    assert JobKind.INTERRUPT in await kinds(room), "its job is still there"
    await room.play_computers(info.id)
    await room.play_computers(info.id)
    assert await said(room, info, computer) == [("return", str(anna))]


async def test_a_restart_asks_again(enter: Any) -> None:
    """Whatever became of the job: after a restart every computer player is asked."""
    room = await enter(Eager())
    info, anna, _ben, computer = await begin(room)
    await room.lay(info, anna)
    await clear(room)
    room = await room.again()
    assert JobKind.INTERRUPT in await kinds(room)
    await room.play_computers(info.id)
    assert len(await said(room, info, computer)) == 1


async def test_two_thoughts_at_once_are_said_once(enter: Any) -> None:
    room = await enter(Eager())
    info, anna, _ben, computer = await begin(room)
    await room.lay(info, anna)
    await asyncio.gather(*(room.play_computers(info.id) for _ in range(3)))
    assert len(await said(room, info, computer)) == 1


async def test_a_stale_thought_is_thought_again(enter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it thinks, somebody else sends the card back: nothing is asked otherwise, and yet it is void."""
    room = await enter(Eager())
    info, anna, ben, computer = await begin(room)
    await room.lay(info, anna)
    before = (await room.services.cache.get(info.id)).seat_view(computer).decision
    to_thread, seen = asyncio.to_thread, []

    async def slowly(think: Any, *given: Any) -> Any:
        found = await to_thread(think, *given)
        seen.append(found)
        if len(seen) == 1:
            await room.say(info, ben, f"return {anna}")
        return found

    monkeypatch.setattr(asyncio, "to_thread", slowly)
    await room.play_computers(info.id)
    assert (await room.services.cache.get(info.id)).seat_view(computer).decision == before
    assert seen == [("return", str(anna)), None]
    assert await said(room, info, computer) == []


class Endless(Eager):
    """It would say the same for ever, and nobody learns of it."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        return None if view.own is None else ("sort", "".join(view.own.hand))


async def test_nobody_interrupts_for_ever(enter: Any) -> None:
    room = await enter(Endless())
    info, anna, _ben, computer = await begin(room)
    before = len(await said(room, info, computer))
    await room.lay(info, anna)
    for _ in range(3):
        await room.play_computers(info.id)
    assert len(await said(room, info, computer)) == before + 1


class Refused(Eager):
    """It says what the game refuses."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        return "return", str(view.viewer)


async def test_a_refused_interrupt_holds_up_nobody(enter: Any, caplog: pytest.LogCaptureFixture) -> None:
    room = await enter(Refused())
    info, anna, ben, computer = await begin(room)
    assert "its computer player of vault failed" in caplog.text
    for seat in (anna, ben):
        await room.lay(info, seat)
    assert computer in (await room.services.cache.get(info.id)).row.asked
    await room.play_computers(info.id)
    assert computer not in (await room.services.cache.get(info.id)).row.asked, "it plays on"
    assert await said(room, info, computer) == []


async def test_a_whole_match_with_interrupts(enter: Any) -> None:
    room = await enter(Eager())
    info = await open_table(
        room.services, "vault", {"pledges": "open"}, 3, ANNA, PLACE, room.request, computers=COMPUTER * 2
    )
    await play_out(room, info.id)
    replay = await room.services.queries.replay_file(info.id)
    assert any(row["sentence"].startswith("return") for row in replay["log"])
    check_replay(room, replay)
    match: Match = (await room.services.cache.get(info.id)).require_log().match
    assert match.outcome is not None


async def test_computer_players_end_a_search_out_of_turn(room: Room) -> None:
    """Two people and two computer players: one of these names the treasure while somebody else is asked."""
    for _ in range(8):
        info = await open_table(
            room.services, "doge", {}, 4, ANNA, PLACE, room.request, computers=COMPUTER * 2
        )
        info = await sit_down(room.services, info.id, BEN, room.request)
        match = await _searched(room, info)
        check_replay(room, await room.services.queries.replay_file(info.id))
        last = match.log[-1]
        before = Match.replay(match.game, match.setup, match.seed, match.log[:-1])
        people = {info.seat_of(person.id) for person in (ANNA, BEN)}
        if last.words[0] == "guess" and last.seat not in {*people, *before.waiting}:
            assert match.outcome is not None
            assert match.outcome.won
            return
    raise AssertionError("no computer player ever named the treasure out of turn")


async def _searched(room: Room, info: TableInfo) -> Match:
    """Play to the end: computer players by the use case, people as computer players would."""
    for _ in range(1_000):
        await room.play_computers(info.id)
        if not await room.play_some(info, 1):
            break
    match = (await room.services.cache.get(info.id)).require_log().match
    assert match.outcome is not None
    return match
