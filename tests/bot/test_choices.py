"""Choices beyond the draft's next word: in place of its last one, said at once, and shown as an example."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.match import Click
from engines.core.contract import Choice, Menu, Style
from tests.bot.conftest import Room, click
from tests.bot.test_panel import STALE, same


async def test_another_choice_takes_the_place_of_the_last_word(room: Room) -> None:
    info = await room.begin()
    anna, hand = room.person(info, 0), await room.hand(info, 0)
    panel = await room.draft(info, 0, "lay", hand[0])
    assert panel.answered is not None
    assert panel.answered.chosen == hand[0]
    assert {choice.word for choice in panel.answered.choices} == set(hand)
    other = await room.services.drafts.choose_instead(click(panel), anna, hand[1])
    assert (other.draft, other.revision, other.notes) == (("lay", hand[1]), panel.revision + 1, ())
    assert other.view.own.laid == hand[1]
    same_again = await room.services.drafts.choose_instead(click(other), anna, hand[1])
    assert same(same_again, other)
    back = await room.services.drafts.back(click(other), anna)
    assert back.draft == ("lay",)


async def test_what_takes_the_place_of_the_last_word_is_checked_as_any_word(room: Room) -> None:
    info = await room.begin()
    anna, hand = room.person(info, 0), await room.hand(info, 0)
    empty = await room.panel(info, 0)
    assert empty.answered is None
    instead = room.services.drafts.choose_instead
    assert (await instead(click(empty), anna, "lay")).notes == STALE
    old = await room.draft(info, 0, "lay", hand[0])
    for word in ((await room.hand(info, 1))[0], "lay", "", "x" * 500):
        refused_panel = await instead(click(old), anna, word)
        assert refused_panel.notes == STALE
        assert same(refused_panel, old)
    now = await instead(click(old), anna, hand[1])
    late = await instead(click(old), anna, hand[2])
    assert late.notes == STALE
    assert same(late, now)


async def test_an_aside_and_a_duty_do_not_take_each_others_place(room: Room) -> None:
    info = await room.begin()
    panel = await room.draft(info, 0, "note")
    offered = set() if panel.answered is None else {choice.word for choice in panel.answered.choices}
    assert "lay" not in offered
    after = await room.services.drafts.choose_instead(click(panel), room.person(info, 0), "lay")
    assert same(after, panel)


async def test_a_simple_choice_is_said_at_once_for_who_wants_that(room: Room) -> None:
    info = await room.begin()
    anna, hand = room.person(info, 0), await room.hand(info, 0)
    say = room.services.actions.say_at_once
    begun = await room.draft(info, 0, "lay")
    assert await say(click(await room.panel(info, 1)), room.person(info, 1), "lay", room.request) is None
    assert await say(Click(info.id, begun.revision + 1), anna, hand[0], room.request) is None
    assert await say(click(begun), anna, "nothing", room.request) is None
    assert await room.log_rows(info.id) == []
    receipt = await say(click(begun), anna, hand[0], room.request)
    assert receipt is not None
    assert (receipt.words, receipt.repeated) == (("lay", hand[0]), False)
    again = await say(click(begun), anna, hand[0], room.request)
    assert again is not None
    assert (again.words, again.repeated) == (receipt.words, True)
    assert await say(click(begun), anna, hand[1], room.request) is None
    assert len(await room.log_rows(info.id)) == 1
    assert (await room.panel(info, 0)).draft == ()


async def test_what_shows_something_hidden_is_never_said_at_once(room: Room) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    assert panel.menu is not None
    [peek] = [choice for choice in panel.menu.choices() if choice.reveals]
    said = await room.services.actions.say_at_once(
        click(panel), room.person(info, 0), peek.word, room.request
    )
    assert said is None
    assert await room.log_rows(info.id) == []


async def test_what_a_game_marks_as_dangerous_is_never_said_at_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = await room.begin()
    person, hand = room.person(info, 0), await room.hand(info, 0)
    begun = await room.draft(info, 0, "lay")
    find = Menu.find

    def dangerous(menu: Menu, word: str) -> Choice | None:
        choice = find(menu, word)
        return None if choice is None else replace(choice, style=Style.DANGER)

    with monkeypatch.context() as patch:
        patch.setattr(Menu, "find", dangerous)
        assert await room.services.actions.say_at_once(click(begun), person, hand[0], room.request) is None
    assert await room.log_rows(info.id) == []
    assert await room.services.actions.say_at_once(click(begun), person, hand[0], room.request) is not None


async def test_an_example_is_a_whole_sentence_and_the_same_every_time(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    person = room.person(info, seat)
    first = room.services.drafts.peek_panel(Click(info.id, 0), person)
    again = room.services.drafts.peek_panel(Click(info.id, 0), person)
    assert first is not None
    assert again is not None
    assert first.example == again.example != ()
    await room.services.actions.submit(info.id, seat, None, first.example, room.request)
