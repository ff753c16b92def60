"""When Discord's REST API failed a process, by what became of its requests: docs/adr/0037 has the rule.

Two requests in a row without an answer, or with a 5xx, are an outage since the first of them was sent, and
any other answer ends it. One that has no answer for ten seconds counts, unless another has one meanwhile.
Where three requests of one kind fail in three places, that is an outage until one of that kind is answered,
or until a minute after the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

STALL_S = 10.0
MOST_SILENT_S = 60.0
ENOUGH, ENOUGH_PLACES = 2, 3

Note = Callable[[float, float], None]
"""Told of each outage: when it began, and when it was over."""


@dataclass(slots=True, eq=False)
class Request:
    """A request that was sent."""

    method: str
    path: str
    sent: float

    @property
    def kind(self) -> str:
        """Return what it is for: to answer a press, to read, or to write."""
        if self.path.startswith(("/interactions/", "/webhooks/")):
            return "answer"
        return "read" if self.method == "GET" else "write"


@dataclass(slots=True)
class _Failures:
    """Failures in a row."""

    sent: list[float] = field(default_factory=list)
    places: set[tuple[str, str]] = field(default_factory=set)
    latest: float = 0.0

    def add(self, request: Request, now: float) -> None:
        self.sent.append(request.sent)
        self.places.add((request.method, request.path))
        self.latest = now


class RestOutages:
    """Of one process, between its start and its end. ``now``: true time."""

    def __init__(self, now: Callable[[], float], note: Note) -> None:
        self._now = now
        self._note = note
        self._answered_at = float("-inf")
        self._all = _Failures()
        self._kinds: dict[str, _Failures] = {}

    def sent(self, method: str, path: str) -> Request:
        """Return a request that is sent now."""
        return Request(method, path, self._now())

    def stalled(self, request: Request) -> None:
        """Note that a request has had no answer for :data:`STALL_S`."""
        if self._answered_at < request.sent:
            self.failed(request)

    def failed(self, request: Request) -> None:
        """Note that a request has no answer, or one of a server that fails."""
        now = self._now()
        self._all.add(request, now)
        before = self._kinds.get(request.kind)
        if before is not None and now - before.latest > MOST_SILENT_S:
            self._end_kind(request.kind)
        self._kinds.setdefault(request.kind, _Failures()).add(request, now)

    def answered(self, request: Request) -> None:
        """Note that a request has an answer, be it a refusal."""
        self._answered_at = self._now()
        self._end_all()
        self._end_kind(request.kind)

    def end(self) -> None:
        """Note that the process is gone."""
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
