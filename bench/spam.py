"""Whether one person can keep others waiting: ``python -m bench.spam``.

The evening of :mod:`bench.load` twice: in the second one there is somebody else besides, who has opened 120
tables in a channel of their own before the bot starts, and who goes on opening tables and asking for pictures
as long as the evening lasts. Measured, of the others alone: how long after the start their boards are shown,
and how long each board waits after its sentence was committed (as the outbox has it: from a job's coming to
its going). The exit status is 1 where the second evening's boards come more than a second later than the
first one's, or where either misses a bound of :mod:`bench.load`.
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
"""Seconds that others' boards may come later because of one person, at most: 99 in 100 of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.spam", description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="others' matches")
    parser.add_argument("--pace", type=float, default=5.0, help="their clicks a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long an evening lasts")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        found: list[Evening] = []
        for spam in (False, True):
            place = Path(folder) / f"spam-{spam}"
            place.mkdir()
            each = asyncio.run(evening(options, place, spam=spam))
            found.append(each)
            name = "with the spammer" if spam else "without the spammer"
            print(
                f"{name}: all others' boards shown {each.shown:.1f} s after the start; {each.boards} boards"
                f" later, 99% of them within {each.late:.2f} s; asked for {each.asked} things",
                flush=True,
            )
    alone, beside = found
    kept = verdict("others' boards come later, 99%", beside.late - alone.late, LATER, "s")
    return 0 if kept and alone.kept and beside.kept else 1


if __name__ == "__main__":
    sys.exit(main())
