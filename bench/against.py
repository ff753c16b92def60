"""Is this version slower than another checkout? ``python -m bench.against OLD_CHECKOUT``.

Two processes, one a checkout, do the same work in turn, so that a machine that is busy is so for both: they
play recorded matches again with every view and menu (engines), paint the boards of these matches
(pictures, with warm sprites), and let people type and confirm sentences through the whole house, without
painting (commits). What is compared is the time of a core. A ratio above 1 means that this version is slower;
the exit status is 1 where a median is above the bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game
from engines.core.setups import complete

HERE = Path(__file__).resolve().parents[1]
RECORDS = HERE / "tests" / "records"

BOUND = 1.05
ROUNDS = 15

SENTENCES = 12
"""Sentences that are committed in one round: no match is over so soon."""


def replay(record: Path) -> list[Match]:
    """Play a recorded match again; return it at its start and after each act."""
    data = json.loads(record.read_text("utf-8"))["replay"]
    played = game(data["game"])
    setup = complete(played.manifest, len(data["seats"]), data["options"], data["ruleset"])
    moments = [Match.start(played, setup, bytes.fromhex(data["seed"]))]
    for row in data["log"]:
        words = played.read(row["sentence"]) if row["sentence"] else ()
        moments.append(moments[-1].apply(Entry(EntryKind(row["kind"]), row["seat"], words)))
    return moments


def run_engine(record: Path) -> None:
    """Play a match again, and give every seat its view and its menu at every moment."""
    for match in replay(record):
        for seat in range(match.setup.seats):
            match.menu(seat)


def painter(record: Path) -> Callable[[int], None]:
    """Return what paints the boards of a match; a number makes the names new, and so the pictures."""
    from renderers.core.contract import Table  # noqa: PLC0415 - engines are measured without it
    from renderers.core.registry import renderer  # noqa: PLC0415

    moments = replay(record)
    views = [match.view(None) for match in moments[:: max(1, len(moments) // 6)]]
    brush = renderer(moments[0].game.manifest.key)

    def paint(number: int) -> None:
        table = Table(names=tuple(f"Player {number}{seat}" for seat in range(moments[0].setup.seats)))
        for view in views:
            brush.paint(view, "board", table)

    return paint


async def commits(key: str) -> float:
    """Let people say the first sentences of a match; return the time that it took the house."""
    # Both checkouts have this house, and its face is the same.
    from tests.leaks import house  # noqa: PLC0415

    took = 0.0
    with tempfile.TemporaryDirectory() as folder:
        painter = vars(house)["Inline"](paint_with=dot)
        async with house.house(key, Path(folder), painter=painter) as opened:
            for _ in range(SENTENCES):
                seat = min(opened.asked())
                words = opened.match.computer(seat)
                begun = time.process_time()
                await opened.say(seat, words)
                took += time.process_time() - begun
    return took


def dot(_: bytes) -> Any:
    """Return the smallest picture."""
    from renderers.core.contract import Picture  # noqa: PLC0415

    return Picture(b"", "image/png", 1, 1, "a dot")


def work() -> None:
    """Do what standard input asks for, a line of JSON each; answer with the seconds of a core."""
    painters: dict[str, Callable[[int], None]] = {}
    for line in sys.stdin:
        kind, record, number = json.loads(line)
        if kind == "commit":
            print(asyncio.run(commits(Path(record).stem.partition("_")[0])), flush=True)
            continue
        if kind == "paint" and record not in painters:
            painters[record] = painter(Path(record))
        begun = time.process_time()
        if kind == "paint":
            painters[record](number)
        else:
            run_engine(Path(record))
        print(time.process_time() - begun, flush=True)


class Worker:
    """A process that works on one checkout."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--work"],
            env={**os.environ, "PYTHONPATH": str(tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, *request: Any) -> float:
        """Let the process do some work; return the seconds that it took of a core."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def ratio(new: Worker, old: Worker, rounds: int, *request: Any) -> float:
    """Return the median of new to old, measured in turn after one round that does not count."""
    found = []
    for number in range(rounds + 1):
        pair = (new, old) if number % 2 else (old, new)
        took = {worker: worker.seconds(*request, number) for worker in pair}
        found.append(took[new] / took[old])
    return statistics.median(found[1:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    new, old = Worker(HERE), Worker(options.old.resolve())
    slower = 0
    for kind, records in (("engine", "*_?_*.json"), ("paint", "*_?_*.json"), ("commit", "*_2_0.json")):
        found = []
        for record in sorted(RECORDS.glob(records)):
            found.append(ratio(new, old, options.rounds, kind, str(record)))
            print(f"{kind} {record.stem}: {found[-1]:.2f}", flush=True)
        median = statistics.median(found)
        slower += median > BOUND
        print(f"{kind}: {median:.2f} (median, at most {BOUND})", flush=True)
    new.close()
    old.close()
    return min(slower, 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        sys.exit(main())
