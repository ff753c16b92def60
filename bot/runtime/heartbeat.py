"""The bot's pulse: a small file beside the database with its health, rewritten every few seconds.

Before each beat the event loop commits a value and reads it back. So a fresh pulse reports what was tested,
not what is assumed, and :mod:`bot.cli.health` needs no port, no token and no database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.runtime.background import alongside
from bot.store import Store, StoreError
from bot.store.finishing import finished
from bot.store.open_files import ADVICE, difference

log = logging.getLogger(__name__)

INTERVAL_S = 5.0
"""Seconds between two beats."""

PROBE_TIMEOUT_S = 5.0
"""Seconds after which a beat reports that the database has not responded yet."""

MAX_AGE_S = 20.0
"""Age at which a pulse is stale: the bot hangs, is gone, or has no disk space to write it."""

MAX_BYTES = 4_096

MAX_PROBLEM = 500
"""Characters of a problem: a path may be long."""

MAX_CONDITION = 300
"""Characters of one condition, at most."""

KEY = "pulse:"
"""Prefix of the stored value that each beat changes; the name of the pulse's file follows."""


class Conditions:
    """Lasting problems that the operator should know of, by name, one sentence each.

    They name no person and hold no secret.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Conditions {', '.join(self._texts)}>"

    def note(self, name: str, text: str) -> None:
        """Set the condition ``name``, in place of its former text."""
        self._texts[name] = text[:MAX_CONDITION]

    def clear(self, name: str) -> None:
        """Remove the condition ``name``, if it is set."""
        self._texts.pop(name, None)

    def present(self) -> dict[str, str]:
        """Return the present conditions by name."""
        return dict(self._texts)


@dataclass(frozen=True, slots=True)
class Beat:
    """How the bot was at one moment; all times are Unix times."""

    at: float
    pid: int
    online: bool
    """Whether it is connected to Discord."""
    since: float
    """When ``online`` last changed."""
    overdue: float
    """Seconds that the oldest job of the outbox has been due."""
    conditions: Mapping[str, str] = field(default_factory=dict)
    """Lasting problems that the operator should know of: see :class:`Conditions`."""
    problem: str = ""
    """Why the database cannot be written or read; empty: both have just worked."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The SQLite files that are open: see :class:`bot.store.open_files.OpenFiles`."""

    def is_fresh(self, now: float) -> bool:
        """Return whether the bot is alive. A beat from the future proves nothing: the clock was set back."""
        return abs(now - self.at) <= MAX_AGE_S


def read_beat(path: Path) -> Beat | None:
    """Return the last beat; ``None`` if no bot runs. Raises ``ValueError`` for a file that is no pulse."""
    try:
        with path.open("rb") as file:
            found: Any = json.loads(file.read(MAX_BYTES))
        return Beat(
            float(found["at"]),
            int(found["pid"]),
            bool(found["online"]),
            float(found["since"]),
            float(found["overdue"]),
            _texts(found.get("conditions", {})),
            str(found.get("problem", "")),
            _texts(found.get("files", {})),
        )
    except FileNotFoundError:
        return None
    except (OSError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(type(error).__name__) from None


def _texts(found: Any) -> dict[str, str]:
    return {str(name): str(text) for name, text in found.items()}


def replaced_files(beat: Beat, database: object) -> str:
    """Describe a database file that is not the one its bot has open; empty: none is known."""
    if not isinstance(database, Path):
        return ""
    try:
        return difference(database.resolve(), beat.files)
    except StoreError as error:
        return str(error)


def check_same_files(pulse: Path, database: Path) -> None:
    """Raise :class:`StoreError` if a running bot has other files open than those at a database's path."""
    with suppress(ValueError):
        beat = read_beat(pulse)
        if beat is not None and beat.is_fresh(time.time()) and (found := replaced_files(beat, database)):
            raise StoreError(f"{found}\n{ADVICE}")


class Heartbeat:
    """Writes beats to a file. ``online``: whether Discord is connected; ``conditions``: lasting problems."""

    def __init__(
        self,
        path: Path,
        store: Store,
        online: Callable[[], bool],
        *,
        conditions: Callable[[], Mapping[str, str]] = dict,
        clock: Callable[[], float] = time.time,
        interval: float = INTERVAL_S,
        probe_timeout: float = PROBE_TIMEOUT_S,
    ) -> None:
        self._path = path
        self._store = store
        self._online = online
        self._conditions = conditions
        self._clock = clock
        self._interval = interval
        self._probe_timeout = probe_timeout
        self._probe: asyncio.Task[float | None] | None = None
        self._probe_began = 0.0
        """When the pending probe began, by the loop's clock."""
        self._due: float | None = None
        """When the oldest job of the outbox is due, as last known."""
        self._state = False
        self._since = clock()
        self._problem = ""
        """What was last logged."""

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Beat within the block; a clean shutdown leaves no pulse behind."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may be the cache
        await self.beat()
        try:
            async with alongside(self._beat_on(), "the pulse"):
                yield
        finally:
            if self._probe is not None:
                self._probe.cancel()
            with suppress(OSError):
                self._path.unlink()

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            await self.beat()

    async def beat(self) -> None:
        """Probe the database and write the bot's health; on a full disk the old pulse stays, and ages."""
        problem = await self._find_problem()
        beat = self._beat(problem)
        try:
            # In a thread: if the disk hangs, people are still answered from memory.
            await finished(asyncio.to_thread(self._write, beat))
        except OSError as error:
            problem = problem or f"the pulse cannot be written ({error.strerror})"
        if problem and not self._problem:
            # Once, not at every beat: a full disk lasts.
            log.warning("unhealthy: %s", problem)
        elif self._problem and not problem:
            log.info("healthy again")
        self._problem = problem

    async def _find_problem(self) -> str:
        """Return why the database cannot be written or read; empty: both worked."""
        loop = asyncio.get_running_loop()
        if self._probe is None:
            self._probe, self._probe_began = asyncio.create_task(self._try()), loop.time()
        # Not cancelled: the database finishes what it has begun, and the next beat checks it again.
        await asyncio.wait({self._probe}, timeout=self._probe_timeout)
        if not self._probe.done():
            return f"its database has not answered for {loop.time() - self._probe_began:.0f} s"
        probe, self._probe = self._probe, None
        try:
            self._due = probe.result()
        except StoreError as error:
            return str(error).partition("\n")[0][:MAX_PROBLEM]
        return ""

    async def _try(self) -> float | None:
        """Commit a value, read it back, and return when the oldest job is due."""
        key, mark = f"{KEY}{self._path.name}", secrets.token_hex(4)
        async with self._store.transaction() as transaction:
            await transaction.set_value(key, mark)
        async with self._store.read() as reader:
            if await reader.value(key) != mark:
                raise StoreError("what was committed a moment ago is not in its database")
            return await reader.next_due()

    def _beat(self, problem: str) -> Beat:
        now, online = self._clock(), self._online()
        if online is not self._state:
            self._state, self._since = online, now
        overdue = max(0.0, now - self._due) if self._due is not None else 0.0
        return Beat(
            now,
            os.getpid(),
            online,
            self._since,
            overdue,
            self._conditions(),
            problem,
            self._store.files,
        )

    def _write(self, beat: Beat) -> None:
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps(asdict(beat)), "utf-8")
        # Renamed into place: no reader sees half a beat.
        fresh.replace(self._path)
