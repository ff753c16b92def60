"""Whether one person can keep others waiting: ``python -m bench.spam``.

The same evening twice, over the sandbox: many matches, and people who click in them. In the second one
there is somebody else besides, who has opened 120 tables in a channel of their own before the bot starts,
and who goes on opening tables and asking for pictures as long as the evening lasts. Measured, of the
others alone: how long after the start their boards are shown, and how long each board waits after its
sentence was committed (as the outbox has it: from a job's coming to its going). The exit status is 1
where the second evening's boards come more than a second later than the first one's.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from bench.crowd import Crowd, open_matches
from bench.load import BEHIND, START, Bot, clicking
from bench.matches import verdict
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

LATER = 1.0
"""Seconds that others' boards may come later because of one person, at most: 99 in 100 of them."""

TABLES = 120
"""Tables that the person has opened before the bot starts; half have begun, against computer players."""

PAUSE = 0.05
"""Seconds between two things that the person asks for."""

LOOKS = 0.05
"""Seconds between two looks at the outbox: how finely a board's wait is measured."""


@dataclass(slots=True)
class Waits:
    """How long the boards of some matches wait in the outbox."""

    database: Path
    matches: frozenset[str]
    seconds: list[float] = field(default_factory=list)
    _waiting: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Note the boards that have been shown since the last look."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT revision, match, due FROM job WHERE kind = 'board'").fetchall()
        now = time.time()
        there = {revision: due for revision, match, due in rows if match in self.matches and due > 0}
        gone = [due for revision, due in self._waiting.items() if revision not in there]
        self.seconds += [max(0.0, now - due) for due in gone]
        self._waiting = there

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOKS)

    def late(self) -> float:
        """Return the seconds after which 99 of 100 boards were shown."""
        return sorted(self.seconds)[len(self.seconds) * 99 // 100] if self.seconds else 0.0


class Spammer:
    """One person who wants everything, in a channel of their own."""

    def __init__(self, sandbox: Sandbox, person: User, channel: Channel, rng: Random) -> None:
        self._state = sandbox.state
        self._person = person
        self._channel = channel
        self._rng = rng
        self.asked = 0

    async def open_tables(self, database: Path) -> None:
        """Fill a database with their tables, before anybody limits them."""
        store = await open_store(database)
        services = build_services(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        host = Person(self._person.id, self._person.name)
        place = Place(self._channel.guild_id or 0, self._channel.id)
        requests, known = (f"spam{number}" for number in count()), list(games().values())
        for number in range(TABLES):
            game = known[number % len(known)].manifest
            seats = min(size for size in game.seats if size > 1)
            computers = seats - 1 if number % 2 else 0
            await services.lobby.open(game.key, {}, seats, host, place, next(requests), computers=computers)
        await store.close()

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


@dataclass(frozen=True, slots=True)
class Evening:
    """What others met."""

    shown: float
    """Seconds from the bot's start until all their boards were there."""
    late: float
    boards: int
    asked: int
    """How often the spammer has asked for something."""


async def evening(options: argparse.Namespace, folder: Path, *, spam: bool) -> Evening:
    """Serve one evening; return what it was like."""
    sandbox = Sandbox(page=False, rate_limits=False)
    await sandbox.start()
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(options.people)]
    person, channel = sandbox.records.add_person("Somebody").user, sandbox.records.add_channel("spam")
    spammer = Spammer(sandbox, person, channel, Random(options.seed))
    if spam:
        # Theirs are the first in the outbox.
        await spammer.open_tables(folder / "bauta.db")
    tables = await open_matches(folder / "bauta.db", sandbox, people, options.matches)
    waits = Waits(folder / "bauta.db", frozenset(table.id for table in tables))
    begun = time.monotonic()
    bot = await Bot.start(sandbox, folder)
    tasks = [asyncio.create_task(spammer.go_on())] if spam else []
    try:
        crowd = Crowd(sandbox, people, tables, Random(options.seed))
        await crowd.gathered(START)
        shown = time.monotonic() - begun
        tasks.append(asyncio.create_task(waits.watch()))
        await asyncio.sleep(1.0)
        waits.seconds.clear()
        bot.forget()
        await clicking(crowd, bot, options.pace, options.seconds)
        if not spam:
            await bot.settled(BEHIND)
        return Evening(shown, waits.late(), len(waits.seconds), spammer.asked)
    finally:
        for task in tasks:
            task.cancel()
        await bot.stop()
        await sandbox.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.spam", description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="others' matches")
    parser.add_argument("--people", type=int, default=12, help="who play them")
    parser.add_argument("--pace", type=float, default=5.0, help="their clicks a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long an evening lasts")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        found: list[Evening] = []
        for spam in (False, True):
            place = Path(folder) / f"spam-{spam}"
            place.mkdir()
            each = asyncio.run(evening(options, place, spam=spam))
            found.append(each)
            name = "with the spammer" if spam else "without the spammer"
            print(
                f"{name}: all others' boards shown {each.shown:.1f} s after the start; {each.boards} boards"
                f" later, 99% of them within {each.late:.2f} s; asked for {each.asked} things",
                flush=True,
            )
    alone, beside = found
    kept = verdict("others' boards come later, 99%", beside.late - alone.late, LATER, "s")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
