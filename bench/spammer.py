"""One person who wants everything, and all the time: for :mod:`bench.load` and :mod:`bench.spam`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

from bot.domain.tables import Person, Place
from bot.matches import build_services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.pages.custom_ids import Button
from bot.store import open_store
from engines.core.registry import games
from sandbox import user_actions
from sandbox.errors import InputError
from sandbox.model import Channel, User
from sandbox.server import Sandbox
from tests.e2e.stage import has, press_id
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table

TABLES = 120
"""Tables that the person has opened before the bot starts; half have begun, against computer players."""

PAUSE = 0.05
"""Seconds between two things that the person asks for."""


class Spammer:
    """One person who wants everything, in a channel of their own."""

    def __init__(self, sandbox: Sandbox, person: User, channel: Channel, rng: Random) -> None:
        self._state = sandbox.state
        self._person = person
        self._channel = channel
        self._rng = rng
        self.asked = 0

    async def open_tables(self, database: Path) -> frozenset[str]:
        """Fill a database with their tables, before anybody limits them; return their ids."""
        opened: list[str] = []
        store = await open_store(database)
        services = build_services(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        host = Person(self._person.id, self._person.name)
        place = Place(self._channel.guild_id or 0, self._channel.id)
        requests, known = (f"spam{number}" for number in count()), list(games().values())
        for number in range(TABLES):
            game = known[number % len(known)].manifest
            seats = min(size for size in game.seats if size > 1)
            computers = seats - 1 if number % 2 else 0
            info = await open_table(
                services, game.key, {}, seats, host, place, next(requests), computers=COMPUTER * computers
            )
            opened.append(info.id)
        await store.close()
        return frozenset(opened)

    async def go_on(self) -> None:
        """Ask for something else again and again, until cancelled."""
        while True:
            self.asked += 1
            with suppress(InputError):  # such as a button that has gone
                self._rng.choice((self._play, self._play, self._look, self._turn))()
            await asyncio.sleep(PAUSE)

    def _play(self) -> None:
        game = self._rng.choice(list(games().values())).manifest
        options = {"computers": 1} if self._rng.random() < 0.5 else {}
        user_actions.command(self._state, self._person, self._channel.id, f"play {game.key}", options)

    def _threads(self) -> list[int]:
        return [each.id for each in self._state.records.threads() if each.parent_id == self._channel.id]

    def _look(self) -> None:
        threads = self._threads()
        if threads:
            name = self._rng.choice(("board", "hand", "log"))
            user_actions.command(self._state, self._person, self._rng.choice(threads), name, {})

    def _turn(self) -> None:
        threads = self._threads()
        if not threads:
            return
        seen = self._state.records.history(self._rng.choice(threads), self._state.records.bot.id)
        for message in reversed(seen):
            shown = {"components": message.components, "content": message.content, "embeds": message.embeds}
            if message.only_for is None and has(shown, Button.TURN):
                user_actions.press(self._state, self._person, message.id, press_id(shown, Button.TURN))
                return
