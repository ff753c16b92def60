"""The vault with levels: one whose players are sound, and others that must turn the checks of levels red."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engines.core.contract import Menu, Msg, Viewer, Words, msg
from engines.core.optional_methods import Level, Skill
from engines.core.player import walk
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State, View
from tests.kit.work import BESIDE, CALLS


class Levelled(Vault):
    """All levels walk the menus."""

    level_names: ClassVar[Mapping[Level, Msg]] = {
        Level.FIRST: msg("red"),
        Level.MIDDLE: msg("green"),
        Level.BEST: msg("blue"),
    }

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        return walk(self, view, menu, rng)

    def reason(self, view: View, words: Words) -> Msg:
        return msg("duty")


class Moody(Levelled):
    """It says something else every time."""

    asked = 0

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        self.asked += 1
        return walk(self, view, menu, rng.child(self.asked))


class Beginner(Levelled):
    """It says the beginning of a sentence."""

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        return super().think(view, menu, skill, rng)[:1]


class Wordless(Levelled):
    """It has no text for its reason."""

    def reason(self, view: View, words: Words) -> Msg:
        return msg("because")


class Peeking(Levelled):
    """It has kept what it was shown when somebody else's view was made, and says so."""

    vault: str = ""

    def view(self, state: State, viewer: Viewer) -> View:
        self.vault = state.vault[0] if state.vault else ""
        return super().view(state, viewer)

    def reason(self, view: View, words: Words) -> Msg:
        return msg("clue", card=self.vault)


class Boasting(Levelled):
    """It says whatever is refused."""

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        return "lay", "nothing"


class Brooding(Levelled):
    """It thinks for longer where its own hand has more of the alphabet's first half than of its second."""

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        hand = () if view.own is None else view.own.hand
        if 2 * sum(card < "n" for card in hand) > len(hand):
            for _ in range(CALLS[skill.level] + BESIDE):
                len(hand)
        return super().think(view, menu, skill, rng)
