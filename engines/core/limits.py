"""Size limits of input from outside: replay files and requests to the console may be hostile.

Larger input is refused before anything is done with it, so that the rest takes bounded time.
"""

from __future__ import annotations

SENTENCE = 2_000
"""Characters of a sentence, a draft or a position: the longest turn of any game has some hundreds."""

LINE = 1 << 20
"""Bytes of one request to the console."""
