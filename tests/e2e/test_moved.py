"""A match that is moved to another channel, and then to one more, when that one is deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from sandbox.events import channel_changed
from sandbox.model import Channel
from tests.e2e.stage import TABLES, Stage, asked, has
from tests.e2e.test_clicks import IN_TURN
from tests.e2e.test_faults import match_of
from tests.e2e.test_recovery import boards, moved_on, say
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with Stage(tmp_path) as stage:
        yield stage
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def channel_called(stage: Stage, name: str) -> Channel:
    channel = stage.sandbox.records.add_channel(name)
    channel_changed(stage.sandbox.state, "CHANNEL_CREATE", channel)
    await eventually(lambda: str(channel.id) in stage.alba.window.channels)
    return channel


def thread_in(stage: Stage, channel: Channel) -> str | None:
    found = stage.alba.window.channels.items()
    return next((key for key, one in found if one.get("parent_id") == str(channel.id)), None)


async def test_a_match_goes_on_in_another_channel(stage: Stage) -> None:
    old = await stage.begin(IN_TURN)
    [left] = boards(stage, old)
    match = match_of(await stage.alba.board(old))
    channel = await channel_called(stage, "quiet")
    window, stranger = stage.alba.window, await stage.player("Chiara")

    said = await stranger.window.command("quiet", "board", match=match, move_here=True)
    assert HOUSE.house("no.move") in text_of(said.message or {})
    for place, key in ((old, "play.no_channel"), (TABLES, "no.moved")):
        said = await window.command(place, "board", match=match, move_here=True)
        assert HOUSE.house(key) in text_of(said.message or {})
    assert boards(stage, old) == [left]

    said = await window.command("quiet", "board", match=match, move_here=True)
    assert HOUSE.house("said.moved") in text_of(said.message or {})
    thread = await eventually(lambda: thread_in(stage, channel))
    await stage.alba.board(thread, asked)
    await eventually(lambda: not has(window.seen[left], Button.TURN))
    assert HOUSE.house("board.moved", channel=f"<#{thread}>") in text_of(window.seen[left])
    assert boards(stage, old) == []
    await moved_on(stage, thread, await say(stage, thread))

    # A channel that is deleted is no end either.
    stage.sandbox.delete_channel(channel.id)
    last = await channel_called(stage, "last")
    await stage.bruno.window.command("last", "board", match=match, move_here=True)
    thread = await eventually(lambda: thread_in(stage, last))
    await moved_on(stage, thread, await say(stage, thread))
