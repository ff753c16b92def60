"""Decide who is reminded of a pending decision, when, and how; ``sync/calls`` sends the messages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.clocks.outages import Outages
from bot.domain.clocks import HOUR_APART, Clock, Nudge, Reminding
from bot.domain.jobs import Call, CallWay, JobKind, NewJob
from bot.domain.refusals import refusal
from bot.domain.tables import HandledRequest, PersonId, Preferences, RequestId, Status, Who, person_id
from bot.matches.loaded_table import LoadedTable
from bot.matches.settings import Settings
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from engines.core.contract import Seat

MERGE_WINDOW_S = 60.0
"""Seconds within which reminders share one direct message, which lists all waiting matches."""


@dataclass(frozen=True, slots=True)
class _Recipient:
    """A person to remind, with their settings."""

    person: PersonId
    preferences: Preferences
    reminded_at: float | None
    unreached_at: float | None

    def by_message(self, clock: Clock, allowance: float) -> bool:
        """Return whether a reminder is sent by direct message.

        If Discord refuses those, it is a mention, but only from their next decision on: a switch before that
        would reveal to others that a message was tried.
        """
        if not self.preferences.reminded_by_message:
            return False
        begun = (clock.until or 0.0) - allowance
        return self.unreached_at is None or self.unreached_at > begun


class Reminders:
    """Use cases. Due reminders are in the database, so that each is sent once."""

    def __init__(self, cache: TableCache, settings: Settings, outages: Outages) -> None:
        self._cache = cache
        self._settings = settings
        self._outages = outages
        self._asked_at = math.inf
        """When :meth:`due` was last called."""

    async def due(self) -> list[str]:
        """Return the matches in service with a due reminder, the oldest reminder first within shards."""
        now = self._asked_at = self._cache.clock()
        async with self._cache.store.read() as reader:
            return [
                match
                for served in self._outages.served()
                for match in await reader.due_reminders(now, served.count, served.ids)
            ]

    async def next_in(self) -> float | None:
        """Return the seconds until the next reminder of a match in service; ``None``: there is none.

        The result is 0 if a reminder has become due since :meth:`due` was last called.
        """
        now, found = self._cache.clock(), list[float]()
        after = min(now, self._asked_at)
        async with self._cache.store.read() as reader:
            for served in self._outages.served():
                due = await reader.next_reminder(after, served.count, served.ids)
                found += [] if due is None else [max(0.0, due - now)]
        return min(found, default=None)

    async def remind(self, table_id: str) -> None:
        """Send the due reminders of a match; raises ``Refusal``."""
        await self._cache.attempt(table_id, self._remind)

    async def nudge(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Nudge publicly pending players, once per allowance; raises ``Refusal``.

        Players who decided in secret are treated like the others, so that a nudge reveals nothing.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, who, "nudge") is not None:
                return
            own = table.playing_seat(who)
            waiting = table.require_log().public.waiting
            if own in waiting:
                raise refusal("nudge_asked")
            running = {seat: clock for seat, clock in table.row.clocks.items() if seat in waiting}
            if not any(clock.deadline is not None for clock in running.values()):
                raise refusal("nudge_nobody")
            open_ = {seat for seat, clock in running.items() if _can_be_nudged(clock)}
            if not open_:
                raise refusal("nudge_again")
            now = self._cache.clock()
            clocks = {
                seat: clock.nudged(now) if seat in open_ else clock
                for seat, clock in table.row.clocks.items()
            }
            note = HandledRequest(request, table_id, who, "nudge")
            await self._cache.commit(table, _with_clocks(table, clocks), request=note)

        await self._cache.attempt(table_id, work)

    async def mute(self, table_id: str, person: Who) -> bool:
        """Toggle a person's reminders of one match; return whether they are off now."""

        async def work(table: LoadedTable) -> bool:
            seat = table.playing_seat(person_id(person))
            muted = not table.info.chair_at(seat).muted
            await self._cache.commit(table, table.with_chair(seat, muted=muted))
            return muted

        return await self._cache.attempt(table_id, work)

    # --- sending --------------------------------------------------------------------------------------

    async def _remind(self, table: LoadedTable) -> None:
        now = self._cache.clock()
        due = {
            seat: clock
            for seat, clock in table.row.clocks.items()
            if clock.remind_at is not None and clock.remind_at <= now and clock.stopped_at is None
        }
        if table.info.status is not Status.RUNNING or not due:
            return
        round_ = _Round(table, now)
        for seat, clock in due.items():
            person = table.info.person_at(seat)
            if person is None or table.info.chair_at(seat).muted:
                round_.pass_over(seat, clock)
            else:
                self._call(round_, seat, clock, await self._recipient(person))
        new = _with_clocks(table, {**table.row.clocks, **round_.clocks})
        await self._cache.commit(table, new, jobs=round_.jobs(), also=round_.note)

    async def _recipient(self, person: PersonId) -> _Recipient:
        preferences = await self._settings.preferences(person)
        async with self._cache.store.read() as reader:
            return _Recipient(person, preferences, *await reader.called(person))

    def _call(self, round_: _Round, seat: Seat, clock: Clock, recipient: _Recipient) -> None:
        pace, now = round_.table.info.pace, round_.now
        if recipient.preferences.reminders is Reminding.NONE:
            round_.pass_over(seat, clock)
            return
        by_message = recipient.by_message(clock, pace.allowance)
        last, due = recipient.reminded_at, clock.remind_at or now
        if (
            by_message
            and last is not None
            and due <= last + MERGE_WINDOW_S
            and clock.nudge is not Nudge.ASKED
        ):
            round_.pass_over(seat, clock)  # the list sent last includes this match
            return
        free = recipient.preferences.free_from(now)
        if pace.over_days and last is not None and last <= now:
            free = max(free, last + HOUR_APART)
        if free > now:
            round_.clocks[seat] = clock.held_back(free)
            return
        # Skip players who decided secretly; only they can notice.
        if by_message and seat not in round_.table.row.asked:
            round_.pass_over(seat, clock)
            return
        round_.tell(seat, clock, recipient.person, CallWay.MESSAGE if by_message else CallWay.MENTION)


class _Round:
    """The result of checking one match: changed clocks, and reminders to send."""

    def __init__(self, table: LoadedTable, now: float) -> None:
        self.table = table
        self.now = now
        self.clocks: dict[Seat, Clock] = {}
        self._told: list[tuple[Seat, PersonId, CallWay, bool]] = []

    def pass_over(self, seat: Seat, clock: Clock) -> None:
        """Count a reminder as past without sending it."""
        self.clocks[seat] = clock.told(self.table.info.pace, self.now)

    def tell(self, seat: Seat, clock: Clock, person: PersonId, way: CallWay) -> None:
        """Send a reminder."""
        self.pass_over(seat, clock)
        self._told.append((seat, person, way, clock.nudge is Nudge.ASKED))

    def jobs(self) -> list[NewJob]:
        """Return a job per message: one mention for all, and a direct message for each person."""
        groups: dict[tuple[CallWay, bool, Seat | None], list[Seat]] = {}
        for seat, _, way, nudge in self._told:
            groups.setdefault((way, nudge, seat if way is CallWay.MESSAGE else None), []).append(seat)
        at, version = int(self.now), self.table.require_log().public.version
        calls = (Call(way, at, tuple(seats), nudge, version) for (way, nudge, _), seats in groups.items())
        return [NewJob(self.table.id, JobKind.REMIND, call.target, due=self.now) for call in calls]

    async def note(self, transaction: Transaction) -> None:
        """Save when people were reminded."""
        for _, person, _, _ in self._told:
            await transaction.note_reminded(person, self.now)


def _can_be_nudged(clock: Clock) -> bool:
    running = clock.deadline is not None and clock.stopped_at is None
    return running and not clock.overdue and clock.nudge is Nudge.NONE


def _with_clocks(table: LoadedTable, clocks: Mapping[Seat, Clock]) -> LoadedTable:
    return replace(table, row=replace(table.row, clocks=clocks))
