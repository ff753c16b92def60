"""What is typed is read in plain letters, in a modal, in ``/move`` and while it is completed."""

from __future__ import annotations

import pytest

from tests.bot.conftest import Room, click, refused


@pytest.mark.parametrize(
    "disguise",
    ["ｌａｙ　{}", "la\u200by {}\u2060", "\ufeff\u2068lay {}\u2069", "lay\u00a0{}", "lay \u202e{}"],
)
async def test_typed_words_are_read_in_plain_letters(room: Room, disguise: str) -> None:
    info = await room.begin()
    card, person = (await room.hand(info, 0))[0], room.person(info, 0)
    panel = await room.services.drafts.type_in(info.id, person, disguise.format(card), None)
    assert panel.refusal is None
    assert room.games["vault"].write(panel.draft) == f"lay {card}"


async def test_so_is_what_is_completed(room: Room) -> None:
    info = await room.begin()
    person, complete = room.person(info, 0), room.services.queries.peek_completions
    plain = complete(info.id, person, "la")
    assert plain
    assert complete(info.id, person, "ｌ\u200bａ") == plain


async def test_what_becomes_too_long_or_holds_controls_is_refused(room: Room) -> None:
    info = await room.begin()
    person, type_in = room.person(info, 0), room.services.drafts.type_in
    first = await room.panel(info, 0)
    await refused("too_long", type_in(info.id, person, "\ufdfa" * 300, click(first)))
    await refused("too_long", type_in(info.id, person, "\u200b" * 401, click(first)))
    await refused("control", type_in(info.id, person, "lay\x00", click(first)))
    await refused("empty_text", type_in(info.id, person, "\u200b\u2060", click(first)))
