"""Outages of Discord's REST API for a process, by the outcomes of its requests: docs/adr/0037 has the rule.

Two consecutive requests without a response, or with a 5xx, are an outage since the first was sent; any other
response ends it. A request without a response for ten seconds counts, unless another gets one meanwhile.
Three failed requests of one kind in three places are an outage until a request of that kind is answered, or
until a minute after the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

STALL_S = 10.0
MOST_SILENT_S = 60.0
ENOUGH, ENOUGH_PLACES = 2, 3

Note = Callable[[float, float], None]
"""Called with the start and end of each outage."""


@dataclass(slots=True, eq=False)
class Request:
    """A sent request."""

    method: str
    path: str
    sent: float

    @property
    def kind(self) -> str:
        """Return its kind: response to a press, read, or write."""
        if self.path.startswith(("/interactions/", "/webhooks/")):
            return "answer"
        return "read" if self.method == "GET" else "write"


@dataclass(slots=True)
class _Failures:
    """Consecutive failures."""

    sent: list[float] = field(default_factory=list)
    places: set[tuple[str, str]] = field(default_factory=set)
    latest: float = 0.0

    def add(self, request: Request, now: float) -> None:
        self.sent.append(request.sent)
        self.places.add((request.method, request.path))
        self.latest = now


class RestOutages:
    """The outages of one process from its start to its end. ``now``: true time."""

    def __init__(self, now: Callable[[], float], note: Note) -> None:
        self._now = now
        self._note = note
        self._answered_at = float("-inf")
        self._all = _Failures()
        self._kinds: dict[str, _Failures] = {}

    def sent(self, method: str, path: str) -> Request:
        """Record a request that is sent now, and return it."""
        return Request(method, path, self._now())

    def stalled(self, request: Request) -> None:
        """Note that a request has had no response for :data:`STALL_S`."""
        if self._answered_at < request.sent:
            self.failed(request)

    def failed(self, request: Request) -> None:
        """Note that a request has failed: no response, or a server error."""
        now = self._now()
        self._all.add(request, now)
        before = self._kinds.get(request.kind)
        if before is not None and now - before.latest > MOST_SILENT_S:
            self._end_kind(request.kind)
        self._kinds.setdefault(request.kind, _Failures()).add(request, now)

    def answered(self, request: Request) -> None:
        """Note that a request has a response, which may be a refusal."""
        self._answered_at = self._now()
        self._end_all()
        self._end_kind(request.kind)

    def end(self) -> None:
        """Note the end of the process."""
        self._end_all()
        for kind in list(self._kinds):
            self._end_kind(kind)

    def _end_all(self) -> None:
        if len(self._all.sent) >= ENOUGH:
            self._note(min(self._all.sent), self._now())
        self._all = _Failures()

    def _end_kind(self, kind: str) -> None:
        found = self._kinds.pop(kind, None)
        if found is not None and len(found.places) >= ENOUGH_PLACES:
            self._note(min(found.sent), min(self._now(), found.latest + MOST_SILENT_S))
