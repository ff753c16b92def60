"""Hand-overs: when a board is a new message, and who is called by it. See ``docs/adr/0032``.

All of it follows from what the public has seen and from which seats people hold, so a replay counts the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Outcome, Seat
from engines.core.match import AnyGame


@dataclass(frozen=True, slots=True)
class HandOver:
    """A moment at which the turn passes on: with it an epoch begins, and so a new board."""

    epoch: int
    """The version that the public had reached with it."""
    entered: frozenset[Seat]
    """The people who are asked from here on, and were not just before."""


@dataclass(frozen=True, slots=True)
class PublicSnapshot:
    """What the public sees of a match."""

    view: Any = field(repr=False)
    waiting: frozenset[Seat]
    epoch: int
    """The version with which the last hand-over came: a new number asks for a new message."""
    version: int
    """Counts all that the public learned."""
    outcome: Outcome | None = None
    turn: int = 1
    """Counts turns, those of computers too: one begins where a seat is asked that was not just before."""
    before: Any = field(default=None, repr=False)
    """What the public saw when the epoch before this one began; ``None`` in the first one."""
    begun: Any = field(default=None, repr=False)
    """What the public saw when this epoch began."""
    asked: frozenset[Seat] = frozenset()
    """Who was asked at any time since this epoch began."""

    @classmethod
    def first(cls, view: Any, game: AnyGame) -> PublicSnapshot:
        """Return what the public sees when a match begins."""
        waiting = game.waiting(view)
        return cls(view, waiting, 1, 1, game.outcome(view), before=None, begun=view, asked=waiting)

    def then(self, view: Any, game: AnyGame, people: frozenset[Seat]) -> PublicSnapshot:
        """Return the snapshot after a step that the public has noticed; ``people``: the seats they hold."""
        waiting, outcome, version = game.waiting(view), game.outcome(view), self.version + 1
        ends = outcome is not None and self.outcome is None
        turn = self.turn + (ends or bool(waiting - self.waiting))
        if not self._hands_over(waiting, outcome, people):
            now = replace(self, view=view, waiting=waiting, version=version, outcome=outcome, turn=turn)
            return replace(now, asked=self.asked | waiting)
        return PublicSnapshot(
            view, waiting, version, version, outcome, turn, before=self.begun, begun=view, asked=waiting
        )

    def taken_back(self, earlier: PublicSnapshot, people: frozenset[Seat]) -> PublicSnapshot:
        """Return the snapshot after the last step was taken back: what ``earlier`` was before that step.

        Versions and epochs go on. An epoch begins where a person is asked who was not just before.
        """
        version, view, waiting = self.version + 1, earlier.view, earlier.waiting
        now = replace(earlier, epoch=self.epoch, version=version, asked=self.asked | waiting)
        if earlier.epoch != self.epoch:
            # The epoch began with what was taken back: nothing leads from its first view to what follows.
            now = replace(now, before=None, begun=view)
        if (waiting - self.waiting) & people:
            before = now.begun if earlier.epoch == self.epoch else None
            now = replace(now, epoch=version, before=before, begun=view, asked=waiting)
        return now

    def _hands_over(self, waiting: frozenset[Seat], outcome: Outcome | None, people: frozenset[Seat]) -> bool:
        if outcome is not None:
            return self.outcome is None
        entered = waiting - self.waiting
        # Computers are nobody to call. But where one was done and decides along with people again, a round
        # has passed, though the people who are asked are the very same.
        return bool(entered & people) or bool(waiting & people and entered & self.asked)
