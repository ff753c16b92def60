"""Balance of CORTO between computer players: ``python -m bench.corto_balance --matches 100 --player greedy``.

For each table: how matches end, how long they are, where the gold comes from, who wins. The random player
is core's walk of the menu, the greedy one the game's own.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import TypeAlias

from engines.core.contract import Seat, Words
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.corto import GAME
from engines.corto.view import View

TABLES = (2, 3, 4)

Player: TypeAlias = Callable[[Match, Seat], Words]


def random_player(match: Match, seat: Seat) -> Words:
    """Return a random walk of the seat's menu."""
    menu = match.menu(seat)
    assert menu is not None
    return walk(GAME, match.view(seat), menu, Rng(match.seed).child("walk", seat, len(match.log)))


def greedy_player(match: Match, seat: Seat) -> Words:
    """Return what the game's own player says."""
    return match.computer(seat)


PLAYERS: dict[str, Player] = {"random": random_player, "greedy": greedy_player}


@dataclass(slots=True)
class Tally:
    """What is counted over the matches of a table. Gold is that of all seats together."""

    matches: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    gold: Counter[str] = field(default_factory=Counter)
    quests: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)

    def add(self, match: Match) -> None:
        """Count a match that is over; a shared first rank is shared evenly."""
        view: View = match.view(None)
        assert view.ranks is not None
        self.matches += 1
        self.ends[view.reason or ""] += 1
        self.turns.append(sum(fact.kind == "turn" for _, fact in match.facts(None)))
        self.sentences.append(len(match.log))
        for line in view.gold:
            self.totals.append(line.total)
            self.gold.update(largest=line.largest, others=line.others, seal=line.seal, corto=line.corto)
            self.quests.update(dict(line.quests))
        self.played.update(view.strips)
        winners = view.ranks[0]
        for seat in winners:
            self.wins[f"place {(seat - view.first) % len(view.players) + 1} in turn order"] += 60 // len(
                winners
            )
            self.wins[view.players[seat].colour] += 60 // len(winners)

    def lines(self) -> Iterator[str]:
        """Yield what is told of the table."""
        number = self.matches
        yield "ends     " + "  ".join(f"{reason} {count / number:.2f}" for reason, count in self.ends.items())
        yield (
            f"turns    median {median(self.turns):.0f}, {min(self.turns)} to {max(self.turns)}; "
            f"sentences median {median(self.sentences):.0f}"
        )
        whole = self.gold.total() + self.quests.total()
        shares = "  ".join(f"{source} {gold / whole:.2f}" for source, gold in self.gold.items())
        yield f"gold     {mean(self.totals):.1f} a seat; {shares}  quests {self.quests.total() / whole:.2f}"
        quests = (f"{key} {self.quests[key] / self.played[key]:.1f}" for key in sorted(self.played))
        yield f"quests   gold a match in which they are played: {'  '.join(quests)}"
        yield "wins     " + "  ".join(
            f"{who} {wins / 60 / number:.2f}" for who, wins in sorted(self.wins.items())
        )


def matches(seats: int, number: int, player: Player) -> Iterator[Match]:
    """Yield ``number`` whole matches at a table."""
    for n in range(number):
        seed = hashlib.sha256(f"corto balance {seats} {n}".encode()).digest()
        match = Match.start(GAME, complete(GAME.manifest, seats), seed)
        while match.waiting:
            seat = min(match.waiting)
            match = match.act(seat, player(match, seat))
        yield match


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.corto_balance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=100, help="matches at each table")
    parser.add_argument("--player", choices=sorted(PLAYERS), default="random")
    parser.add_argument(
        "--seats", type=int, choices=TABLES, action="append", help="a table; all, if left out"
    )
    given = parser.parse_args(arguments)
    if given.matches < 1:
        parser.error("--matches must be at least 1")
    for seats in given.seats or TABLES:
        begun, tally = time.perf_counter(), Tally()
        for match in matches(seats, given.matches, PLAYERS[given.player]):
            tally.add(match)
        print(f"{seats} seats, {given.matches} matches, {given.player} players")
        for line in tally.lines():
            print("  " + line)
        print(f"  {(time.perf_counter() - begun) / given.matches:.2f} s a match", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
