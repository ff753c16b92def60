"""Direct messages to players who want them: the panel of a seat that is asked, and how a match ended."""

from __future__ import annotations

import logging
import math
import zlib
from contextlib import suppress
from dataclasses import dataclass, replace

import discord

from bot.domain.jobs import STALE_MARK, Call, CallWay, Job, JobKind, RecordBefore, Shown, Work
from bot.domain.match import Board, Panel, TurnEnd
from bot.domain.surfaces import DM, GOODBYE, Nonce, unreached_surfaces
from bot.domain.tables import Person, PersonId, Preferences, Status, TableInfo
from bot.gateway.discord_errors import DMS_CLOSED, code_of
from bot.matches import Services
from bot.pages.board import GOODBYE_MARKER, goodbye_page
from bot.pages.page import Page
from bot.pages.panel import MARKER, PanelPage, panel_page
from bot.pages.texts import Texts
from bot.sync.board import BoardMessages
from bot.sync.client import MessageClient
from bot.sync.dm_breaker import DirectMessagesPaused
from bot.sync.pictures import Pictures
from bot.sync.shown import ShownMessages
from engines.core.contract import Seat

log = logging.getLogger(__name__)

_DONE = {
    TurnEnd.PLAYED: "dm.done.played",
    TurnEnd.LAPSED: "dm.done.lapsed",
    TurnEnd.TAKEN_BACK: "dm.done.taken_back",
    TurnEnd.STAND_IN: "dm.done.stand_in",
    TurnEnd.OVER: "dm.done.over",
    TurnEnd.CLOSED: "dm.done.closed",
    TurnEnd.OTHER: "dm.done",
}
"""What takes the place of a panel's buttons, by why its turn ended."""


@dataclass(eq=False)
class DirectMessages:
    """Keeps the direct messages of matches up to date."""

    services: Services
    pictures: Pictures
    messages: MessageClient
    shown: ShownMessages
    boards: BoardMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for jobs that change whom a match asks; a turn's depends on its batch."""
        return {
            JobKind.BOARD: self._after_board,
            JobKind.END: self._after_board,
            JobKind.FORGET: lambda job: self.forget(job.table_id, int(job.target)),
        }

    async def _after_board(self, job: Job) -> None:
        await self.boards.update(job.table_id)
        await self.retire(job.table_id)

    async def update(self, match: str, seat: Seat, *, with_board: bool) -> None:
        """Bring a seat's direct message up to date: a panel if it is asked, no buttons on older ones.

        ``with_board``: the board has just changed too. A notice that no direct message arrives is posted in
        the thread, and so only together with a public change: a seat may be asked in secret. But a person
        whom the board did not ping, counting on a direct message, needs the notice in any case.
        """
        table = await self.services.queries.table(match)
        person = table.chair_at(seat).person
        if person is None:
            return
        panel = await self.services.drafts.panel(match, person)
        preferences = await self.services.settings.preferences(person.id)
        asked = panel.asked and table.status is Status.RUNNING
        try:
            await self._retire(panel, person)
            begun = await self.services.outbox.record_before(match, f"{DM}{seat}")
            # That may have taken a while: the question may have been answered by now.
            panel = await self.services.drafts.panel(match, person)
            asked = asked and panel.asked
            if not asked or await self._is_there(panel, begun, person, preferences):
                return
            why = "closed"
        except DirectMessagesPaused:
            why = "paused"
        if asked:
            why = why if preferences.dms else "off"
            await self._say_in_thread(match, seat, person, why, with_board=with_board)

    async def _is_there(
        self, panel: Panel, begun: RecordBefore, person: Person, preferences: Preferences
    ) -> bool:
        """Deliver the panel if it is wanted; return whether it has arrived or only waits for quiet hours."""
        if not preferences.dms:
            return False
        if (shown := begun.shown) is not None and (
            not shown.is_stale or await self._lay_out(panel, shown, begun, person, preferences)
        ):
            return True
        now = self.services.cache.clock()
        if (free := preferences.free_from(now)) > now:
            call = Call(CallWay.TURN, math.ceil(free), (panel.seat,))
            await self.services.outbox.call(panel.table.id, [call])
            return True
        return await self._send(panel, begun, person, preferences)

    async def _say_in_thread(
        self, match: str, seat: Seat, person: Person, why: str, *, with_board: bool
    ) -> None:
        board = await self.services.queries.board(match)
        counted_on = seat in board.written_to and not await self._reached(board, seat)
        if seat in board.waiting and (counted_on or (with_board and why != "off")):
            await self.boards.tell_unreached(board, seat, person.id, why)

    async def _reached(self, board: Board, seat: Seat) -> bool:
        """Return whether a seat was sent a message since the hand-over."""
        return await self.services.outbox.last_version(board.table.id, f"{DM}{seat}") >= board.epoch

    async def retire(self, match: str) -> None:
        """Remove the buttons from the direct messages of a match to those who are not asked any more.

        A person who has acted and is asked again continues in the same panel, which their clicks redraw.
        """
        table = await self.services.queries.table(match)
        for chair in table.chairs:
            if chair.person is not None and chair.seat is not None:
                panel = await self.services.drafts.panel(match, chair.person)
                if not panel.asked:
                    # While paused, a message keeps its buttons, which redraw it when pressed.
                    with suppress(DirectMessagesPaused):
                        await self._retire(panel, chair.person)

    async def forget(self, match: str, person: PersonId) -> None:
        """Delete a match's messages to a former holder of a seat: their pictures show its secrets."""
        table = await self.services.queries.table(match)
        try:
            channel = await self.shown.dm_channel(person)
            await self.messages.delete_about(
                channel, f":{match}:", f"/{table.thread_id or table.place.channel_id}"
            )
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise  # with direct messages closed, nothing can be deleted either

    async def _retire(self, panel: Panel, person: Person) -> None:
        match, surface = panel.table.id, f"{DM}{panel.seat}"
        if not self.shown.certain(match, surface):
            await self._note_unnoted(panel, person)
        shown = await self.services.outbox.shown(match, surface)
        if shown is None:
            return
        if shown.epoch == _epoch(panel) and panel.asked and await self._is_theirs(shown, panel, person):
            return
        why = await self.services.queries.turn_end(match, panel.seat, shown.version)
        await self._strip(shown, await self._texts(person), why)
        await self.services.outbox.drop_shown(match, surface)

    async def _is_theirs(self, shown: Shown, panel: Panel, person: Person) -> bool:
        """Return whether a message went to the current holder of the seat, and not to a former one."""
        if not any(each.seat == panel.seat for each in panel.table.former):
            return True
        try:
            return shown.channel_id == await self.shown.dm_channel(person.id)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            return False

    async def _texts(self, person: Person) -> Texts:
        return self.shown.texts_for(await self.services.settings.preferences(person.id))

    async def _note_unnoted(self, panel: Panel, person: Person) -> None:
        """Record the direct message that was sent but not recorded; older ones lose their buttons."""
        match, surface = panel.table.id, f"{DM}{panel.seat}"
        noted = await self.services.outbox.shown(match, surface)
        wanted = (await self.services.settings.preferences(person.id)).dms
        if wanted or noted is not None or self.shown.may_differ(match, surface):
            asking, others = await self._panels_sent(panel, person)
            current = asking[0] if asking else noted
            for each in (*asking[1:], *others, *([noted] if noted is not None else [])):
                if current is None or each.message_id != current.message_id:
                    await self._strip(each, await self._texts(person))
            if asking:
                # It may not be laid out yet: `update` does that. Or a click turned it into the current
                # question while its buttons were about to be removed.
                await self.services.outbox.reinstate(asking[0].message_id)
                await self.services.outbox.set_shown(match, surface, replace(asking[0], digest=STALE_MARK))
        self.shown.mark_certain(match, surface)

    async def _panels_sent(self, panel: Panel, person: Person) -> tuple[list[Shown], list[Shown]]:
        match = panel.table.id
        try:
            channel = await self.shown.dm_channel(person.id)
            found = await self.shown.find(match, channel)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            # A person who takes no messages of ours has none to search for.
            return [], []
        asking: list[Shown] = []
        others: list[Shown] = []
        for each in found:
            if each.marker == MARKER:
                asks = each.carries(f":{match}:{panel.decision}:")
                (asking if asks else others).append(Shown(channel, each.message_id, _epoch(panel)))
        return asking, others

    async def _strip(self, shown: Shown, texts: Texts, why: TurnEnd = TurnEnd.OTHER) -> None:
        await self.services.outbox.retire(shown.message_id)
        try:
            await self.shown.strip(shown, f"-# {texts.house(_DONE[why])}")
        except discord.Forbidden:
            log.info("direct message keeps its buttons: access denied")

    async def _lay_out(
        self, panel: Panel, shown: Shown, begun: RecordBefore, person: Person, preferences: Preferences
    ) -> bool:
        """Show the panel in a message that may show something else; return whether that can be edited."""
        match, surface = panel.table.id, f"{DM}{panel.seat}"
        async with self.messages.edits.begin(shown.message_id) as edit:
            # Read after the edit has begun: this includes all earlier clicks, and later ones redraw it.
            panel = await self.services.drafts.panel(match, person)
            while True:
                texts = self.shown.texts_for(preferences)
                painting = await self.pictures.panel(panel, texts, preferences.theme)
                page = panel_page(PanelPage(panel, texts, painting))
                if not edit.is_newest():
                    return True
                if not await self._edit(shown, page):
                    return False
                laid_out, panel = panel, await self.services.drafts.panel(match, person)
                # Another process may have drawn a click meanwhile, and this edit may have come after it.
                if panel.revision == laid_out.revision:
                    break
        await self.shown.note(match, surface, shown, page, begun)
        return True

    async def _edit(self, shown: Shown, page: Page) -> bool:
        try:
            return await self.messages.edit(shown.channel_id, shown.message_id, page)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            return False

    async def _send(
        self, panel: Panel, begun: RecordBefore, person: Person, preferences: Preferences
    ) -> bool:
        match, surface = panel.table.id, f"{DM}{panel.seat}"
        try:
            async with self.shown.writing_to(person.id) as conversation:
                channel, texts = conversation.channel_id, self.shown.texts_for(preferences)
                is_first = not (conversation.is_known or await self.messages.has_written(channel))
                greeting = texts.house("dm.first") if is_first else ""
                painting = await self.pictures.panel(panel, texts, preferences.theme)
                page = panel_page(PanelPage(panel, texts, painting, notice=greeting, notifies=True))
                nonce = Nonce.PANEL.of(match=match, decision=panel.decision)
                if before := sum(each.seat == panel.seat for each in panel.table.former):
                    # Or Discord would return the message to the seat's former holder.
                    nonce += f".{before}"
                message = await self.shown.post(match, surface, channel, page, nonce)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            return False
        reached = (await self.services.queries.board(match)).epoch
        await self.shown.note(match, surface, Shown(channel, message, _epoch(panel), reached), page, begun)
        # The next one that does not arrive gets a notice again; until then boards do not ping this seat.
        await self.shown.drop(match, unreached_surfaces(panel.seat))
        return True


@dataclass(eq=False)
class Goodbyes:
    """Tells people once how matches ended; every call can be repeated."""

    services: Services
    messages: MessageClient
    shown: ShownMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its job."""
        return {JobKind.GOODBYE: self._carry_out}

    async def _carry_out(self, job: Job) -> None:
        if has_seat(await self.services.queries.table(job.table_id), job.seat):
            await self.update(job.table_id, job.seat)

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
            await self.services.outbox.call(match, [Call(CallWay.GOODBYE, math.ceil(free), (seat,))])
            return
        page = goodbye_page(board, self.shown.texts_for(preferences))
        try:
            await self._say(match, seat, person, page)
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise  # with direct messages closed, they find the end in the thread

    async def _say(self, match: str, seat: Seat, person: Person, page: Page) -> None:
        surface = f"{GOODBYE}{seat}"
        begun = await self.services.outbox.record_before(match, surface)
        said = begun.shown
        if said is not None and not said.is_stale:
            return
        async with self.shown.writing_to(person.id) as conversation:
            channel = conversation.channel_id
            if said is None and not self.shown.certain(match, surface):
                # It may have been sent just before a crash, without being recorded.
                found = (
                    each for each in await self.shown.find(match, channel) if each.marker == GOODBYE_MARKER
                )
                said = next((Shown(channel, each.message_id, digest=STALE_MARK) for each in found), None)
            if said is not None and await self.messages.edit(said.channel_id, said.message_id, page):
                await self.shown.note(match, surface, said, page, begun)
                return
            message = await self.shown.post(
                match, surface, channel, page, Nonce.GOODBYE.of(match=match, seat=seat)
            )
            await self.shown.note(match, surface, Shown(channel, message), page, begun)


def has_seat(table: TableInfo, seat: Seat) -> bool:
    """Return whether a table has a seat: its chair may be broken."""
    return any(chair.seat == seat for chair in table.chairs)


def _epoch(panel: Panel) -> int:
    # A number that changes when another question is asked.
    return zlib.crc32(panel.decision.encode())
