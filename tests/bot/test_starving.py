"""One member with many matches against computers starves nobody: by the order of thoughts, not by a clock."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.tables import Person, Place, TableInfo
from bot.matches import build_services
from bot.matches.limits import NO_LIMITS
from bot.workers.thinker import ThinkRequest, answer
from bot.workers.thinking_pool import ThinkingPool
from engines.core.contract import Words
from engines.core.optional_methods import Level
from engines.core.registry import game
from tests.bot.conftest import PEOPLE, Room, click
from tests.kit.tables import open_table
from tests.kit.waiting import PATIENCE, eventually

pytestmark = pytest.mark.usefixtures("forked")

ANNA, BEN, *_ = PEOPLE
MANY = 20
GATE, STARTED = "TEST_GATE", "TEST_STARTED"
"""Variables that name files: a best level's thought ends once the gate is there, and all add to the other."""


def patiently(request: ThinkRequest, effort: float) -> Words | None:
    """Think as a stand-in does: a best level's thought goes on until the gate is open."""
    with Path(os.environ[STARTED]).open("a") as started:
        started.write(f"{request.match}\n")
    if request.level is Level.BEST:
        while not Path(os.environ[GATE]).exists():
            threading.Event().wait(0.01)
    return answer(game(request.game), request, effort / 1000)


class CountingPool(ThinkingPool):
    """A pool that counts what computer players are asked."""

    asked = 0

    async def think(self, *given: Any, **options: Any) -> Any:
        self.asked += 1
        return await super().think(*given, **options)


class House:
    """A house in which Anna has many matches against best levels, all of which think."""

    def __init__(self, room: Room, pool: CountingPool, folder: Path) -> None:
        self.room = room
        self._pool = pool
        self._gate, self._started = folder / "gate", folder / "started"
        self._tasks: list[asyncio.Task[object]] = []

    async def play(self, host: Person, channel: int) -> TableInfo:
        """Begin a match of one person and the best level."""
        room, place = self.room, Place(1, channel)
        return await open_table(
            room.services, "volto", {}, 2, host, place, room.request, computers=[Level.BEST]
        )

    async def let_think(self, info: TableInfo) -> None:
        """Have a match's computer player asked, as the outbox does; wait until its thought is in the line."""
        self._tasks.append(asyncio.create_task(self.room.services.actions.play_computer(info.id)))
        await eventually(lambda: self._pool.asked == len(self._tasks))

    async def begun(self, number: int) -> list[str]:
        """Return the matches whose thoughts have begun, in their order, once there are so many."""

        def look() -> list[str]:
            found = self._started.read_text().split() if self._started.exists() else []
            return found if len(found) >= number else []

        return await eventually(look)

    def open_gate(self) -> None:
        """Let all thoughts come to their end."""
        self._gate.touch()

    async def end(self) -> None:
        """Open the gate, and wait for all thoughts."""
        self.open_gate()
        await asyncio.gather(*self._tasks)


@pytest.fixture
async def house(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """Return a house with one thinking process, in which Anna's first thought goes on and the others wait."""
    monkeypatch.setenv(GATE, str(tmp_path / "gate"))
    monkeypatch.setenv(STARTED, str(tmp_path / "started"))
    pool = CountingPool(think_with=patiently, patience=PATIENCE)
    async with pool:
        room.services = build_services(room.services.cache, thinker=pool, limits=NO_LIMITS)
        house = House(room, pool, tmp_path)
        for number in range(MANY):
            await house.let_think(await house.play(ANNA, 10 + number))
        await house.begun(1)
        yield house
        await house.end()


async def test_a_hint_waits_for_none_of_anothers_thoughts(house: House) -> None:
    info = await house.play(BEN, 5)
    drafts, hints = house.room.services.drafts, house.room.services.hints
    async with asyncio.timeout(
        PATIENCE / 2
    ):  # the gate is shut: in the line of those thoughts it never comes
        panel = await hints.fill_in(click(await drafts.panel(info.id, BEN)), BEN)
    assert panel.draft


@pytest.mark.parametrize("channel", [5, 10])
async def test_a_strangers_computer_thinks_after_one_of_them(house: House, channel: int) -> None:
    info = await house.play(BEN, channel)
    await house.let_think(info)
    house.open_gate()
    assert info.id in (await house.begun(3))[:3]
