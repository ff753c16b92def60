"""The exit codes of ``bauta``, which ``docs/operating.md`` documents."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended, for a shell or the bot's supervisor."""

    OK = 0
    """Done; for a bot that serves: stopped on request. Nothing that was confirmed is lost."""
    FAILED = 1
    """The command found a fault, or could not do what it was asked; the message says why."""
    NEEDS_OPERATOR = 2
    """The message says what to do first; restarting does not help."""
    TRY_AGAIN = 75
    """The problem may pass by itself: the supervisor should restart the bot."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""
