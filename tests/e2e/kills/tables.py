"""One chain of matches: the same people open a table, play it to its end, and play once more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from bot.domain.tables import Status, TableRow
from bot.pages.custom_ids import Button, ButtonId, pack
from engines.core.contract import Manifest
from tests.e2e.kills.books import Books
from tests.e2e.kills.people import BLINK, Guest, Record, Seat
from tests.e2e.stage import TABLES
from tests.kit.person import PersonError

OPTIONS: dict[str, dict[str, Any]] = {"volo": {"board": "small"}}
"""Options that make for a shorter match."""

PAUSE = 0.2
"""Seconds before what led nowhere is tried again."""


class Chain:
    """The matches of some people at one game. No other chain of this game has these people."""

    def __init__(
        self,
        manifest: Manifest,
        guests: list[Guest],
        record: Record,
        read: Callable[[], Awaitable[Books]],
        rng: Random,
    ) -> None:
        self.manifest = manifest
        self.guests = guests
        self.seats: list[Seat] = []
        """Those of the match that is on, or was last."""
        self.on_rematch: asyncio.Event | None = None
        """Set when somebody presses Rematch."""
        self._record = record
        self._read = read
        self._rng = rng

    def newest(self, books: Books) -> TableRow | None:
        """Return the table that these people opened last, whether they have been told so or not."""
        here = {guest.id for guest in self.guests}
        mine = (
            row
            for row in books.tables.values()
            if row.info.game == self.manifest.key
            and row.info.host.id in here
            and row.info.status is not Status.CLOSED
        )
        return max(mine, key=lambda row: row.opened_at, default=None)

    @property
    def playing(self) -> bool:
        """Return whether a match is on, as far as its people can see."""
        boards = [seat.guest.eye.board(seat.thread) for seat in self.seats[:1]]
        return any(board is not None and Button.REMATCH not in board.buttons for board in boards)

    async def run(self) -> None:
        """Go on with whatever is next, for ever."""
        while True:
            try:
                await self._step()
            except PersonError as error:
                self._record.unanswered.append(f"a table of {self.manifest.key}: {error}")
            await asyncio.sleep(BLINK)

    async def _step(self) -> None:
        row = self.newest(await self._read())
        if row is None:
            await self._open()
        elif row.info.status is Status.OPEN:
            await self._join(row)
        elif row.info.thread_id is None:
            await asyncio.sleep(PAUSE)
        else:
            self._sit_down(row.info.id, str(row.info.thread_id))
            await asyncio.gather(*(seat.play() for seat in self.seats))
            await self._once_more()

    async def _open(self) -> None:
        chosen = dict(OPTIONS.get(self.manifest.key, {}))
        if len(self.manifest.seats) > 1:
            chosen["players"] = len(self.guests)
        await self.guests[0].window.command(TABLES, f"play {self.manifest.key}", **chosen)

    async def _join(self, row: TableRow) -> None:
        here = {chair.person.id for chair in row.info.chairs if chair.person is not None}
        for guest in self.guests:
            if guest.id in here:
                continue
            table = guest.eye.table(guest.window.channel_id(TABLES), row.info.id)
            if table is None:
                await asyncio.sleep(BLINK)
                return
            await guest.window.forge(table.message, pack(ButtonId(row.info.id, Button.JOIN)))
        host = next(guest for guest in self.guests if guest.id == row.info.host.id)
        table = host.eye.table(host.window.channel_id(TABLES), row.info.id)
        if row.info.full and table is not None:
            await host.window.forge(table.message, pack(ButtonId(row.info.id, Button.START)))

    def _sit_down(self, match: str, thread: str) -> None:
        if not self.seats or self.seats[0].match != match:
            self.seats = [Seat(guest, match, thread, self._record, self._rng) for guest in self.guests]

    async def _once_more(self) -> None:
        seat = self._rng.choice(self.seats)
        board = seat.guest.eye.board(seat.thread)
        if board is None:
            await asyncio.sleep(PAUSE)
            return
        if self.on_rematch is not None:
            self.on_rematch.set()
        await seat.guest.window.forge(board.message, pack(ButtonId(seat.match, Button.REMATCH)))
