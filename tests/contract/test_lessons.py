"""The lessons of every game that has some, and that each mistake in one would be seen."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from bench.lessons import LessonTrial
from bench.touches.ways import Shown
from engines.core import lessons as core
from engines.core.contract import msg
from engines.core.lessons import Answer, Condition, FactPattern, Lesson, has_lessons, lessons, read
from engines.core.match import Match
from engines.core.registry import game, games
from tests.contract.checks import lessons as checks

TAUGHT = [key for key in games() if has_lessons(key)]
EVERY = [pytest.param(lesson, id=f"{key}-{lesson.key}") for key in TAUGHT for lesson in lessons(key)]
PAINTED = [
    case if not n % 3 else pytest.param(*case.values, id=case.id, marks=pytest.mark.nightly)
    for n, case in enumerate(EVERY)
]
"""In every run each third of them."""

PLANTED = "volo"


@pytest.mark.parametrize("key", TAUGHT)
def test_a_game_is_learnt_in_ten_minutes(key: str) -> None:
    checks.check_course(lessons(key))


@pytest.mark.parametrize("lesson", EVERY)
def test_every_aim_is_reached_by_touching(lesson: Lesson) -> None:
    checks.check_aim(lesson)


@pytest.mark.parametrize("lesson", EVERY)
def test_every_turn_is_answered(lesson: Lesson) -> None:
    checks.check_answers(lesson)


@pytest.mark.parametrize("lesson", EVERY)
def test_every_text_is_there_and_short(lesson: Lesson) -> None:
    checks.check_texts(lesson)


@pytest.mark.parametrize("lesson", PAINTED)
def test_every_position_is_painted(lesson: Lesson) -> None:
    checks.check_picture(lesson)


@pytest.mark.parametrize("key", TAUGHT)
def test_texts_of_lessons_belong_to_one(key: str) -> None:
    used = {message.key for lesson in lessons(key) for message in lesson.texts()}
    catalogue = json.loads((files(f"engines.{key}") / "locale" / "en.json").read_text("utf-8"))
    assert {name for name in catalogue if name.startswith("lesson.")} == used


# --- planted faults -------------------------------------------------------------------------------


def planted(number: int = 4, **changes: Any) -> Lesson:
    """Return one of the lessons with something else in its data."""
    listed = json.loads((files(f"engines.{PLANTED}") / core.FILE).read_text("utf-8"))
    return read(game(PLANTED), {**listed[number], **changes})


def test_a_solution_that_misses_the_aim_is_seen() -> None:
    with pytest.raises(AssertionError, match="does not reach"):
        checks.check_aim(planted(solutions=["a5-NE5"]))
    with pytest.raises(AssertionError, match="is refused"):
        checks.check_aim(planted(solutions=["a5-W1"]))
    with pytest.raises(AssertionError, match="no solution"):
        checks.check_aim(planted(solutions=[]))


def test_an_aim_that_no_control_leads_to_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = planted()
    monkeypatch.setattr(LessonTrial, "_shown", lambda _: Shown((), ()))
    with pytest.raises(AssertionError, match="no touches"):
        checks.check_aim(lesson)


def test_a_mistake_in_the_answers_is_seen() -> None:
    with pytest.raises(AssertionError, match="whatever is said"):
        checks.check_answers(planted(goal={}))
    never = {"if": {"facts": {"drawn": {}}}, "word": "lost"}
    with pytest.raises(AssertionError, match="nothing is answered by"):
        checks.check_answers(planted(answers=[never, {"word": "added"}]))
    for answers in ([], [never], [{"word": "added"}, {"word": "gap"}]):
        with pytest.raises(ValueError, match="last answer"):
            planted(answers=answers)


def test_a_text_that_is_missing_is_seen() -> None:
    with pytest.raises(KeyError):
        checks.check_texts(planted(answers=[{"word": "nothing"}]))
    with pytest.raises(AssertionError, match="too long"):
        checks.check_texts(replace(planted(), key="x" * 17))


def test_a_course_of_the_wrong_length_is_seen() -> None:
    found = lessons(PLANTED)
    for course in (found[:4], found * 2, found[:1] * 5):
        with pytest.raises(AssertionError):
            checks.check_course(course)


def test_lessons_that_take_too_long_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "seconds", lambda _: 121.0)
    with pytest.raises(AssertionError, match="minutes"):
        checks.check_course(lessons(PLANTED))


def test_what_is_no_lesson_is_refused() -> None:
    with pytest.raises(ValueError, match="'hint'"):
        planted(hint="no such field")
    with pytest.raises(ValueError, match="'kind'"):
        planted(goal={"kind": "gone"})
    with pytest.raises(ValueError, match="cannot begin"):
        planted(0, situation={})


# --- conditions -----------------------------------------------------------------------------------


def test_all_of_a_condition_must_hold() -> None:
    lesson = planted()
    verdict = lesson.judge(lesson.solutions[0])
    facts, said = verdict.facts, lesson.start.game.write(lesson.solutions[0])
    gone = FactPattern("gone", {"seat": 1, "points": ("a2", "b2")})
    assert Condition(frozenset({said}), "a5.*", (gone,), (FactPattern("won"),)).holds(said, facts)
    for condition in (
        Condition(say=frozenset({"c4"})),
        Condition(like="a5"),
        Condition(facts=(FactPattern("gone", {"seat": 0}),)),
        Condition(facts=(FactPattern("gone", {"nothing": 0}),)),
        Condition(facts=(gone, FactPattern("won"))),
        Condition(without=(FactPattern("kept", {"seat": 0}),)),
    ):
        assert not condition.holds(said, facts)
    assert Condition().holds(said, facts)


def test_a_lesson_begins_where_its_sentences_lead() -> None:
    lesson = planted(0, said=[[0, "c4"], [1, "i5"]])
    assert len(lesson.start.log) == 2
    assert lesson.start == Match.start(lesson.start.game, lesson.start.setup, bytes(32)).act(0, ("c4",)).act(
        1, ("i5",)
    )


def test_the_first_answer_that_fits_is_said() -> None:
    lesson = planted()
    always, flew = Answer(Condition(), msg("a")), Answer(Condition(like=".*-.*"), msg("b"))
    adjusted = replace(lesson, answers=(flew, always))
    assert adjusted.judge(("a5", "NE5")).word == msg("b")
    assert adjusted.judge(("c5",)).word == msg("a")
