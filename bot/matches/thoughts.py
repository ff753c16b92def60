"""What computer players want to say: unasked, or because the match waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from bot.matches.loaded_table import LoadedTable, SeatView
from engines.core.contract import Seat, Words


@dataclass(frozen=True, slots=True)
class Thought:
    """A sentence that a computer player has thought of. It may have taken a while, and no lock was held."""

    seat: Seat
    words: Words = field(repr=False)
    request: str
    """The same for the same thought: after a crash it is not said twice."""
    stands: Callable[[SeatView], bool] = field(repr=False)
    """Whether what it was thought for is still so."""
    unasked: bool


Quiet = dict[Seat, object]
"""What those saw last who had nothing to say unasked."""


async def interrupt(table: LoadedTable, quiet: Quiet) -> Thought | None:
    """Return what a computer player says unasked; those who keep quiet are added to ``quiet``.

    Each is asked anew only when it sees something new.
    """
    log = table.require_log()
    for seat in table.interrupting():
        seen = table.seat_view(seat).view
        if seat in quiet and quiet[seat] == seen:
            continue
        words = await asyncio.to_thread(log.match.interrupt, seat)
        request = f"interrupt:{table.id}:{seat}:{log.match.public_count}"
        if words is not None and log.row_of(request) is None:
            return Thought(seat, words, request, partial(_sees, seen), unasked=True)
        quiet[seat] = seen
    return None


async def decision(table: LoadedTable) -> Thought | None:
    """Return what the first computer player says of those that the match waits for."""
    log = table.require_log()
    computers = {chair.seat for chair in table.info.chairs if chair.person is None}
    seat = next((seat for seat in table.row.asked if seat in computers), None)
    if seat is None:
        return None
    words = await asyncio.to_thread(log.match.computer, seat)
    request = f"computer:{table.id}:{seat}:{log.sentences(seat)}"
    return Thought(seat, words, request, partial(_is_asked, table.seat_view(seat).decision), unasked=False)


def _sees(seen: object, now: SeatView) -> bool:
    return bool(now.view == seen)


def _is_asked(decision_id: str, now: SeatView) -> bool:
    return now.decision == decision_id
