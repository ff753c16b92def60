"""Changes to tables, logs, jobs and shown messages."""

from __future__ import annotations

import json
import secrets
from abc import abstractmethod
from collections.abc import Iterable

from bot.domain.jobs import STALE_MARK, Job, JobKind, NewJob, Shown
from bot.domain.match import DraftRow, LogRow
from bot.domain.tables import REQUEST_LIFE_S, Chair, FormerHolder, HandledRequest, Status, TableRow, has_marks
from bot.store.people_changes import PeopleChanges
from bot.store.personal import SCRUB
from engines.core.contract import Words

ERROR_LIMIT = 500
"""Maximum characters stored of a job's error."""

PRUNED_AT_ONCE = 50
"""Maximum handled requests that one unit prunes: a backlog of years must not delay a commit."""


class Transaction(PeopleChanges):
    """All changes to the database, as one atomic unit."""

    @abstractmethod
    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox, with their tables' versions in this unit.

        A job that is there already gets a new revision.
        """

    @abstractmethod
    async def drop_unreadable(self) -> None:
        """Delete jobs and ``shown`` rows that the database itself would refuse to change."""

    async def save_table(self, row: TableRow) -> None:
        """Insert or update a table without its chairs; raises :class:`Conflict` for a second rematch."""
        # Only these columns are updated: the others, such as game and server, never change.
        info = row.info
        without_result = info.status is Status.CLOSED and info.begun
        await self._do(
            "INSERT INTO match (id, game, ruleset, seats, options, data_hashes, status, seed, commitment,"
            " host, host_name, guild, channel, thread, rematch_of, opened_at, started_at,"
            " changed_at, ended_at, theme, pace, time_up, closed, hints, part, start_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET ruleset = excluded.ruleset, seats = excluded.seats,"
            " data_hashes = excluded.data_hashes, status = excluded.status,"
            " seed = excluded.seed, commitment = excluded.commitment, host = excluded.host,"
            " host_name = excluded.host_name, channel = excluded.channel, thread = excluded.thread,"
            " started_at = excluded.started_at, changed_at = excluded.changed_at,"
            " ended_at = excluded.ended_at, closed = excluded.closed, start_id = excluded.start_id",
            info.id,
            info.setup.game,
            info.setup.ruleset,
            info.setup.seats,
            json.dumps(info.setup.options),
            json.dumps(row.data_hashes),
            (Status.OVER if without_result else info.status).value,
            row.seed,
            info.commitment,
            info.host.id,
            info.host.name,
            info.place.guild_id,
            info.place.channel_id,
            info.thread_id,
            info.rematch_of,
            row.opened_at,
            row.started_at,
            row.changed_at,
            row.ended_at,
            info.theme,
            info.pace.value,
            info.time_up.value,
            without_result,
            info.hints,
            row.part,
            info.start_id,
            unique=True,
        )
        if info.status in (Status.OVER, Status.CLOSED):
            await self._forget_holders(info.id)

    async def _forget_holders(self, table_id: str) -> None:
        """Delete the marks of former seat holders of a finished match who deleted their data."""
        await self._do(
            "INSERT INTO house (key, value)"
            " SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM held_seat WHERE match = ?3)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            SCRUB,
            secrets.token_hex(4),
            table_id,
        )
        await self._do("DELETE FROM held_seat WHERE match = ?", table_id)

    async def _forget_joiners(self, table_id: str) -> None:
        """Delete the marks at a table of first *Joins* of people who deleted their data."""
        await self._do(
            "INSERT INTO house (key, value)"
            " SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM first_join WHERE match = ?3 AND person < 0)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            SCRUB,
            secrets.token_hex(4),
            table_id,
        )
        await self._do("DELETE FROM first_join WHERE match = ? AND person < 0", table_id)

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
            "UPDATE chair SET asked = ?, asked_at = ?, reserve = ?, until = ?, deadline = ?, missed = ?,"
            " overdue = ?, remind_at = ?, reminded = ?, nudged = ?, stopped_at = ?"
            " WHERE match = ? AND ord = ?",
            [
                (
                    chair.seat in row.asked,
                    _asked_at(row, chair),
                    *_clock(row, chair),
                    row.info.id,
                    chair.order,
                )
                for chair in row.info.chairs
            ],
        )

    async def save_chairs(self, row: TableRow) -> None:
        """Replace the chairs, invitations and first joins of a saved table."""
        await self._do("DELETE FROM chair WHERE match = ?", row.info.id)
        await self._do_all(
            "INSERT INTO chair (match, ord, person, name, seat, withdrawn, asked, asked_at, stand_in,"
            " muted, away, level, join_id, reserve, until, deadline, missed, overdue,"
            " remind_at, reminded, nudged, stopped_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    row.info.id,
                    chair.order,
                    None if chair.person is None else chair.person.id,
                    chair.name,
                    chair.seat,
                    chair.withdrawn,
                    chair.seat in row.asked,
                    _asked_at(row, chair),
                    chair.stand_in,
                    chair.muted,
                    chair.away,
                    None if chair.level is None else chair.level.value,
                    chair.join_id,
                    *_clock(row, chair),
                )
                for chair in row.info.chairs
            ],
        )
        await self._do("DELETE FROM invitation WHERE match = ?", row.info.id)
        await self._do_all(
            "INSERT INTO invitation (match, ord, person, name) VALUES (?, ?, ?, ?)",
            [(row.info.id, order, p.id, p.name) for order, p in enumerate(row.invited)],
        )
        if not has_marks(row.first_joins):
            await self._forget_joiners(row.info.id)
        await self._do("DELETE FROM first_join WHERE match = ?", row.info.id)
        await self._do_all(
            "INSERT INTO first_join (match, ord, person, interaction) VALUES (?, ?, ?, ?)",
            [(row.info.id, order, each.person, each.id) for order, each in enumerate(row.first_joins)],
        )

    async def save_seat_offer(self, row: TableRow) -> None:
        """Save the seat offer of a table, or delete it if there is none."""
        await self._do("DELETE FROM seat_offer WHERE match = ?", row.info.id)
        if (offer := row.offer) is not None:
            await self._do(
                "INSERT INTO seat_offer (match, seat, person, name, agreed) VALUES (?, ?, ?, ?, ?)",
                row.info.id,
                offer.seat,
                offer.person.id,
                offer.person.name,
                offer.agreed,
            )

    async def add_former_holder(self, table_id: str, former: FormerHolder) -> None:
        """Save a former holder of a seat."""
        await self._do(
            "INSERT INTO former_holder (match, seat, person, name, at) VALUES (?, ?, ?, ?, ?)",
            table_id,
            former.seat,
            former.person.id,
            former.person.name,
            former.at,
        )

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

    async def shift_holidays(self, seconds: float) -> None:
        """Move current holidays by ``seconds``, so that their duration stays the same."""
        await self._do(
            "UPDATE holiday SET begun = begun + ?1, latest = latest + ?1 WHERE ended IS NULL", seconds
        )

    async def append(self, table_id: str, row: LogRow) -> None:
        """Append a row to a log; raises :class:`Conflict` if its number or request exists already."""
        await self._do(
            "INSERT INTO log"
            " (match, seq, kind, seat, words, digest, request, at, chain, remaining, restore_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            table_id,
            row.seq,
            row.kind.value,
            row.seat,
            _text(row.words),
            row.digest,
            row.request,
            row.at,
            row.chain,
            _remaining(row),
            row.restore_id,
            unique=True,
        )

    async def save_draft(self, table_id: str, row: DraftRow) -> None:
        """Insert or replace a draft."""
        draft = row.draft
        await self._do(
            "INSERT INTO draft (match, seat, aside, words, revision, cut, trail, confirmed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (match, seat, aside) DO UPDATE SET words = excluded.words,"
            " revision = excluded.revision, cut = excluded.cut, trail = excluded.trail,"
            " confirmed = excluded.confirmed",
            table_id,
            row.seat,
            row.aside,
            _text(draft.words),
            draft.revision,
            draft.cut,
            json.dumps(draft.trail),
            draft.confirmed,
        )

    async def add_request(self, request: HandledRequest, at: float) -> None:
        """Record a handled request; raises :class:`Conflict` if it was recorded before.

        Records of interactions that cannot recur are pruned, by Discord's clock, since this machine's may
        have been set. ``at``: the Unix time of a request that did not come from Discord.
        """
        sent_at = request.sent_at
        await self._do(
            "INSERT INTO request (id, match, person, act, answer, at) VALUES (?, ?, ?, ?, ?, ?)",
            request.id,
            request.table_id,
            request.person,
            request.act,
            request.answer,
            at if sent_at is None else sent_at,
            unique=True,
        )
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
            "INSERT INTO shown (match, surface, channel, message, epoch, version, since)"
            " SELECT id, 'board', 0, 0, 0, 0, 0 FROM match WHERE id = ? AND status = 'running'"
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


def _asked_at(row: TableRow, chair: Chair) -> float | None:
    return None if chair.seat is None else row.asked_since.get(chair.seat)


def _clock(row: TableRow, chair: Chair) -> tuple[float | int | None, ...]:
    clock = None if chair.seat is None else row.clocks.get(chair.seat)
    if clock is None:
        return None, None, None, 0, False, None, 0, 0, None
    return (
        clock.reserve,
        clock.until,
        clock.deadline,
        clock.missed,
        clock.overdue,
        clock.remind_at,
        clock.reminded,
        clock.nudge.value,
        clock.stopped_at,
    )


def _text(words: Words) -> str:
    return json.dumps(words)


def _remaining(row: LogRow) -> str | None:
    """Encode a list for each seat: seat, reserve, and allowance and total if its clock ran."""
    found = [
        [seat, each.reserve, *(span for span in (each.allowance, each.total) if span is not None)]
        for seat, each in sorted(row.remaining.items())
    ]
    return json.dumps(found) if found else None
