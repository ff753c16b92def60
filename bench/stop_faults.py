"""Stopping while something hangs: ``python -m bench.stop_faults``, at most 8 seconds each, exit code 0.

The whole bot, in a process of its own, serves a sandbox. People press buttons while the database is locked
or frozen, painters are halted, or Discord does not answer; then the bot gets SIGTERM. Measured: how long the
stop takes, and the exit code. The exit status is 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from bench.matches import descendants, verdict
from bench.stops import HANGS, LONGEST
from bot.domain.address import PostgresqlAddress
from tests.e2e.stage import Stage
from tests.kit.postgresql import Cluster, cluster

GAME = "volo"

PRESSING_S = 4.0
"""Seconds for which people press before the stop."""

PRESS_INTERVAL_S = 0.7
"""Seconds between two presses."""


@contextmanager
def _locked_file(stage: Stage, _: Cluster | None) -> Iterator[None]:
    with closing(sqlite3.connect(stage.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _locked_tables(stage: Stage, server: Cluster | None) -> Iterator[None]:
    import psycopg  # noqa: PLC0415 - it need not be installed to measure SQLite

    assert server is not None
    assert isinstance(stage.address, PostgresqlAddress)
    with closing(psycopg.connect(stage.address.url)) as other:
        other.execute("LOCK TABLE house, match, person IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def _frozen_server(_: Stage, server: Cluster | None) -> Iterator[None]:
    assert server is not None
    server.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.signal(signal.SIGCONT)


@contextmanager
def _killed_server(_: Stage, server: Cluster | None) -> Iterator[None]:
    assert server is not None
    server.kill()
    yield


@contextmanager
def _halted_painters(stage: Stage, _: Cluster | None) -> Iterator[None]:
    for pid in descendants(stage.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGSTOP)
    yield


@contextmanager
def _silent_discord(stage: Stage, _: Cluster | None) -> Iterator[None]:
    stage.sandbox.fault(".*", 10_000, slow=HANGS)
    yield


Fault: TypeAlias = "Callable[[Stage, Cluster | None], AbstractContextManager[None]]"

FAULTS: dict[str, tuple[Fault, bool]] = {
    "SQLite locked by another program": (_locked_file, False),
    "painters halted": (_halted_painters, False),
    "Discord's API silent": (_silent_discord, False),
    "PostgreSQL's tables locked": (_locked_tables, True),
    "PostgreSQL frozen": (_frozen_server, True),
    "PostgreSQL killed": (_killed_server, True),
}
"""What hangs, and whether it takes a server."""


async def press(stage: Stage, thread: str) -> None:
    """Let both people use commands until cancelled."""

    async def once(work: Coroutine[Any, Any, object]) -> None:
        # Whether it is answered is not what is measured.
        with contextlib.suppress(Exception):
            await work

    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(once(stage.alba.window.command(thread, "settings", dms="on")))
            group.create_task(once(stage.bruno.window.command(thread, "turn")))
            await asyncio.sleep(PRESS_INTERVAL_S)


async def stop_once(fault: Fault, server: Cluster | None, folder: Path) -> tuple[float, int]:
    """Stop a bot while something hangs; return the seconds that it took, and the exit code."""
    address = None if server is None else server.house()
    async with Stage(folder, address=address, limit_windows=1.0) as stage:
        thread = await stage.begin(GAME)
        with fault(stage, server):
            pressing = asyncio.create_task(press(stage, thread))
            await asyncio.sleep(PRESSING_S)
            begun = time.monotonic()
            code = await stage.stop_bot()
            took = time.monotonic() - begun
            pressing.cancel()
            await asyncio.gather(pressing, return_exceptions=True)
    return took, code


def measure(name: str) -> bool:
    """Stop a bot during one fault; return whether that was in order."""
    fault, takes_server = FAULTS[name]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(cluster()) if takes_server else None
        took, code = asyncio.run(stop_once(fault, server, Path(folder)))
    kept = verdict(name, took, LONGEST, "s")
    return verdict(f"{name}: exit code", code, 0, "") and kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.stop_faults", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--fault", choices=FAULTS, action="append", help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    kept = [measure(name) for name in options.fault or FAULTS]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
