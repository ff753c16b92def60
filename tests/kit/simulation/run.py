"""One seed, from its plan to its findings."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import random
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest import mock

import aiohttp
import discord

import bot.app
import bot.clocks.outages
from bot.domain.jobs import Call
from bot.matches.outbox import Outbox
from bot.store import StoreError
from tests.kit.simulation.database import Storage
from tests.kit.simulation.findings import Finding
from tests.kit.simulation.house import games_installed
from tests.kit.simulation.ledger import Outage
from tests.kit.simulation.loop import SeededLoop, Stuck, TooLong
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.profiles import profile_of
from tests.kit.simulation.sqlite import in_sqlite
from tests.kit.simulation.world import World
from tests.kit.witness.story import stories

TAIL = 60
"""The number of trace lines to print for a failed run."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run. ``profile``: empty if the plan was given."""

    seed: int
    profile: str
    plan: Plan
    findings: tuple[Finding, ...]
    trace: tuple[str, ...] = field(repr=False)
    digest: str
    """The digest of the trace and of all random choices: equal for equal runs."""
    steps: int
    tally: Mapping[str, int]
    """The number of each kind of fault."""
    outages: tuple[Outage, ...] = ()
    """The times when people could not play, through no fault of theirs."""
    told: tuple[str, ...] = field(default=(), repr=False)
    """The findings with the stories of their matches; empty: the run did not reach its witness."""

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of all findings."""
        return frozenset(finding.kind for finding in self.findings)

    def report(self) -> str:
        """Return the findings with the seed, its plan, and the end of the trace."""
        found = "\n".join(self.told or map(_written, self.findings))
        head = f"seed {self.seed}{self.profile and f' of {self.profile}'}, --plan '{self.plan.written()}':"
        return f"{head}\n{found}\n" + "\n".join(self.trace[-TAIL:])


def simulate(
    seed: int, storage: Storage = in_sqlite, *, profile: str | None = None, plan: Plan | None = None
) -> Result:
    """Run a seed and return its findings; the same seed gives the same result in every process.

    ``storage``: the kind of database. ``profile``: the kind of trouble, by default the seed's own.
    ``plan``: a whole plan instead. A plan drawn by a seed's profile gives the same run as the profile.
    """
    with _garbage_left_for_later():
        return _simulated(seed, storage, profile, plan)


@contextmanager
def _garbage_left_for_later() -> Iterator[None]:
    """Collect garbage of a run only at its end, and nothing else."""
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        gc.enable()


def _simulated(seed: int, storage: Storage, name: str | None, plan: Plan | None) -> Result:
    with ExitStack() as stack:
        database = stack.enter_context(storage())
        profile = profile_of(seed, database.profiles, name)
        world = World(seed, plan or profile.plan(seed), database)
        stack.enter_context(_edges(world))
        stack.enter_context(database.edges(world))
        stack.callback(world.close)
        try:
            world.play()
        except (Stuck, TooLong) as error:
            world.found("stuck", repr(error))
        finally:
            if world.house is not None or database.is_connected:
                world.processes.kill()
    world.findings.extend(Finding("unhandled", text) for text in world.loop.errors)
    last = f"{world.random.random()} {world.entropy.random()} {world.loop.steps}"
    digest = hashlib.sha256("\n".join((*world.trace, last)).encode()).hexdigest()
    return Result(
        seed, "" if plan else profile.name, world.plan, tuple(world.findings), tuple(world.trace), digest,
        world.loop.steps, +world.tally, tuple(world.ledger.all_outages()), tuple(_told(world)),
    )  # fmt: skip


def _written(finding: Finding) -> str:
    return f"  {finding.kind}: {finding.text}"


def _told(world: World) -> Iterator[str]:
    """Yield the findings of a run, with the stories of their matches."""
    if world.findings and world.transcript is not None:
        names = {player.person.id: player.person.name for player in world.players}
        yield from stories(world.transcript, map(_written, world.findings), names)


@contextmanager
def _edges(world: World) -> Iterator[None]:
    """Replace threads, clocks, randomness and the log by the world during a run."""
    watch = _Watch(world)
    root, level = logging.getLogger(), logging.getLogger().level
    state = random.getstate()
    random.seed(world.seed)
    with (
        mock.patch.object(bot.app, "Commands"),  # no commands are typed here, and building them takes long
        mock.patch.object(Outbox, "call", _noting_turns(world)),
        mock.patch.object(bot.clocks.outages, "asyncio", _Asyncio(world.loop)),
        mock.patch.object(time, "time", world.wall),
        mock.patch.object(time, "monotonic", world.loop.time),
        mock.patch.object(secrets, "token_hex", lambda size=32: world.entropy.randbytes(size).hex()),
        mock.patch.object(secrets, "token_bytes", lambda size=32: world.entropy.randbytes(size)),
        games_installed(),
    ):
        root.addHandler(watch)
        try:
            yield
        finally:
            root.removeHandler(watch)
            root.setLevel(level)
            random.setstate(state)


class _Asyncio:
    """Replaces ``asyncio`` in the detection of outages, so that leaps do not count as a frozen process."""

    def __init__(self, loop: SeededLoop) -> None:
        self._awake = SimpleNamespace(time=loop.time_awake)

    def get_running_loop(self) -> SimpleNamespace:
        """Return an object whose time has no leaps."""
        return self._awake

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)


def _noting_turns(world: World) -> Any:
    """Return the outbox's ``call`` that records its jobs: calls to a turn look like reminders."""
    usual = Outbox.call

    async def call(self: Outbox, table_id: str, calls: Iterable[Call]) -> None:
        calls = list(calls)
        world.ledger.turn_calls.update((table_id, each.target) for each in calls)
        await usual(self, table_id, calls)

    return call


def _is_of_store(record: logging.LogRecord, error: BaseException | None) -> bool:
    """Return whether a log record says that the database is unreachable."""
    text = record.getMessage()
    return isinstance(error, StoreError) or "cannot be used" in text or "no room left" in text


class _Watch(logging.Handler):
    """Reports errors that the bot logs."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        if self._world.over:
            return
        if record.levelno < logging.ERROR:
            self._world.tally["leases lost at work"] += "was taken over" in record.getMessage()
            return
        error = record.exc_info[1] if record.exc_info else None
        text = f"{record.getMessage()} {error!r}"
        # The path of the database differs in each process.
        self._world.tell("log", text.replace(str(self._world.database.address), "the house"))
        if self._world.database.has_failed and _is_of_store(record, error):
            return
        # Unreachable Discord is part of the plan.
        if not isinstance(error, (aiohttp.ClientError, discord.DiscordException, TimeoutError)):
            self._world.found("logged", text)
