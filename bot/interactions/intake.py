"""The interactions under way. Once the bot stops, those are finished, and no other is begun."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import discord

from bot.discord_patches import let_go
from bot.interactions.reply import Reply, answer_completion, person_of, say_last
from bot.matches.limits import LIMITS
from bot.matches.nicknames import Nicknames

log = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds that interactions under way get once the bot stops."""

LAST_WORDS = 1.0
"""Seconds in which those that take longer, and those that were not begun, are told that the bot stops."""


class Intake:
    """Lets interactions in, each in the task that discord.py gives it.

    One that comes while the bot stops is told so at once, without database or picture: whoever pressed knows
    that nothing happened, and that pressing again helps. So is one of a person for whom ``at_once``
    others are under way: nobody else waits for what they ask for.
    """

    def __init__(
        self, nicknames: Nicknames | None = None, at_once: int = LIMITS.interactions_at_once
    ) -> None:
        self._nicknames = nicknames or Nicknames()
        self._at_once = at_once
        self._by_person: Counter[int] = Counter()
        """How many of each person's interactions are under way."""
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refusing: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._over = False

    async def let_in(self, interaction: discord.Interaction[Any], handling: Awaitable[None]) -> None:
        """Handle an interaction, or say that the bot stops, or that its person asks for too much at once."""
        task = asyncio.current_task()
        assert task is not None
        user: Any = interaction.user
        person = user.id if user else 0  # Discord may name nobody
        is_one_too_many = self._by_person[person] >= self._at_once
        tasks = self._refusing if self._closed or is_one_too_many else self._under_way
        tasks.add(task)
        self._by_person[person] += 1
        try:
            if self._closed:
                _leave(handling)
                # Once all is said, the line goes: what comes then cannot be answered any more.
                if not self._over:
                    await _refuse(interaction, "error.stopping")
            elif is_one_too_many:
                _leave(handling)
                await _refuse(interaction, "error.too_many_at_once")
            else:
                self._learn_name(interaction)
                await handling
        finally:
            tasks.discard(task)
            self._by_person[person] -= 1
            if not self._by_person[person]:
                del self._by_person[person]
            let_go(interaction)

    def _learn_name(self, interaction: discord.Interaction[Any]) -> None:
        # In direct messages a person goes by another name than in a match's server.
        user, guild_id = interaction.user, interaction.guild_id
        if isinstance(user, discord.Member) and guild_id is not None and not user.bot:
            self._nicknames.learn(guild_id, person_of(user), interaction.id)

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


async def _refuse(interaction: discord.Interaction[Any], key: str) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        await answer_completion(interaction, [])
    else:
        await say_last(Reply(interaction), key)


def _leave(handling: Awaitable[None]) -> None:
    if asyncio.iscoroutine(handling):
        handling.close()
