"""Thinking processes: what they are told, what bounds them, whom they serve first, where one fails."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.fair_queue import Ticket, Urgency
from bot.domain.tables import PersonId
from bot.workers.thinker import EFFORTS, AnswerError, ThinkRequest, answer
from bot.workers.thinking_pool import BURST, INITIAL_DECISION_S, Load, ThinkingPool
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.optional_methods import Level
from engines.core.registry import game, games
from engines.core.setups import complete
from tests.kit.waiting import eventually

pytestmark = pytest.mark.usefixtures("forked")

SEED = bytes(range(32))

ANNA, BEN = 11, 22

HUGE = 1 << 30
"""Bytes that no thinking process may take."""


def request_of(key: str, level: Level | None = Level.FIRST) -> ThinkRequest:
    """Return what the first seat that is asked in a fresh match is told."""
    found = game(key)
    match = Match.start(found, complete(found.manifest), SEED)
    seat = min(match.waiting)
    menu = match.menu(seat)
    assert menu is not None
    return ThinkRequest(key, "abcdefgh", match.view(seat), menu, match.player_rng("computer", seat), level)


def ticket(person: PersonId = ANNA, match: str = "abcdefgh") -> Ticket:
    return Ticket(match, 1, person, Urgency.LIVE)


def quickly(request: ThinkRequest, effort: float) -> Words | None:
    return answer(game(request.game), request, effort / 100)


def raises(request: ThinkRequest, effort: float) -> Words | None:
    if effort > 0:
        raise RuntimeError("a secret that no log may say")
    return quickly(request, effort)


def hangs(request: ThinkRequest, effort: float) -> Words | None:
    if effort > 0:
        threading.Event().wait()
    return quickly(request, effort)


def eats(request: ThinkRequest, effort: float) -> Words | None:
    if effort > 0:
        bytearray(HUGE)
    return quickly(request, effort)


def talks_nonsense(request: ThinkRequest, effort: float) -> Words | None:
    if effort > 0:
        raise AnswerError
    return quickly(request, effort)


def never_works(_: ThinkRequest, __: float) -> Words | None:
    raise RuntimeError


@pytest.mark.parametrize("key", list(games()))
def test_what_a_player_is_told_holds_no_state(key: str) -> None:
    found = game(key)
    state = type(Match.start(found, complete(found.manifest), SEED).state)
    seen: set[int] = set()
    left: list[Any] = [request_of(key)]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type):
            continue
        seen.add(id(each))
        assert not isinstance(each, (state, Match))
        left += gc.get_referents(each)
    assert len(seen) > 20


async def test_a_process_says_what_this_one_would() -> None:
    request = request_of("volo")
    async with ThinkingPool(think_with=quickly) as pool:
        assert (await pool.think(request, ticket())).words == quickly(request, 1.0)
        assert await pool.advise(request, ticket()) == quickly(request, 1.0)


@pytest.mark.parametrize("planted", [raises, hangs, eats, talks_nonsense])
async def test_where_a_player_fails_the_one_without_levels_answers(
    planted: Any, caplog: pytest.LogCaptureFixture
) -> None:
    request = request_of("volo")
    async with ThinkingPool(think_with=planted, patience=1.0) as pool:
        with caplog.at_level(logging.ERROR):
            words = (await pool.think(request, ticket())).words
        assert words == quickly(replace(request, level=None), 0.0)
        again = await pool.think(replace(request, level=None), ticket())
        assert again.words == words, "the pool goes on"
    [line] = [record.getMessage() for record in caplog.records if record.name == "bot.workers.thinking_pool"]
    assert "abcdefgh" in line
    assert "secret" not in line


async def test_where_that_one_fails_too_the_menus_are_walked() -> None:
    request = request_of("volto")
    async with ThinkingPool(think_with=never_works) as pool:
        words = (await pool.think(request, ticket())).words
    menu = game("volto").menu(request.view, words or ())
    assert menu is not None
    assert menu.complete


async def test_who_interrupts_keeps_quiet_where_its_player_fails() -> None:
    async with ThinkingPool(think_with=never_works) as pool:
        assert (await pool.think(replace(request_of("doge"), unasked=True), ticket())).words is None


async def test_a_thought_ends_with_its_match() -> None:
    wanted = True
    async with ThinkingPool(think_with=hangs) as pool:
        thinking = asyncio.create_task(pool.think(request_of("volo"), ticket(), lambda: wanted))
        await eventually(lambda: bool(pool.thoughts.pool.processes))
        [process] = pool.thoughts.pool.processes
        wanted = False
        assert (await thinking).words is None
        await eventually(lambda: process not in pool.thoughts.pool.processes)


async def test_who_stops_waiting_before_a_thought_has_begun_takes_no_place_away() -> None:
    request = request_of("volo")
    async with ThinkingPool(think_with=quickly) as pool:
        for turns in range(5):
            thinking = asyncio.create_task(pool.think(request, ticket()))
            for _ in range(turns):
                await asyncio.sleep(0)
            thinking.cancel()
            await asyncio.wait({thinking})
        assert (await pool.think(request, ticket())).words == quickly(request, 1.0)


async def test_thoughts_take_turns_by_person() -> None:
    request, order = request_of("volo"), list[str]()

    async def ask(person: PersonId, name: str) -> None:
        await pool.think(request, ticket(person, name))
        order.append(name)

    async with ThinkingPool(think_with=quickly) as pool:
        await pool.thoughts.places.acquire()
        names = [*((ANNA, f"anna{number}") for number in range(20)), (BEN, "ben")]
        tasks = [asyncio.create_task(ask(*each)) for each in names]
        await eventually(lambda: pool.thoughts.load.waiting.total() == len(tasks))
        tasks[1].cancel()
        pool.thoughts.places.release()
        await asyncio.wait(tasks)
        assert pool.thoughts.load.waiting.total() == 0
    assert order == ["anna0", "ben", *(f"anna{number}" for number in range(2, 20))]


def effort(load: Load, request: ThinkRequest, *, own: int, others: int = 0) -> float:
    """Return Anna's effort where she has so many matches and each of so many others has one."""
    load.expected = {ANNA: own - 1, **{BEN + number: 1 for number in range(others)}}
    return load.effort(request, ANNA)


def test_a_level_thinks_less_far_the_more_wait() -> None:
    request, load = request_of("volo"), Load(processes=1)
    assert effort(load, request, own=1) == 1.0
    many = round(BURST / INITIAL_DECISION_S)
    for count, most in ((many + 1, 0.5), (41, 0.25), (201, 1 / 32)):
        assert effort(load, request, own=count) <= most
        assert effort(load, request, own=1, others=count) <= most
    least = round(BURST / INITIAL_DECISION_S / EFFORTS[-1]) + 1
    assert effort(load, request, own=least) == 0.0, "there is no time to think"
    assert load.effort(replace(request, level=None), ANNA) == 0.0


def test_who_has_many_matches_shortens_nobody_elses_thoughts() -> None:
    request, load = request_of("volo"), Load(processes=1, expected={ANNA: 100})
    load.waiting[ANNA] = 20
    assert load.effort(request, BEN) == 1.0
    assert load.effort(request, ANNA) <= 1 / 16


def test_what_decisions_took_says_what_the_next_ones_take() -> None:
    request, load = request_of("volo"), Load(processes=1, expected={ANNA: 9})
    for _ in range(40):
        load.took(request, 0.5, 2.0)
    assert load.effort(request, ANNA) == 0.25
    for _ in range(40):
        load.took(request, 1.0, 0.1)
    assert load.effort(request, ANNA) == 1.0
