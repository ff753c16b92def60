"""The vault with asides that go wrong while others act: each must turn the checks of asides red."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import IllegalAction, Menu, Step, Words, msg
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.shifting import Shifting
from tests.kit.vault.state import State, View


class Waits(Vault):
    """It refuses asides, which it offers, while another seat is asked alone."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        asked = self.waiting(self.view(state, None))
        if words[:1] in (("return",), ("sort",)) and seat not in self.waiting(self.view(state, seat)):
            raise IllegalAction(msg("not_now" if asked else "error.over"))
        return super().act(state, seat, words, rng)


class Forgets(Shifting):
    """What has to wait is no draft any more."""

    def menu_for(self, view: View, draft: Words) -> Menu:
        found = super().menu_for(view, draft)
        if len(draft) > 1 and draft[0] == "return" and not found.complete:
            raise IllegalAction(msg("not_now"))
        return found


class Unasks(Vault):
    """Who sorts its cards ends the waiting for somebody, and nobody is told."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if words[:1] != ("sort",):
            return step
        ready = tuple(not flag for flag in step.state.public.ready)
        return Step(replace(step.state, public=replace(step.state.public, ready=ready)), step.events)


class Ordered(Vault):
    """The last of two who sort their cards in secret is remembered."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if words[:1] != ("sort",):
            return step
        return Step(replace(step.state, vault=f"{seat}{step.state.vault[1:]}"), step.events)


class FirstOnly(Vault):
    """Of two who send a card back in the same round, it refuses the second, who cannot know why."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        if words[:1] == ("return",) and any(own.sent is not None for own in state.own):
            raise IllegalAction(msg("not_now"))
        return super().act(state, seat, words, rng)
