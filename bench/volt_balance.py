"""Balance of VOLT between computer players: ``python -m bench.volt_balance --matches 200``.

For each arena: median rounds, points from kills, wins by side. For each module: how often those who
owned it at the end won, against how often they would have by the number of seats alone.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from engines.core.match import Match
from engines.core.setups import complete
from engines.volt import GAME
from engines.volt.view import View

ARENAS = "ABCD"
TABLES = (2, 3, 4)
SIDES = {2: "NS", 3: "NES", 4: "NESW"}
"""Which sides play at a table of so many."""


@dataclass(slots=True)
class Tally:
    """What is counted over the matches of an arena."""

    rounds: list[int] = field(default_factory=list)
    points: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    owned: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    fair: dict[str, float] = field(default_factory=dict)

    def add(self, match: Match) -> None:
        """Count a match that is over."""
        view: View = match.view(None)
        assert view.ranks is not None
        winners = view.ranks[0]
        self.rounds.append(view.round)
        self.points.update(str(f["why"]) for _, f in match.facts(None) if f.kind == "scored")
        for robot in view.robots:
            self.seats[robot.side] += 1
            self.wins[robot.side] += robot.seat in winners
            modules = view.modules[robot.seat]
            for card in (*modules.active, *modules.spare):
                name = card.name or ""
                self.owned[name] += 1
                self.won[name] += robot.seat in winners
                self.fair[name] = self.fair.get(name, 0.0) + 1 / len(view.robots)

    def row(self) -> str:
        """Return the line of an arena."""
        total = self.points["kill"] + self.points["token"]
        sides = "  ".join(f"{side} {self.wins[side] / self.seats[side]:.2f}" for side in "NESW")
        kills = self.points["kill"] / max(1, total)
        return f"{median(self.rounds):>6} {max(self.rounds):>6} {kills:>6.2f}   {sides}"


def matches(arena: str, number: int) -> Iterator[Match]:
    """Yield ``number`` whole matches on an arena, over all tables in turn."""
    for n in range(number):
        setup = complete(GAME.manifest, TABLES[n % len(TABLES)], {"arena": arena})
        match = Match.start(GAME, setup, hashlib.sha256(f"balance {arena} {n}".encode()).digest())
        while match.waiting:
            seat = min(match.waiting)
            match = match.act(seat, match.computer(seat))
        yield match


def fair_share(side: str) -> float:
    """Return how often a side would win by the number of seats alone: it plays at some tables, not at all."""
    tables = [sides for sides in SIDES.values() if side in sides]
    return sum(1 / len(sides) for sides in tables) / len(tables)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.volt_balance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=200, help="matches on each arena")
    given = parser.parse_args(arguments)
    if given.matches < len(TABLES):
        parser.error(f"--matches must be at least {len(TABLES)}")
    begun, modules = time.perf_counter(), Tally()
    fair = "  ".join(f"{side} {fair_share(side):.2f}" for side in "NESW")
    print("arena median  most  kills   wins by side")
    print(f"{'fair':<26}   {fair}")
    for arena in ARENAS:
        tally = Tally()
        for match in matches(arena, given.matches):
            tally.add(match)
            modules.add(match)
        print(f"{arena:<5} {tally.row()}")
    print("module       owned   won  fair")
    for name in sorted(modules.owned, key=lambda name: -modules.won[name] / modules.fair[name]):
        owned = modules.owned[name]
        print(f"{name:<11} {owned:>6} {modules.won[name] / owned:>5.2f} {modules.fair[name] / owned:>5.2f}")
    print(f"{time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
