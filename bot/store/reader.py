"""Queries of tables, logs, jobs and clocks; ``records`` decodes their rows."""

from __future__ import annotations

import logging
from abc import ABC
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bot.domain.jobs import STALE_MARK, Job, JobKind, QueuedJob, ShownRow
from bot.domain.match import DraftRow, LogRow
from bot.domain.shards import ALL, Shards
from bot.domain.tables import HandledRequest, PersonId, Status, TableCount, TableRow
from bot.store import records
from bot.store.people_questions import PeopleQuestions
from bot.store.records import SqlRow

LOG = logging.getLogger("bauta.store")

_TABLE = """
SELECT id, game, ruleset, seats, options, data_hashes, status, seed, commitment, host, host_name,
       guild, channel, thread, rematch_of, opened_at, started_at, changed_at, ended_at, theme, version,
       pace, time_up, closed, hints, part, start_id, restore_id
FROM match
"""

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


_QUEUED = """
SELECT revision, job.match, kind, target, tries, job.version, due, channel, host, status
FROM job LEFT JOIN match ON match.id = job.match
"""

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


class Reader(PeopleQuestions, ABC):
    """All queries, answered from one consistent snapshot."""

    async def table(self, table_id: str) -> TableRow | None:
        """Return a table. The id may come from a user, so it is validated before it reaches the database."""
        if not records.is_table_id(table_id):
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

    async def tables_of(self, person: PersonId, ended_after: float) -> list[TableRow]:
        """Return a person's open, running, frozen and broken tables, and those ended after a Unix time."""
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
        rows = await self._all("SELECT id FROM match WHERE part IS NOT NULL AND seed IS NULL ORDER BY id")
        return [row[0] for row in rows]

    async def ill_shown(self, surface: str, shards: Shards) -> list[str]:
        """Return the running matches whose message on a surface is missing, misplaced or stale."""
        rows = await self._all(
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
        return [row[0] for row in rows]

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
        rows = await self._all(
            "SELECT seq, kind, seat, words, digest, request, at, chain, remaining, restore_id FROM log"
            " WHERE match = ? ORDER BY seq",
            table_id,
        )
        return records.log_rows(rows)

    async def drafts(self, table_id: str) -> list[DraftRow]:
        """Return the drafts of a match; raises :class:`BrokenRecord`."""
        rows = await self._all(
            "SELECT seat, aside, words, revision, cut, trail, confirmed FROM draft"
            " WHERE match = ? ORDER BY seat, aside",
            table_id,
        )
        return [records.draft_row(row) for row in rows]

    async def request(self, request_id: str) -> HandledRequest | None:
        """Return the record of a handled interaction; ``None``: it was not handled."""
        row = await self._one("SELECT id, match, person, act, answer FROM request WHERE id = ?", request_id)
        return HandledRequest(*row) if row else None

    async def shown(self, table_id: str, surface: str) -> ShownRow | None:
        """Return what a surface of a table shows; ``None`` if unknown."""
        row = await self._one(
            "SELECT channel, message, epoch, version, table_version, digest, since"
            " FROM shown WHERE match = ? AND surface = ?",
            table_id,
            surface,
        )
        if row is None:
            return None
        try:
            return records.shown_row(row)
        except records.BrokenRecord as error:
            # The message can be searched for in its channel.
            LOG.error("table %s: shown message cannot be read (%s)", table_id, error)
            return None

    async def surfaces(self, table_id: str, prefix: str) -> list[str]:
        """Return the surfaces of a table that begin with ``prefix``."""
        rows = await self._all(
            "SELECT surface FROM shown WHERE match = ?1 AND substr(surface, 1, length(?2)) = ?2",
            table_id,
            prefix,
        )
        return [row[0] for row in rows]

    async def is_retired(self, message_id: int) -> bool:
        """Return whether a message is marked to lose its buttons for good."""
        return await self._one("SELECT 1 FROM retired WHERE message = ?", message_id) is not None

    async def next_jobs(self, limit: int, now: float) -> list[Job]:
        """Return up to ``limit`` due jobs, oldest first."""
        rows = await self._all(
            "SELECT match, kind, target, revision, tries, version FROM job"
            " WHERE due <= ? ORDER BY due, revision LIMIT ?",
            now,
            limit,
        )
        return [Job(row[0], JobKind(row[1]), *row[2:]) for row in rows]

    async def unfinished(self, now: float) -> list[str]:
        """Return the tables that have a due job."""
        rows = await self._all(
            "SELECT id FROM match WHERE id IN (SELECT match FROM job WHERE due <= ?) ORDER BY id", now
        )
        return [row[0] for row in rows]

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
        rows = await self._all(
            f"SELECT match.id {_DUE} AND deadline <= ? AND {_ON_SHARDS}"
            " GROUP BY match.id ORDER BY min(deadline)",
            now,
            count,
            list(shards),
        )
        return [row[0] for row in rows]

    async def by_deadline(self, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables whose boards show a deadline, the nearest first.

        A player who decided in secret is no longer pending, but the board still shows their deadline.
        """
        rows = await self._all(
            "SELECT match.id FROM chair JOIN match ON match.id = chair.match"  # noqa: S608 - our own text
            " WHERE deadline IS NOT NULL AND stopped_at IS NULL AND status = 'running'"
            f" AND {_ON_SHARDS} GROUP BY match.id ORDER BY min(deadline)",
            count,
            list(shards),
        )
        return [row[0] for row in rows]

    async def next_deadline(self, after: float, count: int, shards: Iterable[int]) -> float | None:
        """Return the next deadline after a Unix time; ``None``: there is none."""
        row = await self._one(
            f"SELECT min(deadline) {_DUE} AND deadline > ? AND {_ON_SHARDS}", after, count, list(shards)
        )
        return row[0] if row else None

    async def due_reminders(self, now: float, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables with a due reminder, the oldest reminder first."""
        rows = await self._all(
            f"SELECT match.id {_REMINDED} AND remind_at <= ? AND {_ON_SHARDS}"
            " GROUP BY match.id ORDER BY min(remind_at)",
            now,
            count,
            list(shards),
        )
        return [row[0] for row in rows]

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
        rows = await self._all(
            "SELECT id FROM match WHERE status = 'running' AND pace <> 'none' AND changed_at <= ?"  # noqa: S608
            f" AND {_ON_SHARDS} ORDER BY id",
            at,
            count,
            list(shards),
        )
        return [row[0] for row in rows]

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

    async def _tables(self, where: str, *values: object) -> list[TableRow]:
        # A fixed number of queries, however many tables.
        found = await self._all(_TABLE + where, *values)
        # Without a valid id, there is nobody to notify.
        matches = [row for row in found if records.is_table_id(row[0])]
        if len(matches) < len(found):
            LOG.error("%d tables skipped: their ids cannot be read", len(found) - len(matches))
        ids = [row[0] for row in matches]
        chairs = await self._all(
            "SELECT match, ord, person, name, seat, withdrawn, asked, asked_at, stand_in,"
            " reserve, until, deadline, missed, overdue, remind_at, reminded, nudged, stopped_at,"
            " muted, away, level, join_id FROM chair"
            " WHERE match IN (SELECT value FROM json_each(?)) ORDER BY match, ord",
            ids,
        )
        invited = await self._all(
            "SELECT match, person, name FROM invitation"
            " WHERE match IN (SELECT value FROM json_each(?)) ORDER BY match, ord",
            ids,
        )
        former = await self._all(
            "SELECT match, seat, person, name, at FROM former_holder"
            # In order of insertion: the machine's clock may have been set back between two rows.
            " WHERE match IN (SELECT value FROM json_each(?)) ORDER BY match, rowid",
            ids,
        )
        offers = await self._all(
            "SELECT match, seat, person, name, agreed FROM seat_offer"
            " WHERE match IN (SELECT value FROM json_each(?))",
            ids,
        )
        joined = await self._all(
            "SELECT match, person, interaction FROM first_join"
            " WHERE match IN (SELECT value FROM json_each(?)) ORDER BY match, ord",
            ids,
        )
        sitting, others = _grouped(chairs), [_grouped(rows) for rows in (invited, former, offers, joined)]
        return [
            self._decoded(row, sitting.get(row[0], ()), *(rows.get(row[0], ()) for rows in others))
            for row in matches
        ]

    def _decoded(
        self,
        row: SqlRow,
        chairs: Sequence[SqlRow],
        invited: Sequence[SqlRow],
        former: Sequence[SqlRow],
        offers: Sequence[SqlRow],
        first_joins: Sequence[SqlRow],
    ) -> TableRow:
        try:
            return records.table_row(row, chairs, invited, former, offers, first_joins)
        except records.BrokenRecord as error:
            # A broken table does not hide the others.
            LOG.error("table %s cannot be read (%s)", row[0], error)
            return records.salvaged(row, chairs)


def _queued(rows: Iterable[SqlRow]) -> tuple[list[QueuedJob], list[int]]:
    found: list[QueuedJob] = []
    broken: list[int] = []
    for row in rows:
        try:
            found.append(records.queued_job(row))
        except records.BrokenRecord:
            broken.append(row[0])
    return found, broken


def _grouped(rows: Iterable[SqlRow]) -> dict[str, list[SqlRow]]:
    groups: dict[str, list[SqlRow]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    return groups
