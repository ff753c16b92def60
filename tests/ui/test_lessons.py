"""The pages of lessons: within Discord's limits, with the controls of a match, and ways on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from bench.lessons import panel_of, practice_of
from bot.app import Bauta
from bot.domain.lessons import Course, practice_id
from bot.pages.custom_ids import Action, AnyId, Button, ButtonId, PanelId, pack, parse
from bot.pages.lessons import course_page, lesson_page
from bot.pages.page import Page, Painting
from bot.pages.panel import PanelPage, typing_modal
from bot.pages.texts import Texts
from engines.core.contract import Words, msg
from engines.core.lessons import Lesson, has_lessons, lessons
from engines.core.registry import games
from renderers.core.contract import Picture
from tests.ui.fakes import FakeAdapter, pressed
from tests.ui.limits import TEXT, check, sent, walk

ENGLISH = Texts()
PICTURE = Picture(b"x", "image/png", 1, 1, "a board")
TAUGHT = [key for key in games() if has_lessons(key)]
EVERY = [pytest.param(lesson, id=f"{key}-{lesson.key}") for key in TAUGHT for lesson in lessons(key)]


def said(page: Page) -> str:
    return "\n".join(item["content"] for item in walk(sent(page)) if item["type"] == TEXT)


def ids(page: Page) -> list[AnyId]:
    found = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    return [place for place in found if place is not None]


def buttons(page: Page) -> list[tuple[Button, int | None]]:
    return [(place.button, place.number) for place in ids(page) if isinstance(place, ButtonId)]


def actions(page: Page) -> set[Action]:
    return {place.action for place in ids(page) if isinstance(place, PanelId)}


def drafts(lesson: Lesson) -> list[Words]:
    """Return the beginnings of a solution, word by word."""
    solution = lesson.solutions[0]
    return [solution[:length] for length in range(len(solution) + 1)]


@pytest.mark.parametrize("lesson", EVERY)
def test_every_panel_of_a_lesson_fits_and_names_no_seat(lesson: Lesson) -> None:
    pages: list[Page] = []
    for draft in drafts(lesson):
        panel = panel_of(lesson, draft)
        pages.append(page := lesson_page(PanelPage(panel, ENGLISH, Painting(PICTURE)), practice_of(lesson)))
        check(sent(page))
        places = [place for place in ids(page) if isinstance(place, PanelId)]
        match = practice_id(lesson.game, lesson.key)
        assert {(place.match, place.revision) for place in places} == {(match, len(draft))}
        assert ENGLISH.game(lesson.game, lesson.aim) in said(page)
        assert (ENGLISH.game(lesson.game, lesson.story) in said(page)) is not bool(panel.draft)
        assert (Action.BACK in actions(page)) is bool(panel.draft)
        modal = typing_modal(panel, ENGLISH).to_dict()
        assert parse(modal["custom_id"]) == PanelId(match, "", len(draft), Action.TYPE)
    assert Action.CONFIRM in actions(pages[-1])


@pytest.mark.parametrize("lesson", EVERY)
def test_a_lesson_that_is_done_leads_on(lesson: Lesson) -> None:
    course, verdict = lessons(lesson.game), lesson.judge(lesson.solutions[0])
    panel = replace(panel_of(lesson), view=verdict.after.view(lesson.seat), menu=None)
    practice = replace(practice_of(lesson), verdict=verdict)
    number = course.index(lesson) + 1
    others = frozenset(each.key for each in course if each != lesson)
    going_on = replace(practice, course=Course(lesson.game, course, frozenset({lesson.key})))
    page = lesson_page(PanelPage(panel, ENGLISH, Painting(PICTURE)), going_on)
    check(sent(page))
    assert ENGLISH.game(lesson.game, lesson.praise) in said(page)
    assert buttons(page) == [(Button.LESSON, number % len(course) + 1), (Button.LEARN, None)]
    assert not actions(page)
    done = replace(practice, course=Course(lesson.game, course, others | {lesson.key}))
    page = lesson_page(PanelPage(panel, ENGLISH, Painting(PICTURE)), done)
    assert buttons(page) == [(Button.FIRST_MATCH, None), (Button.LEARN, None)]


def test_after_a_miss_it_says_that_the_board_is_as_before() -> None:
    lesson = next(each for each in lessons("volo") if each.key == "add")
    low, solved = lesson.judge(("a4",)), lesson.judge(lesson.solutions[0])
    assert not low.reached
    set_back = ENGLISH.house("learn.set_back")
    for verdict, shown in ((low, True), (solved, False), (replace(low, facts=()), False)):
        practice = replace(practice_of(lesson), verdict=verdict)
        page = lesson_page(PanelPage(panel_of(lesson), ENGLISH, Painting(PICTURE)), practice)
        assert (set_back in said(page)) is shown


@pytest.mark.parametrize("key", TAUGHT)
def test_the_list_says_what_is_done_and_what_comes_next(key: str) -> None:
    course = lessons(key)
    first, second, *_ = (each.key for each in course)
    for done, leads in (
        ((), (Button.LESSON, 1)),
        ((first,), (Button.LESSON, 2)),
        ((second,), (Button.LESSON, 1)),
        ([each.key for each in course], (Button.FIRST_MATCH, None)),
    ):
        page = course_page(Course(key, course, frozenset(done)), ENGLISH)
        check(sent(page))
        assert said(page).count("✅") == len(done)
        assert said(page).count("▶️") == (len(done) < len(course))
        # What is chosen in the select is its value.
        assert buttons(page) == [leads, (Button.LESSON, None)]


# --- what is pressed ------------------------------------------------------------------------------


Press = Callable[..., Awaitable[str]]
"""Presses a component, or chooses values there; returns what is said to it."""


@pytest.fixture
def press(house: Bauta, adapter: FakeAdapter) -> Press:
    numbers = count(1)

    async def do(place: AnyId, *values: str) -> str:
        adapter.bodies.clear()
        interaction: Any = pressed(house, next(numbers))
        interaction.data = {"custom_id": pack(place), "component_type": 2, "values": [*values]}
        await house.router.on_interaction(interaction)
        return adapter.said()

    return do


async def test_a_lesson_is_played_by_pressing(press: Press) -> None:
    lesson = next(each for each in lessons("volo") if each.key == "cut")
    story, praise = (ENGLISH.game("volo", each) for each in (lesson.story, lesson.praise))
    assert ENGLISH.game("volo", lesson.title) in await press(ButtonId("volo", Button.LEARN))
    assert story in await press(ButtonId("volo", Button.LESSON), "5")
    assert story in await press(ButtonId("volo", Button.LESSON, 5))
    drafted = ENGLISH.game("volo", msg("prompt.landing", unit="a5"))
    assert drafted in await press(PanelId("volo.cut", "", 0, Action.WORD, "a5"))
    # A press on the panel of before changes nothing, and shows how it stands.
    assert ENGLISH.house("note.stale") in await press(PanelId("volo.cut", "", 0, Action.WORD, "c5"))
    assert ENGLISH.house("no.incomplete") in await press(PanelId("volo.cut", "", 1, Action.CONFIRM))
    await press(PanelId("volo.cut", "", 1, Action.WORD, "W2"))
    await press(PanelId("volo.cut", "", 2, Action.WORD, "a4"))
    assert praise in await press(PanelId("volo.cut", "", 3, Action.CONFIRM))
    assert praise in await press(PanelId("volo.cut", "", 3, Action.CONFIRM))
    assert story in await press(PanelId("volo.cut", "", 4, Action.REFRESH))


async def test_what_does_not_exist_is_refused(press: Press) -> None:
    stale, gone = ENGLISH.house("error.stale"), ENGLISH.house("no.no_lesson")
    for number in (None, 0, 99):
        assert await press(ButtonId("volo", Button.LESSON, number)) == stale
    assert await press(ButtonId("volo", Button.LESSON), "x") == stale
    assert await press(PanelId("volo.nothing", "", 0, Action.BACK)) == gone
    assert await press(PanelId("volo.nothing", "", 0, Action.TYPE)) == gone
    assert await press(ButtonId("nothing", Button.LEARN)) == ENGLISH.house("no.no_lessons")
    assert await press(ButtonId("nothing", Button.FIRST_MATCH)) == ENGLISH.house("error.unknown_game")


async def test_the_first_match_needs_a_server_and_the_answer_says_what_to_type(press: Press) -> None:
    said = await press(ButtonId("volo", Button.FIRST_MATCH))
    assert said == ENGLISH.house("learn.elsewhere", command="/play volo computers:1 level:first")
