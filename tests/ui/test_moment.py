"""The private message that steps back through the last turns: its words, and where its buttons lead."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.hostile.house import DATABASE, house_in
from bot.domain.match import Moment, Told
from bot.domain.tables import Status
from bot.matches.history import TURNS
from bot.pages.custom_ids import Button, ButtonId, pack, parse
from bot.pages.moment import moment_page
from bot.pages.page import Painting
from bot.pages.texts import Texts, match_link
from engines.core.match import Entry, EntryKind, Match
from renderers.core.contract import Picture
from tests.kit.prepared import made
from tests.ui.limits import Json, check, sent, walk
from tests.ui.positions import KEYS, begun, played, table_of
from tests.ui.test_several_matches import ALBA, BRUNO, CLARA, Room, buttons, items, text_of

ENGLISH = Texts()
PICTURE = Picture(b"\x89PNG", "image/png", 400, 400, "a board")


def moment_of(match: Match, **changes: Any) -> Moment:
    """Return the moment that a match is in, as its first seat sees it."""
    told = tuple(Told(number, fact) for number, fact in match.facts(0))
    view = match.view(0)
    moment = Moment(table_of(match), 0, view, 7, 2, 9, told, match.game.outcome(view))
    return replace(moment, **changes)


def steps(moment: Moment) -> list[tuple[ButtonId, bool]]:
    """Return where the buttons of a moment's page lead, and which of them can be pressed."""
    page = sent(moment_page(moment, ENGLISH, Painting(PICTURE)))
    check(page)
    found = []
    for item in walk(page):
        if "custom_id" in item:
            place = parse(item["custom_id"])
            assert isinstance(place, ButtonId)
            found.append((place, not item.get("disabled", False)))
    return found


def said(page: Any) -> str:
    return "\n".join(item["content"] for item in walk(sent(page)) if "content" in item)


@pytest.mark.parametrize("key", KEYS)
def test_every_moment_fits_into_a_message(key: str) -> None:
    for match in played(key, 5, 40):
        for picture, words in ((PICTURE, ""), (None, "x" * 9_000)):
            page = moment_page(moment_of(match, older_asked=True), ENGLISH, Painting(picture, words))
            check(sent(page))
            assert len(page.uploads) == (picture is not None)
            assert len(said(page).splitlines()) < 30


def test_its_buttons_stand_in_the_same_place_at_every_moment() -> None:
    match = begun("volo", 1)
    table = table_of(match).id
    before, after = ButtonId(table, Button.MOMENT, 6), ButtonId(table, Button.MOMENT, 8)
    now = ButtonId(table, Button.PRESENT)
    assert steps(moment_of(match)) == [(before, True), (after, True), (now, True)]
    labels = [item["label"] for item in walk(sent(moment_page(moment_of(match), ENGLISH)))
              if "label" in item]  # fmt: skip
    assert labels == ["◀ Before", "After ▶", "Now"]
    oldest = steps(moment_of(match, number=2))
    assert [pressable for _, pressable in oldest] == [False, True, True]
    newest = steps(moment_of(match, number=9))
    assert [pressable for _, pressable in newest] == [True, False, False]
    assert newest[0] == (ButtonId(table, Button.MOMENT, 8), True)
    alone = steps(moment_of(match, number=0, oldest=0, newest=0))
    assert [pressable for _, pressable in alone] == [False, False, False]


def test_it_says_which_moment_it_shows_and_whose_eyes_saw_it() -> None:
    match = begun("volo", 1)
    link = match_link(table_of(match), ENGLISH)
    for changes, title, eyes in (
        ({}, f"{link} · after turn 7", "As you saw it then."),
        ({"seat": None}, f"{link} · after turn 7", "As everyone saw it then."),
        ({"number": 0, "oldest": 0}, f"{link} · at the start", "As you saw it then."),
        ({"number": 9}, f"{link} · now", ""),
        ({"number": 0, "oldest": 0, "newest": 0}, f"{link} · now", ""),
    ):
        words = said(moment_page(moment_of(match, **changes), ENGLISH))
        assert f"### {title}\n" in f"{words}\n"
        assert ("saw it then" in words) is bool(eyes)
        assert eyes in words
    assert ENGLISH.house("moment.oldest", n=7) in said(
        moment_page(moment_of(match, older_asked=True), ENGLISH)
    )


def test_how_a_match_ended_is_said_once() -> None:
    match = begun("volo", 1).apply(Entry(EntryKind.WITHDRAW, 0))
    words = said(moment_page(moment_of(match, number=9), ENGLISH))
    assert words.count("wins") == 1


def test_much_that_happened_is_told_in_few_sentences() -> None:
    [*_, match] = played("corto", 3, 40)
    told = tuple(Told(number, fact) for number, fact in match.facts(None))
    assert len(told) > 40
    words = said(moment_page(moment_of(match, told=told), ENGLISH))
    assert ENGLISH.house("news.earlier") in words
    assert len(words.splitlines()) <= 12


# --- through the house ------------------------------------------------------------------------------


@pytest.fixture
async def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Room]:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as house:
        yield Room(house)
        assert house.wire.strange == []
    assert [record for record in caplog.records if record.levelno >= 40] == []


async def some_turns(room: Room, turns: int) -> str:
    match = await room.begin()
    for _ in range(turns):
        await room.say(match)
    return match


def board_of(room: Room) -> Json:
    """Return the newest message with the button that every board has."""
    public = reversed(room.house.wire.public())
    return next(
        message for message in public if any(place.button is Button.TURN for place in buttons(message))
    )


async def step_back(room: Room, who: int, match: str) -> Json:
    """Let somebody press the board's button; return the private message that answers."""
    board = board_of(room)
    assert ButtonId(match, Button.BEFORE) in buttons(board)
    return room.shown(await room.send(room.pressed(who, pack(ButtonId(match, Button.BEFORE)), board)))


async def step(room: Room, who: int, label: str, message: Json) -> Json:
    """Press a button by its label; the answer goes into the same message."""
    [item] = [item for item in items(message) if item.get("label") == label]
    assert not item.get("disabled"), "this button cannot be pressed"
    exchange = await room.send(room.pressed(who, item["custom_id"], message))
    assert exchange.target == int(message["id"]), "a step is a message of its own"
    return room.shown(exchange)


async def test_there_and_back_again(room: Room) -> None:
    match = await some_turns(room, 4)
    message = await step_back(room, ALBA, match)
    assert "after turn 3" in text_of(message)
    message = await step(room, ALBA, "◀ Before", message)
    assert "after turn 2" in text_of(message)
    message = await step(room, ALBA, "After ▶", message)
    assert "after turn 3" in text_of(message)
    message = await step(room, ALBA, "After ▶", message)
    assert "· now" in text_of(message)
    for _ in range(4):
        message = await step(room, ALBA, "◀ Before", message)
    assert "at the start" in text_of(message)
    message = await step(room, ALBA, "Now", message)
    assert "· now" in text_of(message)


async def test_a_board_on_which_nothing_has_happened_has_no_way_back(room: Room) -> None:
    await some_turns(room, 0)
    assert not [place for place in buttons(board_of(room)) if place.button is Button.BEFORE]


async def test_who_does_not_play_sees_what_everybody_saw(room: Room) -> None:
    match = await some_turns(room, 3)
    assert "As you saw it then." in text_of(await step_back(room, BRUNO, match))
    message = await step_back(room, CLARA, match)
    assert "As everyone saw it then." in text_of(message)
    assert "after turn 1" in text_of(await step(room, CLARA, "◀ Before", message))


async def test_an_old_message_leads_into_the_match_as_it_is_now(room: Room) -> None:
    match = await some_turns(room, 3)
    old = await step_back(room, ALBA, match)
    for _ in range(TURNS + 2):
        await room.say(match)
    back = await step(room, ALBA, "◀ Before", old)
    assert ENGLISH.house("moment.oldest", n=TURNS) in text_of(back)
    assert "after turn 5" in text_of(back)
    assert "· now" in text_of(await step(room, ALBA, "Now", back))


async def test_a_match_that_is_over_can_be_looked_back_at(room: Room) -> None:
    match = await some_turns(room, 3)
    await room.resign(match, BRUNO)
    assert (await room.info(match)).status is Status.OVER
    message = await step_back(room, ALBA, match)
    assert "after turn 3" in text_of(message)
    assert "wins" not in text_of(message)
    assert "wins" in text_of(await step(room, ALBA, "After ▶", message))


async def test_the_log_leads_there_too(room: Room) -> None:
    match = await some_turns(room, 3)
    log = await room.press(ALBA, Button.LOG, board_of(room))
    assert [place.button for place in buttons(log)] == [Button.BEFORE]
    message = await room.press(ALBA, Button.BEFORE, log)
    assert "after turn 2" in text_of(message)
    assert message["id"] != log["id"], "the log is still there"
    assert match in {place.match for place in buttons(message)}


async def test_a_forged_number_leads_nowhere_else(room: Room) -> None:
    match = await some_turns(room, 3)
    message = await step_back(room, ALBA, match)
    before = text_of(message)
    await room.send(room.pressed(ALBA, f"b1:{match}:moment", message))
    newest = room.house.wire.messages[max(room.house.wire.owners)]
    assert ENGLISH.house("error.stale") in text_of(newest)
    assert text_of(message) == before
    far = await room.send(room.pressed(ALBA, f"b1:{match}:moment:999999999", message))
    assert "· now" in text_of(room.shown(far))


async def test_a_match_that_is_gone_says_so(room: Room) -> None:
    match = await some_turns(room, 2)
    message = await step_back(room, ALBA, match)
    gone = room.pressed(ALBA, pack(ButtonId("zzzzzzzz", Button.BEFORE)), message)
    assert ENGLISH.house("no.unknown_match") in text_of(room.shown(await room.send(gone)))
