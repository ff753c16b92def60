"""Stopping: what people have pressed is finished, and what they press meanwhile is answered kindly."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.interactions import intake
from bot.interactions.intake import Intake
from bot.runtime.background import BackgroundTasks
from tests.kit.waiting import for_ever, let_others_run

COMPONENT, COMPLETION = discord.InteractionType.component, discord.InteractionType.autocomplete


def interaction(kind: discord.InteractionType = COMPONENT, person: int = 11) -> Any:
    return SimpleNamespace(type=kind, user=SimpleNamespace(id=person), guild_id=None)


@pytest.fixture
def slow() -> dict[str, asyncio.Event]:
    """Return what refusals wait for, under ``answer``."""
    return {}


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, slow: dict[str, asyncio.Event]) -> list[str]:
    said: list[str] = []

    async def answer(act: Any, *_: object) -> None:
        said.append(act.type.name)
        if "answer" in slow:
            await slow["answer"].wait()

    monkeypatch.setattr(intake, "answer_completion", answer)
    monkeypatch.setattr(intake, "Reply", lambda act: act)
    monkeypatch.setattr(intake, "answer_while_stopping", answer)
    return said


async def test_what_is_under_way_is_finished_and_nothing_else_is_begun(refused: list[str]) -> None:
    door, gate, done = Intake(), asyncio.Event(), []

    async def handle(name: str) -> None:
        await gate.wait()
        done.append(name)

    first = asyncio.create_task(door.handle(interaction(), handle("first")))
    await let_others_run()
    closing = asyncio.create_task(door.close())
    await let_others_run()
    for kind in (COMPONENT, COMPLETION):
        await door.handle(interaction(kind), handle("late"))
    assert not closing.done()
    gate.set()
    await closing
    await first
    assert done == ["first"]
    assert refused == ["component", "autocomplete"]


async def test_what_takes_too_long_is_given_up(refused: list[str], caplog: pytest.LogCaptureFixture) -> None:
    door = Intake()
    endless = asyncio.create_task(door.handle(interaction(), for_ever()))
    await let_others_run()
    await door.close(patience=0.01)
    assert endless.cancelled()
    assert "cancelling 1 slow interactions" in caplog.text
    assert refused == []


async def test_what_fails_under_way_fails_for_itself(refused: list[str]) -> None:
    door = Intake()

    async def fail() -> None:
        await asyncio.sleep(0)
        raise LookupError

    failing = asyncio.create_task(door.handle(interaction(), fail()))
    await asyncio.sleep(0)
    await door.close()
    with pytest.raises(LookupError):
        await failing
    await door.close()
    assert refused == []


async def test_no_task_is_begun_in_the_background_once_it_is_closed() -> None:
    background, begun = BackgroundTasks(), []

    async def work() -> None:
        begun.append(True)

    await background.close()
    background.spawn(work(), "too late")
    await let_others_run()
    assert begun == []


async def test_who_asks_for_too_much_at_once_is_told_so_and_nobody_else(
    refused: list[str], slow: dict[str, asyncio.Event]
) -> None:
    door, gate, done, slow["answer"] = Intake(at_once=3), asyncio.Event(), list[int](), asyncio.Event()

    async def handle(person: int) -> None:
        await gate.wait()
        done.append(person)

    tasks = [asyncio.create_task(door.handle(interaction(person=11), handle(11))) for _ in range(6)]
    tasks.append(asyncio.create_task(door.handle(interaction(person=22), handle(22))))
    completes = interaction(COMPLETION, 11)
    tasks.append(asyncio.create_task(door.handle(completes, handle(11))))
    await let_others_run()
    assert refused == ["component"] * 3 + ["autocomplete"]
    gate.set()
    slow["answer"].set()
    await asyncio.gather(*tasks)
    assert sorted(done) == [11, 11, 11, 22]
    # As soon as there is room again, they are let in again.
    await door.handle(interaction(person=11), handle(11))
    assert len(done) == 5
    assert not door._by_person  # noqa: SLF001 - nobody is remembered who asks for nothing
