"""Whole matches of every game, through the real client, with the bot killed in the middle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.pages.custom_ids import Action, Button
from engines.core.registry import game, games
from engines.core.rng import Rng
from sandbox.validation.components import walk
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import WINDOWS, Stage, action, has, leave, no_finding, play
from tests.kit.components import pictures
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

LONG = frozenset({"volt"})
"""Games whose matches last for thousands of touches where people press at random."""

OPTIONS: dict[str, dict[str, Any]] = {"volo": {"board": "small"}}
"""Options that make for a shorter match."""


ELSEWHERE = frozenset({"corto", "doge", "volo"})
"""Games whose matches other files begin in every run, with a kill in the middle: these play by night."""

COMMON_LIMITS = "volto"
"""The game that is played at the rate limits that bots commonly see in every run; all are by night."""

WHOLE = 10_000
SOME = 9
"""Sentences after which somebody resigns where a match is not played out."""

KILLED_AFTER = {"doge": 0, "volto": 3, "volt": 6, "volo": 6, "corto": 6}
"""Sentences before the bot is killed; 2 in other games, whose matches may be short."""


@pytest.mark.parametrize(
    ("key", "sentences"),
    [
        case
        for key in games()
        if key not in LONG
        for case in (
            pytest.param(key, SOME, marks=[pytest.mark.nightly] if key in ELSEWHERE else []),
            pytest.param(key, WHOLE, marks=pytest.mark.nightly),
        )
    ],
)
async def test_a_match_from_the_table_to_the_end(key: str, sentences: int, tmp_path: Path) -> None:
    windows = 1.0 if key == COMMON_LIMITS or sentences == WHOLE else WINDOWS
    async with Stage(tmp_path, limit_windows=windows) as stage:
        thread = await stage.begin(key, **OPTIONS.get(key, {}))
        rng = Rng(bytes(32)).stream(key)
        killed = False
        early = KILLED_AFTER.get(key, 2)

        async def kill_once(said: int) -> None:
            nonlocal killed
            if said == early and not killed:
                killed = True
                await _kill_with_open_panel_and_modal(stage, thread, key)

        said = await play(stage, thread, rng, kill_once, sentences)
        await leave(stage, thread)
        assert killed
        assert said > early
        board = await stage.alba.board(thread)
        assert game(key).manifest.title in text_of(board)
        assert "Seed: " in text_of(board)
        nothing_private_reached_others(stage)
        await eventually(lambda: len(_boards_with_buttons(stage, thread)) == 1)
        await stage.alba.board(thread, _with_film)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await the_log_can_be_replayed(stage, thread, key)
        await no_finding(stage)


async def _kill_with_open_panel_and_modal(stage: Stage, thread: str, key: str) -> None:
    """Open a panel and a modal, kill the bot, start it again, and use both."""
    player = stage.alba
    panel = await player.open(thread)
    kind = action(panel, Action.TYPE) if _types(panel) else None
    modal = await player.window.press(panel, _id(panel, Action.TYPE)) if kind is not None else None
    await stage.kill_bot()
    await stage.start_bot()
    if modal is not None:
        mark = len(player.window.received)
        await player.window.modal(modal, {"text": "no sentence of this game"})
        panel = await player.window.updated(panel, since=mark)
        assert "⚠️" in text_of(panel)
    await player.touch(action(panel, Action.REFRESH))
    assert game(key).manifest.title in text_of(panel)


def _types(panel: dict[str, Any]) -> bool:
    return any(item.get("custom_id", "").endswith(":t") for item in walk(panel["components"]))


def _id(panel: dict[str, Any], wanted: Action) -> str:
    return next(
        str(item["custom_id"])
        for item in walk(panel["components"])
        if item.get("custom_id", "").endswith(f":{wanted.value}")
    )


def _with_film(message: dict[str, Any]) -> bool:
    names = [file["filename"] for file in pictures(message)]
    return [name.partition(".")[0] for name in names] == ["board", "film"]


def _boards_with_buttons(stage: Stage, thread: str) -> list[dict[str, Any]]:
    seen = stage.alba.window.seen.values()
    return [message for message in seen if message["channel_id"] == thread and has(message, Button.LOG)]
