"""What all rehearsals over the sandbox need."""

from __future__ import annotations

import warnings

import pytest


@pytest.fixture(autouse=True)
def _quiet_multipart() -> None:
    """aiohttp's own reader of multipart bodies uses what aiohttp itself deprecates."""
    warnings.filterwarnings("ignore", r"unread_data\(\) is deprecated", DeprecationWarning)


@pytest.fixture(autouse=True)
def _generous(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox's limits are those of Discord, and a rehearsal waits for them: here they are wide."""
    monkeypatch.setattr("sandbox.ratelimits._LIMITS", {})
    monkeypatch.setattr("sandbox.ratelimits.GLOBAL_WINDOW_S", 0.0)
    monkeypatch.setattr("sandbox.ratelimits.OLD_EDIT_WINDOW_S", 0.2)
