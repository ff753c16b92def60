"""The interactions under way. Once the bot stops, those are finished, and no other is begun."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

import discord

from bot.discord_patches import let_go
from bot.interactions.reply import Reply, answer_completion, say_last

log = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds that interactions under way get once the bot stops."""

LAST_WORDS = 1.0
"""Seconds in which those that take longer, and those that were not begun, are told that the bot stops."""


class Intake:
    """Lets interactions in, each in the task that discord.py gives it.

    One that comes while the bot stops is told so at once, without database or picture: whoever pressed knows
    that nothing happened, and that pressing again helps.
    """

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refusing: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._over = False

    async def let_in(self, interaction: discord.Interaction[Any], handling: Awaitable[None]) -> None:
        """Handle an interaction, or say that the bot stops."""
        task = asyncio.current_task()
        assert task is not None
        tasks = self._refusing if self._closed else self._under_way
        tasks.add(task)
        try:
            if self._closed:
                _leave(handling)
                # Once all is said, the line goes: what comes then cannot be answered any more.
                if not self._over:
                    await _refuse(interaction)
            else:
                await handling
        finally:
            tasks.discard(task)
            let_go(interaction)

    async def close(self, patience: float = PATIENCE) -> None:
        """Begin nothing more, and wait for what is under way; what takes longer is given up, and told so."""
        self._closed = True
        late: set[asyncio.Task[Any]] = set()
        if self._under_way:
            log.info("%d interactions are under way", len(self._under_way))
            _, late = await asyncio.wait(self._under_way, timeout=patience)
        if late:
            log.warning("%d interactions take too long and are given up", len(late))
        for task in late:
            task.cancel()
        self._over = True
        if rest := late | self._refusing:
            _, left = await asyncio.wait(rest, timeout=LAST_WORDS)
            for task in left:
                task.cancel()


async def _refuse(interaction: discord.Interaction[Any]) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        await answer_completion(interaction, [])
    else:
        await say_last(Reply(interaction), "error.stopping")


def _leave(handling: Awaitable[None]) -> None:
    if asyncio.iscoroutine(handling):
        handling.close()
