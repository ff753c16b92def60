"""What a viewer sees of a match of Volo: all of it, for nothing is secret.

Renderers import this module alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from engines.core.contract import Seat, Viewer, Words
from engines.volo.board import BOARDS, Board, bits, places
from engines.volo.board import DIRECTIONS as DIRECTIONS


@dataclass(frozen=True, slots=True)
class Geometry:
    """One size of board, by the names of its points.

    ``axial``: (q, r) of every point; the centre is (0, 0), E is (1, 0), SE is (0, 1): r grows downwards.
    ``absent``: (q, r) of the six corners and the centre, by the names that they would have.
    ``points``: row m (or k) first, each row from the left, as position texts have them.
    ``neighbours``: of every point, in the order of :data:`DIRECTIONS`, absent ones left out.
    """

    key: str
    edge: int
    points: tuple[str, ...]
    axial: dict[str, tuple[int, int]]
    absent: dict[str, tuple[int, int]]
    neighbours: dict[str, tuple[str, ...]]

    def unit(self, word: str) -> tuple[str, ...]:
        """Return the points of a unit, ``e2`` or ``d1:d4``, lowest first; raises ``KeyError``."""
        board = BOARDS[self.key]
        return board.listed(board.unit_points[word])

    def flight(self, unit: str, word: str) -> tuple[tuple[str, ...], ...]:
        """Return the placings of a flight, the landing last, each in the order of :meth:`unit`.

        ``word``: direction and steps, ``NE2``. Raises ``KeyError`` where a placing leaves the board.
        """
        board = BOARDS[self.key]
        direction = word.rstrip("0123456789")
        birds = tuple(bits(board.unit_points[unit]))
        steps = range(1, int(word[len(direction) :]) + 1)
        return tuple(tuple(board.names[board.shifted(b, direction, n)] for b in birds) for n in steps)


@cache
def geometry(key: str) -> Geometry:
    """Return the geometry of the board ``key`` (``standard``, ``small``); raises ``KeyError``."""
    board = BOARDS[key]
    return Geometry(
        key,
        board.edge,
        tuple(board.names[bit] for bit in board.order),
        {name: at for name, at, present in places(board.edge) if present},
        {name: at for name, at, present in places(board.edge) if not present},
        {name: _neighbours(board, bit) for name, bit in board.points.items()},
    )


def _neighbours(board: Board, bit: int) -> tuple[str, ...]:
    near = (board.shifted(bit, direction, 1) for direction in DIRECTIONS)
    return tuple(board.names[point] for point in near if point & board.full)


@dataclass(frozen=True, slots=True)
class LastTurn:
    """A turn as it was carried out, or, in a preview, as it would be.

    ``kind`` is ``add``, ``fly`` or ``pass``. ``origins`` and ``landings`` match bird by bird, lowest first
    (an add has one landing and no origin). ``path``: the points between, each once, in the order flown.
    ``gone``: points of the opponent's birds that flew away; ``kept``: all points of the region that was kept.
    """

    seat: Seat
    words: Words
    kind: str
    origins: tuple[str, ...] = ()
    landings: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    direction: str = ""
    steps: int = 0
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the opponent's birds that a flight has cut off: ``word`` names it, its lowest point."""

    word: str
    points: tuple[str, ...]
    birds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended; without a winner it is a draw.

    ``reason``: ``united``, ``left_united`` (the opponent of who moved last is one flock), ``passes``,
    ``repetition``, ``withdrawn`` or ``agreed``.
    """

    reason: str
    winner: Seat | None


@dataclass(frozen=True, slots=True, repr=False)
class VoloView:
    """All that anybody knows of a match, with who looks.

    Pairs are by seat. ``birds`` and each of ``flocks`` (lowest first) name points, lowest first.
    ``passed``: the last turn was a pass. ``ply``: turns taken. ``position``: the position text.
    ``last``: the last turn; in a preview the drafted one, once its landing is known.
    ``regions``: filled in a preview alone, where the drafted flight must name one of them to keep.
    ``history``: the positions so far as numbers, for the rule of repetition.
    """

    viewer: Viewer
    board: str
    birds: tuple[tuple[str, ...], tuple[str, ...]]
    flocks: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]
    supply: tuple[int, int]
    mover: Seat
    passed: bool
    ply: int
    position: str
    last: LastTurn | None
    ending: Ending | None
    regions: tuple[Region, ...] = ()
    history: tuple[int, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return "<VoloView>"
