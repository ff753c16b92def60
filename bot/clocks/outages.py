"""Time that is nobody's: while people could not decide, or the machine's clock was set.

One account of it for each shard of Discord's gateway. What has not been served lags behind as time does not
pass in it: deadlines are judged by the time that was served, and moved once the lag is worth it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, TypeAlias

from bot.domain.jobs import JobKind, NewJob
from bot.domain.shards import ServedShards
from bot.matches.table_cache import TableCache
from bot.store import Reader, Store, StoreError, Transaction
from bot.timekeeping import SteadyClock

LOG = logging.getLogger("bauta.clocks")

ALIVE = "clocks.alive"
"""What versions before shards had accounts noted, for all of them: a Unix time."""

SERVED = "clocks.served."
"""The beginning of the bot's own values that say up to when a shard was served: Unix times. The count of the
shards follows, and the shard's number."""

SAVE_INTERVAL_S = 10.0
"""Seconds between two notes. A kill may make up for so much more than was lost."""

MIN_OUTAGE_S = 60.0
"""Seconds of lag from which on deadlines are moved. Until then they are only judged later by it."""

MIN_SHOWN_S = 600.0
"""Seconds from which on boards are edited to show their new deadlines; less is grace in judging."""

MIN_DRIFT_S = 1.0
"""Seconds by which a machine's clock was set, from which on it is followed."""

RETRY_S = 1.0
"""Seconds between two looks during an outage, and between two tries to write."""

MAX_STALL_S = 5.0
"""Seconds that a look may be late before this process, or its machine, counts as having stood still."""

MAX_WRITE_S = 3.0
"""Seconds that a note may take before the database counts as not writable meanwhile: Discord's patience."""


_Shard: TypeAlias = tuple[int, int]
"""How many shards there are, and the number of one."""


class Reach(Protocol):
    """What the clocks are told of the world outside."""

    def shards(self) -> tuple[Iterable[int], int]:
        """Return the shards that this process serves, and how many there are."""
        ...

    def unserved(self) -> Mapping[int, float]:
        """Return the shards whose people cannot decide, and the seconds for which that has been so."""
        ...

    async def answers(self) -> bool:
        """Return whether Discord answers just now: if not, nobody may be judged."""
        ...


class AlwaysServed:
    """Of a house without Discord: one shard, in service."""

    def shards(self) -> tuple[Iterable[int], int]:
        """Return one shard of one."""
        return (0,), 1

    def unserved(self) -> Mapping[int, float]:
        """Return nothing."""
        return {}

    async def answers(self) -> bool:
        """Return ``True``."""
        return True


async def note_first_start(store: Store, now: float) -> None:
    """Note that the bot is there, if it never was: it may die before it has looked at any clock."""
    async with store.transaction() as transaction:
        if await transaction.value(ALIVE) is None:
            await transaction.set_value(ALIVE, str(now))


class Outages:
    """Moves deadlines by the time in which nobody could decide; ``clock`` is the cache's own."""

    def __init__(self, cache: TableCache, clock: SteadyClock, rest: float = SAVE_INTERVAL_S) -> None:
        self._cache = cache
        self._clock = clock
        self._reach: Reach = AlwaysServed()
        self._rest = rest
        self._count = 1
        self._lags: dict[int, float] = {}
        """By shard: seconds that were not served and that deadlines were not moved by."""
        self._counted: dict[int, float] = {}
        """By shard: up to which time its lag has what was not served."""
        self._out: frozenset[int] = frozenset()
        """The shards that were not served when last looked."""
        self._unwritable_since: float | None = None
        self._noted = float("-inf")
        self._look_by: float | None = None
        """When the next look is due at the latest, by the loop's time; ``None``: nobody looks regularly."""
        self._changed = asyncio.Event()
        cache.lag = self.lag_of

    def __repr__(self) -> str:
        return f"<Outages of {sorted(self._lags)} of {self._count}, out: {sorted(self._out)}>"

    @property
    def has_begun(self) -> bool:
        """Return whether it is known how long this process's shards were not served before."""
        return bool(self._lags)

    def served(self) -> list[ServedShards]:
        """Return the shards that are in service: those with the same lag together."""
        if not self.has_begun:
            # A house without a loop: nothing is known to be lost.
            return [ServedShards((0,), 1, self._cache.clock())]
        out = self._out | self._unserved().keys()
        shards = [shard for shard in self._lags if shard not in out and not self._has_stalled()]
        lags = {self._lags[shard] for shard in shards}
        return [
            ServedShards(tuple(s for s in shards if self._lags[s] == lag), self._count, self._clock() - lag)
            for lag in sorted(lags)
        ]

    def until(self, guild_id: int) -> float | None:
        """Return up to which time a server's deadlines are past; ``None``: it is not in service."""
        for served in self.served():
            if (guild_id >> 22) % served.count in served.ids:
                return served.until
        return None

    def lag_of(self, guild_id: int) -> float:
        """Return the seconds that were not served of a server's and that its clocks were not moved by."""
        shard, now = (guild_id >> 22) % self._count, self._clock()
        out = self._unserved().get(shard)
        begun = now if out is None else max(now - out, self._counted.get(shard, now))
        return self._lags.get(shard, 0.0) + max(0.0, now - begun)

    async def answers(self) -> bool:
        """Return whether Discord answers."""
        return await self._reach.answers()

    def wake(self) -> None:
        """Look now: an outage has begun or ended."""
        self._changed.set()

    def check_database(self) -> None:
        """Try to write now: something else could not."""
        self._noted = float("-inf")
        self.wake()

    # --- looking --------------------------------------------------------------------------------------

    async def keep_running(self, reach: Reach) -> None:
        """Keep the accounts until cancelled."""
        self._reach = reach
        loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            try:
                await self.look()
            except Exception:
                LOG.exception("outages: a look failed")
            rest = RETRY_S if self._out or self._unwritable_since is not None else self._rest
            rested_at, now = loop.time(), self._clock()
            self._look_by = rested_at + rest + MAX_STALL_S
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self._changed.wait()
            if self._has_stalled():
                LOG.warning("outages: this process stood still for %.0f s", loop.time() - rested_at)
                self._count_lost(self._lags, now, self._clock())
            self._look_by = None

    def _has_stalled(self) -> bool:
        return self._look_by is not None and asyncio.get_running_loop().time() > self._look_by

    async def look(self) -> None:
        """Count what is lost, make up for it once it is over, and note up to when all was served."""
        loop = asyncio.get_running_loop()
        begun, drift, now = loop.time(), self._clock.drift(), self._clock()
        self._count_out(now)
        try:
            if not self.has_begun or self._unwritable_since is not None:
                await self._begin()
                await self._note(0.0)
        except StoreError as error:
            self._could_not_write(error, now)
            return
        if self._unwritable_since is not None:
            LOG.info("outages: the database is writable again")
            self._count_lost(self._lags, self._unwritable_since, self._clock())
            self._unwritable_since = None
        self._count_out(self._clock())
        try:
            if due := self._due(drift):
                await self._make_up(due, drift)
            elif self._clock() - self._noted >= SAVE_INTERVAL_S or abs(drift) >= MIN_DRIFT_S:
                await self._note(drift)
        except StoreError as error:
            self._could_not_write(error, now)
        if (took := loop.time() - begun) > MAX_WRITE_S:
            self._count_lost(self._lags, self._clock() - took, self._clock())

    def _could_not_write(self, error: StoreError, since: float) -> None:
        if self._unwritable_since is None:
            LOG.error("outages: the database cannot be written: %s", error)
            self._unwritable_since = since

    def _unserved(self) -> dict[int, float]:
        """Return the shards that are not served, and for how long."""
        found = dict(self._reach.unserved())
        if self._unwritable_since is not None:
            for shard in self._lags:
                found[shard] = max(found.get(shard, 0.0), self._clock() - self._unwritable_since)
        return found

    def _count_out(self, now: float) -> None:
        """Add to the lags what was not served up to now."""
        unserved = self._unserved()
        for shard in self._lags:
            if shard in unserved:
                self._count_lost([shard], now - unserved[shard], now)
            elif shard in self._out:
                self._count_lost([shard], self._counted[shard], now)
        out = frozenset(unserved) & frozenset(self._lags)
        for shard in sorted(out ^ self._out):
            how = "is out of service" if shard in out else "is in service again"
            LOG.info("outages: shard %d %s, lag %.0f s", shard, how, self._lags[shard])
        self._out = out

    def _count_lost(self, shards: Iterable[int], begun: float, ended: float) -> None:
        """Count a span of time as lost, and none of it twice: outages overlap."""
        for shard in shards:
            self._lags[shard] += max(0.0, ended - max(begun, self._counted[shard]))
            self._counted[shard] = max(ended, self._counted[shard])

    def _due(self, drift: float) -> dict[float, list[int]]:
        """Return by how much deadlines are to be moved now, and on which shards."""
        due: dict[float, list[int]] = {}
        for shard, lag in self._lags.items():
            # A clock that was set is followed at once; an outage is made up for once it is over.
            is_now = abs(drift) >= MIN_OUTAGE_S or shard not in self._out
            if is_now and abs(lag + drift) >= MIN_OUTAGE_S:
                due.setdefault(lag + drift, []).append(shard)
        return due

    # --- in the database ------------------------------------------------------------------------------

    async def _begin(self) -> None:
        """Read up to when our shards were served.

        After a failure, too: what was to be written may have been committed, and is not made up for twice.
        """
        ids, self._count = self._reach.shards()
        async with self._cache.store.read() as reader:
            notes = await _notes(reader)
            alive = await reader.value(ALIVE)
        if any(count != self._count for count, _ in notes):
            await self._convert(notes)
            async with self._cache.store.read() as reader:
                notes = await _notes(reader)
        now, before = self._clock(), self._lags
        # A shard that was never noted was served for as long as any: versions before had one note for all.
        latest = max(notes.values(), default=now if alive is None else float(alive))
        lags = {shard: now - notes.get((self._count, shard), latest) for shard in ids}
        self._lags = {shard: min(lag, before.get(shard, lag)) for shard, lag in lags.items()}
        self._counted = dict.fromkeys(self._lags, now)
        self._noted = float("-inf")

    async def _convert(self, notes: Mapping[_Shard, float]) -> None:
        """Make up for all outages by the notes of another count of shards, and note all of the new count."""
        now, counts = self._clock(), {count for count, _ in notes}
        async with self._cache.alone(), self._cache.store.transaction() as transaction:
            if await transaction.value(_key(*min(notes))) is None:
                return  # another process was faster
            for count in counts:
                due: dict[float, list[int]] = {}
                for (each, shard), at in notes.items():
                    if each == count and abs(now - at) >= MIN_OUTAGE_S:
                        due.setdefault(now - at, []).append(shard)
                await self._move(transaction, due, count, now)
            for count, shard in notes:
                await transaction.drop_value(_key(count, shard))
            await _save(transaction, self._count, dict.fromkeys(range(self._count), now))
        LOG.info("outages: %d shards now, instead of %s", self._count, counts)

    async def _make_up(self, due: Mapping[float, Sequence[int]], drift: float) -> None:
        """Move the deadlines of some shards by seconds, and follow a clock that was set by ``drift``.

        Holidays pass during an outage, but not because a clock is set.
        """
        async with self._cache.alone():
            moved = {shard: seconds for seconds, shards in due.items() for shard in shards}
            lags = {shard: lag + drift - moved.get(shard, 0.0) for shard, lag in self._lags.items()}
            now = self._clock() + drift
            async with self._cache.store.transaction() as transaction:
                await self._move(transaction, due, self._count, now)
                await transaction.shift_holidays(drift)
                await _save(transaction, self._count, {shard: now - lag for shard, lag in lags.items()})
            self._follow(drift, lags)
        for seconds, shards in due.items():
            LOG.info("outages: deadlines of shards %s moved by %.0f s", sorted(shards), seconds)
        self._cache.wake()

    async def _move(
        self, transaction: Transaction, due: Mapping[float, Sequence[int]], count: int, now: float
    ) -> None:
        """Move deadlines; ``now``: when the boards are due that show the new ones."""
        for seconds, shards in due.items():
            await transaction.shift_clocks(seconds, count, shards)
            if abs(seconds) < MIN_SHOWN_S:
                continue
            async with self._cache.store.read() as reader:
                tables = await reader.by_deadline(count, shards)
            await transaction.doubt(tables)
            await transaction.enqueue(NewJob(table, JobKind.BOARD, due=now) for table in tables)

    async def _note(self, drift: float) -> None:
        """Note up to when each of our shards was served, and follow a clock that was set by little."""
        now = self._clock()
        async with self._cache.store.transaction() as transaction:
            await _save(transaction, self._count, {shard: now - lag for shard, lag in self._lags.items()})
        self._follow(drift, {shard: lag + drift for shard, lag in self._lags.items()})

    def _follow(self, drift: float, lags: dict[int, float]) -> None:
        self._clock.follow(drift)
        self._lags = lags
        self._counted = {shard: at + drift for shard, at in self._counted.items()}
        if self._unwritable_since is not None:
            self._unwritable_since += drift
        self._noted = self._clock()


async def _notes(reader: Reader) -> dict[_Shard, float]:
    found: dict[_Shard, float] = {}
    for key, value in await reader.values_like(SERVED):
        count, _, shard = key.removeprefix(SERVED).partition(".")
        found[int(count), int(shard)] = float(value)
    return found


def _key(count: int, shard: int) -> str:
    return f"{SERVED}{count}.{shard}"


async def _save(transaction: Transaction, count: int, served: Mapping[int, float]) -> None:
    for shard, at in served.items():
        await transaction.set_value(_key(count, shard), str(at))
