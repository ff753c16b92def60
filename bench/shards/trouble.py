"""What goes wrong meanwhile: processes that are killed, a database that is restarted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle

from bench.databases import ask
from bench.shards.house import House
from bench.shards.people import Witnesses
from bot.domain.shards import Shards
from tests.e2e.sharded import ShardedStage
from tests.kit.postgresql import Cluster

DOWN = 15.0
"""Seconds after which a process that was killed is started again."""

AWAY = 2.0
"""Seconds for which the database is away."""

AFTER = 5.0
"""Seconds after which nothing of it should be felt any more."""

MOMENT = 10.0
"""Seconds for which a process is looked at until it has a board to show, and is killed then."""

COMMITTED = 0.02
"""Seconds from an acknowledged Confirm until its sentence is committed, and its board is not shown yet."""

BOARDS = "SELECT match FROM job WHERE kind IN ('board', 'end') AND due <= ?"


@dataclass(frozen=True, slots=True)
class Kill:
    """A process that was killed: on the monotonic clock, when, and when another was started in its place."""

    part: Shards | None
    at: float
    started: float
    connected: float
    matches: frozenset[str]
    """Those of its servers."""
    open: int
    """Boards that it had to show."""


@dataclass(slots=True)
class Trouble:
    """What has gone wrong so far."""

    kills: list[Kill] = field(default_factory=list)
    restarts: list[tuple[float, float]] = field(default_factory=list)
    """From when until when the database was away."""

    def quiet(self, at: float) -> bool:
        """Return whether nothing was wrong at a moment, nor just before."""
        spans = [(kill.at, kill.connected) for kill in self.kills] + self.restarts
        return not any(begun <= at <= ended + AFTER for begun, ended in spans)


async def kill_each(
    stage: ShardedStage,
    house: House,
    people: Witnesses,
    moments: Sequence[float],
    look: Callable[[], None],
    trouble: Trouble,
) -> None:
    """Kill a process at each of these moments, all in turn; it is started again a while later."""
    begun = time.monotonic()
    for moment, part in zip(moments, cycle(stage.parts), strict=False):
        await asyncio.sleep(max(0.0, begun + moment - time.monotonic()))
        shards = stage.ids(part)
        guilds = house.guilds.items()
        matches = frozenset(match for match, guild in guilds if (guild >> 22) % stage.count in shards)
        left = await _with_a_board_to_show(stage, part, people, matches)
        look()
        at = time.monotonic()
        await stage.kill(part)
        await asyncio.sleep(DOWN)
        started = time.monotonic()
        stage.start(part)
        await stage.connected(part)
        trouble.kills.append(Kill(part, at, started, time.monotonic(), matches, left))


async def _with_a_board_to_show(
    stage: ShardedStage, part: Shards | None, people: Witnesses, matches: frozenset[str]
) -> int:
    """Freeze a process when it has boards to show, or else after a while; return how many these are."""
    end = time.monotonic() + MOMENT
    while time.monotonic() < end:
        with suppress(TimeoutError):
            async with asyncio.timeout(end - time.monotonic()):
                await people.confirmed_in(matches)
        await asyncio.sleep(COMMITTED)
        stage.freeze(part)
        try:
            rows = await asyncio.to_thread(ask, stage.address, BOARDS, time.time())
        except ConnectionError:
            rows = []
        left = sum(match in matches for (match,) in rows)
        if left:
            return left
        stage.thaw(part)
    return 0


async def restart_database(cluster: Cluster, moments: Sequence[float], trouble: Trouble) -> None:
    """Restart the database at each of these moments: stopped in order, and as in a power cut, in turn."""
    begun = time.monotonic()
    for moment, how in zip(moments, cycle(("fast", "immediate")), strict=False):
        await asyncio.sleep(max(0.0, begun + moment - time.monotonic()))
        at = time.monotonic()
        await asyncio.to_thread(cluster.stop, how)
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(cluster.start)
        trouble.restarts.append((at, time.monotonic()))
