"""Holidays: they stop a person's clocks in all matches whose decisions may take days."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.clocks import Holiday, current_holiday, holiday_left
from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import refusal
from bot.domain.tables import Status, Who, person_id
from bot.matches.clocks import next_clocks, with_holidays
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.store import Transaction

MIN_HOLIDAY_S = 3_600.0
"""Minimum seconds left to begin a holiday."""


class Holidays:
    """Use cases: people begin and end their own holidays, and their clocks follow."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def of(self, person: Who) -> tuple[Holiday | None, float]:
        """Return a person's current holiday, if any, and their remaining seconds this year."""
        async with self._cache.store.read() as reader:
            found = await reader.holidays(person_id(person))
        return current_holiday(found), holiday_left(found, self._cache.clock())

    async def begin(self, person: Who) -> None:
        """Begin a holiday, unless one is on.

        Raises ``Refusal`` if no time is left, or if the person has made no decision since the last holiday.
        """
        who, now = person_id(person), self._cache.clock()
        async with self._cache.store.transaction() as transaction:
            found = await transaction.holidays(who)
            if current_holiday(found) is None:
                if (seconds := holiday_left(found, now)) < MIN_HOLIDAY_S:
                    raise refusal("no_holiday_left")
                decided = await transaction.last_decision(who) or 0.0
                if found and decided < (found[-1].ended or now):
                    raise refusal("holiday_again")
                await transaction.begin_holiday(who, Holiday(now, now + seconds, None))
        await self.settle()

    async def end(self, person: Who) -> None:
        """End a person's holiday, if they are on one."""
        async with self._cache.store.transaction() as transaction:
            await transaction.end_holiday(person_id(person), self._cache.clock())
        await self.settle()

    async def next_end_in(self) -> float | None:
        """Return the seconds until the next holiday ends automatically; ``None``: nobody is on holiday."""
        async with self._cache.store.read() as reader:
            end = await reader.next_holiday_end()
        return None if end is None else max(0.0, end - self._cache.clock())

    async def settle(self) -> None:
        """End holidays that have used up their time, and stop or resume the clocks in all their matches."""
        async with self._cache.store.read() as reader:
            end = await reader.next_holiday_end()
        if end is not None and end <= (now := self._cache.clock()):
            async with self._cache.store.transaction() as transaction:
                await transaction.end_holidays(now)
        async with self._cache.store.read() as reader:
            matches = await reader.unsettled_holidays()
        for match in matches:
            await self._cache.attempt(match, self._settle)

    async def _settle(self, table: LoadedTable) -> None:
        if table.info.status is not Status.RUNNING:
            return
        new, now = await with_holidays(self._cache.store, table), self._cache.clock()
        if new is not table:
            served = now - self._cache.lag(table.info.place.guild_id)
            row = replace(new.row, clocks=next_clocks(table, new, served, None))

            async def mark_stale(transaction: Transaction) -> None:
                # The board shows who is on holiday, but its version stays the same.
                await transaction.mark_stale([table.id])

            jobs = [NewJob(table.id, JobKind.BOARD, due=now)]
            await self._cache.commit(table, replace(new, row=row), jobs=jobs, also=mark_stale)
