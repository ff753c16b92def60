"""Runs the bot's event loop until a stop is requested."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator

from bot.cli import ExitCode
from bot.runtime.log_setup import watch

log = logging.getLogger("bauta")

SHUTDOWN_TIMEOUT_S = 7.5
"""Seconds after which a hanging shutdown is killed: it never takes more than eight."""

LAST_WORDS_TIMEOUT_S = 0.2
"""Seconds to log the kill: the reader of the log may hang, too."""


def run_until_stopped(work: Coroutine[None, None, None], *, until_eof: bool) -> ExitCode:
    """Run ``work`` until it ends or is asked to stop; return the exit code.

    SIGTERM and SIGINT ask it to stop, and with ``until_eof`` the end of standard input too.
    """
    try:
        asyncio.run(_until_stopped(work, until_eof=until_eof))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    return ExitCode.OK


async def _until_stopped(work: Coroutine[None, None, None], *, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    watch(loop)
    task = loop.create_task(work)
    signalled = asyncio.Event()
    asked: queue.SimpleQueue[None] = queue.SimpleQueue()
    threading.Thread(target=_limit_shutdown, args=(asked,), daemon=True).start()

    def stop() -> None:
        # The limit first: the loop itself may hang.
        asked.put(None)
        loop.call_soon_threadsafe(signalled.set)

    with _on_signals(stop):
        watchers: list[asyncio.Task[object]] = [loop.create_task(signalled.wait())]
        if until_eof:
            watchers.append(loop.create_task(_end_of_input()))
        await asyncio.wait([task, *watchers], return_when=asyncio.FIRST_COMPLETED)
        for watcher in watchers:
            watcher.cancel()
        if not task.done():
            asked.put(None)
            log.info("stopping")
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.contextmanager
def _on_signals(act: Callable[[], object]) -> Iterator[None]:
    """Call ``act`` at every SIGTERM and SIGINT within the block, between any two bytecode instructions."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda *_: act()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def when_asked_to_stop(act: Callable[[], object]) -> None:
    """Call ``act`` in the running loop at every SIGTERM and SIGINT.

    If the loop supports no signal handlers, Ctrl-C still ends it as ``KeyboardInterrupt``.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, act)


def _limit_shutdown(asked: queue.SimpleQueue[None]) -> None:
    """Kill this process if it hangs after it was asked to stop: it would block its successor's database.

    Nothing is lost: what was acknowledged is committed, as before any kill.
    """
    asked.get()
    time.sleep(SHUTDOWN_TIMEOUT_S)
    said = threading.Thread(target=_say_last, daemon=True)
    said.start()
    said.join(LAST_WORDS_TIMEOUT_S)
    os._exit(ExitCode.OK)


def _say_last() -> None:
    log.warning("shutdown exceeded %.1f s: killing process; nothing confirmed is lost", SHUTDOWN_TIMEOUT_S)
    logging.shutdown()


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    # Input is ignored: only its end counts.
    while await reader.read(1024):
        pass
