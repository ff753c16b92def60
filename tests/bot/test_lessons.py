"""Lessons: a draft in each, judged by the engine; what was done is kept, and deleted with the rest."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from bot.domain.lessons import Practice, practice_id
from bot.domain.match import Click, Panel
from bot.domain.tables import Person
from engines.core.lessons import has_lessons, lessons
from engines.core.registry import games
from tests.bot.conftest import PEOPLE, Room, refused

ANNA, BEN = PEOPLE[:2]
TAUGHT = [key for key in games() if has_lessons(key)]
GAME = "volo"


def click(panel: Panel) -> Click:
    return Click(panel.table.id, panel.revision)


async def panel_of(room: Room, key: str, person: Person = ANNA, game: str = GAME) -> Panel:
    return await room.services.drafts.panel(practice_id(game, key), person)


async def typed(room: Room, panel: Panel, text: str) -> Panel:
    return await room.services.drafts.type_in(panel.table.id, ANNA, text, click(panel))


async def said(room: Room, key: str, text: str) -> tuple[Panel, Practice]:
    """Type a sentence in a lesson and confirm it."""
    panel = await panel_of(room, key)
    if panel.draft:
        panel = await room.services.drafts.clear(click(panel), ANNA)
    panel = await typed(room, panel, text)
    assert panel.refusal is None
    return await room.services.lessons.confirm(click(panel), ANNA)


@pytest.mark.parametrize("key", TAUGHT)
async def test_all_lessons_of_a_game_are_done_one_after_the_other(room: Room, key: str) -> None:
    service = room.services.lessons
    for lesson in lessons(key):
        assert (await service.course(key, ANNA)).next_after(None) == lesson
        panel = await panel_of(room, lesson.key, game=key)
        panel = await typed(room, panel, lesson.start.game.write(lesson.solutions[0]))
        panel, practice = await service.confirm(click(panel), ANNA)
        assert practice.reached
        assert panel.menu is None
        # It can be done again, from its beginning.
        again = await panel_of(room, lesson.key, game=key)
        assert (again.draft, again.view) == ((), lesson.start.view(lesson.seat))
    course = await service.course(key, ANNA)
    assert course.finished
    assert course.next_after(None) is None
    assert not (await service.course(key, BEN)).done


async def test_a_turn_that_misses_the_aim_is_answered_and_the_position_stands(room: Room) -> None:
    before = await panel_of(room, "cut")
    panel, practice = await said(room, "cut", "a5-W2/a2")
    assert practice.verdict is not None
    assert practice.verdict.word.key == "lesson.cut.lost"
    assert [fact.kind for fact in practice.verdict.facts] == ["flew", "kept", "gone", "won"]
    assert (panel.view, panel.draft, panel.menu) == (before.view, (), before.menu)
    assert not (await room.services.lessons.course(GAME, ANNA)).done
    # What was once done stays so.
    assert (await said(room, "cut", "a5-W2/a4"))[1].reached
    assert not (await said(room, "cut", "a5-W2/a2"))[1].reached
    assert (await room.services.lessons.course(GAME, ANNA)).done == {"cut"}


@pytest.mark.parametrize(
    ("key", "text", "kept"),
    [
        ("gift", "show comune favro 5", ("show", "comune", "favro", "5")),
        ("pair", "mark yellow comune X", ()),
    ],
)
async def test_a_form_keeps_what_was_chosen_but_a_note_is_made_anew(
    room: Room, key: str, text: str, kept: tuple[str, ...]
) -> None:
    panel = await typed(room, await panel_of(room, key, game="doge"), text)
    panel, practice = await room.services.lessons.confirm(click(panel), ANNA)
    assert not practice.reached
    assert panel.draft == kept


async def test_a_draft_is_built_and_taken_back_as_in_a_match(room: Room) -> None:
    service = room.services.drafts
    panel = await service.choose(click(await panel_of(room, "cut")), ANNA, "a5")
    panel = await service.choose(click(panel), ANNA, "NE5")
    assert panel.menu is not None
    assert panel.menu.closing
    panel = await service.choose_instead(click(panel), ANNA, "NE6")
    assert panel.draft == ("a5", "NE6")
    panel = await service.back(click(panel), ANNA)
    assert panel.draft == ("a5",)
    panel = await typed(room, panel, "a5-E9")
    assert panel.refusal is not None
    assert panel.draft == ("a5",)
    room = await room.again()
    kept = await panel_of(room, "cut")
    assert (kept.draft, kept.revision) == (("a5",), panel.revision)
    assert (await panel_of(room, "cut", BEN)).draft == ()
    assert (await room.services.drafts.clear(click(kept), ANNA)).draft == ()


async def test_a_click_on_an_outdated_panel_shows_how_it_stands(room: Room) -> None:
    service = room.services.drafts
    old = await panel_of(room, "cut")
    new = await service.choose(click(old), ANNA, "a5")
    for stale in (
        await service.choose(click(old), ANNA, "c5"),
        (await room.services.lessons.confirm(click(old), ANNA))[0],
        await service.choose(click(new), ANNA, "nowhere"),
    ):
        assert [note.key for note in stale.notes] == ["note.stale"]
        assert stale.draft == ("a5",)


async def test_two_presses_of_confirm_are_answered_alike(room: Room) -> None:
    service = room.services.lessons
    panel = await typed(room, await panel_of(room, "cut"), "a5-W2/a4")
    first, second = await asyncio.gather(*(service.confirm(click(panel), ANNA) for _ in range(2)))
    assert first == second
    assert first[1].reached


async def test_what_is_no_turn_is_not_judged(room: Room) -> None:
    service = room.services.lessons
    panel = await panel_of(room, "cut")
    await refused("empty_draft", service.confirm(click(panel), ANNA))
    panel = await room.services.drafts.choose(click(panel), ANNA, "a5")
    await refused("incomplete", service.confirm(click(panel), ANNA))
    await refused("no_lesson", panel_of(room, "nothing"))
    await refused("no_lessons", service.course("nothing", ANNA))


async def test_the_modal_is_filled_from_memory(room: Room) -> None:
    service = room.services.drafts
    panel = await service.choose(click(await panel_of(room, "cut")), ANNA, "a5")
    peeked = service.peek_panel(click(panel), ANNA)
    assert peeked is not None
    assert peeked.draft == ("a5",)
    assert peeked.example
    # After a restart it is there all the same.
    room = await room.again()
    peeked = room.services.drafts.peek_panel(click(panel), ANNA)
    assert peeked is not None
    assert (peeked.draft, peeked.revision) == ((), panel.revision)


async def test_a_draft_of_an_earlier_version_is_cut_to_what_can_be_said(room: Room) -> None:
    panel = await room.services.drafts.choose(click(await panel_of(room, "cut")), ANNA, "a5")
    await room.store.close()
    with closing(sqlite3.connect(room.path)) as connection:
        connection.execute("UPDATE lesson SET words = ?", (json.dumps(["a5", "E9"]),))
        connection.commit()
    await room.enter()
    assert (await panel_of(room, "cut")).draft == ("a5",)
    assert (await room.services.drafts.choose(click(panel), ANNA, "NE5")).draft == ("a5", "NE5")


async def test_a_row_that_cannot_be_read_is_a_lesson_that_was_not_begun(room: Room) -> None:
    await said(room, "cut", "a5-W2/a4")
    await said(room, "fly", "b7-W3")
    await room.store.close()
    with closing(sqlite3.connect(room.path)) as connection:
        connection.execute("UPDATE lesson SET words = '{' WHERE lesson = 'cut'")
        connection.commit()
    await room.enter()
    assert (await room.services.lessons.course(GAME, ANNA)).done == {"fly"}
    assert (await said(room, "cut", "a5-W2/a4"))[1].reached
    assert (await room.services.lessons.course(GAME, ANNA)).done == {"fly", "cut"}


async def test_lessons_are_exported_and_deleted(room: Room) -> None:
    await said(room, "cut", "a5-W2/a4")
    panel = await panel_of(room, "fly")
    await room.services.drafts.choose(click(panel), ANNA, "b7")
    data = (await room.services.privacy.export(ANNA))["lessons"]
    assert data == [
        {"game": GAME, "lesson": "cut", "words": [], "earlier": [], "done": 1},
        {"game": GAME, "lesson": "fly", "words": ["b7"], "earlier": [[]], "done": 0},
    ]
    assert (await room.services.privacy.export(BEN))["lessons"] == []
    await room.services.privacy.delete(ANNA)
    assert (await room.services.privacy.export(ANNA))["lessons"] == []
    assert not (await room.services.lessons.course(GAME, ANNA)).done


async def test_a_lesson_is_the_same_whatever_matches_there_are(room: Room) -> None:
    alone = await panel_of(room, "cut")
    info = await room.begin(GAME)
    await room.draft(info, 0, (await room.sentence(info, 0))[0])
    assert await panel_of(room, "cut") == alone
    assert replace(await panel_of(room, "cut", BEN), table=alone.table) == alone
