"""Volo's generator of turns beside python-chess: random matches of both, round by round in turn.

A unit of work is the same for both: list all legal turns, choose one at random, carry it out; a new match
when one is over. ``python -m bench.volo_speed`` prints the time of a unit and the median ratio. With
``--whole`` python-chess asks ``is_game_over()`` after each move; otherwise a few cheap questions must do.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from time import process_time

import chess

from engines.volo.movegen import PASS, Position
from engines.volo.rules import begin

CHESS_HALFMOVES = 150
"""The seventy-five-move rule ends a match by itself."""


def volo_match(stream: random.Random) -> int:
    """Play one match and return its turns; repetition, which hardly ever comes about, is left out."""
    position: Position = begin("standard").state.position
    turns = 0
    while True:
        turn = stream.choice(position.turns())
        after = position.after(turn)
        turns += 1
        if after.won() is not None or (turn == PASS and position.passed):
            return turns
        position = after


def chess_match(stream: random.Random) -> int:
    """Play one match and return its moves; the ends are looked at as cheaply as they can be."""
    board = chess.Board()
    moves = 0
    while board.halfmove_clock < CHESS_HALFMOVES and not board.is_insufficient_material():
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(stream.choice(legal))
        moves += 1
    return moves


def whole_chess_match(stream: random.Random) -> int:
    """Play one match and return its moves; the ends are looked at as python-chess itself does."""
    board = chess.Board()
    while not board.is_game_over():
        board.push(stream.choice(list(board.legal_moves)))
    return board.ply()


def timed(match: Callable[[random.Random], int], stream: random.Random, units: int) -> float:
    """Return microseconds of processor time a unit, over whole matches of at least ``units`` units."""
    done, begun = 0, process_time()
    while done < units:
        done += match(stream)
    return (process_time() - begun) / done * 1e6


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
    rounds: list[tuple[float, float]] = []
    for _ in range(chosen.rounds):
        rounds.append((timed(volo_match, stream, chosen.units), timed(chess_one, stream, chosen.units)))
        print(f"volo {rounds[-1][0]:6.1f} us   python-chess {rounds[-1][1]:6.1f} us", flush=True)
    ratios = [volo / other for volo, other in rounds]
    volo, other = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"median: volo {volo:.1f} us, python-chess {other:.1f} us a unit")
    print(f"ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
