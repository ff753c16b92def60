"""The bot in a simulation: the real use cases, store, outbox worker and pages, wired like the bot.

Only its edges differ: the loop schedules SQL, time is virtual, pictures are not painted, and discord.py
talks to :mod:`tests.kit.simulation.discord`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from unittest import mock

import discord
from discord.ui import TextDisplay

import bot.app
from bot.app import Bauta
from bot.clocks.outages import note_first_start
from bot.domain.tables import Person
from bot.gateway import discord_patches
from bot.matches import Services
from bot.matches.outbox import RESTORE_ID, begin_after_restore
from bot.matches.table_cache import TableCache
from bot.pages.log import log_page
from bot.pages.page import Page
from bot.pages.person import games_page
from bot.pages.texts import Texts
from bot.runtime.timekeeping import Timekeeper
from bot.store import Store, open_store
from bot.workers.painter import AnyPaintRequest, ReelRequest
from engines.core import registry
from renderers.core import registry as painters
from renderers.core.contract import Picture, Table
from tests.kit import vault
from tests.kit.odds import engine as odds_engine
from tests.kit.odds import renderer as odds_renderer
from tests.kit.simulation.discord import APPLICATION, GUILD, Discord
from tests.kit.simulation.session import Session
from tests.kit.thinking_here import services_over
from tests.kit.unconnected import set_up, state_of
from tests.kit.witness.looks import look

if TYPE_CHECKING:  # missing in older checkouts of the bot: see ``bench/simulation.py``
    from bot.domain.address import Address
    from bot.domain.shards import Shards


class Painter:
    """Stands in for the painting processes: a picture is the digest of its content."""

    def __init__(self, pause: Callable[[], Awaitable[None]]) -> None:
        self._pause = pause
        self._known: dict[int, tuple[Any, bytes]] = {}

    async def paint(
        self, request: AnyPaintRequest, wanted: Callable[[], bool] | None = None
    ) -> Picture | None:
        """Return the digest of a request after a while; ``None``: it is not wanted any more."""
        await self._pause()
        if wanted is not None and not wanted():
            return None
        return picture(request, shows=getattr(request, "view", request))

    async def reel(self, request: ReelRequest) -> Picture | None:
        """Return the digest of an animation."""
        await self._pause()
        return picture(request)

    async def film(self, replay: Mapping[str, Any], table: Table) -> Picture | None:
        """Return the digest of a film."""
        await self._pause()
        await self._pause()
        played = [[row["kind"], row["seat"], row["sentence"]] for row in replay["log"]]
        return picture(("film", replay, table), "film", shows=played)


def picture(shown: object, kind: str = "picture", *, shows: object = None) -> Picture:
    """Return a substitute for a picture of ``shown``: equal for equal content, in every process.

    ``shows``: the content that its alt text names; ``None``: none.
    """
    data = look(shown)
    told = "" if shows is None else f" shows {look(shows)}"
    return Picture(data.encode(), "image/png", 550, 350, f"{kind} {data}{told}")


@contextmanager
def games_installed() -> Iterator[None]:
    """Install the toy games with painters and texts within the block."""
    modules: dict[str, Any] = {
        "engines.odds": odds_engine, "renderers.odds": odds_renderer,
        "engines.vault": vault, "renderers.vault": vault,
    }  # fmt: skip
    games: dict[str, Any] = {"odds": odds_engine.GAME, "vault": vault.GAME}
    shown: dict[str, Any] = {"odds": odds_renderer.RENDERER, "vault": vault.RENDERER}
    with (
        mock.patch.dict(registry.games(), games),
        mock.patch.dict(painters.renderers_by_game(), shown),
    ):
        # Other imported modules stay, so that the next run need not import them again.
        sys.modules |= modules
        try:
            yield
        finally:
            for name in modules:
                del sys.modules[name]


@dataclasses.dataclass(eq=False)
class House:
    """One run of the bot, between a start and a stop."""

    client: Bauta
    services: Services
    store: Store
    wake: asyncio.Event

    async def read_list(self, person: Person) -> str:
        """Return what ``/games`` says to somebody."""
        return _text(games_page(await self.services.queries.matches_in_detail(person), Texts()))

    async def read_log(self, match: str, person: Person) -> str:
        """Return what ``/log`` says to somebody; raises ``Refusal``."""
        queries = self.services.queries
        lines = await queries.log(match, person)
        return _text(log_page(await queries.table(match), lines, None, Texts()))


def _text(shown: Page) -> str:
    return "\n".join(item.content for item in shown.view.walk_children() if isinstance(item, TextDisplay))


async def open_house(
    address: Address,
    world: Discord,
    clock: Callable[[], float],
    entropy: Callable[[int], bytes],
    pause: Callable[[], Awaitable[None]],
    shards: Shards | None,
    news: Callable[[Callable[[Any], None]], Callable[[Any], None]],
    connected: Callable[[], Awaitable[None]],
) -> House:
    """Start a bot like :func:`bot.app.serve`; ``shards``: those that it serves, as one process of several.

    ``news`` filters notifications from other processes; ``connected`` waits for the gateway.
    """
    discord_patches.apply()
    store = await open_store(address) if shards is None else await open_store(address, shards)
    wake = asyncio.Event()
    time = Timekeeper()
    cache = TableCache(store, wake=wake.set, clock=time.steady, entropy=entropy)
    services = services_over(cache)
    await begin_after_restore(store, clock())
    await note_first_start(store, clock())
    restore_id = await services.settings.get_value(RESTORE_ID) or ""
    # Older checkouts of the bot may take fewer arguments: see ``bench/simulation.py``.
    await services.outbox.resume(**_known(services.outbox.resume, {"program": "simulated"}))
    if hasattr(services, "privacy"):
        await services.privacy.resume()
        await services.privacy.scrub()
    known: dict[str, Any] = {
        "services": services,
        "painter": Painter(pause),
        "wake": wake,
        "restore_id": restore_id,
        "time": time,
    }
    sharing = getattr(store, "sharing", None)
    if sharing is not None:
        known |= {"reconnect_state": bot.app.ReconnectState(sharing), "part": bot.app.Part(shards)}
    client = Bauta(**_known(Bauta, known))
    await set_up(client)
    client.clocks.outages.watch(client._reach)  # noqa: SLF001 - what `setup_hook` does
    rest = getattr(client, "rest_health", None)
    client.http._HTTPClient__session = Session(world, rest)  # type: ignore[attr-defined] # noqa: SLF001
    client.http._global_over = asyncio.Event()  # noqa: SLF001 - what logging in does
    client.http._global_over.set()  # noqa: SLF001
    state = state_of(client)
    me = {"id": str(APPLICATION), "username": "Bauta", "discriminator": "0", "avatar": None, "bot": True}
    state.user = discord.ClientUser(state=state, data=cast("Any", me))
    state.application_id = APPLICATION
    if sharing is not None:
        client.background.spawn(sharing.keep(news(cache.on_remote_change)), "being present")
    house = House(client, services, store, wake)
    await connected()
    if shards is None or shards.has(GUILD):
        await tell_of_guild(house, world)
    else:
        await client.on_ready()
    return house


def _known(work: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that a checkout's function accepts."""
    return {name: given[name] for name in inspect.signature(work).parameters if name in given}


async def tell_of_guild(house: House, world: Discord) -> None:
    """Start a new session with the gateway, which sends every server, but no missed events."""
    guild = state_of(house.client)._add_guild_from_data(world.guild_json())  # noqa: SLF001
    house.client.dispatch("guild_available", guild)
    await house.client.on_ready()


async def close_house(house: House) -> None:
    """Stop a bot like an operator."""
    await house.client.background.close()
    await house.store.close()
