"""Changes to people and servers, rather than tables."""

from __future__ import annotations

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from bot.domain.clocks import Holiday
from bot.domain.lessons import LessonRow
from bot.domain.match import Preset
from bot.domain.refusals import CountedAct
from bot.domain.tables import PersonId, Preferences, ServerRules, mark_of_join
from bot.store.personal import OUT_OF_TABLE, mark_of
from bot.store.reader import Reader
from bot.store.statements import Parameters

PRUNED_ACTS = 50
"""Maximum counted acts that one unit prunes, so that a backlog delays no commit."""


class PeopleChanges(Reader, ABC):
    """Changes to preferences, server rules, holidays and counted acts."""

    async def _do(self, sql: str, *values: object, unique: bool = False, found: bool = False) -> None:
        """Make one change."""
        await self._do_all(sql, [values], unique=unique, found=found)

    @abstractmethod
    async def _do_all(
        self, sql: str, rows: Sequence[Parameters], *, unique: bool = False, found: bool = False
    ) -> None:
        """Make the same change for several rows."""

    async def save_server_rules(self, guild_id: int, rules: ServerRules) -> None:
        """Insert or replace the rules of a server."""
        await self._do(
            "INSERT INTO server (guild, opening, roles, channels, most, paces, pace, threads_per_day)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (guild) DO UPDATE SET opening = excluded.opening, roles = excluded.roles,"
            " channels = excluded.channels, most = excluded.most, paces = excluded.paces,"
            " pace = excluded.pace, threads_per_day = excluded.threads_per_day",
            guild_id,
            rules.opening.value,
            json.dumps(rules.roles),
            json.dumps(rules.channels),
            rules.most,
            json.dumps([pace.value for pace in rules.paces]),
            rules.pace.value,
            rules.threads_per_day,
        )

    async def count_acts(self, acts: Iterable[CountedAct], expired: float) -> None:
        """Save counted acts, and prune some from before ``expired``, a Unix time."""
        await self._do_all(
            "INSERT INTO counted_act (request, act, person, at, guild, match, recipient)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [(a.request, a.act.value, a.person, a.at, a.guild, a.match, a.recipient) for a in acts],
        )
        await self._do(
            "DELETE FROM counted_act WHERE (request, act, recipient) IN"
            " (SELECT request, act, recipient FROM counted_act WHERE at < ? ORDER BY at LIMIT ?)",
            expired,
            PRUNED_ACTS,
        )

    async def disguise_acts(self, person: PersonId, disguise: PersonId) -> None:
        """Replace a person's id in all counted acts."""
        await self._do("UPDATE counted_act SET person = ? WHERE person = ?", disguise, person)
        await self._do("UPDATE counted_act SET recipient = ? WHERE recipient = ?", disguise, person)

    async def save_preferences(self, person: PersonId, preferences: Preferences) -> None:
        """Insert or replace a person's settings."""
        await self._do(
            "INSERT INTO person"
            " (id, dms, language, theme, always_confirm, reminders, zone, quiet_from, quiet_until)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET dms = excluded.dms, language = excluded.language,"
            " theme = excluded.theme, always_confirm = excluded.always_confirm,"
            " reminders = excluded.reminders, zone = excluded.zone, quiet_from = excluded.quiet_from,"
            " quiet_until = excluded.quiet_until",
            person,
            preferences.dms,
            preferences.language,
            preferences.theme,
            preferences.always_confirm,
            preferences.reminders.value,
            preferences.zone,
            *(preferences.quiet or (None, None)),
        )

    async def note_reminded(self, person: PersonId, at: float) -> None:
        """Save when a person was last reminded."""
        await self._do(
            "INSERT INTO person (id, dms, language, reminded_at) VALUES (?, 0, 'en', ?)"
            " ON CONFLICT (id) DO UPDATE SET reminded_at = excluded.reminded_at",
            person,
            at,
        )

    async def note_unreached(self, person: PersonId, at: float | None) -> None:
        """Save when a direct message to a person last failed; ``None``: they get through."""
        await self._do(
            "INSERT INTO person (id, dms, language, unreached_at) VALUES (?, 0, 'en', ?)"
            " ON CONFLICT (id) DO UPDATE SET unreached_at = excluded.unreached_at",
            person,
            at,
        )

    async def note_dm_channel(self, person: PersonId, account: int, channel: int) -> None:
        """Save the DM channel of a bot account and a person.

        Nothing is saved for a person without a chair: they deleted their data during the send.
        """
        await self._do(
            "INSERT INTO dm_channel (person, account, channel)"
            " SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM chair WHERE person = ?1)"
            " ON CONFLICT (person, account) DO UPDATE SET channel = excluded.channel",
            person,
            account,
            channel,
        )

    async def forget_dm_channel(self, person: PersonId, account: int) -> None:
        """Delete a stored DM channel."""
        await self._do("DELETE FROM dm_channel WHERE person = ? AND account = ?", person, account)

    async def begin_holiday(self, person: PersonId, holiday: Holiday) -> None:
        """Begin a person's holiday."""
        await self._do(
            "INSERT INTO holiday (person, begun, latest) VALUES (?, ?, ?)",
            person,
            holiday.begun,
            holiday.latest,
        )

    async def end_holiday(self, person: PersonId, now: float) -> None:
        """End a person's holiday."""
        await self._do(
            "UPDATE holiday SET ended = CASE WHEN latest < ?1 THEN latest ELSE ?1 END"
            " WHERE person = ?2 AND ended IS NULL",
            now,
            person,
        )

    async def end_holidays(self, now: float) -> None:
        """End all holidays that have used up their time."""
        await self._do("UPDATE holiday SET ended = latest WHERE ended IS NULL AND latest <= ?", now)

    async def save_preset(self, person: PersonId, preset: Preset) -> None:
        """Keep a sentence for a person's next match."""
        await self._do(
            "INSERT INTO preset (person, game, menu, text) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (person, game, menu) DO UPDATE SET text = excluded.text",
            person,
            preset.game,
            preset.menu,
            preset.text,
        )

    async def save_lesson(self, person: PersonId, row: LessonRow) -> None:
        """Insert or replace a person's progress in a lesson."""
        await self._do(
            "INSERT INTO lesson (person, game, lesson, words, revision, trail, done)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (person, game, lesson) DO UPDATE SET words = excluded.words,"
            " revision = excluded.revision, trail = excluded.trail, done = excluded.done",
            person,
            row.game,
            row.key,
            json.dumps(row.draft.words),
            row.draft.revision,
            json.dumps(row.draft.trail),
            row.done,
        )

    async def rename_person(self, table_id: str, person: PersonId, name: str) -> None:
        """Replace a person with a pseudonym at one table, and delete their private data there.

        A running match still recognises former seat holders: see :meth:`has_held_seat`. An open table still
        recognises each person's first *Join*: see ``domain/first_joins``.
        """
        if await self._has_seen_a_seat(table_id, person):
            key = secrets.token_bytes(32)
            await self._do(
                "INSERT INTO held_seat (match, key, mark) VALUES (?, ?, ?)",
                table_id,
                key,
                mark_of(key, person),
            )
        # An open table keeps their first Join under a mark: a different one would change the deal.
        found = await self._one(
            "SELECT part FROM match WHERE id = ? AND status = 'open' AND part IS NOT NULL", table_id
        )
        if found is not None:
            await self._do(
                "UPDATE first_join SET person = ? WHERE match = ? AND person = ?",
                mark_of_join(found[0], person),
                table_id,
                person,
            )
        given = {"match": table_id, "person": person, "name": name}
        for change in OUT_OF_TABLE:
            await self._do_all(change, [given])

    async def delete_person(self, person: PersonId) -> None:
        """Delete a person's settings, DM channels, presets, lessons, holidays, seat offers and requests.

        Tables stay as they are.
        """
        await self._do("DELETE FROM person WHERE id = ?", person)
        await self._do("DELETE FROM dm_channel WHERE person = ?", person)
        await self._do("DELETE FROM preset WHERE person = ?", person)
        await self._do("DELETE FROM lesson WHERE person = ?", person)
        await self._do("DELETE FROM holiday WHERE person = ?", person)
        await self._do("DELETE FROM seat_offer WHERE person = ?", person)
        await self._do("DELETE FROM request WHERE person = ?", person)
