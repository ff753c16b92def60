"""The questions to the database. What its rows say, ``records`` knows."""

from __future__ import annotations

import logging
from abc import ABC
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bot.domain.jobs import DOUBTED, Job, JobKind, QueuedJob, ShownRow
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
"""The chairs whose clocks run: the index of deadlines has them."""

_ON_SHARDS = "(match.guild >> 22) % ? IN (SELECT value FROM json_each(?))"
"""The matches on the servers of some shards: by their count and their numbers. Discord's own formula."""

_REMINDED = """
FROM chair JOIN match ON match.id = chair.match
WHERE remind_at IS NOT NULL AND stopped_at IS NULL AND withdrawn = 0 AND stand_in = 0
    AND status = 'running'
"""
"""The chairs whose people are reminded: the index of reminders has them."""


_QUEUED = """
SELECT revision, job.match, kind, target, tries, job.version, due, channel, host, status
FROM job LEFT JOIN match ON match.id = job.match
"""

_STATUSES = sorted(status.value for status in Status)
"""A table with another one is broken: it belongs to every list, so that its people are told."""

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
"""  # noqa: S608 - these are our own statuses
"""Each part has an index of its own: most tables are over, and are not read."""


class Reader(PeopleQuestions, ABC):
    """All questions to the database. Their answers are of one moment."""

    async def table(self, table_id: str) -> TableRow | None:
        """Return a table. What is asked for may have come from outside, and be no text that SQLite takes."""
        if not records.is_table_id(table_id):
            return None
        return next(iter(await self._tables("WHERE id = ?", table_id)), None)

    async def version(self, table_id: str) -> int:
        """Return how often a table was changed; 0 where there is none."""
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
        """Return a person's open, running and frozen tables, and those that ended after a Unix time."""
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
        """Return the tables in these statuses, and all that ended after a Unix time.

        ``shards``: those of their servers alone.
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
        """Return the ids of all tables that have a part of a shuffle, and no match yet.

        Open ones, closed ones that can be opened again, and those of which more cannot be read.
        """
        rows = await self._all("SELECT id FROM match WHERE part IS NOT NULL AND seed IS NULL ORDER BY id")
        return [row[0] for row in rows]

    async def ill_shown(self, surface: str, shards: Shards) -> list[str]:
        """Return the matches that are on of which no note says that a surface shows all that is committed."""
        rows = await self._all(
            "SELECT match.id FROM match LEFT JOIN shown ON shown.match = match.id AND surface = ?"
            " WHERE status = 'running' AND (guild >> 22) % ? BETWEEN ? AND ?"
            " AND (message IS NULL OR message = 0 OR shown.channel <> coalesce(thread, shown.channel)"
            " OR table_version < match.version OR substr(digest, 1, 1) IN ('', ?))",
            surface,
            shards.count,
            shards.first,
            shards.last,
            DOUBTED,
        )
        return [row[0] for row in rows]

    async def count_tables(self, person: PersonId, channel_id: int) -> TableCount:
        """Return how many tables a person and a channel have that are not over."""
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
        """Return the matches that are on in a server: each one's id, its channel, and its thread."""
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
        """Return what was done for an interaction."""
        row = await self._one("SELECT id, match, person, act, answer FROM request WHERE id = ?", request_id)
        return HandledRequest(*row) if row else None

    async def shown(self, table_id: str, surface: str) -> ShownRow | None:
        """Return what is shown on a surface of a table."""
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
            # What is shown can be looked for where it stands.
            LOG.error("what table %s shows cannot be read (%s)", table_id, error)
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
        """Return whether a message is noted to lose its buttons for good."""
        return await self._one("SELECT 1 FROM retired WHERE message = ?", message_id) is not None

    async def next_jobs(self, limit: int, now: float) -> list[Job]:
        """Return the jobs that are due, the oldest first."""
        rows = await self._all(
            "SELECT match, kind, target, revision, tries, version FROM job"
            " WHERE due <= ? ORDER BY due, revision LIMIT ?",
            now,
            limit,
        )
        return [Job(row[0], JobKind(row[1]), *row[2:]) for row in rows]

    async def unfinished(self, now: float) -> list[str]:
        """Return the tables that have a job which is due."""
        rows = await self._all(
            "SELECT id FROM match WHERE id IN (SELECT match FROM job WHERE due <= ?) ORDER BY id", now
        )
        return [row[0] for row in rows]

    async def jobs_after(self, revision: int, limit: int) -> tuple[list[QueuedJob], list[int]]:
        """Return the oldest jobs that are newer than a revision, due or not.

        The other list has the revisions of those among them that cannot be read.
        """
        return _queued(
            await self._all(f"{_QUEUED} WHERE revision > ? ORDER BY revision LIMIT ?", revision, limit)
        )

    async def jobs_of(self, table_ids: Iterable[str], now: float) -> tuple[list[QueuedJob], list[int]]:
        """Return the jobs of tables that are due, the oldest first.

        The other list has the revisions of those among them that cannot be read.
        """
        return _queued(
            await self._all(
                _QUEUED  # noqa: S608 - it is our own text
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
        """Return the tables with a clock that has run out with nothing done about it, the first one first.

        Here and below, ``shards`` of ``count`` are those whose servers' tables are meant.
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
        """Return the tables with a clock that runs, the nearest deadline first.

        Whoever has decided in secret is asked no more; yet their deadline stands on the board.
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
        """Return when the next clock after a Unix time runs out; ``None``: there is none."""
        row = await self._one(
            f"SELECT min(deadline) {_DUE} AND deadline > ? AND {_ON_SHARDS}", after, count, list(shards)
        )
        return row[0] if row else None

    async def due_reminders(self, now: float, count: int, shards: Iterable[int]) -> list[str]:
        """Return the tables with somebody to be reminded, the one that has waited longest first."""
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
        """Return the matches with clocks of which the public has learned nothing since a Unix time."""
        rows = await self._all(
            "SELECT id FROM match WHERE status = 'running' AND pace <> 'none' AND changed_at <= ?"  # noqa: S608
            f" AND {_ON_SHARDS} ORDER BY id",
            at,
            count,
            list(shards),
        )
        return [row[0] for row in rows]

    async def values_like(self, beginning: str) -> list[tuple[str, str]]:
        """Return the house's own values whose keys begin so, keys first."""
        rows = await self._all(
            "SELECT key, value FROM house WHERE substr(key, 1, ?) = ?", len(beginning), beginning
        )
        return [(row[0], row[1]) for row in rows]

    async def value(self, key: str) -> str | None:
        """Return one of the house's own values."""
        row = await self._one("SELECT value FROM house WHERE key = ?", key)
        return row[0] if row else None

    async def _tables(self, where: str, *values: object) -> list[TableRow]:
        # As many questions to the database, however many tables.
        found = await self._all(_TABLE + where, *values)
        # Where not even the id can be read, nobody is left who could be told.
        matches = [row for row in found if records.is_table_id(row[0])]
        if len(matches) < len(found):
            LOG.error("%d tables have no id that can be read", len(found) - len(matches))
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
            # As they were added: the machine's clock may have been set back between two of them.
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
            # Whoever asked for many tables gets all the others.
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
