"""The interactions in progress. When the bot stops, they are finished, and no others are started."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import discord

from bot.gateway.discord_patches import break_cycles
from bot.interactions.reply import TEXTS, Reply, answer_completion, answer_while_stopping, person_of
from bot.matches.limits import LIMITS
from bot.matches.nicknames import Nicknames
from bot.matches.settings import Languages
from bot.pages.mentions import NO_MENTIONS, CommandMentions
from bot.pages.texts import texts_in
from bot.store import StoreError
from engines.core.languages import language_of

log = logging.getLogger(__name__)

DRAIN_TIMEOUT_S = 3.0
"""Seconds that interactions in progress get when the bot stops."""

LANGUAGE_TIMEOUT_S = 0.5
"""Seconds that an interaction waits for its person's language, of the three that Discord waits."""

REFUSAL_TIMEOUT_S = 1.0
"""Seconds for telling users whose interactions take longer, or were not started, that the bot stops."""


class Intake:
    """Admits interactions, each in the task that discord.py gives it.

    One that comes while the bot stops is refused at once, without database or picture: the user learns that
    nothing happened, and that pressing again helps. The same happens while ``at_once`` others of the same
    person are in progress, so that nobody else has to wait for them.
    """

    def __init__(
        self,
        nicknames: Nicknames | None = None,
        at_once: int = LIMITS.interactions_at_once,
        languages: Languages | None = None,
        mentions: CommandMentions = NO_MENTIONS,
    ) -> None:
        self._languages = languages
        self._mentions = mentions
        self._nicknames = nicknames or Nicknames()
        self._at_once = at_once
        self._by_person: Counter[int] = Counter()
        """How many of each person's interactions are in progress."""
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refusing: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._over = False

    async def handle(self, interaction: discord.Interaction[Any], handling: Awaitable[None]) -> None:
        """Handle an interaction, or refuse it if the bot stops or the person has too many in progress."""
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
                # After that, the connection closes, and nothing can be answered any more.
                if not self._over:
                    await _refuse(interaction, "error.stopping")
            elif is_one_too_many:
                await _refuse(interaction, "error.too_many_at_once")
            else:
                self._learn_name(interaction)
                await self._choose_texts(interaction, person)
                await handling
                await self._note_locales(interaction, person)
        finally:
            _leave(handling)
            tasks.discard(task)
            self._by_person[person] -= 1
            if not self._by_person[person]:
                del self._by_person[person]
            break_cycles(interaction)

    def _learn_name(self, interaction: discord.Interaction[Any]) -> None:
        # In direct messages a person has another name than in a match's server.
        user, guild_id = interaction.user, interaction.guild_id
        if isinstance(user, discord.Member) and guild_id is not None and not user.bot:
            self._nicknames.learn(guild_id, person_of(user), interaction.id)

    async def _choose_texts(self, interaction: discord.Interaction[Any], person: int) -> None:
        """Choose the language of the answer; Discord's, if the database does not say another soon."""
        if self._languages is None:
            return
        locale = str(interaction.locale)
        language = language_of(locale)
        try:
            async with asyncio.timeout(LANGUAGE_TIMEOUT_S):
                language = await self._languages.of_person(person, locale)
        except (StoreError, TimeoutError) as error:
            log.info("answering in Discord's language: %s", type(error).__name__)
        interaction.extras[TEXTS] = texts_in(language, self._mentions)

    async def _note_locales(self, interaction: discord.Interaction[Any], person: int) -> None:
        # Afterwards: an interaction that seats a person stores their locale too.
        if self._languages is None or interaction.type is discord.InteractionType.autocomplete:
            return
        try:
            await self._languages.note_locale(person, str(interaction.locale))
            if interaction.guild_id is not None and interaction.guild_locale is not None:
                await self._languages.note_server_locale(interaction.guild_id, str(interaction.guild_locale))
        except StoreError as error:
            log.info("locale not stored: %s", error)

    async def close(self, patience: float = DRAIN_TIMEOUT_S) -> None:
        """Admit nothing more and wait for what is in progress; cancel what takes longer, and answer that."""
        self._closed = True
        late: set[asyncio.Task[Any]] = set()
        if self._under_way:
            log.info("waiting for %d interactions", len(self._under_way))
            _, late = await asyncio.wait(self._under_way, timeout=patience)
        if late:
            log.warning("cancelling %d slow interactions", len(late))
        for task in late:
            task.cancel()
        self._over = True
        if rest := late | self._refusing:
            _, left = await asyncio.wait(rest, timeout=REFUSAL_TIMEOUT_S)
            for task in left:
                task.cancel()


async def _refuse(interaction: discord.Interaction[Any], key: str) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        await answer_completion(interaction, [])
    else:
        await answer_while_stopping(Reply(interaction), key)


def _leave(handling: Awaitable[None]) -> None:
    if asyncio.iscoroutine(handling):
        handling.close()
