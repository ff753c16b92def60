"""``python -m tests.contract.fingerprint KEY``: print a digest of each moment of a few matches.

Two processes with different hash seeds must print the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

from engines.core.match import AnyGame
from tests.contract.checks.play import fingerprint
from tests.contract.checks.sampling import baseline, seed, tables, wild

MOVES = 60


def lines_to_compare(game: AnyGame) -> Iterator[str]:
    """Yield the digests of two matches of each table, as far as the first moves."""
    for number, setup in enumerate(tables(game)):
        for how in (baseline, wild):
            yield from fingerprint(islice(how(game, setup, seed("fresh", number)), MOVES))


if __name__ == "__main__":
    from tests.contract.conftest import GAMES

    print(*lines_to_compare(GAMES[sys.argv[1]]), sep="\n")
