"""The generator of turns against the reference, on positions of every kind and on both boards."""

from __future__ import annotations

import pytest

from engines.volo.board import BOARDS
from engines.volo.sides import side_of
from tests.games.volo import positions, reference
from tests.games.volo.compare import carried_along, difference, fast
from tests.kit.samples import MORE

CORNERS = {
    "no bird": "." * 120 + " o",
    "one side only": "o" + "." * 118 + "o o",
    "the other side only": "b" + "." * 118 + "b o",
    "full": "ob" * 60 + " b",
    "full and small": "ob" * 42 + " o",
    "sixty of one side": "o" * 60 + "." * 59 + "b o",
    "sixty of one side, small": "." * 20 + "o" * 60 + "bb.b o",
}


@pytest.mark.parametrize("text", CORNERS.values(), ids=CORNERS.keys())
def test_extreme_positions(text: str) -> None:
    assert difference(text) == {}


@pytest.mark.parametrize("part", range(4))
def test_drawn_positions(part: int) -> None:
    for position in positions.drawn_many(f"drawn {part}", 30 * MORE):
        assert difference(position.text()) == {}, position.text()


@pytest.mark.parametrize("part", range(2))
def test_walls_with_gaps(part: int) -> None:
    cut = 0
    for position in positions.walled(f"walled {part}", 40 * MORE):
        assert difference(position.text()) == {}, position.text()
        cut += any("/" in line for line in fast(position.text()))
    assert cut > 10, "hardly any of these positions cuts anything"


@pytest.mark.parametrize("key", ["standard", "small"])
def test_positions_of_play(key: str) -> None:
    for number in range(MORE):
        moments = list(positions.played(f"played {key} {number}", key))
        for position, _ in moments[:: 1 if MORE > 1 else 2]:
            assert difference(position.text()) == {}, position.text()


@pytest.mark.parametrize("key", ["standard", "small"])
def test_what_is_carried_along_is_what_a_fresh_look_finds(key: str) -> None:
    for number in range(MORE):
        assert carried_along(f"carried {key} {number}", key)


@pytest.mark.parametrize("key", ["standard", "small"])
def test_ring_and_shift_agree_with_axial_neighbours(key: str) -> None:
    board, plain = BOARDS[key], positions.start(key).board
    assert len(board.points) == len(plain.points) == positions.SIZES[key]
    for point in plain.points:
        bit = board.points[plain.name(point)]
        for direction, (dq, dr) in reference.STEPS.items():
            near = (point[0] + dq, point[1] + dr)
            name = plain.name(near) if near in plain.points else None
            assert board.names.get(board.shifted(bit, direction, 1)) == name
            assert bool(board.shifted(bit, direction, 1) & board.wall) is (name is None)
        assert board.ring[bit] == board.spread(bit) ^ bit


def test_one_flock_by_every_count() -> None:
    board = BOARDS["standard"]
    for names, united in (("", False), ("a2", True), ("a2 a3", True), ("a2 a4", False), ("a2 a3 c5", False)):
        side = side_of(board, sum(board.points[name] for name in names.split()))
        assert side.united is united
