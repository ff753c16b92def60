"""What all matches over the sandbox need."""

from __future__ import annotations

import warnings

import pytest


@pytest.fixture(autouse=True)
def _quiet_multipart() -> None:
    """aiohttp's own reader of multipart bodies uses what aiohttp itself deprecates."""
    warnings.filterwarnings("ignore", r"unread_data\(\) is deprecated", DeprecationWarning)
