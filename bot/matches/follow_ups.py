"""What follows from a step of a match: its status, the drafts that are cut, the jobs for the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import RowKind
from bot.domain.tables import Chair, Status
from bot.matches.clocks import next_clocks
from bot.matches.loaded_table import LoadedTable, asked_to_agree
from bot.matches.match_log import MatchLog
from engines.core.contract import Seat
from engines.core.optional_methods import Thinking

_Job: TypeAlias = tuple[JobKind, str, float]
"""A job's kind and target, and how many seconds later it is due."""

ARCHIVE_DELAY_S = 600.0
"""Seconds from the end of a match until its thread is to be archived soon: its film is there by then."""


def with_follow_ups(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None, lag: float = 0.0
) -> tuple[LoadedTable, list[NewJob]]:
    """Return ``new`` with status and drafts as its match has them, and the jobs that show it.

    ``old`` is the table before the step, without a match where it begins now. ``actor`` is the seat
    that made the step: it is at its panel, and is not told that it goes on. ``lag``: the seconds by which
    its clocks will be moved for outages.
    """
    log = new.require_log()
    public = old.log is None or log.public is not old.log.public
    over = log.public.outcome is not None or log.closed is not None
    only_notes = old.log is not None and log.only_notes_since(old.log)
    undo = log.undo_since(old.log)
    undone_by = None if undo is None else undo.seat
    # Whoever agrees that a turn is taken back has decided nothing.
    decided = None if only_notes or undone_by is not None else actor
    # The views are of the position before the step.
    new = replace(new, seat_views={})
    row = replace(
        new.row,
        info=replace(new.row.info, status=_status(log)),
        changed_at=now if public else new.row.changed_at,
        ended_at=now if over else None,
        asked_since={} if over else _asked_since(old, new, now, decided, undone_by),
        offer=None if over or _fallen(new) else new.row.offer,
    )
    row = replace(row, clocks=next_clocks(old, replace(new, row=row), now - lag, decided))
    new = replace(new, row=row).with_drafts_carried_over(None if old.log is None else old)
    if only_notes:
        return new, []
    # Whoever did not decide in time is at no panel. Where a turn is taken back, nobody is done with theirs.
    is_late = bool(log.rows) and log.rows[-1].kind is RowKind.LAPSE
    at_panel = None if is_late or undone_by is not None else actor
    jobs = _jobs(old, new, at_panel, public=public, over=over)
    return new, [NewJob(row.info.id, kind, target, due=now + later) for kind, target, later in jobs]


def _fallen(table: LoadedTable) -> bool:
    """Return whether the offer of a seat is of a motion that stands no more, and had not been carried."""
    offer = table.row.offer
    return offer is not None and not offer.agreed and table.require_log().motion is None


def _status(log: MatchLog) -> Status:
    if log.closed is not None:
        return Status.CLOSED
    return Status.RUNNING if log.public.outcome is None else Status.OVER


def _asked_since(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None, undone_by: Seat | None
) -> dict[Seat, float]:
    """Return who is asked, and since when: ``actor`` and who has taken a turn back anew, others as before."""
    # An offer of a draw answers nothing: the engine's match stays the very same.
    acted = old.log is None or new.require_log().match is not old.log.match
    before = old.row.asked_since
    anew = {undone_by} | ({actor} if acted else set())
    return {seat: now if seat in anew else before.get(seat, now) for seat in new.asked()}


def _jobs(
    old: LoadedTable, new: LoadedTable, actor: Seat | None, *, public: bool, over: bool
) -> Iterator[_Job]:
    if old.log is None:
        yield JobKind.LOBBY, "", 0.0
        yield JobKind.THREAD, "", 0.0
    # No board for a step in secret: an edited message says when it was edited.
    if public:
        yield JobKind.BOARD, "", 0.0
    yield from _questions(old, new, over=over)
    if new.require_log().closed is not None:
        yield from _at_close()
    elif over:
        yield from _at_end(old)
    else:
        yield from _asking(old, new, actor)


def _questions(old: LoadedTable, new: LoadedTable, *, over: bool) -> Iterator[_Job]:
    """Yield what asks some of the players, or takes a question back; and what a seat that passed on needs."""
    offers = () if old.log is None else old.log.offers
    # One that stands when its match ends has nothing left to be answered.
    if offers != new.require_log().offers or (offers and over):
        yield JobKind.OFFER, "", 0.0
    if _overdue(old) != _overdue(new):
        yield JobKind.OVERDUE, "", 0.0
    motion = None if old.log is None else old.log.motion
    if motion != new.require_log().motion or asked_to_agree(old) != asked_to_agree(new):
        yield JobKind.MOTION, "", 0.0
    if old.row.offer != new.row.offer:
        yield JobKind.SEAT_OFFER, "", 0.0
    for former in new.info.former[len(old.info.former) :]:
        yield JobKind.LOBBY, "", 0.0
        yield JobKind.FORGET, str(former.person.id), 0.0
        # Whoever has taken the seat is asked anew.
        if former.seat in new.row.asked:
            yield JobKind.TURN, str(former.seat), 0.0


def _overdue(table: LoadedTable) -> list[Seat]:
    return [seat for seat, clock in table.row.clocks.items() if clock.overdue]


def _asking(old: LoadedTable, new: LoadedTable, actor: Seat | None) -> Iterator[_Job]:
    """Yield what asks the seats of a match that goes on, people and computers."""
    computers = {chair.seat: chair for chair in new.row.info.chairs if chair.by_computer}
    lapsed = next((row.seat for row in new.require_log().rows[-1:] if row.kind is RowKind.LAPSE), None)
    if any(_sees_more(old, new, seat) for seat in new.interrupting()):
        yield JobKind.INTERRUPT, "", 0.0
    for seat in new.row.asked:
        if seat in computers:
            yield JobKind.THINK if _thinks(new, computers[seat]) else JobKind.COMPUTER, "", 0.0
        # A seat that was decided for has the same question again, with another deadline.
        elif old.log is None or seat not in old.row.asked or seat == lapsed:
            yield JobKind.TURN, str(seat), 0.0
        elif seat != actor and old.seat_view(seat).asks != new.seat_view(seat).asks:
            # The same people are asked, but something else.
            yield JobKind.TURN, str(seat), 0.0
    if actor is None:
        yield from _let_off(old, new)


def _thinks(table: LoadedTable, chair: Chair) -> bool:
    """Return whether a computer player thinks for a while: one with a level, and one that stands in."""
    return isinstance(table.require_log().match.game, Thinking) and (
        chair.level is not None or chair.stand_in
    )


def _at_close() -> Iterator[_Job]:
    """Yield what is done once a match is closed without a result: there is no film, and no goodbye."""
    yield JobKind.LOBBY, "", 0.0
    yield JobKind.ARCHIVE, "", ARCHIVE_DELAY_S


def _at_end(last: LoadedTable) -> Iterator[_Job]:
    """Yield what is done once a match is over; ``last``: the table before its last step."""
    yield JobKind.LOBBY, "", 0.0
    yield JobKind.END, "", 0.0
    yield JobKind.FILM, "", 0.0
    yield JobKind.ARCHIVE, "", ARCHIVE_DELAY_S
    for chair in last.playing():
        if chair.person is not None and chair.seat is not None:
            yield JobKind.GOODBYE, str(chair.seat), 0.0


def _let_off(old: LoadedTable, new: LoadedTable) -> Iterator[_Job]:
    """Yield what takes the buttons from those who are asked no more, though they have done nothing."""
    for seat in sorted({*old.row.asked} - {*new.row.asked}):
        if old.info.person_at(seat) is not None:
            yield JobKind.TURN, str(seat), 0.0


def _sees_more(old: LoadedTable, new: LoadedTable, seat: Seat) -> bool:
    return old.log is None or bool(old.seat_view(seat).view != new.seat_view(seat).view)
