"""Clocks that are wrong."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import Any
from unittest import mock

from bot.clocks.absences import Holidays
from bot.clocks.deadlines import Deadlines
from bot.clocks.outages import Outages
from bot.domain.clocks import Clock, Pace
from bot.domain.tables import Who
from bot.gateway.rest_health import DiscordReach
from bot.store import Transaction

BEGUN, ANSWERED = Clock.begun, Clock.answered


def _deadlines_by(seconds: float) -> AbstractContextManager[Any]:
    def begun(self: Clock, pace: Pace, now: float) -> Clock:
        clock = BEGUN(self, pace, now)
        assert clock.until is not None
        assert clock.deadline is not None
        return replace(clock, until=clock.until + seconds, deadline=clock.deadline + seconds)

    return mock.patch.object(Clock, "begun", begun)


def deadlines_15_minutes_late() -> AbstractContextManager[Any]:
    """Give everybody a quarter of an hour more."""
    return _deadlines_by(900.0)


def deadlines_25_s_early() -> AbstractContextManager[Any]:
    """Take 25 seconds from everybody."""
    return _deadlines_by(-25.0)


def judged_30_s_late() -> AbstractContextManager[Any]:
    """Look at the clocks twice a minute, whatever runs out in between."""

    async def none(self: Deadlines) -> None:
        return

    return mock.patch.object(Deadlines, "next_in", none)


def outage_credited_twice() -> AbstractContextManager[Any]:
    """Make up for twice what was lost."""
    shift = Transaction.shift_clocks

    async def twice(self: Transaction, seconds: float, count: int, shards: Iterable[int]) -> None:
        await shift(self, 2 * seconds, count, shards)

    return mock.patch.object(Transaction, "shift_clocks", twice)


def outage_not_credited() -> AbstractContextManager[Any]:
    """Make up for nothing."""

    async def nothing(self: Transaction, seconds: float, count: int, shards: Iterable[int]) -> None:
        return

    return mock.patch.object(Transaction, "shift_clocks", nothing)


def reserve_never_shrinks() -> AbstractContextManager[Any]:
    """Leave the reserve as it is, however long a decision took."""

    def answered(self: Clock, now: float) -> Clock:
        return replace(self, overdue=False)

    return mock.patch.object(Clock, "answered", answered)


def reserve_gone_at_first_answer() -> AbstractContextManager[Any]:
    """Use the reserve up with the first decision."""

    def answered(self: Clock, now: float) -> Clock:
        return replace(ANSWERED(self, now), reserve=0.0)

    return mock.patch.object(Clock, "answered", answered)


def pause_eats_time() -> AbstractContextManager[Any]:
    """Let a clock run on from where it would be without its pause."""

    def going(self: Clock, now: float) -> Clock:
        return self if self.stopped_at is None else replace(self, stopped_at=None)

    return mock.patch.object(Clock, "going", going)


def holidays_never_end() -> AbstractContextManager[Any]:
    """Say that somebody is back, and leave them on holiday."""

    async def nothing(self: Holidays, person: Who) -> None:
        return

    return mock.patch.object(Holidays, "end", nothing)


def judged_while_discord_is_away() -> AbstractContextManager[Any]:
    """Judge and charge people while Discord answers no request."""
    stack = ExitStack()
    stack.enter_context(mock.patch.object(DiscordReach, "unserved", return_value={}))
    stack.enter_context(mock.patch.object(DiscordReach, "answers", mock.AsyncMock(return_value=True)))
    return stack


def undo_gives_time() -> AbstractContextManager[Any]:
    """Give who takes a turn back all their time again."""

    def charged(self: Clock, kept: object, pace: Pace, now: float) -> Clock:
        return BEGUN(self, pace, now)

    return mock.patch.object(Clock, "charged", charged)


def lag_is_forgotten() -> AbstractContextManager[Any]:
    """Judge by the clock alone: short outages are no grace."""
    served = Outages.served

    def without(self: Outages) -> list[Any]:
        now = self._clock()
        return [replace(each, until=now) for each in served(self)]

    return mock.patch.object(Outages, "served", without)
