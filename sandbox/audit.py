"""What each person's windows received, for tests to search for what that person must not know."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sandbox.model import Json


@dataclass(frozen=True, slots=True)
class Received:
    """One thing that a window received.

    `kind`: "push" (over the socket), "reply" (to a request) or "attachment" (a file).
    """

    at: float
    kind: str
    t: str
    d: Any = field(repr=False)

    def json(self) -> Json:
        """Return the entry as JSON."""
        return {"at": self.at, "kind": self.kind, "t": self.t, "d": self.d}


class Audit:
    """A list per person, in order."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lists: dict[int, list[Received]] = {}

    def note(self, person: int, kind: str, t: str, d: Any) -> None:
        """Append what a person's window received, as it was at that moment."""
        # A deep copy: the records that it was made from go on changing.
        frozen = json.loads(json.dumps(d))
        self._lists.setdefault(person, []).append(Received(self._now(), kind, t, frozen))

    def of(self, person: int) -> list[Received]:
        """Return everything a person's windows received so far."""
        return list(self._lists.get(person, ()))

    def text(self, person: int) -> str:
        """Return everything as one JSON text, to search in."""
        return json.dumps([entry.json() for entry in self.of(person)], ensure_ascii=False)
