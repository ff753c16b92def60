"""What differs by ruleset: a match ends by the one that it began with (``docs/adr/0051``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that differs.

    ``space_first``: a start space is asked with the first deck, before anybody has seen a card; else it is
    asked in the first round's preparation, once both are known. Source: *Components*, the set-up order.
    """

    number: str
    space_first: bool

    @property
    def data(self) -> dict[str, str]:
        """Return what records and descriptions say of it: of the first one nothing, as ever."""
        return {} if self == FIRST else {"ruleset": self.number}


FIRST = Ruleset("1", space_first=True)

RULESETS = {each.number: each for each in (Ruleset("2", space_first=False), FIRST)}
"""By number, the newest first."""
