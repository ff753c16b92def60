"""Volo's generator of turns beside python-chess: random matches of both, round by round in turn.

A unit of work is the same for both: list all legal turns, choose one at random, carry it out; a new match
when one is over. ``python -m bench.volo_speed`` prints the time of a unit and of a turn listed, and the
median ratios; Volo has nearly three times as many turns to list. With ``--whole`` python-chess asks
``is_game_over()`` after each move; otherwise a few cheap questions must do.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import chess

from engines.volo.movegen import PASS, Position
from engines.volo.rules import begin

CHESS_HALFMOVES = 150
"""The seventy-five-move rule ends a match by itself."""


@dataclass(slots=True)
class Tally:
    """How many turns were taken, and how many were listed to choose from."""

    taken: int = 0
    listed: int = 0


def volo_match(stream: random.Random, tally: Tally) -> None:
    """Play one match; repetition, which hardly ever comes about, is left out."""
    position: Position = begin("standard").state.position
    while True:
        turns = position.turns()
        turn = stream.choice(turns)
        after = position.after(turn)
        tally.taken += 1
        tally.listed += len(turns)
        if after.won() is not None or (turn == PASS and position.passed):
            return
        position = after


def chess_match(stream: random.Random, tally: Tally) -> None:
    """Play one match; the ends are looked at as cheaply as they can be."""
    board = chess.Board()
    while board.halfmove_clock < CHESS_HALFMOVES and not board.is_insufficient_material():
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(stream.choice(legal))
        tally.taken += 1
        tally.listed += len(legal)


def whole_chess_match(stream: random.Random, tally: Tally) -> None:
    """Play one match; the ends are looked at as python-chess itself does."""
    board = chess.Board()
    while not board.is_game_over():
        legal = list(board.legal_moves)
        board.push(stream.choice(legal))
        tally.taken += 1
        tally.listed += len(legal)


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds of processor time: of a unit, and of a turn listed."""

    unit: float
    listed: float

    def __str__(self) -> str:
        return f"{self.unit:6.1f} us, {self.listed:5.3f} us a turn listed"


def timed(match: Callable[[random.Random, Tally], None], stream: random.Random, units: int) -> Times:
    """Measure whole matches of at least ``units`` units."""
    tally, begun = Tally(), process_time()
    while tally.taken < units:
        match(stream, tally)
    spent = (process_time() - begun) * 1e6
    return Times(spent / tally.taken, spent / tally.listed)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--units", type=int, default=3_000, help="of each game in a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="python-chess: is_game_over() after each move")
    chosen = parser.parse_args()
    chess_one = whole_chess_match if chosen.whole else chess_match
    stream = random.Random(chosen.seed)
    rounds: list[tuple[Times, Times]] = []
    for _ in range(chosen.rounds):
        rounds.append((timed(volo_match, stream, chosen.units), timed(chess_one, stream, chosen.units)))
        print(f"volo {rounds[-1][0]}   python-chess {rounds[-1][1]}", flush=True)
    print(f"time of a unit, volo to python-chess: {spread([v.unit / c.unit for v, c in rounds])}")
    print(f"turns listed in a time, volo to python-chess: {spread([c.listed / v.listed for v, c in rounds])}")


def spread(ratios: list[float]) -> str:
    """Return median and range of some ratios."""
    return f"median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}"


if __name__ == "__main__":
    main()
