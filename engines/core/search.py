"""Monte-Carlo tree search for any game, for computer players that look ahead.

A search knows a game as a :class:`Model`, which the game builds from a view. If a seat does not know
everything, every playout imagines a world of its own that fits the view, and all share one tree of moves
(information-set Monte-Carlo tree search). No state of a match gets here. All randomness comes from
``imagine``: the same worlds give the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Generic, Protocol, TypeVar

from engines.core.contract import Seat

W = TypeVar("W")
M = TypeVar("M", bound=Hashable)

EXPLORATION_WEIGHT = 1.4
"""How much a move's likelihood weighs against the results of playouts so far."""

UNTRIED_PENALTY = 0.1
"""By how much an untried move is estimated to be worse than tried ones."""

PRIOR_WORTH = 0.5
"""The estimated worth of a move before any has been tried."""


class Model(Protocol[W, M]):
    """A game as a search sees it. Worlds are never changed in place."""

    def mover(self, world: W) -> Seat:
        """Return whose move it is."""
        ...

    def moves(self, world: W) -> Sequence[tuple[M, float]]:
        """Return the moves, each with its likelihood to be best, which sum to 1; none once over."""
        ...

    def after(self, world: W, move: M) -> W:
        """Return the world after a move of :meth:`moves`."""
        ...

    def worth(self, world: W) -> Sequence[float]:
        """Return how well each seat stands: 1 has won, 0 has lost."""
        ...


@dataclass(slots=True)
class Node(Generic[M]):
    """The results of playouts after a move.

    ``total``: the worth to its mover, summed over all ``visits``. ``offered``: how often it was available.
    ``continued`` and ``gained``: the visits and the total of all moves that were tried after it.
    """

    visits: int = 0
    total: float = 0.0
    offered: int = 0
    continued: int = 0
    gained: float = 0.0
    children: dict[M, Node[M]] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Return the mean worth of a move that was tried."""
        return self.total / self.visits


class Search(Generic[W, M]):
    """A search from one decision. ``imagine`` returns the world of a playout by its number.

    ``looked_at`` counts the moves that were compared so far.
    """

    def __init__(self, model: Model[W, M], imagine: Callable[[int], W]) -> None:
        self._model = model
        self._imagine = imagine
        self._root: Node[M] = Node()
        self.looked_at = 0

    def run(self, playouts: int, looks: float = inf) -> None:
        """Add ``playouts`` playouts, or fewer if ``looks`` moves have been compared before."""
        for _ in range(playouts):
            if self.looked_at >= looks:
                break
            self._play(self._imagine(self._root.visits))

    def ranking(self) -> list[tuple[M, Node[M]]]:
        """Return the tried moves by visits, then mean worth, highest first; equals as they were offered."""
        tried = ((move, node) for move, node in self._root.children.items() if node.visits)
        return sorted(tried, key=lambda each: (each[1].visits, each[1].mean), reverse=True)

    def best(self, share: float) -> list[M]:
        """Return the moves that were tried at least ``share`` as often as the most tried one."""
        ranking = self.ranking()
        return [move for move, node in ranking if node.visits >= share * ranking[0][1].visits]

    def _play(self, world: W) -> None:
        """Descend to an untried move, and add its worth to all moves on the path."""
        model, node = self._model, self._root
        path: list[tuple[Node[M], Seat]] = []
        while (node.visits or node is self._root) and (moves := model.moves(world)):
            mover = model.mover(world)
            self.looked_at += len(moves)
            move, node = _chosen(node, moves)
            world = model.after(world, move)
            path.append((node, mover))
        worth = model.worth(world)
        before = self._root
        before.visits += 1
        for after, mover in path:
            after.visits += 1
            after.total += worth[mover]
            before.continued += 1
            before.gained += worth[mover]
            before = after


def _chosen(node: Node[M], moves: Iterable[tuple[M, float]]) -> tuple[M, Node[M]]:
    """Return the move with the greatest sum of worth and curiosity, and its node."""
    children, most = node.children, float("-inf")
    untried = max(0.0, node.gained / node.continued - UNTRIED_PENALTY) if node.continued else PRIOR_WORTH
    best: tuple[M, Node[M]] | None = None
    for move, likely in moves:
        child = children.get(move)
        if child is None:
            child = children[move] = Node()
        child.offered += 1
        hope = child.total / child.visits if child.visits else untried
        score = hope + EXPLORATION_WEIGHT * likely * sqrt(child.offered) / (1 + child.visits)
        if score > most:
            best, most = (move, child), score
    assert best is not None  # a world that is not over has moves
    return best
