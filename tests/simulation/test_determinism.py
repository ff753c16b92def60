"""A seed plays again exactly, whatever process plays it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.kit.simulation import Finding, Result, simulate
from tests.kit.simulation.database import Storage
from tests.kit.simulation.faults import SOME
from tests.kit.simulation.loop import EARLY, SeededLoop, Stuck, TooLong
from tests.kit.simulation.plan import Plan
from tests.simulation.played import played

SEEDS = (52, 11)
"""Of kills, and of a crowd."""

SHARED = Plan(people=3, acts=14, processes=2, cuts=0.01, freezes=1, kills=1, losses=1, faults=SOME)
"""Over PostgreSQL: two processes that are killed, stand still and lose connections."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_plays_again_exactly(seed: int) -> None:
    first, second = played(seed), simulate(seed)
    assert first.trace == second.trace
    assert any("confirms" in line for line in first.trace), "something has happened"
    assert first == second


def test_a_seed_plays_again_exactly_over_postgresql(postgresql: Storage) -> None:
    first, second = (simulate(1, postgresql, plan=SHARED) for _ in range(2))
    assert first.trace == second.trace
    assert any("confirms" in line for line in first.trace), "something has happened"
    assert first == second


def test_another_process_with_another_hash_seed_plays_the_same(repository: Path) -> None:
    program = "from tests.kit.simulation import simulate\n" + "".join(
        f"print(simulate({seed}).digest)\n" for seed in SEEDS
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=repository,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [played(seed).digest for seed in SEEDS]


def test_other_seeds_play_otherwise() -> None:
    assert len({played(seed).digest for seed in SEEDS}) == len(SEEDS)


def test_a_report_names_the_seed_and_ends_with_the_trace() -> None:
    trace = tuple(f"line {number}" for number in range(500))
    found = (Finding("lost", "a sentence"),)
    report = Result(7, "crowd", Plan(kills=2), found, trace, "", 0, {}).report()
    assert report.startswith("seed 7 of crowd, --plan '{\"kills\": 2}':\n  lost: a sentence\n")
    assert report.endswith("line 499")
    assert "line 0\n" not in report


def test_a_loop_with_nothing_to_do_is_stuck() -> None:
    loop = _loop(100)
    future = loop.create_future()
    with pytest.raises(Stuck):
        loop.run_until(future.done)


def test_a_loop_that_spins_is_given_up() -> None:
    loop = _loop(100)

    def spin() -> None:
        loop.call_soon(spin)

    spin()
    with pytest.raises(TooLong):
        loop.run_until(lambda: False)


def test_a_life_that_stands_still_does_later_what_was_due_meanwhile() -> None:
    loop = _loop(1_000)
    lines: list[str] = []
    for name, life in (("world", 0), ("house", 1)):
        context = loop.in_life(life)
        loop.call_soon(lines.append, name, context=context)
        loop.call_later(5.0, lines.append, f"{name} later", context=context)
    loop.freeze(1)
    loop.run_until(lambda: len(lines) == 2)
    assert lines == ["world", "world later"]
    loop.thaw(1)
    loop.run_until(lambda: len(lines) == 4)
    assert sorted(lines[2:]) == ["house", "house later"]


def test_a_leap_ends_before_what_is_next_and_counts_as_no_time_awake() -> None:
    loop = _loop(1_000)
    lines: list[float] = []
    begun = loop.time()
    loop.leap = lambda now: begun + 500.0
    loop.call_later(30.0, lambda: lines.append(loop.time()), context=loop.in_life(1))
    loop.call_later(800.0, lambda: lines.append(loop.time()))
    loop.run_until(lambda: len(lines) == 2)
    assert lines == [begun + 500.0 - EARLY, begun + 800.0]
    assert loop.leapt == 500.0 - EARLY - 30.0
    assert loop.time_awake() == loop.time() - loop.leapt


def test_a_life_that_ends_runs_no_further_line() -> None:
    loop = _loop(1_000)
    lines: list[str] = []

    def call(name: str, life: int) -> None:
        context = loop.in_life(life)
        loop.call_soon(lines.append, name, context=context)
        loop.call_later(5.0, lines.append, f"{name} later", context=context)

    call("world", 0)
    call("house", 1)
    loop.end_life(1)
    call("house again", 1)
    loop.run_until(lambda: len(lines) == 2)
    assert lines == ["world", "world later"]


def _loop(steps: int) -> SeededLoop:
    return SeededLoop(Random(1), steps)  # type: ignore[abstract] # no sockets, no signals
