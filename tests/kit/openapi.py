"""Discord's own description of its API, where it lies beside the repository."""

from __future__ import annotations

from functools import cache

from sandbox.openapi_check import OpenApiChecker
from tests.conftest import ROOT


@cache
def openapi() -> OpenApiChecker | None:
    """Return the checker, loaded once for all tests of a process; ``None`` without the description."""
    path = ROOT.parent / "shared" / "discord-openapi.json"
    return OpenApiChecker.load(path) if path.is_file() else None
