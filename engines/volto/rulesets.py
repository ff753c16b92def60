"""What differs by ruleset: a match ends by the one that it began with (``docs/adr/0051``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that differs.

    ``shows_capturer``: the mask that takes a Lady is shown when it leaves the mat with her; else it leaves
    unseen, and what it was stays its owner's secret until the match is over. Source: *Turn*, *Lady*.
    """

    number: str
    shows_capturer: bool

    @property
    def data(self) -> dict[str, str]:
        """Return what records and descriptions say of it: of the first one nothing, as ever."""
        return {} if self == FIRST else {"ruleset": self.number}


FIRST = Ruleset("1", shows_capturer=True)
NEWEST = Ruleset("2", shows_capturer=False)

RULESETS = {each.number: each for each in (NEWEST, FIRST)}
"""By number, the newest first."""
