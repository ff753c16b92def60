"""The engine against the reference: on drawn positions and through whole matches, word by word.

A failure names the scene: ``stream(seed)`` of it draws the same position and the same line of play.
"""

from __future__ import annotations

import os
import random

import pytest

from engines.core.rng import Rng
from tests.games.corto import scenes
from tests.games.corto.compare import Manner, Pair, world_of
from tests.games.corto.positions import SEED, of

MORE = int(os.environ.get("BAUTA_POSITIONS", "1"))
"""How many times the usual number of positions to look at."""


def pair(seed: str, *, beginning: bool = False) -> tuple[Pair, random.Random]:
    """Return a drawn position, twice, and the stream that drew it."""
    stream = random.Random(seed)
    state = of(scenes.beginning(stream) if beginning else scenes.scene(stream))
    return Pair(state, world_of(state), Rng(SEED).child(seed), trail=[seed]), stream


@pytest.mark.parametrize("part", range(4))
def test_turns_from_drawn_positions(part: int) -> None:
    for number in range(8 * MORE):
        found, stream = pair(f"turns {part} {number}")
        found.walk(stream, 6, 10, Manner())


@pytest.mark.parametrize("part", range(2))
def test_passes_and_seats_that_leave(part: int) -> None:
    for number in range(5 * MORE):
        found, stream = pair(f"leaving {part} {number}")
        found.walk(stream, 30, 2, Manner(passing=0.85, leaving=0.05))


def test_matches_of_computer_players() -> None:
    for number in range(MORE):
        found, stream = pair(f"player {number}", beginning=True)
        found.walk(stream, 40, 3, Manner(player=True))


def test_whole_matches_from_the_set_up() -> None:
    for number in range(2 * MORE):
        found, stream = pair(f"match {number}", beginning=True)
        found.walk(stream, 60, 2, Manner())
