"""What everybody at the table saw: plies, how a match ended, and the stages of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engines.core.contract import Seat
from engines.volto.board import Kind, Square

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
    capturer where it left the mat too, since it took a Lady.
    """

    seat: Seat
    mask: str
    origin: Square
    target: Square
    taken: str | None = None
    kind: Kind | None = None
    lost: Kind | None = None


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
