"""Outage time, charged to no player: people could not decide, or the machine's clock was set.

Each gateway shard has its own account. During an outage no time passes for the shard, so that it lags behind
real time: deadlines are enforced by the shard's time, and moved once the lag is long enough.
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
from bot.runtime.timekeeping import SteadyClock
from bot.store import Reader, Store, StoreError, Transaction

LOG = logging.getLogger("bauta.clocks")

ALIVE = "clocks.alive"
"""Key in ``house``: the Unix time up to which all shards were served.

Saved at the first start, and by versions without accounts per shard.
"""

SERVED = "clocks.served."
"""Prefix of keys in ``house``: up to when a shard was served, as a Unix time. The shard count and the
shard's id follow."""

LAG = "clocks.lag."
"""Prefix of keys in ``house``, if several processes share it: a shard's lag in seconds when it was saved.

Absent while the shard is out of service. The shard count and the shard's id follow.
"""

SAVE_INTERVAL_S = 10.0
"""Seconds between saves. After a kill, deadlines may move by up to this much more than was lost."""

MIN_OUTAGE_S = 60.0
"""Minimum lag at which deadlines are moved. A shorter one only delays their enforcement."""

MIN_SHOWN_S = 600.0
"""Minimum move at which boards are updated to show new deadlines; shorter ones are a grace period."""

MIN_DRIFT_S = 1.0
"""Minimum change of the machine's clock that is followed."""

RETRY_S = 1.0
"""Seconds between checks during an outage, and between attempts to write."""

MAX_STALL_S = 5.0
"""Seconds that a check may be late before this process, or its machine, counts as stalled."""

MAX_WRITE_S = 3.0
"""Seconds that a save may take before its time counts as an outage: Discord's response timeout."""


_Shard: TypeAlias = tuple[int, int]
"""A shard count, and a shard id."""


class Reach(Protocol):
    """What the clocks need to know about the connection to Discord."""

    def shards(self) -> tuple[Iterable[int], int]:
        """Return this process's shard ids, and the shard count."""
        ...

    def unserved(self) -> Mapping[int, float]:
        """Return the shards whose people cannot decide, and for how many seconds already."""
        ...

    async def answers(self) -> bool:
        """Return whether Discord responds now: if not, no deadline may be enforced."""
        ...


class AlwaysServed:
    """Stands in where there is no Discord: one shard, always in service."""

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
    """Save the time of the very first start, in case the bot dies before its first check."""
    async with store.transaction() as transaction:
        if await transaction.value(ALIVE) is None:
            await transaction.set_value(ALIVE, str(now))


class Outages:
    """Moves deadlines by the length of outages; ``clock`` is the cache's clock."""

    def __init__(self, cache: TableCache, clock: SteadyClock, rest: float = SAVE_INTERVAL_S) -> None:
        self._cache = cache
        self._clock = clock
        self._reach: Reach = AlwaysServed()
        self._rest = rest
        self._count = 1
        self._lags: dict[int, float] = {}
        """By shard: seconds of outage that deadlines have not been moved by yet."""
        self._remote_lags: dict[int, float] = {}
        """The same, of other processes' shards, as last loaded by :meth:`_load_lag`."""
        self._counted: dict[int, float] = {}
        """By shard: the time up to which its lag includes all outages."""
        self._out: frozenset[int] = frozenset()
        """Shards out of service at the last check."""
        self._unwritable_since: float | None = None
        self._noted = float("-inf")
        self._look_by: float | None = None
        """Latest time of the next check, in the event loop's time; ``None``: not resting between checks."""
        self._changed = asyncio.Event()
        self._beginning = asyncio.Lock()
        cache.lag = self.lag_of

    def __repr__(self) -> str:
        return f"<Outages of {sorted(self._lags)} of {self._count}, out: {sorted(self._out)}>"

    @property
    def has_begun(self) -> bool:
        """Return whether the saved times of this process's shards have been loaded."""
        return bool(self._lags)

    def watch(self, reach: Reach) -> None:
        """Charge outages of ``reach`` to no player, from the first step of a match on.

        Clicks may arrive before the first check of :meth:`keep_running`. Without a known outage, their
        decisions would pay for all of it.
        """
        self._reach = reach
        self._cache.before_step = self._begin_once
        self._cache.load_lag = self._load_lag

    async def _begin_once(self) -> None:
        if self.has_begun:
            return
        async with self._beginning:
            if not self.has_begun:
                await self._begin()

    async def _load_lag(self, guild_id: int) -> None:
        """Load the lag of a server whose shard belongs to another process; raises ``StoreError``.

        A direct message reaches the process with shard 0, whatever its match's shard.
        """
        shard = (guild_id >> 22) % self._count
        if shard in self._lags or self._cache.store.sharing is None:
            return
        async with self._cache.store.read() as reader:
            served = await reader.value(_key(SERVED, self._count, shard))
            lag = await reader.value(_key(LAG, self._count, shard))
        now = self._clock()
        behind = 0.0 if served is None else now - float(served)
        # Without an outage, a shard falls behind what was saved only until it is saved again.
        is_served = lag is not None and behind - float(lag) < SAVE_INTERVAL_S + MAX_STALL_S
        self._remote_lags[shard] = float(lag) if lag is not None and is_served else behind

    def served(self) -> list[ServedShards]:
        """Return the shards in service, grouped by lag."""
        if not self.has_begun:
            # Without :meth:`keep_running`, assume that there was no outage.
            return [ServedShards((0,), 1, self._cache.clock())]
        out = self._out | self._unserved().keys()
        shards = [shard for shard in self._lags if shard not in out and not self._has_stalled()]
        lags = {self._lags[shard] for shard in shards}
        return [
            ServedShards(tuple(s for s in shards if self._lags[s] == lag), self._count, self._clock() - lag)
            for lag in sorted(lags)
        ]

    def until(self, guild_id: int) -> float | None:
        """Return the time up to which a server's deadlines have expired; ``None``: it is out of service."""
        for served in self.served():
            if (guild_id >> 22) % served.count in served.ids:
                return served.until
        return None

    def lag_of(self, guild_id: int) -> float:
        """Return the seconds of outage that a server's clocks have not been moved by yet."""
        shard, now = (guild_id >> 22) % self._count, self._clock()
        if shard not in self._lags:
            return self._remote_lags.get(shard, 0.0)
        out = self._unserved().get(shard)
        begun = now if out is None else max(now - out, self._counted.get(shard, now))
        return self._lags[shard] + max(0.0, now - begun)

    async def answers(self) -> bool:
        """Return whether Discord responds."""
        return await self._reach.answers()

    def wake(self) -> None:
        """Check now: an outage has begun or ended."""
        self._changed.set()

    def check_database(self) -> None:
        """Try to write now: another write has failed."""
        self._noted = float("-inf")
        self.wake()

    # --- checking -------------------------------------------------------------------------------------

    async def keep_running(self) -> None:
        """Check for outages until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            try:
                await self.look()
            except Exception:
                LOG.exception("outages: check failed")
            rest = RETRY_S if self._out or self._unwritable_since is not None else self._rest
            rested_at, now = loop.time(), self._clock()
            self._look_by = rested_at + rest + MAX_STALL_S
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self._changed.wait()
            if self._has_stalled():
                LOG.warning("outages: process stalled for %.0f s", loop.time() - rested_at)
                self._count_lost(self._lags, now, self._clock())
            self._look_by = None

    def _has_stalled(self) -> bool:
        return self._look_by is not None and asyncio.get_running_loop().time() > self._look_by

    async def look(self) -> None:
        """Add up outages, move deadlines by finished ones, and save up to when each shard was served."""
        loop = asyncio.get_running_loop()
        begun, drift, now, was_out = loop.time(), self._clock.drift(), self._clock(), self._out
        self._count_out(now)
        try:
            if not self.has_begun or self._unwritable_since is not None:
                async with self._beginning:
                    await self._begin()
                await self._note(0.0)
        except StoreError as error:
            self._could_not_write(error, now)
            return
        if self._unwritable_since is not None:
            LOG.info("outages: database writable again")
            self._count_lost(self._lags, self._unwritable_since, self._clock())
            self._unwritable_since = None
        self._count_out(self._clock())
        # Other processes must know at once.
        changed = self._out != was_out and self._cache.store.sharing is not None
        try:
            if due := self._due(drift):
                await self._make_up(due, drift)
            elif self._clock() - self._noted >= SAVE_INTERVAL_S or abs(drift) >= MIN_DRIFT_S or changed:
                await self._note(drift)
        except StoreError as error:
            self._could_not_write(error, now)
        if (took := loop.time() - begun) > MAX_WRITE_S:
            self._count_lost(self._lags, self._clock() - took, self._clock())

    def _could_not_write(self, error: StoreError, since: float) -> None:
        if self._unwritable_since is None:
            LOG.error("outages: database not writable: %s", error)
            self._unwritable_since = since

    def _unserved(self) -> dict[int, float]:
        """Return the shards out of service, and for how long."""
        found = dict(self._reach.unserved())
        if self._unwritable_since is not None:
            for shard in self._lags:
                found[shard] = max(found.get(shard, 0.0), self._clock() - self._unwritable_since)
        return found

    def _count_out(self, now: float) -> None:
        """Add outages up to ``now`` to the lags."""
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
        """Add a time span to the lags, without counting overlapping outages twice."""
        for shard in shards:
            self._lags[shard] += max(0.0, ended - max(begun, self._counted[shard]))
            self._counted[shard] = max(ended, self._counted[shard])

    def _due(self, drift: float) -> dict[float, list[int]]:
        """Return the seconds to move deadlines by now, with the shards for each."""
        due: dict[float, list[int]] = {}
        for shard, lag in self._lags.items():
            # Follow a changed machine clock at once, but compensate an outage only after its end.
            is_now = abs(drift) >= MIN_OUTAGE_S or shard not in self._out
            if is_now and abs(lag + drift) >= MIN_OUTAGE_S:
                due.setdefault(lag + drift, []).append(shard)
        return due

    # --- in the database ------------------------------------------------------------------------------

    async def _begin(self) -> None:
        """Load up to when our shards were served.

        Also after a failed write, which may have been committed, so that no outage is compensated twice.
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
        # A shard without an entry was served as long as the latest one: older versions had one for all.
        latest = max(notes.values(), default=now if alive is None else float(alive))
        lags = {shard: now - notes.get((self._count, shard), latest) for shard in ids}
        self._lags = {shard: min(lag, before.get(shard, lag)) for shard, lag in lags.items()}
        self._counted = dict.fromkeys(self._lags, now)
        self._noted = float("-inf")

    async def _convert(self, notes: Mapping[_Shard, float]) -> None:
        """Move deadlines by the outages saved for another shard count, and save entries for the new count."""
        now, counts = self._clock(), {count for count, _ in notes}
        async with self._cache.exclusive(), self._cache.store.transaction() as transaction:
            if await transaction.value(_key(SERVED, *min(notes))) is None:
                return  # done by another process
            for count in counts:
                due: dict[float, list[int]] = {}
                for (each, shard), at in notes.items():
                    if each == count and abs(now - at) >= MIN_OUTAGE_S:
                        due.setdefault(now - at, []).append(shard)
                await self._move(transaction, due, count, now)
            for count, shard in notes:
                await transaction.drop_value(_key(SERVED, count, shard))
                await transaction.drop_value(_key(LAG, count, shard))
            await self._save(transaction, dict.fromkeys(range(self._count), 0.0), now)
        LOG.info("outages: shard count changed to %d from %s", self._count, counts)

    async def _make_up(self, due: Mapping[float, Sequence[int]], drift: float) -> None:
        """Move the deadlines of shards by seconds, and follow a machine clock that changed by ``drift``.

        Everything else that counts from a moment continues during an outage, and is moved by a clock change.
        """
        async with self._cache.exclusive():
            moved = {shard: seconds for seconds, shards in due.items() for shard in shards}
            lags = {shard: lag + drift - moved.get(shard, 0.0) for shard, lag in self._lags.items()}
            now = self._clock() + drift
            async with self._cache.store.transaction() as transaction:
                if abs(drift) >= MIN_DRIFT_S:
                    await self._move_others(transaction, drift)
                await self._move(transaction, due, self._count, now)
                await self._save(transaction, lags, now)
            self._follow(drift, lags)
        for seconds, shards in due.items():
            LOG.info("outages: deadlines of shards %s moved by %.0f s", sorted(shards), seconds)
        self._cache.wake()

    async def _move(
        self, transaction: Transaction, due: Mapping[float, Sequence[int]], count: int, now: float
    ) -> None:
        """Move deadlines; boards with visibly new ones become due at ``now``."""
        for seconds, shards in due.items():
            await transaction.shift_clocks(seconds, count, shards)
            if abs(seconds) < MIN_SHOWN_S:
                continue
            async with self._cache.store.read() as reader:
                tables = await reader.by_deadline(count, shards)
            await transaction.mark_stale(tables)
            await transaction.enqueue(NewJob(table, JobKind.BOARD, due=now) for table in tables)

    async def _move_others(self, transaction: Transaction, drift: float) -> None:
        if 0 in self._lags:
            # The process that writes to people: once, although others may notice the change too.
            await transaction.shift_people(drift)
        await transaction.shift_jobs(drift, self._clock(), self._count, self._lags)

    async def _note(self, drift: float) -> None:
        """Save up to when each of our shards was served, and follow a small clock change."""
        now = self._clock()
        async with self._cache.store.transaction() as transaction:
            await self._save(transaction, self._lags, now)
        self._follow(drift, {shard: lag + drift for shard, lag in self._lags.items()})

    async def _save(self, transaction: Transaction, lags: Mapping[int, float], now: float) -> None:
        for shard, lag in lags.items():
            await transaction.set_value(_key(SERVED, self._count, shard), str(now - lag))
            if self._cache.store.sharing is not None and shard not in self._out:
                await transaction.set_value(_key(LAG, self._count, shard), str(lag))
            elif self._cache.store.sharing is not None:
                await transaction.drop_value(_key(LAG, self._count, shard))

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


def _key(prefix: str, count: int, shard: int) -> str:
    return f"{prefix}{count}.{shard}"
