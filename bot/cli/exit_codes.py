"""What ``bauta`` exits with. What is documented of each stands in ``docs/operating.md``."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended, for a shell or for whatever supervises the bot."""

    OK = 0
    """Done; of a bot that serves: stopped when it was asked to. Nothing that was confirmed is lost."""
    FAILED = 1
    """The command found a fault, or could not do what it was asked; the message says why."""
    NEEDS_OPERATOR = 2
    """The message says what to do first; starting again does not help."""
    TRY_AGAIN = 75
    """What is in the way may pass by itself: whatever supervises the bot should start it again."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""
