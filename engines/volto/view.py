"""What one viewer knows of a match of VOLTO: plain data, for renderers and the console."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engines.core.contract import Seat, Viewer
from engines.volto.board import SQUARES as SQUARES
from engines.volto.board import Kind, Owners, Square, fits_at
from engines.volto.board import homes as homes
from engines.volto.rulesets import Ruleset

QUIET_LIMIT = 100
"""Plies in a row without a capture that make a draw (a ruling of the rules page)."""

STANDINGS_LIMIT = 3
"""Standings of one position that make a draw (a ruling of the rules page)."""


class Phase(StrEnum):
    """How far a match is."""

    SETUP = "setup"
    PLAY = "play"
    OVER = "over"


class Reason(StrEnum):
    """Why a match is over."""

    CANDIDATE = "candidate"
    LADIES = "ladies"
    PALACE = "palace"
    IMMOBILE = "immobile"
    WITHDRAWN = "withdrawn"
    REPETITION = "repetition"
    QUIET = "quiet"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: the winner, or ``None`` for a draw, and every reason that held."""

    winner: Seat | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Ply:
    """One move as all saw it.

    ``taken`` is the id of the captured mask and ``kind`` its symbol; ``lost`` is the symbol of the
    capturer where it left the mat too, since it took a Lady, and everybody has seen it: by the first
    ruleset at once, else when the match is over.
    """

    seat: Seat
    mask: str
    origin: Square
    target: Square
    taken: str | None = None
    kind: Kind | None = None
    lost: Kind | None = None

    @property
    def left(self) -> bool:
        """Return whether the capturer left the mat with the Lady that it took."""
        return self.kind is Kind.LADY


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """One mask as everybody knows it.

    ``id`` is the seat and the square of its set-up: it stays the same for the whole match and tells
    nothing of the symbol. ``track``: where it was set up, then where each move led. ``fits``: the symbols
    that its own track allows. A mask that is ``gone`` and of which nothing was ``shown`` has left unseen.
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


def new_mask(seat: Seat, square: Square) -> Mask:
    """Return a mask of which nobody but its owner knows more than where it stands."""
    return Mask(f"{seat}{square}", seat, (square,), fits_at(seat, square))


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MaskView(Mask):
    """A mask as one viewer knows it.

    ``kind`` is ``None`` where the viewer does not know it, also of a mask that left unseen; ``revealed``:
    everybody knows it. ``may_be``: what is left of ``fits`` by exact matching with all other masks of its
    side; the one symbol where the viewer knows it.
    """

    kind: Kind | None
    revealed: bool
    may_be: tuple[Kind, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows.

    ``step`` counts the acts that all may know of. ``masks`` are those of the seats that have ``arranged``
    theirs, in order of seat, the ones that left the mat too. ``to_move`` is the side to move: after the
    last move the other side's, in the set-up nobody's. ``plies`` are all moves so far, with what each
    captured. ``quiet``: plies since the last capture; at ``QUIET_LIMIT`` it is a draw.
    """

    ruleset: Ruleset
    step: int
    phase: Phase
    masks: tuple[Mask, ...]
    arranged: tuple[Seat, ...] = ()
    first: Seat | None = None
    to_move: Seat | None = None
    plies: tuple[Ply, ...] = ()
    quiet: int = 0
    result: Result | None = None

    @property
    def turn(self) -> Seat | None:
        """Return who must move, ``None`` unless the match is in play."""
        return self.to_move if self.phase is Phase.PLAY else None

    def owners(self) -> Owners:
        """Return whose mask stands where."""
        return {mask.track[-1]: mask.seat for mask in self.masks if not mask.gone}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class View(Public):
    """All that one viewer knows: the public record, its masks as the viewer knows them, and what is added.

    A preview has the masks that are drafted; only ``arranged`` tells whose are set up. ``kinds``: for each
    seat the symbols that it began with, public, in the order of ``MUSTER``. ``arrangement``: the ten
    letters of the viewer's own arrangement, in the set-up and after it; ``None`` where there is none.
    ``position``: the position text as this viewer can write it.
    """

    masks: tuple[MaskView, ...]
    viewer: Viewer
    kinds: tuple[tuple[Kind, ...], tuple[Kind, ...]]
    arrangement: str | None
    position: str

    @property
    def last(self) -> Ply | None:
        """Return the last move."""
        return self.plies[-1] if self.plies else None

    @property
    def gone(self) -> tuple[MaskView, ...]:
        """Return the masks that have left the mat, in the order in which they did."""
        by_id = {mask.id: mask for mask in self.masks}
        order: list[MaskView] = []
        for ply in self.plies:
            if ply.taken is not None:
                order.append(by_id[ply.taken])
            if ply.left:
                order.append(by_id[ply.mask])
        return tuple(order)

    @property
    def unseen(self) -> tuple[MaskView, ...]:
        """Return the masks that have left unseen, in that order; none once the match is over."""
        return tuple(mask for mask in self.gone if not mask.revealed)

    def lost_by(self, ply: Ply) -> Kind | None:
        """Return the symbol of a capturer that left with a Lady; ``None``: the viewer does not know it."""
        return next(mask.kind for mask in self.masks if mask.id == ply.mask) if ply.left else None

    def standing(self) -> dict[Square, MaskView]:
        """Return the masks on the mat by their squares."""
        return {mask.square: mask for mask in self.masks if mask.square is not None}


def describe(view: View) -> dict[str, Any]:
    """Return the view as plain JSON data; the same for equal views."""
    return {
        **public_data(view),
        "viewer": view.viewer,
        "arranged": list(view.arranged),
        "turn": view.turn,
        "position": view.position,
        "masks": [
            {
                "id": mask.id,
                "seat": mask.seat,
                "square": mask.square,
                "kind": None if mask.kind is None else mask.kind.value,
                "revealed": mask.revealed,
                "track": list(mask.track),
                "may_be": "".join(mask.may_be),
            }
            for mask in view.masks
        ],
        "kinds": ["".join(kinds) for kinds in view.kinds],
        "gone": [mask.id for mask in view.gone],
        "quiet_limit": QUIET_LIMIT,
        "arrangement": view.arrangement,
    }


def public_data(public: Public) -> dict[str, Any]:
    """Return what records of states and descriptions of views say alike of the public record."""
    return {
        **public.ruleset.data,
        "step": public.step,
        "phase": public.phase.value,
        "first": public.first,
        "quiet": public.quiet,
        "plies": [ply_data(ply) for ply in public.plies],
        "result": result_data(public.result),
    }


def ply_data(ply: Ply) -> dict[str, Any]:
    """Return a ply as plain JSON data."""
    return {
        "seat": ply.seat,
        "mask": ply.mask,
        "from": ply.origin,
        "to": ply.target,
        "taken": ply.taken,
        "kind": None if ply.kind is None else ply.kind.value,
        "lost": None if ply.lost is None else ply.lost.value,
    }


def result_data(result: Result | None) -> dict[str, Any] | None:
    """Return how a match ended as plain JSON data."""
    if result is None:
        return None
    return {"winner": result.winner, "reasons": [reason.value for reason in result.reasons]}
