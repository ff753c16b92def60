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
from bot.domain.calls import Call
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
"""Lines of the trace that are printed of a run that failed."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run has found. ``profile``: empty where the plan was given."""

    seed: int
    profile: str
    plan: Plan
    findings: tuple[Finding, ...]
    trace: tuple[str, ...] = field(repr=False)
    digest: str
    """Of the trace and of every choice of chance: equal where two runs were equal."""
    steps: int
    tally: Mapping[str, int]
    """What has befallen the run, and how often."""
    outages: tuple[Outage, ...] = ()
    """When people could not play, through no fault of theirs."""
    told: tuple[str, ...] = field(default=(), repr=False)
    """The findings with the stories of their matches; empty: the run did not come to its witness."""

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of all that was found."""
        return frozenset(finding.kind for finding in self.findings)

    def report(self) -> str:
        """Return the findings with the seed and its plan, and the trace's end."""
        found = "\n".join(self.told or map(_written, self.findings))
        head = f"seed {self.seed}{self.profile and f' of {self.profile}'}, --plan '{self.plan.written()}':"
        return f"{head}\n{found}\n" + "\n".join(self.trace[-TAIL:])


def simulate(
    seed: int, storage: Storage = in_sqlite, *, profile: str | None = None, plan: Plan | None = None
) -> Result:
    """Run a seed and return what it found; the same seed gives the same result in every process.

    ``storage``: where the house is stored. ``profile``: the kind of trouble; by default it is the seed's own.
    ``plan``: all of it, instead. A plan that a seed's profile has drawn gives the same run as the profile.
    """
    with _garbage_left_for_later():
        return _simulated(seed, storage, profile, plan)


@contextmanager
def _garbage_left_for_later() -> Iterator[None]:
    """Collect what a run leaves behind once it is over: not whenever a collection comes, and nothing else."""
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
    """Yield what a run has found, with what people can follow of the matches that it is about."""
    if world.findings and world.transcript is not None:
        names = {player.person.id: player.person.name for player in world.players}
        yield from stories(world.transcript, map(_written, world.findings), names)


@contextmanager
def _edges(world: World) -> Iterator[None]:
    """Put the world in the place of threads, clocks, chance and the log for the time of a run."""
    watch = _Watch(world)
    root, level = logging.getLogger(), logging.getLogger().level
    state = random.getstate()
    random.seed(world.seed)
    with (
        mock.patch.object(bot.app, "Commands"),  # nobody types commands here, and building them takes long
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
    """What the accounts of outages take for ``asyncio``: time that leaps is no process that stands still."""

    def __init__(self, loop: SeededLoop) -> None:
        self._awake = SimpleNamespace(time=loop.time_awake)

    def get_running_loop(self) -> SimpleNamespace:
        """Return what has a time without leaps."""
        return self._awake

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)


def _noting_turns(world: World) -> Any:
    """Return the outbox's ``call`` that notes what it enqueues: calls to a turn look as reminders do."""
    usual = Outbox.call

    async def call(self: Outbox, table_id: str, calls: Iterable[Call]) -> None:
        calls = list(calls)
        world.ledger.turn_calls.update((table_id, each.target) for each in calls)
        await usual(self, table_id, calls)

    return call


def _is_of_store(record: logging.LogRecord, error: BaseException | None) -> bool:
    """Return whether the log says that the database cannot be reached."""
    text = record.getMessage()
    return isinstance(error, StoreError) or "cannot be used" in text or "no room left" in text


class _Watch(logging.Handler):
    """Finds what the house itself calls an error."""

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
        # Where it is stored is another place in each process.
        self._world.tell("log", text.replace(str(self._world.database.address), "the house"))
        if self._world.database.has_failed and _is_of_store(record, error):
            return
        # That Discord cannot be reached is what the run has planned.
        if not isinstance(error, (aiohttp.ClientError, discord.DiscordException, TimeoutError)):
            self._world.found("logged", text)
