"""Brings one match's messages in line with what is committed: table, thread, board, direct messages.

Every method can be called again at any time and changes nothing that is in line. A message is noted
as shown after it was sent; one that may have been sent before a crash is looked for first.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.discord_errors import DMS_CLOSED, GONE, TOO_MANY_THREADS, code_of
from bot.domain.jobs import Shown
from bot.domain.match import Board
from bot.domain.panels import Panel
from bot.domain.people import Person, PersonId, Preferences
from bot.domain.tables import Status, TableInfo
from bot.matches.services import Services
from bot.pages.board import asked_people, has_film, shown_by
from bot.pages.found_message import FoundMessage
from bot.pages.lobby import MARKER, lobby_page, thread_name
from bot.pages.page import Page, page, text
from bot.pages.panel import MARKER as PANEL_MARKER
from bot.pages.pictures import Pictures
from bot.pages.texts import Texts, mention
from bot.sync.client import MessageClient
from engines.core.contract import Seat

log = logging.getLogger(__name__)

LOBBY = "lobby"
BOARD = "board"
FROZEN = "frozen"
FILM = "film"
"""Which message brings the film of a match."""
ELSEWHERE = "elsewhere"
"""The surface of a match whose server has no thread left: it is played in its channel."""


class Lost(Exception):  # noqa: N818 - a finding, not a fault
    """The channel of a table is gone for good: there is nowhere left to show it."""


class Surfaces:
    """All places where matches are shown."""

    def __init__(
        self, services: Services, pictures: Pictures, courier: MessageClient, client: discord.Client
    ) -> None:
        self._services = services
        self._pictures = pictures
        self.courier = courier
        self.client = client
        """What the bot knows of servers, channels and its permissions there."""
        self._sure: set[tuple[str, str]] = set()
        """Matches and surfaces of which no message can have been sent without our knowing."""

    # --- the table's message ----------------------------------------------------------------------

    async def table(self, match: str) -> Shown:
        """Bring the table's message in line, and return it; raises :class:`Lost` without its channel."""
        table = await self._services.queries.table(match)
        shown = await self._services.outbox.shown(match, LOBBY)
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
            # What was posted before a crash may be older than what has happened since.
            if message is None or not await self.courier.edit(channel, message, page):
                nonce = f"t.{table.id}{again if message is None else f'.{message % 10**6}'}"
                message = await self._send(table.id, LOBBY, channel, page, nonce, invited)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise Lost from error
        shown = Shown(channel, message)
        await self._note(table.id, LOBBY, shown)
        return shown

    async def _invited(self, table: TableInfo) -> tuple[Person, ...]:
        return await self._services.lobby.invited(table.id) if table.status is Status.OPEN else ()

    # --- the thread -------------------------------------------------------------------------------

    async def thread(self, match: str) -> int:
        """Return the channel of the match's boards, started if need be: its thread, or its channel."""
        table = await self._services.queries.table(match)
        if table.thread_id is not None:
            return table.thread_id
        elsewhere = await self._services.outbox.shown(match, ELSEWHERE)
        return elsewhere.channel_id if elsewhere is not None else await self._start_thread(table)

    async def _start_thread(self, table: TableInfo) -> int:
        shown = await self._services.outbox.shown(table.id, LOBBY) or await self._post_table(table, "")
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
            await self._services.outbox.set_shown(table.id, ELSEWHERE, place)
            return place.channel_id
        await self._services.outbox.bind_thread(table.id, thread)
        await self.table(table.id)
        return thread

    # --- the board --------------------------------------------------------------------------------

    async def board(self, match: str) -> None:
        """Bring the board message in line: edited while its epoch lasts, else posted anew.

        One that has its film is the last one, and stays as it is.
        """
        channel = await self.thread(match)
        shown = await self._known_board(match, channel)
        board = await self._services.queries.board(match)
        if shown is None or shown.epoch != board.epoch or shown.channel_id != channel:
            await self._post_board(board, channel, "", shown)
            return
        if await self._has_film(match, shown):
            return
        page = await self._pictures.board(board, self._speech(board.table))
        self._sure.discard((match, BOARD))
        if await self.courier.edit(channel, shown.message_id, page):
            await self._note_board(board, shown, page)
        else:
            await self._post_board(board, channel, f".{shown.message_id % 10**6}", shown)

    async def _known_board(self, match: str, channel: int) -> Shown | None:
        """Return the board that stands, as the only one with buttons; ``None``: there is none yet.

        Where a board may have been posted or edited without our knowing, the thread itself is asked:
        what its newest board shows is noted, and those before it lose their buttons.
        """
        shown = await self._services.outbox.shown(match, BOARD)
        if (match, BOARD) in self._sure:
            return shown
        boards = await self._boards_in(match, channel)
        older = [each for each in (shown, *boards) if each is not None]
        if boards and (shown is None or _is_newer(boards[0], shown)):
            shown = boards[0]
        for message in {(each.channel_id, each.message_id): each for each in older}.values():
            if shown is not None and message.message_id != shown.message_id:
                await self._strip(message)
        if shown is not None:
            await self._services.outbox.set_shown(match, BOARD, shown)
        self._sure.add((match, BOARD))
        return shown

    async def _boards_in(self, match: str, channel: int) -> list[Shown]:
        """Return the boards with buttons at a channel's end, newest first."""
        found = (shown_by(channel, each) for each in await self._ours(match, channel))
        return [shown for shown in found if shown is not None]

    async def _ours(self, match: str, channel: int) -> list[FoundMessage]:
        """Return the messages of a match that have controls, at a channel's end; none where it is gone."""
        try:
            return await self.courier.signed(channel, f":{match}:")
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return []

    async def _strip(self, shown: Shown) -> None:
        await self.courier.strip(shown.channel_id, shown.message_id)

    async def _strip_turn(self, shown: Shown) -> None:
        try:
            await self._strip(shown)
        except discord.Forbidden:
            log.info("a direct message keeps its buttons: its reader is out of reach")

    async def _post_board(self, board: Board, channel: int, again: str, before: Shown | None) -> None:
        """Post a board, take the buttons from the one before it, and note it: in this order.

        A crash on the way leaves a newer board than the one that is noted, which can be found.
        Where the thread is gone, the board stands in a new one below a new table message.
        """
        try:
            message, page = await self._send_board(board, channel, again)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            channel = await self._new_thread(board.table, channel)
            message, page = await self._send_board(board, channel, f".{channel % 10**6}")
        self._sure.discard((board.table.id, BOARD))
        if before is not None:
            await self._strip(before)
        await self._note_board(board, Shown(channel, message), page)

    async def _new_thread(self, table: TableInfo, old: int) -> int:
        """Begin a thread anew below a new message of the table; its message before is gone or stale."""
        log.warning("the thread of match %s is gone: a new one is begun", table.id)
        before = await self._services.outbox.shown(table.id, LOBBY)
        shown = await self._post_table(table, f".{old % 10**6}")
        if before is not None:
            await self._strip(before)
        thread = await self.courier.start_thread(shown.channel_id, shown.message_id, thread_name(table))
        await self._services.outbox.bind_thread(table.id, thread)
        return thread

    async def _send_board(self, board: Board, channel: int, again: str) -> tuple[int, Page]:
        match = board.table.id
        page = await self._pictures.board(board, self._speech(board.table))
        nonce = f"{match}.{board.epoch}{again}"
        return await self._send(match, BOARD, channel, page, nonce, asked_people(board)), page

    async def _note_board(self, board: Board, at: Shown, page: Page) -> None:
        """Note that a board is shown as ``page`` there, and its film too if the page has it."""
        shown = replace(at, epoch=board.epoch, version=board.version)
        await self._note(board.table.id, BOARD, shown)
        if has_film(page):
            await self._services.outbox.set_shown(board.table.id, FILM, shown)

    async def has_board(self, match: str) -> bool:
        """Return whether the board that was shown last is still there, as far as can be seen."""
        shown = await self._services.outbox.shown(match, BOARD)
        if shown is None:
            return False
        try:
            return await self.courier.present(shown.channel_id, shown.message_id)
        except discord.Forbidden:
            return True

    async def _has_film(self, match: str, shown: Shown) -> bool:
        """Return whether the message that shows a match's board is there and brings its film."""
        film = await self._services.outbox.shown(match, FILM)
        if film is None or film.message_id != shown.message_id:
            return False
        return await self.courier.present(shown.channel_id, shown.message_id)

    async def make_film(self, match: str) -> None:
        """Make the film of a match that is over, unless its last board has it.

        It takes seconds and shows nothing yet.
        """
        shown = await self._services.outbox.shown(match, BOARD)
        if shown is not None and await self._has_film(match, shown):
            return
        table = await self._services.queries.table(match)
        replay = await self._services.queries.replay_file(match)
        await self._pictures.film(table, replay, self._speech(table))

    async def film(self, match: str) -> None:
        """Show the match's last board with the film that was made, or as it is where there can be none."""
        await self.board(match)

    async def frozen(self, match: str) -> None:
        """Tell the players of a match that it cannot be played on, once."""
        table = await self._services.queries.table(match)
        if await self._services.outbox.shown(match, FROZEN) is not None:
            return
        channel = table.thread_id or table.place.channel_id
        people = [chair.person.id for chair in table.chairs if chair.person is not None]
        speech = self._speech(table)
        words = page([text(f"🧊 {speech.house('board.frozen')}", *map(mention, people))])
        try:
            message = await self._send(match, FROZEN, channel, words, f"f.{match}", people)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise Lost from error
        await self._note(match, FROZEN, Shown(channel, message))

    async def archive(self, match: str) -> None:
        """Put the thread of a match away that is long over. It is never locked."""
        table = await self._services.queries.table(match)
        if table.status is Status.OVER and table.thread_id is not None:
            await self.courier.archive(table.thread_id)
        self._sure = {pair for pair in self._sure if pair[0] != match}

    # --- direct messages --------------------------------------------------------------------------

    async def turn(self, match: str, seat: Seat, *, with_board: bool) -> None:
        """Bring a seat's direct message in line: a panel where it is asked, no buttons on older ones.

        ``with_board``: the board has just changed too. That somebody's messages are closed is said in the
        thread, and so only together with what everybody saw: a seat may be asked in secret.
        """
        table = await self._services.queries.table(match)
        person = table.chair_at(seat).person
        if person is None:
            return
        panel = await self._services.drafts.panel(match, person)
        await self._retire(panel, person)
        settings = await self._services.settings.preferences(person.id)
        wanted = settings.dms and panel.asked and table.status is Status.RUNNING
        if wanted and await self._services.outbox.shown(match, _dm(seat)) is None:
            reached = await self._send_turn(panel, person, settings)
            if not reached and with_board and seat in (await self._services.queries.board(match)).waiting:
                await self._tell_closed(table, seat, person)

    async def retire_turns(self, match: str) -> None:
        """Take the buttons from the direct messages of a match to those who are not asked any more.

        Who has spoken and is asked again plays on in the panel where they are: it is theirs to redraw.
        """
        table = await self._services.queries.table(match)
        for chair in table.chairs:
            if chair.person is not None and chair.seat is not None:
                panel = await self._services.drafts.panel(match, chair.person)
                if not panel.asked:
                    await self._retire(panel, chair.person)

    async def _retire(self, panel: Panel, person: Person) -> None:
        """Leave buttons on no direct message but the one that asks what is asked now."""
        match, surface = panel.table.id, _dm(panel.seat)
        if (match, surface) not in self._sure:
            await self._look_for_turns(panel, person)
        shown = await self._services.outbox.shown(match, surface)
        if shown is None or (shown.epoch == _epoch(panel) and panel.asked):
            return
        await self._strip_turn(shown)
        await self._services.outbox.drop_shown(match, surface)

    async def _look_for_turns(self, panel: Panel, person: Person) -> None:
        """Note the direct message that was sent without our knowing; those before it lose their buttons."""
        match, surface = panel.table.id, _dm(panel.seat)
        noted = await self._services.outbox.shown(match, surface)
        if noted is not None or (await self._services.settings.preferences(person.id)).dms:
            asking, others = await self._turns_in(panel, person)
            current = asking[0] if asking else noted
            for each in (*asking[1:], *others, *([noted] if noted is not None else [])):
                if current is None or each.message_id != current.message_id:
                    await self._strip_turn(each)
            if asking:
                await self._services.outbox.set_shown(match, surface, asking[0])
        self._sure.add((match, surface))

    async def _turns_in(self, panel: Panel, person: Person) -> tuple[list[Shown], list[Shown]]:
        """Return the direct messages with buttons: those that ask what is asked now, and all others."""
        match = panel.table.id
        try:
            channel = await self.courier.dm_channel(person.id)
            found = await self._ours(match, channel)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            return [], []
        asking: list[Shown] = []
        others: list[Shown] = []
        for each in found:
            if each.marker == PANEL_MARKER:
                asks = any(f":{match}:{panel.decision}:" in custom_id for custom_id in each.custom_ids)
                (asking if asks else others).append(Shown(channel, each.message_id, _epoch(panel)))
        return asking, others

    async def _send_turn(self, panel: Panel, person: Person, settings: Preferences) -> bool:
        """Send a panel as a direct message; returns whether the person's door is open."""
        match = panel.table.id
        try:
            channel = await self.courier.dm_channel(person.id)
            message = await self._sent_turn(panel, channel, settings)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            return False
        await self._note(match, _dm(panel.seat), Shown(channel, message, _epoch(panel)))
        return True

    async def _sent_turn(self, panel: Panel, channel: int, settings: Preferences) -> int:
        page = await self._pictures.panel(panel, Texts(settings.language), settings.theme)
        nonce = f"d.{panel.table.id}:{panel.decision}"
        return await self._send(panel.table.id, _dm(panel.seat), channel, page, nonce, ())

    async def _tell_closed(self, table: TableInfo, seat: Seat, person: Person) -> None:
        """Say once in the match's thread that a player's direct messages are closed to us."""
        surface = f"dm_closed:{seat}"
        if await self._services.outbox.shown(table.id, surface) is not None:
            return
        channel = await self.thread(table.id)
        words = page([text(self._speech(table).house("dm.closed", name=mention(person.id)))])
        nonce = f"c.{table.id}.{seat}"
        message = await self._send(table.id, surface, channel, words, nonce, [person.id])
        await self._note(table.id, surface, Shown(channel, message))

    # --- parts ------------------------------------------------------------------------------------

    async def _send(
        self, match: str, surface: str, channel: int, page: Page, nonce: str, called: Sequence[PersonId]
    ) -> int:
        """Post; until the message is noted, one may stand there that nobody knows of."""
        self._sure.discard((match, surface))
        return await self.courier.post(channel, page, nonce=nonce, called=called)

    async def _note(self, match: str, surface: str, shown: Shown) -> None:
        """Note what is shown now: from here on there is no message without our knowing."""
        await self._services.outbox.set_shown(match, surface, shown)
        self._sure.add((match, surface))

    async def _found(self, match: str, surface: str, channel: int, mark: int) -> int | None:
        """Return our message where it may have been sent without our knowing; ``None``: there is none."""
        if (match, surface) in self._sure:
            return None
        return await self.courier.find(channel, mark, f":{match}:")

    def _speech(self, table: TableInfo) -> Texts:
        guild = self.client.get_guild(table.place.guild_id)
        return Texts(str(guild.preferred_locale).partition("-")[0] if guild is not None else "en")


def _is_newer(found: Shown, noted: Shown) -> bool:
    """Return whether a board that was found shows more than the one that is noted."""
    return found.channel_id != noted.channel_id or (found.epoch, found.version) > (noted.epoch, noted.version)


def _dm(seat: Seat) -> str:
    return f"dm:{seat}"


def _epoch(panel: Panel) -> int:
    """Return a number of the panel's decision: it changes when another question is asked."""
    return zlib.crc32(panel.decision.encode())
