"""Numbers of lines of play in Volo: the generator, the reference and the contract agree on them."""

from __future__ import annotations

import pytest

from engines.core import listing
from engines.core.rng import Rng
from engines.volo import GAME
from engines.volo.movegen import PASS, Position
from tests.games.volo import reference

TABLE: dict[str, tuple[str, tuple[int, ...]]] = {
    "start": (
        (
            "......o....b...........................................b........o..................................."
            "........o....b...... o"
        ),
        (99, 9717, 935958),
    ),
    "small start": (
        ".....o...b............................b......o............................o...b..... o",
        (63, 3921, 241674),
    ),
    "opening": (
        (
            "......o..b.b...oo.....b..o..bbo........b...b..b....o...bo......o.bo.......b.o.o........ooo...b.bb.."
            "oo.......o...bb.b.b.. b"
        ),
        (104, 6852, 657314),
    ),
    "endgame": (
        (
            ".b..b.obb..bo..b..b.....ob.....oo....o...oboo......oo.obb.bboobbo.b..b....oo.b.o.b....o..b..b..oo..."
            "bb..o...oo...b....b. o"
        ),
        (46, 2701, 125962),
    ),
    "small, opening": (
        ".....o...b..o.......b........b........o..b..o....oobobb.......oo..........o..bb..b.. b",
        (58, 2523, 139655),
    ),
    "small, endgame": (
        "..oo.b.b.oo...o.o.o.o.b..o.........o...ooo.boo.o.oo..ob.o.b.bb......b..ob..bbbb....o o",
        (31, 919, 26597),
    ),
    "a gap in a wall": (
        (
            "..b........o..o....................................b..............b.........................o.....oo"
            "oo.oooo....b....b... o"
        ),
        (87, 8044, 688204),
    ),
    "adds at home and a pass": (
        (
            "o.o.ooobbb.oo.booobo.oobo...bb.obb.obbbobbb..b.o...ob...boo...o.o..bb.b.b.oob...bb.b.o....b..obobo.."
            "b.o.bb...b.obo..bbb. b"
        ),
        (6, 90, 492),
    ),
}
NAMES = list(TABLE)
DEEP = 150_000
"""Lines up to which the third step is counted here."""


def lines(position: Position, depth: int) -> int:
    """Lines of ``depth`` turns; a match that ends earlier has no leaf."""
    turns = position.turns()
    if depth == 1:
        return len(turns)
    after = ((turn, position.after(turn)) for turn in turns)
    return sum(
        lines(then, depth - 1)
        for turn, then in after
        if then.won() is None and not (turn == PASS and position.passed)
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_generator(name: str) -> None:
    text, counts = TABLE[name]
    position = GAME.position(text).position
    for depth, count in enumerate(counts, 1):
        if count <= DEEP:
            assert lines(position, depth) == count


@pytest.mark.parametrize("name", NAMES)
def test_the_reference(name: str) -> None:
    text, counts = TABLE[name]
    position = reference.Position.parse(text)
    assert reference.perft(position, 1) == counts[0]
    if counts[1] < 1_000:
        assert reference.perft(position, 2) == counts[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_contract(name: str) -> None:
    text, counts = TABLE[name]
    state = GAME.position(text)
    for depth, count in enumerate(counts, 1):
        if count <= 10_000:
            assert listing.perft(GAME, state, depth, Rng(bytes(32))) == count
