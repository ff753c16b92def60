"""Lasting problems that the operator should know of; the pulse carries them to ``bauta doctor``."""

from __future__ import annotations

LONGEST = 300
"""Characters of one condition, at most."""


class Conditions:
    """Present problems by name, one sentence each. They name no person and hold no secret."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Conditions {', '.join(self._texts)}>"

    def note(self, name: str, text: str) -> None:
        """Set the condition ``name``, in place of its former text."""
        self._texts[name] = text[:LONGEST]

    def clear(self, name: str) -> None:
        """Remove the condition ``name``, if it is set."""
        self._texts.pop(name, None)

    def present(self) -> dict[str, str]:
        """Return the present conditions by name."""
        return dict(self._texts)
