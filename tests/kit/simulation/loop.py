"""An event loop with a seed: time is virtual, and the next of the ready tasks is chosen at random.

Every callback belongs to a *life*, found in its context: one run of the bot, or the world around it. When a
life ends, none of its tasks runs another line, as in a killed process.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
import sys
import warnings
from asyncio import events
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from itertools import count
from random import Random
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

WORLD = 0
"""The life of Discord and of people, which never ends."""

LIFE: ContextVar[int] = ContextVar("life", default=WORLD)

Pauses: TypeAlias = tuple[tuple[float, float], ...]
"""Delays of a thread's result: cumulative probability, and maximum seconds."""

QUICK: Pauses = ((0.90, 0.0), (1.0, 0.02))
USUAL: Pauses = ((0.80, 0.0), (0.97, 0.02), (1.0, 1.5))
BUSY: Pauses = ((0.30, 0.0), (0.75, 0.3), (1.0, 2.0))
"""Delays on a busy machine: commits are acknowledged much later."""


LONG_REST = 5.0
"""Idle seconds after which time may leap."""

EARLY = 5.0
"""A leap ends so many seconds before the next event, so that the bot writes its heartbeat."""


SLOW_S = 3.0
"""Seconds of continuous writing after which the database counts as slow, which costs no player time."""

JOINED_S = 0.5
"""Writes with smaller gaps, in seconds, count as continuous."""


class Stuck(RuntimeError):  # noqa: N818 - a finding
    """Deadlock: all tasks wait for something that never happens."""


class TooLong(RuntimeError):  # noqa: N818 - a finding
    """The run took too many steps: something loops endlessly."""


class SeededTask(asyncio.Task[T]):
    """A task with a number, so that sets of tasks have the same order in every run."""

    __slots__ = ("number",)

    def __init__(self, work: Coroutine[Any, Any, T], *, number: int, **options: Any) -> None:
        self.number = number
        super().__init__(work, **options)

    def __hash__(self) -> int:
        return self.number


class SeededLoop(asyncio.AbstractEventLoop):
    """The loop. ``random`` is the only source of randomness; equal seeds give equal runs."""

    def __init__(self, random: Random, most_steps: int) -> None:
        self.random = random
        self.steps = 0
        self.pauses = USUAL
        """Delays of the writer's acknowledgement of a commit."""
        self.leap: Callable[[float], float | None] = lambda _: None
        """Called after a while without work: returns until when time may leap, see :meth:`_step`."""
        self.on_written: Callable[[], None] = lambda: None
        """Called after each action of the writer."""
        self.is_polling = False
        """Whether the bot polls about every second, even when idle."""
        self._asked_at = 0.0
        """When it was last checked whether time may leap in spite of polling."""
        self.leapt = 0.0
        """Total seconds of leaps, which delayed nobody."""
        self.slow_writes: list[tuple[float, float]] = []
        """The spans of continuous writing that were too long."""
        self._writing_since = self._writing_until = float("-inf")
        self.landed_at = 0.0
        """When the last leap ended."""
        self._frozen: dict[int, list[asyncio.Handle]] = {}
        """The suspended callbacks of frozen lives."""
        self._most_steps = most_steps
        self._now = 1_000.0
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count(1)
        self._dead: set[int] = set()
        self._buried = False
        self._tasks: dict[int, dict[int, SeededTask[Any]]] = {}
        self.errors: list[str] = []
        """The unhandled exceptions of tasks."""

    # --- lives ------------------------------------------------------------------------------------

    def in_life(self, life: int) -> Context:
        """Return a context whose tasks belong to a life."""
        context = copy_context()
        context.run(LIFE.set, life)
        return context

    def end_life(self, life: int) -> None:
        """End a life: none of its tasks runs another line."""
        self._dead.add(life)
        self._ready = [each for each in self._ready if _life_of(each) != life]
        self._timers = [each for each in self._timers if _life_of(each[2]) != life]
        heapq.heapify(self._timers)
        self._frozen.pop(life, None)

    def freeze(self, life: int) -> None:
        """Freeze a life, like a stopped process: its due callbacks wait."""
        self._frozen.setdefault(life, [])

    def thaw(self, life: int) -> None:
        """Let a life continue: everything that has become due is due at once."""
        self._ready += self._frozen.pop(life, [])

    def is_frozen(self, life: int) -> bool:
        """Return whether a life is frozen."""
        return life in self._frozen

    def bury_all(self) -> None:
        """Drop all tasks at the end of a run. Until then, tasks of ended lives are kept unchanged.

        Otherwise their ``finally`` blocks would run, unlike in a killed process.
        """
        self._buried = True
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        with self._running(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # tasks that have not started are never awaited
            while self._tasks:
                _, tasks = self._tasks.popitem()
                for task in list(tasks.values()):
                    work: Any = task.get_coro()
                    task._log_destroy_pending = False  # type: ignore[attr-defined] # noqa: SLF001
                    with suppress(BaseException):
                        work.close()
            self._ready.clear()
            self._timers.clear()
            self._frozen.clear()
            gc.collect(1)
        sys.unraisablehook = hook

    # --- running ----------------------------------------------------------------------------------

    def run_until(self, done: Callable[[], bool]) -> None:
        """Run until ``done``; raises :class:`Stuck` and :class:`TooLong`."""
        with self._running():
            while not done():
                self._step()

    def call(self, life: int, work: Callable[..., T], *given: Any) -> T:
        """Run a function in a life at once, like an event of the gateway."""
        with self._running():
            return self.in_life(life).run(work, *given)

    @contextmanager
    def _running(self) -> Iterator[None]:
        before = events._get_running_loop()  # noqa: SLF001 - what every loop does
        events._set_running_loop(self)  # noqa: SLF001
        try:
            yield
        finally:
            events._set_running_loop(before)  # noqa: SLF001

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._most_steps:
            raise TooLong(f"{self.steps} steps")
        timers, ready = self._timers, self._ready
        if not ready and not timers:
            raise Stuck("nothing is left to do")
        if not ready:
            self._now = self._next_time()
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        if not ready:
            return
        # Removed by swapping: the order of the others is random anyway.
        place = int(self.random.random() * len(ready))
        handle = ready[place]
        ready[place] = ready[-1]
        ready.pop()
        if self._frozen and (waiting := self._frozen.get(_life_of(handle))) is not None:
            waiting.append(handle)
        elif not handle._cancelled:  # noqa: SLF001
            handle._run()  # noqa: SLF001

    def _next_time(self) -> float:
        """Return the time of the next callback.

        An idle bot checks its clocks twice a minute; over days, it may sleep until there is something to do.
        The world always acts on time.
        """
        timers = self._timers
        while timers and timers[0][2]._cancelled and len(timers) > 1:  # noqa: SLF001
            heapq.heappop(timers)
        when = max(self._now, timers[0][0])
        if not self._rests_until(when):
            return when
        until = self.leap(when)
        if until is None:
            return when
        world = (at for at, _, timer in timers if _life_of(timer) == WORLD and not timer._cancelled)  # noqa: SLF001
        landing = min([until, *world]) - EARLY
        if landing <= when:
            return when
        self.leapt += landing - when
        self.landed_at = landing
        return landing

    def _rests_until(self, when: float) -> bool:
        """Return whether time may leap at all."""
        if when - self._now >= LONG_REST:
            return True
        if not self.is_polling or self._now < self._asked_at + LONG_REST:
            return False
        self._asked_at = self._now
        return True

    # --- asyncio's interface ----------------------------------------------------------------------

    def time(self) -> float:
        return self._now

    def time_awake(self) -> float:
        """Return the time without leaps: what is late by it was delayed."""
        return self._now - self.leapt

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self._buried and (not self._dead or _life_of(handle) not in self._dead):
            self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        if not self._buried and (not self._dead or _life_of(timer) not in self._dead):
            heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass  # it is skipped when its time comes

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> SeededTask[T]:
        if self._buried:
            # Ended lives start nothing; those that wait for it are cancelled.
            coro.close()
            never: Any = self.create_future()
            never.cancel()
            return never  # type: ignore[no-any-return]
        number = next(self._numbers)
        life = LIFE.get() if context is None else context.get(LIFE, WORLD)
        task = SeededTask(coro, number=number, loop=self, name=name or f"task {number}", context=context)
        if life != WORLD:
            tasks = self._tasks.setdefault(life, {})
            tasks[number] = task
            task.add_done_callback(lambda _: tasks.pop(number, None))
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Run ``func`` inline at a random time; its result comes after another pause."""
        future: asyncio.Future[T] = asyncio.Future(loop=self)
        # The writer has its own thread; others may see a commit before its acknowledgement.
        self.call_soon(self._in_thread, future, func, args, executor is not None)
        return future

    def _in_thread(
        self,
        future: asyncio.Future[Any],
        func: Callable[..., Any],
        args: tuple[Any, ...],
        committing: bool,
    ) -> None:
        if future.cancelled():
            return
        slow = self.pauses if committing else USUAL
        try:
            result, error = func(*args), None
        except Exception as raised:  # it belongs to the waiter for the result
            result, error = None, raised
        if committing:
            self.on_written()
        pause = self.pause(slow)
        if committing:
            self._is_writing(pause)
        if pause:
            self.call_later(pause, _settle, future, result, error)
        else:
            self.call_soon(_settle, future, result, error)

    def _is_writing(self, seconds: float) -> None:
        """Record spans of continuous writing that are too long."""
        if self._now > self._writing_until + JOINED_S:
            self._writing_since = self._now
        self._writing_until = max(self._writing_until, self._now + seconds)
        if self._writing_until - self._writing_since > SLOW_S:
            if self.slow_writes and self.slow_writes[-1][0] == self._writing_since:
                self.slow_writes.pop()
            self.slow_writes.append((self._writing_since, self._writing_until))

    def pause(self, pauses: Pauses = USUAL) -> float:
        """Return a random delay of a response: mostly zero."""
        chance = self.random.random()
        longest = next(most for up_to, most in pauses if chance <= up_to)
        return longest and self.random.random() * longest

    async def rest_until_beat(self, beat: float) -> None:
        """Wait until the next multiple of so many seconds."""
        await self.rest(beat - self._now % beat)

    async def rest(self, seconds: float) -> None:
        """Wait for seconds of virtual time."""
        future = self.create_future()
        self.call_later(seconds, _settle, future, None, None)
        await future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self._buried:
            return
        error = context.get("exception")
        self.errors.append(f"{context.get('message')}: {error!r}")

    async def shutdown_asyncgens(self) -> None:
        return


def _settle(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _life_of(handle: asyncio.Handle) -> int:
    return handle._context.get(LIFE, WORLD)  # type: ignore[attr-defined,no-any-return] # noqa: SLF001
