"""Whether computer players keep people waiting: ``python -m bench.company``, 200 matches with them at once.

The evening of :mod:`bench.load` twice, with as many matches and clicks. In the second one a person plays with
computers of all levels in half of the matches. Measured: how long clicks wait to be acknowledged, how long
after their sentences the boards come in the matches that people play with each other, how long the computers
take for their answers, and how the memory of all processes grows. The exit status is 1 where a bound is
missed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.load import Evening, evening
from bench.matches import verdict

LATER = 1.0
"""Seconds that boards may come later because computers think, at most: 99 in 100 of them."""

LONGEST = 60.0
"""Seconds that any answer of a computer player may take."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.company", description=__doc__)
    parser.add_argument("--company", type=int, default=200, help="matches with computers, and others")
    parser.add_argument("--pace", type=float, default=15.0, help="clicks a second")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long an evening lasts")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    options = parser.parse_args(arguments)
    options.matches = 2 * options.company
    logging.basicConfig(level=logging.ERROR)
    found: list[Evening] = []
    with tempfile.TemporaryDirectory() as folder:
        for with_computers in (0, options.company):
            print(f"with computers in {with_computers} of {options.matches} matches:", flush=True)
            place = Path(folder) / f"company-{with_computers}"
            place.mkdir()
            found.append(asyncio.run(evening(options, place, with_computers=with_computers)))
    without, beside = found
    answers = sorted(beside.answers)
    if answers:
        middle, late = answers[len(answers) // 2], answers[len(answers) * 99 // 100]
        print(f"{len(answers)} answers of computers: median {middle:.1f} s, 99% {late:.1f} s")
    kept = [
        without.kept,
        beside.kept,
        verdict("answers of computers", len(answers), options.company, "", least=True),
        verdict("the longest answer", max(answers, default=0.0), LONGEST, "s"),
        verdict("boards come later, 99%", beside.late - without.late, LATER, "s"),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
