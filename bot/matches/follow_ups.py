"""What follows from a step of a match: its status, the drafts that are cut, the jobs for the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from engines.core.contract import Seat

ARCHIVE_AFTER = 86_400.0
"""Seconds from the end of a match until its thread is archived."""


def with_follow_ups(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None
) -> tuple[LoadedTable, list[NewJob]]:
    """Return ``new`` with status and drafts as its match has them, and the jobs that show it.

    ``old`` is the table before the step, without a match where it begins now. ``actor`` is the seat
    that made the step: it is at its panel, and is not told that it goes on.
    """
    new = replace(new, seat_views={})
    over = new.require_log().public.outcome is not None
    playing = () if over else tuple(chair.seat for chair in new.playing() if chair.seat is not None)
    row = replace(
        new.row,
        info=replace(new.info, status=Status.OVER if over else Status.RUNNING),
        changed_at=now if public_between(old, new) else new.row.changed_at,
        ended_at=now if over else None,
        asked=tuple(seat for seat in playing if seat in new.seat_view(seat).waiting),
    )
    drafts = {seat: both.fitted(new.seat_view(seat)) for seat, both in new.drafts.items()}
    new = replace(new, row=row, drafts=drafts)
    return new, list(_jobs(old, new, now, actor))


def public_between(old: LoadedTable, new: LoadedTable) -> bool:
    """Return whether the public learned something."""
    return old.log is None or new.require_log().public is not old.log.public


def _jobs(old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None) -> Iterator[NewJob]:
    table_id = new.id
    if old.log is None:
        yield NewJob(table_id, JobKind.LOBBY, due=now)
        yield NewJob(table_id, JobKind.THREAD, due=now)
    if public_between(old, new):
        yield NewJob(table_id, JobKind.BOARD, due=now)
    if new.info.status is Status.OVER:
        yield NewJob(table_id, JobKind.LOBBY, due=now)
        yield NewJob(table_id, JobKind.END, due=now)
        yield NewJob(table_id, JobKind.FILM, due=now)
        yield NewJob(table_id, JobKind.ARCHIVE, due=now + ARCHIVE_AFTER)
    for seat in new.row.asked:
        if new.info.chair_at(seat).person is None:
            yield NewJob(table_id, JobKind.COMPUTER, due=now)
        elif _newly_asked(old, new, seat, actor):
            yield NewJob(table_id, JobKind.TURN, str(seat), due=now)


def _newly_asked(old: LoadedTable, new: LoadedTable, seat: Seat, actor: Seat | None) -> bool:
    if old.log is None or seat not in old.row.asked:
        return True
    return seat != actor and old.seat_view(seat).decision != new.seat_view(seat).decision
