"""The question what is to become of a seat whose time is up: posted once, settled once."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks import Clocks, build_clocks
from bot.domain.clocks import HOUR, Pace
from bot.domain.tables import Place, TableInfo
from bot.pages.texts import Texts
from engines.core.contract import Seat
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.ui.limits import told
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, plain, refusal

ENGLISH = Texts()

OVERDUE = "overdue"


class Late:
    """A match of two whose first seat is late, and all that hangs on it."""

    def __init__(self, room: Room, clocks: Clocks, seat: Seat) -> None:
        self.room = room
        self.clocks = clocks
        self.seat = seat

    @property
    def table(self) -> TableInfo:
        return self.room.table

    async def update(self) -> None:
        await self.room.surfaces.overdue.update(self.table.id)

    def questions(self) -> list[int]:
        claim = ENGLISH.house("overdue.claim")
        return [message for message in self.room.notes.messages if claim in self.said(message)]

    def said(self, message: int) -> str:
        return told(self.room.notes.messages[message][1])


@pytest.fixture
async def late(tmp_path: Path) -> AsyncIterator[Late]:
    now = [1_800_000_000.0]
    async with (
        services_on(tmp_path / "bauta.db", clock=lambda: now[0]) as services,
        Inline(paint_with=plain) as painter,
    ):
        room = Room(services, painter)
        opened = await services.lobby.open("volo", {}, None, ANNA, Place(1, CHANNEL), 1, pace=Pace.EVENING)
        room.table = await sit_down(services, opened.id, BEN, 2)
        await room.surfaces.board.update(room.table.id)
        [seat] = (await services.cache.get(room.table.id)).row.asked
        now[0] += HOUR
        clocks = build_clocks(services)
        await clocks.deadlines.judge(room.table.id)
        yield Late(room, clocks, seat)


async def test_whoever_waits_is_asked_once(late: Late) -> None:
    for _ in range(2):
        await late.update()
    [question] = late.questions()
    waiting = late.table.person_at(1 - late.seat)
    assert late.room.notes.mentioned[question] == [waiting]
    assert late.room.notes.messages[question][1].push is not None


async def test_a_question_that_was_posted_and_not_noted_is_found_again(late: Late) -> None:
    late.room.notes.trouble.append(("answer", refusal(500, 500)))
    with pytest.raises(Exception):  # noqa: B017, PT011 - as Discord's answer is lost
        await late.update()
    late.room.restart()
    await late.update()
    assert len(late.questions()) == 1


async def test_an_answer_takes_the_buttons_away(late: Late) -> None:
    await late.update()
    [question] = late.questions()
    waiting = late.table.person_at(1 - late.seat)
    assert waiting is not None
    await late.clocks.absences.wait_longer(late.table.id, waiting, 3)
    await late.update()
    assert late.questions() == []
    assert re.search(r"⌛ \W*(Anna|Ben)\W* gave \W*(Anna|Ben)\W* more time", late.said(question))


async def test_the_next_time_it_is_asked_anew(late: Late) -> None:
    await late.update()
    waiting = late.table.person_at(1 - late.seat)
    assert waiting is not None
    await late.clocks.absences.wait_longer(late.table.id, waiting, 3)
    await late.update()
    await late.update()
    late.room.services.cache.clock = lambda: 1_900_000_000.0
    await late.clocks.deadlines.judge(late.table.id)
    await late.update()
    assert len(late.questions()) == 1
