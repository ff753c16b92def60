"""The engine against the reference, through whole matches, word by word.

A failure names the words that led there, and ``duo(seed, …)`` deals the same match again.
"""

from __future__ import annotations

import random

import pytest

from engines.core import setups
from engines.core.rng import Rng
from engines.doge import GAME
from tests.games.doge.compare import Duo, Manner
from tests.games.doge.compare_told import world_of
from tests.kit.samples import MORE


def duo(seed: str, seats: int, gifts: str) -> tuple[Duo, random.Random]:
    """Return a match that begins, twice, and a stream of the same seed."""
    stream = random.Random(seed)
    rng = Rng(stream.randbytes(32))
    state = GAME.start(setups.complete(GAME.manifest, seats, {"gifts": gifts}), rng).state
    return Duo(state, world_of(state), rng, trail=[seed]), stream


MANNERS = {
    "random": Manner(),
    "guesses": Manner(guessing=0.03),
    "cards run out": Manner(seeking=0.95, guessing=0.004, asides=0.1, tries=3),
    "players": Manner(player=0.9, asides=0.05, tries=6),
    "leaving": Manner(leaving=0.05, guessing=0.02, tries=6),
}


@pytest.mark.parametrize("name", MANNERS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches(name: str, seats: int) -> None:
    for number in range(MORE):
        # "ahead" is the default, and has more that can go wrong.
        gifts = "asked" if number % 4 == 3 else "ahead"
        found, stream = duo(f"{name} {seats} {number}", seats, gifts)
        found.walk(stream, MANNERS[name])
