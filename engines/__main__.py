"""``python -m engines``: the engine console, JSON lines in, JSON lines out.

The only module of the engines that does input and output and asks the operating system for randomness.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import BinaryIO

from engines.core import registry, texts
from engines.core.console import Console
from engines.core.request import MAX_LINE_BYTES
from engines.core.rng import SEED_BYTES


def main() -> int:
    """Answer each line until the input ends; return the exit status."""
    console = Console(
        registry.games(), lambda key: texts.load(f"engines.{key}"), partial(os.urandom, SEED_BYTES)
    )
    try:
        while line := sys.stdin.buffer.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                _skip_line(sys.stdin.buffer, line)
            if line.strip():
                print(console.answer(line), flush=True)  # noqa: T201 - answers are its output
    except BrokenPipeError:
        # Whoever read the answers is gone; the interpreter must not try to flush to them again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


def _skip_line(file: BinaryIO, part: bytes) -> None:
    """Read on to the end of a line that is too long, and keep none of it."""
    while part and not part.endswith(b"\n"):
        part = file.readline(MAX_LINE_BYTES)


if __name__ == "__main__":
    sys.exit(main())
