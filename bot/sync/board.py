"""The board message in a match's thread, the film at its end, and notices such as that a match is frozen.

Every method can be repeated at any time and changes nothing that is up to date. A board is recorded as shown
after it was sent; one that may have been sent before a crash is searched for first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import discord

from bot.clocks.deadlines import CLOSED_AFTER, WARNED_BEFORE
from bot.domain.jobs import STALE_MARK, JobKind, RecordBefore, Shown, Work
from bot.domain.match import Board
from bot.domain.surfaces import BOARD, FILM, FROZEN, IDLE, REMINDER, Nonce, unreached_surface
from bot.domain.tables import PersonId, Status, TableInfo, is_former
from bot.gateway.discord_errors import GONE
from bot.matches import Services
from bot.pages.board import board_page, has_film, pinged_people, shown_by
from bot.pages.clocks import moment
from bot.pages.page import Page, notice_page
from bot.pages.texts import match_heading, mention
from bot.sync.client import OVER_ARCHIVE_MIN, MessageClient
from bot.sync.lobby import LobbyMessages
from bot.sync.pictures import Pictures, has_renderer
from bot.sync.shown import ChannelGone, ShownMessages
from engines.core.contract import Seat

_UNREACHED = {"closed": "dm.closed", "paused": "dm.paused", "off": "dm.off"}
"""The notice to a person whom no direct message reaches, by the reason."""


@dataclass(eq=False)
class BoardMessages:
    """Keeps the boards of matches up to date, and posts public notices in their threads."""

    services: Services
    pictures: Pictures
    messages: MessageClient
    shown: ShownMessages
    lobby: LobbyMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its jobs.

        ``BOARD`` and ``END`` are in :meth:`DirectMessages.jobs`: they call :meth:`update`, then change direct
        messages. For ``FILM`` the worker has called :meth:`make_film` before: here it is shown.
        """
        return {
            JobKind.FILM: lambda job: self.update(job.table_id),
            JobKind.CHECK: lambda job: self.check(job.table_id),
            JobKind.LOOK: lambda job: self.look_for(job.table_id),
            JobKind.REVIEW: lambda job: self.review(job.table_id),
            JobKind.FROZEN: lambda job: self.tell_frozen(job.table_id),
            JobKind.IDLE: lambda job: self.tell_idle(job.table_id, int(job.target)),
            JobKind.ARCHIVE: lambda job: self.archive(job.table_id),
        }

    async def update(self, match: str) -> None:
        """Bring the board message up to date: edit it until the next hand-over, then post a new one.

        Nothing is painted or sent if it is up to date already, such as a last board with its film.
        """
        channel = await self.lobby.thread(match)
        begun = await self.services.outbox.record_before(match, BOARD)
        if begun.shown is not None and await self._is_right(match, channel, begun.shown):
            # Nothing that was committed since is public.
            await self.services.outbox.note_version(match, BOARD, begun.version)
            return
        if not self.shown.certain(match, BOARD):
            await self._note_unnoted(match, channel, begun.shown)
            begun = await self.services.outbox.record_before(match, BOARD)
        shown = begun.shown
        board = await self.services.queries.board(match)
        if shown is None or shown.channel_id != channel or not board.epoch <= shown.reach <= board.version:
            # After a move, the same nonce would make Discord return the message in the other channel.
            moved = shown is not None and shown.channel_id != channel
            await self._post(board, begun, channel, f".{channel % 10**6}" if moved else "")
            return
        page = await self._page(board)
        self.shown.mark_uncertain(match, BOARD)
        if await self.messages.edit(channel, shown.message_id, page):
            if board.closed is not None:
                await self.shown.delete(match, REMINDER)
            await self._note(board, begun, shown, page)
        else:
            # A new nonce, or Discord would return the very message that cannot be edited.
            await self._post(board, begun, channel, f".{shown.message_id % 10**6}")

    async def check(self, match: str) -> None:
        """Enqueue a match's board unless the last one is up to date; nothing is sent here."""
        # Loading a match that cannot be continued freezes it.
        table = await self.services.queries.table(match)
        shown = await self.services.outbox.shown(match, BOARD)
        if table.status is not Status.RUNNING:
            return
        if shown is None or not await self._is_right(match, table.thread_id or shown.channel_id, shown):
            await self.services.outbox.ask_for([(match, JobKind.BOARD, "")])

    async def review(self, match: str) -> None:
        """Undo a request that Discord carried out late, after its job was given up or its process died."""
        try:
            await self.lobby.review(match)
            await self._review(match)
        except discord.Forbidden:
            return  # without access, no request of ours changed anything

    async def _review(self, match: str) -> None:
        shown = await self.services.outbox.shown(match, BOARD)
        if shown is None:
            return
        for found in await self.shown.find(match, shown.channel_id):
            board = shown_by(shown.channel_id, found)
            if board is None or board.reach > shown.reach:
                continue
            if board.message_id > shown.message_id:
                # It came after the current board, and repeats what is above.
                await self.messages.delete(board.channel_id, board.message_id)
            elif board.message_id < shown.message_id:
                await self.shown.strip(board)
            elif board.version < shown.version:
                await self.services.outbox.set_shown(match, BOARD, replace(shown, digest=STALE_MARK))
                await self.services.outbox.ask_for([(match, JobKind.BOARD, "")])

    async def _is_right(self, match: str, channel: int, shown: Shown) -> bool:
        board = await self.services.queries.board(match)
        if shown.is_stale or (channel, board.version) != (shown.channel_id, shown.version):
            return False
        if board.outcome is None or self.pictures.film_of(board.table) is None:
            return True
        return await self._has_film(match, shown)

    async def _note_unnoted(self, match: str, channel: int, shown: Shown | None) -> None:
        """Record the board that was posted just before a crash; older ones lose their buttons."""
        found = (shown_by(channel, each) for each in await self.shown.find(match, channel))
        boards = [each for each in found if each is not None]
        older = [each for each in (shown, *boards) if each is not None]
        newest = boards[0] if boards else None
        if newest is not None and (
            shown is None or newest.channel_id != shown.channel_id or newest.reach > shown.reach
        ):
            # If it is not laid out, it showed no news: the next board shows all since the one before it.
            told = newest.version or (0 if shown is None else shown.version)
            shown = replace(newest, version=told, digest=STALE_MARK)
        for message in {(each.channel_id, each.message_id): each for each in older}.values():
            if shown is not None and message.message_id != shown.message_id:
                await self._put_away(await self.services.queries.table(match), message, channel)
        if shown is not None:
            await self.services.outbox.set_shown(match, BOARD, shown)
        self.shown.mark_certain(match, BOARD)

    async def _post(self, board: Board, begun: RecordBefore, channel: int, again: str) -> None:
        try:
            message, page = await self._send(board, channel, again)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            # The thread was deleted: the match continues in a new one.
            channel = await self.lobby.replace_thread(board.table, channel)
            message, page = await self._send(board, channel, f".{channel % 10**6}")
        if begun.shown is not None:
            await self._put_away(board.table, begun.shown, channel)
        if called := (*board.called, *board.written_to):
            target = ".".join(map(str, sorted(called)))
            await self.services.outbox.ask_for([(board.table.id, JobKind.ABSENTEES, target)])
        # The match no longer waits for anybody whom a reminder names.
        await self.shown.delete(board.table.id, REMINDER)
        # Recorded last: after a crash before this line, the new board is found in the thread.
        await self._note(board, begun, Shown(channel, message), page)

    async def _put_away(self, table: TableInfo, before: Shown, channel: int) -> None:
        """Remove the buttons from a replaced board; ``channel``: where the match continues."""
        if before.channel_id == channel:
            await self.shown.strip(before)
        else:
            await self.shown.leave(before, await self.lobby.moved_words(table, channel))

    async def _send(self, board: Board, channel: int, again: str) -> tuple[int, Page]:
        page = await self._page(board)
        await self.services.outbox.note_written_to(board)
        nonce = Nonce.BOARD.of(match=board.table.id, epoch=board.epoch) + again
        return await self.shown.post(board.table.id, BOARD, channel, page, nonce, pinged_people(board)), page

    async def _page(self, board: Board) -> Page:
        texts = await self.shown.texts(board.table)
        return board_page(board, texts, await self.pictures.board(board, texts))

    async def _note(self, board: Board, begun: RecordBefore, at: Shown, page: Page) -> None:
        shown = replace(at, epoch=board.epoch, version=board.version, table_version=begun.version)
        if board.outcome is not None and not has_film(page) and await self._has_film(board.table.id, shown):
            # This edit removed the film: it was made before a restart, and is not in memory.
            await self.services.outbox.drop_shown(board.table.id, FILM, again=JobKind.FILM)
        await self.shown.note(board.table.id, BOARD, shown, page, begun)
        if not page.uploads and has_renderer(board.table.game):
            # Words replace a picture that took too long: the next start paints it.
            await self.services.outbox.set_shown(board.table.id, BOARD, replace(shown, digest=STALE_MARK))
        if has_film(page):
            await self.services.outbox.set_shown(board.table.id, FILM, shown)

    async def look_for(self, match: str) -> None:
        """Have the board of a running match posted again if it does not exist any more."""
        if (await self.services.queries.table(match)).status is not Status.RUNNING:
            return  # it has no board yet, or a final one
        # An existing board is left alone: nobody may see that somebody looked for it in private.
        if not await self._is_there(match):
            await self.services.outbox.mark_stale([match])
            await self.services.outbox.ask_for([(match, JobKind.BOARD, "")])

    async def _is_there(self, match: str) -> bool:
        """Return whether the last board still exists; true if we may not look."""
        shown = await self.services.outbox.shown(match, BOARD)
        if shown is None:
            return False
        try:
            return await self.messages.exists(shown.channel_id, shown.message_id)
        except discord.Forbidden:
            # It may well exist, so do not post another one.
            return True

    async def _has_film(self, match: str, shown: Shown) -> bool:
        film = await self.services.outbox.shown(match, FILM)
        return film is not None and film.message_id == shown.message_id

    async def make_film(self, match: str) -> None:
        """Make the film of a match that is over, unless its last board has it.

        It takes seconds and shows nothing: the next :meth:`update` shows it.
        """
        shown = await self.services.outbox.shown(match, BOARD)
        if shown is not None and await self._has_film(match, shown):
            return
        table = await self.services.queries.table(match)
        replay = await self.services.queries.replay_file(match)
        await self.pictures.film(table, replay, await self.shown.texts(table))

    async def tell_frozen(self, match: str) -> None:
        """Tell the players of a match once that it is frozen; nobody is pinged in quiet hours."""
        table = await self.services.queries.table(match)
        if await self.services.outbox.shown(match, FROZEN) is not None:
            return
        channel = table.thread_id or table.place.channel_id
        sitting = [chair.person.id for chair in table.chairs if chair.person is not None]
        pinged = await self._awake([person for person in sitting if not is_former(person)])
        words = f"🧊 {(await self.shown.texts(table)).house('board.frozen')}"
        notice = notice_page("\n".join([words, *map(mention, pinged)]))
        try:
            message = await self.shown.post(
                match, FROZEN, channel, notice, Nonce.FROZEN.of(match=match), pinged
            )
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise ChannelGone from error
        await self.shown.note(match, FROZEN, Shown(channel, message), notice)

    async def tell_idle(self, match: str, last: int) -> None:
        """Warn in an idle match's thread, once after its last act at Unix time ``last``, of its closing."""
        noted = await self.services.outbox.shown(match, IDLE)
        table = await self.services.queries.table(match)
        if table.status is not Status.RUNNING or (noted is not None and noted.epoch == last):
            return
        now, texts = self.services.cache.clock(), await self.shown.texts(table)
        seats = (chair.seat for chair in table.chairs if chair.seat is not None)
        pinged = await self._awake([person for person in map(table.person_at, seats) if person is not None])
        words = texts.house(
            "idle.warning",
            when=moment(max(last + CLOSED_AFTER, now + WARNED_BEFORE)),
        )
        channel = await self.lobby.thread(match)
        notice = notice_page("\n".join([f"⌛ {words}", *map(mention, pinged)]))
        message = await self.shown.post(
            match, IDLE, channel, notice, Nonce.IDLE.of(match=match, last_act=last), pinged
        )
        await self.shown.note(match, IDLE, Shown(channel, message, last, math.ceil(now)), notice)

    async def tell_unreached(self, board: Board, seat: Seat, person: PersonId, why: str) -> None:
        """Tell a person in the match's thread, once until one does, that no direct message reaches them.

        ``why``: the person has ``closed`` them, or the bot has ``paused`` them. If the person turned them
        ``off`` after the board had relied on one, the notice is repeated for each such board.
        """
        table, surface = board.table, unreached_surface(why, seat)
        told = await self.services.outbox.shown(table.id, surface)
        if told is not None and (why != "off" or told.version == board.epoch):
            return
        channel = await self.lobby.thread(table.id)
        texts = await self.shown.texts(table)
        player, match = mention(person), match_heading(table, texts)
        words = notice_page(texts.house(_UNREACHED[why], player=player, match=match))
        nonce = Nonce.UNREACHED.of(why=why[0], match=table.id, seat=seat, epoch=board.epoch)
        pinged = await self._awake([person])
        message = await self.shown.post(table.id, surface, channel, words, nonce, pinged)
        await self.shown.note(table.id, surface, Shown(channel, message, board.epoch, board.epoch), words)

    async def _awake(self, people: Iterable[PersonId]) -> list[PersonId]:
        """Return the people who may be pinged now: the others have quiet hours."""
        now, settings = self.services.cache.clock(), self.services.settings
        return [each for each in people if (await settings.preferences(each)).free_from(now) <= now]

    async def archive(self, match: str) -> None:
        """Let Discord archive a finished match's thread after an hour without messages; never lock it."""
        table = await self.services.queries.table(match)
        if table.status in (Status.OVER, Status.CLOSED) and table.thread_id is not None:
            await self.messages.set_archive_after(table.thread_id, OVER_ARCHIVE_MIN)
        self.shown.forget(match)
