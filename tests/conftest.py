"""Fixtures that all tests share."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from engines.core.registry import games
from renderers.core.caches import MIB, SCENES, SPRITES

ROOT = Path(__file__).parents[1]
SUITE = {*games(), "vault"}

if "PYTEST_XDIST_WORKER" not in os.environ:
    # One folder of sprites for all processes of a run, and for the bots that they start: never the user's.
    _CACHE = tempfile.TemporaryDirectory(prefix="bauta-cache-")
    os.environ["BAUTA_CACHE"] = _CACHE.name
    # A bot that a test kills after a second would spend it on painting ahead.
    os.environ["BAUTA_WARM_UP"] = "0"

NIGHTLY = ROOT / "tests" / "nightly"


for cache in (SPRITES, SCENES):
    cache.limit = 256 * MIB  # all games in all themes: a bot has the one or two that are played just now


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``make nightly`` runs, and keep together, in one process, what shares costly fixtures."""
    for item in items:
        if NIGHTLY in item.path.parents and not item.get_closest_marker("sample"):
            item.add_marker("nightly")
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(_group(item)))


def _group(item: pytest.Item) -> str:
    """Return the file; of the suite over all games, the game, since its tests look at the same matches."""
    if item.path.parent.name == "contract" and isinstance(item, pytest.Function):
        for name in getattr(getattr(item, "callspec", None), "id", "").split("-"):
            if name in SUITE:
                return f"contract {name}"
    return str(item.path.relative_to(ROOT))


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
