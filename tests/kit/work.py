"""How much work a thought is: counted in calls, which are the same on every machine, and over twin truths.

A twin truth looks the same to somebody else at the table. Where a seat works longer in one than in the
other, how long it takes tells them what they may not know.
"""

from __future__ import annotations

import cProfile
from collections.abc import Callable, Iterator
from dataclasses import replace

from engines.core.contract import Seat
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from tests.contract.checks.sampling import lines, sample, seed, tables

CALLS = {Level.FIRST: 3_000_000, Level.MIDDLE: 9_000_000, Level.BEST: 38_000_000}
"""Calls of a whole thought, at most: what takes the seconds of :data:`bot.workers.thinker.LONGEST_S`."""


BESIDE = 300_000
"""Calls beside those that a smaller share of the budget makes fewer."""


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, Python's own ones too, while ``work`` is done."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def moments(game: AnyGame, number: int, *labels: str | int) -> list[tuple[Match, Seat]]:
    """Return moments of matches at all kinds of tables, each with a seat that is asked."""
    stream = Rng(seed("work", *labels)).stream()
    found = [
        (match, seat)
        for line in lines(game, min(number, 3 * len(tables(game))))
        for match in sample(line, -(-number // min(number, 3 * len(tables(game)))), stream)
        for seat in [stream.choice(sorted(asked(match)))]
    ]
    return list(stream.shuffled(found)[:number])


def asked(match: Match) -> set[Seat]:
    """Return the seats that are asked by their own views."""
    return {seat for seat in match.waiting if seat in match.game.waiting(match.view(seat))}


def twins(match: Match, seat: Seat, number: int, rng: Rng) -> Iterator[Match]:
    """Yield the match, and truths that another seat cannot tell from it, in which ``seat`` is asked too."""
    yield match
    rival = (seat + 1) % match.setup.seats if match.setup.seats > 1 else None
    view = match.view(rival)
    for draw in range(number):
        twin = replace(match, state=match.game.imagine(view, rng.child("twin", draw)))
        if seat in asked(twin):
            yield twin


def thought(match: Match, seat: Seat, skill: Skill) -> Callable[[], object]:
    """Return what a computer player in a seat does before it answers."""

    def think() -> object:
        return match.interrupt(seat, skill) or match.computer(seat, skill)

    return think
