"""Tests that share costly fixtures run in one process, which only saves time."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import group_of, moments_of

FILES = ("tests/core/test_rng.py", "tests/core/test_setups.py", "tests/core/test_notation.py")


def test_a_group_is_a_file_or_a_game() -> None:
    assert group_of("tests/core/test_rng.py::test_draws") == "tests/core/test_rng.py"
    assert group_of("tests/core/test_rng.py::test_draws[volt-2]") == "tests/core/test_rng.py"
    assert group_of("tests/contract/test_play.py::test_deadlines[volt]") == "contract volt"
    assert group_of("tests/contract/test_hidden.py::test_it[volt-4-draw]") == "contract volt"
    assert group_of("tests/contract/test_boundaries.py::test_it") == "tests/contract/test_boundaries.py"


def test_end_to_end_tests_come_one_by_one_but_those_of_one_bot() -> None:
    assert group_of("tests/e2e/test_dms.py::test_it[a::b]") == "tests/e2e/test_dms.py::test_it[a::b]"
    assert group_of("tests/e2e/test_faults.py::test_it[late]") == "tests/e2e/test_faults.py"


def test_what_waits_is_spread_over_what_works_and_begun_before_the_end() -> None:
    working = [f"tests/bot/test_{letter}.py" for letter in "abcdefghij"]
    waiting = [f"tests/e2e/test_it.py::test_{number}" for number in range(4)]
    moments = moments_of([*working, *waiting, "tests/sandbox_web/test_page.py"])
    order = sorted(moments, key=moments.__getitem__)
    assert order[0] == "tests/sandbox_web/test_page.py"
    assert [group for group in order if group in working] == working
    places = [order.index(group) for group in waiting]
    assert places == sorted(places)
    assert all(1 < later - place < 5 for place, later in pairwise(places))
    assert len(order) - places[-1] > 3


@pytest.mark.nightly
def test_xdist_keeps_a_group_together(repository: Path) -> None:
    options = ("-n", "2", "--no-loadscope-reorder", "-v", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *FILES],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    workers = defaultdict(set)
    for worker, path in re.findall(r"^\[(gw\d+)\].* PASSED ([^:]+)::", done.stdout, re.MULTILINE):
        workers[path].add(worker)
    assert set(workers) == set(FILES)
    assert all(len(found) == 1 for found in workers.values()), workers
