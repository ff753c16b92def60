"""Stopping: what people have pressed is finished, and what they press meanwhile is answered kindly."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.background import BackgroundTasks
from bot.interactions import intake
from bot.interactions.intake import Intake
from tests.kit.waiting import for_ever, let_others_run

COMPONENT, COMPLETION = discord.InteractionType.component, discord.InteractionType.autocomplete


def interaction(kind: discord.InteractionType = COMPONENT) -> Any:
    return SimpleNamespace(type=kind)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []

    async def answer(act: Any, *_: object) -> None:
        said.append(act.type.name)

    monkeypatch.setattr(intake, "answer_completion", answer)
    monkeypatch.setattr(intake, "Reply", lambda act: act)
    monkeypatch.setattr(intake, "say_last", answer)
    return said


async def test_what_is_under_way_is_finished_and_nothing_else_is_begun(refused: list[str]) -> None:
    door, gate, done = Intake(), asyncio.Event(), []

    async def handle(name: str) -> None:
        await gate.wait()
        done.append(name)

    first = asyncio.create_task(door.let_in(interaction(), handle("first")))
    await let_others_run()
    closing = asyncio.create_task(door.close())
    await let_others_run()
    for kind in (COMPONENT, COMPLETION):
        await door.let_in(interaction(kind), handle("late"))
    assert not closing.done()
    gate.set()
    await closing
    await first
    assert done == ["first"]
    assert refused == ["component", "autocomplete"]


async def test_what_takes_too_long_is_given_up(refused: list[str], caplog: pytest.LogCaptureFixture) -> None:
    door = Intake()
    endless = asyncio.create_task(door.let_in(interaction(), for_ever()))
    await let_others_run()
    await door.close(patience=0.01)
    assert endless.cancelled()
    assert "given up" in caplog.text
    assert refused == []


async def test_what_fails_under_way_fails_for_itself(refused: list[str]) -> None:
    door = Intake()

    async def fail() -> None:
        await asyncio.sleep(0)
        raise LookupError

    failing = asyncio.create_task(door.let_in(interaction(), fail()))
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
