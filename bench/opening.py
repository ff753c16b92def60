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
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store
from engines.core.contract import Seat, Words
from engines.core.match import AnyGame, Match
from engines.core.rng import SEED_BYTES, mixed_seed
from sandbox.server import Sandbox
from tests.kit.tables import show_hash
from tests.kit.thinking_here import services_over

CHANNEL = "games"


def part_of(number: int, *about: str) -> bytes:
    """Return the house's part of a shuffle: the same for the same number and words."""
    return hashlib.sha256(" ".join((str(number), *about)).encode()).digest()[:SEED_BYTES]


def seed_of(part: bytes, game: AnyGame) -> bytes:
    """Return the seed of a match at a table of the smallest size that :meth:`Opening.begin` begins."""
    return mixed_seed(part, _ids(part, min(game.manifest.seats)))


def _ids(part: bytes, people: int) -> list[str]:
    """Return the interactions with which a table is opened, joined and started."""
    return [f"{part.hex()} {number}" for number in range(people + 1)]


@dataclass(slots=True)
class Opening:
    """The services over a database that nobody serves yet."""

    services: Services
    place: Place
    _parts: Parts
    _requests: Iterator[str] = field(default_factory=lambda: (f"opening{number}" for number in count()))

    async def begin(
        self, game: AnyGame, people: Sequence[Person], part: bytes, options: Mapping[str, str]
    ) -> str:
        """Begin a match of ``people`` at a table of the smallest size; return its id."""
        self._parts.next = part
        seats = min(game.manifest.seats)
        lobby, ids = self.services.lobby, _ids(part, seats)
        info = await lobby.open(game.manifest.key, dict(options), seats, people[0], self.place, ids[0])
        await show_hash(self.services, info.id)
        for person, request in zip(people[1:seats], ids[1:], strict=False):
            info = await lobby.join(info.id, person, request)
        await lobby.start(info.id, people[0], ids[-1])
        async with self.services.cache.store.transaction() as transaction:
            # The same ids begin the same match once more, at another table.
            await transaction._do("DELETE FROM request WHERE match = ?", info.id)  # noqa: SLF001
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
class Parts:
    """The entropy of a house whose next table is to have a known part of a shuffle."""

    next: bytes = b""

    def draw(self, size: int) -> bytes:
        """Return the part where one is asked for, else anything: a table's id must be its own."""
        return self.next if size == SEED_BYTES else secrets.token_bytes(size)


@asynccontextmanager
async def opening(database: Path, sandbox: Sandbox) -> AsyncIterator[Opening]:
    """Open a database to begin matches in a sandbox's channel; closed before the bot may serve it."""
    parts = Parts()
    store = await open_store(database)
    try:
        cache = TableCache(store, wake=lambda: None, entropy=parts.draw)
        place = Place(sandbox.records.guild.id, sandbox.channel(CHANNEL).id)
        yield Opening(services_over(cache, limits=NO_LIMITS), place, parts)
    finally:
        await store.close()


def people_of(sandbox: Sandbox) -> list[Person]:
    """Return the people of a sandbox as the house knows them."""
    return [Person(user.id, user.name) for user in sandbox.records.people()]
