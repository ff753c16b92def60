"""Stepping back through the last turns of a match, each as the viewer's own seat saw it then.

A match in memory holds only its present. When somebody steps back, its past is replayed from the log, and the
states of the last turns are cached so that further steps are fast. See ``docs/adr/0034``.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.match import Moment
from bot.domain.tables import Who, person_id
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog, applied
from bot.matches.table_cache import TableCache
from engines.core.contract import Seat
from engines.core.match import Match

TURNS = 12
"""Maximum turns to step back."""

MAX_CACHED_MATCHES = 32
"""Matches whose last turns are cached, least recently used out first."""


@dataclass(frozen=True, slots=True)
class Past:
    """The states of a match after each of its last turns."""

    match: Match = field(repr=False)
    """The match when its latest turn began."""
    rows: int
    """How many rows of the log were replayed."""
    states: tuple[Any, ...] = field(repr=False)
    """The states after its last turns, the latest last."""
    turns: int
    """How many turns were over in the latest state."""
    undone: int
    """How many undos the replayed log had."""

    @classmethod
    def begin(cls, log: MatchLog) -> Past:
        """Return the past at the start of a match."""
        match = Match.start(log.match.game, log.match.setup, log.match.seed)
        return cls(match, 0, (match.state,), 0, len(log.undone))

    @property
    def oldest(self) -> int:
        """Return the number of turns before the oldest kept state."""
        return self.turns - len(self.states) + 1

    def after(self, turns: int) -> Any:
        """Return the state after ``turns`` turns, from :attr:`oldest` to :attr:`turns`."""
        return self.states[turns - self.oldest]

    def followed(self, log: MatchLog) -> Past:
        """Return the past up to the current turn of a later log of the same match.

        It replays the new rows: about a second per three hundred.
        """
        past = self
        while past.turns < log.public.turn - 1:
            past = past._next(log)
        return past

    def _next(self, log: MatchLog) -> Past:
        match, end = self.match, log.headers[log.turn_began(self.turns + 2)].row
        for row in log.rows[self.rows : end]:
            if row.seq not in log.undone_rows:
                match = applied(match, row)
        return replace(
            self,
            match=match,
            rows=end,
            states=(*self.states, match.state)[-TURNS - 1 :],
            turns=self.turns + 1,
        )


class History:
    """The use cases of stepping back."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache
        self._pasts: OrderedDict[str, Past] = OrderedDict()
        # A replay competes with the event loop for CPU time, so only one runs at a time.
        self._replaying = asyncio.Lock()

    async def before(self, table_id: str, person: Who) -> Moment:
        """Return the moment before the present one. Raises ``Refusal`` if there is no match to look at."""
        table = await self._cache.get(table_id)
        return await self._moment(table, person, newest_of(table.require_log()) - 1)

    async def now(self, table_id: str, person: Who) -> Moment:
        """Return the present moment, as reached by stepping forward. Raises ``Refusal``."""
        table = await self._cache.get(table_id)
        return await self._moment(table, person, newest_of(table.require_log()))

    async def after(self, table_id: str, person: Who, turns: int) -> Moment:
        """Return the moment after ``turns`` turns, or the nearest available one. Raises ``Refusal``.

        A person without a seat sees what the public saw.
        """
        return await self._moment(await self._cache.get(table_id), person, turns)

    async def _moment(self, table: LoadedTable, person: Who, wanted: int) -> Moment:
        log = table.require_log()
        past = await self._past(table.id, log)
        newest = newest_of(log)
        number = min(max(wanted, past.oldest), newest)
        seat = table.info.seat_of(person_id(person))
        return moment_of(table, log, past, seat, number, older_asked=0 <= wanted < past.oldest)

    async def _past(self, table_id: str, log: MatchLog) -> Past:
        async with self._replaying:
            past = self._pasts.pop(table_id, None)
            if past is not None and past.undone != len(log.undone):
                past = None  # it may contain steps that were undone since
            # Only public steps begin a turn, so the waiting time reveals no secret step.
            if past is None or past.turns < log.public.turn - 1:
                past = await asyncio.to_thread(_followed, past, log)
            self._pasts[table_id] = past
            if len(self._pasts) > MAX_CACHED_MATCHES:
                self._pasts.popitem(last=False)
        return past


def _followed(past: Past | None, log: MatchLog) -> Past:
    return (Past.begin(log) if past is None else past).followed(log)


def newest_of(log: MatchLog) -> int:
    """Return the number of the present: turns that are over, plus the current one if it has a public step."""
    over = log.public.turn - 1
    begun = log.headers[log.turn_began(log.public.turn)]
    # Only public steps count, so that nobody can count secret ones.
    return over + (log.public.version > begun.version)


def moment_of(
    table: LoadedTable, log: MatchLog, past: Past, seat: Seat | None, number: int, *, older_asked: bool
) -> Moment:
    """Return a moment as ``seat`` saw it then; ``number``: from ``past.oldest`` to :func:`newest_of`."""
    newest, game = newest_of(log), log.match.game
    first = log.turn_began(number) + 1 if number else 0
    if number == newest:
        # In the present a seat sees what its panel shows, including secret steps of the current turn.
        state, last = log.match.state, len(log.headers) - 1
    else:
        state, last = past.after(number), log.turn_began(number + 1)
    view = game.view(state, seat)
    told = log.told_until(seat, first, last)
    outcome = game.outcome(view)
    return Moment(table.info, seat, view, number, past.oldest, newest, told, outcome, older_asked)
