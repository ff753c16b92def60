"""A store that takes nothing for a while: it is said, nothing is half done, and play goes on afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.tables import Status
from bot.matches.limits import NO_LIMITS
from bot.store import StoreError
from engines.core.registry import games
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.duel import DUEL
from tests.kit.tables import show_hash

FULL = (
    "PRAGMA max_page_count = 1",
    "PRAGMA max_page_count = 4294967294",
    r"no room left .*\. Free some space\.$",
)
READ_ONLY = ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "cannot be opened for writing")


@pytest.mark.parametrize(("break_it", "mend_it", "said"), [FULL, READ_ONLY], ids=["full", "read-only"])
async def test_nothing_is_half_done(break_it: str, mend_it: str, said: str, tmp_path: Path) -> None:
    room = Room(tmp_path / "house.db", games())
    room.limits = NO_LIMITS
    await room.enter()
    writer = room.writer
    anna, ben, *_ = PEOPLE
    lobby, table = room.services.lobby, None
    opened = [await lobby.open(DUEL, {}, None, anna, PLACE, f"open {number}") for number in range(60)]
    for each in opened:
        await show_hash(room.services, each.id)
        await lobby.join(each.id, ben, f"join {each.id}")
    await writer.run(lambda connection: connection.execute(break_it).fetchall())
    with pytest.raises(StoreError, match=said):  # noqa: PT012 - whichever of them is the first
        for table in opened:  # a few still find room in pages that are not full
            await lobby.start(table.id, anna, f"start {table.id}")
    assert table is not None
    assert (await room.services.queries.table(table.id)).status is Status.OPEN
    assert not await writer.run(lambda connection: connection.in_transaction)
    await writer.run(lambda connection: connection.execute(mend_it).fetchall())
    assert (await lobby.start(table.id, anna, "again")).status is Status.RUNNING
    await room.again()
    assert (await room.services.queries.table(table.id)).status is Status.RUNNING
    await room.store.close()
