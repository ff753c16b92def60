"""Fixtures that all tests share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from bot.domain.address import Address
from engines.core.registry import games
from renderers.core.caches import MIB, SCENES, SPRITES
from sandbox import client
from tests.kit.painting import wait_for_workers
from tests.kit.postgresql import Cluster
from tests.kit.postgresql import cluster as running_cluster
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
SUITE = {*games(), "vault"}

if "PYTEST_XDIST_WORKER" not in os.environ:
    # One folder of sprites for all processes of a run, and for the bots that they start: never the user's.
    _CACHE = tempfile.TemporaryDirectory(prefix="bauta-cache-")
    os.environ["BAUTA_CACHE"] = _CACHE.name
    # A bot that a test kills after a second would spend it on painting ahead.
    os.environ["BAUTA_WARM_UP"] = "0"
    # Nobody looks at how long computer players take, but for the test that sets it otherwise.
    os.environ["BAUTA_COMPUTER_FLOOR"] = "0"

NIGHTLY = ROOT / "tests" / "nightly"

wait_for_workers()
client.TIMEOUT = PATIENCE

# No test looks at the wall clock: on a busy machine, any example may take a while.
settings.register_profile("bauta", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bauta")


for cache in (SPRITES, SCENES):
    cache.limit = 256 * MIB  # all games in all themes: a bot has the one or two that are played just now


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``make nightly`` runs, and begin with the browser, which waits more than it works."""
    for item in items:
        if NIGHTLY in item.path.parents and not item.get_closest_marker("sample"):
            item.add_marker("nightly")
    items.sort(key=lambda item: item.path.parent.name != "sandbox_web")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is marked so over both kinds of databases."""
    marker = metafunc.definition.get_closest_marker("both_stores")
    if "database" in metafunc.fixturenames and marker is not None:
        marks = [pytest.mark.nightly] if marker.kwargs.get("nightly") else []
        metafunc.parametrize("database", ["sqlite", pytest.param("postgresql", marks=marks)], indirect=True)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Keep together, in one process, what shares costly fixtures."""
    return _Groups(config, log)


class _Groups(LoadScopeScheduling):  # type: ignore[misc] # it is not typed
    """Hands out whole files; of the suite over all games, all of a game, which looks at the same matches.

    The marks of ``--dist loadgroup`` would do: xdist 3.8 writes them where pytest 9.2 does not look.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return the name of the group that a test runs in, all in one process."""
    path, _, name = nodeid.partition("::")
    if path.startswith("tests/contract/"):
        for part in name.rpartition("[")[2].rstrip("]").split("-"):
            if part in SUITE:
                return f"contract {part}"
    return path


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Return a server of PostgreSQL that all tests of a process share, each with databases of its own."""
    with running_cluster() as found:
        yield found


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Return where a test may open a store; over which database, ``BOTH_STORES`` says."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return tmp_path / "house.db"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.house()


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
