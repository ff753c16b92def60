"""How much is looked at: a sample in every run, several times as much in ``make nightly``."""

from __future__ import annotations

import os

MORE = int(os.environ.get("BAUTA_POSITIONS", "1"))
"""How many times the usual number of matches, moments and positions to look at."""
