"""The engine against the reference, through whole matches, word by word.

A failure names the words that led there, and ``duo(seed, …)`` deals the same match again.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.core import setups
from engines.core.rng import Rng
from engines.doge import GAME
from engines.doge.components import GHOST_CARDS, LOCATIONS, PRINTED
from tests.games.doge.compare import Duo, Manner
from tests.games.doge.compare_told import world_of
from tests.kit.samples import MORE


def duo(
    seed: str, seats: int, gifts: str, ghosts: int = 0, nights: str = PRINTED
) -> tuple[Duo, random.Random]:
    """Return a match that begins, twice, and a stream of the same seed.

    ``ghosts``: cards in the ghost deck, if not as many as the rules say. With more of them other ends
    than the ghost's come to pass.
    """
    stream = random.Random(seed)
    rng = Rng(stream.randbytes(32))
    state = GAME.start(setups.complete(GAME.manifest, seats, {"gifts": gifts, "nights": nights}), rng).state
    if ghosts:
        deck = tuple(stream.choice(list(LOCATIONS)) for _ in range(ghosts))
        state = replace(state, ghosts=deck, public=replace(state.public, deck=ghosts))
    return Duo(state, world_of(state), rng, trail=[seed]), stream


MANNERS = {
    "random": Manner(),
    "players": Manner(player=0.9, asides=0.05, tries=4),
    "cards run out": Manner(seeking=0.95, guessing=0.004, asides=0.1, tries=2),
    "leaving": Manner(leaving=0.05, guessing=0.02, tries=4),
    "guesses": Manner(guessing=0.03),
}


def compare(name: str, number: int) -> None:
    """Play a match of a manner, beside the reference."""
    seats = 2 + (list(MANNERS).index(name) + number + 2) % 3
    gifts = "asked" if number % 5 == 3 else "ahead"
    ghosts = 50 if name == "cards run out" else 0
    nights = list(GHOST_CARDS)[number // 2 % len(GHOST_CARDS)]
    found, stream = duo(f"{name} {number}", seats, gifts, ghosts, nights)
    found.walk(stream, MANNERS[name])


@pytest.mark.parametrize("name", MANNERS)
def test_whole_matches(name: str) -> None:
    for number in range(MORE):
        compare(name, number)


@pytest.mark.nightly
@pytest.mark.parametrize("name", MANNERS)
def test_many_whole_matches(name: str) -> None:
    for number in range(1000, 1000 + 3 * MORE):
        compare(name, number)
