"""The vault with computer players that interrupt wrongly: each must turn the checks of interrupts red."""

from __future__ import annotations

from engines.core.contract import Menu, Words
from engines.core.optional_methods import Skill
from engines.core.rng import Rng
from tests.kit.vault.eager import Eager
from tests.kit.vault.state import View


class OnDuty(Eager):
    """It says what it is asked for."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        return None if menu.find("lay") is None or view.own is None else ("lay", view.own.hand[0])


class Refused(Eager):
    """It says what it may not."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        return "return", str(view.viewer)


class RecordBefore(Eager):
    """It says the beginning of a sentence."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        found = super().interrupt(view, menu, skill, rng)
        return None if found is None else found[:1]


class Noting(Eager):
    """It notes something down."""

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        return None if view.own is None else ("note", view.own.hand[0])


class Moody(Eager):
    """It speaks every other time."""

    def __init__(self) -> None:
        self.asked = 0

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        self.asked += 1
        return super().interrupt(view, menu, skill, rng) if self.asked % 2 else None
