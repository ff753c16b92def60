"""One line of the rehearsal's table: what we rely on, how it is tried, and the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from bot.rehearsal.stage import Stage

Act: TypeAlias = Callable[[Stage], Awaitable[str]]
"""Tries it; returns what Discord did. Raises ``Differs`` or ``Skipped``."""


class State(Enum):
    """The result of a line."""

    OK = "ok"
    DIFFERS = "differs"
    SKIPPED = "skipped"


class When(Enum):
    """Which lines are part of a run."""

    ALWAYS = "always"
    PRESSED = "pressed"
    """The operator has to press or type something."""
    LONG = "long"
    """It takes an hour; only on request."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that can be tried."""

    key: str
    relies: str
    act: Act = field(repr=False)
    when: When = When.ALWAYS
    needs: tuple[str, ...] = ()
    """Lines that must have been tried before: a run of this line alone tries them too."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a line: ``codes`` are the status and error codes of responses, ``ms`` their time."""

    key: str
    relies: str
    state: State
    did: str
    codes: str = ""
    ms: int | None = None


class Lines(list[Line]):
    """The lines of one module, in source order."""

    def add(self, key: str, relies: str, when: When = When.ALWAYS, *needs: str) -> Callable[[Act], Act]:
        """Return a decorator that adds a function as a line."""

        def added(act: Act) -> Act:
            self.append(Line(key, relies, act, when, needs))
            return act

        return added
