"""What ``act`` takes is what the generator lists: two ways to the same answer, both against the reference."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core.contract import IllegalAction
from engines.volo import GAME
from engines.volo.board import BOARDS, DIRECTIONS
from engines.volo.state import State
from tests.games.volo import positions
from tests.games.volo.compare import slow
from tests.games.volo.support import RNG, at, said
from tests.kit.samples import some


def universe(key: str, birds: str) -> Iterator[str]:
    """Every line that could be a turn: all adds, and all units of these points with all flights."""
    board = BOARDS[key]
    own = sum(board.points[name] for name in birds.split(" ") if name)
    yield "pass"
    yield from board.points
    for unit, name in board.units.items():
        if unit & own:
            for direction in DIRECTIONS:
                for steps in range(1, 2 * board.edge if unit == unit & -unit else 4):
                    yield f"{name}-{direction}{steps}"


@pytest.mark.parametrize("seed", some(range(6), 5))
def test_every_line_is_taken_or_refused_as_the_reference_says(seed: int) -> None:
    moments = [p for p, _ in positions.played(f"judge {seed}", ("standard", "small")[seed % 2])]
    position = moments[len(moments) * (seed + 1) // 8]
    state = GAME.position(position.text())
    expected = slow(position.text())
    birds = " ".join(GAME.view(state, None).birds[state.mover])
    taken = {line.partition("/")[0] for line in expected}
    for line in universe(state.board.key, birds):
        after, error = answer(state, line)
        if after is not None:
            assert GAME.position_text(after) == expected[line], line
        else:
            assert line not in expected, line
            assert line not in taken or error == "error.region_needed", line


def answer(state: State, line: str) -> tuple[State | None, str]:
    """The state after a turn, or the key of the refusal."""
    try:
        return GAME.act(state, state.mover, GAME.read(line), RNG).state, ""
    except IllegalAction as error:
        said(error.msg)
        return None, error.msg.key


@pytest.mark.parametrize("seed", range(4))
def test_regions_are_taken_or_refused_as_the_reference_says(seed: int) -> None:
    looked = 0
    for position in positions.walled(f"judge {seed}", 12):
        state = GAME.position(position.text())
        expected = slow(position.text())
        for line in sorted({line.partition("/")[0] for line in expected if "/" in line})[:3]:
            for point in state.board.points:
                if state.ending is None:
                    looked += 1
                    after, _ = answer(state, f"{line}/{point}")
                    found = None if after is None else GAME.position_text(after)
                    assert found == expected.get(f"{line}/{point}"), (line, point)
    assert looked


def test_a_foreign_seat_is_refused() -> None:
    state = at("d2 d6", "h2 k9")
    with pytest.raises(IllegalAction) as caught:
        GAME.act(state, 1, ("b5",), RNG)
    assert said(caught.value.msg) == "It’s your opponent’s turn."
