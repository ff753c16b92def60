"""Queries about people and servers, rather than tables."""

from __future__ import annotations

import hmac
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from bot.domain.clocks import Holiday
from bot.domain.lessons import LessonRow
from bot.domain.match import Preset
from bot.domain.refusals import Act, CountedAct
from bot.domain.tables import PersonId, Preferences, ServerRules
from bot.store import records
from bot.store.personal import ABOUT_PERSON, mark_of
from bot.store.records import SqlRow

LOG = logging.getLogger("bauta.store")

T = TypeVar("T")


def _chosen(row: SqlRow | None, read: Callable[[SqlRow], T], default: T, what: str) -> T:
    """Decode stored settings; return the default if there are none or they are broken."""
    if row is None:
        return default
    try:
        return read(row)
    except records.BrokenRecord as error:
        # The settings can be chosen again.
        LOG.error("%s cannot be read (%s)", what, error)
        return default


class PeopleQuestions(ABC):
    """Queries of preferences, server rules, holidays, presets, lessons and counted acts."""

    @abstractmethod
    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        """Return all rows of a query."""

    async def _one(self, sql: str, *values: object) -> SqlRow | None:
        return next(iter(await self._all(sql, *values)), None)

    async def server_rules(self, guild_id: int) -> ServerRules:
        """Return the rules of a server, or the defaults."""
        row = await self._one(
            "SELECT opening, roles, channels, most, paces, pace, threads_per_day FROM server WHERE guild = ?",
            guild_id,
        )
        # Broken rules fall back to the defaults, which lock nobody out.
        return _chosen(row, records.server_rules, ServerRules(), "the rules of a server")

    async def counted_acts(self, people: Sequence[PersonId], act: Act, after: float) -> list[CountedAct]:
        """Return a person's counted acts after a Unix time, latest first; ``people``: all their ids."""
        rows = await self._all(
            "SELECT request, act, person, at, guild, match, recipient FROM counted_act"
            " WHERE person IN (SELECT value FROM json_each(?)) AND act = ? AND at > ? ORDER BY at DESC",
            list(people),
            act.value,
            after,
        )
        return [CountedAct(row[0], act, *row[2:]) for row in rows]

    async def count_invitations_to(self, people: Sequence[PersonId], after: float) -> int:
        """Return how often anybody invited a person after a Unix time; ``people``: all their ids."""
        row = await self._one(
            "SELECT count(*) FROM counted_act WHERE recipient IN (SELECT value FROM json_each(?)) AND at > ?",
            list(people),
            after,
        )
        return row[0] if row else 0

    async def counted_invitations(self, table: str, people: Sequence[PersonId]) -> set[PersonId]:
        """Return which people's invitations to a table were counted: the others are not pinged."""
        rows = await self._all(
            "SELECT DISTINCT recipient FROM counted_act"
            " WHERE recipient IN (SELECT value FROM json_each(?)) AND match = ?",
            list(people),
            table,
        )
        return {row[0] for row in rows}

    async def preferences(self, person: PersonId) -> Preferences:
        """Return a person's preferences, or the defaults."""
        row = await self._one(
            "SELECT dms, language, theme, always_confirm, reminders, zone, quiet_from, quiet_until"
            " FROM person WHERE id = ?",
            person,
        )
        return _chosen(row, records.preferences, Preferences(), "settings")

    async def called(self, person: PersonId) -> tuple[float | None, float | None]:
        """Return when a person was last reminded, and when a direct message to them last failed."""
        row = await self._one("SELECT reminded_at, unreached_at FROM person WHERE id = ?", person)
        return (row[0], row[1]) if row else (None, None)

    async def dm_channel(self, person: PersonId, account: int) -> int | None:
        """Return the DM channel of a bot account and a person, if known."""
        row = await self._one(
            "SELECT channel FROM dm_channel WHERE person = ? AND account = ?", person, account
        )
        return row[0] if row else None

    async def holidays(self, person: PersonId) -> list[Holiday]:
        """Return a person's holidays, the oldest first."""
        rows = await self._all(
            "SELECT begun, latest, ended FROM holiday WHERE person = ? ORDER BY begun", person
        )
        return [Holiday(*row) for row in rows]

    async def next_holiday_end(self) -> float | None:
        """Return when the next holiday ends at the latest; ``None``: nobody is on holiday."""
        row = await self._one("SELECT min(latest) FROM holiday WHERE ended IS NULL")
        return row[0] if row else None

    async def last_decision(self, person: PersonId) -> float | None:
        """Return when a person last confirmed a sentence in any match; ``None``: never."""
        row = await self._one(
            "SELECT max(at) FROM log JOIN chair ON chair.match = log.match AND chair.seat = log.seat"
            " WHERE person = ? AND kind = 'act'",
            person,
        )
        return row[0] if row else None

    async def unsettled_holidays(self) -> list[str]:
        """Return the matches whose clocks do not yet reflect the begin or end of a holiday."""
        rows = await self._all(
            "SELECT DISTINCT match.id FROM match JOIN chair ON chair.match = match.id"
            " WHERE status = 'running' AND pace IN ('day', 'slow') AND withdrawn = 0"
            " AND (away = 1 AND person NOT IN (SELECT person FROM holiday WHERE ended IS NULL)"
            " OR away = 0 AND person IN (SELECT person FROM holiday WHERE ended IS NULL))"
        )
        return [row[0] for row in rows]

    async def on_holiday(self, people: Iterable[PersonId]) -> frozenset[PersonId]:
        """Return which of these people are on holiday."""
        rows = await self._all(
            "SELECT person FROM holiday WHERE ended IS NULL AND person IN (SELECT value FROM json_each(?))",
            list(people),
        )
        return frozenset(row[0] for row in rows)

    async def presets(self, person: PersonId, game: str) -> list[Preset]:
        """Return a person's presets for a game."""
        rows = await self._all(
            "SELECT game, menu, text FROM preset WHERE person = ? AND game = ? ORDER BY menu", person, game
        )
        # A broken preset is no loss: the next sentence replaces it.
        return [Preset(*row) for row in rows if all(isinstance(value, str) for value in row)]

    async def lessons(self, person: PersonId, game: str) -> list[LessonRow]:
        """Return a person's progress in the lessons of a game."""
        rows = await self._all(
            "SELECT game, lesson, words, revision, trail, done FROM lesson WHERE person = ? AND game = ?",
            person,
            game,
        )
        found: list[LessonRow] = []
        for row in rows:
            try:
                found.append(records.lesson_row(row))
            except records.BrokenRecord as error:
                # The person can begin the lesson again.
                LOG.error("lesson cannot be read (%s)", error)
        return found

    async def tables_naming(self, person: PersonId) -> list[str]:
        """Return the ids of all tables whose rows name a person, in any role."""
        rows = await self._all(
            "SELECT match FROM chair WHERE person = ?1 UNION SELECT id FROM match WHERE host = ?1"
            " UNION SELECT match FROM invitation WHERE person = ?1"
            " UNION SELECT match FROM former_holder WHERE person = ?1"
            " UNION SELECT match FROM seat_offer WHERE person = ?1"
            " UNION SELECT match FROM first_join WHERE person = ?1",
            person,
        )
        return [row[0] for row in rows]

    async def has_held_seat(self, table_id: str, person: PersonId) -> bool:
        """Return whether a person held a seat of an unfinished match before they deleted their data."""
        rows = await self._all("SELECT key, mark FROM held_seat WHERE match = ?", table_id)
        return any(hmac.compare_digest(mark_of(key, person), mark) for key, mark in rows)

    async def _has_seen_a_seat(self, table_id: str, person: PersonId) -> bool:
        """Return whether a person has or had a seat of a running or frozen match."""
        found = await self._one(
            "SELECT 1 FROM match WHERE id = ?1 AND status IN ('running', 'frozen')"
            " AND (EXISTS (SELECT 1 FROM chair WHERE match = ?1 AND person = ?2)"
            " OR EXISTS (SELECT 1 FROM former_holder WHERE match = ?1 AND person = ?2))",
            table_id,
            person,
        )
        return found is not None

    async def kept_about(self, person: PersonId) -> dict[str, list[dict[str, object]]]:
        """Return all rows about a person, by topic, without secrets of their matches.

        Seeds and row numbers are left out: the numbers count what others do in secret.
        """
        return {
            theme: [
                dict(zip(question.names, row, strict=True)) for row in await self._all(question.sql, person)
            ]
            for theme, question in ABOUT_PERSON.items()
        }
