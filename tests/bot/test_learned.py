"""What a seat alone learns, by its own act or after it, is in its panel until it acts again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.match import Told
from engines.core.contract import Event, Fact, Seat, Step, Words, fact, only
from engines.core.rng import Rng
from tests.bot.conftest import Room, click
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State


class Answering(Vault):
    """The vault, but each seat is told a card when all have laid: the answer to its own."""

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if not any(event.fact.kind == "shown" for event in step.events):
            return step
        answers = (Event(fact("clue", card=card), only(to)) for to, card in enumerate(("nnn", "bbb")))
        return replace(step, events=(*step.events, *answers))


@pytest.fixture
async def answering(tmp_path: Path) -> AsyncIterator[Room]:
    room = await Room(tmp_path / "house.db", {"vault": Answering()}).enter()
    yield room
    await room.store.close()


def facts(told: tuple[Told, ...]) -> list[Fact]:
    return [each.fact for each in told]


async def test_what_was_dealt_is_told_before_the_first_act(room: Room) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    assert facts(panel.learned) == [fact("held", cards=panel.view.own.hand)]
    assert facts(panel.told) == [fact("dealt")]


async def test_a_clue_shows_until_the_next_act(room: Room) -> None:
    info = await room.begin()
    laid = [fact("laid", card=(await room.hand(info, seat))[0]) for seat in range(2)]
    await room.lay_all(info)
    panel = await room.draft(info, 0, "peek")
    assert facts(panel.learned) == laid[:1], "it tells of the last act, not of the draft"
    await room.services.actions.confirm(click(panel), room.person(info, 0), room.request)
    panel = await room.panel(info, 0)
    clue = [fact("clue", card=panel.view.own.clue)]
    assert facts(panel.learned) == clue
    assert panel.told == ()
    assert facts((await room.panel(info, 1)).learned) == laid[1:]
    room = await room.again()
    assert facts((await room.panel(info, 0)).learned) == clue
    await room.say(info, 0, "sort " + "".join(panel.view.own.hand))
    assert (await room.panel(info, 0)).learned == ()


async def test_what_others_do_takes_nothing_away(room: Room) -> None:
    info = await room.begin()
    await room.say(info, 0, "peek")
    learned = (await room.panel(info, 0)).learned
    assert learned
    await room.lay(info, 1)
    await room.say(info, 1, "return 0")
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    panel = await room.panel(info, 0)
    assert panel.learned == learned
    assert not set(facts(panel.told)) & set(facts(learned))


async def test_what_comes_of_what_all_decide_is_learned_by_each_alone(answering: Room) -> None:
    info = await answering.begin()
    cards = [(await answering.hand(info, seat))[0] for seat in range(2)]
    await answering.lay_all(info)
    first, last = await answering.panel(info, 0), await answering.panel(info, 1)
    assert facts(last.learned) == [fact("laid", card=cards[1]), fact("clue", card="bbb")]
    assert last.told == ()
    assert facts(first.learned) == [fact("laid", card=cards[0]), fact("clue", card="nnn")]
    assert fact("clue", card="nnn") not in facts(first.told), "nothing is said twice"
