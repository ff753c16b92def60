"""What differs by ruleset: a match ends by the one that it began with (``docs/adr/0051``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that differs.

    ``under_figurines``: an object that comes with a figurine may act on the character under it, since "you
    can act on a character card placed under a figurine" (rulebook, *Corto and Rasputin cards*).
    ``action_may_free``: one more character or figurine may be played in a turn that would end the match, if
    its own action then frees a square: the rulebook judges once the turn is over (*End of game*).
    """

    number: str
    under_figurines: bool
    action_may_free: bool

    @property
    def data(self) -> dict[str, str]:
        """Return what records and descriptions say of it: of the first one nothing, as ever."""
        return {} if self == FIRST else {"ruleset": self.number}


FIRST = Ruleset("1", under_figurines=False, action_may_free=False)

RULESETS = {each.number: each for each in (Ruleset("2", under_figurines=True, action_may_free=True), FIRST)}
"""By number, the newest first."""
