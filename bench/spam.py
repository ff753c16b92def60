"""Whether one person can keep others waiting: ``python -m bench.spam``.

The evening of :mod:`bench.load` twice: in the second one there is somebody else besides, who has opened 120
tables in a channel of their own before the bot starts, and who does everything that can be done a hundred
times (``KINDS`` of :mod:`bench.spammer`), twenty times a second, as long as the evening lasts. ``--kinds``
names some of it, and ``--each`` plays an evening for each kind alone. Measured, of the others alone: how long
after the start their boards are shown, how long each board waits after its sentence was committed (as the
outbox has it: from a job's coming to its going), and how long clicks wait for their acknowledgement. The exit
status is 1 where boards come more than a second later beside the spammer, where clicks are acknowledged too
late, or where an evening misses another bound of :mod:`bench.load`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.load import ACKNOWLEDGED, Evening, evening
from bench.matches import verdict
from bench.spammer import KINDS

LATER_S = 1.0
"""Seconds that others' boards may come later because of one person, at most: 99 in 100 of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.spam", description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="others' matches")
    parser.add_argument("--pace", type=float, default=5.0, help="their clicks a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long an evening lasts")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), help="what is done")
    parser.add_argument("--each", action="store_true", help="one evening for each kind")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    alone = _evening(options, ())
    evenings = [[kind] for kind in options.kinds] if options.each else [options.kinds]
    kept = alone.kept
    for kinds in evenings:
        beside = _evening(options, kinds)
        what = kinds[0] if options.each else "everything"
        kept &= verdict(f"{what}: others' boards come later, 99%", beside.late - alone.late, LATER_S, "s")
        kept &= verdict(f"{what}: others' clicks acknowledged, 99%", beside.acknowledged, ACKNOWLEDGED, "ms")
        kept &= beside.kept
    return 0 if kept else 1


def _evening(options: argparse.Namespace, kinds: Sequence[str]) -> Evening:
    """Play one evening beside somebody who does ``kinds`` of things, or nobody; print how it was."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(evening(options, Path(folder), spam=bool(kinds), kinds=kinds))
    print(
        f"{'beside the spammer' if kinds else 'without the spammer'}: all others' boards shown"
        f" {found.shown:.1f} s after the start; {found.boards} boards later, 99% of them within"
        f" {found.late:.2f} s; clicks acknowledged, 99% within {found.acknowledged:.0f} ms",
        flush=True,
    )
    for kind, times in sorted(found.asked.items()):
        print(f"  {times} times: {kind}")
    return found


if __name__ == "__main__":
    sys.exit(main())
