"""The bot's processes: one per shard, each with a life from start to end, and requests to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bot.domain.refusals import Refusal
from bot.domain.shards import Shards
from bot.store import StoreError, Unreachable
from tests.kit.simulation.house import House, open_house
from tests.kit.simulation.loop import WORLD
from tests.kit.simulation.people import NoAnswer
from tests.kit.simulation.rest_outages import STALL_S, RestOutages
from tests.kit.simulation.stage import Stage

PATIENCE = 10.0
"""Seconds after which a person stops waiting for a frozen process."""

SESSION_LASTS = 60.0
"""Seconds without a heartbeat after which Discord ends a session of the gateway."""

MOST_STARTS = 5
"""The maximum attempts to start a process while its database is unavailable."""

RESTART_S = 2.0
"""Seconds before it is restarted."""

NEWS_ARE_LATE = 10.0
"""The maximum delay of a notification of another process's commit, in seconds."""


class Processes:
    """The processes of one run."""

    def __init__(self, world: Stage) -> None:
        self.world = world
        self.random = world.random
        self.lives: list[int] = []
        """The latest lives by shard; the first has the server."""
        self.houses: dict[int, House] = {}
        """The serving processes by life."""
        self.down_until = 0.0
        """When a killed bot is restarted."""
        self.asked: dict[asyncio.Future[Any], int] = {}
        """The life that serves each pending request."""
        self._handling: dict[asyncio.Task[None], int] = {}
        self._last_life = WORLD
        self._failed_starts = 0
        self._rest: dict[int, RestOutages] = {}
        for shard in range(self.count):
            world.ledger.house_is_gone(shard)

    @property
    def count(self) -> int:
        """Return the full number of processes."""
        return self.world.database.processes

    @property
    def house(self) -> House | None:
        """Return the bot in the process that has the server, if it serves."""
        return self.houses.get(self.lives[0]) if self.lives else None

    def is_whole(self) -> bool:
        """Return whether all of them serve, and none is frozen."""
        lives = self.lives
        frozen = any(map(self.world.loop.is_frozen, lives))
        return len(lives) == self.count and all(life in self.houses for life in lives) and not frozen

    # --- starts and ends --------------------------------------------------------------------------

    def start(self) -> None:
        """Start all."""
        for shard in range(self.count):
            self._begin(shard)

    def _begin(self, shard: int) -> None:
        life = self._last_life = self._last_life + 1
        self.lives[shard : shard + 1] = [life]
        self.world.tell("house", f"starts life {life}")
        self.world.loop.create_task(self._open(shard, life), context=self.world.loop.in_life(life))

    async def _open(self, shard: int, life: int) -> None:
        world = self.world
        shards = None if self.count == 1 else Shards(shard, shard, self.count)
        ledger = world.ledger
        self._rest[life] = RestOutages(
            world.loop.time, lambda begun, ended: ledger.was_out("rest", shard, begun, ended)
        )

        async def pause() -> None:
            # Half of the pictures are cached.
            await world.loop.rest(max(0.0, self.random.random() - 0.5) * 1.6)

        try:
            house = await open_house(
                world.database.address, world.discord, world.wall, world.entropy.randbytes, pause, shards,
                self._late, lambda: world.gateway.connected(shard),
            )  # fmt: skip
        except Exception as error:  # a bot that does not start is a finding
            self._failed_starts += 1
            if isinstance(error, Unreachable) and self._failed_starts < MOST_STARTS:
                # It exits with the code for a retry by its supervisor.
                world.loop.call_soon(self.lose, shard, RESTART_S, context=world.loop.in_life(WORLD))
            else:
                world.found("no start", repr(error))
            return
        self._failed_starts = 0
        self.houses[life] = house
        if len(self.houses) == self.count:
            world.database.fail(is_failing=world.has_trouble)
        ledger.house_serves(shard)
        world.tell("house", "serves")

    def kill(self) -> None:
        """Kill all: their tasks run no further line, and uncommitted changes are lost."""
        self.world.tell("house", "is killed")
        lives, self.lives = self.lives, []
        for shard, life in enumerate(lives):
            self._end(shard, life)

    def kill_for(self, seconds: float) -> None:
        """Kill all, and restart them after so many seconds."""
        self.kill()
        self.world.tally["kills"] += 1
        self.down_until = self.world.loop.time() + seconds
        self.world.loop.call_at(self.down_until, self.start)

    def lose(self, shard: int, seconds: float) -> None:
        """Kill one process for a while, while the other continues."""
        life = self.lives[shard]
        self.world.tell("house", f"loses life {life}")
        self.world.tally["lost processes"] += 1
        self._end(shard, life)

        def begin() -> None:
            if self.lives[shard : shard + 1] == [life]:
                self._begin(shard)

        self.world.loop.call_later(seconds, begin)

    def _end(self, shard: int, life: int) -> None:
        world = self.world
        world.recorder.kills.append(world.loop.time())
        world.loop.end_life(life)
        # No faults during a restart, since a supervisor would retry anyway.
        world.database.fail(is_failing=False)
        world.discord.gone_lives.add(life)
        self.houses.pop(life, None)
        world.database.cut_off(life)
        for future in [future for future, asked in self.asked.items() if asked == life]:
            self._give_up(future)
        self._handling = {task: asked for task, asked in self._handling.items() if asked != life}
        if life in self._rest:
            self._rest.pop(life).end()
        world.ledger.is_back("frozen", shard)
        world.ledger.house_is_gone(shard)

    # --- freezing ---------------------------------------------------------------------------------

    def freeze(self, shard: int, seconds: float) -> None:
        """Freeze a serving process for a while."""
        world, life = self.world, self.lives[shard] if shard < len(self.lives) else WORLD
        if life not in self.houses or world.loop.is_frozen(life):
            return
        world.tell("machine", f"life {life} stands still for {seconds:.1f} s")
        world.tally["freezes"] += 1
        world.loop.freeze(life)
        world.ledger.is_out("frozen", shard)
        world.database.freeze(life)
        for future in [future for future, asked in self.asked.items() if asked == life]:
            world.loop.call_later(PATIENCE, self._give_up_if_frozen, future)
        world.loop.call_later(seconds, self._thaw, shard, life, seconds)

    def _thaw(self, shard: int, life: int, seconds: float) -> None:
        if self.lives[shard : shard + 1] != [life] or life not in self.houses:
            return
        self.world.tell("machine", f"life {life} goes on")
        self.world.ledger.is_back("frozen", shard)
        self.world.loop.thaw(life)
        if seconds > SESSION_LASTS:
            self.world.gateway.lose_session(shard)

    # --- people's requests ------------------------------------------------------------------------

    async def interaction(
        self, what: str, work: Callable[[House], Coroutine[Any, Any, Any]], *, lasts: bool = False
    ) -> Any:
        """Let a bot handle an interaction in a separate task, and return its response.

        ``lasts``: it is a raw event of the gateway, and may arrive too late for a response.
        """
        world = self.world
        if self.house is None:
            world.tell("person", f"{what}: nobody is there")
            raise NoAnswer
        # A click reaches the process of its server's shard, or for direct messages the first shard.
        life = self.lives[0] if len(self.houses) == 1 else self.random.choice(list(self.houses))
        if world.gateway.is_away(shard := self.lives.index(life)):
            world.tell("person", f"{what}: nobody hears it")
            if lasts:
                world.gateway.keep(shard, lambda house: self._handled(life, house, what, work))
            raise NoAnswer
        if world.loop.is_frozen(life) and not lasts:
            await world.loop.rest(3.0)
            world.tell("person", f"{what}: nobody answers")
            raise NoAnswer
        answer = self._handled(life, self.houses[life], what, work)
        if world.loop.is_frozen(life):
            world.loop.call_later(PATIENCE, self._give_up_if_frozen, answer)
        return await answer

    def _handled(
        self, life: int, house: House, what: str, work: Callable[[House], Coroutine[Any, Any, Any]]
    ) -> asyncio.Future[Any]:
        """Let a bot handle an interaction; return a future for the response."""
        loop = self.world.loop
        answer: asyncio.Future[Any] = loop.create_future()
        self.asked[answer] = life
        task = loop.create_task(self._handle(house, what, work, answer), context=loop.in_life(life))
        self._handling[task] = life
        task.add_done_callback(lambda done: self._end_of(done, answer))
        return answer

    def _end_of(self, task: asyncio.Task[None], answer: asyncio.Future[Any]) -> None:
        self._handling.pop(task, None)
        # A task that was cancelled before its start has not responded.
        self._give_up(answer)

    async def _handle(
        self,
        house: House,
        what: str,
        work: Callable[[House], Coroutine[Any, Any, Any]],
        answer: asyncio.Future[Any],
    ) -> None:
        result: Any = None
        error: Exception | None = None
        try:
            result = await work(self.world.recorder.watched(house))
        except Refusal as refused:
            error = refused
        except asyncio.CancelledError:
            error = NoAnswer()
        except Exception as raised:  # like the last error handler: see `bot.interactions.reply`
            error = NoAnswer()
            if not isinstance(raised, StoreError):
                self.world.found("incident", f"{what}: {raised!r}")
        self.world.tell("person", f"{what}: {'is answered' if error is None else repr(error)}")
        self.asked.pop(answer, None)
        if answer.done():
            return
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)

    def _give_up(self, answer: asyncio.Future[Any]) -> None:
        self.asked.pop(answer, None)
        if not answer.done():
            answer.set_exception(NoAnswer())

    def _give_up_if_frozen(self, answer: asyncio.Future[Any]) -> None:
        life = self.asked.get(answer)
        if life is not None and self.world.loop.is_frozen(life):
            self._give_up(answer)

    def cancel_one(self) -> None:
        """Cancel a request that is being handled."""
        if self._handling:
            task = self.random.choice(list(self._handling))
            self.world.tell("house", f"cancels a request of life {self._handling[task]}")
            self.world.tally["cancelled requests"] += 1
            self.world.loop.call_soon(task.cancel, context=self.world.loop.in_life(WORLD))

    # --- notifications ----------------------------------------------------------------------------

    def _late(self, hear: Callable[[Any], None]) -> Callable[[Any], None]:
        """Return a process's receiver of notifications: some are late, some merged, and some lost."""
        world, waiting = self.world, list[Any]()

        def hear_all() -> None:
            found, waiting[:] = waiting[:], []
            for change in found:
                hear(change)

        def heard(change: Any) -> None:
            chance = self.random.random() if world.has_trouble else 1.0
            if chance < world.plan.lost_news:
                world.tally["lost news"] += 1
            elif chance < world.plan.lost_news + world.plan.late_news:
                world.tally["late news"] += 1
                waiting.append(change)
                world.loop.call_later(self.random.random() * NEWS_ARE_LATE, hear_all)
            else:
                hear(change)

        return heard

    # --- requests to Discord ----------------------------------------------------------------------

    def on_request(self, life: int, method: str, path: str) -> Callable[[bool | None], None]:
        """Record a request of a life; return a function that records its end."""
        noted = self._rest.get(life)
        if noted is None:
            return lambda _: None
        request = noted.sent(method, path)
        timer = self.world.loop.call_later(STALL_S, noted.stalled, request)

        def ended(answered: bool | None) -> None:
            timer.cancel()
            if answered is not None:
                (noted.answered if answered else noted.failed)(request)

        return ended
