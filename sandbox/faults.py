"""Injected faults of the REST API: a number of requests to a route fail."""

import asyncio
import re
from dataclasses import dataclass, field, fields

from sandbox.model import Json


@dataclass(slots=True)
class Fault:
    """The next `times` requests whose "METHOD /path" matches `route` fail.

    `slow`: seconds to wait first.
    `drop`: close the connection without a response. `status`: respond with this error.
    `after`: execute the request before that, so that only its response is lost.
    `late`: execute the request, and respond so many seconds later.
    `hold`: execute the request only on `Faults.release`, even if its client has gone by then.
    `answer`: respond with status 200 and this text, which need not be JSON.
    `retry_after`: the seconds that a 429 names; None: a 429 from a proxy before the API, without JSON.
    `ban`: the same from a proxy, with the seconds to wait in its Retry-After header; implies status 429.
    `for_all`: the 429 is of the global limit.
    ValueError: the fields contradict each other, or do nothing.
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
    """A request that waits to be executed; its tokens are left out of `path`."""

    method: str
    path: str
    released: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    finished: asyncio.Event = field(default_factory=asyncio.Event, repr=False)


class Faults:
    """The pending faults, in order; a request gets the first that matches."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self.held: list[HeldRequest] = []
        """The waiting requests, oldest first."""

    async def release(self) -> int:
        """Execute all held requests, one after the other, and return their number."""
        waiting = list(self.held)
        for each in waiting:
            each.released.set()
            await each.finished.wait()
        return len(waiting)

    def add(self, fault: Fault) -> None:
        """Add a fault."""
        self._faults.append(fault)

    def clear(self) -> None:
        """Remove all faults; held requests still wait."""
        self._faults.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault of a request and count it down; `path` is the part after /api/v10."""
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
    """Build a fault from a JSON object. ValueError: its fields are unknown or invalid."""
    allowed = {each.name for each in fields(Fault) if each.init}
    if "route" not in body or not set(body) <= allowed:
        msg = f"a fault has route and some of {sorted(allowed)}"
        raise ValueError(msg)
    try:
        return Fault(**body)
    except (TypeError, re.error) as error:
        msg = f"this fault cannot be read: {error}"
        raise ValueError(msg) from None
