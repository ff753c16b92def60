"""What all handlers share: the use cases, the easel, and what the players must be told of troubles."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from bot.interactions.latest import Latest
from bot.matches.services import Services
from bot.pages.pictures import Pictures
from bot.pages.problems import Problem

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Context:
    """One bot on Discord: everything that its handlers need."""

    services: Services
    easel: Pictures
    latest: Latest = field(default_factory=Latest)
    troubles: dict[str, Problem] = field(default_factory=dict, repr=False)
    """By match: what the bot cannot do, such as a permission that it lacks; told on the next click."""
    look_after: Callable[[str], None] = lambda _: None
    """Bring a match's public messages in line now: somebody looks for them, or trouble may be mended."""
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set, repr=False)

    def spawn(self, work: Coroutine[Any, Any, Any], what: str) -> None:
        """Let ``work`` run on its own; if it fails, one record in the log says so."""
        task = asyncio.create_task(work, name=what)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s failed", task.get_name(), exc_info=error)

    async def close(self) -> None:
        """Stop what runs on its own."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
