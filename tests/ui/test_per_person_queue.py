"""Whoever asks for many private pictures waits for them alone."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.clocks import build_clocks
from bot.domain.match import Moment
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place
from bot.interactions.answers import Answers
from bot.interactions.context import Context, PerPersonQueue
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply, guarded
from bot.matches.limits import LIMITS
from bot.runtime.background import BackgroundTasks
from bot.sync.pictures import Pictures
from engines.core.contract import msg
from renderers.core.contract import Picture
from tests.duel import DUEL
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.kit.waiting import PATIENCE, eventually, let_others_run
from tests.ui.fakes import USER, FakeAdapter, pressed
from tests.ui.surfaces.room import plain

ANNA, BEN = 11, 22
MOST = LIMITS.slow_work_at_once


async def test_one_person_waits_and_others_do_not() -> None:
    slow_work, painted, finish = PerPersonQueue(), list[int](), asyncio.Event()

    async def paint(person: int) -> None:
        async with slow_work.place(person):
            painted.append(person)
            await finish.wait()

    tasks = [asyncio.create_task(paint(person)) for person in (*[ANNA] * MOST, BEN)]
    await let_others_run()
    assert painted == [ANNA, BEN]
    with pytest.raises(Refusal) as caught:
        await paint(ANNA)
    assert caught.value.msg.key == "no.busy"
    finish.set()
    await asyncio.gather(*tasks)
    assert sorted(painted) == [*[ANNA] * MOST, BEN]
    assert len(slow_work) == 0


async def test_who_gives_up_waiting_leaves_the_line() -> None:
    slow_work, never = PerPersonQueue(), asyncio.Event()

    async def paint() -> None:
        async with slow_work.place(ANNA):
            await never.wait()

    tasks = [asyncio.create_task(paint()) for _ in range(3)]
    await let_others_run()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert len(slow_work) == 0
    async with asyncio.timeout(PATIENCE), slow_work.place(ANNA):
        pass


async def test_whoever_opens_many_panels_gets_words_where_too_many_wait(
    tmp_path: Path, client: discord.Client, adapter: FakeAdapter
) -> None:
    anna, ben, free = Person(int(str(USER["id"])), "Anna"), Person(8, "Ben"), threading.Event()

    def waits(packed: bytes) -> Picture:
        free.wait()
        return plain(packed)

    def shown() -> list[bool]:
        return ["attachment://" in str(body) for body in adapter.bodies if "components" in body]

    async with services_on(tmp_path / "bauta.db") as services, Inline(paint_with=waits) as painter:
        clocks, pictures = build_clocks(services), Pictures(painter)
        panels = Panels(Context(services, clocks, pictures, BackgroundTasks(), {}, lambda _: None))
        table = await services.lobby.open(DUEL, {}, 2, anna, Place(1, 2), 1)
        await sit_down(services, table.id, ben, 2)

        async def open_panel(reply: Reply) -> None:
            await reply.defer()
            await panels.open(reply, table.id)

        def open_one(number: int) -> asyncio.Task[Any]:
            return asyncio.create_task(guarded(Reply(pressed(client, number, anna)), open_panel))

        try:
            tasks = [open_one(number) for number in range(MOST + 3)]
            await eventually(lambda: sum(task.done() for task in tasks) == 3)
            assert shown() == [False] * 3
        finally:
            free.set()
        await asyncio.gather(*tasks)
        assert shown() == [False] * 3 + [True] * MOST


async def test_who_looks_back_at_many_matches_holds_up_nobody(
    tmp_path: Path, client: discord.Client, adapter: FakeAdapter
) -> None:
    anna, ben = Person(int(str(USER["id"])), "Anna"), Person(8, "Ben")
    asked, finish = list[int](), asyncio.Event()

    async def before(_: str, person: Person) -> Moment:
        asked.append(person.id)
        await finish.wait()
        raise Refusal(msg("no.not_started"))

    async with services_on(tmp_path / "bauta.db") as services, Inline(paint_with=plain) as painter:
        services.history.before = before  # type: ignore[method-assign, assignment]
        clocks, pictures = build_clocks(services), Pictures(painter)
        answers = Answers(Context(services, clocks, pictures, BackgroundTasks(), {}, lambda _: None))

        async def look_back(reply: Reply) -> None:
            await reply.defer()
            await answers.step_back(reply, "any")

        people = [anna] * 5 + [ben]
        tasks = [
            asyncio.create_task(guarded(Reply(pressed(client, number, person)), look_back))
            for number, person in enumerate(people)
        ]
        await eventually(lambda: len(asked) >= 2)
        await let_others_run()
        assert sorted(asked) == sorted([anna.id, ben.id])
        finish.set()
        await asyncio.gather(*tasks)
        assert asked.count(anna.id) == 5
