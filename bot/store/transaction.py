"""All changes; what a record stores follows from the descriptions in ``tables``."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TypeVar

from bot.domain.clocks import Holiday
from bot.domain.jobs import STALE_MARK, Job, JobKind, NewJob, Shown
from bot.domain.lessons import LessonRow
from bot.domain.match import DraftRow, LogRow, Preset
from bot.domain.refusals import CountedAct
from bot.domain.results import Ending, SeatResult
from bot.domain.surfaces import BOARD
from bot.domain.tables import (
    REQUEST_LIFE_S,
    FormerHolder,
    HandledRequest,
    PersonId,
    Preferences,
    ServerRules,
    Status,
    TableRow,
    has_marks,
    mark_of_join,
)
from bot.store.personal import DISGUISE, OWN_ROWS_DELETION, REMOVAL_FROM_MATCH, SCRUB, mark_of
from bot.store.reader import Reader
from bot.store.schema import Parameters, Table
from bot.store.tables.matches import (
    ASKED,
    CHAIR,
    DRAFT,
    FIRST_JOIN,
    FORMER_HOLDER,
    INVITATION,
    LOG,
    MATCH,
    SEAT_OFFER,
    sittings,
)
from bot.store.tables.people import COUNTED_ACT, HOLIDAY, LESSON, NOTED_TIME, PERSON, PRESET, SERVER
from bot.store.tables.results import ENDING, RESULT
from bot.store.tables.work import CLOCK_CHANGES, REQUEST

T = TypeVar("T")

ERROR_LIMIT = 500
"""Maximum characters stored of a job's error."""

PRUNED_AT_ONCE = 50
"""Maximum handled requests, and counted acts, that one unit prunes: a backlog must not delay a commit."""

_SAVE_ASKED = f"UPDATE chair SET {', '.join(f'{name} = ?' for name in ASKED)} WHERE match = ? AND ord = ?"  # noqa: S608

_asked_values = CHAIR.encoder(ASKED)


class Transaction(Reader, ABC):
    """All changes to the database, as one atomic unit."""

    async def _do(self, sql: str, *values: object, unique: bool = False, found: bool = False) -> None:
        """Make one change."""
        await self._do_all(sql, [values], unique=unique, found=found)

    @abstractmethod
    async def _do_all(
        self, sql: str, rows: Sequence[Parameters], *, unique: bool = False, found: bool = False
    ) -> None:
        """Make the same change for several rows."""

    @abstractmethod
    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox, with their tables' versions in this unit.

        A job that is there already gets a new revision.
        """

    @abstractmethod
    async def drop_unreadable(self) -> None:
        """Delete jobs and ``shown`` rows that the database itself would refuse to change."""

    async def _add(self, table: Table[T], record: T, *, unique: bool = False, **beside: object) -> None:
        """Insert a record, with the columns that are not in it."""
        await self._do(table.insert(*beside), *beside.values(), *table.values(record), unique=unique)

    async def _save(self, table: Table[T], record: T, **beside: object) -> None:
        """Insert a record, or replace the one with the same key."""
        await self._do(table.upsert(*beside), *beside.values(), *table.values(record))

    async def save_table(self, row: TableRow) -> None:
        """Insert or update a table without its chairs; raises :class:`Conflict` for a second rematch.

        Of a table that exists, only what can change is updated.
        """
        await self._do(MATCH.upsert(), *MATCH.values(row), unique=True)
        if row.info.status in (Status.OVER, Status.CLOSED):
            await self._forget_holders(row.info.id)

    async def _forget_holders(self, table_id: str) -> None:
        """Delete the marks of former seat holders of a finished match who deleted their data."""
        await self._erase("held_seat WHERE match = ?1", table_id)

    async def _forget_joiners(self, table_id: str) -> None:
        """Delete the marks at a table of first *Joins* of people who deleted their data."""
        await self._erase("first_join WHERE match = ?1 AND person < 0", table_id)

    async def _erase(self, rows: str, table_id: str) -> None:
        """Delete rows of a match; if there are any, the database files have to be scrubbed."""
        await self._do(
            f"INSERT INTO house (key, value) SELECT ?2, ?3 WHERE EXISTS (SELECT 1 FROM {rows})"  # noqa: S608
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            table_id,
            SCRUB,
            secrets.token_hex(4),
        )
        await self._do(f"DELETE FROM {rows}", table_id)  # noqa: S608 - our own conditions

    async def advance(self, table_id: str, version: int) -> None:
        """Raise a table's version by one, to ``version``; raises :class:`Conflict` if it was another."""
        await self._do(
            "UPDATE match SET version = ? WHERE id = ? AND version = ?",
            version,
            table_id,
            version - 1,
            found=True,
        )

    async def set_restore_id(self, restore_id: str) -> None:
        """Key all further random draws of unfinished matches with the id of a restore."""
        # Also of broken matches: they may be repaired and continue.
        await self._do(
            "UPDATE match SET restore_id = ? WHERE seed IS NOT NULL AND status <> 'over'", restore_id
        )

    async def replace_part(self, table_id: str, part: bytes, commitment: str, surface: str) -> None:
        """Replace the part of the shuffle of a table whose match has not begun.

        The message on ``surface`` is forgotten: the match cannot start until the new hash is posted.
        """
        await self._do(
            "UPDATE match SET part = ?, commitment = ?, version = version + 1 WHERE id = ? AND seed IS NULL",
            part,
            commitment,
            table_id,
        )
        await self._do("DELETE FROM shown WHERE match = ? AND surface = ?", table_id, surface)
        # The marks were keyed with the former part, which may be known.
        await self._forget_joiners(table_id)

    async def save_asked(self, row: TableRow) -> None:
        """Save which seats of a table are pending (``asked``), since when, and their clocks."""
        await self._do_all(
            _SAVE_ASKED,
            [(*_asked_values(each), row.info.id, each.chair.order) for each in sittings(row)],
        )

    async def save_chairs(self, row: TableRow) -> None:
        """Replace the chairs, invitations and first joins of a saved table."""
        table_id = row.info.id
        await self._replace(CHAIR, table_id, sittings(row))
        await self._replace(INVITATION, table_id, row.invited, numbered=True)
        if not has_marks(row.first_joins):
            await self._forget_joiners(table_id)
        await self._replace(FIRST_JOIN, table_id, row.first_joins, numbered=True)

    async def save_seat_offer(self, row: TableRow) -> None:
        """Save the seat offer of a table, or delete it if there is none."""
        await self._do("DELETE FROM seat_offer WHERE match = ?", row.info.id)
        if row.offer is not None:
            await self._add(SEAT_OFFER, row.offer, match=row.info.id)

    async def _replace(
        self, table: Table[T], table_id: str, records: Iterable[T], *, numbered: bool = False
    ) -> None:
        """Replace a match's rows in a table; ``numbered``: with their places."""
        await self._do(f"DELETE FROM {table.name} WHERE match = ?", table_id)  # noqa: S608 - our own name
        rows = [table.values(each) for each in records]
        if numbered:
            rows = [[place, *values] for place, values in enumerate(rows)]
        beside = ("match", "ord") if numbered else ("match",)
        await self._do_all(table.insert(*beside), [(table_id, *values) for values in rows])

    async def add_former_holder(self, table_id: str, former: FormerHolder) -> None:
        """Save a former holder of a seat."""
        await self._add(FORMER_HOLDER, former, match=table_id)

    async def shift_clocks(self, seconds: float, count: int, shards: Iterable[int]) -> None:
        """Move every deadline of running matches by ``seconds``, and raise their tables' versions.

        Only matches on the servers of ``shards`` (of ``count``) are changed.
        """
        ids = list(shards)
        await self._do(
            "UPDATE match SET version = version + 1 WHERE status = 'running'"
            " AND (guild >> 22) % ?1 IN (SELECT value FROM json_each(?2))"
            " AND EXISTS (SELECT 1 FROM chair WHERE chair.match = match.id AND deadline IS NOT NULL)",
            count,
            ids,
        )
        await self._do(
            "UPDATE chair SET until = until + ?1, deadline = deadline + ?1, remind_at = remind_at + ?1,"
            " stopped_at = stopped_at + ?1 WHERE deadline IS NOT NULL"
            " AND match IN (SELECT id FROM match WHERE status = 'running'"
            " AND (guild >> 22) % ?2 IN (SELECT value FROM json_each(?3)))",
            seconds,
            count,
            ids,
        )

    async def shift_people(self, seconds: float) -> None:
        """Move people's holidays, reminders and limits by ``seconds``: the machine's clock was set."""
        for change in CLOCK_CHANGES:
            await self._do(change, seconds)

    async def shift_jobs(self, seconds: float, now: float, count: int, shards: Iterable[int]) -> None:
        """Move by ``seconds`` when jobs are due; ``now`` is the time before the clock was set.

        Calls that wait for the end of somebody's quiet hours stay. Only jobs of ``shards`` are changed.
        """
        await self._do(
            "UPDATE job SET due = due + ?1 WHERE (kind <> 'remind' OR due <= ?2) AND EXISTS (SELECT 1"
            " FROM match WHERE id = job.match AND (guild >> 22) % ?3 IN (SELECT value FROM json_each(?4)))",
            seconds,
            now,
            count,
            list(shards),
        )

    async def append(self, table_id: str, row: LogRow) -> None:
        """Append a row to a log; raises :class:`Conflict` if its number or request exists already."""
        await self._add(LOG, row, match=table_id, unique=True)

    async def save_result(self, ending: Ending, results: Iterable[SeatResult]) -> None:
        """Save how a match ended, unless it is saved already."""
        await self._do(f"{ENDING.insert()} ON CONFLICT DO NOTHING", *ENDING.values(ending))
        await self._do_all(
            f"{RESULT.insert('match')} ON CONFLICT DO NOTHING",
            [(ending.match, *RESULT.values(each)) for each in results],
        )

    async def save_draft(self, table_id: str, row: DraftRow) -> None:
        """Insert or replace a draft."""
        await self._save(DRAFT, row, match=table_id)

    async def add_request(self, request: HandledRequest, at: float) -> None:
        """Record a handled request; raises :class:`Conflict` if it was recorded before.

        Records of interactions that cannot recur are pruned, by Discord's clock, since this machine's may
        have been set. ``at``: the Unix time of a request that did not come from Discord.
        """
        sent_at = request.sent_at
        kept_at = at if sent_at is None else sent_at
        await self._add(REQUEST, request, at=kept_at, unique=True)
        if sent_at is not None:
            await self._do(
                "DELETE FROM request WHERE id IN (SELECT id FROM request WHERE at < ? ORDER BY at LIMIT ?)",
                sent_at - REQUEST_LIFE_S,
                PRUNED_AT_ONCE,
            )

    async def done(self, job: Job) -> None:
        """Delete a job, unless it was enqueued again meanwhile."""
        await self._do("DELETE FROM job WHERE revision = ?", job.revision)

    async def cancel(self, table_id: str, kind: JobKind) -> None:
        """Delete a table's jobs of a kind."""
        await self._do("DELETE FROM job WHERE match = ? AND kind = ?", table_id, kind.value)

    async def remove_jobs(self, revisions: Iterable[int]) -> None:
        """Delete jobs by revision, and enqueue checks of their tables' messages instead."""
        rows = [(revision,) for revision in revisions]
        for kind in (JobKind.LOBBY, JobKind.CHECK):
            await self._do_all(
                "INSERT INTO job (match, kind, target, due)"
                " SELECT match.id, ?, '', 0 FROM job JOIN match ON match.id = job.match WHERE revision = ?"
                " ON CONFLICT DO NOTHING",
                [(kind.value, revision) for (revision,) in rows],
            )
        await self._do_all("DELETE FROM job WHERE revision = ?", rows)

    async def failed(self, job: Job, error: str, retry_at: float) -> None:
        """Schedule a retry of a job at a Unix time, unless it was enqueued again meanwhile."""
        await self._do(
            "UPDATE job SET tries = tries + 1, error = ?, due = ? WHERE revision = ?",
            error[:ERROR_LIMIT],
            retry_at,
            job.revision,
        )

    async def set_shown(self, table_id: str, surface: str, shown: Shown, before: str = "") -> None:
        """Save what a message shows; a new epoch also keeps the version that the previous message showed.

        ``before``: the stored digest when building the page began. A stale mark set since then stays: the
        page may be built from stale data.
        """
        await self._do(
            "INSERT INTO shown"
            " (match, surface, channel, message, epoch, version, since, table_version, digest)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8)"
            " ON CONFLICT (match, surface) DO UPDATE SET"
            " since = CASE WHEN excluded.epoch > shown.epoch AND excluded.epoch > shown.version"
            " THEN shown.version ELSE shown.since END,"
            " channel = excluded.channel, message = excluded.message,"
            " epoch = excluded.epoch, version = excluded.version,"
            " table_version = excluded.table_version, digest = CASE"
            " WHEN substr(shown.digest, 1, 1) = ?9 AND shown.digest <> ?10"
            " THEN shown.digest ELSE excluded.digest END",
            table_id,
            surface,
            shown.channel_id,
            shown.message_id,
            shown.epoch,
            shown.version,
            shown.table_version,
            shown.digest,
            STALE_MARK,
            before,
        )

    async def note_version(self, table_id: str, surface: str, version: int) -> None:
        """Save that a message is still right for a newer version of its table."""
        await self._do(
            "UPDATE shown SET table_version = ?1 WHERE match = ?2 AND surface = ?3 AND table_version < ?1",
            version,
            table_id,
            surface,
        )

    async def drop_shown(self, table_id: str, surface: str) -> None:
        """Forget a message that is gone, but keep the versions shown on its surface."""
        await self._do(
            "UPDATE shown SET channel = 0, message = 0, digest = '' WHERE match = ? AND surface = ?",
            table_id,
            surface,
        )

    async def retire(self, message_id: int, at: float, expired: float) -> None:
        """Mark a message to lose its buttons for good; prune marks before ``expired``. Unix times."""
        await self._do("DELETE FROM retired WHERE at < ?", expired)
        await self._do(
            "INSERT INTO retired (message, at) VALUES (?, ?)"
            " ON CONFLICT (message) DO UPDATE SET at = excluded.at",
            message_id,
            at,
        )

    async def reinstate(self, message_id: int) -> None:
        """Remove the mark of :meth:`retire`: the message keeps its buttons."""
        await self._do("DELETE FROM retired WHERE message = ?", message_id)

    async def mark_stale(self, table_ids: Iterable[str]) -> None:
        """Mark tables' messages stale, so that the next job resends them.

        This includes a first board that is being sent now and is saved later.
        """
        ids = list(table_ids)
        await self._do_all(
            "INSERT INTO shown (match, surface, channel, message, epoch, version, since)"  # noqa: S608 - our own text
            f" SELECT id, '{BOARD}', 0, 0, 0, 0, 0 FROM match WHERE id = ? AND status = 'running'"
            " ON CONFLICT DO NOTHING",
            [(each,) for each in ids],
        )
        mark = f"{STALE_MARK}{secrets.token_hex(4)}"
        await self._do_all("UPDATE shown SET digest = ? WHERE match = ?", [(mark, each) for each in ids])

    async def retry_now(self, now: float) -> None:
        """Reschedule failed jobs to ``now``, a Unix time."""
        await self._do("UPDATE job SET due = ?1 WHERE tries > 0 AND due > ?1", now)

    async def drop_value(self, key: str, value: str | None = None) -> None:
        """Delete a key from ``house``; if ``value`` is given, only while it has that value."""
        await self._do("DELETE FROM house WHERE key = ?1 AND value = coalesce(?2, value)", key, value)

    async def set_value(self, key: str, value: str) -> None:
        """Insert or replace the value of a key in ``house``."""
        await self._do(
            "INSERT INTO house (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key,
            value,
        )

    async def save_server_rules(self, guild_id: int, rules: ServerRules) -> None:
        """Insert or replace the rules of a server."""
        await self._save(SERVER, rules, guild=guild_id)

    async def count_acts(self, acts: Iterable[CountedAct], expired: float) -> None:
        """Save counted acts, and prune some from before ``expired``, a Unix time."""
        await self._do_all(
            f"{COUNTED_ACT.insert()} ON CONFLICT DO NOTHING", [COUNTED_ACT.values(act) for act in acts]
        )
        await self._do(
            "DELETE FROM counted_act WHERE (request, act, recipient) IN"
            " (SELECT request, act, recipient FROM counted_act WHERE at < ? ORDER BY at LIMIT ?)",
            expired,
            PRUNED_AT_ONCE,
        )

    async def disguise_acts(self, person: PersonId, disguise: PersonId) -> None:
        """Replace a person's id in all counted acts."""
        for change in DISGUISE:
            await self._do(change, disguise, person)

    async def save_preferences(self, person: PersonId, preferences: Preferences) -> None:
        """Insert or replace a person's settings."""
        await self._save(PERSON, preferences, id=person)

    async def note_reminded(self, person: PersonId, at: float) -> None:
        """Save when a person was last reminded."""
        await self._do(NOTED_TIME.format("reminded_at"), person, at)

    async def note_unreached(self, person: PersonId, at: float | None) -> None:
        """Save when a direct message to a person last failed; ``None``: they get through."""
        await self._do(NOTED_TIME.format("unreached_at"), person, at)

    async def note_locale(self, person: PersonId, locale: str) -> None:
        """Save a person's locale at Discord; nothing is saved for a person without a chair."""
        await self._do(
            "INSERT INTO person (id, dms, language, locale)"
            " SELECT ?1, 0, '', ?2 WHERE EXISTS (SELECT 1 FROM chair WHERE person = ?1)"
            " ON CONFLICT (id) DO UPDATE SET locale = excluded.locale", person, locale,
        )  # fmt: skip

    async def note_dm_channel(self, person: PersonId, account: int, channel: int) -> None:
        """Save the DM channel of a bot account and a person.

        Nothing is saved for a person without a chair: they deleted their data during the send.
        """
        await self._do(
            "INSERT INTO dm_channel (person, account, channel)"
            " SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM chair WHERE person = ?1)"
            " ON CONFLICT (person, account) DO UPDATE SET channel = excluded.channel",
            person, account, channel,
        )  # fmt: skip

    async def forget_dm_channel(self, person: PersonId, account: int) -> None:
        """Delete a stored DM channel."""
        await self._do("DELETE FROM dm_channel WHERE person = ? AND account = ?", person, account)

    async def begin_holiday(self, person: PersonId, holiday: Holiday) -> None:
        """Begin a person's holiday."""
        await self._add(HOLIDAY, holiday, person=person)

    async def end_holiday(self, person: PersonId, now: float) -> None:
        """End a person's holiday."""
        await self._do(
            "UPDATE holiday SET ended = CASE WHEN latest < ?1 THEN latest ELSE ?1 END"
            " WHERE person = ?2 AND ended IS NULL", now, person,
        )  # fmt: skip

    async def end_holidays(self, now: float) -> None:
        """End all holidays that have used up their time."""
        await self._do("UPDATE holiday SET ended = latest WHERE ended IS NULL AND latest <= ?", now)

    async def save_preset(self, person: PersonId, preset: Preset) -> None:
        """Keep a sentence for a person's next match."""
        await self._save(PRESET, preset, person=person)

    async def save_lesson(self, person: PersonId, row: LessonRow) -> None:
        """Insert or replace a person's progress in a lesson."""
        await self._save(LESSON, row, person=person)

    async def rename_person(self, table_id: str, person: PersonId, name: str) -> None:
        """Replace a person with a pseudonym at one table, and delete their private data there.

        A running match still recognises former seat holders: see :meth:`has_held_seat`. An open table still
        recognises each person's first *Join*: see ``domain/first_joins``.
        """
        key = secrets.token_bytes(32)
        await self._do(
            "INSERT INTO held_seat (match, key, mark) SELECT ?1, ?3, ?4 FROM match"
            " WHERE id = ?1 AND status IN ('running', 'frozen')"
            " AND (EXISTS (SELECT 1 FROM chair WHERE match = ?1 AND person = ?2)"
            " OR EXISTS (SELECT 1 FROM former_holder WHERE match = ?1 AND person = ?2))",
            table_id, person, key, mark_of(key, person),
        )  # fmt: skip
        # An open table keeps their first Join under a mark: a different one would change the deal.
        found = await self._one(
            "SELECT part FROM match WHERE id = ? AND status = 'open' AND part IS NOT NULL", table_id
        )
        if found is not None:
            await self._do(
                "UPDATE first_join SET person = ? WHERE match = ? AND person = ?",
                mark_of_join(found[0], person), table_id, person,
            )  # fmt: skip
        given = {"match": table_id, "person": person, "name": name}
        for change in REMOVAL_FROM_MATCH:
            await self._do_all(change, [given])

    async def delete_person(self, person: PersonId) -> None:
        """Delete all rows that are a person's own, such as their settings and requests.

        Tables stay as they are.
        """
        for change in OWN_ROWS_DELETION:
            await self._do(change, person)
