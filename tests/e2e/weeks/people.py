"""The people of two weeks, each with a habit, and how they take their turns."""

from __future__ import annotations

import asyncio

from bot.pages.custom_ids import Button
from tests.e2e.four import confirm, typed
from tests.e2e.stage import Json, Player, places, press_id
from tests.e2e.weeks.ledger import Ledger
from tests.kit.waiting import PAUSE, eventually, until

TRIES = 5

ZONE, QUIET = "Europe/Rome", (22, 8)
"""Where all of them live, and when they want to hear nothing."""


class Habit:
    """Somebody who plays while they are awake, in the thread or by direct messages."""

    def __init__(self, player: Player, ledger: Ledger, *, by_message: bool = False) -> None:
        self.player = player
        self.ledger = ledger
        self.by_message = by_message
        self.here = True
        """Whether they play at all."""
        self.lazy: set[int] = set()
        """The days that they let pass."""
        self.dm = ""

    @property
    def name(self) -> str:
        return self.player.window.name

    async def settle_in(self) -> None:
        """Choose quiet hours, and where turns come."""
        window = self.player.window
        self.dm = str((await window.dm())["id"])
        options = {"dms": "on"} if self.by_message else {}
        page = (await window.command("games", "settings", **options)).message
        assert page is not None
        page = await self._next(page, press_id(page, Button.REMINDERS))
        page = await self._next(page, "b1:house:city", ZONE)
        # They last until eight where nobody says otherwise.
        await self._next(page, "b1:house:quiet_from", str(QUIET[0]))

    async def _next(self, page: Json, custom_id: str, value: str | None = None) -> Json:
        window = self.player.window
        mark = len(window.received)
        if value is None:
            await window.press(page, custom_id)
        else:
            await window.select(page, custom_id, [value])
        return await window.updated(page, since=mark)

    async def say(self, match: str, thread: str) -> bool:
        """Say what a good player would, if the match asks it; return whether it was said.

        Where somebody was faster, and has taken what they were about to take, they think again.
        """
        for _ in range(TRIES):
            try:
                return await self._say(match, thread)
            except AssertionError:
                await asyncio.sleep(PAUSE)
        return False

    async def _say(self, match: str, thread: str) -> bool:
        table = await self.ledger.table(match)
        seat = table.info.seat_of(int(self.player.id))
        if seat is None or seat not in table.asked() or table.info.chair_at(seat).stand_in:
            return False
        log = table.require_log()
        text = log.match.game.write(log.match.computer(seat))
        await typed(self.player, await self._panel(match, thread), text)
        await confirm(self.player)

        async def is_said() -> bool:
            return len((await self.ledger.table(match)).require_log().rows) > len(log.rows)

        await until(is_said)
        return True

    async def _panel(self, match: str, thread: str) -> Json:
        if not self.by_message:
            return await self.player.open(thread)
        seen = self.player.window.seen

        def newest() -> Json | None:
            fitting = [
                message
                for message in seen.values()
                if message["channel_id"] == self.dm and any(place.match == match for place in places(message))
            ]
            return max(fitting, key=lambda message: int(message["id"]), default=None)

        return await eventually(newest)
