"""Motions: proposals of a player that take effect once all others agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.core.contract import Seat, Words


class MotionKind(Enum):
    """Kinds of motions."""

    PAUSE = "pause"
    """Stop all clocks until any player ends the pause."""
    UNDO = "undo"
    """Take back the proposer's last sentence."""
    ABANDON = "abandon"
    """Close the match: nobody wins, and nothing is revealed."""
    REPLACE = "replace"
    """Offer a timed-out seat to another person."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A pending proposal."""

    kind: MotionKind
    by: Seat
    agreed: tuple[Seat, ...] = ()
    """Seats that have agreed so far, in order, without the proposer."""
    about: Seat | None = None
    """The seat to offer."""

    @property
    def words(self) -> Words:
        """Return the motion encoded as the words of a log row."""
        return (self.kind.value,) if self.about is None else (self.kind.value, str(self.about))

    @classmethod
    def read(cls, by: Seat, words: Words) -> Motion:
        """Decode the motion of a log row; raises ``ValueError``."""
        kind, *about = words
        return cls(MotionKind(kind), by, about=int(about[0]) if about else None)
