"""What lasts and the operator should know: the pulse carries it to ``bauta doctor``."""

from __future__ import annotations

LONGEST = 300
"""Characters of one condition."""


class Conditions:
    """Sentences by name, for as long as they are true. They name no person and hold no secret."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Conditions {', '.join(self._texts)}>"

    def note(self, name: str, text: str) -> None:
        """Note what is so now, in place of what was noted under this name."""
        self._texts[name] = text[:LONGEST]

    def clear(self, name: str) -> None:
        """Note that this is over."""
        self._texts.pop(name, None)

    def present(self) -> dict[str, str]:
        """Return what is so now."""
        return dict(self._texts)
