"""Lessons: everybody's progress in them, and how the sentences of practice matches are judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.lessons import Course, LessonRow, Practice
from bot.domain.match import Click, Draft, Panel
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.drafts import build_panel
from bot.matches.loaded_table import FoldedDraft, LoadedTable
from bot.matches.practice import REMEMBERED, PracticeMatches, lesson_of, lessons_of
from engines.core.contract import ActionError, Msg, msg
from engines.core.lessons import Lesson, Verdict
from engines.core.optional_methods import TakesNotes


class Lessons:
    """The use cases of lessons beside their drafts, which :class:`Drafts` edits."""

    def __init__(self, practice: PracticeMatches) -> None:
        self._practice = practice
        self._judged: dict[PersonId, tuple[Click, Panel, Practice]] = {}
        """What each person was shown after their last Confirm, until they see something else."""

    async def course(self, game: str, person: Who) -> Course:
        """Return a game's lessons and which of them a person has done; raises ``Refusal``."""
        lessons_of(game)
        return _course(game, await self._practice.rows(game, person_id(person)))

    async def practice(self, table_id: str, person: Who) -> Practice:
        """Return what a lesson adds to the panel of its practice match; raises ``Refusal``."""
        lesson = lesson_of(table_id)
        self._judged.pop(person_id(person), None)
        return Practice(await self.course(lesson.game, person), lesson)

    async def confirm(self, click: Click, person: Who) -> tuple[Panel, Practice]:
        """Judge the draft; the lesson's position stays the same. Raises ``Refusal``."""
        who, lesson = person_id(person), lesson_of(click.table_id)
        async with self._practice.lock(who):
            last = self._judged.get(who)
            if last is not None and last[0] == click:
                return last[1:]  # pressed twice
            table = await self._practice.load(click.table_id, who)
            rows = await self._practice.rows(lesson.game, who)
            drafts = table.drafts_of(lesson.seat)
            if click.revision != drafts.revision:
                return _unjudged(table, lesson, rows, notes=(msg("note.stale"),))
            draft = table.seat_view(lesson.seat).fold(drafts.shown.words)
            if draft.menu is None or not draft.menu.complete:
                raise refusal("incomplete" if draft.words else "empty_draft")
            try:
                verdict = lesson.judge(draft.words)
            except ActionError as error:
                return _unjudged(table, lesson, rows, refused=error.msg)
            row = rows.get(lesson.key) or LessonRow(lesson.game, lesson.key)
            before = replace(drafts.shown, revision=drafts.revision)
            row = replace(row, draft=_after(before, draft, verdict), done=row.done or verdict.reached)
            await self._practice.save(who, row)
            panel = _judged(await self._practice.load(click.table_id, who), lesson, verdict)
            practice = Practice(_course(lesson.game, {**rows, lesson.key: row}), lesson, verdict)
            return self._remember(who, click, panel, practice)

    def forget(self, who: PersonId) -> None:
        """Forget a person's last panel, after their stored data was deleted."""
        self._judged.pop(who, None)
        self._practice.forget(who)

    def _remember(
        self, who: PersonId, click: Click, panel: Panel, practice: Practice
    ) -> tuple[Panel, Practice]:
        self._judged.pop(who, None)
        self._judged[who] = click, panel, practice
        if len(self._judged) > REMEMBERED:
            del self._judged[next(iter(self._judged))]
        return panel, practice


def _unjudged(
    table: LoadedTable,
    lesson: Lesson,
    rows: Mapping[str, LessonRow],
    *,
    notes: tuple[Msg, ...] = (),
    refused: Msg | None = None,
) -> tuple[Panel, Practice]:
    panel = build_panel(table, lesson.seat, {}, notes=notes, refused=refused)
    return panel, Practice(_course(lesson.game, rows), lesson)


def _judged(table: LoadedTable, lesson: Lesson, verdict: Verdict) -> Panel:
    panel = build_panel(table, lesson.seat, {})
    # The position after the sentence is shown once; then the lesson begins again.
    return replace(panel, view=verdict.after.view(lesson.seat), menu=None) if verdict.reached else panel


def _course(game: str, rows: Mapping[str, LessonRow]) -> Course:
    return Course(game, lessons_of(game), frozenset(key for key, row in rows.items() if row.done))


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
