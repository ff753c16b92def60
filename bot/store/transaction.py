"""The changes to the database."""

from __future__ import annotations

import json
import secrets
from abc import abstractmethod
from collections.abc import Iterable

from bot.domain.first_joins import has_marks
from bot.domain.jobs import DOUBTED, Job, JobKind, NewJob, Shown
from bot.domain.match import DraftRow, LogRow
from bot.domain.tables import REQUEST_LIFE_S, Chair, FormerHolder, HandledRequest, Status, TableRow
from bot.store.people_changes import PeopleChanges
from bot.store.personal import SCRUB
from engines.core.contract import Words

ERROR_LIMIT = 500
"""Characters of a job's error that are kept."""

PRUNED_AT_ONCE = 50
"""Notes of handled requests that one unit prunes: years of them must not hold up a commit."""


class Transaction(PeopleChanges):
    """All changes of the database: one unit of them, all of it or nothing."""

    @abstractmethod
    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox, for their tables as they are in this unit.

        One that is there already gets a new revision.
        """

    @abstractmethod
    async def drop_unreadable(self) -> None:
        """Remove jobs, and notes of what is shown, that the database itself takes amiss."""

    async def save_table(self, row: TableRow) -> None:
        """Insert or replace a table, but for its chairs; raises :class:`Conflict` for a second rematch."""
        # What a table is, such as its game and its server, never changes: only these columns do.
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
        """Delete what a match that is over knew of people who had deleted their data."""
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
        """Delete what a table before its match knew of people who had deleted their data."""
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
        """Raise a table's version by one, to ``version``; raises :class:`Conflict` where it was another."""
        await self._do(
            "UPDATE match SET version = ? WHERE id = ? AND version = ?",
            version,
            table_id,
            version - 1,
            found=True,
        )

    async def set_restore_id(self, restore_id: str) -> None:
        """Note that what the matches that are on draw from now on is keyed with a restore."""
        # Also of a match whose row or chairs are broken: it may be mended, and go on.
        await self._do(
            "UPDATE match SET restore_id = ? WHERE seed IS NOT NULL AND status <> 'over'", restore_id
        )

    async def replace_part(self, table_id: str, part: bytes, commitment: str, surface: str) -> None:
        """Give a table whose match has not begun another part of its shuffle.

        Nothing is noted on ``surface`` any more: its hash is to be posted, and until then nobody can start.
        """
        await self._do(
            "UPDATE match SET part = ?, commitment = ?, version = version + 1 WHERE id = ? AND seed IS NULL",
            part,
            commitment,
            table_id,
        )
        await self._do("DELETE FROM shown WHERE match = ? AND surface = ?", table_id, surface)
        # The marks had the former part as their key, and that one may be known.
        await self._forget_joiners(table_id)

    async def save_asked(self, row: TableRow) -> None:
        """Note which seats of a table are asked, since when, and how their clocks stand."""
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
        """Replace the chairs, invitations and first joins of a table that is saved."""
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
        """Note which seat of a table is offered to whom, or that none is."""
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
        """Note who held a seat until now."""
        await self._do(
            "INSERT INTO former_holder (match, seat, person, name, at) VALUES (?, ?, ?, ?, ?)",
            table_id,
            former.seat,
            former.person.id,
            former.person.name,
            former.at,
        )

    async def shift_clocks(self, seconds: float, count: int, shards: Iterable[int]) -> None:
        """Move every deadline of the matches that are on, and their tables' versions with them.

        Those on the servers of some ``shards``, of ``count``.
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
        """Move the holidays that are on: they last as long as they would have."""
        await self._do(
            "UPDATE holiday SET begun = begun + ?1, latest = latest + ?1 WHERE ended IS NULL", seconds
        )

    async def append(self, table_id: str, row: LogRow) -> None:
        """Append to the log; raises :class:`Conflict` if its number or its request exists already."""
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
        """Note that a use case was carried out; raises :class:`Conflict` if it was before.

        Notes of interactions that cannot come again are pruned: by Discord's clock, since this machine's may
        have been set. ``at``: the Unix time, for what Discord did not send.
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
        """Remove a job, unless it was enqueued again meanwhile."""
        await self._do("DELETE FROM job WHERE revision = ?", job.revision)

    async def cancel(self, table_id: str, kind: JobKind) -> None:
        """Remove a table's jobs of a kind."""
        await self._do("DELETE FROM job WHERE match = ? AND kind = ?", table_id, kind.value)

    async def remove_jobs(self, revisions: Iterable[int]) -> None:
        """Remove jobs by their revisions; what their tables show is looked at in their place."""
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
        """Put a job off until a Unix time, unless it was enqueued again meanwhile."""
        await self._do(
            "UPDATE job SET tries = tries + 1, error = ?, due = ? WHERE revision = ?",
            error[:ERROR_LIMIT],
            retry_at,
            job.revision,
        )

    async def set_shown(self, table_id: str, surface: str, shown: Shown, before: str = "") -> None:
        """Note what is shown; a new epoch remembers the version that the message before it showed.

        ``before`` is the digest that was noted when the page was begun. A doubt that came since stands: the
        page may have been made of what was doubted.
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
            DOUBTED,
            before,
        )

    async def note_version(self, table_id: str, surface: str, version: int) -> None:
        """Note that what is shown is right for a newer version of the table too."""
        await self._do(
            "UPDATE shown SET table_version = ?1 WHERE match = ?2 AND surface = ?3 AND table_version < ?1",
            version,
            table_id,
            surface,
        )

    async def drop_shown(self, table_id: str, surface: str) -> None:
        """Forget a message that is gone; which versions were shown on the surface is remembered."""
        await self._do(
            "UPDATE shown SET channel = 0, message = 0, digest = '' WHERE match = ? AND surface = ?",
            table_id,
            surface,
        )

    async def retire(self, message_id: int, at: float, expired: float) -> None:
        """Note that a message loses its buttons for good; notes from before ``expired`` go. Unix times."""
        await self._do("DELETE FROM retired WHERE at < ?", expired)
        await self._do(
            "INSERT INTO retired (message, at) VALUES (?, ?)"
            " ON CONFLICT (message) DO UPDATE SET at = excluded.at",
            message_id,
            at,
        )

    async def reinstate(self, message_id: int) -> None:
        """Note that a message keeps its buttons after all."""
        await self._do("DELETE FROM retired WHERE message = ?", message_id)

    async def doubt(self, table_ids: Iterable[str]) -> None:
        """Believe nothing that is noted of what tables' messages show: the next job sends them again.

        A first board that is on its way, and noted after this, is doubted too.
        """
        ids = list(table_ids)
        await self._do_all(
            "INSERT INTO shown (match, surface, channel, message, epoch, version, since)"
            " SELECT id, 'board', 0, 0, 0, 0, 0 FROM match WHERE id = ? AND status = 'running'"
            " ON CONFLICT DO NOTHING",
            [(each,) for each in ids],
        )
        doubt = f"{DOUBTED}{secrets.token_hex(4)}"
        await self._do_all("UPDATE shown SET digest = ? WHERE match = ?", [(doubt, each) for each in ids])

    async def hurry(self, now: float) -> None:
        """Make the jobs that were put off after a failure due at a Unix time."""
        await self._do("UPDATE job SET due = ?1 WHERE tries > 0 AND due > ?1", now)

    async def drop_value(self, key: str, value: str | None = None) -> None:
        """Delete one of the house's own values; where a value is given, only while it is that."""
        await self._do("DELETE FROM house WHERE key = ?1 AND value = coalesce(?2, value)", key, value)

    async def set_value(self, key: str, value: str) -> None:
        """Insert or replace one of the house's own values."""
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
    """Return a list for each seat: it, its reserve, and its allowance and total if its clock ran."""
    found = [
        [seat, each.reserve, *(span for span in (each.allowance, each.total) if span is not None)]
        for seat, each in sorted(row.remaining.items())
    ]
    return json.dumps(found) if found else None
