"""The wiring, from settings to a bot that serves Discord. Every object is given its dependencies."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import discord

from bot.clocks import build_clocks
from bot.clocks.outages import note_first_start
from bot.config import Config, StartError, TryAgainError
from bot.domain.shards import ALL, Shards
from bot.gateway import discord_patches
from bot.gateway.connection import Connection
from bot.gateway.rate_limits import share_requests
from bot.gateway.rest_health import DiscordReach, RestHealth, SharedPause
from bot.gateway.session_starts import SessionStarts
from bot.interactions.answers import Answers
from bot.interactions.buttons import Buttons
from bot.interactions.command_tree import Registration, Tree
from bot.interactions.commands import Commands
from bot.interactions.context import Context
from bot.interactions.intake import Intake
from bot.interactions.lessons import Courses
from bot.interactions.lobby import Tables
from bot.interactions.motions import MotionAnswers
from bot.interactions.panel import Panels
from bot.interactions.reply import SeenInteractions
from bot.interactions.router import Router
from bot.interactions.server import ServerPages
from bot.interactions.settings import SettingsPages
from bot.matches import Services, build_services
from bot.matches.outbox import RESTORE_ID, begin_after_restore
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Floor
from bot.pages.mentions import CommandMentions
from bot.runtime.background import BackgroundTasks, alongside, cancel
from bot.runtime.heartbeat import Conditions, Heartbeat
from bot.runtime.memory import rare_full_collections, unmap_large_blocks
from bot.runtime.program import fingerprint
from bot.runtime.timekeeping import Timekeeper
from bot.store import Sharing, StoreError, Unreachable, open_store
from bot.sync import build_surfaces
from bot.sync.after_restore import AfterRestore
from bot.sync.client import MessageClient
from bot.sync.dm_breaker import DirectMessageBreaker
from bot.sync.guild_events import GuildEvents, Welcome
from bot.sync.missing_threads import MissingThreads
from bot.sync.pictures import Pictures
from bot.sync.problems import Problems
from bot.sync.worker import OutboxWorker
from bot.workers.painting_pool import PaintingPool
from bot.workers.pool import usual_painters, usual_thinkers
from bot.workers.thinking_pool import ThinkingPool

log = logging.getLogger(__name__)

CLICKS = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""What the router handles; the command tree handles commands and their completions."""

PICTURE_GRACE_S = 2.0
"""Seconds that pictures for pending clicks get during shutdown."""

GLOBAL_REQUESTS_PER_S = 50.0
"""Requests per second that Discord accepts from one bot."""

CLOSE_TIMEOUT_S = 1.5
"""Seconds that closing the connection may take."""


class ReconnectState:
    """State that outlives a client: each attempt to connect gets a new one, which needs what the last met."""

    def __init__(self, sharing: Sharing | None = None, time: Timekeeper | None = None) -> None:
        self.conditions = Conditions()
        reserve = None if sharing is None else sharing.identify_in
        self.session_starts = SessionStarts(self.conditions, reserve=reserve)
        self.registration = Registration(self.conditions)
        self.mentions = CommandMentions()
        share = 1.0 if sharing is None else sharing.shards.share
        self.dm_breaker = DirectMessageBreaker(self.conditions, share=share)
        self.rest = RestHealth(self.conditions, clock=(time or Timekeeper()).monotonic, share=share)


@dataclass(frozen=True, slots=True)
class Part:
    """One process's share of the bot. ``requests``: per second; ``None``: a proxy limits them."""

    shards: Shards | None = None
    requests: float | None = None


WHOLE = Part()


class Bauta(GuildEvents):
    """One client and everything attached to it. ``wake`` is set when jobs are added to the outbox.

    ``restore_id`` names the backup that was restored last; empty if none was.
    """

    def __init__(
        self,
        services: Services,
        painter: PaintingPool,
        wake: asyncio.Event,
        restore_id: str,
        reconnect_state: ReconnectState | None = None,
        time: Timekeeper | None = None,
        part: Part = WHOLE,
    ) -> None:
        time = time or Timekeeper()
        reconnect_state = reconnect_state or ReconnectState(time=time)
        super().__init__(reconnect_state.session_starts, part.shards, reconnect_state.rest, time.monotonic)
        if part.requests is not None:
            share_requests(self.http, part.requests)
        # Commands belong to the whole bot: only one process registers them.
        self._registers = part.shards is None or 0 in part.shards.ids
        self._registers_late = False
        """Whether registration waits for READY, because the application's id was unknown before it."""
        self.services = services
        self.painter = painter
        self._registration = reconnect_state.registration
        self.background = BackgroundTasks()
        pictures, problems = Pictures(painter), Problems(services, self)
        messages = MessageClient(self, restore_id, reconnect_state.dm_breaker)
        self.surfaces = surfaces = build_surfaces(
            services, pictures, messages, self, reconnect_state.mentions
        )
        self.after_restore = AfterRestore(services, surfaces, messages)
        self.worker = OutboxWorker(services, surfaces, self.after_restore, problems, self.background, wake)
        self.missing_threads = MissingThreads(services.outbox, self, self.worker.look_after)
        self.welcome = Welcome(services.settings, messages, surfaces.shown.server_texts)
        self.clocks = build_clocks(services, time)
        self.rest_health = reconnect_state.rest
        self.rest_health.changed = self._rest_changed
        self._reach = DiscordReach(self, reconnect_state.rest)
        self.context = Context(
            services,
            self.clocks,
            pictures,
            self.background,
            problems.by_match,
            self.worker.look_after,
            messages.edits,
        )
        panels, answers, seen = Panels(self.context), Answers(self.context), SeenInteractions()
        settings_pages, motions = SettingsPages(self.context), MotionAnswers(self.context)
        courses, tables = Courses(self.context, panels), Tables(self.context, panels, answers)
        server = ServerPages(self.context)
        self.buttons = Buttons(panels, answers, settings_pages, motions, courses, tables, server)
        self.router = Router(panels, self.buttons, seen)
        mentions = reconnect_state.mentions
        self.intake = Intake(services.cache.nicknames, languages=services.languages, mentions=mentions)
        self.tree = Tree(self, seen, self.intake, mentions)
        self.commands = Commands(self.context, panels, answers, settings_pages, motions, courses)
        self.commands.add_to(self.tree)

    async def setup_hook(self) -> None:
        """Register the commands if they have changed, before connecting to the gateway.

        If the application's id is unknown by then, registration waits for READY, which names it.
        """
        # Before the first click can arrive.
        self.clocks.outages.watch(self._reach)
        if not self._registers:
            return
        if self.application_id is None:
            self._registers_late = True
            return
        await self.tree.register(self.services, self._registration)
        if self._registration.again_in() is not None:
            self.background.spawn(self._register_later(), "registering the commands")

    async def _register_later(self) -> None:
        if self._registers_late:
            await self.tree.register(self.services, self._registration)
        while (wait := self._registration.again_in()) is not None:
            await asyncio.sleep(wait)
            await self.tree.register(self.services, self._registration)

    async def on_ready(self) -> None:
        """Start the background tasks at the first connection; wake the outbox worker at every one."""
        log.info("connected as %s, servers: %d", self.user, len(self.guilds))
        # READY comes again after every session that could not be resumed.
        if not self.served:
            self.served = True
            self.background.spawn(self.worker.keep_running(), "the outbox worker")
            self.background.spawn(self._reach.keep_probing(), "probing Discord")
            self.background.spawn(self.clocks.outages.keep_running(), "outages")
            self.background.spawn(self.clocks.loop.keep_running(), "the clocks")
            self.background.spawn(self.after_restore.lost(), "telling of lost matches")
            if self._registers_late:
                self.background.spawn(self._register_later(), "registering the commands")
            if not self._registers:
                self.background.spawn(self.tree.learn_mentions(), "learning the commands' ids")
        self.worker.wake()

    def _rest_changed(self) -> None:
        self.clocks.outages.wake()
        if self.rest_health.failing_for() is None:
            # Show boards that failed before clocks have run for long.
            self.worker.retry()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard has lost its connection: its clocks stop."""
        await super().on_shard_disconnect(shard_id)
        self.clocks.outages.wake()

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that a shard is connected."""
        await super().on_shard_connect(shard_id)
        self.clocks.outages.wake()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard has resumed its session."""
        await super().on_shard_resumed(shard_id)
        self.clocks.outages.wake()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer clicks and modals."""
        if interaction.type in CLICKS:
            await self.intake.handle(interaction, self.router.on_interaction(interaction))

    async def close(self) -> None:
        """Finish pending interactions, then stop background tasks, then close the connection."""
        # Clicks wait for pictures: when time is up they are answered with text, rather than not at all.
        self.painter.end_hurry(PICTURE_GRACE_S)
        await self.intake.close()
        self.painter.end_hurry(None)
        await self.background.close()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await super().close()
        except TimeoutError:
            # Connection silently dead; Discord will notice too.
            log.info("gateway close timed out")
            await self.http.close()


async def serve(settings: Config, token: str) -> None:
    """Serve Discord until cancelled; raises :class:`StartError` for what only its operator can fix."""
    discord_patches.apply()
    if settings.api_url is not None:
        discord_patches.point_discord_at(settings.api_url, settings.gateway_url)
    unmap_large_blocks()
    try:
        shards = settings.own_shards()
        store = await open_store(settings.database, shards or ALL)
        async with AsyncExitStack() as stack:
            # Closed in reverse order: the connection, then the store, then the painters.
            painter = PaintingPool(
                workers=settings.painters or usual_painters(),
                cache=settings.cache,
                fonts=settings.fonts,
                warm=settings.warm_up,
            )
            await stack.enter_async_context(painter)
            thinker = ThinkingPool(settings.thinkers or usual_thinkers())
            await stack.enter_async_context(thinker)
            stack.push_async_callback(store.close)
            background = BackgroundTasks()
            stack.push_async_callback(background.close)
            wake = asyncio.Event()
            floor = Floor(settings.computer_floor)
            time = Timekeeper(settings.time_file)
            cache = TableCache(store, wake=wake.set, clock=time.steady)
            services = build_services(cache, thinker=thinker, floor=floor)
            # Before serving: what a restored backup has made void is announced first.
            await begin_after_restore(store, time.steady())
            await note_first_start(store, time.steady())
            restore_id = await services.settings.get_value(RESTORE_ID) or ""
            await services.outbox.resume(fingerprint())
            await services.privacy.resume()
            background.spawn(services.privacy.keep_scrubbing(), "scrubbing the database")
            background.spawn(services.older_results.recover_all(), "recovering older results")
            reconnect_state = ReconnectState(store.sharing, time)
            pause = SharedPause(store, reconnect_state.rest, time.steady)
            await pause.read()
            await stack.enter_async_context(alongside(pause.keep(), "sharing a ban"))
            part = Part(shards, _requests(shards, has_proxy=settings.has_proxy))
            # Each attempt to connect gets a new client: the state of a failed one is unknown.
            connection = Connection(
                lambda: Bauta(services, painter, wake, restore_id, reconnect_state, time, part),
                token,
                reconnect_state.session_starts,
                reconnect_state.rest.paused_for,
            )
            conditions = reconnect_state.conditions.present
            heartbeat = Heartbeat(settings.pulse(), store, connection.online, conditions=conditions)
            await stack.enter_async_context(heartbeat.beating())
            await stack.enter_async_context(rare_full_collections())
            await _keep(connection, store.sharing, cache)
    except Unreachable as error:
        raise TryAgainError(str(error)) from None
    except StoreError as error:
        raise StartError(str(error)) from None


async def _keep(connection: Connection, sharing: Sharing | None, cache: TableCache) -> None:
    """Stay connected, and registered among the processes that share the database.

    Raises :class:`StartError`, and :class:`StoreError` if another process serves our shards.
    """
    if sharing is None:
        await connection.keep()
        return
    connecting, sharing_on = (
        asyncio.create_task(work) for work in (connection.keep(), sharing.keep(cache.on_remote_change))
    )
    try:
        done, _ = await asyncio.wait([connecting, sharing_on], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        connecting.cancel()
        await asyncio.gather(connecting, return_exceptions=True)
        # It may be waiting for a database that does not respond.
        await cancel(sharing_on)


def _requests(shards: Shards | None, *, has_proxy: bool) -> float | None:
    """Return this process's share of requests per second; ``None``: a proxy limits them."""
    if has_proxy:
        return None
    return GLOBAL_REQUESTS_PER_S if shards is None else max(1.0, GLOBAL_REQUESTS_PER_S * shards.share)
