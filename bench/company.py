"""Whether computer players keep people waiting: ``python -m bench.company``, 200 matches with them at once.

The evening of :mod:`bench.load` twice, with as many matches and clicks. In the second one a person plays with
computers of all levels in half of the matches. Measured: how long clicks wait to be acknowledged, how long
after their sentences the boards come in the matches that people play with each other, how long the computers
take for their answers, and how the memory of all processes grows. The exit status is 1 where a bound is
missed.

``--one 20`` instead: others ask for a first hint, and let computers of the middle level answer, alone and
then while one member has twenty matches against best levels, in the bot's thinking processes.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from bench.load import Evening, evening
from bench.matches import begin, think, verdict
from bot.domain.match import Click
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status
from bot.matches import Services, build_services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Floor
from bot.store import open_store
from bot.workers.pool import usual_thinkers
from bot.workers.thinking_pool import ThinkingPool
from engines.core.match import AnyGame
from engines.core.optional_methods import Level
from engines.core.registry import games

LATER = 1.0
"""Seconds that boards may come later because computers think, at most: 99 in 100 of them."""

LONGEST = 60.0
"""Seconds that any answer of a computer player may take."""

HINT_LATER = 5.0
"""Seconds that others' first hint may come later because one member plays with many best levels, at most."""

SETTLED = 20.0
"""Seconds after which all of that member's matches think or wait for it."""

OPENING = 8
"""Sentences after which those others ask: at the very start there is little to think of."""

OTHERS = 12
"""Those others, one after the other: so many first hints, and answers of a computer player."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.company", description=__doc__)
    parser.add_argument("--company", type=int, default=200, help="matches with computers, and others")
    parser.add_argument("--pace", type=float, default=15.0, help="clicks a second")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long an evening lasts")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    parser.add_argument("--one", type=int, default=0, help="matches of one member against best levels")
    options = parser.parse_args(arguments)
    if options.one:
        return tell_one(options.one)
    options.matches = 2 * options.company
    logging.basicConfig(level=logging.ERROR)
    found: list[Evening] = []
    with tempfile.TemporaryDirectory() as folder:
        for with_computers in (0, options.company):
            print(f"with computers in {with_computers} of {options.matches} matches:", flush=True)
            place = Path(folder) / f"company-{with_computers}"
            place.mkdir()
            found.append(asyncio.run(evening(options, place, with_computers=with_computers)))
    without, beside = found
    answers = sorted(beside.answers)
    if answers:
        middle, late = answers[len(answers) // 2], answers[len(answers) * 99 // 100]
        print(f"{len(answers)} answers of computers: median {middle:.1f} s, 99% {late:.1f} s")
    kept = [
        without.kept,
        beside.kept,
        verdict("answers of computers", len(answers), options.company, "", least=True),
        verdict("the longest answer", max(answers, default=0.0), LONGEST, "s"),
        verdict("boards come later, 99%", beside.late - without.late, LATER, "s"),
    ]
    return 0 if all(kept) else 1


def tell_one(matches: int) -> int:
    """Measure what others wait for beside one member's matches; return the exit status."""
    found: list[list[tuple[float, float]]] = []
    for number in (0, matches):
        with tempfile.TemporaryDirectory() as folder:
            found.append(asyncio.run(beside_one(Path(folder), number)))
        hints, answers = (sorted(each) for each in zip(*found[-1], strict=True))
        print(
            f"beside {number} matches of one member: first hints after {statistics.median(hints):.1f} s,"
            f" at most {hints[-1]:.1f} s; computers of the middle level answer after"
            f" {statistics.median(answers):.1f} s, at most {answers[-1]:.1f} s",
            flush=True,
        )
    later = [max(beside[at] - alone[at] for alone, beside in zip(*found, strict=True)) for at in range(2)]
    kept = verdict("others' first hints come later, at most", later[0], HINT_LATER, "s")
    print(f"answers of their computers come later, at most: {later[1]:.1f} s")
    return 0 if kept else 1


async def beside_one(folder: Path, number: int) -> list[tuple[float, float]]:
    """Return how long each of the others waits for a first hint, and for their computer player's answer."""
    store = await open_store(folder / "bauta.db")
    requests, known = (f"one{number}" for number in count()), list(games().values())
    async with ThinkingPool(usual_thinkers()) as pool:
        services = build_services(
            TableCache(store, wake=lambda: None), thinker=pool, floor=Floor(0.5), limits=NO_LIMITS
        )
        one = Person(1, "One")
        playing = [
            asyncio.create_task(play_on(services, known[match % len(known)], one, requests))
            for match in range(number)
        ]
        found: list[tuple[float, float]] = []
        try:
            await asyncio.sleep(SETTLED if number else 0.0)
            for other in range(OTHERS):
                game, person = known[other % len(known)], Person(2 + other, f"Person {other}")
                while (waited := await hint_and_answer(services, game, person, requests)) is None:
                    pass
                found.append(waited)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    await store.close()
    return found


async def hint_and_answer(
    services: Services, game: AnyGame, person: Person, requests: Iterator[str]
) -> tuple[float, float] | None:
    """Return how long somebody waits for a first hint, and for their computer player's answer.

    ``None``: the match was over before they were asked for anything.
    """
    table_id = await begin(services, game, [person], requests, Place(1, person.id), Level.MIDDLE)
    for seat, words in await think(services, table_id, OPENING):
        await services.actions.submit(table_id, seat, None, words, next(requests))
    answer = await answers(services, table_id)
    while (table := await services.cache.get(table_id)).info.status is Status.RUNNING:
        if table.offers_hint(table.playing_seat(person.id)):
            panel, begun = await services.drafts.panel(table_id, person), time.monotonic()
            await services.hints.fill_in(Click(table_id, panel.revision), person)
            return time.monotonic() - begun, answer
        await services.actions.play_computer(table_id)
    return None


async def answers(services: Services, table_id: str) -> float:
    """Have the computer player of a match answer, if it is asked; return the seconds that it takes."""
    begun = time.monotonic()
    await services.actions.play_computer(table_id)
    return time.monotonic() - begun


async def play_on(services: Services, game: AnyGame, person: Person, requests: Iterator[str]) -> None:
    """Play one match after the other against the best level, answering at once, until cancelled."""
    while True:
        table_id = await begin(services, game, [person], requests, Place(1, 0), Level.BEST)
        while (table := await services.cache.get(table_id)).info.status is Status.RUNNING:
            seat = table.info.seat_of(person.id)
            if seat in table.row.asked:
                words = table.require_log().match.computer(seat)
                with suppress(Refusal):
                    await services.actions.submit(table_id, seat, None, words, next(requests))
            elif not await services.actions.play_computer(table_id):
                await asyncio.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
