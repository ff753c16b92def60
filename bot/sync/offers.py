"""The offer of a draw, as a message of its own in the match's thread: it pings those who must answer."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.discord_errors import GONE
from bot.domain.jobs import Shown
from bot.domain.match import Board
from bot.matches import Services
from bot.pages.offer import MARKER, offer_page, offer_settled_page, people_to_answer
from bot.sync.client import MessageClient
from bot.sync.lobby import LobbyMessages
from bot.sync.shown import ShownMessages

OFFER = "offer"
"""The surface of the message that asks for answers to the offers of a draw."""


@dataclass(eq=False)
class OfferMessages:
    """Keeps the offers of matches up to date; every call can be repeated."""

    services: Services
    messages: MessageClient
    shown: ShownMessages
    lobby: LobbyMessages

    async def update(self, match: str) -> None:
        """Ask those who must answer, once an offer; take the buttons away once there is nothing to answer."""
        board = await self.services.queries.board(match)
        open_ = bool(board.draw_offers) and board.outcome is None and bool(people_to_answer(board))
        channel = await self.lobby.thread(match)
        asked = await self._asked(match, channel)
        if asked is not None and asked.channel_id == channel:
            texts = self.shown.texts(board.table)
            page = offer_page(board, texts) if open_ else offer_settled_page(texts)
            if await self.messages.edit(channel, asked.message_id, page) and open_:
                return
        if open_:
            await self._post(board, channel)
        elif asked is not None:
            await self.services.outbox.drop_shown(match, OFFER)

    async def _post(self, board: Board, channel: int) -> None:
        match, page = board.table.id, offer_page(board, self.shown.texts(board.table))
        try:
            message = await self.shown.post(
                match, OFFER, channel, page, f"o.{match}.{board.version}", people_to_answer(board)
            )
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return  # the thread was deleted: the board that follows it into a new one shows the offer too
        await self.shown.note(match, OFFER, Shown(channel, message), page)

    async def _asked(self, match: str, channel: int) -> Shown | None:
        shown = await self.services.outbox.shown(match, OFFER)
        if shown is not None or self.shown.certain(match, OFFER):
            return shown
        # It may have been posted just before a crash, and not been noted.
        found = await self.shown.find(match, channel)
        asked = next((Shown(channel, each.message_id) for each in found if each.marker == MARKER), None)
        if asked is not None:
            await self.services.outbox.set_shown(match, OFFER, asked)
        self.shown.mark_certain(match, OFFER)
        return asked
