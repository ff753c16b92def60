"""`python -m sandbox`: run the sandbox alone until it is interrupted."""

import argparse
import asyncio
import contextlib
import logging
import os
import sys
from pathlib import Path

from sandbox.gateway import Sharding
from sandbox.server import Sandbox


def main() -> int:
    """Run the sandbox; return 0, or 2 if it cannot listen."""
    parser = argparse.ArgumentParser(prog="sandbox", description="A Discord on loopback.")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--guilds", type=int, default=1, help="how many there are (default: %(default)s)")
    parser.add_argument(
        "--shards", type=int, default=1, help="how many the bot is told to use (default: %(default)s)"
    )
    parser.add_argument(
        "--max-concurrency",
        type=int,
        default=1,
        help="shards that may identify at once (default: %(default)s)",
    )
    parser.add_argument(
        "--identify-seconds",
        type=float,
        default=0.0,
        help="between two that may not, 5 on Discord (default: %(default)s)",
    )
    parser.add_argument(
        "--transcript",
        type=Path,
        metavar="FILE",
        help="append a journal of all that happens, everybody's secrets too; nobody else can read the file",
    )
    parser.add_argument("--no-page", action="store_true", help="serve no web page")
    parser.add_argument("--verbose", action="store_true", help="log more")
    options = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if options.verbose else logging.INFO)
    # The bot's token comes from the environment, never from the command line, which others can read.
    token = os.environ.get("SANDBOX_TOKEN")
    try:
        sharding = Sharding(options.shards, options.max_concurrency, options.identify_seconds)
    except ValueError as problem:
        parser.error(str(problem))
    try:
        sandbox = Sandbox(
            options.host,
            options.port,
            token=token,
            page=not options.no_page,
            sharding=sharding,
            transcript=options.transcript,
        )
        for _ in range(1, options.guilds):
            sandbox.add_guild()
        asyncio.run(serve(sandbox))
    except OSError as error:
        sys.stderr.write(f"sandbox: {error.strerror or error}\n")
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


async def serve(sandbox: Sandbox) -> None:
    """Serve until the program is interrupted."""
    async with sandbox:
        lines = (f"page {sandbox.entrance}", f"REST {sandbox.api}", f"gateway {sandbox.gateway}")
        sys.stdout.write("\n".join((*lines, f"token {sandbox.token}", "")))
        sys.stdout.flush()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
