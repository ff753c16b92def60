"""Baseline play in thousands: ``python -m bench.baseline --matches 1000 [--game KEY]``.

Every match of computer players is played to its end and checked at every moment; the checks for
leaks look at a sample of moments. Then a fresh process with another hash seed plays them all again:
each match must end in the same digest, and have made the same one on the way.
Two processes share the matches. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engines.core import registry
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import menus, play, secrets
from tests.contract.checks.sampling import Line, baseline, sample, seed, tables, viewers

PROCESSES = 2
HASH_SEEDS = ("1", "2")
LEAKS_EVERY = 10
"""One match in so many is looked at for leaks, at ``MOMENTS`` of its moments."""

MOMENTS = 3
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Result:
    """One match: its digest over all moments, sentences said, views compared with a twin, faults found."""

    number: int
    digest: str
    sentences: int
    twins: int
    views: int
    fault: str


def line_of(game: AnyGame, number: int) -> Iterator[Match]:
    """Yield match ``number`` of a game after each sentence; the tables take turns."""
    choices = tables(game)
    return baseline(game, choices[number % len(choices)], seed("bench", game.manifest.key, number))


def digest(line: Line) -> str:
    """Return a digest of the states of all moments."""
    return hashlib.sha256("".join(match.digest() for match in line.moments).encode()).hexdigest()


def checked(game: AnyGame, number: int) -> Result:
    """Play a match and check it; a fault is told, not raised, so that the others are played too."""
    said, twins, views = 0, 0, 0
    try:
        line = Line(tuple(line_of(game, number)))
        said = len(line.end.log)
        for match in line.moments:
            play.check_moment(match)
            play.check_last_sentence(match)
        play.check_end(line.end, earlier=line.moments[-2])
        if number % LEAKS_EVERY == 0:
            twins, views = leaks(line, Rng(seed("leaks", number)))
        return Result(number, digest(line), said, twins, views, "")
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        fault = f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno}: {error}"
        return Result(number, "", said, twins, views, fault)


def leaks(line: Line, rng: Rng) -> tuple[int, int]:
    """Check a sample of moments for leaks; return how many views had a twin, and of how many."""
    twins, views = 0, 0
    play.check_replay(line)
    for number, match in enumerate(sample(line, MOMENTS, rng.stream("moments"))):
        secrets.check_secret_choices(match, rng)
        for viewer in viewers(match):
            views += 1
            twins += secrets.check_twin(match, viewer, rng.child("twin", number))
        for seat in sorted(match.waiting):
            menus.check_menus(match, seat, rng.child("menus", number))
    return twins, views


# --- the processes ------------------------------------------------------------------------------


def numbers(matches: int, share: int) -> Iterable[int]:
    """Return the matches that process ``share`` plays."""
    return range(share, matches, PROCESSES)


def work(game: AnyGame, matches: int, share: int, *, again: bool) -> None:
    """Play a share of the matches; print a line of JSON for each."""
    for number in numbers(matches, share):
        if again:
            print(json.dumps([number, digest(Line(tuple(line_of(game, number))))]), flush=True)
        else:
            result = checked(game, number)
            fields = (result.digest, result.sentences, result.twins, result.views, result.fault)
            print(json.dumps([number, *fields]), flush=True)


def spread(key: str, matches: int, hash_seed: str, *more: str) -> list[list[int | str]]:
    """Run :func:`work` in two processes; return what they printed, in the order of the matches."""
    common = [sys.executable, "-m", "bench.baseline", "--game", key, "--matches", str(matches), *more]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    running = [
        subprocess.Popen(
            [*common, "--share", str(share)], env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for share in range(PROCESSES)
    ]
    printed = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        raise SystemExit(f"a process that plays {key} has failed")
    return sorted((json.loads(text) for out in printed for text in out.splitlines()), key=lambda row: row[0])


def measure(key: str, matches: int) -> bool:
    """Play the matches of a game twice; print its row and its faults; return whether all is well."""
    begun = time.perf_counter()
    rows = spread(key, matches, HASH_SEEDS[0])
    results = [Result(*row) for row in rows]  # type: ignore[arg-type]
    again = {row[0]: row[1] for row in spread(key, matches, HASH_SEEDS[1], "--again")}
    others = [
        result.number for result in results if not result.fault and again[result.number] != result.digest
    ]
    faults = [result for result in results if result.fault]
    sentences = sum(result.sentences for result in results)
    twins, views = (sum(getattr(result, name) for result in results) for name in ("twins", "views"))
    print(
        f"{key:<8} {len(results):>8} {sentences:>10} {max(r.sentences for r in results):>8} "
        f"{f'{twins}/{views}':>12} {len(faults):>7} {len(others):>8} {time.perf_counter() - begun:>8.1f}"
    )
    for result in faults[:10]:
        print(f"  match {result.number}: {result.fault}")
    if others:
        print(f"  other digests in a fresh process: matches {others[:10]}")
    return not faults and not others


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all games, or one; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.baseline", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=1000, help="matches of each game")
    parser.add_argument("--game", choices=list(registry.games()), help="one game only")
    parser.add_argument("--share", type=int, choices=range(PROCESSES), help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.matches < 1:
        parser.error("--matches must be at least 1")
    if given.share is not None:
        work(registry.game(given.game), given.matches, given.share, again=given.again)
        return 0
    print(
        f"{'game':<8} {'matches':>8} {'sentences':>10} {'longest':>8} {'twins':>12} {'faults':>7} "
        f"{'digests≠':>8} {'seconds':>8}"
    )
    well = [measure(key, given.matches) for key in ([given.game] if given.game else registry.games())]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
