"""Discord's gateway: connections to processes, and delivery of missed events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.kit.simulation.house import House, tell_of_guild
from tests.kit.simulation.stage import Stage
from tests.kit.unconnected import state_of

SHORT = 10.0
"""Seconds after which a frozen process has a session again, at most."""


@dataclass(slots=True)
class _Outage:
    life: int | None
    """The life whose session is resumed afterwards, and then gets all missed events."""
    missed: list[Callable[[House], object]] = field(default_factory=list)
    waiting: list[asyncio.Future[None]] = field(default_factory=list)


class Gateway:
    """The connections of one run, reported to the bot like by discord.py."""

    def __init__(self, world: Stage) -> None:
        self.world = world
        self.random = world.random
        self._away: dict[int, _Outage] = {}

    def is_away(self, shard: int) -> bool:
        """Return whether a shard is disconnected."""
        return shard in self._away

    @property
    def is_whole(self) -> bool:
        """Return whether all shards are connected."""
        return not self._away

    async def connected(self, shard: int) -> None:
        """Wait until a shard can be connected."""
        outage = self._away.get(shard)
        if outage is not None:
            future: asyncio.Future[None] = self.world.loop.create_future()
            outage.waiting.append(future)
            await future

    def go_away(self, shard: int, seconds: float, *, resumes: bool) -> None:
        """Disconnect for a while, unless disconnected already. ``resumes``: the session resumes then."""
        if self.is_away(shard):
            return
        self.world.tell("gateway", f"is away from shard {shard} for {seconds:.1f} s")
        self.world.tally["gateway outages"] += 1
        self.world.ledger.is_out("gateway", shard)
        lives = self.world.processes.lives
        self._away[shard] = _Outage(lives[shard] if resumes and shard < len(lives) else None)
        self._dispatch(shard, "shard_disconnect")
        self.world.loop.call_later(seconds, self._come_back, shard)

    def lose_session(self, shard: int) -> None:
        """End the session of a process without heartbeats: it starts a new one."""
        self.go_away(shard, self.random.random() * SHORT, resumes=False)

    def _come_back(self, shard: int) -> None:
        outage = self._away.pop(shard)
        self.world.tell("gateway", f"is there for shard {shard} again")
        self.world.ledger.is_back("gateway", shard)
        for future in outage.waiting:
            if not future.done():
                future.set_result(None)
        house = self._house(shard)
        if house is None:
            return
        resumes = outage.life == self.world.processes.lives[shard]
        self._dispatch(shard, "shard_resumed" if resumes else "shard_connect")
        if resumes:
            for event in outage.missed:
                event(house)
        else:
            self._begin_session(shard, house)

    def keep(self, shard: int, event: Callable[[House], object]) -> None:
        """Keep an event until a session is resumed; new sessions do not get it."""
        self._away[shard].missed.append(event)

    def tell(self, shard: int, name: str, event: dict[str, Any]) -> None:
        """Deliver an event to a process, or keep it."""

        def parse(house: House) -> None:
            life = self.world.processes.lives[shard]
            self.world.loop.call(life, state_of(house.client).parsers[name], event)

        house = self._house(shard)
        if self.is_away(shard):
            self.keep(shard, parse)
        elif house is not None:
            parse(house)

    def _begin_session(self, shard: int, house: House) -> None:
        loop, life = self.world.loop, self.world.processes.lives[shard]
        work = tell_of_guild(house, self.world.discord) if shard == 0 else house.client.on_ready()
        loop.create_task(work, context=loop.in_life(life))

    def _dispatch(self, shard: int, event: str) -> None:
        house = self._house(shard)
        if house is not None:
            self.world.loop.call(self.world.processes.lives[shard], house.client.dispatch, event, shard)

    def _house(self, shard: int) -> House | None:
        processes = self.world.processes
        return processes.houses.get(processes.lives[shard]) if shard < len(processes.lives) else None
