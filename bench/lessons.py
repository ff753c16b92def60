"""How long each game's lessons take: reading at 200 words a minute, and three seconds a touch.

A new player reads all that the panel says of a lesson, tries something else once, and then does the first
solution with as few touches as the panel's controls take.

    python -m bench.lessons                 a table
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bench.touches.aim import Aim
from bench.touches.controls import Step, steps_of
from bench.touches.ways import Shown, Way, cheapest
from bot.domain.lessons import Course, Practice
from bot.domain.match import Draft, Panel
from bot.matches.drafts import build_panel
from bot.matches.loaded_table import SeatView
from bot.matches.match_log import MatchLog
from bot.matches.practice import practice_table
from bot.pages.controls import NO_FOCUS, Focus
from bot.pages.custom_ids import Action
from bot.pages.lessons import lesson_page
from bot.pages.panel import PanelPage
from bot.pages.texts import GameTexts, Texts
from engines.core.contract import Words
from engines.core.lessons import Lesson, lessons
from engines.core.registry import games

WORDS_A_MINUTE = 200
SECONDS_A_TOUCH = 3
MOST = 600.0
"""Seconds that all lessons of a game may take."""

ON = 1
"""Touches that lead to a lesson: *Start*, or *Next lesson*."""

DRAWN = 4
"""Touches of an order that the house draws: the draw, two things that change places, Confirm."""

ENGLISH = Texts()


@dataclass(slots=True)
class LessonTrial:
    """The panel of a lesson that is tried out, as :class:`bench.touches.ways.Panel`, without a bot."""

    lesson: Lesson
    solution: Words
    draft: Words = ()
    focus: Focus = NO_FOCUS
    _view: SeatView = field(init=False)
    _aim: Aim = field(init=False)

    def __post_init__(self) -> None:
        self._view = SeatView(MatchLog.at(self.lesson.start), self.lesson.seat)
        self._aim = Aim(self._view.game, self._view.view, (self.solution,))

    async def reset(self) -> Shown:
        """Take everything back, and return the panel."""
        self.draft, self.focus = (), NO_FOCUS
        return self._shown()

    async def take(self, step: Step) -> Shown:
        """Touch a control, and return the panel after it."""
        if step.action is Action.CONFIRM:
            return Shown((), (), said=1)
        if step.action in (Action.WORD, Action.PICK):
            self.draft, self.focus = self._view.fold((*self.draft, step.said)).words, NO_FOCUS
        elif step.action is Action.FIELD:
            self.focus = Focus(field=step.said)
        else:
            part = step.word.partition("@")[2] if step.value is None else step.value.removeprefix("@")
            self.focus = Focus(step.field, part)
        return self._shown()

    def _shown(self) -> Shown:
        page = lesson_page(
            PanelPage(panel_of(self.lesson, self.draft), ENGLISH, focus=self.focus), practice_of(self.lesson)
        )
        offered = steps_of({"components": page.components()})
        steps = tuple(self._aim.useful(offered, self.draft))
        return Shown((self.draft, self.focus.field, self.focus.part), steps, self._aim.left(self.draft) or 0)


def panel_of(lesson: Lesson, draft: Words = ()) -> Panel:
    """Return the panel of a lesson with a draft, as the house builds it; its person is nobody."""
    table = practice_table(0, lesson, Draft(draft, revision=len(draft)))
    return build_panel(table, lesson.seat, {})


def practice_of(lesson: Lesson) -> Practice:
    """Return what a lesson adds to its panel before any lesson is done."""
    return Practice(Course(lesson.game, lessons(lesson.game), frozenset()), lesson)


def touches(lesson: Lesson) -> int:
    """Return the touches that a lesson takes, from the one that leads to it to its Confirm."""
    if is_drawn(lesson):
        return ON + DRAWN
    return ON + sum(step.touches for step in way_to(lesson, lesson.solutions[0]))


def is_drawn(lesson: Lesson) -> bool:
    """Return whether the house draws there: an order of one's own is then typed."""
    menu = lesson.start.menu(lesson.seat)
    return menu is not None and any(part.shuffle for part in menu.fields)


def way_to(lesson: Lesson, solution: Words) -> Way:
    """Return the fewest touches that say a sentence in a lesson, Confirm included; raises :class:`NoWay`."""
    return asyncio.run(find_way(lesson, solution))


async def find_way(lesson: Lesson, solution: Words) -> Way:
    """Return what :func:`way_to` does, for who runs a loop already."""
    way, _ = await cheapest(LessonTrial(lesson, solution))
    return way


def words(lesson: Lesson) -> int:
    """Return how many words are read: all that is said before and after, and the longest other answer."""
    texts = GameTexts(ENGLISH, lesson.game)
    said = [texts.say(each) for each in (lesson.title, lesson.story, lesson.aim, lesson.praise)]
    answers = (texts.say(answer.word) for answer in lesson.answers)
    return sum(len(each.split()) for each in (*said, max(answers, key=len)))


def seconds(lesson: Lesson) -> float:
    """Return how long a lesson takes: its words, its touches, and again those of another try."""
    # The other try takes as many touches as the solution, but not the one that leads there.
    taken = touches(lesson)
    return words(lesson) / WORDS_A_MINUTE * 60 + (2 * taken - ON) * SECONDS_A_TOUCH


def main() -> None:
    """Print the lessons of all games, and how long they take."""
    for key in games():
        found = lessons(key)
        for lesson in found:
            figures = f"{words(lesson):4} words {touches(lesson):3} touches {seconds(lesson):5.0f} s"
            print(f"{key:5} {lesson.key:12} {figures}")
        if found:
            print(f"{key} all {sum(map(seconds, found)) / 60:.1f} minutes of {MOST / 60:.0f}")


if __name__ == "__main__":
    main()
