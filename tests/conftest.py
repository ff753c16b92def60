"""Fixtures that all tests share."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

_CACHE = tempfile.TemporaryDirectory(prefix="bauta-cache-")
os.environ["BAUTA_CACHE"] = _CACHE.name  # tests, and the bots that they start, leave the user's folder alone


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of references beside the repository; skips where there is none."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no references beside the repository")
    return folder
