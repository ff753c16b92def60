"""The clocks under many matches: ``python -m bench.deadlines --matches 10000``.

Prints what the loop takes of a core while nothing is due, how long a restart takes to know all deadlines, and
two waves: a thousand reminders and a thousand deadlines that fall due at once, while people press. What they
feel of it is how late the event loop is, and how long their panels take meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

from bot.clocks import Clocks, build_clocks
from bot.domain.clocks import Pace
from bot.domain.tables import Person, Place
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store
from tests.kit.tables import sit_down
from tests.kit.thinking_here import services_over

WAVE = 1_000
"""Matches whose deadlines fall due together."""

AT_ONCE = 40
WATCHED = 30.0
"""Seconds for which the loop is watched."""

TICK = 0.01


@asynccontextmanager
async def house(path: Path) -> AsyncIterator[tuple[Services, Clocks]]:
    """Open the use cases over a database."""
    store = await open_store(path)
    services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
    try:
        yield services, build_clocks(services)
    finally:
        await store.close()


async def fill(services: Services, matches: int) -> list[tuple[str, Person]]:
    """Begin matches of two; the first ones are live. Return each with one of its people."""
    gate, found = asyncio.Semaphore(AT_ONCE), list[tuple[str, Person]]()

    async def begin(number: int) -> None:
        async with gate:
            host, guest = Person(10**9 + 2 * number, "A"), Person(10**9 + 2 * number + 1, "B")
            pace = Pace.LIVE if number < WAVE else Pace.SLOW
            info = await services.lobby.open("volo", {}, None, host, Place(1, 2), f"o{number}", pace=pace)
            await sit_down(services, info.id, guest, f"j{number}")
            found.append((info.id, host))

    await asyncio.gather(*(begin(number) for number in range(matches)))
    return found


def make_due(path: Path, column: str, paces: str) -> None:
    """Let a thousand deadlines or reminders be due now."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            f"UPDATE chair SET {column} = ? WHERE {column} IS NOT NULL AND match IN"
            " (SELECT id FROM match WHERE pace = ? ORDER BY id LIMIT ?)",
            (time.time() - 1, paces, WAVE),
        )
        connection.commit()


async def press(services: Services, people: Sequence[tuple[str, Person]], late: list[float]) -> None:
    """Open a panel again and again, and note how long each takes."""
    number = 0
    while True:
        match, person = people[number % len(people)]
        number += 1
        begun = time.perf_counter()
        await services.drafts.panel(match, person)
        late.append(time.perf_counter() - begun)
        await asyncio.sleep(TICK)


async def tick(late: list[float]) -> None:
    """Note how late the event loop is."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append(time.perf_counter() - begun - TICK)


async def wave(what: str, services: Services, clocks: Clocks, people: Sequence[tuple[str, Person]]) -> None:
    """Work off what is due while people press, and print how it went."""
    lags, panels = list[float](), list[float]()
    tasks = [asyncio.create_task(tick(lags)), asyncio.create_task(press(services, people, panels))]
    begun = time.perf_counter()
    await clocks.loop.look()
    took = time.perf_counter() - begun
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    print(
        f"{what}: {took:.1f} s; the loop is late by {_spread(lags)}, panels take {_spread(panels)}",
        flush=True,
    )


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds) or [0.0]
    return (
        f"{ordered[len(ordered) // 2] * 1e3:.0f} ms (median), "
        f"{ordered[int(len(ordered) * 0.99)] * 1e3:.0f} ms (p99), {ordered[-1] * 1e3:.0f} ms (most)"
    )


async def measure(matches: int, path: Path) -> None:
    """Print all figures."""
    async with house(path) as (services, _):
        people = await fill(services, matches)
    async with house(path) as (services, clocks):
        begun = time.perf_counter()
        await services.outbox.resume()
        lists = time.perf_counter() - begun
        begun = time.perf_counter()
        await clocks.loop.look()
        seen = time.perf_counter() - begun
        print(f"restart: {lists:.2f} s for the lists of matches, {seen:.3f} s for the clocks", flush=True)
        work, begun = time.process_time(), time.perf_counter()
        await clocks.outages.look()
        task = asyncio.create_task(clocks.loop.keep_running())
        await asyncio.sleep(WATCHED)
        task.cancel()
        share = (time.process_time() - work) / (time.perf_counter() - begun)
        looks = time.process_time()
        for _ in range(100):
            await clocks.loop.look()
        a_look = (time.process_time() - looks) / 100
        print(f"the loop: {share:.2%} of a core, {a_look * 1e3:.1f} ms a look", flush=True)
        make_due(path, "remind_at", Pace.SLOW.value)
        await wave(f"{WAVE} reminders", services, clocks, people[-50:])
        make_due(path, "deadline", Pace.LIVE.value)
        services.cache.forget_all()
        await wave(f"{WAVE} deadlines", services, clocks, people[-50:])
        late = await clocks.deadlines.past()
        print(f"left: {len(late)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(chosen.matches, Path(folder) / "house.db"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
