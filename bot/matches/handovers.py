"""Hand-overs: when a board is a new message, and who is pinged by it. See ``docs/adr/0032``.

They depend only on what the public has seen and on which seats people hold, so a replay gives the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Outcome, Seat
from engines.core.match import AnyGame


@dataclass(frozen=True, slots=True)
class HandOver:
    """A moment at which the turn passes on: a new epoch begins, and with it a new board."""

    epoch: int
    """The public version at that moment; also the number of the new epoch."""
    entered: frozenset[Seat]
    """The people's seats that are asked from here on and were not just before."""


@dataclass(frozen=True, slots=True)
class PublicSnapshot:
    """The public state of a match, and its counts."""

    view: Any = field(repr=False)
    waiting: frozenset[Seat]
    epoch: int
    """The version at the last hand-over: a new epoch needs a new message."""
    version: int
    """Counts everything the public has learned."""
    outcome: Outcome | None = None
    turn: int = 1
    """Counts turns, including computers': one begins when a seat is asked that was not just before."""
    before: Any = field(default=None, repr=False)
    """The public view at the start of the previous epoch; ``None`` in the first one."""
    begun: Any = field(default=None, repr=False)
    """The public view at the start of this epoch."""
    asked: frozenset[Seat] = frozenset()
    """The seats asked at any time since this epoch began."""

    @classmethod
    def first(cls, view: Any, game: AnyGame) -> PublicSnapshot:
        """Return the snapshot at the start of a match."""
        waiting = game.waiting(view)
        return cls(view, waiting, 1, 1, game.outcome(view), before=None, begun=view, asked=waiting)

    def then(self, view: Any, game: AnyGame, people: frozenset[Seat]) -> PublicSnapshot:
        """Return the snapshot after a public step; ``people``: the seats that people hold."""
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
        """Return the snapshot after the last step was undone; ``earlier``: the snapshot before that step.

        Versions and epochs keep counting up. An epoch begins if a person is asked who was not just before.
        """
        version, view, waiting = self.version + 1, earlier.view, earlier.waiting
        now = replace(earlier, epoch=self.epoch, version=version, asked=self.asked | waiting)
        if earlier.epoch != self.epoch:
            # The epoch began with the undone step: nothing leads from its first view to what follows.
            now = replace(now, before=None, begun=view)
        if (waiting - self.waiting) & people:
            before = now.begun if earlier.epoch == self.epoch else None
            now = replace(now, epoch=version, before=before, begun=view, asked=waiting)
        return now

    def _hands_over(self, waiting: frozenset[Seat], outcome: Outcome | None, people: frozenset[Seat]) -> bool:
        if outcome is not None:
            return self.outcome is None
        entered = waiting - self.waiting
        # Nobody pings computers. But if one that was done decides along with people again, a round has
        # passed, even if the same people are asked as before.
        return bool(entered & people) or bool(waiting & people and entered & self.asked)
