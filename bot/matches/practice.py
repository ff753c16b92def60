"""Practice matches: a lesson's position for one person, in memory; only its draft is stored."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.domain.lessons import LessonRow, lesson_at, practice_id
from bot.domain.match import Click, Draft
from bot.domain.refusals import refusal
from bot.domain.tables import Chair, Person, PersonId, Place, Status, TableInfo, TableRow, Who, person_id
from bot.matches.loaded_table import LoadedTable, SeatDrafts
from bot.matches.match_log import MatchLog
from bot.store import Store
from engines.core.lessons import Lesson, lessons
from engines.core.registry import games

T = TypeVar("T")

REMEMBERED = 1_024
"""Maximum people whose last practice match is in memory."""


class PracticeMatches:
    """All practice matches. Nobody else sits in one, nobody waits for it, and it has no row."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._latest: OrderedDict[PersonId, LoadedTable] = OrderedDict()
        """The practice match that each person used last."""

    def of(self, person: PersonId) -> PersonalPractice:
        """Return one person's practice matches."""
        return PersonalPractice(self, person)

    def peek(self, click: Click, person: Who) -> LoadedTable:
        """Return a person's practice match from memory; raises ``Refusal``.

        If it is no longer in memory, as after a restart, its draft is empty.
        """
        latest = self._latest.get(person_id(person))
        if latest is not None and latest.id == click.table_id:
            return latest
        return practice_table(person_id(person), lesson_of(click.table_id), Draft(revision=click.revision))

    def forget(self, person: PersonId) -> None:
        """Drop a person's last practice match, after their stored data was deleted."""
        self._latest.pop(person, None)

    def lock(self, person: PersonId) -> AbstractAsyncContextManager[None]:
        """Return the lock under which a person's practice matches are changed."""
        return self._locks.setdefault(person, asyncio.Lock())

    async def rows(self, game: str, person: PersonId) -> dict[str, LessonRow]:
        """Return a person's progress in the lessons of a game, by lesson."""
        async with self._store.read() as reader:
            return {row.key: row for row in await reader.lessons(person, game)}

    async def save(self, person: PersonId, row: LessonRow) -> None:
        """Store a person's progress in a lesson."""
        async with self._store.transaction() as transaction:
            await transaction.save_lesson(person, row)

    async def load(self, table_id: str, person: PersonId) -> LoadedTable:
        """Return a person's practice match with its stored draft; raises ``Refusal``."""
        lesson = lesson_of(table_id)
        row = (await self.rows(lesson.game, person)).get(lesson.key)
        return self.keep(person, practice_table(person, lesson, Draft() if row is None else row.draft))

    def keep(self, person: PersonId, table: LoadedTable) -> LoadedTable:
        """Keep a practice match in memory as its person's last one, and return it."""
        self._latest[person] = table
        self._latest.move_to_end(person)
        if len(self._latest) > REMEMBERED:
            self._latest.popitem(last=False)
        return table


@dataclass(frozen=True, slots=True)
class PersonalPractice:
    """One person's practice matches, used like the cache of tables."""

    _matches: PracticeMatches
    _person: PersonId

    @property
    def presets(self) -> Mapping[tuple[PersonId, str, str], str]:
        """Return no sentence: lessons offer none."""
        return MappingProxyType({})

    async def get(self, table_id: str) -> LoadedTable:
        """Return a practice match; raises ``Refusal``."""
        return await self._matches.load(table_id, self._person)

    async def attempt(self, table_id: str, work: Callable[[LoadedTable], Awaitable[T]]) -> T:
        """Do ``work`` on a practice match; others of the same person wait. Raises ``Refusal``."""
        async with self._matches.lock(self._person):
            return await work(await self.get(table_id))

    async def commit(self, old: LoadedTable, new: LoadedTable) -> LoadedTable:
        """Store the draft of a practice match."""
        lesson = lesson_of(old.id)
        row = (await self._matches.rows(lesson.game, self._person)).get(lesson.key)
        drafts = new.drafts_of(lesson.seat)
        draft = replace(drafts.shown, revision=drafts.revision)
        row = replace(row or LessonRow(lesson.game, lesson.key), draft=draft)
        await self._matches.save(self._person, row)
        return self._matches.keep(self._person, new)


def practice_table(person: PersonId, lesson: Lesson, draft: Draft) -> LoadedTable:
    """Return a person's practice match with a draft, of which the longest valid part is kept."""
    start = _start(lesson.game, lesson.key)
    view = start.seat_view(lesson.seat)
    words = view.longest_valid(draft.words).words
    kept = replace(draft, words=words)
    drafts = SeatDrafts(aside=kept) if view.is_aside(words) else SeatDrafts(kept)
    table = start.with_chair(lesson.seat, person=Person(person, ""))
    return table.with_drafts(lesson.seat, drafts)


@cache
def _start(game: str, key: str) -> LoadedTable:
    """Return the practice match of nobody, whose seat views all others share."""
    table_id = practice_id(game, key)
    start = lesson_of(table_id).start
    # Without names, seats are called by their sides.
    chairs = tuple(Chair(seat, None, "", seat) for seat in range(start.setup.seats))
    place, nobody = Place(0, 0), Person(0, "")
    info = TableInfo(table_id, start.setup, nobody, place, Status.RUNNING, chairs, "", thread_id=None)
    row = TableRow(info, data_hashes=(), opened_at=0.0, changed_at=0.0)
    return LoadedTable(row, MatchLog.at(start))


def lesson_of(table_id: str) -> Lesson:
    """Return the lesson of a practice match; raises ``Refusal`` if there is none."""
    game, key = lesson_at(table_id) or ("", "")
    lesson = next((each for each in lessons_of(game) if each.key == key), None)
    if lesson is None:
        raise refusal("no_lesson")
    return lesson


def lessons_of(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game; raises ``Refusal`` if it has none."""
    found = lessons(game) if game in games() else ()
    if not found:
        raise refusal("no_lessons")
    return found
