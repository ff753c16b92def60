"""``python -m bench.reading paint`` and ``python -m bench.reading score``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.reading import games
from bench.reading.positions import NoPositionError
from bench.reading.sets import POSITIONS, SIZES, THEMES, Choice, UsedFolderError, paint, score


def main(arguments: list[str] | None = None) -> int:
    """Paint a set, or compare answers; return 1 where a set was read too badly, 2 for what cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m bench.reading", description="The blind reading.")
    parts = parser.add_subparsers(dest="part", required=True)
    painting = parts.add_parser("paint", help="paint pictures and forms; the truth goes beside the folder")
    painting.add_argument("--out", type=Path, required=True, metavar="DIR")
    painting.add_argument("--seed", type=int, required=True)
    painting.add_argument("--game", action="append", choices=list(games.SHEETS))
    painting.add_argument("--theme", action="append", choices=THEMES)
    painting.add_argument("--size", action="append", choices=list(SIZES), help="where it is read")
    painting.add_argument(
        "--positions", type=int, choices=range(1, POSITIONS + 1), default=POSITIONS, metavar="N"
    )
    painting.add_argument(
        "--density",
        type=int,
        choices=(1, 2, 3),
        default=1,
        help="pixels of the screen for each of these sizes",
    )
    scoring = parts.add_parser("score", help="compare the answers in a folder with the truth")
    scoring.add_argument("folder", type=Path, metavar="DIR")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.part == "score":
            return 0 if score(chosen.folder) else 1
        choice = Choice(
            chosen.game or tuple(games.SHEETS),
            chosen.theme or THEMES,
            chosen.size or tuple(SIZES),
            chosen.positions,
            chosen.density,
        )
        paint(chosen.out, chosen.seed, choice)
    except (UsedFolderError, NoPositionError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
