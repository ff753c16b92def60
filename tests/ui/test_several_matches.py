"""People with several matches: which one opens, the way to the next, and the list that opens each."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.hostile.house import DATABASE, House, house_in
from bench.hostile.payloads import COMMAND, COMPLETION, COMPONENT, SELECT, TEXT, USER, in_dm, interaction
from bench.hostile.script import FIRST_PERSON
from bench.hostile.wire import CHOICES, Exchange, dm_of
from bot.domain.match import Click
from bot.domain.tables import Person, Status, TableInfo
from bot.pages.custom_ids import HOUSE, Action, Button, ButtonId, PanelId, pack, parse
from bot.pages.mentions import without_mentions
from bot.pages.texts import Texts, match_link, match_name
from tests.duel import DUEL
from tests.kit.prepared import made
from tests.kit.reading import without_isolates
from tests.ui.limits import Json, walk

ENGLISH = Texts()
ALBA, BRUNO, CLARA = FIRST_PERSON, FIRST_PERSON + 1, FIRST_PERSON + 2
NAMES = {ALBA: "Alba", BRUNO: "Bruno", CLARA: "Clara"}


class Room:
    """A house, and what its people press and read."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.services = house.services

    async def send(self, payload: Json) -> Exchange:
        return (await self.house.deliver(payload))[0]

    def command(self, who: int, name: str, *options: Json, kind: int = COMMAND) -> Json:
        data = {"id": "1", "name": name, "type": 1, "options": list(options)}
        return interaction(kind, next(self.house.ids), (who, NAMES[who]), data)

    def pressed(self, who: int, custom_id: str, message: Json, values: Sequence[str] | None = None) -> Json:
        data: Json = {"custom_id": custom_id, "component_type": 2}
        if values is not None:
            data |= {"component_type": SELECT, "values": list(values)}
        payload = interaction(COMPONENT, next(self.house.ids), (who, NAMES[who]), data)
        return payload | {"message": message}

    async def begin(self, guest: int = BRUNO) -> str:
        """Let Alba and a guest begin a match; return its id."""
        before = {table.id for table in self.house.seen()}
        invited = {"name": "opponent", "type": USER, "value": str(guest)}
        payload = self.command(ALBA, "play", {"name": DUEL, "type": 1, "options": [invited]})
        person = {"id": str(guest), "username": NAMES[guest], "discriminator": "0", "avatar": None}
        payload["data"]["resolved"] = {"users": {str(guest): person}}
        await self.send(payload)
        [match] = {table.id for table in self.house.seen()} - before
        join = self.pressed(guest, pack(ButtonId(match, Button.JOIN)), self.house.wire.public()[-1])
        await self.send(join)
        await self.send(self.pressed(ALBA, pack(ButtonId(match, Button.START)), self.house.wire.public()[-1]))
        return match

    async def pass_to(self, match: str, who: int) -> None:
        """Let whoever is asked before ``who`` say a sentence."""
        while not (await self.services.drafts.panel(match, who)).asked:
            await self.say(match)

    async def say(self, match: str) -> None:
        table = await self.services.cache.get(match)
        seat = table.row.asked[0]
        words = table.require_log().match.computer(seat)
        await self.services.actions.submit(match, seat, None, words, f"said {next(self.house.ids)}")
        await self.house.settled()

    async def resign(self, match: str, who: int) -> None:
        await self.services.actions.resign(match, who, f"resigned {next(self.house.ids)}")
        await self.house.settled()

    async def info(self, match: str) -> TableInfo:
        return await self.services.queries.table(match)

    def shown(self, exchange: Exchange) -> Json:
        """Return the private message that an answer went into, as it is now."""
        assert exchange.target in self.house.wire.owners
        return self.house.wire.messages[exchange.target]

    async def turn(self, who: int, *options: Json) -> Json:
        return self.shown(await self.send(self.command(who, "turn", *options)))

    async def press(self, who: int, button: Button, message: Json) -> Json:
        [custom_id] = [pack(place) for place in buttons(message) if place.button is button]
        return self.shown(await self.send(self.pressed(who, custom_id, message)))


@pytest.fixture
async def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Room]:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as house:
        yield Room(house)
        assert house.wire.strange == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def items(message: Json) -> list[Json]:
    return list(walk(message["components"]))


def text_of(message: Json) -> str:
    said = "\n".join(item["content"] for item in items(message) if "content" in item)
    return without_mentions(without_isolates(said))


def ids(message: Json) -> list[Any]:
    return [parse(item["custom_id"]) for item in items(message) if "custom_id" in item]


def buttons(message: Json) -> list[ButtonId]:
    return [place for place in ids(message) if isinstance(place, ButtonId)]


def panel_of(message: Json) -> str:
    """Return the match whose panel a message shows."""
    [match] = {place.match for place in ids(message) if isinstance(place, PanelId)}
    return str(match)


def leads_on(message: Json) -> bool:
    return any(place.button is Button.NEXT for place in buttons(message))


# --- /turn ----------------------------------------------------------------------------------------


async def waiting(room: Room, number: int) -> list[str]:
    """Begin matches that wait for Alba; return them, the longest wait first."""
    matches = [await room.begin() for _ in range(number)]
    for match in reversed(matches):
        await room.pass_to(match, BRUNO)
    # The order in which they wait is not that in which they began.
    found = [matches[1], matches[0], *matches[2:]] if number > 1 else matches
    for match in found:
        await room.pass_to(match, ALBA)
    return found


async def test_turn_opens_what_waits_longest(room: Room) -> None:
    first, second, third = await waiting(room, 3)
    assert panel_of(await room.turn(ALBA)) == first
    # Somebody else's word on it, such as a draw that is offered, makes no wait shorter.
    await room.services.actions.offer_draw(first, BRUNO, "offer")
    assert panel_of(await room.turn(ALBA)) == first
    await room.say(first)
    assert panel_of(await room.turn(ALBA)) == second
    await room.resign(second, ALBA)
    only = await room.turn(ALBA)
    assert panel_of(only) == third
    assert not leads_on(only), "no other match waits"


async def test_what_waits_outlives_a_restart(room: Room) -> None:
    matches = await waiting(room, 3)
    lines = [line.table.id for line in await room.services.queries.matches(ALBA)]
    assert lines == matches
    before = await room.services.queries.matches(ALBA)
    for match in matches:
        room.services.cache.forget(match)
    assert await room.services.queries.matches(ALBA) == before
    assert list(await room.services.queries.listed(ALBA)) == before


async def test_a_confirm_on_a_stale_panel_is_told_once(room: Room) -> None:
    [match] = await waiting(room, 1)
    message = await room.turn(ALBA)
    alba = Person(ALBA, NAMES[ALBA])
    old = await room.services.drafts.panel(match, alba)
    played = (await room.services.cache.get(match)).require_log().match
    await room.services.drafts.type_in(match, alba, played.game.write(played.computer(old.seat)), None)
    stale = pack(PanelId(match, old.decision, old.revision, Action.CONFIRM))
    told = text_of(room.shown(await room.send(room.pressed(ALBA, stale, message))))
    assert told.count(ENGLISH.house("note.stale")) == 1


async def test_turn_in_a_matchs_own_thread_opens_that_match(room: Room) -> None:
    _, second, _ = await waiting(room, 3)
    thread = (await room.info(second)).thread_id
    here = room.command(ALBA, "turn")
    here = here | {"channel_id": str(thread), "channel": here["channel"] | {"id": str(thread)}}
    assert panel_of(room.shown(await room.send(here))) == second
    named = {"name": "match", "type": TEXT, "value": second}
    assert panel_of(await room.turn(ALBA, named)) == second


async def test_turn_with_none_waiting_opens_what_changed_last_and_says_so(room: Room) -> None:
    matches = [await room.begin() for _ in range(2)]
    for match in matches:
        await room.pass_to(match, ALBA)
        await room.pass_to(match, BRUNO)
    said = await room.turn(ALBA)
    assert panel_of(said) == matches[1]
    assert ENGLISH.house("panel.none_waits") in text_of(said)
    assert ENGLISH.house("panel.waits_for", names="Bruno") in text_of(said)
    assert not leads_on(said)
    await room.resign(matches[1], BRUNO)
    only = await room.turn(ALBA)
    assert panel_of(only) == matches[0]
    assert ENGLISH.house("panel.none_waits") not in text_of(only), "there is no other that could be meant"
    await room.resign(matches[0], BRUNO)
    assert ENGLISH.house("error.no_match") in text_of(await room.turn(ALBA))


# --- Next match -----------------------------------------------------------------------------------


async def test_next_goes_round_and_round_in_the_same_message(room: Room) -> None:
    matches = await waiting(room, 3)
    message = await room.turn(ALBA)
    seen = [panel_of(message)]
    for _ in range(4):
        again = await room.press(ALBA, Button.NEXT, message)
        assert again["id"] == message["id"]
        message = again
        seen.append(panel_of(message))
    assert seen == [*matches, *matches[:2]]


async def test_next_of_a_match_that_waits_no_more_leads_to_the_longest_wait(room: Room) -> None:
    first, second, _ = await waiting(room, 3)
    message = await room.press(ALBA, Button.NEXT, await room.turn(ALBA))
    assert panel_of(message) == second
    await room.say(second)
    assert panel_of(await room.press(ALBA, Button.NEXT, message)) == first


async def test_next_after_the_match_is_over(room: Room) -> None:
    first, second = await waiting(room, 2)
    message = await room.turn(ALBA)
    await room.resign(first, BRUNO)
    assert panel_of(await room.press(ALBA, Button.NEXT, message)) == second


@pytest.mark.parametrize("over", [False, True])
async def test_next_where_no_other_waits_any_more_says_so(room: Room, *, over: bool) -> None:
    first, second = await waiting(room, 2)
    message = await room.turn(ALBA)
    assert leads_on(message)
    await room.resign(second, BRUNO)
    if over:
        await room.resign(first, BRUNO)
    said = await room.press(ALBA, Button.NEXT, message)
    assert panel_of(said) == first
    assert ENGLISH.house("panel.no_other") in text_of(said)
    assert not leads_on(said)
    assert ("wins" in text_of(said)) is over


async def test_next_from_a_match_where_they_have_no_seat_is_answered(room: Room) -> None:
    await waiting(room, 2)
    message = await room.turn(ALBA)
    await room.send(room.pressed(CLARA, pack(ButtonId("gone2345", Button.NEXT)), message))
    [last] = room.house.wire.mine()[CLARA]
    assert text_of(last) == ENGLISH.house("panel.no_other")


async def test_a_panel_that_comes_by_direct_message_stays_that_of_its_match(room: Room) -> None:
    await room.services.settings.set_dms(ALBA, True)
    first, _ = await waiting(room, 2)
    direct = next(
        message
        for message in reversed(room.house.wire.mine()[ALBA])
        if message["channel_id"] == str(dm_of(ALBA)) and f":{first}:" in str(message["components"])
    )
    assert not leads_on(direct)
    panel = await room.services.drafts.panel(first, ALBA)
    refresh = pack(PanelId(first, panel.decision, panel.revision, Action.REFRESH))
    payload = in_dm(room.pressed(ALBA, refresh, direct), dm_of(ALBA))
    again = room.shown(await room.send(payload))
    assert again["id"] == direct["id"]
    assert panel_of(again) == first
    assert not leads_on(again)


async def test_next_takes_no_room_from_the_controls(room: Room) -> None:
    first, _ = await waiting(room, 2)
    panel = await room.services.drafts.panel(first, ALBA)
    assert panel.menu is not None
    word = next(choice.word for choice in panel.menu.choices())
    await room.services.drafts.choose(Click(first, panel.revision), ALBA, word)
    message = await room.turn(ALBA)
    assert not leads_on(message), "what is drafted comes first"
    actions = {place.action for place in ids(message) if isinstance(place, PanelId)}
    assert {Action.BACK, Action.REFRESH} <= actions
    [more] = [
        place for place in ids(message) if isinstance(place, PanelId) and place.action is Action.REFRESH
    ]
    message = room.shown(await room.send(room.pressed(ALBA, pack(more), message)))
    assert [parse(item["custom_id"]) for item in items(message) if "custom_id" in item][-1] == ButtonId(
        first, Button.NEXT
    )


# --- /games and the option ------------------------------------------------------------------------


async def lists(room: Room) -> tuple[str, str, str]:
    """Begin a match that waits for Alba, one that waits for Bruno, and one that is over."""
    over, others, mine = [await room.begin() for _ in range(3)]
    await room.pass_to(mine, ALBA)
    await room.pass_to(others, BRUNO)
    await room.resign(over, BRUNO)
    return mine, others, over


async def test_games_opens_each_match_in_the_lists_place(room: Room) -> None:
    mine, others, over = await lists(room)
    for match in (mine, others, over):
        page = room.shown(await room.send(room.command(ALBA, "games")))
        [select] = [item for item in items(page) if "options" in item]
        assert [option["value"] for option in select["options"]] == [mine, others, over]
        exchange = await room.send(room.pressed(ALBA, select["custom_id"], page, [match]))
        opened = room.shown(exchange)
        assert opened["id"] == page["id"]
        assert without_isolates(match_link(await room.info(match), ENGLISH)) in text_of(opened)
        if match == over:
            assert ids(opened) == [], "a board to look at"
        else:
            assert panel_of(opened) == match


async def test_games_says_whose_turn_it_is_and_links_each_thread(room: Room) -> None:
    mine, others, over = await lists(room)
    lines = text_of(room.shown(await room.send(room.command(ALBA, "games")))).splitlines()[1:]
    since = {line.table.id: int(line.since) for line in await room.services.queries.matches(ALBA)}
    for line, match, said, style in (
        (lines[0], mine, "**your turn** since", "f"),
        (lines[1], others, "waiting for Bruno, last changed", "R"),
        (lines[2], over, "ended", "R"),
    ):
        assert (
            f"https://discord.com/channels/800000000000000001/{(await room.info(match)).thread_id})" in line
        )
        assert line.endswith(f" · {said} <t:{since[match]}:{style}>")


@pytest.mark.parametrize("values", [[], ["gone2345"], ["x" * 90], ["a", "b"]])
async def test_what_was_never_offered_is_refused_in_plain_words(room: Room, values: list[str]) -> None:
    await lists(room)
    page = room.shown(await room.send(room.command(ALBA, "games")))
    await room.send(room.pressed(ALBA, pack(ButtonId(HOUSE, Button.OPEN)), page, values))
    assert room.house.wire.messages[int(page["id"])] == page, "the list stays as it was"
    texts = {ENGLISH.house("error.stale"), ENGLISH.house("no.unknown_match")}
    assert text_of(room.house.wire.mine()[ALBA][-1]) in texts


async def test_a_stranger_who_opens_a_match_sees_what_all_see(room: Room) -> None:
    mine, *_ = await lists(room)
    page = room.shown(await room.send(room.command(CLARA, "games")))
    opened = room.shown(
        await room.send(room.pressed(CLARA, pack(ButtonId(HOUSE, Button.OPEN)), page, [mine]))
    )
    assert without_isolates(match_link(await room.info(mine), ENGLISH)) in text_of(opened)
    assert ids(opened) == []


async def test_the_option_offers_what_waits_first_and_what_is_over_last(room: Room) -> None:
    mine, others, over = await lists(room)
    focused = {"name": "match", "type": TEXT, "value": "", "focused": True}
    exchange = await room.send(room.command(ALBA, "turn", focused, kind=COMPLETION))
    [ack] = exchange.acks
    assert ack["type"] == CHOICES
    choices = ack["data"]["choices"]
    assert [choice["value"] for choice in choices] == [mine, others, over]
    assert [choice["name"].rpartition(" · ")[2] for choice in choices] == ["your turn", "running", "over"]
    for choice in choices:
        assert match_name(await room.info(choice["value"]), ENGLISH) in choice["name"]
    # What is typed is looked for in all that is shown.
    typed = focused | {"value": "OVER"}
    exchange = await room.send(room.command(ALBA, "turn", typed, kind=COMPLETION))
    assert [choice["value"] for choice in exchange.acks[0]["data"]["choices"]] == [over]


async def test_a_thread_has_the_name_of_its_match(room: Room) -> None:
    match = await room.begin()
    names = [sent.body["name"] for sent in room.house.wire.sent if sent.path == "thread"]
    info = await room.info(match)
    assert info.status is Status.RUNNING
    assert names == [match_name(info, ENGLISH)]


async def test_whoever_is_asked_to_resign_knows_from_what(room: Room) -> None:
    matches = [await room.begin(guest) for guest in (BRUNO, CLARA)]
    for match in matches:
        named = {"name": "match", "type": TEXT, "value": match}
        for command in ("resign", "log", "board", "hand"):
            said = text_of(room.shown(await room.send(room.command(ALBA, command, named))))
            assert without_isolates(match_link(await room.info(match), ENGLISH)) in said
