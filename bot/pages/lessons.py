"""Lessons: a game's list of lessons, and a lesson's panel, laid out like a match's."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import ActionRow, Button, Select

from bot.domain.lessons import Course, Practice
from bot.pages.controls import NO_FOCUS, OPTIONS, Controls, Focus
from bot.pages.custom_ids import Button as HouseButton
from bot.pages.custom_ids import ButtonId, pack
from bot.pages.page import (
    COMPONENT_LIMIT,
    OPTION,
    PLACEHOLDER,
    TEXT_LIMIT,
    Block,
    Page,
    button,
    gallery,
    page,
    rows,
    text,
)
from bot.pages.panel import STEM, PanelPage, asked, id_of, warnings
from bot.pages.texts import GameTexts, TableTexts, Texts, shorten, title_of
from engines.core.lessons import Lesson

DONE, NEXT, TO_COME = "✅", "▶️", "▫️"
"""The sign before each lesson in the list."""

LEADING = discord.ButtonStyle.primary


def course_page(course: Course, texts: Texts) -> Page:
    """Return the list of a game's lessons with the reader's progress, and a button for the next one."""
    following = course.next_after(None)
    lines = [f"{_sign(course, each, following)} {_named(course, each, texts)}" for each in course.lessons]
    title = text(f"## {texts.house('learn.title', game=title_of(course.game))}", _how_far(course, texts))
    return page([title, text(*lines), *rows(_ways_on(course, texts)), _again(course, texts)])


def lesson_page(shown: PanelPage, practice: Practice) -> Page:
    """Return the message of a practice match's panel, with what its lesson says."""
    panel, texts, course = shown.panel, shown.texts, practice.course
    game_texts = TableTexts(texts, panel.table)
    body = text(
        f"### {_heading(practice, texts, game_texts)}",
        *_verdict(practice, texts, game_texts),
        shown.notice,
        *warnings(panel, texts, game_texts),
        *_task(shown, practice, game_texts),
        shown.painting.fenced(TEXT_LIMIT // 2),
        *(() if practice.reached else asked(panel, texts, game_texts)),
    )
    uploads = shown.painting.uploads(STEM)
    blocks: list[Block] = [*map(gallery, uploads), body]
    if practice.reached:
        return page([*blocks, *rows(_ways_on(course, texts, practice.lesson))], uploads)
    doors = [_door(course, texts)]
    controls = Controls(panel, texts, game_texts, id_of(panel), shown.focus, shown.drawing, doors=doors)
    # The container itself counts as a component too.
    return page([*blocks, *controls.blocks(COMPONENT_LIMIT - 1 - len(blocks))], uploads)


def _named(course: Course, lesson: Lesson, texts: Texts) -> str:
    return f"{course.number(lesson)} · {texts.game(course.game, lesson.title)}"


def _sign(course: Course, lesson: Lesson, following: Lesson | None) -> str:
    if lesson.key in course.done:
        return DONE
    return NEXT if lesson == following else TO_COME


def _how_far(course: Course, texts: Texts) -> str:
    if course.finished:
        return texts.house("learn.finished")
    if not course.done:
        return texts.house("learn.begin", n=len(course.lessons))
    return texts.house("learn.done", done=len(course.done), n=len(course.lessons))


def _ways_on(course: Course, texts: Texts, after: Lesson | None = None) -> list[Button[Any]]:
    """Return the buttons for what comes next: from the list or, if given, after a finished lesson."""
    following = course.next_after(after)
    found: list[Button[Any]] = []
    if following is None:
        label, place = "learn.first_match", ButtonId(course.game, HouseButton.FIRST_MATCH)
        found.append(button(texts.house(label), place, discord.ButtonStyle.success))
    else:
        label = "learn.next" if after is not None else "learn.go_on" if course.done else "learn.start"
        place = ButtonId(course.game, HouseButton.LESSON, course.number(following))
        found.append(button(texts.house(label), place, LEADING))
    return found if after is None else [*found, _door(course, texts)]


def _again(course: Course, texts: Texts) -> ActionRow[Any]:
    """Return the select that opens any lesson."""
    options = [
        discord.SelectOption(
            label=shorten(_named(course, lesson, texts), OPTION), value=f"{course.number(lesson)}"
        )
        for lesson in course.lessons[:OPTIONS]
    ]
    placeholder = texts.house("learn.choose")[:PLACEHOLDER]
    place = ButtonId(course.game, HouseButton.LESSON)
    return ActionRow(Select(custom_id=pack(place), placeholder=placeholder, options=options))


def _door(course: Course, texts: Texts) -> Button[Any]:
    return button(texts.house("learn.all"), ButtonId(course.game, HouseButton.LEARN))


def _heading(practice: Practice, texts: Texts, game_texts: GameTexts) -> str:
    course, lesson = practice.course, practice.lesson
    number, n = course.number(lesson), len(course.lessons)
    return texts.house("learn.heading", number=number, n=n, lesson=game_texts.say(lesson.title))


def _verdict(practice: Practice, texts: Texts, game_texts: GameTexts) -> list[str]:
    """Return what the confirmed sentence led to and the lesson's comment; after a miss, that it is undone."""
    if practice.verdict is None:
        return []
    sign = DONE if practice.reached else "💬"
    told = [f"-# {line}" for line in game_texts.retold(practice.verdict.facts)]
    comment = f"{sign} {game_texts.say(practice.verdict.word)}"
    set_back = [texts.house("learn.set_back")] if told and not practice.reached else []
    return [*told, comment, *set_back]


def _task(shown: PanelPage, practice: Practice, game_texts: GameTexts) -> list[str]:
    """Return the lesson's story until something is tried, and its aim until it is reached."""
    if practice.reached:
        return [shown.texts.house("learn.finished")] if practice.course.finished else []
    # Once something is tried, the story has been read; on a phone the picture needs the room.
    untouched = shown.focus in (NO_FOCUS, Focus(more=True))
    begun = shown.panel.draft or practice.verdict is not None or not untouched
    story = [] if begun else [game_texts.say(practice.lesson.story)]
    return [*story, f"🎯 {game_texts.say(practice.lesson.aim)}"]
