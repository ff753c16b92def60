"""How questions to players were closed, and why turns ended, as the rows of a match's log tell it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from bot.domain.match import ClosedQuestion, Closing, LogRow, Motion, MotionKind, RowKind, TurnEnd
from bot.domain.tables import ClosedBy
from engines.core.contract import Seat, Words

REFUSES_SEAT = "refuse_seat"
"""The prefix of the request of a row that ends the motion behind a refused seat offer."""

_CARRIES_OUT = {
    RowKind.PAUSE: MotionKind.PAUSE,
    RowKind.UNDO: MotionKind.UNDO,
    RowKind.REPLACE: MotionKind.REPLACE,
}
"""The rows that carry out a motion, except those that close a match."""

_CHOICES = {
    RowKind.GRANT: Closing.MORE_TIME,
    RowKind.STAND_IN: Closing.COMPUTER,
    RowKind.CLAIM: Closing.CLAIMED,
}
"""What the waiting player can choose for a seat that ran out of time."""


def closed_draw(
    row: LogRow, offers: Collection[Seat], waiting: Collection[Seat], *, ended: bool
) -> ClosedQuestion:
    """Return how ``row`` closed draw ``offers``.

    ``waiting``: the seats that the public saw pending before the row. ``ended``: the row ended the match.
    """
    if row.kind is RowKind.AGREE:
        return ClosedQuestion(Closing.AGREED)
    if row.kind is RowKind.DECLINE:
        return ClosedQuestion(Closing.WITHDRAWN if row.seat in offers else Closing.DECLINED, row.seat)
    if ended:
        return ClosedQuestion(Closing.ENDED)
    # If several seats were pending, the one that decided last is secret.
    if row.kind is RowKind.ACT and set(waiting) == {row.seat}:
        return ClosedQuestion(Closing.PLAYED, row.seat)
    return ClosedQuestion(Closing.MOVED_ON)


def closed_motion(row: LogRow, motion: Motion, *, ended: bool) -> ClosedQuestion:
    """Return how ``row`` closed ``motion``; ``ended``: the row ended the match."""
    return ClosedQuestion(_end_of(row, motion, ended=ended), row.seat, about=motion.by, motion=motion.kind)


def _end_of(row: LogRow, motion: Motion, *, ended: bool) -> Closing:
    if _CARRIES_OUT.get(row.kind) is motion.kind or row.request.startswith(REFUSES_SEAT):
        return Closing.AGREED
    if row.kind is RowKind.CLOSE and row.words == (ClosedBy.AGREED.value,):
        return Closing.AGREED
    if ended:
        return Closing.ENDED
    if row.kind is RowKind.OBJECT:
        return Closing.WITHDRAWN if row.seat == motion.by else Closing.DECLINED
    if row.kind is RowKind.WITHDRAW:
        return Closing.RESIGNED
    return Closing.STAND_IN if row.kind is RowKind.STAND_IN else Closing.MOVED_ON


def closed_overdue(rows: Sequence[LogRow], is_note: Callable[[Words], bool]) -> ClosedQuestion | None:
    """Return what was chosen last for a seat that ran out of time; ``None``: nothing.

    Only matches of two ask that: the other seat chooses.
    """
    number = next((n for n in range(len(rows) - 1, -1, -1) if rows[n].kind is RowKind.TIME_UP), None)
    late = None if number is None else rows[number].seat
    if number is None or late is None:
        return None
    for row in rows[number + 1 :]:
        if row.kind is RowKind.UNDO:
            return None
        if row.seat != late:
            continue
        if row.kind in _CHOICES:
            return ClosedQuestion(_CHOICES[row.kind], 1 - late, about=late)
        if row.kind is RowKind.REPLACE:
            return ClosedQuestion(Closing.TAKEN, late)
        if row.kind is RowKind.ACT and not is_note(row.words):
            return ClosedQuestion(Closing.PLAYED, late)
    return None


def turn_end(rows: Sequence[LogRow], seat: Seat, is_note: Callable[[Words], bool]) -> TurnEnd:
    """Return how a turn of ``seat`` ended that began before ``rows``."""
    for row in reversed(rows):
        if row.kind is RowKind.UNDO:
            return TurnEnd.TAKEN_BACK
        if row.seat == seat and row.kind is RowKind.REPLACE:
            return TurnEnd.OTHER
        if row.seat == seat and row.kind is RowKind.LAPSE:
            return TurnEnd.LAPSED
        if row.seat == seat and row.kind is RowKind.ACT and not is_note(row.words):
            return TurnEnd.PLAYED
    return TurnEnd.OTHER
