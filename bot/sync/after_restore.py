"""After a backup was restored: tells the threads, and removes the buttons from messages that are invalid."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

import discord

from bot.domain.jobs import JobKind, Shown, Work
from bot.domain.surfaces import BOARD, DM, LOBBY, SET_BACK, Nonce
from bot.domain.tables import Status, TableInfo
from bot.gateway.discord_errors import DMS_CLOSED, FORBIDDEN, GONE, code_of, failure_of
from bot.matches import Services
from bot.matches.outbox import RESTORE_ID
from bot.pages.custom_ids import Button
from bot.pages.page import Page, text_page
from bot.pages.texts import Texts
from bot.store.backup import COPIED_AT, LOST_KEY
from bot.sync import Surfaces
from bot.sync.client import DEEP_SEARCH_LIMIT, MessageClient
from engines.core.registry import games

log = logging.getLogger(__name__)


@dataclass(eq=False)
class AfterRestore:
    """Brings Discord up to date with a database that went back in time."""

    services: Services
    surfaces: Surfaces
    messages: MessageClient

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its job."""
        return {JobKind.SET_BACK: lambda job: self.match(job.table_id)}

    async def match(self, match: str) -> None:
        """Tell a match's thread, once, and show the state of the match; safe to repeat."""
        table = await self.services.queries.table(match)
        lobby = await self.services.outbox.shown(match, LOBBY)
        thread = table.thread_id or (lobby.message_id if lobby is not None else None)
        surface = f"{SET_BACK}{await self.services.settings.get_value(RESTORE_ID)}"
        if thread is not None and await self.services.outbox.shown(match, surface) is None:
            await self._retire_dms(table)
            try:
                await self._retire_thread(table, thread, surface)
            except discord.NotFound as error:  # there is no thread to tell: the board starts one
                if error.code not in GONE:
                    raise
        if table.status is Status.RUNNING:
            await self.surfaces.board.update(match)
            for chair in table.chairs:
                if chair.person is not None and chair.seat is not None:
                    await self.surfaces.direct_messages.update(match, chair.seat, with_board=True)

    async def _retire_thread(self, table: TableInfo, thread: int, surface: str) -> None:
        lobby = await self.services.outbox.shown(table.id, LOBBY)
        found = [
            each
            for each in await self.messages.find(thread, f":{table.id}:", among=DEEP_SEARCH_LIMIT)
            if lobby is None or each.message_id != lobby.message_id
        ]
        if not found and table.status is Status.OPEN:
            return  # the match never began, or nobody saw that it did
        # Only the last board of a finished match offers a rematch; it shows the seed too.
        rematch = f":{Button.REMATCH.value}"
        ended = any(custom_id.endswith(rematch) for message in found for custom_id in message.custom_ids)
        for message in found:
            await self.messages.strip(thread, message.message_id)
        words = await self._words(table, ended=ended)
        told = await self.messages.post(thread, words, nonce=Nonce.SET_BACK.of(match=table.id))
        await self.services.outbox.drop_shown(table.id, BOARD)
        await self.services.outbox.set_shown(table.id, surface, Shown(thread, told))

    async def _words(self, table: TableInfo, *, ended: bool) -> Page:
        texts = await self.surfaces.shown.texts(table)
        made = await self.services.settings.get_value(COPIED_AT)
        lines = [f"⏪ {texts.house('restored.told')}"]
        found = games().get(table.game)
        if found is None or not found.manifest.combinatorial:
            # Draws come out differently now, but cards shuffled before the backup keep their order.
            lines.append(texts.house("restored.known"))
            if ended:
                lines.append(texts.house("restored.seed"))
        if made:
            lines.append(f"-# {texts.house('restored.made', when=f'<t:{int(made)}:f>')}")
        return text_page("\n".join(lines))

    async def _retire_dms(self, table: TableInfo) -> None:
        for chair in table.chairs:
            if chair.person is None or chair.seat is None:
                continue
            surface = f"{DM}{chair.seat}"
            settings = await self.services.settings.preferences(chair.person.id)
            if not settings.dms and await self.services.outbox.shown(table.id, surface) is None:
                continue
            try:
                channel = await self.surfaces.shown.dm_channel(chair.person.id)
                for message in await self.messages.find(channel, f":{table.id}:", among=DEEP_SEARCH_LIMIT):
                    await self.messages.strip(channel, message.message_id)
            except discord.HTTPException as error:
                if code_of(error) not in DMS_CLOSED | FORBIDDEN | GONE:
                    raise
            await self.services.outbox.drop_shown(table.id, surface)

    async def lost(self) -> None:
        """Tell the threads of matches that began after the backup that they are lost; only log failures."""
        known = json.loads(await self.services.settings.get_value(LOST_KEY) or "[]")
        for channel, message, surface in known:
            try:
                await self.messages.strip(channel, message)
                if surface == BOARD:
                    words = text_page(f"⏪ {Texts().house('restored.lost')}")
                    await self.messages.post(channel, words, nonce=Nonce.LOST.of(channel=channel))
            except discord.HTTPException as error:
                log.info("lost match: message could not be updated: %s", failure_of(error))
        if known:
            await self.services.settings.set_value(LOST_KEY, "")
