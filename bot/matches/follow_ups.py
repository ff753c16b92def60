"""Consequences of a step of a match: its status, drafts that are cut, jobs for the outbox."""

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
"""Seconds from the end of a match until its thread is set to archive soon: its film is posted by then."""


def with_follow_ups(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None, lag: float = 0.0
) -> tuple[LoadedTable, list[NewJob]]:
    """Return ``new`` with status, clocks and drafts updated to its match, and the jobs that show the step.

    ``old``: the table before the step, without a match if it begins now. ``actor``: the seat that made the
    step; it is at its panel, so it is not notified. ``lag``: the seconds by which its clocks will still be
    moved for outages.
    """
    log = new.require_log()
    public = old.log is None or log.public is not old.log.public
    over = log.is_over
    only_notes = old.log is not None and log.only_notes_since(old.log)
    undo = log.undo_since(old.log)
    undone_by = None if undo is None else undo.seat
    # Agreeing to an undo is no decision.
    decided = None if only_notes or undone_by is not None else actor
    # Drop cached views: they are of the position before the step.
    new = replace(new, seat_views={})
    row = replace(
        new.row,
        info=replace(new.row.info, status=_status(log)),
        changed_at=now if public else new.row.changed_at,
        ended_at=now if over else None,
        asked_since={} if over else _asked_since(old, new, now, decided, undone_by),
        offer=None if over or _is_offer_void(new) else new.row.offer,
    )
    row = replace(row, clocks=next_clocks(old, replace(new, row=row), now - lag, decided))
    new = replace(new, row=row).with_drafts_carried_over(None if old.log is None else old)
    if only_notes:
        return new, []
    # A timed-out seat is not at its panel. After an undo, everybody asked must be notified.
    is_late = bool(log.rows) and log.rows[-1].kind is RowKind.LAPSE
    at_panel = None if is_late or undone_by is not None else actor
    jobs = _jobs(old, new, at_panel, public=public, over=over)
    return new, [NewJob(row.info.id, kind, target, due=now + later) for kind, target, later in jobs]


def _is_offer_void(table: LoadedTable) -> bool:
    """Return whether a seat offer belongs to a motion that was dropped before it was carried."""
    offer = table.row.offer
    return offer is not None and not offer.agreed and table.require_log().motion is None


def _status(log: MatchLog) -> Status:
    if log.closed is not None:
        return Status.CLOSED
    return Status.RUNNING if log.public.outcome is None else Status.OVER


def _asked_since(
    old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None, undone_by: Seat | None
) -> dict[Seat, float]:
    """Return since when each seat is asked, restarting at ``now`` for the actor and the undoing seat."""
    # A draw offer decides nothing: the engine's match stays the same object.
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
    # No board after a secret step: an edited message shows when it was edited.
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
    """Yield jobs that ask some players or withdraw a question, and jobs for a seat that was handed over."""
    offers = () if old.log is None else old.log.offers
    # An offer still open when the match ends can no longer be answered.
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
        # Ask the seat's new person.
        if former.seat in new.row.asked:
            yield JobKind.TURN, str(former.seat), 0.0


def _overdue(table: LoadedTable) -> list[Seat]:
    return [seat for seat, clock in table.row.clocks.items() if clock.overdue]


def _asking(old: LoadedTable, new: LoadedTable, actor: Seat | None) -> Iterator[_Job]:
    """Yield jobs that ask the seats of a match that continues, people and computers."""
    computers = {chair.seat: chair for chair in new.row.info.chairs if chair.by_computer}
    lapsed = next((row.seat for row in new.require_log().rows[-1:] if row.kind is RowKind.LAPSE), None)
    if any(_sees_more(old, new, seat) for seat in new.interrupting()):
        yield JobKind.INTERRUPT, "", 0.0
    for seat in new.row.asked:
        if seat in computers:
            yield JobKind.THINK if _thinks(new, computers[seat]) else JobKind.COMPUTER, "", 0.0
        # After a time-out decision a seat may be asked the same again, with a new deadline.
        elif old.log is None or seat not in old.row.asked or seat == lapsed:
            yield JobKind.TURN, str(seat), 0.0
        elif seat != actor and old.seat_view(seat).asks != new.seat_view(seat).asks:
            # The same seat is asked, but something else.
            yield JobKind.TURN, str(seat), 0.0
    if actor is None:
        yield from _let_off(old, new)


def _thinks(table: LoadedTable, chair: Chair) -> bool:
    """Return whether a computer player takes time to think: one with a level, or a stand-in."""
    return isinstance(table.require_log().match.game, Thinking) and (
        chair.level is not None or chair.stand_in
    )


def _at_close() -> Iterator[_Job]:
    """Yield jobs for a match closed without a result: no film, and no goodbyes."""
    yield JobKind.LOBBY, "", 0.0
    yield JobKind.ARCHIVE, "", ARCHIVE_DELAY_S


def _at_end(last: LoadedTable) -> Iterator[_Job]:
    """Yield jobs for a match that is over; ``last``: the table before its last step."""
    yield JobKind.LOBBY, "", 0.0
    yield JobKind.END, "", 0.0
    yield JobKind.FILM, "", 0.0
    yield JobKind.ARCHIVE, "", ARCHIVE_DELAY_S
    for chair in last.playing():
        if chair.person is not None and chair.seat is not None:
            yield JobKind.GOODBYE, str(chair.seat), 0.0


def _let_off(old: LoadedTable, new: LoadedTable) -> Iterator[_Job]:
    """Yield jobs that remove the buttons of people who are no longer asked although they did nothing."""
    for seat in sorted({*old.row.asked} - {*new.row.asked}):
        if old.info.person_at(seat) is not None:
            yield JobKind.TURN, str(seat), 0.0


def _sees_more(old: LoadedTable, new: LoadedTable, seat: Seat) -> bool:
    return old.log is None or bool(old.seat_view(seat).view != new.seat_view(seat).view)
