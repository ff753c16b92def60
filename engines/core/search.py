"""Monte-Carlo tree search for any game: what a computer player that looks ahead is made of.

A search knows a game as a :class:`Model`, which the game makes of a view. Where a seat does not know
everything, every playout imagines a world of its own that looks like the view, and all share one tree of what
can be done (information-set Monte-Carlo tree search). No state of a match comes here. A search draws nothing
but by ``imagine``: the same worlds give the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Generic, Protocol, TypeVar

from engines.core.contract import Seat

W = TypeVar("W")
M = TypeVar("M", bound=Hashable)

CURIOSITY = 1.4
"""How much a move's likelihood weighs against what playouts have come to so far."""

DOUBT = 0.1
"""By how much a move that was never tried is thought worse than those that were."""

EVEN = 0.5
"""What a move is thought worth before any other has been tried."""


class Model(Protocol[W, M]):
    """A game as a search sees it. Worlds are never changed in place."""

    def mover(self, world: W) -> Seat:
        """Return whose move it is."""
        ...

    def moves(self, world: W) -> Sequence[tuple[M, float]]:
        """Return what may be done, each with how likely it is to be best, summing up to 1; none once over."""
        ...

    def after(self, world: W, move: M) -> W:
        """Return the world after a move of :meth:`moves`."""
        ...

    def worth(self, world: W) -> Sequence[float]:
        """Return for every seat how well it stands: 1 has won, 0 has lost."""
        ...


@dataclass(slots=True)
class Node(Generic[M]):
    """What playouts have come to after a move.

    ``total``: the worth to whoever made the move, over all ``visits``. ``offered``: how often it was open.
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
    """A search from one decision. ``imagine`` gives the world of the playout with a number.

    ``looked_at`` counts the moves that were compared on the way.
    """

    def __init__(self, model: Model[W, M], imagine: Callable[[int], W]) -> None:
        self._model = model
        self._imagine = imagine
        self._root: Node[M] = Node()
        self.looked_at = 0

    def run(self, playouts: int, looks: float = inf) -> None:
        """Add playouts: so many, or fewer, where by then as many moves as ``looks`` were compared."""
        for _ in range(playouts):
            if self.looked_at >= looks:
                break
            self._play(self._imagine(self._root.visits))

    def ranking(self) -> list[tuple[M, Node[M]]]:
        """Return the moves that were tried, the one tried most often first; equals as they were offered."""
        tried = ((move, node) for move, node in self._root.children.items() if node.visits)
        return sorted(tried, key=lambda each: (each[1].visits, each[1].mean), reverse=True)

    def best(self, share: float) -> list[M]:
        """Return the moves that were tried at least ``share`` as often as the one tried most often."""
        ranking = self.ranking()
        return [move for move, node in ranking if node.visits >= share * ranking[0][1].visits]

    def _play(self, world: W) -> None:
        """Go down to a move that was never tried, and tell all moves on the way what it comes to."""
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
    """Return the move in which worth and curiosity are greatest, and its node."""
    children, most = node.children, float("-inf")
    untried = max(0.0, node.gained / node.continued - DOUBT) if node.continued else EVEN
    best: tuple[M, Node[M]] | None = None
    for move, likely in moves:
        child = children.get(move)
        if child is None:
            child = children[move] = Node()
        child.offered += 1
        hope = child.total / child.visits if child.visits else untried
        score = hope + CURIOSITY * likely * sqrt(child.offered) / (1 + child.visits)
        if score > most:
            best, most = (move, child), score
    assert best is not None  # a world that is not over has moves
    return best
