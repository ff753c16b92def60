"""A newer version migrates the schema while an older one serves: both go on at the same database."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.address import PostgresqlAddress
from bot.store import StoreError, open_store
from bot.store.postgresql import preparing
from tests.bot.conftest import ALL_GAMES, Room
from tests.kit.postgresql import Cluster

NEXT = """
ALTER TABLE match ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
ALTER TABLE chair ADD COLUMN hat BIGINT;
CREATE INDEX match_mood ON match (mood);
"""


async def test_an_older_process_goes_on_across_a_migration(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = cluster.house()
    old = await Room(address, ALL_GAMES).enter()
    try:
        info = await old.begin()
        # Often enough that the server has its statements prepared.
        for _ in range(8):
            await old.panel(info, 0)
        await migrated(address, monkeypatch)
        await old.lay(info, 0)
        assert len(await old.log_rows(info.id)) == 1
        await old.begin()
    finally:
        await old.store.close()
    # Started anew, it would not know what it serves.
    with pytest.raises(StoreError, match="newer version"):
        await open_store(address)


async def migrated(address: PostgresqlAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring a database up to date as a version would that has one migration more."""
    scripts = preparing.migrations()
    with monkeypatch.context() as patch:
        patch.setattr(preparing, "migrations", lambda: scripts | {max(scripts) + 1: NEXT})
        await asyncio.to_thread(preparing.prepare, address)
