"""How well computer players play: pairs of them, sides swapped, as a sequential test.

    python -m bench.players volo [--pairs best-middle] [--effort 0.1] [--matches 400] [--seats 3]
                                 [--options nights=dark] [--processes 2] [--keep FILE] [--memory | --work 24]

Each level plays against the one below, and each against a random walk of the menus; the middle one also
against what the house has without levels (``plain``). A pair plays until :mod:`bench.sprt` says whether
its share of points is at least the aim, or ten points less; *open*: neither within ``--matches``. It
prints wins, the share, the verdict, and what a decision takes of one core. A share has no interval: in a
series that ends by its own results, one for a fixed number of matches would flatter.

A co-operative game's levels play whole tables by themselves, always ``--matches`` of them, so their shares
have intervals of 95 %: *reached* if it is above that of the level before, *missed* if below.

With ``--memory`` it prints what decisions add to the memory of a process instead, and with ``--work 24``
how much work they are, at so many moments and in truths that others at the table cannot tell apart
(``python -m bench.players --work 24 --effort 1`` on a quiet machine says what floors must hold).

Matches begin as people's do: all levels choose by chance among what seems equally good, so that no two go the
same way. A match follows from its number. ``--keep`` writes each one down, and counts those that are there
already as long as the game's program is the same: hours of matches can be played in parts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import resource
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from bench.sprt import Verdict, verdict
from engines.core.contract import Outcome, Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill, Thinking
from engines.core.player import walk
from engines.core.registry import game, games
from engines.core.rng import Rng
from engines.core.setups import complete, usual_seats
from tests.contract.checks.sampling import seed
from tests.kit.work import CALLS, calls, moments, thought, twins

AIM, AIM_RANDOM = 0.65, 0.9
"""The share of points against the level below, or what there was before levels, and against a random walk."""

SURE = 1.96
"""Standard deviations of an interval of 95 %."""

RANDOM, PLAIN = "random", "plain"

LONGEST = 2_000
"""Sentences after which a match counts as a draw."""

SIDES = 2
"""Matches of the same deal with sides swapped: a pair is judged after each so many."""

REMEMBERED = 12
"""Decisions whose memory is measured."""

TWINS = 3
"""Truths beside the real one in which a decision's work is measured."""

MIB = 2**20
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system tells the most memory that a process has had."""

ENGINES = Path(__file__).parents[1] / "engines"

Found: TypeAlias = tuple[float, dict[str, list[float]]]
"""The first player's points, and the seconds that each player took for its decisions."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players and what the first one is to reach. A player is a level's key, ``random`` or ``plain``.

    A player beside itself has the whole table of a co-operative match; its aim is 0.
    """

    first: str
    second: str
    aim: float

    @property
    def is_team(self) -> bool:
        """Return whether they play together and not against one another."""
        return self.first == self.second

    @property
    def name(self) -> str:
        """Return who plays: ``best-middle``, or ``best`` where it has the whole table."""
        return self.first if self.is_team else f"{self.first}-{self.second}"


@dataclass(slots=True)
class Tally:
    """What is counted over the matches of a pair, for the first player."""

    points: float = 0.0
    matches: int = 0
    wins: int = 0
    draws: int = 0
    times: dict[str, list[float]] = field(default_factory=dict)

    def add(self, found: Found) -> None:
        """Count a match."""
        points, times = found
        self.points += points
        self.matches += 1
        self.wins += points == 1.0
        self.draws += points == 0.5
        for player, taken in times.items():
            self.times.setdefault(player, []).extend(taken)

    @property
    def share(self) -> float:
        """Return the share of points."""
        return self.points / self.matches

    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of the share of points, for a number of matches fixed beforehand."""
        n, share = self.matches, self.share
        middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
        margin = SURE / (1 + SURE**2 / n) * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n**2))
        return max(0.0, middle - margin), min(1.0, middle + margin)


@dataclass(frozen=True, slots=True)
class Played:
    """A match to be played: whose is which seat follows from its number.

    ``seats``: at least so many; ``None``: the usual table of a team, two otherwise. ``options``: what a host
    would choose.
    """

    key: str
    pair: Pair
    number: int
    effort: float
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()


def play(played: Played) -> Found:
    """Play a match to its end."""
    found = game(played.key)
    sizes, is_team = found.manifest.seats, played.pair.is_team
    least = played.seats or (usual_seats(found.manifest) if is_team else 2)
    seats = min((size for size in sizes if size >= least), default=max(sizes))
    number = played.number if is_team else played.number // 2
    match = started(played.key, seats, number, played.options)
    players = [played.pair.first, played.pair.second]
    names = {seat: players[(seat + played.number) % 2] for seat in range(seats)}
    times: dict[str, list[float]] = {}
    for _ in range(LONGEST):
        waiting = [seat for seat in match.waiting if seat in found.waiting(match.view(seat))]
        if not waiting:
            break
        seat, words = interrupt(match, names, played.effort) or (min(waiting), None)
        if words is None:
            begun = time.process_time()
            words = said(match, seat, names[seat], played.effort)
            times.setdefault(names[seat], []).append(time.process_time() - begun)
        match = match.act(seat, words)
    return points(match.outcome, [seat for seat, name in names.items() if name == players[0]]), times


def started(key: str, seats: int, number: int, options: Iterable[tuple[str, str]] = ()) -> Match:
    """Return the beginning of a numbered match."""
    seed = hashlib.sha256(f"players {key} {number}".encode()).digest()
    return Match.start(game(key), complete(game(key).manifest, seats, dict(options)), seed)


def interrupt(match: Match, names: Mapping[Seat, str], effort: float) -> tuple[Seat, Words] | None:
    """Return who says something unasked, and what; ``None``: nobody does. A random walk keeps quiet."""
    for seat, player in names.items():
        words = None if player == RANDOM else match.interrupt(seat, skill_of(player, effort))
        if words is not None:
            return seat, words
    return None


def skill_of(player: str, effort: float) -> Skill | None:
    """Return the skill of a level; ``None`` for what the house has without levels."""
    return None if player == PLAIN else Skill(Level(player), effort)


def said(match: Match, seat: Seat, player: str, effort: float) -> Words:
    """Return what a player says."""
    if player == RANDOM:
        menu = match.menu(seat)
        assert menu is not None  # the seat is asked
        return walk(match.game, match.view(seat), menu, Rng(match.seed).child("walk", seat, len(match.log)))
    return match.computer(seat, skill_of(player, effort))


def points(outcome: Outcome | None, seats: Sequence[Seat]) -> float:
    """Return 1 for a match that some seats have won, 0 for one that they have lost, else a half."""
    if outcome is None or outcome.drawn:
        return 0.5
    if outcome.won is not None:
        return float(outcome.won)
    return float(any(seat in outcome.ranks[0] for seat in seats))


def pairs(key: str) -> Iterator[Pair]:
    """Yield what is to be played of a game."""
    if game(key).manifest.cooperative:
        levels = [level.value for level in Level] if isinstance(game(key), Thinking) else []
        for player in (RANDOM, *levels[:1], PLAIN, *levels[1:]):
            yield Pair(player, player, aim=0.0)
        return
    if not isinstance(game(key), Thinking):
        yield Pair(PLAIN, RANDOM, AIM_RANDOM)
        return
    first, middle, best = (level.value for level in Level)
    for level in (first, middle, best):
        yield Pair(level, RANDOM, AIM_RANDOM)
    yield Pair(middle, PLAIN, AIM)
    yield Pair(middle, first, AIM)
    yield Pair(best, middle, AIM)


@cache
def program(key: str) -> str:
    """Return a digest of the files that a match of a game follows from."""
    files = sorted((ENGINES / "core").rglob("*.py")) + sorted((ENGINES / key).rglob("*.py"))
    files += sorted((ENGINES / key).glob("data/*.json"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


class Record:
    """Matches that have been played, a line of JSON each in a file; without one nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self._known: dict[str, Found] = {
            key: (points, times) for key, points, times in map(json.loads, lines)
        }

    def find(self, played: Played) -> Found | None:
        """Return what came of a match; ``None``: it has not been played."""
        return self._known.get(self._key(played))

    def add(self, played: Played, found: Found) -> None:
        """Write down what came of a match."""
        if self._path is not None and self.find(played) is None:
            self._known[self._key(played)] = found
            with self._path.open("a") as file:
                file.write(json.dumps([self._key(played), *found]) + "\n")

    def _key(self, played: Played) -> str:
        return json.dumps(
            {**asdict(replace(played, pair=replace(played.pair, aim=0.0))), "program": program(played.key)}
        )


def in_order(
    matches: Iterable[Played], record: Record, pool: ProcessPoolExecutor, ahead: int
) -> Generator[Found, None, None]:
    """Yield what came of matches, in their order, while at most ``ahead`` are being played."""
    running: deque[tuple[Played, Future[Found]]] = deque()

    def first() -> Found:
        played, future = running.popleft()
        found = future.result()
        record.add(played, found)
        return found

    try:
        for played in matches:
            running.append((played, begun(played, record, pool)))
            if len(running) == ahead:
                yield first()
        while running:
            yield first()
    finally:
        for _, future in running:
            future.cancel()


def begun(played: Played, record: Record, pool: ProcessPoolExecutor) -> Future[Found]:
    """Return a match that is being played, or is known."""
    known = record.find(played)
    if known is None:
        return pool.submit(play, played)
    future: Future[Found] = Future()
    future.set_result(known)
    return future


def measured(
    key: str, pair: Pair, options: argparse.Namespace, record: Record, pool: ProcessPoolExecutor
) -> Tally:
    """Play a pair until it is decided; a team plays all its matches."""
    chosen = tuple(options.options)
    matches = (
        Played(key, pair, number, options.effort, options.seats, chosen) for number in range(options.matches)
    )
    results = in_order(matches, record, pool, options.processes)
    try:
        return counted(pair, results)
    finally:
        results.close()


def counted(pair: Pair, results: Iterable[Found]) -> Tally:
    """Count matches in their order, of a pair until it is decided, of a team all."""
    tally, left = Tally(), iter(results)
    while batch := list(islice(left, SIDES)):
        for found in batch:
            tally.add(found)
        if not pair.is_team and verdict(tally.points, tally.matches, pair.aim) is not Verdict.OPEN:
            break
    return tally


def memory(key: str, level: Level, effort: float) -> float:
    """Return the MiB that a level's first decisions add to a process that has not thought before, at most."""
    match = started(key, min(game(key).manifest.seats), 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(REMEMBERED):
        if match.outcome is not None:
            break
        seat = min(match.waiting)
        match = match.act(seat, said(match, seat, level.value, effort))
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * PEAK_UNIT / MIB


def judged(pair: Pair, tally: Tally, before: Tally | None) -> Verdict:
    """Judge a pair by its aim, and a team by the interval of the one before it."""
    if not pair.is_team:
        return verdict(tally.points, tally.matches, pair.aim)
    (low, high), (lower, upper) = tally.interval(), before.interval() if before else (0.0, 1.0)
    return Verdict.REACHED if low > upper else Verdict.MISSED if high < lower else Verdict.OPEN


def line(pair: Pair, tally: Tally, found: Verdict) -> str:
    """Return what came of a pair."""
    taken = "; ".join(
        f"{player} {1_000 * sum(times) / len(times):.0f} ms a decision, {1_000 * max(times):.0f} at most"
        for player, times in sorted(tally.times.items())
    )
    low, high = tally.interval()
    aim = f"({low:.0%} to {high:.0%})" if pair.is_team else f"of points, aim {pair.aim:.0%}"
    return (
        f"{pair.name}: {tally.wins} wins and {tally.draws} draws of {tally.matches}, "
        f"{tally.share:.0%} {aim}: {found.value}; {taken}"
    )


def _option(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key, value


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the games that are named, or all; return 1 where an aim is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="keys of games; none: all")
    parser.add_argument("--effort", type=float, default=0.1, help="the share of each level's budget")
    parser.add_argument("--matches", type=int, default=400, help="matches of a pair, at most")
    parser.add_argument("--seats", type=int, help="seats of a table, or what the game has next to it")
    parser.add_argument(
        "--options", nargs="*", type=_option, default=[], help="what a host would choose: nights=dark"
    )
    parser.add_argument("--processes", type=int, default=2, help="processes at once")
    parser.add_argument("--pairs", nargs="*", help="pairs by name: best-middle; none: all")
    parser.add_argument("--keep", type=Path, help="a file of matches that have been played")
    parser.add_argument("--memory", action="store_true", help="measure the memory of decisions instead")
    parser.add_argument(
        "--work", type=int, default=0, help="measure the work of decisions at so many moments"
    )
    parser.add_argument("--levels", nargs="*", help="levels of which the work is measured; none: all")
    options = parser.parse_args(arguments)
    results = []
    for key in options.games or games():
        if options.memory:
            results.append(tell_memory(key, options.effort))
        elif options.work:
            results.append(tell_work(key, options))
        else:
            results.append(tell_pairs(key, options))
    return int(not all(results))


def tell_memory(key: str, effort: float) -> bool:
    """Print what the levels of a game need, each in a process of its own."""
    found = []
    for level in Level:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(f"{level.value} {pool.submit(memory, key, level, effort).result():.1f} MiB")
    print(f"{game(key).manifest.title}, {effort:.0%} of the budgets: {', '.join(found)}", flush=True)
    return True


def work(key: str, level: Level, number: int, effort: float) -> list[list[tuple[float, int]]]:
    """Return the seconds of one core and the calls of decisions: of each moment, in its twin truths."""
    found, rng, skill = [], Rng(seed("twins", key)), Skill(level, effort)
    for place, (match, seat) in enumerate(moments(game(key), number, key)):
        each = []
        for twin in twins(match, seat, TWINS, rng.child(place)):
            think, begun = thought(twin, seat, skill), time.process_time()
            think()
            each.append((time.process_time() - begun, calls(think)))
        found.append(each)
    return found


def tell_work(key: str, options: argparse.Namespace) -> bool:
    """Print how much work the levels of a game do; return whether each keeps within its bound."""
    levels = [level for level in Level if not options.levels or level.value in options.levels]
    kept = True
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(work, key, level, options.work, options.effort) for level in levels]
        for level, future in zip(levels, running, strict=True):
            found = future.result()
            seconds = sorted(taken for each in found for taken, _ in each)
            counts = sorted(count for each in found for _, count in each)
            late = len(counts) * 99 // 100
            apart = max(max(count for _, count in each) / min(count for _, count in each) for each in found)
            kept &= counts[-1] <= CALLS[level]
            print(
                f"{game(key).manifest.title}, {level.value}: {len(counts)} decisions,"
                f" calls at most {counts[-1]:,} (99%: {counts[late]:,}; bound {CALLS[level]:,}),"
                f" ms of a core at most {1e3 * seconds[-1]:,.0f} (99%: {1e3 * seconds[late]:,.0f},"
                f" mean {1e3 * sum(seconds) / len(seconds):,.0f}), {sum(counts) / sum(seconds) / 1e6:.1f}"
                f" million calls a second; twins at most {apart:.2f} times apart",
                flush=True,
            )
    return kept


def tell_pairs(key: str, options: argparse.Namespace) -> bool:
    """Print what comes of the pairs of a game; return whether no aim is missed."""
    print(f"{game(key).manifest.title}, {options.effort:.0%} of the budgets:", flush=True)
    record, before, missed = Record(options.keep), None, False
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for pair in pairs(key):
            if options.pairs and pair.name not in options.pairs:
                continue
            tally = measured(key, pair, options, record, pool)
            found = judged(pair, tally, before)
            before = tally
            missed |= found is Verdict.MISSED
            print(f"  {line(pair, tally, found)}", flush=True)
    return not missed


if __name__ == "__main__":
    sys.exit(main())
