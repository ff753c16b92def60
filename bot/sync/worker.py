"""The outbox worker: one job of a match at a time, several matches at once.

No job is lost: one that fails stays in the outbox and is tried again, later and later. What the players could
solve, such as a missing permission, is told to them on their next click.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.background import BackgroundTasks
from bot.discord_errors import ThreadLocked, code_of
from bot.domain.jobs import Job, JobKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.matches import Services
from bot.store import StoreError
from bot.sync import Surfaces
from bot.sync.after_restore import AfterRestore
from bot.sync.problems import Problems
from bot.sync.shown import ChannelGone

log = logging.getLogger(__name__)

AT_ONCE = 4
"""Matches that are worked on at the same time."""

LOOKED_AT = 64
"""Jobs that are looked at together."""

PATIENCE = 90.0
"""Seconds that one job may take."""

REST = 30.0
"""Seconds after which the outbox is looked at again even if nobody has woken the worker."""

SHORTEST, LONGEST = 1.0, 900.0
"""Seconds until a job that failed is tried again: the first time, and at most."""

RESTART = 6.0
"""Seconds until the worker begins again after a failure of its own, such as a full disk."""

BUSY = "no.busy"
"""The refusal that means: try again."""

ORDER = (
    JobKind.SET_BACK,
    JobKind.COMPUTER,
    JobKind.LOBBY,
    JobKind.THREAD,
    JobKind.BOARD,
    JobKind.OFFER,
    JobKind.END,
    JobKind.FROZEN,
    JobKind.TURN,
    JobKind.INTERRUPT,
    JobKind.FILM,
    JobKind.ARCHIVE,
)
"""What is done first within a match: what is void goes first of all; computer players before the board,
so that one board shows what they did too. Who merely may interrupt comes after it: no board has to wait."""


class OutboxWorker:
    """Carries out jobs until it is cancelled. ``wake`` is set when there may be new ones."""

    def __init__(
        self,
        services: Services,
        surfaces: Surfaces,
        after_restore: AfterRestore,
        problems: Problems,
        background: BackgroundTasks,
        wake: asyncio.Event,
    ) -> None:
        self._services = services
        self._surfaces = surfaces
        self._problems = problems
        self._background = background
        self._wake = wake
        self._busy: set[str] = set()
        self._filmed: dict[str, bool] = {}
        """Matches that have a job for their film: whether it has been made, or cannot be."""
        self._redrawn: set[str] = set()
        """Matches that are worked on and whose board was asked for at the same time."""
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._work: dict[JobKind, Callable[[Job], Awaitable[object]]] = {
            JobKind.COMPUTER: lambda job: services.actions.play_computers(job.table_id),
            JobKind.INTERRUPT: lambda job: services.actions.play_computers(job.table_id),
            JobKind.LOBBY: lambda job: surfaces.lobby.update(job.table_id),
            JobKind.THREAD: lambda job: surfaces.lobby.thread(job.table_id),
            JobKind.BOARD: self._board,
            JobKind.OFFER: lambda job: surfaces.offers.update(job.table_id),
            JobKind.END: self._board,
            JobKind.TURN: self._turn,
            JobKind.SET_BACK: lambda job: after_restore.match(job.table_id),
            JobKind.FROZEN: lambda job: surfaces.board.tell_frozen(job.table_id),
            JobKind.FILM: lambda job: surfaces.board.update(job.table_id),
            JobKind.ARCHIVE: lambda job: surfaces.board.archive(job.table_id),
        }

    @property
    def idle(self) -> bool:
        """Return whether no match is worked on and no film is made or waits to be shown."""
        return not self._busy and not self._filmed

    def wake(self) -> None:
        """Look at the outbox now."""
        self._wake.set()

    def look_after(self, match: str) -> None:
        """Do now what a problem of a match has put off; without one, see whether its board is still there."""
        if match in self._problems.by_match and not self._problems.jobs(match):
            return  # its channel is gone for good
        self._background.spawn(self._look_after(match), "looking after a match")

    async def _look_after(self, match: str) -> None:
        jobs = [(match, job.kind, job.target) for job in self._problems.jobs(match)]
        # A board that stands is left alone: nobody may see that somebody looked for it in private.
        if not jobs and not await self._surfaces.board.is_there(match):
            jobs = [(match, JobKind.BOARD, "")]
        if jobs:
            await self._services.outbox.ask_for(jobs)

    def look_after_server(self, guild_id: int) -> None:
        """Look after the matches with a problem on a server where something has changed."""
        for match in self._problems.matches_on(guild_id):
            self.look_after(match)

    async def keep_running(self) -> None:
        """Work until cancelled, and begin again after whatever ends the work."""
        while True:
            try:
                await self.run()
            except Exception as error:
                reason = store_reason(error)
                log.error("the outbox worker stopped: %s", reason or "see below", exc_info=reason is None)
            await asyncio.sleep(RESTART)

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                self._wake.clear()
                by_match: dict[str, list[Job]] = {}
                for job in await self._services.outbox.next_jobs(LOOKED_AT):
                    if job.kind is JobKind.FILM and job.table_id not in self._filmed:
                        # A film is no work on its match: boards, the last one too, do not wait for it.
                        self._filmed[job.table_id] = False
                        group.create_task(self._make_film(job))
                    waits = job.kind is JobKind.FILM and not self._filmed[job.table_id]
                    if not waits and job.table_id not in self._busy:
                        by_match.setdefault(job.table_id, []).append(job)
                for match, jobs in by_match.items():
                    self._busy.add(match)
                    jobs.sort(key=lambda job: ORDER.index(job.kind))
                    group.create_task(self.carry_out(match, jobs))
                await self._rest()

    async def _rest(self) -> None:
        due = await self._services.outbox.next_due()
        seconds = REST
        if due is not None and not self._busy and all(self._filmed.values()):
            # Never zero: a job that stays due must not make the worker spin.
            seconds = min(REST, max(0.05, due - time.time()))
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _make_film(self, job: Job) -> None:
        try:
            await self._surfaces.board.make_film(job.table_id)
        except Exception as error:
            name = type(error).__name__
            log.warning(
                "no film of match %s: %s", job.table_id, name, exc_info=not isinstance(error, Refusal)
            )
        finally:
            self._filmed[job.table_id] = True
            self.wake()

    async def carry_out(self, match: str, jobs: list[Job]) -> None:
        """Do the jobs of one match that became due together, in their order."""
        if any(job.kind is JobKind.BOARD for job in jobs):
            self._redrawn.add(match)
        try:
            async with self._gate:
                for job in jobs:
                    await self._carry_out(job)
        finally:
            self._redrawn.discard(match)
            self._busy.discard(match)
            self.wake()  # what was enqueued for this match meanwhile was passed over

    async def _carry_out(self, job: Job) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._services.outbox.catch_up(job)
                await self._work[job.kind](job)
        except Exception as error:
            await self._retry_or_give_up(job, error)
        else:
            await self._done(job)
            await self._problems.note_success(job)

    async def _retry_or_give_up(self, job: Job, error: Exception) -> None:
        name = f"{type(error).__name__} {code_of(error) or ''}".strip()
        if isinstance(error, ChannelGone) or (isinstance(error, Refusal) and error.msg.key != BUSY):
            log.warning("%s of match %s is given up: %s", job.kind.value, job.table_id, name)
            if isinstance(error, ChannelGone):
                table = await self._services.queries.table(job.table_id)
                if table.status is Status.OPEN:
                    await self._services.lobby.give_up(table.id)
                elif table.status is Status.RUNNING:
                    self._problems.note_channel_deleted(table)
            await self._done(job)
            return
        if job.kind is not JobKind.TURN:
            # What a direct message meets is between it and its reader: the table must not hear of it.
            await self._problems.note(job, error)
        expected = isinstance(error, (discord.DiscordException, aiohttp.ClientError, ThreadLocked, OSError))
        log.warning("%s of match %s failed: %s", job.kind.value, job.table_id, name, exc_info=not expected)
        wait = error.retry_after if isinstance(error, discord.RateLimited) else pause(job.tries)
        await self._services.outbox.failed(job, name, time.time() + wait)

    async def _done(self, job: Job) -> None:
        await self._services.outbox.done(job)
        if job.kind is JobKind.FILM:  # once its row is gone, or it would be made again
            self._filmed.pop(job.table_id, None)

    async def _turn(self, job: Job) -> None:
        with_board = job.table_id in self._redrawn
        await self._surfaces.direct_messages.update(job.table_id, job.seat, with_board=with_board)

    async def _board(self, job: Job) -> None:
        await self._surfaces.board.update(job.table_id)
        await self._surfaces.direct_messages.retire(job.table_id)


def store_reason(error: BaseException) -> str | None:
    """Return what the database's error says, where nothing else went wrong."""
    if isinstance(error, BaseExceptionGroup):
        reasons = [store_reason(each) for each in error.exceptions]
        return None if None in reasons else reasons[0]
    return str(error) if isinstance(error, StoreError) else None


def pause(tries: int) -> float:
    """Return the seconds until a job that has failed ``tries`` times before is tried again."""
    # The power is capped too, or it would overflow in the end.
    longest = min(LONGEST, SHORTEST * 2.0 ** min(tries, 16))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - it only spreads the tries
