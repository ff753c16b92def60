"""The bot's pulse: a small file beside the database that says, every few seconds, how it is.

It is written by the loop that answers people, after the database has answered too. So a fresh pulse means
that both work, and whoever asks (:mod:`bot.cli.health`) needs no port, no token and no database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.background import alongside
from bot.store import Store, StoreError

log = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two beats."""

SIZE_LIMIT = 4_096


@dataclass(frozen=True, slots=True)
class Beat:
    """How the bot was at one moment; all times are Unix times."""

    at: float
    pid: int
    online: bool
    """Whether it is connected to Discord."""
    since: float
    """Since when that is so."""
    overdue: float
    """Seconds that the oldest job of the outbox has been due."""
    conditions: Mapping[str, str] = field(default_factory=dict)
    """What lasts and the operator should know: see :class:`bot.conditions.Conditions`."""


def read_beat(path: Path) -> Beat | None:
    """Return the last beat; ``None`` where no bot runs. Raises ``ValueError`` for a file that is no pulse."""
    try:
        with path.open("rb") as file:
            found: Any = json.loads(file.read(SIZE_LIMIT))
        return Beat(
            float(found["at"]),
            int(found["pid"]),
            bool(found["online"]),
            float(found["since"]),
            float(found["overdue"]),
            {str(name): str(text) for name, text in found.get("conditions", {}).items()},
        )
    except FileNotFoundError:
        return None
    except (OSError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(type(error).__name__) from None


class Heartbeat:
    """Beats into a file. ``online`` says whether Discord is connected, ``conditions`` what else is so."""

    def __init__(
        self,
        path: Path,
        store: Store,
        online: Callable[[], bool],
        *,
        conditions: Callable[[], Mapping[str, str]] = dict,
        clock: Callable[[], float] = time.time,
        every: float = EVERY,
    ) -> None:
        self._path = path
        self._store = store
        self._online = online
        self._conditions = conditions
        self._clock = clock
        self._every = every
        self._state = False
        self._since = clock()
        self._failing = False

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Beat within the block; a bot that stops in good order leaves no pulse behind."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        await self.beat()
        try:
            async with alongside(self._beat_on(), "the pulse"):
                yield
        finally:
            with suppress(OSError):
                self._path.unlink()

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            await self.beat()

    async def beat(self) -> None:
        """Write how the bot is; nothing where the database does not answer or the disk is full."""
        try:
            async with self._store.read() as reader:
                due = await reader.next_due()
            self._write(due)
        except (StoreError, OSError) as error:
            # Once, and not at every beat: a full disk lasts.
            if not self._failing:
                log.warning("the pulse cannot be written (%s)", type(error).__name__)
            self._failing = True
        else:
            self._failing = False

    def _write(self, due: float | None) -> None:
        now, online = self._clock(), self._online()
        if online is not self._state:
            self._state, self._since = online, now
        overdue = max(0.0, now - due) if due is not None else 0.0
        beat = Beat(now, os.getpid(), online, self._since, overdue, self._conditions())
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps(asdict(beat)), "utf-8")
        # Renamed into place: whoever reads it never sees half a beat.
        fresh.replace(self._path)
