"""How well computer players play: pairs of them, sides swapped, as a sequential test.

    python -m bench.players volo [--effort 0.1] [--matches 400] [--processes 2] [--seats 3]

Each level plays against the one below, and each against a random walk of the menus; the middle one also
against what the house has without levels (``plain``). A pair plays until its share of points is known to be
above or below what it should reach; a co-operative game's levels play whole tables by themselves.
It prints wins, the share with its interval of 95 %, and what a decision takes of one core.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

from engines.core.contract import Outcome, Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import Thinking
from engines.core.player import walk
from engines.core.registry import game, games
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.core.skill import Level, Skill

AIM, AIM_RANDOM = 0.65, 0.9
"""The share of points against the level below, and against a random walk."""

SURE = 1.96
"""Standard deviations of an interval of 95 %."""

RANDOM, PLAIN = "random", "plain"

OPENINGS = {"volo": 4}
"""Sentences that are drawn at the start of games without chance: others begin differently by themselves."""

LONGEST = 2_000
"""Sentences after which a match counts as a draw."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players and what the first one is to reach. A player is a level's key, ``random`` or ``plain``.

    A player beside itself has the whole table of a co-operative match.
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
        """Return who plays."""
        return self.first if self.is_team else f"{self.first} against {self.second}"


@dataclass(slots=True)
class Tally:
    """What is counted over the matches of a pair, for the first player."""

    points: float = 0.0
    matches: int = 0
    wins: int = 0
    draws: int = 0
    times: dict[str, list[float]] = field(default_factory=dict)

    def add(self, points: float, times: dict[str, list[float]]) -> None:
        """Count a match."""
        self.points += points
        self.matches += 1
        self.wins += points == 1.0
        self.draws += points == 0.5
        for player, found in times.items():
            self.times.setdefault(player, []).extend(found)

    @property
    def share(self) -> float:
        """Return the share of points."""
        return self.points / self.matches

    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of the share of points."""
        n, share = self.matches, self.share
        middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
        margin = SURE / (1 + SURE**2 / n) * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n**2))
        return max(0.0, middle - margin), min(1.0, middle + margin)


@dataclass(frozen=True, slots=True)
class Played:
    """A match to be played: whose is which seat follows from its number. ``seats``: at least so many."""

    key: str
    pair: Pair
    number: int
    effort: float
    seats: int = 2


def play(played: Played) -> tuple[float, dict[str, list[float]]]:
    """Play a match and return the first player's points and the seconds that each took for its decisions."""
    found = game(played.key)
    sizes, is_team = found.manifest.seats, played.pair.is_team
    least = max(sizes) if is_team else played.seats
    seats = min((size for size in sizes if size >= least), default=max(sizes))
    number = played.number if is_team else played.number // 2
    seed = hashlib.sha256(f"players {played.key} {number}".encode()).digest()
    match = Match.start(found, complete(found.manifest, seats, {}), seed)
    players = [played.pair.first, played.pair.second]
    names = {seat: players[(seat + played.number) % 2] for seat in range(seats)}
    times: dict[str, list[float]] = {}
    opening = OPENINGS.get(played.key, 0)
    for number in range(LONGEST):
        waiting = [seat for seat in match.waiting if seat in found.waiting(match.view(seat))]
        if not waiting:
            break
        seat, words = interrupt(match, names, played.effort) or (min(waiting), None)
        if words is None:
            begun = time.process_time()
            words = said(match, seat, names[seat] if number >= opening else RANDOM, played.effort)
            if number >= opening:
                times.setdefault(names[seat], []).append(time.process_time() - begun)
        match = match.act(seat, words)
    return points(match.outcome, [seat for seat, name in names.items() if name == players[0]]), times


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
    """Yield what is to be played of a game; a team's aim is what the one before it has reached."""
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
    yield Pair(middle, PLAIN, AIM_RANDOM)
    yield Pair(middle, first, AIM)
    yield Pair(best, middle, AIM)


def measured(key: str, pair: Pair, options: argparse.Namespace, pool: ProcessPoolExecutor) -> Tally:
    """Play a pair until its share is known to be on one side of the aim; a team plays all its matches."""
    tally = Tally()
    at_once = 2 * options.processes
    while tally.matches < options.matches:
        numbers = range(tally.matches, min(options.matches, tally.matches + at_once))
        matches = [Played(key, pair, number, options.effort, options.seats) for number in numbers]
        for found in pool.map(play, matches):
            tally.add(*found)
        low, high = tally.interval()
        if not pair.is_team and (low > pair.aim or high < pair.aim):
            break
    return tally


def line(pair: Pair, tally: Tally) -> str:
    """Return what came of a pair."""
    low, high = tally.interval()
    verdict = "reached" if low > pair.aim else "missed" if high < pair.aim else "open"
    taken = "; ".join(
        f"{player} {1_000 * sum(found) / len(found):.0f} ms a decision, {1_000 * max(found):.0f} at most"
        for player, found in sorted(tally.times.items())
    )
    share = f"{tally.share:.0%} ({low:.0%} to {high:.0%})"
    return (
        f"{pair.name}: {tally.wins} wins and {tally.draws} draws of {tally.matches}, "
        f"{share}, aim {pair.aim:.0%} {verdict}; {taken}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the games that are named, or all; return 1 where an aim is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="keys of games; none: all")
    parser.add_argument("--effort", type=float, default=0.1, help="the share of each level's budget")
    parser.add_argument("--matches", type=int, default=400, help="matches of a pair, at most")
    parser.add_argument(
        "--seats", type=int, default=2, help="seats of a table, or what the game has next to it"
    )
    parser.add_argument("--processes", type=int, default=2, help="processes at once")
    options = parser.parse_args(arguments)
    missed = False
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for key in options.games or games():
            print(f"{game(key).manifest.title}, {options.effort:.0%} of the budgets:", flush=True)
            share = 0.0
            for planned in pairs(key):
                pair = replace(planned, aim=share) if planned.is_team else planned
                tally = measured(key, pair, options, pool)
                share = tally.share
                missed |= tally.interval()[1] < pair.aim
                print(f"  {line(pair, tally)}", flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
