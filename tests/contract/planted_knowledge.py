"""The vault with views that show what nobody was told, or forget: each must turn the checks of views red."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Step, Viewer, Words
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State, View


class ShowsLaid(Vault):
    """Each seat sees the card that its neighbour has laid; the public does not."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        if viewer is None or seen.vault is not None:
            return seen
        return replace(seen, vault=state.own[viewer - 1].laid)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a truth in which the neighbour has laid what the viewer sees: twins look alike."""
        if view.viewer is None or view.all_own is not None:
            return super().imagine(view, rng)
        state = super().imagine(replace(view, vault=None), rng)
        own = list(state.own)
        own[view.viewer - 1] = replace(own[view.viewer - 1], laid=view.vault or "")
        return replace(state, own=tuple(own))


class ShowsLaidLater(ShowsLaid):
    """A seat sees what its neighbour has laid once it has laid a card itself."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        laid = seen.own is not None and seen.own.laid
        return seen if laid or seen.all_own is not None else replace(seen, vault=None)


class ForgetsSent(Vault):
    """A seat does not see whose card it has sent back."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        return seen if seen.own is None else replace(seen, own=replace(seen.own, sent=None))


class ForgetsLaid(Vault):
    """A seat does not see which card it has laid, only those that it has left."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        if seen.own is None or not seen.own.laid:
            return seen
        left = tuple(card for card in seen.own.hand if card != seen.own.laid)
        return replace(seen, own=replace(seen.own, hand=left, laid="face down"))


class SilentLay(Vault):
    """Where pledges are open, all see that a seat has laid a card, and nobody is told."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        return Step(step.state, tuple(event for event in step.events if event.fact.kind != "ready"))
