"""Lessons: a person's progress in them, and what they add to the panels of their practice matches."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.domain.match import Draft
from engines.core.lessons import Lesson, Verdict


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A person's progress in one lesson."""

    game: str
    key: str
    draft: Draft = field(default_factory=Draft)
    done: bool = False


DOT = "."
"""What separates game and lesson in the id of a practice match; no match that is stored has it in its id."""


def practice_id(game: str, lesson: str) -> str:
    """Return the id of the practice match of a lesson."""
    return f"{game}{DOT}{lesson}"


def lesson_at(table_id: str) -> tuple[str, str] | None:
    """Return the game and the lesson of a practice match; ``None`` for a match that is stored."""
    game, dot, lesson = table_id.partition(DOT)
    return (game, lesson) if dot else None


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a game, and which of them a person has done."""

    game: str
    lessons: tuple[Lesson, ...]
    done: frozenset[str]

    @property
    def finished(self) -> bool:
        """Return whether all lessons are done."""
        return all(lesson.key in self.done for lesson in self.lessons)

    def number(self, lesson: Lesson) -> int:
        """Return the number of a lesson, counted from 1."""
        return self.lessons.index(lesson) + 1

    def next_after(self, lesson: Lesson | None) -> Lesson | None:
        """Return the next lesson not done after ``lesson``, wrapping around; ``None``: all are done.

        If ``lesson`` is ``None``, the search begins with the first lesson.
        """
        start = 0 if lesson is None else self.number(lesson)
        order = (*self.lessons[start:], *self.lessons[:start])
        return next((each for each in order if each.key not in self.done), None)


@dataclass(frozen=True, slots=True)
class Practice:
    """What a lesson adds to the panel of its practice match."""

    course: Course
    lesson: Lesson
    verdict: Verdict | None = field(default=None, repr=False)
    """The verdict on the sentence just confirmed."""

    @property
    def reached(self) -> bool:
        """Return whether the aim was just reached: the lesson takes no more input."""
        return self.verdict is not None and self.verdict.reached
