"""What a seat alone learns by its own act is in its panel until it acts again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.match import Told
from engines.core.contract import Event, Fact, Seat, Step, Words, fact, only
from engines.core.rng import Rng
from tests.bot.conftest import Room, click
from tests.bot.toy import State, ToyGame


class Answering(ToyGame):
    """The toy, but each seat is told a card when all have laid: the answer to its order."""

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if not any(event.fact.kind == "all_laid" for event in step.events):
            return step
        answers = (Event(fact("answer", n=card), only(to)) for to, card in enumerate((41, 42)))
        return replace(step, events=(*step.events, *answers))

    def narrate(self, fact: Any) -> Any:
        return super().narrate(replace(fact, kind="drew") if fact.kind == "answer" else fact)


@pytest.fixture
async def answering(tmp_path: Path) -> AsyncIterator[Room]:
    room = await Room(tmp_path / "house.db", {"toy": Answering()}).enter()
    yield room
    await room.store.close()


def facts(told: tuple[Told, ...]) -> list[Fact]:
    return [each.fact for each in told]


async def test_nothing_is_learned_before_the_first_act(room: Room) -> None:
    info = await room.begin()
    assert (await room.panel(info, 0)).learned == ()


async def test_a_drawn_card_shows_until_the_next_act(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    panel = await room.draft(info, 0, "draw", "2")
    assert facts(panel.learned) == [fact("laid", order="abc")], "it tells of the last act, not of the draft"
    await room.services.actions.confirm(click(panel), room.person(info, 0), room.request)
    panel = await room.panel(info, 0)
    drew = [fact("drew", seat=0, cards=panel.view.hand)]
    assert facts(panel.learned) == drew, "and nothing of what all have seen"
    assert panel.told == ()
    assert facts((await room.panel(info, 1)).learned) == [fact("laid", order="abc")]
    room = await room.again()
    assert facts((await room.panel(info, 0)).learned) == drew
    await room.say(info, 0, "call low")
    assert (await room.panel(info, 0)).learned == ()


async def test_what_others_do_takes_nothing_away(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    await room.say(info, 0, "draw 1")
    learned = (await room.panel(info, 0)).learned
    await room.say(info, 1, "mark x")
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    panel = await room.panel(info, 0)
    assert panel.learned == learned
    assert not set(facts(panel.told)) & set(facts(learned))


async def test_whoever_completes_what_all_decide_learns_it_with_its_own_act(answering: Room) -> None:
    info = await answering.begin()
    await answering.lay_all(info)
    first, last = await answering.panel(info, 0), await answering.panel(info, 1)
    assert facts(last.learned) == [fact("laid", order="abc"), fact("answer", n=42)]
    assert last.told == ()
    assert facts(first.learned) == [fact("laid", order="abc")]
    assert fact("answer", n=41) in facts(first.told), "for whoever was done before, it came afterwards"
