"""The house under attack: the real client over a database in a folder, with Discord stood in for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import discord
from discord.webhook.async_ import async_context

from bench.hostile.payloads import APPLICATION, GUILD, Json, guild, user
from bench.hostile.wire import Exchange, Wire
from bot.app import Bauta
from bot.gateway import discord_patches
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.store.sqlite import SqliteStore, open_sqlite
from bot.workers.painter import AnyPaintRequest, DemonstrationRequest, PaintRequest, ReelRequest
from bot.workers.painting_pool import PaintingPool, Wanted
from renderers.core.contract import Picture
from renderers.core.registry import renderer
from tests.kit.thinking_here import services_over

FIRST_ID = 1_000_000_000_000_000_000

DATABASE = "hostile.db"

CAPACITY = 6
"""Tables in memory: few, so that some must be fetched again all the time."""

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)


class Brush(PaintingPool):
    """Notes what would be painted, and gives a pixel that says it in words, or now and then nothing."""

    def __init__(self, rng: Random) -> None:
        super().__init__(workers=1)
        self._rng = rng
        self.asked: list[PaintRequest] = []

    async def paint(self, request: AnyPaintRequest, wanted: Wanted | None = None) -> Picture | None:
        """Note the request, unless it is for a picture of nobody's match."""
        if isinstance(request, DemonstrationRequest):
            return None
        self.asked.append(request)
        if self._rng.random() < 0.3:
            return None
        words = renderer(request.game).text(request.view, request.table)
        return Picture(_PIXEL, "image/png", 1, 1, words[:1024] or "nothing")

    async def film(self, replay: Any, table: Any) -> Picture | None:
        """Make no film: it takes seconds and shows what all may see."""
        return None

    async def reel(self, request: ReelRequest) -> Picture | None:
        """Move nothing, for the same reason: no process is started."""
        return None


class House:
    """The client, and how interactions reach it."""

    def __init__(self, store: SqliteStore, services: Services, wake: asyncio.Event, rng: Random) -> None:
        self.store = store
        self.services = services
        self.ids = count(FIRST_ID)
        self.wire = Wire(self.ids)
        self.brush = Brush(Random(rng.random()))
        discord_patches.apply()
        self.client = Bauta(services, self.brush, wake, "")
        self.refused = 0
        """Payloads that discord.py itself could not read."""
        self.work: asyncio.Task[None] | None = None
        self.lately: list[LoadedTable] = []
        """Tables as they were and became during the latest delivery."""
        self.invited: set[int] = set()
        """Who was ever invited to a table: memory keeps few tables, and a message names whom it asked."""
        self._note_tables()

    def _note_tables(self) -> None:
        services: Any = self.services
        put = services.cache.put

        def noted(live: LoadedTable) -> None:
            self.lately.append(live)
            self.invited |= {person.id for person in live.row.invited}
            put(live)

        services.cache.put = noted

    async def enter(self) -> None:
        """Bring the client as far as it is after its login."""
        client: Any = self.client
        await client._async_setup_hook()
        state = client._connection
        client.http.request = self.wire.request
        client.http._HTTPClient__session = None
        myself: Any = user(APPLICATION, "Bauta", bot=True)
        state.user = discord.ClientUser(state=state, data=myself)
        state.application_id = APPLICATION
        client._application = None
        state._add_guild_from_data(guild(GUILD, "The @everyone **house** <@&1>"))
        async_context.set(self.wire.adapter())
        await self.client.setup_hook()
        writer = self.store.writer
        await writer.run(lambda to: to.execute("PRAGMA synchronous = OFF"))  # no power is cut in here
        self.work = asyncio.create_task(self.client.worker.run(), name="outbox worker")

    async def leave(self) -> None:
        """Stop what runs in the background."""
        if self.work is not None:
            self.work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.work
        await self.client.background.close()

    def seen(self) -> list[LoadedTable]:
        """Return the tables in memory, the latest used last."""
        return list(self.services.cache._tables.values())

    async def deliver(self, *payloads: Json) -> list[Exchange]:
        """Let interactions arrive at once, wait until they are dealt with, return how they were answered."""
        self.lately = self.seen()
        found = [self.wire.expect(payload) for payload in payloads]
        before = asyncio.all_tasks()
        for payload in payloads:
            self._arrive(payload)
        await _ended(asyncio.all_tasks() - before)
        await self.settled()
        return found

    def _arrive(self, payload: Json) -> None:
        """Take a payload as the gateway does; what discord.py cannot read goes past its own dispatch."""
        state: Any = self.client._connection
        try:
            state.parse_interaction_create(payload)
        except Exception:  # whatever it cannot read
            self.refused += 1
            try:
                interaction: Any = discord.Interaction(data=payload, state=state)  # type: ignore[arg-type]
            except Exception:  # it never comes as far as the bot
                self.wire.exchanges[payload["id"]].arrived = False
            else:
                self.client.dispatch("interaction", interaction)

    async def settled(self) -> None:
        """Wait until nothing is left to be brought in line."""
        await self.client.background.join()
        while await self.services.outbox.next_jobs(1):
            if self.work is None or self.work.done():
                raise RuntimeError("the outbox worker has stopped")
            self.client.worker.wake()
            await asyncio.sleep(0.001)
            await self.client.background.join()


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=60)


@asynccontextmanager
async def house_in(folder: Path, seed: int) -> AsyncIterator[House]:
    """Open a house whose every shuffle follows from ``seed``."""
    rng = Random(f"house {seed}")
    wake = asyncio.Event()
    store = await open_sqlite(folder / DATABASE)
    services = services_over(
        TableCache(store, wake=wake.set, entropy=Random(rng.random()).randbytes, capacity=CAPACITY),
        limits=NO_LIMITS,
    )
    house = House(store, services, wake, rng)
    try:
        await house.enter()
        yield house
    finally:
        await house.leave()
        await store.close()
