"""What a server's managers do on its page. Each press checks the permission, which may have been lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.domain.clocks import Pace
from bot.domain.refusals import Refusal
from bot.domain.tables import ClosedBy, HandledRequest, Opener, Opening, ServerRules, Status, TableInfo
from bot.interactions.buttons import Handler, same_message
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.interactions.which_match import WhichMatch
from bot.matches.settings import known_language
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.languages import AS_DISCORD
from bot.pages.server import (
    MOST,
    MOST_CHANNELS,
    MOST_ROLES,
    MOST_THREADS,
    NO_LIMIT,
    end_page,
    server_page,
)
from engines.core.contract import msg


def opener_of(interaction: discord.Interaction[Any]) -> Opener:
    """Return what Discord says about the person who wants to open a table."""
    user = interaction.user
    roles = user.roles if isinstance(user, discord.Member) else []
    return Opener(frozenset(role.id for role in roles), may_manage(interaction))


def may_manage(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the user of an interaction manages its server."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


class ServerPages:
    """The page about a server, and its controls."""

    def __init__(self, context: Context) -> None:
        self._servers = context.services.servers
        self._closing = context.services.closing
        self._queries = context.services.queries
        self._which = WhichMatch(context.services.queries)

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of its buttons."""
        choosing = (
            Button.SERVER_OPENING,
            Button.SERVER_ROLES,
            Button.SERVER_CHANNELS,
            Button.SERVER_MOST,
            Button.SERVER_THREADS,
            Button.SERVER_PACES,
            Button.SERVER_PACE,
            Button.SERVER_LANGUAGE,
        )
        return {
            Button.SERVER: same_message(lambda reply, _, __: self.show(reply)),
            **dict.fromkeys(choosing, same_message(self._choose)),
            Button.END_MATCH: same_message(self._ask_to_end),
            Button.END_FOR_GOOD: same_message(self._end),
        }

    async def show(self, reply: Reply) -> None:
        """Show the rules of the server; raises :class:`Refusal` if the asker may not change them."""
        guild = _managed(reply)
        here = await self._which.here(reply)
        running = here if here is not None and here.status is Status.RUNNING else None
        await reply.show(server_page(await self._rules(reply, guild), running, reply.texts))

    async def _rules(self, reply: Reply, guild: int) -> ServerRules:
        """Return the rules of a server, with its present locale at Discord."""
        locale = str(reply.interaction.guild_locale or "")
        return replace(await self._servers.rules(guild), locale=locale)

    async def _choose(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        guild = _managed(reply)
        try:
            await self._servers.change(guild, lambda rules: _changed(rules, place.button, values))
        except (ValueError, IndexError):
            raise Refusal(msg("error.stale")) from None
        await self.show(reply)

    async def _ask_to_end(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        await reply.show(end_page(await self._match_here(reply, place), reply.texts))

    async def _end(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        table = await self._match_here(reply, place)
        note = HandledRequest(str(reply.id), table.id, reply.person.id, "end_match")
        await self._closing.close(table.id, ClosedBy.SERVER, note)
        await reply.say(reply.texts.house("said.match_ended"))

    async def _match_here(self, reply: Reply, place: ButtonId) -> TableInfo:
        """Return the match of a button; raises :class:`Refusal` if it is none of the server."""
        guild = _managed(reply)
        table = await self._queries.table(place.match)
        if table.place.guild_id != guild:
            raise Refusal(msg("error.unknown_match"))
        return table


def _managed(reply: Reply) -> int:
    """Return the id of the server that the asker manages; raises :class:`Refusal`."""
    guild = reply.interaction.guild_id
    if guild is None or not may_manage(reply.interaction):
        raise Refusal(msg("error.not_manager"))
    return guild


def _changed(rules: ServerRules, which: Button, values: list[str]) -> ServerRules:
    """Return the rules with a choice applied.

    Raises ``ValueError``, ``IndexError`` or :class:`Refusal` if it is invalid.
    """
    match which:
        case Button.SERVER_OPENING:
            return replace(rules, opening=Opening(values[0]))
        case Button.SERVER_ROLES:
            return replace(rules, roles=tuple(map(int, values[:MOST_ROLES])))
        case Button.SERVER_CHANNELS:
            return replace(rules, channels=tuple(map(int, values[:MOST_CHANNELS])))
        case Button.SERVER_MOST:
            most = None if values[0] == NO_LIMIT else int(values[0])
            if most is not None and most not in MOST:
                raise ValueError(most)
            return replace(rules, most=most)
        case Button.SERVER_THREADS:
            return replace(rules, threads_per_day=MOST_THREADS[MOST_THREADS.index(int(values[0]))])
        case Button.SERVER_PACES:
            return rules.with_paces([Pace(value) for value in values])
        case Button.SERVER_LANGUAGE:
            return replace(rules, language=known_language("" if values[0] == AS_DISCORD else values[0]))
        case _:
            pace = Pace(values[0])
            return replace(rules, pace=pace if pace in rules.paces else rules.pace)
