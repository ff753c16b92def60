"""A painting process: ``python -m bot.rendering FD SHARE [CACHE]``; it reads its jobs from the socket FD."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from bot.processes.serving import serve
from renderers.core.caches import keep_little, keep_on_disk
from renderers.core.registry import renderers_by_game


def _prepare(share: int, cache: Path | None) -> None:
    """Load the painters; ``share`` is explained at :func:`keep_little`."""
    keep_on_disk(cache)
    # Importing them takes longer than most pictures.
    renderers_by_game()
    keep_little(share)


if __name__ == "__main__":
    folder = Path(sys.argv[3]) if sys.argv[3:] else None
    serve(socket.socket(fileno=int(sys.argv[1])), lambda: _prepare(int(sys.argv[2]), folder))
