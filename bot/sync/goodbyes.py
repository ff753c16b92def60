"""The last direct message of a match, once to each person who plays by direct message: how it ended."""

from __future__ import annotations

import math
from dataclasses import dataclass

import discord

from bot.domain.jobs import STALE_MARK, Call, Shown, Way
from bot.domain.tables import Person, Status
from bot.gateway.discord_errors import DMS_CLOSED, code_of
from bot.matches import Services
from bot.pages.goodbye import MARKER, goodbye_page
from bot.pages.page import Page
from bot.pages.texts import Texts
from bot.sync.client import MessageClient
from bot.sync.shown import GOODBYE, ShownMessages
from engines.core.contract import Seat


@dataclass(eq=False)
class Goodbyes:
    """Tells people once how matches ended; every call can be repeated."""

    services: Services
    messages: MessageClient
    shown: ShownMessages

    async def update(self, match: str, seat: Seat) -> None:
        """Tell the holder of a seat how the match ended, once, if they want direct messages."""
        board = await self.services.queries.board(match)
        person = board.table.chair_at(seat).person
        if person is None or board.table.status is not Status.OVER:
            return
        preferences = await self.services.settings.preferences(person.id)
        if not preferences.dms:
            return
        now = self.services.cache.clock()
        if (free := preferences.free_from(now)) > now:
            await self.services.outbox.call(match, [Call(Way.GOODBYE, math.ceil(free), (seat,))])
            return
        page = goodbye_page(board, Texts(preferences.language))
        try:
            await self._say(match, seat, person, page)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise  # with direct messages closed, they find the end in the thread

    async def _say(self, match: str, seat: Seat, person: Person, page: Page) -> None:
        surface = f"{GOODBYE}{seat}"
        begun = await self.services.outbox.begin(match, surface)
        said = begun.shown
        if said is not None and not said.is_stale:
            return
        async with self.shown.writing_to(person.id) as conversation:
            channel = conversation.channel_id
            if said is None and not self.shown.certain(match, surface):
                # It may have been sent just before a crash, without being recorded.
                found = (each for each in await self.shown.find(match, channel) if each.marker == MARKER)
                said = next((Shown(channel, each.message_id, digest=STALE_MARK) for each in found), None)
            if said is not None and await self.messages.edit(said.channel_id, said.message_id, page):
                await self.shown.note(match, surface, said, page, begun)
                return
            message = await self.shown.post(match, surface, channel, page, f"g.{match}:{seat}")
            await self.shown.note(match, surface, Shown(channel, message), page, begun)
