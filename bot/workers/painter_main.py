"""A painting process, ``python -m bot.workers.painter_main FD SHARE CACHE FONTS``: jobs come from socket FD.

CACHE and FONTS are folders, and may be empty.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from bot.workers.serving import serve
from renderers.core.caches import keep_on_disk, shrink_caches
from renderers.core.registry import renderers_by_game
from renderers.core.type import use_fonts


def _prepare(share: int, cache: Path | None = None, fonts: Path | None = None) -> None:
    """Load the painters; for ``share`` see :func:`shrink_caches`."""
    keep_on_disk(cache)
    use_fonts(fonts)
    # Importing the painters takes longer than painting most pictures.
    renderers_by_game()
    shrink_caches(share)


if __name__ == "__main__":
    folders = [Path(name) if name else None for name in sys.argv[3:]]
    serve(socket.socket(fileno=int(sys.argv[1])), lambda: _prepare(int(sys.argv[2]), *folders))
