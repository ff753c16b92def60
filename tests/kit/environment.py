"""The environment of a bot that a test starts in a process of its own."""

from __future__ import annotations

import os

KEPT = ("BAUTA_CACHE", "BAUTA_COMPUTER_FLOOR", "BAUTA_WARM_UP")
"""What tests/conftest.py sets for all: one folder of sprites, nothing painted ahead, nobody waited for."""


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment with none of the user's settings of Bauta in it, and ``more``."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or not name.startswith(("BAUTA_", "DISCORD_"))
    }
    return ours | more
