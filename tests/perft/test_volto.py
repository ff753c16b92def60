"""Lines of play, counted by the engine and by a plain generator of moves that shares nothing with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core.listing import perft
from engines.core.rng import Rng
from engines.volto import GAME

Grid = dict[tuple[int, int], str]
"""Letters by (file, row), both from 0."""

DIRECTIONS = {
    "N": [(1, 0), (-1, 0), (0, 1), (0, -1)],
    "A": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}
DIRECTIONS["L"] = DIRECTIONS["C"] = DIRECTIONS["N"] + DIRECTIONS["A"]


def parse(text: str) -> tuple[Grid, int]:
    board, side = text.split()
    grid: Grid = {}
    for down, line in enumerate(board.split("/")):
        spread = "".join("." * int(sign) if sign.isdigit() else sign for sign in line)
        grid.update({(file, 6 - down): sign for file, sign in enumerate(spread) if sign != "."})
    return grid, int(side)


def owner(letter: str) -> int:
    return 0 if letter.isupper() else 1


def moves(grid: Grid, side: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for (file, row), letter in grid.items():
        if owner(letter) != side:
            continue
        if letter.upper() == "S":
            ahead = row + (1 if side == 0 else -1)
            while 0 <= ahead <= 6:
                there = grid.get((file, ahead))
                if there is None or owner(there) != side:
                    yield (file, row), (file, ahead)
                if there is not None:
                    break
                ahead += 1 if side == 0 else -1
            continue
        for across, along in DIRECTIONS[letter.upper()]:
            target = (file + across, row + along)
            if not (0 <= target[0] <= 4 and 0 <= target[1] <= 6):
                continue
            there = grid.get(target)
            if there is None or (owner(there) != side and letter.upper() != "L"):
                yield (file, row), target


def after(grid: Grid, origin: tuple[int, int], target: tuple[int, int]) -> Grid:
    left = dict(grid)
    mover, taken = left.pop(origin), left.pop(target, "")
    if taken.upper() != "L":
        left[target] = mover
    return left


def over(before: Grid, grid: Grid, side: int) -> bool:
    """Return whether the turn of ``side`` from ``before`` to ``grid`` has ended the match."""
    letters = list(grid.values())
    if "C" not in letters or "c" not in letters:
        return True
    for lady in "Ll":
        if lady in before.values() and lady not in letters:
            return True
    if any((sign == "C" and row == 6) or (sign == "c" and row == 0) for (_, row), sign in grid.items()):
        return True
    return next(moves(grid, 1 - side), None) is None


def count(grid: Grid, side: int, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in moves(grid, side))
    total = 0
    for origin, target in moves(grid, side):
        left = after(grid, origin, target)
        if not over(grid, left, side):
            total += count(left, 1 - side, depth - 1)
    return total


POSITIONS = [
    # The start with one arrangement on both sides, and with Ladies in front.
    ("nalan/csnla/5/5/5/CSNLA/NALAN 0", [11, 112, 1462]),
    ("aaann/nllcs/5/5/5/CSNLA/NALAN 1", [14, 154, 2549]),
    # In the middle of a match: captures, Ladies in reach, both Soldiers on their way.
    ("n1l1n/c1a2/1sn1a/2L1A/N1AS1/1C1L1/N2A1 0", [28, 555, 13877]),
    ("n1l1n/c1a2/1sn1a/2L1A/N1AS1/1C1L1/N2A1 1", [20, 517, 9739]),
    # Near the end: both Candidates one step from a palace, second Ladies in reach.
    ("1nl2/2C2/5/2S2/5/1c1L1/2N1A 0", [18, 198, 2674]),
    # A wedged side: one way out, and one way to shut it.
    ("5/5/1N3/2As1/1Nlna/1Nlnc/1ACaa 0", [16, 42, 602, 4339]),
]


@pytest.mark.parametrize(("position", "leaves"), POSITIONS)
def test_the_engine_counts_as_the_table(position: str, leaves: list[int]) -> None:
    state, rng = GAME.position(position), Rng.of_match(bytes(32))
    assert [perft(GAME, state, depth, rng) for depth in range(1, len(leaves) + 1)] == leaves


@pytest.mark.parametrize(("position", "leaves"), POSITIONS)
def test_the_plain_generator_counts_as_the_table(position: str, leaves: list[int]) -> None:
    grid, side = parse(position)
    assert [count(grid, side, depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_both_agree_all_along_a_random_match() -> None:
    state, rng = GAME.position(POSITIONS[0][0]), Rng.of_match(bytes(32))
    for number in range(200):
        view = GAME.view(state, state.public.turn)
        found = [GAME.write(words) for words in GAME.legal(view) or ()]
        grid, side = parse(GAME.position_text(state))
        named = ["".join("abcde"[file] + str(row + 1) for file, row in move) for move in moves(grid, side)]
        if state.public.result is not None:
            assert found == []
            break
        assert sorted(found) == sorted(named)
        move = rng.stream("walk", number).choice(sorted(found))
        state = GAME.act(state, side, GAME.read(move), rng).state
        origin, target = (("abcde".index(s[0]), int(s[1]) - 1) for s in (move[:2], move[2:]))
        left = after(grid, origin, target)
        assert parse(GAME.position_text(state)) == (left, 1 - side)
        assert (state.public.result is not None) is over(grid, left, side)
    assert state.public.result is not None
