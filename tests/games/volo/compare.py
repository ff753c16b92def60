"""The fast generator beside the slow one: any difference is a mistake in one of them."""

from __future__ import annotations

from functools import cache

from engines.volo import movegen
from engines.volo.notation import position_text, read_position, words_of
from tests.games.volo import positions, reference


def fast(text: str) -> dict[str, str]:
    """Every turn that the engine's generator finds, with the position text after it."""
    board, birds, mover, passed = read_position(text)
    position = movegen.Position.of(board, birds[mover], birds[1 - mover], passed=passed)
    found: dict[str, str] = {}
    for turn in position.turns():
        first, *rest = words_of(board, turn)
        line = "".join((first, *(mark + word for mark, word in zip("-/", rest, strict=False))))
        assert line not in found, f"{line} twice in {text}"
        after = position.after(turn)
        own, other = after.own.birds, after.other.birds
        sides = (own, other) if mover == 1 else (other, own)
        found[line] = position_text(board, sides, 1 - mover, passed=after.passed)
    return found


@cache
def slow(text: str) -> dict[str, str]:
    """The same by the reference."""
    return {line: after.text() for line, after in reference.turns(reference.Position.parse(text)).items()}


def difference(text: str) -> dict[str, tuple[str | None, str | None]]:
    """Turns that only one of the two finds, or that lead to different positions."""
    one, two = fast(text), slow(text)
    lines = sorted({*one, *two})
    return {line: (one.get(line), two.get(line)) for line in lines if one.get(line) != two.get(line)}


def carried_along(seed: str, key: str) -> bool:
    """Whether a position that was played to is, all match long, what it is when it is set up."""
    position: movegen.Position | None = None
    for before, line in positions.played(seed, key):
        board, birds, mover, passed = read_position(before.text())
        fresh = movegen.Position.of(board, birds[mover], birds[1 - mover], passed=passed)
        position = position or fresh
        if sorted(position.turns()) != sorted(fresh.turns()) or _facts(position) != _facts(fresh):
            return False
        words = tuple(line.replace("/", "-").split("-"))
        position = position.after(next(t for t in position.turns() if words_of(board, t) == words))
    return True


def _facts(position: movegen.Position) -> list[tuple[int, ...]]:
    sides = (position.own, position.other)
    return [
        (side.birds, side.singles, side.once & position.vacant, side.twice & position.vacant, side.anchored)
        for side in sides
    ] + [side.all_flocks() for side in sides]
