"""The engine against the reference: on drawn positions and through whole matches, word by word.

A failure names the scene: ``stream(seed)`` of it draws the same position and the same line of play.
"""

from __future__ import annotations

import random

import pytest

from engines.core.rng import Rng
from tests.games.corto import scenes
from tests.games.corto.compare import Manner, Pair, world_of
from tests.games.corto.positions import SEED, of
from tests.games.corto.reference_world import Json
from tests.kit.samples import MORE


def pair(seed: str, *, beginning: bool = False) -> tuple[Pair, random.Random]:
    """Return a drawn position, twice, and the stream that drew it."""
    stream = random.Random(seed)
    state = of(scenes.beginning(stream) if beginning else scenes.scene(stream))
    return Pair(state, world_of(state), Rng(SEED).child(seed), trail=[seed]), stream


ARMED = {"train": 3, "left": 2, "faces": ["armed", "1"], "lost": ["armed", "armed", *"11222"]}
LINES: dict[str, tuple[Json, tuple[str, ...]]] = {
    "the train on the figurine's own square": (
        {
            "strips": ["B", "E", "C"],
            "board": {"e3": {"card": "E01", "markers": {"blue": 1, "red": 1}}, "b3": {"card": "B01"}},
            "quests": {"E": ARMED},
            "hands": {"red": ["E18", "E14", "E08"]},
        },
        ("corto E18 e3", "use E14 hit train", "shot -e3:red"),
    ),
    "the last carriage is armed, and hits from where the train was": (
        {
            "strips": ["D", "E", "C"],
            "board": {"d2": {"card": "D01", "markers": {}}, "d3": {"card": "D02"}, "e5": {"card": "E03"}},
            "quests": {
                "E": {"train": 4, "left": 1, "faces": ["armed"], "lost": ["armed", "armed", *"111222"]}
            },
            "hands": {"red": ["E04", "E09", "D07", "D16"]},
        },
        ("play D07 d4", "play E09 e4", "hit train", "shot kill d3"),
    ),
    "a drop-in is for one character": (
        {
            "strips": ["C", "D", "E"],
            "board": {"c1": {"card": "C08"}},
            "hands": {"red": ["C17", "C01", "C03"]},
        },
        ("adv C17", "play C01 c6"),
    ),
    "a card is drawn from the fullest deck": (
        {
            "strips": ["B", "D", "E"],
            "board": {"e1": {"card": "E01"}},
            "hands": {"red": ["E17"], "blue": ["B01"]},
            "decks": {"B": [], "D": ["D01"], "E": ["E03", "E02"]},
        },
        ("adv E17 blue",),
    ),
}
"""Positions that are rarely drawn, and a line of play from each."""


@pytest.mark.parametrize("name", LINES)
def test_lines_that_are_rarely_drawn(name: str) -> None:
    value, lines = LINES[name]
    state = of({"seats": ["red", "blue"], **value})
    Pair(state, world_of(state), Rng(SEED).child(name)).follow(random.Random(name), *lines)


@pytest.mark.parametrize("part", range(4))
def test_turns_from_drawn_positions(part: int) -> None:
    for number in range(2 * MORE if MORE > 1 else 1):
        found, stream = pair(f"turns {part} {number}")
        found.walk(stream, 6, 10, Manner())


@pytest.mark.parametrize("part", range(2))
def test_passes_and_seats_that_leave(part: int) -> None:
    for number in range(2 * MORE if MORE > 1 else 1):
        found, stream = pair(f"leaving {part} {number}")
        found.walk(stream, 30, 2, Manner(passing=0.85, leaving=0.05))


def test_matches_of_computer_players() -> None:
    for number in range(MORE):
        found, stream = pair(f"player {number}", beginning=True)
        found.walk(stream, 40, 3, Manner(player=True))


def test_whole_matches_from_the_set_up() -> None:
    for number in range(MORE):
        found, stream = pair(f"match {number}", beginning=True)
        found.walk(stream, 60, 2, Manner())
