"""What a thread is told after a restore: that draws come again only where anything is drawn or hidden."""

from __future__ import annotations

import pytest

from bot.domain.jobs import Job, JobKind
from bot.domain.tables import Place, Status
from bot.pages.texts import Texts
from engines.core.registry import games
from tests.duel import DUEL
from tests.kit.tables import sit_down
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room

KNOWN, SEED = Texts().house("restored.known"), Texts().house("restored.seed")


def told(room: Room) -> str:
    """Return what the thread's newest notice says."""
    pages = [page for _, page in room.notes.messages.values()]
    texts = ["\n".join(item.get("content", "") for item in walk(sent(page))) for page in pages]
    [notice] = [text for text in texts if Texts().house("restored.told") in text]
    return notice


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("resigned", [False, True])
async def test_draws_are_told_of_where_there_are_some(room: Room, key: str, resigned: bool) -> None:
    opened = await room.services.lobby.open(key, {}, 2, ANNA, Place(1, CHANNEL), 11)
    room.table = await sit_down(room.services, opened.id, BEN, 12)
    if resigned:
        await room.services.actions.resign(room.table.id, BEN, 13)
    while jobs := await room.services.outbox.next_jobs(20):
        for job in jobs:
            await room.do(job)
    await room.do(Job(room.table.id, JobKind.SET_BACK, "", revision=1, tries=0))
    ended = (await room.services.queries.table(room.table.id)).status is Status.OVER
    is_told = not games()[key].manifest.combinatorial
    assert (KNOWN in told(room)) is is_told
    assert (SEED in told(room)) is (is_told and ended)


def test_one_game_has_nothing_to_draw() -> None:
    assert [game.manifest.key for game in games().values() if game.manifest.combinatorial] == [DUEL]
