"""Calls: messages that tell people, once each, about matches that wait for them, in a thread or directly.

Also checks whether those who are called are still there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field

import discord

from bot.clocks.absences import Absences
from bot.domain.jobs import Call, CallWay, JobKind, Shown, Work
from bot.domain.match import Board
from bot.domain.refusals import Refusal
from bot.domain.surfaces import DM_REMINDER, REMINDER, Nonce
from bot.domain.tables import PersonId, Status
from bot.gateway.discord_errors import DMS_CLOSED, FORBIDDEN, GONE, code_of
from bot.matches import Services
from bot.pages.page import Page
from bot.pages.reminders import answer_page, list_page, mark_of, mention_page
from bot.sync.client import MessageClient
from bot.sync.direct_messages import DirectMessages, Goodbyes
from bot.sync.lobby import LobbyMessages
from bot.sync.questions import asked_people
from bot.sync.shown import ShownMessages
from engines.core.contract import Seat

log = logging.getLogger(__name__)

PRESENCE_TTL_S = 3_600.0
"""Seconds for which a person counts as present after a check."""

MOST_KNOWN = 4_096
"""Maximum people who are remembered as present."""


@dataclass(eq=False)
class Calls:
    """Makes calls; each can be repeated, and reaches people once."""

    services: Services
    messages: MessageClient
    shown: ShownMessages
    lobby: LobbyMessages
    direct_messages: DirectMessages
    goodbyes: Goodbyes

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its job."""
        return {JobKind.REMIND: lambda job: self.make(job.table_id, Call.parse(job.target))}

    async def make(self, match: str, call: Call) -> None:
        """Make a call, to those of its people for whom the match still waits."""
        table = await self.services.queries.table(match)
        if call.way is CallWay.INVITATION:
            await self.lobby.invite(match, call)
        if call.way is CallWay.HOST:
            await self.lobby.call_host(match)
        if call.way is CallWay.GOODBYE:
            await self.goodbyes.update(match, call.seats[0])
        if table.status is not Status.RUNNING:
            return
        match call.way:
            case CallWay.ANSWER:
                await self._ask_again(await self.services.queries.board(table.id), call)
            case CallWay.TURN:
                await self.direct_messages.update(table.id, call.seats[0], with_board=False)
            case CallWay.MENTION:
                await self._look_for(table.id, call)
                await self._mention(await self.services.queries.board(table.id), call)
            case CallWay.MESSAGE:
                await self._look_for(table.id, call)
                await self._write(table.id, call)
            case CallWay.GOODBYE | CallWay.INVITATION | CallWay.HOST:
                pass

    async def _look_for(self, match: str, call: Call) -> None:
        target = ".".join(map(str, call.seats))
        await self.services.outbox.ask_for([(match, JobKind.ABSENTEES, target)])

    async def _ask_again(self, board: Board, call: Call) -> None:
        """Ping those who were asked a question in their quiet hours and have not answered it yet."""
        people = [person for person in call.seats if person in asked_people(board)]
        people = [person for person in people if await self._may_be_pinged(person)]
        if people:
            page = answer_page(board, people, call, await self.shown.texts(board.table))
            await self._post_in_thread(board, page, call, people)

    async def _mention(self, board: Board, call: Call) -> None:
        # Publicly pending seats: one that has decided in secret looks like one that has not.
        seats = [seat for seat in call.seats if seat in board.waiting]
        people = {seat: person for seat in seats if (person := board.table.person_at(seat)) is not None}
        people = {seat: person for seat, person in people.items() if await self._may_be_pinged(person)}
        if not people:
            return
        page = mention_page(board, people, call, await self.shown.texts(board.table))
        await self._post_in_thread(board, page, call, list(people.values()))

    async def _post_in_thread(self, board: Board, page: Page, call: Call, people: list[PersonId]) -> None:
        channel = await self.lobby.thread(board.table.id)
        try:
            await self._post(board.table.id, REMINDER, channel, page, call, people)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            # The thread was deleted: the board in its new thread calls them too.

    async def _may_be_pinged(self, person: PersonId) -> bool:
        now = self.services.cache.clock()
        return (await self.services.settings.preferences(person)).free_from(now) <= now

    async def _write(self, match: str, call: Call) -> None:
        seat: Seat = call.seats[0]
        person = (await self.services.queries.table(match)).person_at(seat)
        if person is None:
            return
        lines = [line for line in await self.services.queries.matches(person) if line.asked]
        if not lines or not await self._may_be_pinged(person):
            return
        preferences = await self.services.settings.preferences(person)
        page = list_page(match, lines, call, self.shown.texts_for(preferences))
        try:
            async with self.shown.writing_to(person) as conversation:
                await self._post(match, f"{DM_REMINDER}{seat}:", conversation.channel_id, page, call, [])
        except discord.HTTPException as error:
            if code_of(error) not in DMS_CLOSED:
                raise
            log.info("reminder not delivered: direct messages closed")
            await self.services.outbox.note_unreached(person, reached=False)
        else:
            await self.services.outbox.note_unreached(person, reached=True)

    async def _post(
        self, match: str, prefix: str, channel: int, page: Page, call: Call, people: list[PersonId]
    ) -> None:
        """Post a call unless it was posted before, and delete older ones, so that threads stay short."""
        surface = f"{prefix}{call.number}"
        if not await self.services.outbox.last_version(match, surface):
            message = await self._message(match, channel, page, call, people)
            shown = Shown(channel, message, call.number, call.number, digest=page.digest())
            await self.services.outbox.set_shown(match, surface, shown)
        await self.shown.delete(match, prefix, but_newest=True)

    async def _message(self, match: str, channel: int, page: Page, call: Call, people: list[PersonId]) -> int:
        """Return the message id of a call that was not recorded: posted now, or just before a crash."""
        found = await self.shown.find(match, channel)
        sent = next((each for each in found if each.carries(mark_of(match, call))), None)
        if sent is None:
            nonce = Nonce.CALL.of(way=call.way.value, match=match, call=call.number)
            return await self.messages.post(channel, page, nonce=nonce, mentioned=people)
        # It may not be laid out yet.
        await self.messages.edit(channel, sent.message_id, page)
        return sent.message_id


@dataclass(eq=False)
class Absentees:
    """Checks whether players who are asked or called have left the server, or are timed out there.

    Events about that would need a privileged intent. Every check can be repeated.
    """

    services: Services
    messages: MessageClient
    absences: Absences
    _seen: dict[tuple[int, PersonId], float] = field(default_factory=dict)
    """When people were last found on a server, as Unix times."""

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its job."""
        return {JobKind.ABSENTEES: lambda job: self.check(job.table_id, map(int, job.target.split(".")))}

    async def check(self, match: str, seats: Iterable[Seat]) -> None:
        """Check whether the people of some seats are still there; those who are not count as absent."""
        table = await self.services.queries.table(match)
        if table.status is not Status.RUNNING:
            return
        for seat in seats:
            person = table.person_at(seat)
            if person is not None and not await self._is_there(table.place.guild_id, person):
                try:
                    await self.absences.gone(match, seat)
                except Refusal:
                    continue  # the match has moved on meanwhile

    async def _is_there(self, guild: int, person: PersonId) -> bool:
        now = self.services.cache.clock()
        # A time after now: the machine's clock was set back.
        if now - PRESENCE_TTL_S < self._seen.get((guild, person), float("-inf")) <= now:
            return True
        try:
            there = await self.messages.is_member(guild, person)
        except discord.HTTPException as error:
            if error.code not in FORBIDDEN and not isinstance(error, discord.NotFound):
                raise
            return True  # a bot that was removed from a server cannot check its members
        if there:
            if len(self._seen) >= MOST_KNOWN:
                self._seen.clear()
            self._seen[guild, person] = now
        return there
