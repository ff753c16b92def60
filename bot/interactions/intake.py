"""The interactions under way. Once the bot stops, those are finished, and no other is begun."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

import discord

from bot.interactions.reply import Reply, answer_completion, guarded

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds that interactions under way get once the bot stops."""

LAST_WORDS = 0.5
"""Seconds that a refusal gets to be sent: nothing was acknowledged yet."""


class Intake:
    """Lets interactions in, each in the task that discord.py gives it.

    One that comes while the bot stops is told so at once, without database or picture: whoever pressed knows
    that nothing happened, and that pressing again helps.
    """

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refusing: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def let_in(self, interaction: discord.Interaction[Any], handling: Awaitable[None]) -> None:
        """Handle an interaction, or say that the bot stops."""
        task = asyncio.current_task()
        assert task is not None
        tasks = self._refusing if self._closed else self._under_way
        tasks.add(task)
        try:
            if self._closed:
                _leave(handling)
                await _refuse(interaction)
            else:
                await handling
        finally:
            tasks.discard(task)

    async def close(self, patience: float = PATIENCE) -> None:
        """Begin nothing more, and wait for what is under way; what takes longer is cancelled."""
        self._closed = True
        if self._under_way:
            log.info("%d interactions are under way", len(self._under_way))
            _, late = await asyncio.wait(self._under_way, timeout=patience)
            await _cancelled(late)
        if self._refusing:
            _, late = await asyncio.wait(self._refusing, timeout=LAST_WORDS)
            await _cancelled(late)


async def _refuse(interaction: discord.Interaction[Any]) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        await answer_completion(interaction, [])
    else:
        await guarded(Reply(interaction), lambda reply: reply.say(reply.texts.house("error.stopping")))


def _leave(handling: Awaitable[None]) -> None:
    if asyncio.iscoroutine(handling):
        handling.close()


async def _cancelled(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        log.warning("%d interactions took too long and were given up", len(tasks))
        await asyncio.wait(tasks, timeout=1.0)
