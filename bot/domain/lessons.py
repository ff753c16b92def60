"""Lessons as a person goes through them: how far they have come, and what the panel of a lesson shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.domain.match import Draft, DraftPanel
from engines.core.lessons import Lesson, Verdict


@dataclass(frozen=True, slots=True)
class LessonRow:
    """How far a person has come with one lesson."""

    game: str
    key: str
    draft: Draft = field(default_factory=Draft)
    done: bool = False


@dataclass(frozen=True, slots=True)
class LessonClick:
    """Where a click on the panel of a lesson came from. The revision stands for the draft that it showed."""

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
        """Return the number of a lesson, from 1 on."""
        return self.lessons.index(lesson) + 1

    def next_after(self, lesson: Lesson | None) -> Lesson | None:
        """Return the next lesson that is not done, round and round; of all, where ``lesson`` is ``None``.

        ``None``: all are done.
        """
        start = 0 if lesson is None else self.number(lesson)
        order = (*self.lessons[start:], *self.lessons[:start])
        return next((each for each in order if each.key not in self.done), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPanel(DraftPanel):
    """All that the panel of a lesson shows."""

    course: Course
    lesson: Lesson
    verdict: Verdict | None = field(default=None, repr=False)
    """What became of the sentence that was just confirmed."""
    confirmed: LessonClick | None = None
    """The click that confirmed it."""

    @property
    def reached(self) -> bool:
        """Return whether the aim was just reached: nothing more is to be said here."""
        return self.verdict is not None and self.verdict.reached
