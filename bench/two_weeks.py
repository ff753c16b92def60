"""Two weeks of one game, played through the sandbox: ``python -m bench.two_weeks corto``.

Four people play at pace *day*: one vanishes, one goes on holiday, one gives the seat to somebody else, and
one plays by direct messages alone; games of two share this over several matches. The bot is killed once a
day of the sandbox's clock. At the end every match must be over and its log replayable, every clock right to
the second, and nobody pinged in quiet hours; the simulation's witness must find nothing in any of it. The
exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import shutil
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from engines.core.registry import games
from tests.e2e.stage import Stage
from tests.e2e.weeks.play import Weeks, begin, judge, look_at_replays, play, reminders_of
from tests.kit.witness.report import FOUND


async def weeks_of(key: str, folder: Path) -> Weeks:
    """Play two weeks of a game."""
    async with Stage(folder, moves_clock=True) as stage:
        weeks = await begin(stage, key)
        try:
            await play(weeks)
            await look_at_replays(weeks)
        finally:
            weeks.findings = judge(weeks)
        weeks.findings += [line for line in await stage.witness() if line.startswith(FOUND)]
        return weeks


def _keep(weeks: Weeks, folder: Path) -> None:
    """Keep what has happened: in words, with the witness's report, and as it was recorded."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [*weeks.transcript, *weeks.stage.judged]
    (folder / f"{weeks.game}.txt").write_text("\n".join(lines), "utf-8")
    shutil.copy(weeks.stage.transcript, folder / f"{weeks.game}.journal")
    shutil.copy(weeks.stage.log, folder / f"{weeks.game}.log")
    copy = folder / f"{weeks.game}.db"
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(weeks.stage.database)) as database, closing(sqlite3.connect(copy)) as target:
        database.backup(target)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games that are named, or all; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=sorted(games()), help="the games to play")
    parser.add_argument(
        "--transcripts", type=Path, help="a folder for what happened, and for what bench.witness reads"
    )
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    wrong = 0
    for key in chosen.games:
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            weeks = asyncio.run(weeks_of(key, Path(folder)))
            if chosen.transcripts is not None:
                _keep(weeks, chosen.transcripts)
        lines = sorted(weeks.transcript[1:], key=lambda line: line)
        reminders = {name: reminders_of(weeks, name) for name in weeks.people}
        worst = max((seconds for seconds, _ in weeks.late), default=0.0)
        print(
            f"{key}: {len(weeks.tables)} matches, {sum(weeks.seen_rows.values())} rows, {weeks.kills} kills, "
            f"{weeks.replays} played again, "
            f"{len(weeks.late)} judged, at most {worst:.1f} s late, reminders {reminders}, "
            f"{len(lines)} lines, {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
        print(f"  {weeks.stage.judged[0]}", flush=True)
        for finding in weeks.findings:
            print(f"  {finding}", flush=True)
        wrong += len(weeks.findings)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
