"""What a seat notes down for itself changes its own view, and nothing else that the house shows or keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.replay_file import parsed, replayed
from bot.domain.tables import TableInfo
from tests.bot.conftest import Room, click
from tests.kit.vault.install import installed


async def note(room: Room, info: TableInfo, seat: int, number: int = 1) -> str:
    """Let a seat note one of its cards down; return it."""
    card = (await room.hand(info, seat))[number]
    await room.say(info, seat, f"note {card}")
    return card


async def everything(room: Room, info: TableInfo, but: int) -> list[object]:
    """Return what everybody but one seat can look at."""
    queries, seats = room.services.queries, [s for s in range(info.setup.seats) if s != but]
    found: list[object] = [await queries.board(info.id), await queries.log(info.id, None)]
    for seat in seats:
        person = room.person(info, seat)
        found += [await room.panel(info, seat), await queries.log(info.id, person)]
        found.append(await queries.matches(person))
    return found


async def jobs(room: Room) -> list[object]:
    async with room.store.read() as reader:
        return list(await reader.next_jobs(99, room.clock()))


@pytest.mark.parametrize("pledges", ["secret", "open"])
async def test_a_note_asks_for_nothing_and_shows_nobody_anything(room: Room, pledges: str) -> None:
    info = await room.begin(seats=3, options={"pledges": pledges})
    await room.lay(info, 0)
    room.now += 60
    before, due, woken = await everything(room, info, 1), await jobs(room), room.woken
    row = (await room.services.cache.get(info.id)).row
    await note(room, info, 1)
    assert await everything(room, info, 1) == before
    assert (await jobs(room), room.woken) == (due, woken)
    assert (await room.services.cache.get(info.id)).row == row


async def test_a_note_asks_for_no_computer_player(room: Room) -> None:
    info = await room.begin_alone(seats=3)
    due, woken = await jobs(room), room.woken
    await note(room, info, next(c.seat for c in info.chairs if c.person is not None) or 0)
    assert (await jobs(room), room.woken) == (due, woken)


async def test_a_note_leaves_its_own_panel_as_it_was(room: Room) -> None:
    """The decision stays, what the last act told stays in front, and so does the draft of the turn."""
    info = await room.begin()
    await room.say(info, 0, "peek")
    await room.lay(info, 1)
    drafted = await room.draft(info, 0, "lay")
    person = room.person(info, 0)
    await room.services.actions.offer_draw(info.id, person, room.request)
    before = await room.panel(info, 0)
    text = f"note {before.view.own.hand[2]}"
    aside = await room.services.drafts.type_in(info.id, person, text, click(before))
    await room.services.actions.confirm(click(aside), person, room.request)
    for again in (False, True):
        if again:
            room = await room.again()
        after = await room.panel(info, 0)
        assert after.view.own.notes == (before.view.own.hand[2],)
        assert (after.decision, after.draft, after.menu) == (before.decision, drafted.draft, before.menu)
        assert (after.learned, after.told) == (before.learned, before.told)
        assert before.learned
        assert after.draw_offers == before.draw_offers == (0,)


async def test_a_note_can_be_confirmed_once(room: Room) -> None:
    info = await room.begin()
    panel = await room.draft(info, 0, "note", (await room.hand(info, 0))[1])
    request = room.request
    person = room.person(info, 0)
    first = await room.services.actions.confirm(click(panel), person, request)
    again = await room.services.actions.confirm(click(panel), person, request)
    assert (first.repeated, again.repeated) == (False, True)
    assert first.told == ()
    assert (await room.services.actions.confirm(click(panel), person, room.request)).repeated
    assert len(await room.log_rows(info.id)) == 1


async def test_a_replay_file_holds_no_notes_and_replays_alike(room: Room) -> None:
    info = await room.begin()
    for seat in (0, 1):
        await note(room, info, seat)
        await room.lay(info, seat)
        await note(room, info, 1 - seat, 2)
    kept = await note(room, info, 0, 1)
    await room.lay_all(info)
    rows = await room.log_rows(info.id)
    file: Any = await room.services.queries.replay_file(info.id)
    sentences = [row["sentence"] for row in file["log"]]
    assert [words.split()[0] for words in sentences] == ["lay"] * 4
    assert [row.digest for row in rows if row.words[0] == "lay"] == [row["digest"] for row in file["log"]]
    with installed():
        moments = replayed(parsed(json.dumps(file).encode()))
    live = (await room.services.cache.get(info.id)).require_log().match
    assert moments[-1].digest() == live.digest()
    assert moments[-1].view(None) == live.view(None)
    own = live.view(0).own
    assert kept in own.notes, "its seat keeps it after the end"
    assert replace(own, notes=()) in live.view(None).all_own
