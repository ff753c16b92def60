"""The board message in a match's thread, the film at its end, and the word that a match is frozen.

Every method can be called again at any time and changes nothing that is up to date. A board is noted as shown
after it was sent; one that may have been sent before a crash is looked for first.
"""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.discord_errors import GONE
from bot.domain.jobs import Shown
from bot.domain.match import Board
from bot.domain.tables import Status
from bot.matches import Services
from bot.pages.board import asked_people, has_film, shown_by
from bot.pages.page import Page, page, text
from bot.pages.pictures import Pictures
from bot.pages.texts import mention
from bot.sync.client import MessageClient
from bot.sync.lobby import LobbyMessages
from bot.sync.shown import BOARD, FILM, FROZEN, ChannelGone, ShownMessages


class BoardMessages:
    """Keeps the boards of matches up to date."""

    def __init__(
        self,
        services: Services,
        pictures: Pictures,
        messages: MessageClient,
        shown: ShownMessages,
        lobby: LobbyMessages,
    ) -> None:
        self._services = services
        self._pictures = pictures
        self._messages = messages
        self._shown = shown
        self._lobby = lobby

    async def update(self, match: str) -> None:
        """Bring the board message up to date: edited while its epoch lasts, else posted anew.

        One that has its film is the last one, and stays as it is.
        """
        channel = await self._lobby.thread(match)
        shown = await self._known(match, channel)
        board = await self._services.queries.board(match)
        if shown is None or shown.epoch != board.epoch or shown.channel_id != channel:
            await self._post(board, channel, "", shown)
            return
        if await self._has_film(match, shown):
            return
        page = await self._pictures.board(board, self._shown.texts(board.table))
        self._shown.mark_uncertain(match, BOARD)
        if await self._messages.edit(channel, shown.message_id, page):
            await self._note(board, shown, page)
        else:
            await self._post(board, channel, f".{shown.message_id % 10**6}", shown)

    async def _known(self, match: str, channel: int) -> Shown | None:
        shown = await self._services.outbox.shown(match, BOARD)
        if self._shown.certain(match, BOARD):
            return shown
        # A board may have been posted and not noted, just before a crash.
        found = (shown_by(channel, each) for each in await self._shown.find(match, channel))
        boards = [each for each in found if each is not None]
        older = [each for each in (shown, *boards) if each is not None]
        if boards and (shown is None or _is_newer(boards[0], shown)):
            shown = boards[0]
        for message in {(each.channel_id, each.message_id): each for each in older}.values():
            if shown is not None and message.message_id != shown.message_id:
                await self._shown.strip(message)
        if shown is not None:
            await self._services.outbox.set_shown(match, BOARD, shown)
        self._shown.mark_certain(match, BOARD)
        return shown

    async def _post(self, board: Board, channel: int, again: str, before: Shown | None) -> None:
        try:
            message, page = await self._send(board, channel, again)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            channel = await self._lobby.replace_thread(board.table, channel)
            message, page = await self._send(board, channel, f".{channel % 10**6}")
        if before is not None:
            await self._shown.strip(before)
        # Noted last: after a crash before this line, the new board is found in the thread.
        await self._note(board, Shown(channel, message), page)

    async def _send(self, board: Board, channel: int, again: str) -> tuple[int, Page]:
        page = await self._pictures.board(board, self._shown.texts(board.table))
        nonce = f"{board.table.id}.{board.epoch}{again}"
        return await self._shown.post(board.table.id, BOARD, channel, page, nonce, asked_people(board)), page

    async def _note(self, board: Board, at: Shown, page: Page) -> None:
        shown = replace(at, epoch=board.epoch, version=board.version)
        await self._shown.note(board.table.id, BOARD, shown)
        if has_film(page):
            await self._services.outbox.set_shown(board.table.id, FILM, shown)

    async def is_there(self, match: str) -> bool:
        """Return whether the board that was shown last is still there, as far as can be seen."""
        shown = await self._services.outbox.shown(match, BOARD)
        if shown is None:
            return False
        try:
            return await self._messages.exists(shown.channel_id, shown.message_id)
        except discord.Forbidden:
            return True

    async def _has_film(self, match: str, shown: Shown) -> bool:
        film = await self._services.outbox.shown(match, FILM)
        if film is None or film.message_id != shown.message_id:
            return False
        return await self._messages.exists(shown.channel_id, shown.message_id)

    async def make_film(self, match: str) -> None:
        """Make the film of a match that is over, unless its last board has it.

        It takes seconds and shows nothing: the next :meth:`update` shows it.
        """
        shown = await self._services.outbox.shown(match, BOARD)
        if shown is not None and await self._has_film(match, shown):
            return
        table = await self._services.queries.table(match)
        replay = await self._services.queries.replay_file(match)
        await self._pictures.film(table, replay, self._shown.texts(table))

    async def tell_frozen(self, match: str) -> None:
        """Tell the players of a match that it cannot be played on, once."""
        table = await self._services.queries.table(match)
        if await self._services.outbox.shown(match, FROZEN) is not None:
            return
        channel = table.thread_id or table.place.channel_id
        people = [chair.person.id for chair in table.chairs if chair.person is not None]
        words = f"🧊 {self._shown.texts(table).house('board.frozen')}"
        notice = page([text(words, *map(mention, people))])
        try:
            message = await self._shown.post(match, FROZEN, channel, notice, f"f.{match}", people)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise ChannelGone from error
        await self._shown.note(match, FROZEN, Shown(channel, message))

    async def archive(self, match: str) -> None:
        """Archive the thread of a match that is long over. It is never locked."""
        table = await self._services.queries.table(match)
        if table.status is Status.OVER and table.thread_id is not None:
            await self._messages.archive(table.thread_id)
        self._shown.forget(match)


def _is_newer(found: Shown, noted: Shown) -> bool:
    return found.channel_id != noted.channel_id or (found.epoch, found.version) > (noted.epoch, noted.version)
