"""What befalls machines and servers: a clock that is set, a Discord that is away, moderators who delete."""

from __future__ import annotations

from bot.domain.clocks import HOUR, Pace
from tests.kit.simulation.stage import Stage

SETS = (-30.0, -5.0, -1.0, -0.01, -0.001, 0.0005, 0.01, 1.0, 4.0, 50.0)
"""Hours by which the machine's clock is set."""

SHORTEST_HOLD, LONGEST_HOLD = 2.0, 12.0
"""Seconds for which another program holds locks."""


class Weather:
    """Injects faults into a run at random."""

    def __init__(self, world: Stage) -> None:
        self.world = world
        self.random = world.random

    async def live(self) -> None:
        """Inject the plan's faults one after the other, and end with everything working."""
        plan = self.world.plan
        acts = [self._set_clock] * plan.clock_sets + [self._leave] * plan.leavers
        acts += [self._take_rest_away] * plan.rest_outages + [self._take_gateway_away] * plan.gateway_outages
        acts += [self._freeze] * plan.freezes + [self._lose] * plan.losses + [self._hold] * plan.holds
        self.random.shuffle(acts)
        for act in acts:
            await self.world.loop.rest(self.random.random() * self._pause(len(acts)))
            act()
        # Later steps expect a working Discord and a running bot.
        while not self._is_fair():
            await self.world.loop.rest(10.0)

    def _pause(self, acts: int) -> float:
        """Return the maximum time between two faults, so that most happen while people play."""
        return self.world.plan.spell if self.world.plan.days else 2.0 * self.world.plan.spell / (1 + acts)

    def _is_fair(self) -> bool:
        world = self.world
        return not world.discord.is_away and world.gateway.is_whole and world.processes.is_whole()

    def _time(self) -> float:
        """Return the length of an outage: mostly short, sometimes the plan's maximum."""
        longest = self.world.plan.longest
        return self.random.random() * self.random.choice((min(30.0, longest), longest, longest))

    def _shard(self) -> int:
        return self.random.randrange(self.world.processes.count)

    def _set_clock(self) -> None:
        self.world.set_clock(self.random.choice(SETS) * HOUR)

    # --- Discord ----------------------------------------------------------------------------------

    def _take_rest_away(self) -> None:
        if self.world.discord.is_away:
            return
        self.world.tell("discord", "answers no request")
        self.world.tally["REST outages"] += 1
        self.world.discord.is_away = True
        self.world.loop.call_later(self._time(), self._bring_rest_back)

    def _bring_rest_back(self) -> None:
        self.world.tell("discord", "answers again")
        self.world.discord.is_away = False

    def _take_gateway_away(self) -> None:
        self.world.gateway.go_away(self._shard(), self._time(), resumes=self.random.random() < 0.5)

    def _leave(self) -> None:
        person = self.random.choice(self.world.players).person
        self.world.tell("person", f"{person.name} leaves the server")
        self.world.discord.members.leave(person.id)
        if self.random.random() < 0.5:
            wait = self.random.random() * self.world.plan.pace.allowance
            self.world.loop.call_later(wait, self.world.discord.members.come_back, person.id)

    # --- processes and their database -------------------------------------------------------------

    def _freeze(self) -> None:
        self.world.processes.freeze(self._shard(), self._time())

    def _lose(self) -> None:
        if self.world.processes.is_whole() and self.world.processes.count > 1:
            self.world.processes.lose(self._shard(), self._time())

    def _hold(self) -> None:
        seconds = self.random.uniform(SHORTEST_HOLD, LONGEST_HOLD)
        what = self.world.database.hold(seconds)
        if what:
            self.world.tell("database", f"another program holds {what} for {seconds:.1f} s")
            self.world.tally["held locks"] += 1


class Moderator:
    """Somebody who deletes messages and threads."""

    def __init__(self, world: Stage) -> None:
        self.world = world
        self.random = world.random

    async def live(self, acts: int) -> None:
        """Delete so many things."""
        for _ in range(acts):
            longest = 0.5 * self.world.plan.spell if self.world.plan.pace is not Pace.NONE else 20.0
            await self.world.loop.rest(self.random.random() * longest)
            self._delete()

    def _delete(self) -> None:
        world = self.world
        threads = world.discord.threads()
        if threads and self.random.random() < 0.3:
            world.delete_thread(self.random.choice(threads))
            return
        found = [
            one for one in world.discord.all_messages() if world.discord.channels[one.channel].person is None
        ]
        if found:
            message = self.random.choice(found)
            world.delete_message(message)
