"""The environment of a bot that a test starts in a separate process."""

from __future__ import annotations

import os

KEPT = ("BAUTA_CACHE", "BAUTA_COMPUTER_FLOOR", "BAUTA_WARM_UP")
"""The variables of tests/conftest.py: a shared folder of sprites, no warm-up, no minimum thinking time."""


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment without the user's settings of Bauta, and with ``more``."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or not name.startswith(("BAUTA_", "DISCORD_"))
    }
    return ours | more
