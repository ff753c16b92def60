"""Turning points: of which matches, for whom, and how a thinking process looks back beside those who play."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.domain.fair_queue import Ticket, Urgency
from bot.domain.match import RowKind
from bot.domain.tables import PSEUDONYM, ClosedBy, Person, Status, TableInfo
from bot.matches import looking_back
from bot.matches.looking_back import LookingBack
from bot.matches.match_log import MatchLog
from bot.matches.results import own_entries
from bot.workers.looking_back import FindDecisions, JudgeDecision, LookingBackFailed, Part
from bot.workers.thinker import Wanted, always
from bot.workers.thinking_pool import ThinkingPool
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Judgement
from engines.core.registry import game
from engines.core.setups import complete
from engines.core.texts import sentence
from engines.core.turning_points import JudgedDecision
from tests.bot.conftest import ALL_GAMES, PEOPLE, Room, refused
from tests.bot.test_thinking import ANNA as LOOKER
from tests.bot.test_thinking import BEN as PLAYER
from tests.bot.test_thinking import request_of, ticket
from tests.kit.waiting import eventually

ANNA, BEN, CLARA, _ = PEOPLE
SEED = bytes(range(32))


class Looker:
    """Finds decisions as they were made, and a half of the chances lost by every one of them."""

    def __init__(self) -> None:
        self.parts: list[Part[Any]] = []
        self.tickets: set[Ticket] = set()
        self.held: asyncio.Event | None = None
        self.fails = False

    async def look_back(self, part: Part[Any], ticket: Ticket, wanted: Wanted) -> Any:
        self.parts.append(part)
        self.tickets.add(ticket)
        if self.held is not None:
            await self.held.wait()
        if self.fails:
            raise LookingBackFailed
        if not wanted():
            return None
        if isinstance(part, JudgeDecision):
            seen = part.look.decision
            better = ALL_GAMES[part.game].player(seen.view, seen.menu, seen.rng)
            return JudgedDecision(seen, Judgement(0.25, 0.75, better))
        return part.done_with(ALL_GAMES[part.game])


@dataclass
class Den:
    """A house in which somebody looks back."""

    room: Room
    looker: Looker
    service: LookingBack

    async def over(self, game: str = "volo", acts: int = 10) -> TableInfo:
        """Return a match that was played a while and left by Ben."""
        info = await self.room.begin(game)
        await self.room.play_some(info, acts)
        await self.room.services.actions.resign(info.id, BEN, self.room.request)
        info = await self.room.services.queries.table(info.id)
        assert info.status is Status.OVER
        return info

    async def refused(self, key: str, info: TableInfo, person: Person = ANNA) -> None:
        """Expect that nothing is looked for, whatever a forged button says."""
        asked = len(self.looker.parts)
        await refused(key, self.service.turning_points(info.id, person))
        assert not await self.service.is_offered(info.id, person)
        assert len(self.looker.parts) == asked


@pytest.fixture
async def den(room: Room) -> Den:
    looker = Looker()
    return Den(room, looker, LookingBack(room.services.cache, looker))


# --- of which matches, and for whom -----------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(ALL_GAMES))
async def test_a_match_that_runs_tells_nothing(den: Den, key: str) -> None:
    info = await den.room.begin(key)
    for _ in range(3):
        await den.room.play_some(info, 1)
        await den.refused("not_over", info)


async def test_a_match_that_was_closed_tells_nothing_ever(den: Den) -> None:
    info = await den.room.begin("volo")
    await den.room.play_some(info, 6)
    await den.room.services.closing.close(info.id, ClosedBy.IDLE)
    await den.refused("closed_match", info)


async def test_a_match_that_is_frozen_tells_nothing(den: Den) -> None:
    info = await den.over()
    table = await den.room.services.cache.get(info.id)
    den.room.services.cache.put(replace(table, log=None).with_info(status=Status.FROZEN))
    await den.refused("frozen", info)


async def test_who_held_no_seat_is_told_nothing(den: Den) -> None:
    info = await den.over()
    await den.refused("not_seated", info, CLARA)


async def test_a_game_that_cannot_judge_has_none(den: Den) -> None:
    await den.refused("no_judge", await den.over("vault", 1))


async def test_a_seat_sees_its_own_choices_as_it_saw_them_then(den: Den) -> None:
    info = await den.over()
    log = (await den.room.services.cache.get(info.id)).require_log()
    for person in (ANNA, BEN):
        assert await den.service.is_offered(info.id, person)
        points = await den.service.turning_points(info.id, person)
        assert points.seat == info.seat_of(person.id)
        assert len(points.found) == 3
        assert [point.turn for point in points.found] == sorted({point.turn for point in points.found})
        for point in points.found:
            [number] = [n for n, entry in enumerate(log.match.log) if log.headers[n].turn == point.turn]
            was = Match.replay(log.match.game, info.setup, log.match.seed, log.match.log[:number])
            words = log.match.log[number].words
            assert point.played == sentence(was.game, was.view(points.seat), words)
            assert point.view.viewer == points.seat
            assert point.menu is not None
            assert point.menu.complete, "the better words are whole"
            assert point.reason is not None
            assert (point.chance_played, point.chance_better) == (0.25, 0.75)


# --- how often --------------------------------------------------------------------------------------


async def test_what_was_found_is_remembered(den: Den, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "REMEMBERED", 2)
    info = await den.over()
    first = await den.service.turning_points(info.id, ANNA)
    asked = len(den.looker.parts)
    assert await den.service.turning_points(info.id, ANNA) == first
    assert len(den.looker.parts) == asked
    await den.service.turning_points(info.id, BEN)
    await den.service.turning_points((await den.over()).id, ANNA)
    asked = len(den.looker.parts)
    again = await den.service.turning_points(info.id, ANNA)
    assert len(den.looker.parts) > asked, "only the last ones are"
    assert [(point.played, point.better) for point in again.found] == [
        (point.played, point.better) for point in first.found
    ]


async def test_a_name_that_was_deleted_is_remembered_nowhere(den: Den) -> None:
    info = await den.over()
    await den.service.turning_points(info.id, ANNA)
    assert await den.room.services.privacy.delete(BEN) == []
    points = await den.service.turning_points(info.id, ANNA)
    assert sorted(chair.name for chair in points.table.chairs) == sorted([ANNA.name, PSEUDONYM])


async def test_nobody_waits_for_two_matches_at_once(den: Den) -> None:
    one, two = await den.over(), await den.over()
    den.looker.held = asyncio.Event()
    first = asyncio.create_task(den.service.turning_points(one.id, ANNA))
    others = asyncio.create_task(den.service.turning_points(two.id, BEN))
    await eventually(lambda: den.looker.parts)
    await refused("looking_back", den.service.turning_points(two.id, ANNA))
    await eventually(lambda: len({part.match for part in den.looker.parts}) == 2)
    den.looker.held.set()
    assert (await first).found
    assert (await others).found
    assert (await den.service.turning_points(two.id, ANNA)).found


async def test_each_part_is_the_turn_of_who_asked_and_waits_for_those_who_play(den: Den) -> None:
    info = await den.over()
    await den.service.turning_points(info.id, BEN)
    assert den.looker.tickets == {Ticket(info.id, info.place.channel_id, BEN.id, Urgency.PAST)}


async def test_where_it_fails_somebody_may_ask_again(den: Den) -> None:
    info = await den.over()
    den.looker.fails = True
    await refused("no_looking_back", den.service.turning_points(info.id, ANNA))
    den.looker.fails = False
    assert (await den.service.turning_points(info.id, ANNA)).found


async def test_nothing_is_searched_for_who_has_deleted_their_data(den: Den) -> None:
    info = await den.over()
    den.looker.held = asyncio.Event()
    looking = asyncio.create_task(den.service.turning_points(info.id, ANNA))
    await eventually(lambda: den.looker.parts)
    await den.room.services.privacy.delete(ANNA)
    den.looker.held.set()
    await refused("no_looking_back", looking)
    assert len(den.looker.parts) <= 2, "what was begun may end"


def test_what_others_said_for_a_seat_is_not_its_persons() -> None:
    found = game("volo")
    log = MatchLog.begin(found, complete(found.manifest), SEED)

    def write(kind: RowKind, seat: int | None = None) -> None:
        nonlocal log
        by = min(log.match.waiting) if seat is None else seat
        words = log.match.computer(by) if kind.entry is not None else ()
        log = log.write(kind, by, words, f"{len(log.rows)}", float(len(log.rows)))

    mover = min(log.match.waiting)
    for kind in (RowKind.ACT, RowKind.ACT, RowKind.LAPSE, RowKind.ACT):
        write(kind)
    assert own_entries(log, mover) == {0}
    write(RowKind.STAND_IN, mover)
    for _ in range(2):
        write(RowKind.ACT)
    write(RowKind.BACK, mover)
    for _ in range(2):
        write(RowKind.ACT)
    assert own_entries(log, mover) == {0, 6}
    assert own_entries(log, 1 - mover) == {1, 3, 5, 7}
    write(RowKind.REPLACE, mover)
    write(RowKind.ACT)
    assert own_entries(log, mover) == {8}, "whoever held the seat before was somebody else"
    assert own_entries(log, 1 - mover) == {1, 3, 5, 7}


# --- in a thinking process ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A part that does what it must not."""

    deed: str
    game: str = "volo"
    match: str = "abcdefgh"

    def done_with(self, game: AnyGame) -> str:
        if self.deed == "hangs":
            threading.Event().wait()
        if self.deed == "raises":
            raise RuntimeError("a secret that no log may say")
        return game.manifest.key


@pytest.fixture
async def pool() -> AsyncIterator[ThinkingPool]:
    async with ThinkingPool() as pool:
        yield pool


async def test_a_process_finds_what_this_one_would(den: Den, pool: ThinkingPool) -> None:
    info = await den.over()
    log = (await den.room.services.cache.get(info.id)).require_log()
    match = log.match
    part = FindDecisions("volo", info.id, match.setup, match.seed, match.log, 0, own_entries(log, 0))
    here, there = part.done_with(match.game), await pool.look_back(part, ticket(), always)
    assert there is not None
    assert [(each.number, each.view, each.words) for each in there] == [
        (each.number, each.view, each.words) for each in here
    ]


async def test_a_part_that_fails_says_nothing_of_its_match(
    pool: ThinkingPool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), pytest.raises(LookingBackFailed):
        await pool.look_back(Planted("raises"), ticket(), always)
    [line] = [record.getMessage() for record in caplog.records if record.name == "bot.workers.thinking_pool"]
    assert "abcdefgh" in line
    assert "secret" not in line
    assert await pool.look_back(Planted(""), ticket(), always) == "volo", "the pool goes on"


async def test_a_part_ends_where_nobody_wants_it_any_more(pool: ThinkingPool) -> None:
    wanted = True
    looking = asyncio.create_task(pool.look_back(Planted("hangs"), ticket(), lambda: wanted))
    await eventually(lambda: bool(pool.thoughts.pool.processes))
    [process] = pool.thoughts.pool.processes
    wanted = False
    assert await looking is None
    await eventually(lambda: process not in pool.thoughts.pool.processes)


async def test_who_looks_back_takes_turns_with_those_who_play(pool: ThinkingPool) -> None:
    order: list[str] = []

    async def look_back() -> None:
        for _ in range(3):
            await pool.look_back(Planted(""), ticket(LOOKER), always)
            order.append("part")

    async def ask() -> None:
        await pool.think(replace(request_of("volo"), level=None), ticket(PLAYER))
        order.append("move")

    await pool.thoughts.places.acquire()
    tasks = [asyncio.create_task(look_back())]
    await asyncio.sleep(0)
    assert not pool.thoughts.load.waiting, "looking back leaves all levels their effort"
    tasks += [asyncio.create_task(ask()) for _ in range(2)]
    await eventually(lambda: pool.thoughts.load.waiting.total() == 2)
    pool.thoughts.places.release()
    await asyncio.gather(*tasks)
    assert order == ["part", "move", "part", "move", "part"]
