"""The bot: a Discord client over the use cases, its life from login to shutdown, and what can end it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
import time
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl
from discord import app_commands

from bot.config import Config, StartError, is_loopback
from bot.heartbeat import Heartbeat
from bot.interactions.answers import Answers
from bot.interactions.buttons import Buttons
from bot.interactions.command_factory import Translator
from bot.interactions.commands import Commands
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import Once, Reply, complete, guarded
from bot.interactions.router import Router
from bot.matches.after_restore import RESTORE_ID, begin_after_restore
from bot.matches.services import Services, build_services
from bot.matches.table_cache import TableCache
from bot.pages.pictures import Pictures
from bot.permissions import intents
from bot.rendering.pool import RenderPool
from bot.store import StoreError, open_store
from bot.sync.after_restore import AfterRestore
from bot.sync.client import MessageClient
from bot.sync.guild_events import GuildEvents
from bot.sync.rate_limits import LONGEST_LIMIT, free_waiters
from bot.sync.surfaces import Surfaces
from bot.sync.worker import OutboxWorker

log = logging.getLogger(__name__)

WRONG_TOKEN = 4004
"""The gateway's close code for a token that it does not know."""

PASSING = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, AttributeError)
"""What a connection fails with that may succeed later. ``AttributeError`` is discord.py's own mistake:
2.7.1 looks for the sequence number of a connection that never was."""

GUILDS_PATIENCE = 0.5
"""Seconds without another server after which discord.py takes those that came for all, and we begin."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before a connection that failed is tried again: the first time, and at most."""


def point_discord_at(api_url: str, gateway_url: str) -> None:
    """Let discord.py talk to another Discord on this computer; raises :class:`StartError` for any other.

    These are the two names that discord.py 2.7.1 builds all addresses from.
    """
    for url in (api_url, gateway_url):
        if not is_loopback(yarl.URL(url).host or ""):
            raise StartError("Another Discord than the real one may only be on this computer (127.0.0.1).")
    discord.http.Route.BASE = api_url.rstrip("/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


# This bot has no voice; without this, discord.py warns at every start that it could not use it.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class Tree(app_commands.CommandTree[discord.Client]):
    """The commands. What discord.py itself refuses, such as a command of an older version, is answered."""

    def __init__(self, client: discord.Client, once: Once) -> None:
        contexts = app_commands.AppCommandContext(guild=True, dm_channel=True)
        super().__init__(client, allowed_contexts=contexts)
        self._once = once

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether to go on: not with one that was delivered twice, nor with what nothing completes."""
        if not self._once.first(interaction.id):
            return False
        if interaction.type is discord.InteractionType.autocomplete and not _completes(interaction):
            await complete(interaction, [])
            return False
        return True

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out a command. Whatever discord.py cannot read in it comes to :meth:`on_error` too."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.AppCommandError(type(error).__name__) from error

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer privately; handlers answer for themselves, so this is about what never reached one."""
        log.warning("a command was refused: %s", type(error).__name__)
        if interaction.type is discord.InteractionType.autocomplete:
            await complete(interaction, [])
        else:
            await guarded(Reply(interaction), _say_outdated)


def _completes(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the option that is being typed is one that we complete, and not an older version's."""
    if not isinstance(interaction.command, app_commands.Command):
        return False
    given = {name for name, _ in interaction.namespace}
    focused = next((option["name"] for option in _options(interaction.data) if option.get("focused")), "")
    parameter = interaction.command.get_parameter(focused) if focused in given else None
    return parameter is not None and parameter.autocomplete


def _options(data: Any) -> list[dict[str, Any]]:
    """Return the options of a command that were typed, those of its subcommands last."""
    found: list[dict[str, Any]] = []
    for option in data.get("options", []):
        found += [option, *_options(option)]
    return found


async def _say_outdated(ask: Reply) -> None:
    await ask.say(ask.speech.house("error.command"))


class Bauta(GuildEvents):
    """The client: hands interactions to the dispatcher and keeps the reconciler going."""

    def __init__(self, services: Services, painter: RenderPool, waker: Waker) -> None:
        super().__init__(
            intents=intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILDS_PATIENCE,
            max_messages=None,
            max_ratelimit_timeout=LONGEST_LIMIT,
        )
        free_waiters(self.http)
        self.services = services
        self.salon = Context(services, Pictures(painter))
        panels, answers = Panels(self.salon), Answers(self.salon)
        self.once = Once()
        self.tree = Tree(self, self.once)
        self.dispatcher = Router(panels, Buttons(self.salon, panels, answers), self.once)
        self.surfaces = Surfaces(self.salon, MessageClient(self), self)
        self.reconciler = OutboxWorker(self.salon, self.surfaces)
        self.salon.look_after = self.reconciler.look_after
        waker.target, waker.client = self.reconciler.wake, self
        Commands(self.salon, panels, answers).add_to(self.tree)
        parsers = self._connection.parsers
        parsers["INTERACTION_CREATE"] = _forgiving(parsers["INTERACTION_CREATE"])
        self.served = False
        """Whether it has ever been connected."""
        self._down: set[int] = set()
        """The shards that have lost their connection."""

    @property
    def online(self) -> bool:
        """Return whether every shard is connected."""
        return self.served and not self._down and not self.is_closed()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard has lost its connection."""
        self._down.add(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that a shard is connected."""
        self._down.discard(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard goes on where it was."""
        self._down.discard(shard_id)

    async def setup_hook(self) -> None:
        """Register the commands where they have changed, before the gateway is connected."""
        await self.tree.set_translator(Translator())
        await self._sync_commands()
        self.surfaces.courier.era = await self.services.settings.get_value(RESTORE_ID) or ""

    async def _sync_commands(self) -> None:
        """Send the commands to Discord if they differ from those sent last, or are not there."""
        payload = await command_payload(self.tree)
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands:{self.application_id}"
        names = {command.name for command in await self.tree.fetch_commands()}
        if await self.services.settings.get_value(key) == digest and names == {
            item["name"] for item in payload
        }:
            return
        await self.tree.sync()
        await self.services.settings.set_value(key, digest)
        log.info("registered %d commands", len(payload))

    async def on_ready(self) -> None:
        """Begin to bring what is shown in line with what is committed."""
        log.info("connected as %s in %d servers", self.user, len(self.guilds))
        if not self.served:
            self.served = True
            self.salon.spawn(self._reconcile(), "the reconciler")
            self.salon.spawn(AfterRestore(self.salon, self.surfaces).lost(), "telling of lost matches")
        self.reconciler.wake()

    async def _reconcile(self) -> None:
        """Keep the reconciler running, whatever happens to it."""
        while True:
            try:
                await self.reconciler.run()
            except Exception as error:
                reason = _reason(error)
                log.error("the reconciler stopped: %s", reason or "see below", exc_info=reason is None)
            await asyncio.sleep(LONGEST_PAUSE / 10)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer clicks and modals."""
        await self.dispatcher.on_interaction(interaction)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """Log what an event handler could not deal with, without the event's content."""
        log.error("the handler of %s failed", event_method, exc_info=True)  # noqa: LOG014 - called within it

    async def close(self) -> None:
        """Stop the work in the background, then the connection."""
        await self.salon.close()
        await super().close()


def _reason(error: BaseException) -> str | None:
    """Return what the database's error says, where nothing else went wrong."""
    if isinstance(error, BaseExceptionGroup):
        reasons = [_reason(each) for each in error.exceptions]
        return None if None in reasons else reasons[0]
    return str(error) if isinstance(error, StoreError) else None


def _forgiving(read: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a reader of events to which one that it cannot read is lost, and nothing else with it.

    discord.py 2.7.1 would end the connection, and with it the program.
    """

    def reader(data: Any) -> None:
        try:
            read(data)
        except Exception as error:
            log.warning("an interaction could not be read (%s)", type(error).__name__)

    return reader


async def command_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return the commands as they are sent to Discord."""
    translator = Translator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


class Waker:
    """Passes a commit's call on to whoever reconciles now: clients come and go, the services stay."""

    def __init__(self) -> None:
        self.target: Callable[[], None] | None = None
        self.client: Bauta | None = None

    def online(self) -> bool:
        """Return whether the client of now is connected."""
        return self.client is not None and self.client.online

    def __call__(self) -> None:
        """Say that there are new jobs."""
        if self.target is not None:
            self.target()


async def serve(settings: Config, token: str) -> None:
    """Serve Discord until cancelled; raises :class:`StartError` for what only its operator can mend."""
    if settings.api_url is not None and settings.gateway_url is not None:
        point_discord_at(settings.api_url, settings.gateway_url)
    waker = Waker()
    try:
        store = await open_store(settings.database)
        try:
            async with RenderPool(cache=settings.cache, warm=True) as painter:
                services = build_services(TableCache(store, wake=waker))
                await begin_after_restore(store, time.time())
                await services.outbox.resume()
                async with Heartbeat(settings.database, store, waker.online).beating():
                    await _connected(lambda: Bauta(services, painter, waker), token)
        finally:
            await store.close()
    except StoreError as error:
        raise StartError(str(error)) from None


async def _connected(new_client: Callable[[], Bauta], token: str) -> None:
    """Keep a client connected; one that failed is replaced by a fresh one after a while.

    discord.py itself reconnects once it has been connected; before that, some failures end it.
    """
    pause = FIRST_PAUSE
    while True:
        client = new_client()
        try:
            async with client:
                await client.start(token)
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired) as error:
            raise _refused(error) from None
        except discord.ConnectionClosed as error:
            if error.code == WRONG_TOKEN:
                raise _refused(error) from None
            log.warning("the connection was closed (%s)", error.code)
        except PASSING as error:
            log.warning("Discord cannot be reached (%s)", type(error).__name__)
        except StoreError:
            raise
        except Exception:
            # Such as an event that discord.py cannot read: it ends the client, and nothing else.
            log.exception("the client failed; a fresh one takes its place")
        if client.served:
            pause = FIRST_PAUSE
        wait = pause * random.uniform(0.5, 1.0)  # noqa: S311 - it only spreads the tries
        log.info("connecting again in %.1f s", wait)
        await asyncio.sleep(wait)
        pause = min(LONGEST_PAUSE, pause * 2)


def _refused(error: Exception) -> StartError:
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return StartError("Discord asks for a privileged intent, though this bot needs none: update it.")
    return StartError(
        "Discord does not know this token.\n"
        "Copy it again from the developer portal (your application, Bot, Reset Token) into DISCORD_TOKEN, "
        "or into the file that DISCORD_TOKEN_FILE names."
    )
