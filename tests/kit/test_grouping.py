"""What shares costly fixtures runs in one process: nothing fails where it does not, it only takes longer."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.conftest import group_of

FILES = ("tests/core/test_rng.py", "tests/core/test_setups.py", "tests/core/test_notation.py")


def test_a_group_is_a_file_or_a_game() -> None:
    assert group_of("tests/core/test_rng.py::test_draws") == "tests/core/test_rng.py"
    assert group_of("tests/core/test_rng.py::test_draws[volt-2]") == "tests/core/test_rng.py"
    assert group_of("tests/contract/test_play.py::test_deadlines[volt]") == "contract volt"
    assert group_of("tests/contract/test_hidden.py::test_it[volt-4-draw]") == "contract volt"
    assert group_of("tests/contract/test_boundaries.py::test_it") == "tests/contract/test_boundaries.py"


@pytest.mark.nightly
def test_xdist_keeps_a_group_together(repository: Path) -> None:
    options = ("-n", "2", "--no-loadscope-reorder", "-v", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *FILES],
        cwd=repository,
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    workers = defaultdict(set)
    for worker, path in re.findall(r"^\[(gw\d+)\].* PASSED ([^:]+)::", done.stdout, re.MULTILINE):
        workers[path].add(worker)
    assert set(workers) == set(FILES)
    assert all(len(found) == 1 for found in workers.values()), workers
