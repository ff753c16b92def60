"""What computer players want to say: unasked, or because the match waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import TypeVar

from bot.domain.clocks import TimeUp
from bot.matches.loaded_table import LoadedTable, SeatView
from engines.core.contract import Seat, Words

T = TypeVar("T")

AT_ONCE = 2
"""Computer players that think at the same time."""


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


def loop_time() -> float:
    """Return the event loop's time: nobody can set that clock."""
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Floor:
    """How long a computer player takes to answer, at least: the time must not tell what it holds.

    What takes longer is rounded up to whole floors. 0: an answer comes at once.
    """

    seconds: float = 0.0
    clock: Callable[[], float] = loop_time
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    async def reached(self, begun: float) -> None:
        """Wait until whole floors have passed since ``begun``."""
        if self.seconds > 0:
            taken = self.clock() - begun
            await self.sleep(self.seconds * max(1, ceil(taken / self.seconds)) - taken)


NO_FLOOR = Floor()


class Thinkers:
    """Computer players think here, in threads beside the event loop: few at once, or all else gets slow."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def think(self, table: LoadedTable, quiet: Quiet) -> Thought | None:
        """Return what a computer player says next, unasked or because the match waits for it.

        ``None``: all keep quiet. That takes as long as an answer, since a board may wait for it.
        """
        asked = _asked(table)
        if asked is None and not any(_is_curious(table, quiet, seat) for seat in table.interrupting()):
            return None
        begun = self._floor.clock()
        thought = await self._interrupt(table, quiet)
        if thought is None and asked is not None:
            thought = await self._decision(table, asked)
        await self._floor.reached(begun)
        return thought

    async def _interrupt(self, table: LoadedTable, quiet: Quiet) -> Thought | None:
        # Those who keep quiet are added to `quiet`: each is asked anew only when it sees something new.
        log = table.require_log()
        for seat in table.interrupting():
            if not _is_curious(table, quiet, seat):
                continue
            seen = table.seat_view(seat).view
            words = await self._in_thread(partial(log.match.interrupt, seat))
            request = f"interrupt:{table.id}:{seat}:{log.match.public_count}"
            if log.undone:
                # What the public has learned is counted anew from where a turn was taken back.
                request += f":{len(log.undone)}"
            if words is not None and log.row_of(request) is None:
                return Thought(seat, words, request, partial(_sees, seen), unasked=True)
            quiet[seat] = seen
        return None

    async def decide_for(self, table: LoadedTable, seat: Seat) -> Words:
        """Return what is said for a seat whose time is up, by its own view: see :class:`TimeUp`."""
        begun, match = self._floor.clock(), table.require_log().match
        words = match.lapse(seat) if table.info.time_up is TimeUp.PASS else None
        if words is None:
            words = await self._in_thread(partial(match.computer, seat))
        await self._floor.reached(begun)
        return words

    async def _decision(self, table: LoadedTable, seat: Seat) -> Thought:
        log = table.require_log()
        words = await self._in_thread(partial(log.match.computer, seat))
        request = f"computer:{table.id}:{seat}:{log.sentences(seat)}"
        stands = partial(_is_asked, table.seat_view(seat).decision)
        return Thought(seat, words, request, stands, unasked=False)

    async def _in_thread(self, think: Callable[[], T]) -> T:
        async with self._gate:
            return await asyncio.to_thread(think)


def _asked(table: LoadedTable) -> Seat | None:
    """Return the first computer player of those that the match waits for."""
    # While nobody is there, a match waits for its people: computers do not finish it among themselves.
    alone = not table.anybody_present()
    computers = {
        chair.seat for chair in table.info.chairs if chair.person is None or (chair.stand_in and not alone)
    }
    return next((seat for seat in table.row.asked if seat in computers), None)


def _is_curious(table: LoadedTable, quiet: Quiet, seat: Seat) -> bool:
    return seat not in quiet or quiet[seat] != table.seat_view(seat).view


def _sees(seen: object, now: SeatView) -> bool:
    return bool(now.view == seen)


def _is_asked(decision_id: str, now: SeatView) -> bool:
    return now.decision == decision_id
