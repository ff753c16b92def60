"""Who knows which of a match's secrets."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from engines.core.contract import Viewer
from engines.core.match import Match
from tests.contract.checks.sampling import viewers


@dataclass(slots=True)
class Knowledge:
    """Which of a match's secrets each viewer has learned so far."""

    secrets: frozenset[str] = field(repr=False)
    learned: dict[Viewer, set[str]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, match: Match) -> Knowledge:
        """Return the knowledge at a start: every card is a secret."""
        made = cls(frozenset(words_in(match.game.record(match.state))))
        made.update(match)
        return made

    def update(self, match: Match) -> None:
        """Learn what the viewers see now."""
        for viewer in viewers(match):
            seen = words_in(match.game.describe(match.view(viewer)))
            self.learned.setdefault(viewer, set()).update(seen & self.secrets)

    def hidden_from(self, viewer: Viewer) -> list[bytes]:
        """Return what a viewer must not find anywhere."""
        known = self.learned[viewer] | self.learned[None]
        return [word.encode() for word in sorted(self.secrets - known)]


def words_in(data: object) -> set[str]:
    """Return the cards that stand in JSON data."""
    text = json.dumps(data)
    return {part for part in text.replace('"', " ").split() if len(part) == 9 and part.isalpha()}


def seeds(key: bytes) -> Iterator[bytes]:
    """Yield the seed of a running match, as text in two ways. Its SHA-256 is promised: no secret."""
    yield key.hex().encode()
    yield base64.b64encode(key)[:-2]
