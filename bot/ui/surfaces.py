"""Brings one match's messages in line with what is committed: table, thread, board, direct messages.

Every method can be called again at any time and changes nothing that is in line. A message is noted
as shown after it was sent; one that may have been sent before a crash is looked for first.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Sequence

import discord

from bot.model import Board, Panel, Person, PersonId, Status, TableInfo
from bot.records import Shown
from bot.ui.board import asked_people, marker
from bot.ui.courier import DMS_CLOSED, GONE, TOO_MANY_THREADS, Courier, code_of
from bot.ui.lobby import MARKER, lobby_page, thread_name
from bot.ui.pages import Page, page, text
from bot.ui.panel import MARKER as PANEL_MARKER
from bot.ui.salon import Salon
from bot.ui.speech import Speech, mention
from engines.core.contract import Seat

log = logging.getLogger(__name__)

LOBBY = "lobby"
BOARD = "board"
FROZEN = "frozen"
ELSEWHERE = "elsewhere"
"""The surface of a match whose server has no thread left: it is played in its channel."""


class Lost(Exception):  # noqa: N818 - a finding, not a fault
    """The channel of a table is gone for good: there is nowhere left to show it."""


class Surfaces:
    """All places where matches are shown."""

    def __init__(self, salon: Salon, courier: Courier, client: discord.Client) -> None:
        self._salon = salon
        self._tables = salon.tables
        self.courier = courier
        self._client = client
        self._sure: set[tuple[str, str]] = set()
        """Matches and surfaces of which no message can have been sent without our knowing."""

    # --- the table's message ----------------------------------------------------------------------

    async def table(self, match: str) -> Shown:
        """Bring the table's message in line, and return it; raises :class:`Lost` without its channel."""
        table = await self._tables.table(match)
        shown = await self._tables.shown(match, LOBBY)
        if shown is None:
            return await self._post_table(table, "")
        invited = await self._invited(table)
        page = lobby_page(table, self._speech(table), [person.id for person in invited])
        if await self.courier.edit(shown.channel_id, shown.message_id, page):
            return shown
        if table.status in (Status.OVER, Status.CLOSED):
            return shown
        return await self._post_table(table, f".{shown.message_id % 10**6}")

    async def _post_table(self, table: TableInfo, again: str) -> Shown:
        """Post the table's message, or find the one that was posted before a crash."""
        channel = table.place.channel_id
        invited = [person.id for person in await self._invited(table)]
        page = lobby_page(table, self._speech(table), invited)
        try:
            message = None if again else await self._found(table.id, LOBBY, channel, MARKER)
            if message is None:
                nonce = f"t.{table.id}{again}"
                message = await self._send(table.id, LOBBY, channel, page, nonce, invited)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise Lost from error
        shown = Shown(channel, message)
        await self._tables.set_shown(table.id, LOBBY, shown)
        return shown

    async def _invited(self, table: TableInfo) -> tuple[Person, ...]:
        return await self._tables.invited(table.id) if table.status is Status.OPEN else ()

    # --- the thread -------------------------------------------------------------------------------

    async def thread(self, match: str) -> int:
        """Return the channel of the match's boards, started if need be: its thread, or its channel."""
        table = await self._tables.table(match)
        if table.thread_id is not None:
            return table.thread_id
        elsewhere = await self._tables.shown(match, ELSEWHERE)
        return elsewhere.channel_id if elsewhere is not None else await self._start_thread(table)

    async def _start_thread(self, table: TableInfo) -> int:
        shown = await self._tables.shown(table.id, LOBBY) or await self._post_table(table, "")
        try:
            thread = await self.courier.start_thread(shown.channel_id, shown.message_id, thread_name(table))
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            shown = await self._post_table(table, f".{shown.message_id % 10**6}")
            thread = await self.courier.start_thread(shown.channel_id, shown.message_id, thread_name(table))
        except discord.HTTPException as error:
            if error.code != TOO_MANY_THREADS:
                raise
            log.warning("match %s is played in its channel: the server has no thread left", table.id)
            place = Shown(table.place.channel_id, shown.message_id)
            await self._tables.set_shown(table.id, ELSEWHERE, place)
            return place.channel_id
        await self._tables.bind_thread(table.id, thread)
        await self.table(table.id)
        return thread

    # --- the board --------------------------------------------------------------------------------

    async def board(self, match: str) -> None:
        """Bring the board message in line: edited while its epoch lasts, else posted anew."""
        channel = await self.thread(match)
        board = await self._tables.board(match)
        shown = await self._tables.shown(match, BOARD)
        if shown is not None and shown.epoch == board.epoch and shown.channel_id == channel:
            page = await self._salon.easel.board(board, self._speech(board.table))
            if await self.courier.edit(channel, shown.message_id, page):
                await self._note_board(board, shown.channel_id, shown.message_id)
                return
            await self._post_board(board, channel, f".{shown.message_id % 10**6}")
            return
        await self._post_board(board, channel, "")
        if shown is not None:
            await self.courier.strip(shown.channel_id, shown.message_id)

    async def _post_board(self, board: Board, channel: int, again: str) -> None:
        """Post a board; where its thread is gone, in a new one below a new table message."""
        try:
            message = await self._sent_board(board, channel, again)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            channel = await self._new_thread(board.table, channel)
            message = await self._sent_board(board, channel, f".{channel % 10**6}")
        await self._note_board(board, channel, message)

    async def _new_thread(self, table: TableInfo, old: int) -> int:
        """Begin a thread anew below a new message of the table; its message before is gone or stale."""
        log.warning("the thread of match %s is gone: a new one is begun", table.id)
        before = await self._tables.shown(table.id, LOBBY)
        shown = await self._post_table(table, f".{old % 10**6}")
        if before is not None:
            await self.courier.strip(before.channel_id, before.message_id)
        thread = await self.courier.start_thread(shown.channel_id, shown.message_id, thread_name(table))
        await self._tables.bind_thread(table.id, thread)
        return thread

    async def _sent_board(self, board: Board, channel: int, again: str) -> int:
        match = board.table.id
        if not again:
            found = await self._found(match, BOARD, channel, marker(board.epoch))
            if found is not None:
                return found
        page = await self._salon.easel.board(board, self._speech(board.table))
        nonce = f"{match}.{board.epoch}{again}"
        return await self._send(match, BOARD, channel, page, nonce, asked_people(board))

    async def _note_board(self, board: Board, channel: int, message: int) -> None:
        shown = Shown(channel, message, board.epoch, board.version)
        await self._tables.set_shown(board.table.id, BOARD, shown)

    async def make_film(self, match: str) -> None:
        """Make the film of a match that is over; it takes seconds and shows nothing yet."""
        table = await self._tables.table(match)
        replay = await self._tables.replay_file(match)
        await self._salon.easel.film(table, replay, self._speech(table))

    async def film(self, match: str) -> None:
        """Add the film that was made to the match's last board, where both are there."""
        board = await self._tables.board(match)
        shown = await self._tables.shown(match, BOARD)
        if shown is None or self._salon.easel.film_of(board.table) is None:
            return
        page = await self._salon.easel.board(board, self._speech(board.table))
        await self.courier.edit(shown.channel_id, shown.message_id, page)

    async def frozen(self, match: str) -> None:
        """Tell the players of a match that it cannot be played on, once."""
        table = await self._tables.table(match)
        if await self._tables.shown(match, FROZEN) is not None:
            return
        channel = table.thread_id or table.place.channel_id
        people = [chair.person.id for chair in table.chairs if chair.person is not None]
        speech = self._speech(table)
        words = page([text(f"🧊 {speech.house('board.frozen')}", *map(mention, people))])
        message = await self._send(match, FROZEN, channel, words, f"f.{match}", people)
        await self._tables.set_shown(match, FROZEN, Shown(channel, message))

    async def archive(self, match: str) -> None:
        """Put the thread of a match away that is long over. It is never locked."""
        table = await self._tables.table(match)
        if table.status is Status.OVER and table.thread_id is not None:
            await self.courier.set_archived(table.thread_id, archived=True)

    # --- direct messages --------------------------------------------------------------------------

    async def turn(self, match: str, seat: Seat) -> None:
        """Bring a seat's direct message in line: a panel where it is asked, no buttons on older ones."""
        table = await self._tables.table(match)
        person = table.chair_at(seat).person
        if person is None:
            return
        panel = await self._tables.panel(match, person)
        await self._retire(panel)
        settings = await self._tables.person(person.id)
        wanted = settings.dms and panel.asked and table.status is Status.RUNNING
        if wanted and await self._tables.shown(match, _dm(seat)) is None:
            await self._send_turn(panel, person, Speech(settings.language))

    async def retire_turns(self, match: str) -> None:
        """Take the buttons from all direct messages of a match whose question is answered."""
        table = await self._tables.table(match)
        for chair in table.chairs:
            if chair.person is None or chair.seat is None:
                continue
            if await self._tables.shown(match, _dm(chair.seat)) is not None:
                await self._retire(await self._tables.panel(match, chair.person))

    async def _retire(self, panel: Panel) -> None:
        surface = _dm(panel.seat)
        shown = await self._tables.shown(panel.table.id, surface)
        if shown is None or (shown.epoch == _epoch(panel) and panel.asked):
            return
        try:
            await self.courier.strip(shown.channel_id, shown.message_id)
        except discord.Forbidden:
            log.info("a direct message keeps its buttons: its reader is out of reach")
        await self._tables.drop_shown(panel.table.id, surface)

    async def _send_turn(self, panel: Panel, person: Person, speech: Speech) -> None:
        match = panel.table.id
        try:
            channel = await self.courier.dm_channel(person.id)
            message = await self._sent_turn(panel, channel, speech)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            await self._tell_closed(panel.table, panel.seat, person)
            return
        await self._tables.set_shown(match, _dm(panel.seat), Shown(channel, message, _epoch(panel)))

    async def _sent_turn(self, panel: Panel, channel: int, speech: Speech) -> int:
        match, surface = panel.table.id, _dm(panel.seat)
        sign = f"{match}:{panel.decision}"
        found = await self._found(match, surface, channel, PANEL_MARKER, sign)
        if found is not None:
            return found
        panel_page = await self._salon.easel.panel(panel, speech)
        return await self._send(match, surface, channel, panel_page, f"d.{sign}", ())

    async def _tell_closed(self, table: TableInfo, seat: Seat, person: Person) -> None:
        """Say once in the match's thread that a player's direct messages are closed to us."""
        surface = f"dm_closed:{seat}"
        if await self._tables.shown(table.id, surface) is not None:
            return
        channel = await self.thread(table.id)
        words = page([text(self._speech(table).house("dm.closed", name=mention(person.id)))])
        nonce = f"c.{table.id}.{seat}"
        message = await self._send(table.id, surface, channel, words, nonce, [person.id])
        await self._tables.set_shown(table.id, surface, Shown(channel, message))

    # --- parts ------------------------------------------------------------------------------------

    async def _send(
        self, match: str, surface: str, channel: int, page: Page, nonce: str, called: Sequence[PersonId]
    ) -> int:
        """Post; until the answer is there it is not sure that the message did not arrive."""
        self._sure.discard((match, surface))
        message = await self.courier.post(channel, page, nonce=nonce, called=called)
        self._sure.add((match, surface))
        return message

    async def _found(self, match: str, surface: str, channel: int, mark: int, sign: str = "") -> int | None:
        """Return our message where it may have been sent without our knowing; ``None``: there is none."""
        if (match, surface) in self._sure:
            return None
        return await self.courier.find(channel, mark, f":{sign or match}:")

    def _speech(self, table: TableInfo) -> Speech:
        guild = self._client.get_guild(table.place.guild_id)
        return Speech(str(guild.preferred_locale).partition("-")[0] if guild is not None else "en")


def _dm(seat: Seat) -> str:
    return f"dm:{seat}"


def _epoch(panel: Panel) -> int:
    """Return a number of the panel's decision: it changes when another question is asked."""
    return zlib.crc32(panel.decision.encode())
