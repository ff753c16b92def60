"""Interactions that no honest client sends are answered once, privately, and change nothing."""

from __future__ import annotations

import gc
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bench.hostile.house import DATABASE, House, house_in
from bench.hostile.payloads import COMMAND, COMPLETION, COMPONENT, EPHEMERAL, TEXT, USER, interaction, walk
from bench.hostile.script import FIRST_PERSON
from bench.hostile.wire import CHOICES, MESSAGE, PRIVATE_DEFER, Exchange
from bot.pages.custom_ids import Button, ButtonId, PanelId, pack, parse
from bot.pages.texts import Texts
from tests.duel import DUEL
from tests.kit.prepared import made
from tests.kit.unconnected import state_of
from tests.kit.waiting import let_others_run

ENGLISH = Texts()
GAME = DUEL
ALBA, BRUNO = FIRST_PERSON, FIRST_PERSON + 1


@pytest.fixture
async def house(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[House]:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as opened:
        yield opened
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def refusal(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="no")
    return discord.HTTPException(response, {"code": code, "message": "no"})


def said(house: House) -> str:
    bodies = [sent.body.get("data") or sent.body for sent in house.wire.sent]
    return "\n".join(
        item["content"] for body in bodies for item in walk(body.get("components")) if "content" in item
    )


async def deliver(house: House, payload: dict[str, Any], *others: dict[str, Any]) -> Exchange:
    """Deliver, see that there is one private acknowledgement, and return how it was answered."""
    house.wire.sent.clear()
    exchange = (await house.deliver(payload, *others))[0]
    [ack] = exchange.acks
    if ack["type"] in (MESSAGE, PRIVATE_DEFER):
        assert ack["data"]["flags"] & EPHEMERAL
    return exchange


def command(
    house: House, who: int, name: str, *options: dict[str, Any], kind: int = COMMAND
) -> dict[str, Any]:
    data = {"id": "1", "name": name, "type": 1, "options": list(options)}
    return interaction(kind, next(house.ids), (who, "Alba"), data)


def play(house: House, *options: dict[str, Any], who: int = ALBA) -> dict[str, Any]:
    return command(house, who, "play", {"name": GAME, "type": 1, "options": list(options)})


def pressed(house: House, who: int, custom_id: str, message: dict[str, Any] | None = None) -> dict[str, Any]:
    data = {"custom_id": custom_id, "component_type": 2}
    found = interaction(COMPONENT, next(house.ids), (who, "Alba"), data)
    return found if message is None else found | {"message": message}


async def begun(house: House) -> str:
    """Let Alba and Bruno sit down; return the match."""
    await deliver(house, play(house))
    [live] = house.seen()
    await deliver(house, pressed(house, BRUNO, pack(ButtonId(live.id, Button.JOIN))))
    await deliver(house, pressed(house, ALBA, pack(ButtonId(live.id, Button.START))))
    return live.id


async def draft_of(house: House, match: str, who: int) -> Any:
    panel = await house.services.drafts.panel(match, who)
    return panel.draft, panel.revision


@pytest.mark.parametrize("dropped", ["member", "user"])
async def test_nobody_opens_no_table(house: House, dropped: str) -> None:
    payload = play(house)
    if dropped == "member":
        del payload["member"]
    else:
        payload["member"]["user"]["bot"] = True
    await deliver(house, payload)
    assert house.seen() == []
    assert ENGLISH.house("error.nobody") in said(house)


@pytest.mark.parametrize(
    "option",
    [
        {"name": "match", "type": TEXT, "value": []},
        {"name": "match", "type": TEXT, "value": 7},
        {"name": "match", "type": TEXT, "value": "\ud800"},
        {"name": "dms", "type": TEXT, "value": "never offered"},
        {"name": "text", "type": TEXT, "value": "yes"},
        {"name": "words", "type": TEXT, "value": None},
        {"name": "words", "type": TEXT, "value": ["c4"]},
    ],
)
async def test_an_option_is_taken_only_as_it_is_declared(house: House, option: dict[str, Any]) -> None:
    name = {"dms": "settings", "text": "board", "words": "move"}.get(option["name"], "turn")
    await deliver(house, command(house, ALBA, name, option))
    assert ENGLISH.house("error.command") in said(house)
    assert not (await house.services.settings.preferences(ALBA)).dms


async def test_somebody_whom_discord_does_not_describe_is_not_invited(house: House) -> None:
    await deliver(house, play(house, {"name": "opponent", "type": USER, "value": "7"}))
    assert house.seen() == []
    assert ENGLISH.house("error.command") in said(house)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("turn", {"name": "match", "type": TEXT, "value": 7, "focused": True}),
        ("turn", {"name": "older", "type": TEXT, "value": "", "focused": True}),
        ("turn", {"name": "match", "type": TEXT, "value": ""}),
        ("older", {"name": "match", "type": TEXT, "value": "", "focused": True}),
        ("move", {"name": "words", "type": TEXT, "value": None, "focused": True}),
        ("turn", {"name": "match", "focused": True}),
        ("play", {"name": "match", "type": TEXT, "value": "", "focused": True}),
    ],
)
async def test_what_nothing_completes_has_no_completions(
    house: House, name: str, option: dict[str, Any]
) -> None:
    exchange = await deliver(house, command(house, ALBA, name, option, kind=COMPLETION))
    assert exchange.acks == [{"type": CHOICES, "data": {"choices": []}}]


@pytest.mark.parametrize("name", ["turn", "older"])
@pytest.mark.parametrize(
    ("trouble", "level"),
    [
        (lambda: refusal(404, 10062), logging.INFO),
        (lambda: refusal(400, 40060), logging.INFO),
        (lambda: refusal(400, 50035), logging.WARNING),
        (ConnectionResetError, logging.WARNING),
    ],
)
async def test_a_completion_that_is_not_taken_is_one_line_of_the_log(
    house: House,
    name: str,
    trouble: Callable[[], Exception],
    level: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> None:
        raise trouble()

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(house.wire, "answer", refuse)
    option = {"name": "match", "type": TEXT, "value": "", "focused": True}
    await house.deliver(command(house, ALBA, name, option, kind=COMPLETION))
    told = [record for record in caplog.records if "completion" in record.getMessage()]
    assert [(record.levelno, record.exc_info) for record in told] == [(level, None)]


@pytest.mark.parametrize("lost", ["data", "token", "channel", "attachment_size_limit"])
async def test_what_cannot_be_read_ends_nothing(house: House, lost: str) -> None:
    parsers = state_of(house.client).parsers
    payload = pressed(house, ALBA, "b1")
    parsers["INTERACTION_CREATE"]({key: value for key, value in payload.items() if key != lost})
    parsers["INTERACTION_CREATE"](payload | {"channel": {"id": "5", "type": 11}})
    await deliver(house, play(house))
    assert len(house.seen()) == 1


async def test_a_command_that_is_delivered_twice_is_carried_out_once(house: House) -> None:
    match = await begun(house)
    who = ALBA if (await house.services.drafts.panel(match, ALBA)).asked else BRUNO
    live = house.seen()[-1]
    desk = live.seat_view(live.seat_of(who))
    assert desk.root is not None
    word = next(choice.word for choice in desk.root.choices())
    payload = command(house, who, "move", {"name": "words", "type": TEXT, "value": desk.game.write((word,))})
    await deliver(house, payload, payload)
    once = await draft_of(house, match, who)
    assert once[1] == 1
    await house.deliver(payload)
    assert await draft_of(house, match, who) == once


async def test_a_panel_is_never_drawn_into_a_message_that_others_see(house: House) -> None:
    match = await begun(house)
    board = house.wire.public()[-1]
    panel = await house.services.drafts.panel(match, ALBA)
    exchange = await deliver(
        house, pressed(house, ALBA, f"b1:{match}:{panel.decision}:{panel.revision}:r", board)
    )
    assert exchange.acks[0]["type"] == PRIVATE_DEFER
    assert exchange.target != int(board["id"])
    ids = [parse(item.get("custom_id")) for item in walk(house.wire.messages[int(board["id"])]["components"])]
    assert not any(isinstance(place, PanelId) for place in ids)


async def test_a_private_message_that_was_dismissed_is_no_incident(house: House) -> None:
    match = await begun(house)
    await deliver(house, pressed(house, ALBA, pack(ButtonId(match, Button.TURN))))
    message = house.wire.mine()[ALBA][-1]
    panel = await house.services.drafts.panel(match, ALBA)
    house.wire.delete(int(message["id"]))
    custom_id = f"b1:{match}:{panel.decision}:{panel.revision}:r"
    await deliver(house, pressed(house, ALBA, custom_id, message))


async def test_an_interaction_that_is_over_goes_at_once(house: House) -> None:
    match = await begun(house)
    gc.collect()
    gc.disable()
    try:
        await deliver(house, pressed(house, ALBA, pack(ButtonId(match, Button.TURN))))
        await let_others_run()
        assert [each for each in gc.get_objects() if type(each) is discord.Interaction] == []
    finally:
        gc.enable()
