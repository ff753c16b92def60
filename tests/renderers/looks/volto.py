"""VOLTO: moments of one match."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.core.match import Match
from tests.renderers.looks.base import Look, look, play, start

SETUP = ("setup ANASCALNLN", "setup AALSCLNNAN")
GAME = (
    "d6e5 c2c3 e6d6 d2d3 b6b5 b2b3 a6a5 e2d2 e7e6 e1e2 e6e7 d3e3 c7b6 b3a3 e7e6 c1b2 b6c5 a2b3 a7b6 a3a4 "
    "b7a6 e2e1 a5b4 b1c1 e6e7 b2a3 a6b7 a4a5 d6e6 a1b2 b6a5 e1e2 e5d6 c1b1 d6e5 e3d4 c5b6 c3d3 d7d5 b2c3 "
    "e6d6 d4c4 b7a6 a3b4 e5d4 d2c2 d4c3 c4c5 d6e6 b1c1 c3b4 e2e1 c6c7 c2b2 b5c5"
)
MOVES = tuple(GAME.split())


def volto(moves: int | None) -> Match:
    """Return a match after so many moves; ``None``: before the second side is arranged."""
    match = start("volto")
    for seat, text in enumerate(SETUP[: 1 if moves is None else 2]):
        match = match.act(seat, match.game.read(text))
    return play(match, *MOVES[: moves or 0])


LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(volto(44), None),
    "private": lambda: look(volto(44), 1),
    "chosen": lambda: look(volto(44), 1, "b5"),
    "opening": lambda: look(volto(0), 1),
    "capture": lambda: look(volto(47), 0, "d3"),
    "taking": lambda: look(volto(44), 1, "d5", "d3"),
    "setup": lambda: look(volto(None), 1, "setup", "AALSCLNNAN", "a7"),
    "end": lambda: look(volto(len(MOVES)), None),
}
