"""A store that takes nothing for a while: it is said, nothing is half done, and play goes on afterwards."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from bot.domain.tables import Status
from bot.matches.limits import NO_LIMITS
from bot.store import StoreError
from engines.core.registry import games
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.duel import DUEL
from tests.kit.tables import show_hash, sit_down

FULL = ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 4294967294", "no room left")
READ_ONLY = ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "cannot be opened for writing")


@pytest.mark.parametrize(("break_it", "mend_it", "said"), [FULL, READ_ONLY], ids=["full", "read-only"])
async def test_nothing_is_half_done(break_it: str, mend_it: str, said: str, tmp_path: Path) -> None:
    room = Room(tmp_path / "house.db", games())
    room.limits = NO_LIMITS
    await room.enter()
    writer = room.writer
    anna, ben, *_ = PEOPLE
    table = await room.services.lobby.open(DUEL, {}, None, anna, PLACE, 1)
    await show_hash(room.services, table.id)
    await writer.run(lambda connection: connection.execute(break_it).fetchall())
    with contextlib.suppress(StoreError):
        for number in range(100):  # a few still find room in pages that are not full
            await room.services.lobby.open(DUEL, {}, None, anna, PLACE, 100 + number)
        pytest.fail("there always was room")
    with contextlib.suppress(StoreError):
        for number in range(10_000):  # and so do smaller ones
            await room.services.settings.set_value(f"filler {number}", "x" * 50)
        pytest.fail("there always was room")
    with pytest.raises(StoreError, match=said):
        await sit_down(room.services, table.id, ben, 2)
    assert (await room.services.queries.table(table.id)).status is Status.OPEN
    assert not await writer.run(lambda connection: connection.in_transaction)
    await writer.run(lambda connection: connection.execute(mend_it).fetchall())
    assert (await sit_down(room.services, table.id, ben, 2)).status is Status.RUNNING
    await room.again()
    assert (await room.services.queries.table(table.id)).status is Status.RUNNING
    await room.store.close()
