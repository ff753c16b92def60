"""The vault with steps that are said to be undoable and are not: each must turn the check red."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.contract import EVERYONE, Event, Fact, Step, Words, fact
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State


class UndoneLay(Vault):
    """That somebody has laid a card may be taken back: the card itself was told to its seat alone."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        return [fact.kind for fact in facts] == ["ready"]


class UndoneNothing(Vault):
    """What nobody has noticed may be taken back."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        return not facts


class UndoneLeave(Vault):
    """That somebody has left may be taken back."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        return [fact.kind for fact in facts] == ["left"]


class UndoneEnd(Vault):
    """The end may be taken back."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        return any(fact.kind == "ended" for fact in facts)


class _OpenPeek(Vault):
    """A look into the vault is public, and may be taken back."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        return self.peeked(state, step, rng) if words == ("peek",) else step

    def peeked(self, before: State, step: Step[State], rng: Rng) -> Step[State]:
        return Step(step.state, (Event(fact("unready", seat=0), EVERYONE),))

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        return [fact.kind for fact in facts] in (["unready"], ["clue"])


class DrawnPeek(_OpenPeek):
    """Chance decides, though it changes nothing this time."""

    def peeked(self, before: State, step: Step[State], rng: Rng) -> Step[State]:
        rng.child("far").stream("lot").chance(1, 2)
        return Step(before, (Event(fact("unready", seat=0), EVERYONE),))


class ShownPeek(_OpenPeek):
    """Everybody sees what was hidden."""

    def peeked(self, before: State, step: Step[State], rng: Rng) -> Step[State]:
        return Step(before, (Event(fact("clue", card=before.vault), EVERYONE),))


class SeenPeek(_OpenPeek):
    """The seat sees what was hidden, and nobody is told of it."""
