"""The use cases with a database, as the bot builds them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.matches import Services
from bot.matches.limits import LIMITS, Limits
from bot.matches.table_cache import TableCache
from bot.store import open_store
from engines.core.optional_methods import Level
from tests.kit.prepared import made
from tests.kit.thinking_here import services_over

COMPUTER = (Level.MIDDLE,)
"""The default computer player, by the name used when opening tables; twice for two of them."""


@asynccontextmanager
async def services_on(database: Path, *, limits: Limits = LIMITS, **options: Any) -> AsyncIterator[Services]:
    """Yield the use cases as after a start; ``options`` are for :class:`TableCache`."""
    store = await open_store(made(database))
    try:
        options.setdefault("wake", lambda: None)
        cache = TableCache(store, **options)
        services = services_over(cache, limits=limits)
        await services.outbox.resume()
        yield services
    finally:
        await store.close()
