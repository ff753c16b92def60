"""A direct message that has lost its buttons stays without them, whichever process answers a click in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.domain.jobs import STALE_MARK
from bot.domain.match import Panel
from bot.domain.tables import Person
from bot.interactions.context import Context
from bot.interactions.panel import draw_panel
from bot.matches.outbox import MAX_ANSWER_AGE_S
from bot.pages.page import Page
from bot.pages.panel import PanelPage
from bot.pages.texts import Texts
from bot.runtime.background import BackgroundTasks
from bot.store import StoreError
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, Room, entered, refusal

MESSAGE = 77
TAKEN = "taken"
GIVEN_BACK = "given back"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as found:
        await found.begin()
        yield found


class Answer:
    """The answer to a click in a message; while one is on its way, another process does something."""

    def __init__(self, room: Room, meanwhile: list[str], *, lasting: bool) -> None:
        self.person = ANNA
        self.target = MESSAGE
        self.edits_lasting_message = lasting
        self.shown: list[bool] = []
        """Whether each page that was shown had buttons."""
        self._outbox = room.services.outbox
        self._meanwhile = meanwhile

    async def show(self, shown: Page) -> None:
        self.shown.append(bool(revisions(shown)))
        match self._meanwhile.pop(0) if self._meanwhile else "":
            case "taken":
                await self._outbox.retire(MESSAGE)
            case "given back":
                await self._outbox.reinstate(MESSAGE)


def revisions(shown: Page) -> set[str]:
    """Return the custom ids of a page's components."""
    return {item["custom_id"] for item in walk(sent(shown)) if "custom_id" in item}


async def draw(room: Room, answer: Answer) -> None:
    clocks: Any = None
    reply: Any = answer
    context = Context(room.services, clocks, room.pictures, BackgroundTasks(), {}, lambda _: None)
    panel = await room.services.drafts.panel(room.table.id, ANNA)
    await draw_panel(context, reply, PanelPage(panel, Texts()))


@pytest.mark.parametrize(
    ("meanwhile", "shown"),
    [
        ([], [True]),
        ([TAKEN], [True, False]),
        ([TAKEN, GIVEN_BACK], [True, False, True]),
        ([TAKEN, GIVEN_BACK, TAKEN], [True, False, True, False]),
    ],
)
async def test_the_answer_to_a_click_agrees_with_what_was_noted_meanwhile(
    room: Room, meanwhile: list[str], shown: list[bool]
) -> None:
    answer = Answer(room, meanwhile, lasting=True)
    await draw(room, answer)
    assert answer.shown == shown


async def test_a_private_answer_keeps_its_buttons(room: Room) -> None:
    answer = Answer(room, [TAKEN], lasting=False)
    await draw(room, answer)
    assert answer.shown == [True]


async def test_a_click_that_is_answered_stays_so_where_the_notes_cannot_be_read(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_: int) -> bool:
        raise StoreError("The database cannot be reached.")

    monkeypatch.setattr(room.services.outbox, "is_retired", away)
    answer = Answer(room, [], lasting=True)
    await draw(room, answer)
    assert answer.shown == [True]


async def test_it_is_noted_before_the_buttons_go(room: Room) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    message = (await room.shown(f"dm:{seat}")).message_id
    assert not await room.services.outbox.is_retired(message)
    await room.say(1)
    room.notes.trouble.append(("strip", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.direct_messages.retire(match)
    assert await room.services.outbox.is_retired(message)


async def test_notes_go_once_no_click_can_be_answered_any_more(room: Room) -> None:
    outbox, clock = room.services.outbox, room.services.cache.clock
    await outbox.retire(1)
    room.services.cache.clock = lambda: clock() + MAX_ANSWER_AGE_S - 60
    await outbox.retire(2)
    assert await outbox.is_retired(1)
    room.services.cache.clock = lambda: clock() + MAX_ANSWER_AGE_S + 60
    await outbox.retire(3)
    assert [await outbox.is_retired(message) for message in (1, 2, 3)] == [False, True, True]


async def test_what_another_process_has_drafted_meanwhile_is_laid_out(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    message = (await room.shown(f"dm:{seat}")).message_id
    await room.services.outbox.mark_stale([match])
    edit = room.notes.edit
    drafted: list[tuple[Panel, Person]] = []

    async def after_a_click(channel: int, message_id: int, laid_out: Page) -> bool:
        if not drafted:
            drafted.append(await room.draft(1))
        return await edit(channel, message_id, laid_out)

    monkeypatch.setattr(room.notes, "edit", after_a_click)
    assert (await room.shown(f"dm:{seat}")).digest.startswith(STALE_MARK)
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    [(panel, _)] = drafted
    _, laid_out = room.notes.messages[message]
    assert revisions(laid_out)
    assert all(f":{panel.revision}:" in custom_id for custom_id in revisions(laid_out)), revisions(laid_out)
