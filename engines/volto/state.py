"""The truth of a match. It never leaves the engine except to be handed back to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines.core.contract import Seat
from engines.volto.board import SEATS, Kind, Owners, Square
from engines.volto.notation import board_text, letter
from engines.volto.record import Phase, Ply, Result, ply_data, result_data


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """The public part of one mask: which it is, where it was set up and went, what was shown of it.

    ``id`` is the seat and the square of its set-up, so it tells nothing of the symbol. ``track``
    begins with that square. ``fits``: the symbols that its own track allows.
    """

    id: str
    seat: Seat
    track: tuple[Square, ...]
    fits: tuple[Kind, ...]
    gone: bool = False
    shown: Kind | None = None

    @property
    def square(self) -> Square | None:
        """Return where the mask stands, ``None`` once it has left the mat."""
        return None if self.gone else self.track[-1]


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows.

    ``step`` counts the acts that all may know of. ``masks`` are those of the seats that have
    arranged theirs, in order of seat. ``turn`` is the side to move: after the last move the other
    side's, in the set-up nobody's. ``quiet``: plies since the last capture.
    """

    step: int
    phase: Phase
    masks: tuple[Mask, ...]
    first: Seat | None = None
    turn: Seat | None = None
    plies: tuple[Ply, ...] = ()
    quiet: int = 0
    result: Result | None = None

    def arranged(self) -> tuple[Seat, ...]:
        """Return the seats whose masks are set up."""
        return tuple(seat for seat in SEATS if any(mask.seat == seat for mask in self.masks))

    def owners(self) -> Owners:
        """Return whose mask stands where."""
        return {mask.track[-1]: mask.seat for mask in self.masks if not mask.gone}


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, each seat's symbols in the order of its masks, and what nobody sees.

    ``standings`` are the true positions since the last capture, the present one last.
    """

    public: Public
    own: tuple[tuple[Kind, ...], tuple[Kind, ...]]
    standings: tuple[str, ...] = ()

    def kinds(self) -> Iterator[tuple[Mask, Kind]]:
        """Yield every mask with its true symbol."""
        yield from zip(self.public.masks, self.own[0] + self.own[1], strict=True)

    def mat(self) -> dict[Square, tuple[Seat, Kind]]:
        """Return who and what stands where."""
        return {mask.track[-1]: (mask.seat, kind) for mask, kind in self.kinds() if not mask.gone}


def position_text(state: State) -> str:
    """Return the true position of ``state`` on one line."""
    return board_text(
        {square: letter(seat, kind) for square, (seat, kind) in state.mat().items()}, state.public.turn
    )


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data."""
    public = state.public
    return {
        "step": public.step,
        "phase": public.phase.value,
        "first": public.first,
        "turn": public.turn,
        "quiet": public.quiet,
        "masks": [
            {
                "id": mask.id,
                "seat": mask.seat,
                "kind": kind.value,
                "square": mask.square,
                "shown": mask.shown is not None,
                "track": list(mask.track),
            }
            for mask, kind in state.kinds()
        ],
        "plies": [ply_data(ply) for ply in public.plies],
        "standings": list(state.standings),
        "result": result_data(public.result),
    }
