"""The ``bauta`` command: serve Discord with a token, or open the sandbox without one."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path

from bot.app import serve
from bot.cli import backup, doctor, health, replay
from bot.config import Config, StartError, load
from bot.log_setup import set_up, watch
from sandbox.server import PortInUseError, Sandbox

log = logging.getLogger("bauta")

CANNOT_START = 2
"""Exit code where the message says what to do first."""

NOTHING_GIVEN = (
    "There is no token: set DISCORD_TOKEN, or DISCORD_TOKEN_FILE to a file that holds it.\n"
    "The README says how to get one. To try everything without a token, run `bauta`."
)

OTHERS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "backup": backup.backup_main,
    "doctor": doctor.main,
    "health": health.main,
    "replay": replay.main,
    "restore": backup.restore_main,
}
"""Commands with arguments of their own, each with a ``--help``."""

EPILOG = """other commands (each has a --help):
  bauta doctor [--offline]         check settings, token, permissions, database and more
  bauta health                     say whether the bot that serves the database is well
  bauta backup FILE                save the database, while the bot runs
  bauta restore FILE               put a backup in the database's place
  bauta replay FILE --out PICTURE  make a moving picture of a match that is over
"""

STOPPED = 130
"""Exit code after Ctrl-C."""

GRACE = 10.0
"""Seconds that the bot has to stop by itself."""

PAUSE = 1.0
"""Seconds until a bot that died beside the sandbox is started again."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in OTHERS:
        return OTHERS[given[0]](given[1:])
    options = _parser().parse_args(given)
    try:
        settings = load()
        token = settings.token()
        set_up(settings.log_level, token.get_secret_value() if token is not None else "")
        if token is not None:
            return _run(serve(settings, token.get_secret_value()), until_eof=options.until_eof)
        if options.command == "serve":
            return _refuse(NOTHING_GIVEN)
        return _run(_sandbox(settings, browser=not options.no_browser), until_eof=False)
    except StartError as error:
        return _refuse(str(error))


def _refuse(reason: str) -> int:
    sys.stderr.write(f"bauta: {reason}\n")
    return CANNOT_START


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bauta",
        description="Board games with secrets, on Discord.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "command",
        nargs="?",
        choices=("run", "serve"),
        default="run",
        help="run: serve Discord with a token, open the sandbox without one; serve: never the sandbox",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the sandbox in a browser")
    parser.add_argument("--until-eof", action="store_true", help="stop when standard input ends")
    return parser


def _run(work: Coroutine[None, None, None], *, until_eof: bool) -> int:
    """Run ``work`` until it ends or a signal asks to stop."""
    try:
        asyncio.run(_until_told(work, until_eof=until_eof))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return STOPPED
    return 0


async def _until_told(work: Coroutine[None, None, None], *, until_eof: bool) -> None:
    """Do ``work``; SIGTERM, SIGINT and, if asked for, the end of standard input cancel it."""
    loop = asyncio.get_running_loop()
    watch(loop)
    task = loop.create_task(work)
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, told.set)
    watchers: list[asyncio.Task[object]] = [loop.create_task(told.wait())]
    if until_eof:
        watchers.append(loop.create_task(_end_of_input()))
    await asyncio.wait([task, *watchers], return_when=asyncio.FIRST_COMPLETED)
    for watcher in watchers:
        watcher.cancel()
    if not task.done():
        log.info("stopping")
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while await reader.read(1024):
        pass


async def _sandbox(settings: Config, *, browser: bool) -> None:
    """Run the sandbox here and the bot beside it, and show people where it is."""
    sandbox = Sandbox(settings.sandbox_host, settings.sandbox_port)
    try:
        await sandbox.start()
    except PortInUseError:
        raise StartError(
            f"Port {settings.sandbox_port} is in use, perhaps by another sandbox.\n"
            "Stop that one, or set BAUTA_SANDBOX_PORT to another number (0 takes any that is free)."
        ) from None
    except OSError as error:
        raise StartError(f"The sandbox cannot listen: {error.strerror or error}") from None
    try:
        sys.stdout.write(f"Bauta's sandbox is open: {sandbox.url}/\nCtrl-C closes it.\n")
        sys.stdout.flush()
        if browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, f"{sandbox.url}/")
        # The sandbox forgets everything when it closes, and so do the matches that were played in it.
        with tempfile.TemporaryDirectory(prefix="bauta-") as folder:
            await _bot_beside(sandbox, Path(folder) / "bauta.db")
    finally:
        await sandbox.stop()


async def _bot_beside(sandbox: Sandbox, database: Path) -> None:
    """Keep a bot running that talks to the sandbox; raises :class:`StartError` where it cannot start."""
    environment = {
        **{key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN_FILE"},
        "DISCORD_TOKEN": sandbox.token,
        "BAUTA_API_URL": sandbox.api,
        "BAUTA_GATEWAY_URL": sandbox.gateway,
        "BAUTA_DATABASE": str(database),
    }
    while True:
        code = await _bot(environment)
        if code == CANNOT_START:
            raise StartError("The bot could not start; the lines above say why.")
        log.warning("the bot ended (%s) and is started again", code)
        await asyncio.sleep(PAUSE)


async def _bot(environment: dict[str, str]) -> int:
    """Run one bot to its end and return its exit code; it ends with this process, however that ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "serve", "--until-eof", stdin=asyncio.subprocess.PIPE, env=environment
    )
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), GRACE)
            except TimeoutError:
                process.kill()
                await process.wait()


def _has_screen() -> bool:
    """Return whether a browser would open a window; a text browser would take the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main())
