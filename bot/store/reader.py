"""All queries; the descriptions in ``tables`` decode rows."""

from __future__ import annotations

import hmac
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from bot.domain.clocks import Holiday
from bot.domain.jobs import STALE_MARK, TIMED, Job, QueuedJob, ShownRow
from bot.domain.lessons import LessonRow
from bot.domain.match import DraftRow, LogRow, Preset
from bot.domain.refusals import Act, CountedAct
from bot.domain.shards import ALL, Shards
from bot.domain.tables import HandledRequest, PersonId, Preferences, ServerRules, Status, TableCount, TableRow
from bot.store import assembly
from bot.store.errors import BrokenRecord
from bot.store.personal import ABOUT_PERSON, MATCHES_NAMING, mark_of
from bot.store.schema import SqlRow, Table
from bot.store.tables import matches
from bot.store.tables.matches import DRAFT
from bot.store.tables.people import COUNTED_ACT, HOLIDAY, LESSON, PERSON, PRESET, SERVER
from bot.store.tables.work import JOB, REQUEST, SHOWN, queued_job

LOG = logging.getLogger("bauta.store")

T = TypeVar("T")

_DUE = """
FROM chair JOIN match ON match.id = chair.match
WHERE deadline IS NOT NULL AND asked = 1 AND overdue = 0 AND withdrawn = 0 AND stopped_at IS NULL
    AND status = 'running'
"""
"""Chairs whose clocks run; served by the index of deadlines."""

_ON_SHARDS = "(match.guild >> 22) % ? IN (SELECT value FROM json_each(?))"
"""Matches on the servers of some shards, by shard count and shard ids: Discord's formula."""

_REMINDED = """
FROM chair JOIN match ON match.id = chair.match
WHERE remind_at IS NOT NULL AND stopped_at IS NULL AND withdrawn = 0 AND stand_in = 0
    AND status = 'running'
"""
"""Chairs with a reminder due some time; served by the index of reminders."""

_TIMED = ", ".join(f"'{kind.value}'" for kind in TIMED)

_QUEUED = (
    f"SELECT {JOB.fields}, due, channel, host, status"  # noqa: S608 - our own names
    " FROM job LEFT JOIN match ON match.id = job.match "
)

WITHOUT_RESULT = "without_result:"
"""Prefix of keys in ``house`` for matches whose result cannot be recovered; the match's id follows."""

_STATUSES = sorted(status.value for status in Status)
"""A table with any other status is broken; every list includes it, so that its players are notified."""

_OTHER_STATUS = " OR ".join(
    [
        f"status < '{_STATUSES[0]}'",
        *(f"status > '{one}' AND status < '{following}'" for one, following in pairwise(_STATUSES)),
        f"status > '{_STATUSES[-1]}'",
    ]
)

_IN_STATUS_OR_ENDED = f"""
WHERE id IN (
    SELECT id FROM match WHERE status IN (SELECT value FROM json_each(?))
    UNION SELECT id FROM match WHERE ended_at > ?
    UNION SELECT id FROM match WHERE {_OTHER_STATUS})
"""  # noqa: S608 - our own statuses
"""Each part has its own index, so that tables long over, which are most, are not read."""


class Reader(ABC):
    """All queries, answered from one consistent snapshot."""

    @abstractmethod
    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        """Return all rows of a query."""

    async def _one(self, sql: str, *values: object) -> SqlRow | None:
        return next(iter(await self._all(sql, *values)), None)

    async def _ids(self, sql: str, *values: object) -> list[str]:
        """Return the first column of a query."""
        return [row[0] for row in await self._all(sql, *values)]

    async def _records(self, table: Table[T], where: str, *values: object) -> list[T]:
        """Return records, except broken ones: these can be done without, unlike those of a match."""
        found: list[T] = []
        for row in await self._all(table.select(where), *values):
            try:
                found.append(table.decode(row))
            except BrokenRecord as error:
                LOG.error("%s cannot be read (%s)", table.name, error)
        return found

    async def _record(self, table: Table[T], where: str, *values: object) -> T | None:
        """Return a record; ``None``: there is none, or it is broken."""
        return next(iter(await self._records(table, where, *values)), None)

    async def table(self, table_id: str) -> TableRow | None:
        """Return a table. The id may come from a user, so it is validated before it reaches the database."""
        if not assembly.is_table_id(table_id):
            return None
        return next(iter(await self._tables("WHERE id = ?", table_id)), None)

    async def version(self, table_id: str) -> int:
        """Return a table's version, or 0 if there is no such table."""
        row = await self._one("SELECT version FROM match WHERE id = ?", table_id)
        return row[0] if row and isinstance(row[0], int) else 0

    async def table_of_thread(self, thread_id: int) -> str | None:
        """Return the id of the table whose match has this thread."""
        row = await self._one("SELECT id FROM match WHERE thread = ?", thread_id)
        return row[0] if row else None

    async def rematch_of(self, table_id: str) -> str | None:
        """Return the id of the rematch of a table, unless it was given up."""
        row = await self._one("SELECT id FROM match WHERE rematch_of = ? AND status <> 'closed'", table_id)
        return row[0] if row else None

    async def matches_before(self, table_id: str) -> int:
        """Return how many matches led to a table by rematches."""
        row = await self._one(
            "WITH RECURSIVE series (id) AS (SELECT rematch_of FROM match WHERE id = ?"
            " UNION ALL SELECT match.rematch_of FROM match JOIN series ON match.id = series.id)"
            " SELECT count(*) FROM series WHERE id IS NOT NULL",
            table_id,
        )
        return 0 if row is None else int(row[0])

    async def tables_of(self, person: PersonId, ended_after: float) -> list[TableRow]:
        """Return a person's open, running, frozen and broken tables, and those ended after a Unix time.

        A match closed without a result has ended too: its status is ``over`` here.
        """
        return await self._tables(
            "WHERE id IN (SELECT match FROM chair WHERE person = ?)"
            " AND (status IN ('open', 'running', 'frozen') OR (status = 'over' AND ended_at > ?)"
            " OR status NOT IN (SELECT value FROM json_each(?)))"
            " ORDER BY opened_at, id",
            person,
            ended_after,
            _STATUSES,
        )

    async def tables_in(
        self, statuses: Sequence[Status], ended_after: float, shards: Shards | None = None
    ) -> list[TableRow]:
        """Return the tables in these statuses, those that ended after a Unix time, and broken ones.

        ``shards``: only tables on their servers.
        """
        shards = shards or ALL
        return await self._tables(
            _IN_STATUS_OR_ENDED + " AND (guild >> 22) % ? BETWEEN ? AND ? ORDER BY opened_at, id",
            [status.value for status in statuses],
            ended_after,
            shards.count,
            shards.first,
            shards.last,
        )

    async def unbegun(self) -> list[str]:
        """Return the ids of all tables that have a part of a shuffle but no match yet.

        These are open tables, closed tables that can be reopened, and broken tables.
        """
        return await self._ids("SELECT id FROM match WHERE part IS NOT NULL AND seed IS NULL ORDER BY id")

    async def lacking_results(self, shards: Shards) -> list[str]:
        """Return the matches on the servers of ``shards`` that are over but have no result yet.

        Those marked with :data:`WITHOUT_RESULT` are left out.
        """
        return await self._ids(
            "SELECT id FROM match WHERE status = 'over' AND closed = 0 AND (guild >> 22) % ? BETWEEN ? AND ?"
            " AND NOT EXISTS (SELECT 1 FROM ending WHERE ending.match = match.id)"
            " AND NOT EXISTS (SELECT 1 FROM house WHERE key = ? || match.id) ORDER BY id",
            shards.count,
            shards.first,
            shards.last,
            WITHOUT_RESULT,
        )

    async def ill_shown(self, surface: str, shards: Shards) -> list[str]:
        """Return the running matches whose message on a surface is missing, misplaced or stale."""
        return await self._ids(
            "SELECT match.id FROM match LEFT JOIN shown ON shown.match = match.id AND surface = ?"
            " WHERE status = 'running' AND (guild >> 22) % ? BETWEEN ? AND ?"
            " AND (message IS NULL OR message = 0 OR shown.channel <> coalesce(thread, shown.channel)"
            " OR table_version < match.version OR substr(digest, 1, 1) IN ('', ?))",
            surface,
            shards.count,
            shards.first,
            shards.last,
            STALE_MARK,
        )

    async def count_tables(self, person: PersonId, channel_id: int) -> TableCount:
        """Return how many open and running tables a person and a channel have."""
        row = await self._one(
            "SELECT (SELECT count(*) FROM match WHERE status = 'open' AND host = ?1),"
            " (SELECT count(*) FROM chair JOIN match ON match.id = chair.match"
            "  WHERE person = ?1 AND status IN ('open', 'running')),"
            " (SELECT count(*) FROM match WHERE status = 'open' AND channel = ?2),"
            " (SELECT count(*) FROM match WHERE status IN ('open', 'running') AND channel = ?2)",
            person,
            channel_id,
        )
        return TableCount(*row) if row else TableCount(0, 0, 0, 0)

    async def count_on_server(self, guild_id: int) -> int:
        """Return how many tables of a server are open or running."""
        row = await self._one(
            "SELECT count(*) FROM match WHERE guild = ? AND status IN ('open', 'running')", guild_id
        )
        return row[0] if row else 0

    async def running_threads(self, guild_id: int) -> list[tuple[str, int, int]]:
        """Return the running matches with a thread on a server: id, channel and thread of each."""
        rows = await self._all(
            "SELECT id, channel, thread FROM match"
            " WHERE status = 'running' AND guild = ? AND thread IS NOT NULL ORDER BY id",
            guild_id,
        )
        return [(row[0], row[1], row[2]) for row in rows]

    async def log(self, table_id: str) -> list[LogRow]:
        """Return the rows of a match's log in order; raises :class:`BrokenRecord`."""
        rows = await self._all(matches.LOG.select("WHERE match = ? ORDER BY seq"), table_id)
        return assembly.log_rows(rows)

    async def drafts(self, table_id: str) -> list[DraftRow]:
        """Return the drafts of a match; raises :class:`BrokenRecord`."""
        rows = await self._all(DRAFT.select("WHERE match = ? ORDER BY seat, aside"), table_id)
        return list(map(DRAFT.decode, rows))

    async def request(self, request_id: str) -> HandledRequest | None:
        """Return the record of a handled interaction; ``None``: it was not handled."""
        row = await self._one(REQUEST.select("WHERE id = ?"), request_id)
        return REQUEST.decode(row) if row else None

    async def shown(self, table_id: str, surface: str) -> ShownRow | None:
        """Return what a surface of a table shows; ``None`` if unknown."""
        row = await self._one(SHOWN.select("WHERE match = ? AND surface = ?"), table_id, surface)
        try:
            return SHOWN.decode(row) if row else None
        except BrokenRecord as error:
            # The message can be searched for in its channel.
            LOG.error("table %s: shown message cannot be read (%s)", table_id, error)
            return None

    async def surfaces(self, table_id: str, prefix: str) -> list[str]:
        """Return the surfaces of a table that begin with ``prefix``."""
        return await self._ids(
            "SELECT surface FROM shown WHERE match = ?1 AND substr(surface, 1, length(?2)) = ?2",
            table_id,
            prefix,
        )

    async def is_retired(self, message_id: int) -> bool:
        """Return whether a message is marked to lose its buttons for good."""
        return await self._one("SELECT 1 FROM retired WHERE message = ?", message_id) is not None

    async def next_jobs(self, limit: int, now: float) -> list[Job]:
        """Return up to ``limit`` jobs that are ready as the worker's ``Backlog`` has it, oldest first."""
        ready = f"due <= ?1 OR (tries = 0 AND kind NOT IN ({_TIMED}))"
        return await self._records(JOB, f"WHERE {ready} ORDER BY due, revision LIMIT ?2", now, limit)

    async def unfinished(self, now: float) -> list[str]:
        """Return the tables that have a due job."""
        return await self._ids(
            "SELECT id FROM match WHERE id IN (SELECT match FROM job WHERE due <= ?) ORDER BY id", now
        )

    async def jobs_after(self, revision: int, limit: int) -> tuple[list[QueuedJob], list[int]]:
        """Return the oldest jobs after a revision, due or not, and the revisions of broken ones."""
        return _queued(
            await self._all(f"{_QUEUED} WHERE revision > ? ORDER BY revision LIMIT ?", revision, limit)
        )

    async def jobs_of(self, table_ids: Iterable[str], now: float) -> tuple[list[QueuedJob], list[int]]:
        """Return the due jobs of tables, oldest first, and the revisions of broken ones."""
        return _queued(
            await self._all(
                _QUEUED  # noqa: S608 - our own text
                + " WHERE job.match IN (SELECT value FROM json_each(?)) AND due <= ? ORDER BY revision",
                list(table_ids),
                now,
            )
        )

    async def next_due(self) -> float | None:
        """Return when the next job is due; ``None``: there is none."""
        row = await self._one("SELECT min(due) FROM job")
        return row[0] if row else None

    async def past_deadline(self, now: float, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables with an expired clock that is not handled yet, the earliest deadline first.

        Here and below, only tables on the servers of ``shards`` (of ``count``) are returned.
        """
        return await self._ids(
            f"SELECT match.id {_DUE} AND deadline <= ? AND {_ON_SHARDS}"
            " GROUP BY match.id ORDER BY min(deadline)",
            now,
            count,
            list(shards),
        )

    async def by_deadline(self, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables whose boards show a deadline, the nearest first.

        A player who decided in secret is no longer pending, but the board still shows their deadline.
        """
        return await self._ids(
            "SELECT match.id FROM chair JOIN match ON match.id = chair.match"  # noqa: S608 - our own text
            " WHERE deadline IS NOT NULL AND stopped_at IS NULL AND status = 'running'"
            f" AND {_ON_SHARDS} GROUP BY match.id ORDER BY min(deadline)",
            count,
            list(shards),
        )

    async def next_deadline(self, after: float, count: int, shards: Iterable[int]) -> float | None:
        """Return the next deadline after a Unix time; ``None``: there is none."""
        row = await self._one(
            f"SELECT min(deadline) {_DUE} AND deadline > ? AND {_ON_SHARDS}", after, count, list(shards)
        )
        return row[0] if row else None

    async def due_reminders(self, now: float, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables with a due reminder, the oldest reminder first."""
        return await self._ids(
            f"SELECT match.id {_REMINDED} AND remind_at <= ? AND {_ON_SHARDS}"
            " GROUP BY match.id ORDER BY min(remind_at)",
            now,
            count,
            list(shards),
        )

    async def next_reminder(self, after: float, count: int, shards: Iterable[int]) -> float | None:
        """Return when the next reminder after a Unix time is due; ``None``: there is none."""
        row = await self._one(
            f"SELECT min(remind_at) {_REMINDED} AND remind_at > ? AND {_ON_SHARDS}",
            after,
            count,
            list(shards),
        )
        return row[0] if row else None

    async def unchanged_since(self, at: float, count: int, shards: Iterable[int]) -> list[str]:
        """Return the running matches with clocks that have had no public change since a Unix time."""
        return await self._ids(
            "SELECT id FROM match WHERE status = 'running' AND pace <> 'none' AND changed_at <= ?"  # noqa: S608
            f" AND {_ON_SHARDS} ORDER BY id",
            at,
            count,
            list(shards),
        )

    async def values_like(self, beginning: str) -> list[tuple[str, str]]:
        """Return the keys and values in ``house`` whose keys begin with ``beginning``."""
        rows = await self._all(
            "SELECT key, value FROM house WHERE substr(key, 1, ?) = ?", len(beginning), beginning
        )
        return [(row[0], row[1]) for row in rows]

    async def value(self, key: str) -> str | None:
        """Return the value of a key in ``house``."""
        row = await self._one("SELECT value FROM house WHERE key = ?", key)
        return row[0] if row else None

    async def server_rules(self, guild_id: int) -> ServerRules:
        """Return the rules of a server, or the defaults."""
        # Broken rules fall back to the defaults, which lock nobody out.
        return await self._record(SERVER, "WHERE guild = ?", guild_id) or ServerRules()

    async def counted_acts(self, people: Sequence[PersonId], act: Act, after: float) -> list[CountedAct]:
        """Return a person's counted acts after a Unix time, latest first; ``people``: all their ids."""
        where = "WHERE person IN (SELECT value FROM json_each(?)) AND act = ? AND at > ? ORDER BY at DESC"
        return await self._records(COUNTED_ACT, where, list(people), act.value, after)

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

    async def has_sat(self, person: PersonId) -> bool:
        """Return whether a person has a chair at any stored table."""
        return await self._one("SELECT 1 FROM chair WHERE person = ? LIMIT 1", person) is not None

    async def preferences(self, person: PersonId) -> Preferences:
        """Return a person's preferences, or the defaults."""
        return await self._record(PERSON, "WHERE id = ?", person) or Preferences()

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
        return await self._records(HOLIDAY, "WHERE person = ? ORDER BY begun", person)

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
        return await self._ids(
            "SELECT DISTINCT match.id FROM match JOIN chair ON chair.match = match.id"
            " WHERE status = 'running' AND pace IN ('day', 'slow') AND withdrawn = 0"
            " AND (away = 1 AND person NOT IN (SELECT person FROM holiday WHERE ended IS NULL)"
            " OR away = 0 AND person IN (SELECT person FROM holiday WHERE ended IS NULL))"
        )

    async def on_holiday(self, people: Iterable[PersonId]) -> frozenset[PersonId]:
        """Return which of these people are on holiday."""
        rows = await self._all(
            "SELECT person FROM holiday WHERE ended IS NULL AND person IN (SELECT value FROM json_each(?))",
            list(people),
        )
        return frozenset(row[0] for row in rows)

    async def presets(self, person: PersonId, game: str) -> list[Preset]:
        """Return a person's presets for a game."""
        return await self._records(PRESET, "WHERE person = ? AND game = ? ORDER BY menu", person, game)

    async def lessons(self, person: PersonId, game: str) -> list[LessonRow]:
        """Return a person's progress in the lessons of a game."""
        return await self._records(LESSON, "WHERE person = ? AND game = ?", person, game)

    async def tables_naming(self, person: PersonId) -> list[str]:
        """Return the ids of all tables whose rows name a person, in any role."""
        return await self._ids(MATCHES_NAMING, person)

    async def has_held_seat(self, table_id: str, person: PersonId) -> bool:
        """Return whether a person held a seat of an unfinished match before they deleted their data."""
        rows = await self._all("SELECT key, mark FROM held_seat WHERE match = ?", table_id)
        return any(hmac.compare_digest(mark_of(key, person), mark) for key, mark in rows)

    async def kept_about(self, person: PersonId) -> dict[str, list[dict[str, Any]]]:
        """Return all rows about a person, by topic, as JSON data and without secrets of their matches."""
        return {
            topic: [query.answer(row) for row in await self._all(query.sql, person)]
            for topic, query in ABOUT_PERSON.items()
        }

    async def _tables(self, where: str, *values: object) -> list[TableRow]:
        return await assembly.tables(self._all, where, *values)


def _queued(rows: Iterable[SqlRow]) -> tuple[list[QueuedJob], list[int]]:
    found: list[QueuedJob] = []
    broken: list[int] = []
    for row in rows:
        try:
            found.append(queued_job(row))
        except BrokenRecord:
            broken.append(row[0])
    return found, broken
