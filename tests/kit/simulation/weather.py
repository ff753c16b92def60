"""What befalls machines and servers: clocks that are set, a Discord that is away, people who leave."""

from __future__ import annotations

from typing import Protocol

from bot.domain.clocks import HOUR
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.people import Stage

SETS = (-30.0, -5.0, -1.0, 1.0, 4.0, 50.0)
"""Hours by which a machine's clock is set."""

LONGEST_REST_OUTAGE = 2_000.0
"""Seconds for which Discord's REST API is away, at most."""


class Sky(Stage, Protocol):
    """What the weather needs of the world."""

    discord: Discord

    def set_clock(self, seconds: float) -> None: ...

    def tell(self, what: str, text: str) -> None: ...


class Weather:
    """Comes over a run by chance."""

    def __init__(self, world: Sky) -> None:
        self.world = world
        self.random = world.random

    async def live(self) -> None:
        """Do what the plan has."""
        plan = self.world.plan
        acts = [self._set_clock] * plan.clock_sets + [self._leave] * plan.leavers
        acts += [self._take_rest_away] * plan.rest_outages
        self.random.shuffle(acts)
        for act in acts:
            await self.world.loop.rest(self.random.random() * 2 * plan.pace.allowance)
            act()
        # Whatever follows expects a Discord that answers.
        while self.world.discord.is_away:
            await self.world.loop.rest(10.0)

    def _set_clock(self) -> None:
        self.world.set_clock(self.random.choice(SETS) * HOUR)

    def _take_rest_away(self) -> None:
        if self.world.discord.is_away:
            return
        self.world.tell("discord", "answers no request")
        self.world.discord.is_away = True
        self.world.loop.call_later(self.random.random() * LONGEST_REST_OUTAGE, self._bring_rest_back)

    def _bring_rest_back(self) -> None:
        self.world.tell("discord", "answers again")
        self.world.discord.is_away = False

    def _leave(self) -> None:
        person = self.random.choice(self.world.players).person
        self.world.tell("person", f"{person.name} leaves the server")
        self.world.discord.leave(person.id)
        if self.random.random() < 0.5:
            wait = self.random.random() * self.world.plan.pace.allowance
            self.world.loop.call_later(wait, self.world.discord.come_back, person.id)
