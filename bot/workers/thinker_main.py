"""A thinking process, ``python -m bot.workers.thinker_main FD MEMORY NICE``: jobs come from socket FD."""

from __future__ import annotations

import resource
import socket
import sys
from contextlib import suppress

from bot.workers.serving import serve
from engines.core.registry import games


def _prepare(memory: int) -> None:
    """Load the games and limit this process to ``memory`` bytes: allocations beyond that fail."""
    games()
    # Some systems have no such limit.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), lambda: _prepare(int(sys.argv[2])), nice=int(sys.argv[3]))
