"""The state of a match: its view, its position text, and its data for digests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engines.core.contract import Seat, Viewer
from engines.volo.board import BOARDS, Board
from engines.volo.movegen import SUPPLY, Position
from engines.volo.notation import position_text
from engines.volo.view import Ending, LastTurn, Region, VoloView


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match of Volo as it stands. ``birds`` are sets of points by seat; ``ply``: turns taken.

    ``history``: a number for every position so far, the present one last; it includes the side to move.
    ``position`` is the same position in the form that the turn generator needs.
    """

    board: Board
    birds: tuple[int, int]
    mover: Seat
    passed: bool
    ply: int
    history: tuple[int, ...]
    last: LastTurn | None = None
    ending: Ending | None = None
    position: Position = field(kw_only=True, compare=False)

    def __repr__(self) -> str:
        return "<State of Volo>"


_WIDEST = max(board.full.bit_length() for board in BOARDS.values())


def number(birds: tuple[int, int], mover: Seat) -> int:
    """Return a number that no other position has: birds of both seats, and whose turn it is."""
    # The pass before is left out: repetition asks for birds and side to move only (rules page, Rulings).
    orange, blue = birds
    return (orange << _WIDEST | blue) << 1 | mover


def state_of(board: Board, birds: tuple[int, int], mover: Seat, *, passed: bool = False) -> State:
    """Return the state that begins with a position."""
    position = Position.of(board, birds[mover], birds[1 - mover], passed=passed)
    return State(board, birds, mover, passed, 0, (number(birds, mover),), position=position)


def text_of(state: State) -> str:
    """Return the position of ``state`` on one line."""
    return position_text(state.board, state.birds, state.mover, passed=state.passed)


def view_of(state: State, viewer: Viewer) -> VoloView:
    """Return what ``viewer`` knows, which is everything."""
    board = state.board
    sides = (state.position.own, state.position.other)
    first, second = sides if state.mover == 0 else sides[::-1]
    orange, blue = state.birds
    return VoloView(
        viewer=viewer,
        board=board.key,
        birds=(board.listed(orange), board.listed(blue)),
        flocks=(
            tuple(board.listed(flock) for flock in first.all_flocks()),
            tuple(board.listed(flock) for flock in second.all_flocks()),
        ),
        supply=(SUPPLY - orange.bit_count(), SUPPLY - blue.bit_count()),
        mover=state.mover,
        passed=state.passed,
        ply=state.ply,
        position=text_of(state),
        last=state.last,
        ending=state.ending,
        history=state.history,
    )


def state_from(view: VoloView) -> State:
    """Return the state that ``view`` shows."""
    board = BOARDS[view.board]
    orange, blue = (sum(board.points[name] for name in names) for names in view.birds)
    own, other = (orange, blue) if view.mover == 0 else (blue, orange)
    return State(
        board,
        (orange, blue),
        view.mover,
        view.passed,
        view.ply,
        view.history,
        view.last,
        view.ending,
        position=Position.of(board, own, other, passed=view.passed),
    )


def _plain(part: LastTurn | Region | Ending | None) -> dict[str, Any] | None:
    return None if part is None else asdict(part)


def describe(view: VoloView) -> Mapping[str, Any]:
    """Return the view as plain data; ``occurrences``: how often this position has stood, now included."""
    return {
        "viewer": view.viewer,
        "board": view.board,
        "position": view.position,
        "birds": view.birds,
        "flocks": view.flocks,
        "supply": view.supply,
        "mover": view.mover,
        "passed": view.passed,
        "ply": view.ply,
        "occurrences": view.history.count(view.history[-1]),
        "last": _plain(view.last),
        "ending": _plain(view.ending),
        "regions": [_plain(region) for region in view.regions],
    }


def record(state: State) -> Mapping[str, Any]:
    """Return the whole state as plain data, for digests."""
    return {
        "board": state.board.key,
        "position": text_of(state),
        "ply": state.ply,
        "history": [f"{entry:x}" for entry in state.history],
        "last": _plain(state.last),
        "ending": _plain(state.ending),
    }
