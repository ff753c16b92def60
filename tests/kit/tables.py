"""Filling and starting tables without Discord: the hash counts as posted, and the host presses Start."""

from __future__ import annotations

from typing import Any

from bot.domain.jobs import Shown
from bot.domain.surfaces import HASH
from bot.domain.tables import Person, RequestId, Status, TableInfo
from bot.matches import Services


async def show_hash(services: Services, table_id: str) -> None:
    """Mark the hash of a table's shuffle as posted."""
    if await services.outbox.shown(table_id, HASH) is None:
        await services.outbox.set_shown(table_id, HASH, Shown(1, 1))


async def start_full(services: Services, info: TableInfo) -> TableInfo:
    """Let the host press Start if the table is full. Raises ``Refusal``."""
    if info.status is not Status.OPEN or not info.full:
        return info
    await show_hash(services, info.id)
    return await services.lobby.start(info.id, info.host, f"start of {info.id}")


async def sit_down(services: Services, table_id: str, person: Person, request: RequestId) -> TableInfo:
    """Join a table, and let its host start it once it is full. Raises ``Refusal``."""
    await show_hash(services, table_id)
    return await start_full(services, await services.lobby.join(table_id, person, request))


async def open_table(services: Services, *args: Any, **options: Any) -> TableInfo:
    """Open a table, and let its host start it if computer players fill it; arguments: ``Lobby.open``."""
    return await start_full(services, await services.lobby.open(*args, **options))
