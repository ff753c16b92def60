"""Outcomes of a line other than success."""

from __future__ import annotations


class Differs(Exception):  # noqa: N818 - a finding, not a fault
    """Discord did something other than what we rely on. The text says what."""


class Skipped(Exception):  # noqa: N818 - a finding, not a fault
    """A line was not tried. The text says why."""


def expect(holds: object, otherwise: str) -> None:
    """Raise :class:`Differs` with the text ``otherwise`` unless ``holds`` is true."""
    if not holds:
        raise Differs(otherwise)
