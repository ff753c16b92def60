"""Balance of The Secret of the Doge: ``python -m bench.doge_balance --matches 1000``.

For each table and each way to play: how often the treasure is found, turns, cards given to the ghost,
wrong guesses, and how often a match waits for another person than before. *best*: the house's computer
players. *careful*: the same, but they guess only what they know for certain. *random*: the menus at
random, which guess like *careful*. With *in advance*, everybody has a gift ready whenever they can.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean

from engines.core.contract import Seat, Words
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.doge import GAME
from engines.doge.player import Mind
from engines.doge.rules import with_true
from engines.doge.view import Phase, Source, View
from engines.doge.words import proposed_square

Way = Callable[[Match, Seat], Words | None]
"""What a seat says, asked or not; ``None``: it keeps quiet."""


@dataclass(slots=True)
class Tally:
    """What is counted over the matches of one row."""

    won: list[bool] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    to_ghost: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def row(self) -> str:
        """Return the line of the table."""
        means = (mean(self.turns), mean(self.to_ghost), mean(self.wrong), mean(self.waits))
        each = 1_000 * self.seconds / len(self.won)
        return f"{mean(self.won):>5.2f}" + "".join(f"{one:>8.1f}" for one in means) + f"{each:>8.0f}"


def best(match: Match, seat: Seat) -> Words | None:
    """Play as the house's computer players do."""
    return match.interrupt(seat) or (match.computer(seat) if seat in match.waiting else None)


def careful(match: Match, seat: Seat) -> Words | None:
    """Guess only what is certain, and play on as the computer players do."""
    view: View = match.view(seat)
    if (guess := _certain(view)) is not None:
        return guess
    if seat not in match.waiting:
        return None
    return ("pass",) if view.phase is Phase.LAST else match.computer(seat)


def at_random(match: Match, seat: Seat) -> Words | None:
    """Walk the menus; guess only what is certain."""
    view: View = match.view(seat)
    if (guess := _certain(view)) is not None:
        return guess
    menu = match.menu(seat)
    if seat not in match.waiting or menu is None:
        return None
    return walk(GAME, view, menu, Rng(match.seed).child("random", len(match.log)))


def _certain(view: View) -> Words | None:
    treasures = () if view.sheet is None else view.sheet.treasures or ()
    if len(treasures) != 1 or view.viewer in view.out or view.owes is not None or not view.turns:
        return None
    return ("guess", *(card.value for card in treasures[0].cards))


WAYS: dict[str, Way] = {"best": best, "careful": careful, "random": at_random}


def gift_ahead(match: Match, seat: Seat) -> Words | None:
    """Return a gift to leave in advance, for whoever comes next; ``None`` where none can be left."""
    view: View = match.view(seat)
    may_leave = view.can_leave_gifts and seat in view.still_in and view.owes is None and view.turns
    if not may_leave or view.ahead is not None or not view.false_hand or view.own is None:
        return None
    others = [other for other in view.still_in if other != seat] or [seat]
    pair = with_true(view.own, Mind.of(view).clearest(others[0]))
    return ("ahead", pair.institution.value, pair.craft.value, str(proposed_square(view)))


def play(seats: int, number: int, way: Way, *, in_advance: bool) -> tuple[Match, int]:
    """Return a whole match, and how often it waited for another person than before."""
    setup = complete(GAME.manifest, seats, {"gifts": "ahead" if in_advance else "asked"})
    match = Match.start(GAME, setup, hashlib.sha256(f"doge {seats} {number}".encode()).digest())
    waits, awaited = 0, match.waiting
    while match.waiting:
        for seat in sorted(range(seats), key=lambda one: one in match.waiting):
            words = gift_ahead(match, seat) if in_advance else None
            words = words or way(match, seat)
            if words is not None:
                match = match.act(seat, words)
                break
        waits += len(match.waiting - awaited)
        awaited = match.waiting
    return match, waits


def tally(seats: int, matches: int, way: Way, *, in_advance: bool) -> Tally:
    """Play so many matches, and count."""
    found, begun = Tally(), time.perf_counter()
    for number in range(matches):
        match, waits = play(seats, number, way, in_advance=in_advance)
        public = match.view(None)
        found.won.append(bool(public.result.won))
        found.turns.append(public.turns)
        found.to_ghost.append(sum(gift.source is Source.GHOST for gift in public.gifts))
        found.wrong.append(sum(not guess.right for guess in public.guesses))
        found.waits.append(waits)
    found.seconds = time.perf_counter() - begun
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.doge_balance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=200, help="matches in each row")
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 3, 2], choices=GAME.manifest.seats)
    given = parser.parse_args(arguments)
    if given.matches < 1:
        parser.error("--matches must be at least 1")
    titles = "".join(f"{title:>8}" for title in ("turns", "ghost", "wrong", "waits", "ms"))
    print(f"{'seats':<6}{'way':<9}{'gifts':<12}  won{titles}")
    for seats in given.seats:
        for name, way in WAYS.items():
            for in_advance in (False, True):
                gifts = "in advance" if in_advance else "when asked"
                row = tally(seats, given.matches, way, in_advance=in_advance).row()
                print(f"{seats:<6}{name:<9}{gifts:<12}{row}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
