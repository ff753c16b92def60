"""Discord's own description of its API, where it lies beside the repository."""

from __future__ import annotations

from functools import cache
from typing import Any

from sandbox.openapi_check import OpenApiChecker
from sandbox.state import BodyChecker
from tests.conftest import ROOT
from tests.kit.samples import MORE

ENUMERATED = 64
"""Numbers below this one may name a kind; larger ones are amounts or ids."""


class OfEachShape:
    """Asks once for all bodies that differ in words and amounts alone: most of a match's do."""

    def __init__(self, checker: BodyChecker) -> None:
        self._checker = checker
        self._said: dict[object, str | None] = {}

    def request(self, method: str, route: str, body: Any) -> str | None:
        """Check a request's body."""
        key = (method, route, shape(body))
        if key not in self._said:
            self._said[key] = self._checker.request(method, route, body)
        return self._said[key]

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        """Check a reply's body."""
        key = (method, route, status, shape(body))
        if key not in self._said:
            self._said[key] = self._checker.reply(method, route, status, body)
        return self._said[key]


def shape(body: Any) -> object:
    """Return what two bodies share that only differ in words and amounts; what is listed counts once."""
    match body:
        case dict():
            return tuple((key, shape(value)) for key, value in sorted(body.items()))
        case list():
            return (list, *dict.fromkeys(map(shape, body)))
        case str():
            return (str, body.isdecimal(), len(body).bit_length())
        case int() if not 0 <= body < ENUMERATED:
            return int
    return (type(body), body)


@cache
def description() -> OpenApiChecker | None:
    """Return the checker of every body, loaded once for all tests of a process; ``None``: it is not there."""
    path = ROOT.parent / "shared" / "discord-openapi.json"
    return OpenApiChecker.load(path) if path.is_file() else None


@cache
def openapi() -> BodyChecker | None:
    """Return what checks a sandbox's bodies: by day one of each shape, by night all."""
    checker = description()
    return checker if checker is None or MORE > 1 else OfEachShape(checker)
