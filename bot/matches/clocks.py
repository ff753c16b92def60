"""How a step of a match changes the clocks of its seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.clocks import Clock, Pace
from bot.domain.match import LogRow, RowKind
from bot.domain.tables import Chair, Status
from bot.matches.loaded_table import LoadedTable
from bot.store import Store
from engines.core.contract import Seat


async def with_holidays(store: Store, table: LoadedTable) -> LoadedTable:
    """Mark the seats whose people are on holiday, and no others: their clocks stand still."""
    chairs = {c.seat: c.person.id for c in table.info.chairs if c.person is not None and c.seat is not None}
    async with store.read() as reader:
        away = await reader.on_holiday(chairs.values())
    for seat, person in chairs.items():
        if table.info.chair_at(seat).away is not (person in away):
            table = table.with_chair(seat, away=person in away)
    return table


def next_clocks(old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None) -> Mapping[Seat, Clock]:
    """Return the clocks after a step of ``actor``; ``new`` has the log, chairs and asked seats after it.

    ``now`` is the time minus outages that the clocks were not yet moved by: outages before a clock began give
    it no extra time, and later ones cost it none.

    A clock is stopped while its match is over or its seat has nothing to decide. While a computer player has
    the seat, only the remaining reserve is kept.
    """
    pace = new.info.pace
    if pace is Pace.NONE or new.require_log().closed:
        return {}
    before, paused = old.row.clocks, new.require_log().paused
    people = (chair for chair in new.info.chairs if chair.person is not None)
    return {
        chair.seat: _next(before.get(chair.seat) or Clock(pace.reserve), old, new, now, chair, actor,
                          still=paused or (chair.away and pace.over_days))
        for chair in people
        if chair.seat is not None
    }  # fmt: skip


def _next(
    clock: Clock,
    old: LoadedTable,
    new: LoadedTable,
    now: float,
    chair: Chair,
    actor: Seat | None,
    *,
    still: bool,
) -> Clock:
    """Return a chair's clock after a step; ``still``: the clock is stopped."""
    going = clock.going(now)
    after = _after_step(going, old, new, now, chair, actor)
    if not still:
        return after
    # Keep an unchanged stopped clock as it is, so that its times reveal nothing.
    return clock if after == going and clock.stopped_at is not None else after.stopped(now)


def _after_step(
    clock: Clock, old: LoadedTable, new: LoadedTable, now: float, chair: Chair, actor: Seat | None
) -> Clock:
    log = new.require_log()
    if (undo := log.undo_since(old.log)) is not None:
        return _after_undo(clock, undo, old, new, now, chair)
    seat, stands = chair.seat, chair.by_computer or chair.withdrawn
    # Rows outside the game, such as a draw offer, decide nothing.
    acted = seat == actor and (old.log is None or log.match is not old.log.match)
    # To others, a secret act and the decision after it are one decision, so they share one clock.
    public = old.log is None or log.public is not old.log.public
    was_asked, is_asked = seat in old.row.asked, seat in new.row.asked
    decided = acted and (public or not is_asked)
    begins = public and (acted or not was_asked)
    # The start or end of a holiday writes no row: then the last row has already had its effect.
    is_new = old.log is None or len(log.rows) > len(old.log.rows)
    kind = next((row.kind for row in log.rows[-1:] if is_new and row.seat == seat), None)
    if was_asked and (decided or stands or not is_asked):
        clock = clock.answered(now)
    if decided or kind in (RowKind.BACK, RowKind.REPLACE):
        clock = clock.counted(missed=kind is RowKind.LAPSE)
    if stands or new.info.status is Status.OVER or seat not in log.public.waiting:
        return clock.off()
    # A seat that others see pending has a clock, whether it has decided in secret or not.
    is_fresh = clock.deadline is None or kind is RowKind.REPLACE
    if is_fresh or (is_asked and begins):
        return clock.begun(new.info.pace, now)
    return _told_of(clock, kind, new.info.pace, now)


def _after_undo(
    clock: Clock, undo: LogRow, old: LoadedTable, new: LoadedTable, now: float, chair: Chair
) -> Clock:
    """Return a chair's clock after an undo: agreeing costs nothing, the asker pays.

    If the undone row is from a version that did not record clocks, an agreeing seat keeps the reserve with
    which its decision began, and the asker gets another allowance.
    """
    seat, log, pace = chair.seat, new.require_log(), new.info.pace
    kept = log.rows[undo.takes_back - 1].remaining.get(-1 if seat is None else seat)
    is_asker = seat == undo.seat
    if chair.by_computer or chair.withdrawn or seat not in log.public.waiting:
        if is_asker:
            return (clock.answered(now) if seat in old.row.asked else clock).off()
        return (clock if kept is None else replace(clock, reserve=kept.reserve)).off()
    if kept is not None:
        return clock.charged(kept, pace, now) if is_asker else clock.restored(kept, pace, now)
    if is_asker:
        return clock.answered(now).begun(pace, now)
    # A secret answer that was undone too must not show: publicly, that seat was pending all the time.
    return clock.begun(pace, now) if clock.deadline is None else clock


def _told_of(clock: Clock, kind: RowKind | None, pace: Pace, now: float) -> Clock:
    """Return the clock of a seat after a row of the bot about it (time up, or more time)."""
    if kind is RowKind.TIME_UP:
        return clock.ran_out()
    return clock.given(pace, now) if kind is RowKind.GRANT else clock
