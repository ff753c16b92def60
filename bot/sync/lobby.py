"""The table's message in its channel, and the thread that starts from it.

Every method can be repeated at any time and changes nothing that is up to date.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, replace

import discord

from bot.domain.jobs import STALE_MARK, Call, CallWay, JobKind, Shown, Work
from bot.domain.surfaces import (
    ELSEWHERE,
    HASH,
    HOST_CALL,
    HOST_CALLED,
    INVITATION,
    LOBBY,
    Nonce,
    thread_surface,
)
from bot.domain.tables import PersonId, Status, TableInfo
from bot.gateway.discord_errors import GONE, TOO_MANY_THREADS
from bot.matches import Services
from bot.matches.limits import LIMITS
from bot.pages.lobby import CALL_MARKER, MARKER, call_page, can_start, lobby_page, thread_name
from bot.pages.page import Page
from bot.pages.shuffle import HASH_MARKER, hash_page
from bot.sync.client import OPEN_ARCHIVE_MIN, OVER_ARCHIVE_MIN, MessageClient
from bot.sync.shown import ChannelGone, ShownMessages
from engines.core.registry import games

log = logging.getLogger(__name__)

NOT_POSTED = 1
"""The id recorded for a message that is about to be posted: no real message has it."""


@dataclass(eq=False)
class LobbyMessages:
    """Keeps the messages and threads of tables up to date."""

    services: Services
    messages: MessageClient
    shown: ShownMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its jobs."""
        return {
            JobKind.LOBBY: lambda job: self.update(job.table_id),
            JobKind.THREAD: lambda job: self.thread(job.table_id),
            JobKind.EXPIRE: lambda job: self.services.lobby.expire(job.table_id),
        }

    async def update(self, match: str) -> Shown | None:
        """Bring the table's message up to date and return it, if there is one; raises :class:`ChannelGone`.

        Also tell the host when the match can start, unless they brought that about themselves.
        """
        table = await self.services.queries.table(match)
        if table.status is Status.OPEN:
            # First: nobody may press Join before the hash is posted.
            await self._post_hash(table)
        shown = await self._update(match)
        await self.call_host(match)
        return shown

    async def _update(self, match: str) -> Shown | None:
        """Bring only the table's message up to date.

        One that was deleted is posted again only while people can join, and only once somebody has joined.
        That of a table whose last player has left is deleted.
        """
        begun = await self.services.outbox.record_before(match, LOBBY)
        shown = begun.shown
        table = await self.services.queries.table(match)
        if table.deserted:
            await self._take_back(table, shown)
            return None
        if shown is None:
            return await self._post(match)
        if shown.channel_id != table.place.channel_id:
            return await self._move(table, shown)
        page = lobby_page(table, await self.shown.texts(table), await self._invited(table))
        if page.digest() == shown.digest and not self.shown.may_differ(match, LOBBY):
            await self.services.outbox.note_version(match, LOBBY, begun.version)
            return shown
        if self.shown.may_differ(match, LOBBY):
            await self._strip_others(table, shown)
        self.shown.mark_uncertain(match, LOBBY)
        there = await self.messages.edit(shown.channel_id, shown.message_id, page)
        if not there and table.status is Status.OPEN:
            return await self._post(match, instead_of=shown.message_id)
        await self.shown.note(match, LOBBY, shown, page, begun)
        return shown

    async def _take_back(self, table: TableInfo, shown: Shown | None) -> None:
        """Delete the messages of a table, and so their ping, including those that were not recorded."""
        messages = [] if shown is None else [(shown.channel_id, shown.message_id)]
        if not self.shown.certain(table.id, LOBBY):
            channel = table.place.channel_id
            messages += [(channel, message) for message in await self._messages_of(table)]
        messages += await self._hash_message(table)
        for at in dict.fromkeys(messages):
            await self.messages.delete(*at)
        await self.shown.drop(table.id, [LOBBY, HASH])
        self.shown.mark_certain(table.id, LOBBY)

    async def invite(self, match: str, call: Call) -> None:
        """Post an open table's message again, for people who were invited in their quiet hours.

        The one that did not ping them is deleted. A repeated call pings nobody again.
        """
        begun = await self.services.outbox.record_before(match, LOBBY)
        table, before = await self.services.queries.table(match), begun.shown
        if table.status is not Status.OPEN or before is None:
            return
        surface, invited = f"{INVITATION}{call.number}", await self._invited(table)
        page = lobby_page(table, await self.shown.texts(table), invited)
        posted = await self.services.outbox.shown(match, surface)
        if posted is None:
            pinged = await self._awake(match, [person for person in call.seats if person in invited])
            if not pinged:
                return
            posted = await self._posted_again(table, before, page, call, pinged)
            await self.services.outbox.set_shown(match, surface, posted)
        await self.shown.note(match, LOBBY, posted, page, begun)
        if posted.message_id != before.message_id:
            await self.messages.delete(before.channel_id, before.message_id)

    async def _posted_again(
        self, table: TableInfo, before: Shown, page: Page, call: Call, pinged: list[PersonId]
    ) -> Shown:
        """Return the table's message that pings some of the invited: posted now, or just before a crash."""
        channel = table.place.channel_id
        found = [] if self.shown.certain(table.id, LOBBY) else await self._messages_of(table)
        message = next((each for each in found if each > before.message_id), None)
        # It may not be laid out yet.
        if message is None or not await self.messages.edit(channel, message, page):
            invited = await self._invited(table)
            page = lobby_page(table, await self.shown.texts(table), invited, pinged)
            nonce = Nonce.INVITATION.of(match=table.id, call=call.number)
            message = await self.shown.post(table.id, LOBBY, channel, page, nonce, pinged)
        return Shown(channel, message)

    async def _awake(self, match: str, people: list[PersonId]) -> list[PersonId]:
        """Return which of the invited may be pinged now; call others after their quiet hours."""
        now, settings = self.services.cache.clock(), self.services.settings
        never = {person.id for person in await self.services.queries.unpinged(match)}
        pinged = [person for person in people if person not in never]
        free = {person: (await settings.preferences(person)).free_from(now) for person in pinged}
        later: dict[int, list[PersonId]] = {}
        for person, at in free.items():
            if at > now:
                later.setdefault(math.ceil(at), []).append(person)
        calls = [Call(CallWay.INVITATION, at, tuple(resting)) for at, resting in later.items()]
        await self.services.outbox.call(match, calls)
        return [person for person in pinged if free[person] <= now]

    async def review(self, match: str) -> None:
        """Enqueue the table's message if it exists and does not show what it should."""
        table = await self.services.queries.table(match)
        shown = await self.services.outbox.shown(match, LOBBY)
        if table.deserted:
            self.shown.mark_uncertain(match, LOBBY)
            await self._take_back(table, shown)
            return
        if shown is None or shown.channel_id != table.place.channel_id:
            return
        page = lobby_page(table, await self.shown.texts(table), await self._invited(table))
        await self._strip_others(table, shown)
        if not await self.messages.shows(shown.channel_id, shown.message_id, page):
            # Only this message is stale: the others need not be sent again.
            await self.services.outbox.set_shown(match, LOBBY, replace(shown, digest=STALE_MARK))
            await self.services.outbox.ask_for([(match, JobKind.LOBBY, "")])

    async def _post(self, match: str, instead_of: int | None = None) -> Shown:
        """Post the table's message, or edit the one that was posted just before a crash.

        ``instead_of``: the id of the message or thread that is gone.
        """
        begun = await self.services.outbox.record_before(match, LOBBY)
        table = await self.services.queries.table(match)
        channel, invited = table.place.channel_id, await self._invited(table)
        # A message that replaces another pings nobody a second time.
        pinged = await self._awake(match, invited) if instead_of is None else []
        page = lobby_page(table, await self.shown.texts(table), invited, pinged)
        try:
            message = None
            # It may have been posted without being recorded: before a crash, or the response got lost.
            if not self.shown.certain(table.id, LOBBY):
                found = await self._messages_of(table)
                message = next((each for each in found if each != instead_of), None)
                if message is not None and not await self.messages.edit(channel, message, page):
                    message, instead_of = None, message
            if message is None:
                # With the old nonce, Discord would return the message that is gone.
                again = "" if instead_of is None else f".{instead_of % 10**6}"
                message = await self.shown.post(
                    table.id, LOBBY, channel, page, Nonce.LOBBY.of(match=table.id) + again, pinged
                )
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise ChannelGone from error
        shown = Shown(channel, message, table_version=begun.version)
        await self.shown.note(table.id, LOBBY, shown, page, begun)
        return shown

    async def _post_hash(self, table: TableInfo) -> None:
        """Post the hash of a table's shuffle, once; nothing ever edits that message."""
        if not table.is_mixed or await self.services.outbox.shown(table.id, HASH) is not None:
            return
        channel, page = table.place.channel_id, hash_page(table, await self.shown.texts(table))
        try:
            posted = [message for _, message in await self._hash_message(table)]
            message = (
                posted[0]
                if posted
                else await self.shown.post(table.id, HASH, channel, page, Nonce.HASH.of(match=table.id))
            )
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            raise ChannelGone from error
        await self.shown.note(table.id, HASH, Shown(channel, message), page)

    async def _hash_message(self, table: TableInfo) -> list[tuple[int, int]]:
        """Return channel and id of the message with the hash, recorded or not; empty if there is none."""
        shown = await self.services.outbox.shown(table.id, HASH)
        if shown is not None:
            return [(shown.channel_id, shown.message_id)]
        channel = table.place.channel_id
        found = await self.messages.find_text(channel, HASH_MARKER, table.commitment)
        return [] if found is None else [(channel, found)]

    async def call_host(self, match: str) -> None:
        """Ping the host when guests make a start possible, and when they fill the table.

        The message is deleted when it is no longer true. A ping too soon after the last one is delayed, and
        sent if it is still true then. Other changes of the message, such as an added seat, ping nobody.
        """
        table = await self.services.queries.table(match)
        begun = await self.services.outbox.record_before(match, HOST_CALL)
        shown = await self._call_that_stands(match, begun.shown)
        if not await self._is_called(table):
            if shown is not None:
                await self.shown.delete(match, HOST_CALL)
            return
        last, page = table.chairs[-1].person, call_page(table, await self.shown.texts(table))
        by_guest = last is not None and last.id != table.host.id
        # The message's ``version`` is the number of seats taken; 0: an earlier version of the bot wrote it.
        is_news = by_guest and (shown is None or (table.full and 0 < shown.version < len(table.chairs)))
        if is_news and await self._may_call(table):
            if shown is not None:
                await self.shown.delete(match, HOST_CALL)
            await self._post_call(table, page, Nonce.HOST_CALL.of(match=match, table_version=begun.version))
        elif shown is not None and page.digest() != shown.digest:
            await self.messages.edit(shown.channel_id, shown.message_id, page)
            # Delayed news is still news.
            taken = shown.version if is_news else len(table.chairs)
            await self._note_call(table, shown.message_id, page, taken)

    async def _call_that_stands(self, match: str, noted: Shown | None) -> Shown | None:
        """Return the message that calls the host; ``None`` if there is none.

        One that was about to be posted just before a crash is searched for. It may be out of date.
        """
        if noted is None or noted.message_id != NOT_POSTED:
            return noted
        found = await self.shown.find(match, noted.channel_id)
        message = next((each.message_id for each in found if each.marker == CALL_MARKER), None)
        if message is None:
            await self.shown.drop(match, [HOST_CALL])
            return None
        shown = replace(noted, message_id=message, digest=STALE_MARK)
        await self.services.outbox.set_shown(match, HOST_CALL, shown)
        return shown

    async def _may_call(self, table: TableInfo) -> bool:
        """Return whether the host may be pinged now; if not, schedule a call for when they may be.

        Otherwise somebody who joins and leaves again and again would ping them each time.
        """
        now, surface = self.services.cache.clock(), _host_called(table)
        called = await self.services.outbox.last_version(table.id, surface)
        free = called + LIMITS.host_called_every_s
        # The clock may have been set back since then.
        if not called <= now < free:
            return True
        await self.services.outbox.call(table.id, [Call(CallWay.HOST, math.ceil(free), (0,))])
        return False

    async def _post_call(self, table: TableInfo, page: Page, nonce: str) -> None:
        channel, now, host = table.place.channel_id, self.services.cache.clock(), table.host.id
        awake = (await self.services.settings.preferences(host)).free_from(now) <= now
        # Recorded first: after a crash, the message may be untrue before anything else would search for it.
        await self._note_call(table, NOT_POSTED, page, len(table.chairs))
        message = await self.shown.post(table.id, HOST_CALL, channel, page, nonce, [host] if awake else [])
        await self._note_call(table, message, page, len(table.chairs))
        called = Shown(0, 0, version=math.floor(now))
        await self.services.outbox.set_shown(table.id, _host_called(table), called)

    async def _note_call(self, table: TableInfo, message: int, page: Page, taken: int) -> None:
        shown = Shown(table.place.channel_id, message, version=taken)
        await self.shown.note(table.id, HOST_CALL, shown, page)

    async def _is_called(self, table: TableInfo) -> bool:
        """Return whether to tell the host that the match can start: not while invited guests are awaited."""
        if table.status is not Status.OPEN or table.full:
            return table.status is Status.OPEN
        return table.game in games() and can_start(table) and not await self._invited(table)

    async def _move(self, table: TableInfo, left: Shown) -> Shown:
        """Show the table's message in the channel that the match has moved to, and retire ``left``.

        In a channel where it was before, the match continues in its former thread, with its former message.
        """
        await self.shown.leave(left, await self.moved_words(table, table.place.channel_id))
        await self.shown.drop(table.id, [ELSEWHERE])
        thread = await self.services.outbox.shown(table.id, thread_surface(left.channel_id))
        if thread is not None:
            await self.messages.set_archive_after(thread.message_id, OVER_ARCHIVE_MIN)
        if table.thread_id is not None:
            await self.messages.set_archive_after(table.thread_id, OPEN_ARCHIVE_MIN)
            begun = await self.services.outbox.record_before(table.id, LOBBY)
            page = lobby_page(table, await self.shown.texts(table))
            shown = Shown(table.place.channel_id, table.thread_id)
            # A thread has the id of the message it was started from.
            if await self.messages.edit(shown.channel_id, shown.message_id, page):
                await self.shown.note(table.id, LOBBY, shown, page, begun)
                return shown
        return await self._post(table.id, instead_of=left.message_id)

    async def moved_words(self, table: TableInfo, channel: int) -> str:
        """Return the notice in a channel that a match has left: in which channel or thread it continues."""
        return (await self.shown.texts(table)).house("board.moved", channel=f"<#{channel}>")

    async def _messages_of(self, table: TableInfo) -> list[int]:
        """Return the ids of a table's messages that have buttons, the newest first."""
        found = await self.shown.find(table.id, table.place.channel_id)
        return [each.message_id for each in found if each.marker == MARKER]

    async def _strip_others(self, table: TableInfo, shown: Shown) -> None:
        """Remove the buttons of messages that were never recorded, such as for a thread that came back."""
        for message in await self._messages_of(table):
            if message != shown.message_id:
                await self.shown.strip(Shown(table.place.channel_id, message))

    async def _invited(self, table: TableInfo) -> list[int]:
        if table.status is not Status.OPEN:
            return []
        return [person.id for person in await self.services.queries.invited(table.id)]

    async def thread(self, match: str) -> int:
        """Return the channel of the match's boards: its thread, started if needed, or the table's channel."""
        table = await self.services.queries.table(match)
        if table.thread_id is not None:
            return table.thread_id
        elsewhere = await self.services.outbox.shown(match, ELSEWHERE)
        if elsewhere is not None and elsewhere.channel_id == table.place.channel_id:
            return elsewhere.channel_id
        shown = await self.services.outbox.shown(match, LOBBY) or await self._post(match)
        if shown.channel_id != table.place.channel_id:
            shown = await self._move(table, shown)
        try:
            thread = await self._start_thread(table, shown)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            # A thread is started from a message: if that is gone, it needs another one.
            shown = await self._post(match, instead_of=shown.message_id)
            thread = await self._start_thread(table, shown)
        except discord.HTTPException as error:
            if error.code != TOO_MANY_THREADS:
                raise
            log.warning("match %s: playing in its channel, as the server has no thread left", match)
            channel = table.place.channel_id
            await self.services.outbox.set_shown(match, ELSEWHERE, Shown(channel, shown.message_id))
            return channel
        return thread

    async def _start_thread(self, table: TableInfo, below: Shown) -> int:
        before = await self.services.queries.matches_before(table)
        name = thread_name(table, before, await self.shown.texts(table))
        thread = await self.messages.start_thread(below.channel_id, below.message_id, name)
        await self.services.outbox.bind_thread(table.id, thread, below.channel_id)
        return thread

    async def replace_thread(self, table: TableInfo, gone: int) -> int:
        """Start a new thread from a new message of the table, after the thread ``gone`` was deleted."""
        log.warning("match %s: thread was deleted, starting a new one", table.id)
        before = await self.services.outbox.shown(table.id, LOBBY)
        # First of all: once the new message is recorded, this one is forgotten. A thread has the id of the
        # message it was started from; one with another id was posted by a try that failed half-way.
        if before is not None and before.message_id == gone:
            await self.shown.strip(before)
        shown = await self._post(table.id, instead_of=gone)
        if before is not None and before.message_id not in (gone, shown.message_id):
            await self.shown.strip(before)
        # A try that failed half-way may have left one behind.
        await self._strip_others(table, shown)
        return await self._start_thread(table, shown)


def _host_called(table: TableInfo) -> str:
    """Return the surface that records when the host was last told about the table's current state."""
    return f"{HOST_CALLED}{'full' if table.full else 'enough'}"
