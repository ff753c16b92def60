"""What follows from a step of a match: its status, the drafts that are cut, the jobs for the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from engines.core.contract import Seat

ARCHIVE_AFTER = 86_400.0
"""Seconds from the end of a match until its thread is put away."""


def jobs_between(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None
) -> tuple[LoadedTable, list[NewJob]]:
    """Return ``new`` with all that follows from its match, and what has to be shown.

    ``old`` is the table before the step, without a match where it begins now. ``actor`` is the seat
    that made the step: it is at its panel, and needs no word that it goes on.
    """
    new = replace(new, desks={})
    new = _with_row(old, new, now)
    drafts = {seat: both.fitted(new.desk(seat)) for seat, both in new.drafts.items()}
    new = replace(new, drafts=drafts)
    return new, list(_jobs(old, new, now, actor))


def _with_row(old: LoadedTable, new: LoadedTable, now: float) -> LoadedTable:
    over = new.play.public.outcome is not None
    asked = () if over else tuple(c.seat for c in new.playing() if c.seat is not None and _asked(new, c.seat))
    row = replace(
        new.row,
        info=replace(new.info, status=Status.OVER if over else Status.RUNNING),
        changed_at=now if public_between(old, new) else new.row.changed_at,
        ended_at=now if over else None,
        asked=asked,
    )
    return replace(new, row=row)


def _asked(live: LoadedTable, seat: Seat) -> bool:
    return seat in live.desk(seat).waiting


def public_between(old: LoadedTable, new: LoadedTable) -> bool:
    """Return whether the public learned something."""
    return old.chronicle is None or new.play.public is not old.chronicle.public


def _jobs(old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None) -> Iterator[NewJob]:
    table = new.id
    if old.chronicle is None:
        yield NewJob(table, JobKind.LOBBY, due=now)
        yield NewJob(table, JobKind.THREAD, due=now)
    if public_between(old, new):
        yield NewJob(table, JobKind.BOARD, due=now)
    if new.info.status is Status.OVER:
        yield NewJob(table, JobKind.LOBBY, due=now)
        yield NewJob(table, JobKind.END, due=now)
        yield NewJob(table, JobKind.FILM, due=now)
        yield NewJob(table, JobKind.ARCHIVE, due=now + ARCHIVE_AFTER)
    for seat in new.row.asked:
        if new.info.chair_at(seat).person is None:
            yield NewJob(table, JobKind.COMPUTER, due=now)
        elif _newly_asked(old, new, seat, actor):
            yield NewJob(table, JobKind.TURN, str(seat), due=now)


def _newly_asked(old: LoadedTable, new: LoadedTable, seat: Seat, actor: Seat | None) -> bool:
    if old.chronicle is None or seat not in old.row.asked:
        return True
    return seat != actor and old.desk(seat).decision != new.desk(seat).decision
