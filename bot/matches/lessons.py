"""Lessons: people's drafts in them, how these are judged, and everybody's progress."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from weakref import WeakValueDictionary

from bot.domain.lessons import Course, LessonClick, LessonPanel, LessonRow
from bot.domain.match import Draft
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.draft_edits import ChoiceUnavailable, DraftEditor, Editing, answered_field, reading
from bot.matches.loaded_table import FoldedDraft, SeatDrafts, SeatView
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import TableCache
from engines.core.contract import ActionError, Msg, TakesNotes, msg
from engines.core.lessons import Lesson, Verdict, lessons
from engines.core.registry import games as installed

REMEMBERED = 1_024
"""Maximum people whose last panel is cached."""


class Lessons(DraftEditor[LessonClick, LessonPanel]):
    """The use cases of lessons. Each person has their own draft in each lesson."""

    def __init__(self, cache: TableCache) -> None:
        super().__init__(cache.entropy)
        self._cache = cache
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._views: dict[tuple[str, str], SeatView] = {}
        """Views of lessons' starts by game and lesson: the same for everybody."""
        self._latest: OrderedDict[PersonId, LessonPanel] = OrderedDict()
        """The panel that each person saw last."""

    async def course(self, game: str, person: Who) -> Course:
        """Return a game's lessons and which of them a person has done; raises ``Refusal``."""
        return _course(game, await self._rows(game, person_id(person)))

    async def panel(self, game: str, key: str, person: Who) -> LessonPanel:
        """Return a person's panel of a lesson; raises ``Refusal``."""
        rows = await self._rows(game, person_id(person))
        lesson = _lesson(game, key)
        return self._panel(person_id(person), rows, lesson, _row(rows, lesson).draft)

    def peek_panel(self, click: LessonClick, person: Who) -> LessonPanel:
        """Return the clicked panel from memory, with an example; raises ``Refusal``.

        If it is no longer in memory, as after a restart, it is shown with an empty draft.
        """
        lesson = _lesson(click.game, click.key)
        view = self._view(lesson)
        last = self._latest.get(person_id(person))
        if last is None or (last.lesson.key, last.revision) != (click.key, click.revision):
            last = self._built(lesson, _course(click.game, {}), Draft(revision=click.revision))
        return replace(last, example=view.example)

    async def change(self, click: LessonClick, person: Who, edit: Editing) -> LessonPanel:
        """Edit the clicked panel's draft and return the panel; raises ``Refusal``."""
        who, lesson = person_id(person), _lesson(click.game, click.key)
        view = self._view(lesson)
        async with self._lock(who):
            rows = await self._rows(click.game, who)
            draft = _row(rows, lesson).draft
            if click.revision != draft.revision:
                return self._panel(who, rows, lesson, draft, notes=(msg("note.stale"),))
            try:
                edited = edit(view, replace(draft, words=view.longest_valid(draft.words).words))
            except ChoiceUnavailable:
                return self._panel(who, rows, lesson, draft, notes=(msg("note.stale"),))
            except ActionError as error:
                return self._panel(who, rows, lesson, draft, refused=error.msg)
            new = SeatDrafts(draft).put(edited.draft.words, aside=False, trail=edited.trail).main
            await self._save(who, replace(_row(rows, lesson), draft=new))
            return self._panel(who, rows, lesson, new, notes=edited.notes)

    async def type_in(self, click: LessonClick, person: Who, text: str) -> LessonPanel:
        """Read typed words in the game's notation into the draft; raises ``Refusal``."""
        return await self.change(click, person, reading(text))

    async def confirm(self, click: LessonClick, person: Who) -> LessonPanel:
        """Judge the draft; the lesson's position stays the same. Raises ``Refusal``."""
        who, lesson = person_id(person), _lesson(click.game, click.key)
        async with self._lock(who):
            last = self._latest.get(who)
            if last is not None and last.verdict is not None and last.confirmed == click:
                return last  # pressed twice
            rows = await self._rows(click.game, who)
            row = _row(rows, lesson)
            if click.revision != row.draft.revision:
                return self._panel(who, rows, lesson, row.draft, notes=(msg("note.stale"),))
            # A newer version may have changed the lesson since the draft was saved.
            draft = self._view(lesson).longest_valid(row.draft.words)
            if draft.menu is None or not draft.menu.complete:
                raise refusal("incomplete" if draft.words else "empty_draft")
            try:
                verdict = lesson.judge(draft.words)
            except ActionError as error:
                return self._panel(who, rows, lesson, row.draft, refused=error.msg)
            done = row.done or verdict.reached
            row = replace(row, draft=_after(row.draft, draft, verdict), done=done)
            await self._save(who, row)
            return self._judged(who, {**rows, lesson.key: row}, lesson, verdict, click)

    def forget(self, who: PersonId) -> None:
        """Forget a person's last panel, after their stored data was deleted."""
        self._latest.pop(who, None)

    def _judged(
        self,
        who: PersonId,
        rows: Mapping[str, LessonRow],
        lesson: Lesson,
        verdict: Verdict,
        click: LessonClick,
    ) -> LessonPanel:
        panel = replace(
            self._built(lesson, _course(lesson.game, rows), rows[lesson.key].draft),
            verdict=verdict,
            confirmed=click,
        )
        if verdict.reached:
            panel = replace(panel, view=verdict.after.view(lesson.seat), menu=None)
        return self._remember(who, panel)

    def _panel(
        self,
        who: PersonId,
        rows: Mapping[str, LessonRow],
        lesson: Lesson,
        draft: Draft,
        *,
        notes: tuple[Msg, ...] = (),
        refused: Msg | None = None,
    ) -> LessonPanel:
        panel = self._built(lesson, _course(lesson.game, rows), draft)
        return self._remember(who, replace(panel, notes=notes, refusal=refused))

    def _built(self, lesson: Lesson, course: Course, draft: Draft) -> LessonPanel:
        return lesson_panel(lesson, course, self._view(lesson), draft)

    def _remember(self, who: PersonId, panel: LessonPanel) -> LessonPanel:
        self._latest[who] = panel
        self._latest.move_to_end(who)
        if len(self._latest) > REMEMBERED:
            self._latest.popitem(last=False)
        return panel

    def _view(self, lesson: Lesson) -> SeatView:
        place = (lesson.game, lesson.key)
        if place not in self._views:
            self._views[place] = SeatView(MatchLog.at(lesson.start), lesson.seat)
        return self._views[place]

    def _lock(self, who: PersonId) -> AbstractAsyncContextManager[None]:
        return self._locks.setdefault(who, asyncio.Lock())

    async def _rows(self, game: str, who: PersonId) -> dict[str, LessonRow]:
        async with self._cache.store.read() as reader:
            return {row.key: row for row in await reader.lessons(who, game)}

    async def _save(self, who: PersonId, row: LessonRow) -> None:
        async with self._cache.store.transaction() as transaction:
            await transaction.save_lesson(who, row)


def lesson_panel(lesson: Lesson, course: Course, view: SeatView, draft: Draft) -> LessonPanel:
    """Build the panel of a lesson; ``view``: of its start. Of the draft, the longest valid part is shown."""
    shown = view.longest_valid(draft.words)
    return LessonPanel(
        course=course,
        lesson=lesson,
        seat=lesson.seat,
        view=shown.view,
        menu=shown.menu,
        draft=shown.words,
        revision=draft.revision,
        answered=answered_field(view, shown),
        reveals=shown.menu is not None and shown.menu.reveals,
    )


def _course(game: str, rows: Mapping[str, LessonRow]) -> Course:
    found = lessons(game) if game in installed() else ()
    if not found:
        raise refusal("no_lessons")
    return Course(game, found, frozenset(key for key, row in rows.items() if row.done))


def _lesson(game: str, key: str) -> Lesson:
    found = _course(game, {}).lessons
    lesson = next((each for each in found if each.key == key), None)
    if lesson is None:
        raise refusal("no_lesson")
    return lesson


def _row(rows: Mapping[str, LessonRow], lesson: Lesson) -> LessonRow:
    return rows.get(lesson.key) or LessonRow(lesson.game, lesson.key)


def _after(before: Draft, draft: FoldedDraft, verdict: Verdict) -> Draft:
    """Return the draft to keep after a sentence was judged: none, except for a wrong one made in a form.

    If the menu shows what was chosen, a wrong choice can be changed there without redoing the others. Not so
    for a note: the next note would include it.
    """
    fields = () if draft.menu is None else draft.menu.fields
    game = verdict.after.game
    is_note = isinstance(game, TakesNotes) and game.is_note(draft.words)
    if not verdict.reached and not is_note and any(part.chosen for part in fields):
        return before
    return Draft(revision=before.revision + 1)
