"""A person's progress in lessons, and the contents of a lesson's panel."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.domain.match import Draft, DraftPanel
from engines.core.lessons import Lesson, Verdict


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A person's progress in one lesson."""

    game: str
    key: str
    draft: Draft = field(default_factory=Draft)
    done: bool = False


@dataclass(frozen=True, slots=True)
class LessonClick:
    """The origin of a click on a lesson's panel. The revision identifies the draft that it showed."""

    game: str
    key: str
    revision: int


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPanel(DraftPanel):
    """The contents of a lesson's panel."""

    course: Course
    lesson: Lesson
    verdict: Verdict | None = field(default=None, repr=False)
    """The verdict on the sentence just confirmed."""
    confirmed: LessonClick | None = None
    """The click that confirmed it."""

    @property
    def reached(self) -> bool:
        """Return whether the aim was just reached: the lesson takes no more input."""
        return self.verdict is not None and self.verdict.reached
