"""Record matches by a game's newest ruleset: ``python -m tests.records.record volt``.

One is recorded of each table size and one of each kind of option: by computer players, by chance, or with
a seat that leaves. ``test_matches.py`` plays them again for as long as the game has that ruleset. A record
stays as it is; new files get numbers of their own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate, cycle
from pathlib import Path
from typing import Any

from engines.core import registry
from engines.core.contract import Setup
from engines.core.match import Match
from tests.contract.checks.sampling import WAYS, seed, tables
from tests.kit.replays import replay_of
from tests.records.test_matches import next_moment, seen_by_all

HERE = Path(__file__).parent


def records(key: str) -> Iterator[tuple[Setup, dict[str, Any]]]:
    """Yield a record of each kind of table of a game: its replay file, and what everybody saw."""
    game = registry.game(key)
    newest = [setup for setup in tables(game) if setup.ruleset == game.manifest.ruleset]
    for number, (setup, play) in enumerate(zip(newest, cycle(WAYS), strict=False)):
        *_, end = play(game, setup, seed("record", key, setup.ruleset, number))
        # As a file has it: tuples are lists there.
        replay = json.loads(json.dumps(replay_of(end)))
        start = Match.start(game, setup, end.seed)
        moments = accumulate(replay["log"], next_moment, initial=start)
        yield setup, {"replay": replay, "views": [seen_by_all(match) for match in moments]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the records of the games that are named; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="+", choices=list(registry.games()))
    for key in parser.parse_args(arguments).games:
        first = len([*HERE.glob(f"{key}_*.json")])
        for number, (setup, record) in enumerate(records(key), first):
            path = HERE / f"{key}_{setup.seats}_{number}.json"
            # A record that is there already is never written anew.
            with path.open("x", encoding="utf-8") as file:
                file.write(json.dumps(record, indent=0) + "\n")
            print(path.name, len(record["views"]), "moments")
    return 0


if __name__ == "__main__":
    sys.exit(main())
