"""The general search, on games small enough to know the answer."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from engines.core.search import Search


@dataclass(frozen=True)
class Heap:
    """Nim with one heap: one to three are taken, and whoever takes the last one wins."""

    left: int
    mover: int = 0


class Nim:
    """It knows nothing of good moves."""

    def mover(self, world: Heap) -> int:
        return world.mover

    def moves(self, world: Heap) -> list[tuple[int, float]]:
        most = min(3, world.left)
        return [(number, 1 / most) for number in range(1, most + 1)]

    def after(self, world: Heap, move: int) -> Heap:
        return Heap(world.left - move, 1 - world.mover)

    def worth(self, world: Heap) -> tuple[float, float]:
        if world.left:
            return 0.5, 0.5
        return (0.0, 1.0) if world.mover == 0 else (1.0, 0.0)


@pytest.mark.parametrize("left", [5, 6, 7, 9, 10, 11])
def test_it_finds_the_move_that_wins(left: int) -> None:
    search = Search(Nim(), lambda _: Heap(left))
    search.run(2_000)
    assert search.ranking()[0][0] == left % 4


@dataclass(frozen=True)
class Coin:
    """A hidden coin, on which its guesser may bet, or take a smaller prize for certain."""

    heads: bool
    said: str = ""


class Guess:
    prize = 0.7

    def mover(self, world: Coin) -> int:
        return 0

    def moves(self, world: Coin) -> list[tuple[str, float]]:
        return [] if world.said else [(word, 1 / 3) for word in ("heads", "tails", "neither")]

    def after(self, world: Coin, move: str) -> Coin:
        return Coin(world.heads, move)

    def worth(self, world: Coin) -> tuple[float]:
        if world.said == "neither":
            return (self.prize,)
        return (float((world.said == "heads") is world.heads),)


def test_what_is_hidden_is_not_used() -> None:
    """Every playout has a coin of its own: nobody who does not see it does better than half the time."""
    chance = Random(7)
    search = Search(Guess(), lambda _: Coin(chance.random() < 0.5))
    search.run(2_000)
    assert search.ranking()[0][0] == "neither"
    means = {move: node.mean for move, node in search.ranking()}
    assert means["heads"] == pytest.approx(0.5, abs=0.15)
    assert means["neither"] == pytest.approx(Guess.prize)


def test_the_same_worlds_give_the_same_tree() -> None:
    found = []
    for _ in range(2):
        search = Search(Guess(), lambda number: Coin(number % 3 == 0))
        search.run(500)
        found.append([(move, node.visits, node.total) for move, node in search.ranking()])
    assert found[0] == found[1]


class Likely(Guess):
    def moves(self, world: Coin) -> list[tuple[str, float]]:
        likely = {"heads": 0.01, "tails": 0.01, "neither": 0.98}
        return [] if world.said else list(likely.items())


def test_what_seems_likely_is_tried_first_and_nothing_is_left_out_for_good() -> None:
    search = Search(Likely(), lambda number: Coin(heads=True))
    search.run(1)
    assert [move for move, _ in search.ranking()] == ["neither"]
    search.run(3_000)
    assert search.ranking()[0][0] == "heads"


def test_moves_that_were_tried_about_as_often_are_as_good() -> None:
    search = Search(Guess(), lambda number: Coin(number % 2 == 0))
    search.run(1_000)
    assert search.best(1.0) == ["neither"]
    assert set(search.best(0.0)) == {"heads", "tails", "neither"}
