"""What a computer player's answer takes in time does not tell what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.domain.tables import TableInfo
from bot.matches import build_services
from bot.matches.thoughts import LEVEL_FLOORS, Floor
from bot.thinking.request import ThinkRequest, answer
from engines.core.contract import Words
from engines.core.match import AnyGame
from engines.core.optional_methods import Thinking
from engines.core.skill import Level
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room
from tests.kit.services import COMPUTER
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

    patch.setattr("bot.thinking.here.answer", slow_answer)


async def begin(room: Room, time: Time, game: str) -> TableInfo:
    room.services = build_services(room.services.cache, floor=time.floor())
    seats = min(size for size in ALL_GAMES[game].manifest.seats if size > 1)
    return await room.services.lobby.open(
        game, {}, seats, PEOPLE[0], PLACE, room.request, computers=COMPUTER * (seats - 1)
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
    room.services = build_services(room.services.cache, floor=time.floor())
    info = await room.begin()
    await room.play_computers(info.id)
    assert time.now == 0.0
