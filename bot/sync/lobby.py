"""The table's message in its channel, and the thread that begins below it.

Every method can be called again at any time and changes nothing that is up to date.
"""

from __future__ import annotations

import logging

import discord

from bot.discord_errors import GONE, TOO_MANY_THREADS
from bot.domain.jobs import Shown
from bot.domain.tables import Status, TableInfo
from bot.matches import Services
from bot.pages.lobby import MARKER, lobby_page, thread_name
from bot.sync.client import MessageClient
from bot.sync.shown import ELSEWHERE, LOBBY, ChannelGone, ShownMessages

log = logging.getLogger(__name__)


class LobbyMessages:
    """Keeps the messages and threads of tables up to date."""

    def __init__(self, services: Services, messages: MessageClient, shown: ShownMessages) -> None:
        self._services = services
        self._messages = messages
        self._shown = shown

    async def update(self, match: str) -> Shown:
        """Bring the table's message up to date, and return it; raises :class:`ChannelGone`."""
        table = await self._services.queries.table(match)
        shown = await self._services.outbox.shown(match, LOBBY)
        if shown is None:
            return await self._post(table)
        page = lobby_page(table, self._shown.texts(table), await self._invited(table))
        if await self._messages.edit(shown.channel_id, shown.message_id, page):
            return shown
        if table.status in (Status.OVER, Status.CLOSED):
            return shown
        return await self._post(table, instead_of=shown.message_id)

    async def _post(self, table: TableInfo, instead_of: int | None = None) -> Shown:
        """Post the table's message; the one that was posted before a crash, if there is one, is edited.

        ``instead_of`` is an id that stands for the message or thread that is gone.
        """
        channel, invited = table.place.channel_id, await self._invited(table)
        page = lobby_page(table, self._shown.texts(table), invited)
        try:
            message = None
            if instead_of is None and not self._shown.certain(table.id, LOBBY):
                found = await self._messages.find(channel, f":{table.id}:")
                message = next((each.message_id for each in found if each.marker == MARKER), None)
                if message is not None and not await self._messages.edit(channel, message, page):
                    message, instead_of = None, message
            if message is None:
                again = "" if instead_of is None else f".{instead_of % 10**6}"
                message = await self._shown.post(
                    table.id, LOBBY, channel, page, f"t.{table.id}{again}", invited
                )
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise ChannelGone from error
        shown = Shown(channel, message)
        await self._shown.note(table.id, LOBBY, shown)
        return shown

    async def _invited(self, table: TableInfo) -> list[int]:
        if table.status is not Status.OPEN:
            return []
        return [person.id for person in await self._services.lobby.invited(table.id)]

    async def thread(self, match: str) -> int:
        """Return the channel of the match's boards, started if need be: its thread, or its channel."""
        table = await self._services.queries.table(match)
        if table.thread_id is not None:
            return table.thread_id
        elsewhere = await self._services.outbox.shown(match, ELSEWHERE)
        return elsewhere.channel_id if elsewhere is not None else await self._start_thread(table)

    async def _start_thread(self, table: TableInfo) -> int:
        shown = await self._services.outbox.shown(table.id, LOBBY) or await self._post(table)
        name = thread_name(table)
        try:
            thread = await self._messages.start_thread(shown.channel_id, shown.message_id, name)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            shown = await self._post(table, instead_of=shown.message_id)
            thread = await self._messages.start_thread(shown.channel_id, shown.message_id, name)
        except discord.HTTPException as error:
            if error.code != TOO_MANY_THREADS:
                raise
            log.warning("match %s is played in its channel: the server has no thread left", table.id)
            place = Shown(table.place.channel_id, shown.message_id)
            await self._services.outbox.set_shown(table.id, ELSEWHERE, place)
            return place.channel_id
        await self._services.outbox.bind_thread(table.id, thread)
        await self.update(table.id)
        return thread

    async def replace_thread(self, table: TableInfo, gone: int) -> int:
        """Start a new thread below a new message of the table, where the thread ``gone`` was deleted."""
        log.warning("the thread of match %s is gone: a new one is begun", table.id)
        before = await self._services.outbox.shown(table.id, LOBBY)
        shown = await self._post(table, instead_of=gone)
        if before is not None:
            await self._shown.strip(before)
        thread = await self._messages.start_thread(shown.channel_id, shown.message_id, thread_name(table))
        await self._services.outbox.bind_thread(table.id, thread)
        return thread
