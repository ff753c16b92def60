"""Runs the bot's event loop until somebody asks it to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine

from bot.log_setup import watch

log = logging.getLogger("bauta")

AT_LAST = 15.0
"""Seconds after which a stop that hangs is ended; 8 are more than it should take."""

HUNG = 70
"""Exit code then."""

STOPPED = 130
"""Exit code after Ctrl-C."""


def run_until_stopped(work: Coroutine[None, None, None], *, until_eof: bool) -> int:
    """Run ``work`` until it ends or is asked to stop; return the exit code.

    SIGTERM and SIGINT ask it to stop, and with ``until_eof`` the end of standard input too.
    """
    try:
        asyncio.run(_until_stopped(work, until_eof=until_eof))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return STOPPED
    return 0


async def _until_stopped(work: Coroutine[None, None, None], *, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    watch(loop)
    task = loop.create_task(work)
    signalled = asyncio.Event()
    when_asked_to_stop(signalled.set)
    watchers: list[asyncio.Task[object]] = [loop.create_task(signalled.wait())]
    if until_eof:
        watchers.append(loop.create_task(_end_of_input()))
    await asyncio.wait([task, *watchers], return_when=asyncio.FIRST_COMPLETED)
    for watcher in watchers:
        watcher.cancel()
    if not task.done():
        log.info("stopping")
        _end_at_last()
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def when_asked_to_stop(act: Callable[[], object]) -> None:
    """Call ``act`` in the running loop at every SIGTERM and SIGINT.

    Where a loop takes no signal handlers, Ctrl-C still ends it as ``KeyboardInterrupt``.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, act)


def _end_at_last() -> None:
    """Make sure of an end: a bot that hangs while it stops would keep its database from the next one."""

    def end() -> None:
        # Nothing is lost: what was acknowledged is committed, as before any kill.
        log.error("the bot did not stop within %.0f s, and is ended", AT_LAST)
        logging.shutdown()
        os._exit(HUNG)

    timer = threading.Timer(AT_LAST, end)
    timer.daemon = True
    timer.start()


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    # Nothing that is written there is meant for the bot: only its end counts.
    while await reader.read(1024):
        pass
