"""Whoever asks for many private pictures waits for them alone."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.refusals import Refusal
from bot.interactions.one_by_one import MOST, OneByOne
from tests.kit.waiting import let_others_run

ANNA, BEN = 11, 22


async def test_one_person_waits_and_others_do_not() -> None:
    paintings, painted, finish = OneByOne(), list[int](), asyncio.Event()

    async def paint(person: int) -> None:
        async with paintings.turn(person):
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
    assert len(paintings) == 0


async def test_who_gives_up_waiting_leaves_the_line() -> None:
    paintings, never = OneByOne(), asyncio.Event()

    async def paint() -> None:
        async with paintings.turn(ANNA):
            await never.wait()

    tasks = [asyncio.create_task(paint()) for _ in range(3)]
    await let_others_run()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert len(paintings) == 0
    async with asyncio.timeout(5), paintings.turn(ANNA):
        pass
