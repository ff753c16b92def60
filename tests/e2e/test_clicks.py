"""Clicks that are double, late, forged, somebody else's or twice delivered: answered, and nothing breaks."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, Button
from bot.pages.texts import Texts
from engines.core.registry import game
from engines.core.rng import Rng
from tests.e2e.stage import (
    Player,
    Stage,
    action,
    asked,
    choices,
    components_of,
    id_in,
    places,
    press_id,
    refused,
)
from tests.kit.person import PersonError
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

TOGETHER = "volto"
"""A game in which both decide at the same time at first."""
IN_TURN = "volo"
HOUSE = Texts()


async def ready_to_confirm(player: Player, thread: str) -> None:
    """Draft until the panel offers to confirm."""
    panel = await player.open(thread)
    rng = Rng(bytes(32)).stream(player.window.name)
    while Action.CONFIRM not in {place.action for place in places(panel)}:
        place, values = rng.choice(choices(panel))
        panel = await player.touch(place, values)


async def log_of(player: Player, thread: str) -> str:
    outcome = await player.window.command(thread, "log")
    return refused(outcome)


async def test_two_people_at_once_and_double_clicks(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(TOGETHER)
        people = (stage.alba, stage.bruno)
        for player in people:
            await ready_to_confirm(player, thread)
        clicks = []
        for player in people:
            assert player.panel is not None
            custom_id = id_in(player.panel, action(player.panel, Action.CONFIRM))
            clicks += [player.window.press(player.panel, custom_id) for _ in range(3)]
        await asyncio.gather(*clicks)
        board = await stage.alba.board(thread, lambda b: len(asked(b)) == 1)
        said = await log_of(stage.bruno, thread)
        for player in people:
            assert said.count(f"{player.window.name} has set up the masks") == 1
        assert len(asked(board)) == 1
        assert "incident" not in stage.logged()
        assert stage.sandbox.violations == []


async def test_an_event_that_is_delivered_twice_counts_once(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        board = await stage.alba.board(thread)
        player = next(p for p in (stage.alba, stage.bruno) if p.id in asked(board))
        await ready_to_confirm(player, thread)
        assert player.panel is not None
        stage.sandbox.duplicate_events(1, "INTERACTION_CREATE")
        before = len(stage.said("callback"))
        await player.touch(action(player.panel, Action.CONFIRM))
        board = await stage.alba.board(thread, lambda b: asked(b) and player.id not in asked(b))
        assert len(stage.said("callback")) == before + 1
        assert "incident" not in stage.logged()


async def test_an_outdated_panel_is_redrawn_and_changes_nothing(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        board = await stage.alba.board(thread)
        player = next(p for p in (stage.alba, stage.bruno) if p.id in asked(board))
        old = await player.open(thread)
        new = await player.open(thread)
        assert old["id"] != new["id"]
        rng = Rng(bytes(32)).stream("stale")
        while not any(place.action is Action.BACK for place in places(new)):
            place, values = rng.choice(choices(new))
            new = await player.touch(place, values)
        before = [place for place in places(new) if place.action is Action.BACK]
        mark = len(player.window.received)
        await player.window.press(old, id_in(old, choices(old)[0][0]))
        redrawn = await player.window.updated(old, since=mark)
        assert [place for place in places(redrawn) if place.action is Action.BACK] == before
        # An old button that would change the draft is told to be out of date.
        await player.touch(before[0])
        mark = len(player.window.received)
        await player.window.press(redrawn, id_in(redrawn, before[0]))
        late = await player.window.updated(redrawn, since=mark)
        assert "⚠️" in text_of(late)
        assert "incident" not in stage.logged()


@pytest.mark.parametrize("key", [IN_TURN])
async def test_strangers_and_forgers_are_answered_privately(key: str, tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        clara = await stage.player("Clara")
        thread = await stage.begin(key)
        board = await clara.board(thread)
        outcome = await clara.window.press(board, press_id(board, Button.TURN))
        assert HOUSE.house("no.not_seated") in refused(outcome)
        rules = refused(await clara.window.press(board, press_id(board, Button.RULES)))
        assert len(rules) > 50
        log = refused(await clara.window.press(board, press_id(board, Button.LOG)))
        both = "(Alba – Bruno|Bruno – Alba)"
        name = rf"\[{game(key).manifest.title} · {both}\]\(https://discord\.com/channels/\d+/{thread}\)"
        assert re.search(rf"^### {name} · log$", log, re.MULTILINE)
        mine = await stage.alba.open(thread)
        stolen = [item["custom_id"] for item in components_of(mine)]
        match = stolen[0].split(":")[1]
        before = stage.said(r"POST /channels/\d+/messages")
        forged = [
            *stolen,
            f"b1:{match}:resign",
            f"b1:{match}:accept",
            f"b1:{match}:rematch",
            f"b1:{match}:join",
            "b1:zzzzzzzz:turn",
            f"b1:{match}:turn:extra",
            f"b1:{match}:aaaaaaaa:0:y",
            f"b1:{match}:aaaaaaaa:999999999:w:pass",
            "b1:no-such-game:page",
            "b9:something:new",
            "💥" * 20,
            " ",
        ]
        for custom_id in forged:
            for kind, values in ((2, None), (3, ["x" * 90])):
                outcome = await clara.window.forge(board, custom_id, kind, values)
                if outcome.message is not None and outcome.message["id"] != board["id"]:
                    refused(outcome)
        assert await clara.board(thread) == board
        assert stage.said(r"POST /channels/\d+/messages") == before
        assert "incident" not in stage.logged()
        received = json.dumps([entry.d for entry in stage.sandbox.audit("Clara")])
        assert mine["id"] not in received


async def test_typed_turns(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        board = await stage.alba.board(thread)
        player = next(p for p in (stage.alba, stage.bruno) if p.id in asked(board))
        panel = await player.open(thread)
        for text, said in (("%%%", "⚠️"), ("c4", "You add a bird on c4.")):
            opened = await player.window.press(panel, id_in(panel, action(panel, Action.TYPE)))
            mark = len(player.window.received)
            await player.window.modal(opened, {"text": text})
            panel = await player.window.updated(panel, since=mark)
            assert said in text_of(panel)
        with pytest.raises(PersonError):
            await player.window.modal(opened, {"text": "x" * 401})
        player.panel = panel
        await player.touch(action(panel, Action.CONFIRM))
        await stage.alba.board(thread, lambda b: asked(b) and player.id not in asked(b))
        await eventually(lambda: "c4" in text_of(player.panel or {}))
