"""What can come of a line beside that all is as we rely on."""

from __future__ import annotations


class Differs(Exception):  # noqa: N818 - a finding, not a fault
    """Discord did something else than what we rely on. The text says what."""


class Skipped(Exception):  # noqa: N818 - a finding, not a fault
    """A line was not tried. The text says why."""


def expect(holds: object, otherwise: str) -> None:
    """Raise :class:`Differs`, saying ``otherwise``, where something does not hold."""
    if not holds:
        raise Differs(otherwise)
