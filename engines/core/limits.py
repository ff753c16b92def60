"""How much is read of what comes from elsewhere: replay files and requests to the console may be hostile.

Whoever reads refuses what is larger before anything is done with it; what is left takes bounded time.
"""

from __future__ import annotations

SENTENCE = 2_000
"""Characters of a sentence, a draft or a position: the longest turn of any game has some hundreds."""

LINE = 1 << 20
"""Bytes of one request to the console."""
