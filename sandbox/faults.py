"""Injected faults of the REST API: the next so many requests of a route fail."""

import asyncio
import re
from dataclasses import dataclass, field, fields

from sandbox.model import Json


@dataclass(slots=True)
class Fault:
    """The next `times` requests whose "METHOD /path" matches `route` fail.

    `slow` seconds pass first. Then `drop` cuts the line, or `status` is answered. With `after` the request is
    carried out before that, and only its answer is lost. `late`: the request is carried out, and its answer
    comes so many seconds later. `retry_after` is what a 429 says; None: a 429 from in front of the API,
    without JSON. `ban`: such a 429 that says when to come back, in seconds; it needs no `status`.
    `for_all`: a 429 of the global limit. `hold`: the request has arrived whole, and is carried out only when
    `Faults.release` is called, whether its client still lives or not. `answer`: what is answered with
    status 200 instead, as JSON or not.
    """

    route: str
    times: int = 1
    status: int | None = None
    retry_after: float | None = 0.2
    slow: float = 0.0
    drop: bool = False
    after: bool = False
    late: float = 0.0
    for_all: bool = False
    hold: bool = False
    answer: str | None = None
    ban: int | None = None
    pattern: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.pattern = re.compile(self.route)
        if self.times < 1 or self.slow < 0 or self.late < 0:
            msg = "a fault happens at least once, and no request is answered early"
            raise ValueError(msg)
        if self.ban is not None:
            self.status, self.retry_after = 429, None
        if self.status is not None and not 400 <= self.status < 600:
            msg = "a fault's status is one of 400 to 599"
            raise ValueError(msg)
        what = (self.status, self.slow, self.drop, self.late, self.hold, self.answer is not None)
        if not any(what):
            msg = "a fault says status, ban, slow, drop, late, hold or answer"
            raise ValueError(msg)


@dataclass(slots=True, eq=False)
class HeldRequest:
    """A request that waits to be carried out; `path` shows no token."""

    method: str
    path: str
    released: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    finished: asyncio.Event = field(default_factory=asyncio.Event, repr=False)


class Faults:
    """The faults that are to come, in order; a request gets the first that matches it."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self.held: list[HeldRequest] = []
        """The requests that wait, in the order in which they came."""

    async def release(self) -> int:
        """Let every held request be carried out, one after the other, and return how many there were."""
        waiting = list(self.held)
        for each in waiting:
            each.released.set()
            await each.finished.wait()
        return len(waiting)

    def add(self, fault: Fault) -> None:
        """Add a fault."""
        self._faults.append(fault)

    def clear(self) -> None:
        """Remove all faults; requests that are held stay so."""
        self._faults.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """Return this request's fault and count it down; `path` begins behind /api/v10."""
        for fault in self._faults:
            if fault.pattern.search(f"{method} {path}"):
                fault.times -= 1
                if fault.times == 0:
                    self._faults.remove(fault)
                return fault
        return None

    @property
    def pending(self) -> list[Json]:
        """The faults that have not happened yet, as JSON."""
        return [
            {"route": fault.route, "times": fault.times, "status": fault.status} for fault in self._faults
        ]


def read_fault(body: Json) -> Fault:
    """Build a fault from a JSON object. ValueError: it makes no sense."""
    allowed = {each.name for each in fields(Fault) if each.init}
    if "route" not in body or not set(body) <= allowed:
        msg = f"a fault has route and some of {sorted(allowed)}"
        raise ValueError(msg)
    try:
        return Fault(**body)
    except (TypeError, re.error) as error:
        msg = f"this fault cannot be read: {error}"
        raise ValueError(msg) from None
