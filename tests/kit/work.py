"""The work of a computer player's decision, in function calls, compared over twin truths.

Twin truths look the same to another seat. If a computer player works longer in one than in the other, its
thinking time reveals a secret to that seat.
"""

from __future__ import annotations

import cProfile
from collections.abc import Callable, Iterator
from dataclasses import replace

from engines.core.contract import Seat
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from engines.core.skill import Level, Skill
from tests.contract.checks.sampling import lines, sample, seed, tables

CALLS = {Level.FIRST: 3_000_000, Level.MIDDLE: 9_000_000, Level.BEST: 38_000_000}
"""The maximum calls of a decision, which take about :data:`bot.workers.speed.LONGEST_S` seconds."""


BESIDE = 300_000
"""Calls that do not depend on the share of the budget."""


def calls(work: Callable[[], object]) -> int:
    """Return the number of function calls during ``work``, including built-in functions."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def moments(game: AnyGame, number: int, *labels: str | int) -> list[tuple[Match, Seat]]:
    """Return moments of matches at all kinds of tables, each with a pending seat."""
    stream = Rng(seed("work", *labels)).stream()
    found = [
        (match, seat)
        for line in lines(game, min(number, 3 * len(tables(game))))
        for match in sample(line, -(-number // min(number, 3 * len(tables(game)))), stream)
        for seat in [stream.choice(sorted(asked(match)))]
    ]
    return list(stream.shuffled(found)[:number])


def asked(match: Match) -> set[Seat]:
    """Return the seats that are pending by their own views."""
    return {seat for seat in match.waiting if seat in match.game.waiting(match.view(seat))}


def twins(match: Match, seat: Seat, number: int, rng: Rng) -> Iterator[Match]:
    """Yield the match, and truths that another seat cannot tell from it, in which ``seat`` is pending too."""
    yield match
    rival = (seat + 1) % match.setup.seats if match.setup.seats > 1 else None
    view = match.view(rival)
    for draw in range(number):
        twin = replace(match, state=match.game.imagine(view, rng.child("twin", draw)))
        if seat in asked(twin):
            yield twin


def thought(match: Match, seat: Seat, skill: Skill) -> Callable[[], object]:
    """Return the work of a computer player before its decision."""

    def think() -> object:
        return match.interrupt(seat, skill) or match.computer(seat, skill)

    return think
