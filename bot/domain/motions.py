"""Motions: what a player proposes, and happens once all others agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.core.contract import Seat, Words


class MotionKind(Enum):
    """What may be proposed."""

    PAUSE = "pause"
    """No clock runs until anybody ends the pause."""
    UNDO = "undo"
    """The proposer's last sentence is taken back."""
    ABANDON = "abandon"
    """The match is closed: nobody wins, and nothing is revealed."""
    REPLACE = "replace"
    """A seat whose time is up is offered to somebody else."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A proposal that stands."""

    kind: MotionKind
    by: Seat
    agreed: tuple[Seat, ...] = ()
    """Who has agreed so far, in their order; the proposer is not among them."""
    about: Seat | None = None
    """The seat that is to be offered."""

    @property
    def words(self) -> Words:
        """Return the motion as a row of the log says it."""
        return (self.kind.value,) if self.about is None else (self.kind.value, str(self.about))

    @classmethod
    def read(cls, by: Seat, words: Words) -> Motion:
        """Return the motion of a row of the log; raises ``ValueError``."""
        kind, *about = words
        return cls(MotionKind(kind), by, about=int(about[0]) if about else None)
