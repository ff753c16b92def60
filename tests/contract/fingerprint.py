"""``python -m tests.contract.fingerprint PACKAGE:NAME``: print a digest of each moment of a few matches.

Two processes with different hash seeds must print the same.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from engines.core.match import AnyGame
from tests.contract.checks.play import fingerprint
from tests.contract.checks.sampling import baseline, seed, tables, wild
from tests.kit.samples import MORE

MOVES = 8 if MORE > 1 else 5


def lines_to_compare(game: AnyGame) -> Iterator[str]:
    """Yield the digests of two matches of each table, as far as the first moves; but for the first, by night.

    By day, every other table has a match of one kind or the other.
    """
    ways = (baseline, wild)
    for number, setup in enumerate(tables(game)):
        for how in ways if MORE > 1 or not number else ways[number % 2 :][:1]:
            yield from fingerprint(islice(how(game, setup, seed("fresh", number)), MOVES))


def in_fresh_process(game: str, hash_seed: str, python: str = sys.executable) -> tuple[str, ...]:
    """Return the digests that another process prints for ``game``, which is ``PACKAGE:NAME``."""
    command = [python, "-m", "tests.contract.fingerprint", game]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    folder = Path(__file__).parents[2]
    return tuple(subprocess.check_output(command, env=environment, cwd=folder, text=True).split())


def main(name: str) -> None:
    """Print the digests of the game ``PACKAGE:NAME``."""
    module, _, attribute = name.partition(":")
    print(*lines_to_compare(getattr(importlib.import_module(module), attribute)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
