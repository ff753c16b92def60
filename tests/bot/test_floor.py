"""What a computer player's answer takes in time does not tell what it holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.fair_queue import Ticket
from bot.domain.tables import TableInfo
from bot.matches import build_services
from bot.matches.thoughts import LEVEL_FLOORS, Floor
from bot.workers import thinker
from bot.workers.thinker import LAP_S, LAPS, LONGEST_S, Said, Speed, ThinkRequest, Wanted, always, answer
from engines.core.contract import Words
from engines.core.match import AnyGame
from engines.core.optional_methods import Level, Thinking
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room
from tests.bot.test_thinking import request_of
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table
from tests.kit.thinking_here import services_over
from tests.kit.vault.eager import Eager

FLOOR = 0.5

QUICK, SLOW, SLOWEST = 0.001, 0.05, 0.7
"""Seconds of one thought. Some think of several things before they answer once."""


class Time:
    """A clock that goes on only while somebody thinks or sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def floor(self) -> Floor:
        return Floor(FLOOR, clock=lambda: self.now, sleep=self.sleep)


async def answers(room: Room, info: TableInfo, time: Time) -> list[float]:
    """Let the computer players of a table play; return when each of their sentences was said."""
    said: list[float] = []
    commit = room.services.cache.commit

    async def noted(*given: Any, **options: Any) -> Any:
        said.append(time.now)
        return await commit(*given, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.services.cache, "commit", noted)
        await room.play_computers(info.id)
    return said


def thinking(patch: pytest.MonkeyPatch, time: Time, seconds: float) -> None:
    """Let computer players take so long for every answer, whatever it is."""

    def slow_answer(game: AnyGame, request: ThinkRequest, effort: float) -> Words | None:
        time.now += seconds
        return answer(game, request, effort)

    patch.setattr("tests.kit.thinking_here.answer", slow_answer)


async def begin(room: Room, time: Time, game: str) -> TableInfo:
    room.services = services_over(room.services.cache, floor=time.floor())
    seats = min(size for size in ALL_GAMES[game].manifest.seats if size > 1)
    return await open_table(
        room.services, game, {}, seats, PEOPLE[0], PLACE, room.request, computers=COMPUTER * (seats - 1)
    )


async def test_slow_and_quick_players_answer_at_the_same_time(
    any_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[list[float]] = []
    for seconds in (QUICK, SLOW):
        time = Time()
        room = await Room(tmp_path / f"{seconds}.db", ALL_GAMES).enter()
        info = await begin(room, time, any_game)
        found: list[float] = []
        for _ in range(3):
            with monkeypatch.context() as patch:
                thinking(patch, time, seconds)
                found += await answers(room, info, time)
            if not await room.play_some(info, 1):
                break
        await room.store.close()
        heard.append(found)
    assert heard[0], "no computer player was asked"
    assert heard[0] == pytest.approx(heard[1])
    level = Level.MIDDLE if isinstance(ALL_GAMES[any_game], Thinking) else None
    # Where all can tell that there is only one thing to say, it comes at once.
    floors = (1, LEVEL_FLOORS[level])
    assert any(heard[0][0] == pytest.approx(FLOOR * number) for number in floors)


async def test_a_thought_that_takes_longer_is_rounded_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    thinking(monkeypatch, time, SLOWEST)
    info = await begin(room, time, "vault")
    [said, *_] = await answers(room, info, time)
    assert said == pytest.approx(2 * FLOOR)


async def test_to_keep_quiet_takes_as_long_as_to_speak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []
    for seconds in (QUICK, SLOW):
        time = Time()
        room = await Room(tmp_path / f"{seconds}.db", {"vault": Eager()}).enter()
        with monkeypatch.context() as patch:
            thinking(patch, time, seconds)
            info = await begin(room, time, "vault")
            await room.play_computers(info.id)
        await room.store.close()
        ends.append(time.now)
    assert ends[0] == pytest.approx(ends[1])
    assert ends[0] > 0


async def test_nobody_waits_where_nobody_thinks(room: Room) -> None:
    time = Time()
    room.services = services_over(room.services.cache, floor=time.floor())
    info = await room.begin()
    await room.play_computers(info.id)
    assert time.now == 0.0


@dataclass
class Waited:
    """A thinker whose answers have waited for others, and then take a while."""

    time: Time
    waits: float
    thinks: float
    within: list[float | None] = field(default_factory=list)

    async def think(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Said:
        self.within.append(request.within_s)
        self.time.now += self.waits + self.thinks
        return Said(answer(ALL_GAMES[request.game], request, 0.0), self.waits)

    def expect(self, waiting: Any) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("waits", "floors"), [(0.0, 0), (0.2, 0), (0.3, 1), (1.2, 2), (41.0, 82)])
async def test_what_an_answer_has_waited_hides_what_it_took(room: Room, waits: float, floors: int) -> None:
    said: list[float] = []
    for thinks in (0.001, 2.2):
        time = Time()
        thinker = Waited(time, waits, thinks)
        room.services = build_services(room.services.cache, thinker=thinker, floor=time.floor())  # type: ignore[arg-type]
        info = await room.begin_alone("volto")
        await room.services.actions.play_computer(info.id)
        said.append(time.now)
        [within] = thinker.within
        assert within is not None
        assert thinks <= within
    assert said == pytest.approx(2 * [FLOOR * (LEVEL_FLOORS[Level.MIDDLE] + floors)])


def test_every_level_has_time_for_its_longest_thought_on_a_machine_half_as_fast_again() -> None:
    for level, seconds in LONGEST_S.items():
        within = Floor(FLOOR).within(LEVEL_FLOORS[level])
        assert within is not None
        assert within >= 1.5 * seconds
    assert Floor(0.0).within(1) is None


def test_a_slow_machine_thinks_less_far_and_not_longer() -> None:
    for slowness, share in ((1.0, 1.0), (1.4, 1.0), (1.8, 0.5), (5.0, 0.25), (40.0, 1 / 32), (100.0, 0.0)):
        speed = Speed(run=lambda slowness=slowness: slowness * LAP_S)  # type: ignore[misc]
        assert speed.share(Level.BEST, 8.25) == share
        assert share * slowness * LONGEST_S[Level.BEST] <= 8.25


def test_one_slow_lap_does_not_make_a_slow_machine() -> None:
    laps = iter([*(LAP_S for _ in range(LAPS - 1)), 10 * LAP_S])
    speed = Speed(run=lambda: next(laps))
    assert {speed.share(Level.BEST, 8.25) for _ in range(LAPS)} == {1.0}


def test_a_slow_process_cuts_the_budget_by_what_its_floor_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "_speed", Speed(run=lambda: 3 * LAP_S))
    request = replace(request_of("volto", Level.BEST), within_s=8.25)
    efforts: list[float] = []

    def think_with(_: ThinkRequest, effort: float) -> Words | None:
        efforts.append(effort)
        return None

    found = [thinker.timed(think_with, each, 1.0) for each in (request, replace(request, within_s=None))]
    assert efforts == [each.effort for each in found] == [0.5, 1.0], "where there is no floor, nothing is cut"
