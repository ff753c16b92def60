"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import importlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from bot.domain.address import Address
from bot.gateway import discord_patches
from engines.core.registry import games
from renderers.core.caches import MIB, SCENES, SPRITES
from tests.kit import gaps
from tests.kit.nursery import Worker
from tests.kit.painted_once import paint_once
from tests.kit.painting import wait_for_workers
from tests.kit.postgresql import Cluster
from tests.kit.postgresql import cluster as running_cluster
from tests.kit.samples import MORE

ROOT = Path(__file__).parents[1]
SUITE = {*games(), "vault"}

if "PYTEST_XDIST_WORKER" not in os.environ:
    # One folder of sprites for all processes of a run, and for the bots that they start: never the user's.
    _FOLDER = tempfile.TemporaryDirectory(prefix="bauta-cache-")
    os.environ["BAUTA_CACHE"] = str(Path(_FOLDER.name) / "art")
    # A bot that a test kills after a second would spend it on painting ahead.
    os.environ["BAUTA_WARM_UP"] = "0"
    # Nobody looks at how long computer players take, but for the test that sets it otherwise.
    os.environ["BAUTA_COMPUTER_FLOOR"] = "0"

NIGHTLY = ROOT / "tests" / "nightly"

BROWSER = "tests/sandbox_web/"
"""What waits most of all, and longest: all its files share a browser."""

WAITING = "tests/e2e/"
"""Tests that wait as much as they work, each with a bot of its own."""

ONE_STAGE = "tests/e2e/test_faults.py"
"""The file among them whose tests share a bot."""

if MORE == 1:
    # By night, each process paints all that it needs.
    paint_once(os.environ["BAUTA_CACHE"])

# As the bot does when it starts: tests use its parts without starting it.
discord_patches.apply()
wait_for_workers()

# No test looks at the wall clock: on a busy machine, any example may take a while.
settings.register_profile("bauta", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bauta")


for cache in (SPRITES, SCENES):
    cache.limit = 256 * MIB  # all games in all themes: a bot has the one or two that are played just now


# Every text that a test renders is checked: what fills its gaps is what they are said to hold.
gaps.watch()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that filled a gap with something else."""
    gaps.taken()
    yield
    if found := gaps.taken():
        pytest.fail("\n".join(found), pytrace=False)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the tests together: each of several processes begins with its share of the modules.

    In a clean checkout, each would rewrite the assertions of all of them otherwise, at the same time.
    """
    worker, count = os.environ.get("PYTEST_XDIST_WORKER"), os.environ.get("PYTEST_XDIST_WORKER_COUNT")
    if worker is None or count is None:
        return
    asked = (session.config.rootpath / argument.partition("::")[0] for argument in session.config.args)
    paths = sorted(path for each in asked for path in each.rglob("test_*.py"))
    for path in paths[int(worker.removeprefix("gw")) :: int(count)]:
        # What cannot be imported, or is skipped, is told where it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Leave what was collected out of each search for garbage: it lasts."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``make nightly`` runs, and let several processes neither wait nor work all at once."""
    for item in items:
        if NIGHTLY in item.path.parents and not item.get_closest_marker("sample"):
            item.add_marker("nightly")
    if "PYTEST_XDIST_WORKER" in os.environ:
        moments = moments_of(dict.fromkeys(group_of(item.nodeid) for item in items))
        items.sort(key=lambda item: moments[group_of(item.nodeid)])


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
    """Hands out whole files; of the suite over all games, all of a game; end-to-end tests one by one.

    All that needs the browser goes together.

    The marks of ``--dist loadgroup`` would do: xdist 3.8 writes them where pytest 9.2 does not look.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return the name of the group that a test runs in, all in one process."""
    path, _, name = nodeid.partition("::")
    if path.startswith(WAITING) and path != ONE_STAGE:
        return nodeid
    if path.startswith(BROWSER):
        return BROWSER
    if path.startswith("tests/contract/"):
        for part in name.rpartition("[")[2].rstrip("]").split("-"):
            if part in SUITE:
                return f"contract {part}"
    return path


def moments_of(groups: Iterable[str]) -> dict[str, float]:
    """Return when each group is begun, from 0 to 1: the browser first, what waits spread over what works.

    What waits has all been begun some while before the end: nobody is left alone with it.
    """
    waiting: dict[bool, list[str]] = {True: [], False: []}
    for group in groups:
        waiting[group.startswith(WAITING)].append(group)
    found = {group: 0.8 * number / len(waiting[True]) for number, group in enumerate(waiting[True])}
    found |= {group: number / len(waiting[False]) for number, group in enumerate(waiting[False])}
    return found | {group: -1.0 for group in found if group.startswith(BROWSER)}


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


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the processes that pools start from one that has done all imports: the same, and sooner."""
    monkeypatch.setattr("bot.workers.pool.WorkingProcess", Worker)


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
