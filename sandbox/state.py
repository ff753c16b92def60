"""The parts of a running sandbox, in one object."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from sandbox.clock import Clock
from sandbox.faults import Faults
from sandbox.gateway import Gateway
from sandbox.journal import Journal
from sandbox.model import Message
from sandbox.notifications import Notification
from sandbox.ratelimits import RateLimits
from sandbox.records import Records
from sandbox.user_sockets import Audit, UserSockets


class BodyChecker(Protocol):
    """Checks bodies against a description of the API; each check returns what is wrong, or None."""

    def request(self, method: str, route: str, body: Any) -> str | None:
        """Check a request's body."""
        ...

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        """Check a response's body."""
        ...


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation of Discord's API description, or of another rule.

    `kind`: "request" (a wrong body of the bot), "refused" (a body answered with 50035), "reply" (a wrong body
    of the sandbox), "broken" (an error in the sandbox), "wordless" (a notification without text).
    """

    kind: str
    method: str
    route: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the bot: its path without tokens, and the status of the response."""

    at: float
    method: str
    path: str
    status: int
    code: int | None = None


@dataclass(slots=True)
class State:
    """Records, clock, gateway, windows, faults and limits of one sandbox.

    `expired_token_code` is the error for an interaction's token after 15 minutes: 10015, or as some report
    50027.
    """

    token: str = field(repr=False)
    clock: Clock
    records: Records
    audit: Audit
    sockets: UserSockets
    gateway: Gateway
    faults: Faults
    limits: RateLimits
    journal: Journal
    openapi: BodyChecker | None = None
    expired_token_code: int = 10015
    notifications: dict[int, list[Notification]] = field(default_factory=dict)
    """What each person's phone has shown, oldest first."""
    listeners: list[Callable[[Message], object]] = field(default_factory=list)
    """Called with each message of any author when it is posted or edited."""
    violations: list[Violation] = field(default_factory=list)
    requests: deque[Request] = field(default_factory=lambda: deque(maxlen=20_000))
