"""Matches of known seeds, begun in a database before the bot serves it: the same matches in every run."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bot.domain.tables import Person, Place
from bot.matches import Services, build_services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store
from engines.core.contract import Seat, Words
from engines.core.match import AnyGame, Match
from engines.core.rng import SEED_BYTES
from sandbox.server import Sandbox

CHANNEL = "games"


def seed_of(number: int, *about: str) -> bytes:
    """Return the seed of a match: the same for the same number and words."""
    return hashlib.sha256(" ".join((str(number), *about)).encode()).digest()[:SEED_BYTES]


@dataclass(slots=True)
class Opening:
    """The services over a database that nobody serves yet."""

    services: Services
    place: Place
    _seeds: Seeds
    _requests: Iterator[str] = field(default_factory=lambda: (f"opening{number}" for number in count()))

    async def begin(
        self, game: AnyGame, people: Sequence[Person], seed: bytes, options: Mapping[str, str]
    ) -> str:
        """Fill a table of the smallest size with ``people``; return its id."""
        self._seeds.next = seed
        seats = min(game.manifest.seats)
        key = game.manifest.key
        info = await self.services.lobby.open(
            key, dict(options), seats, people[0], self.place, next(self._requests)
        )
        for person in people[1:seats]:
            info = await self.services.lobby.join(info.id, person, next(self._requests))
        return info.id

    async def match(self, table_id: str) -> Match:
        """Return a match as it is committed."""
        return (await self.services.cache.get(table_id)).require_log().match

    async def person(self, table_id: str, seat: Seat) -> int:
        """Return the id of who sits in a seat."""
        person = (await self.services.cache.get(table_id)).info.chair_at(seat).person
        if person is None:
            raise ValueError("nobody sits there")
        return int(person.id)

    async def say(self, table_id: str, seat: Seat, words: Words) -> None:
        """Let a seat say a sentence."""
        await self.services.actions.submit(table_id, seat, None, words, next(self._requests))


@dataclass(slots=True)
class Seeds:
    """The entropy of a house whose next match is to have a known seed."""

    next: bytes = b""

    def draw(self, size: int) -> bytes:
        """Return the seed where one is asked for, else anything: a table's id must be its own."""
        return self.next if size == SEED_BYTES else secrets.token_bytes(size)


@asynccontextmanager
async def opening(database: Path, sandbox: Sandbox) -> AsyncIterator[Opening]:
    """Open a database to begin matches in a sandbox's channel; closed before the bot may serve it."""
    seeds = Seeds()
    store = await open_store(database)
    try:
        cache = TableCache(store, wake=lambda: None, entropy=seeds.draw)
        place = Place(sandbox.records.guild.id, sandbox.channel(CHANNEL).id)
        yield Opening(build_services(cache, limits=NO_LIMITS), place, seeds)
    finally:
        await store.close()


def people_of(sandbox: Sandbox) -> list[Person]:
    """Return the people of a sandbox as the house knows them."""
    return [Person(user.id, user.name) for user in sandbox.records.people()]
