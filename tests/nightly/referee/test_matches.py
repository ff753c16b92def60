"""A match of every game, from the table to the rematch, the same in both opinions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, Button
from engines.core.registry import games
from engines.core.rng import Rng
from tests.e2e.stage import action, choices, components_of, press_id
from tests.nightly.referee.rulings import RULINGS
from tests.nightly.referee.script import Scene
from tests.nightly.referee.story import EPHEMERAL
from tests.nightly.referee.telling import both
from tests.nightly.referee.world import TABLES, Json

ASKED_FOR = ("hand", "board", "log", "rules", "turn", "games", "help", "settings")


@pytest.mark.parametrize("key", list(games()))
async def test_a_match_is_told_alike(key: str, tmp_path: Path) -> None:
    async def evening(scene: Scene) -> None:
        rng = Rng(bytes(32)).stream("referee", key)
        thread = await scene.begin(key)
        for _ in range(2):
            await scene.move(thread, rng)
        await _what_is_asked_for(scene, thread)
        await _typed(scene, thread)
        await _stale(scene, thread)
        await _foreign(scene, thread)
        # That turn may have ended the match: the rest is played at another table.
        await _ends(scene, await scene.begin(key))

    one, other = await both(evening, tmp_path)
    for story in (one, other):
        _nothing_private_is_seen_by_two(story.windows)
    assert one.ruled | other.ruled == {ruling.what for ruling in RULINGS}


async def _what_is_asked_for(scene: Scene, thread: str) -> None:
    who = scene.asked(thread)[0]
    for name in ASKED_FOR:
        answer = await scene.command(who, thread, name)
        if name == "rules":
            await scene.turn_page(who, answer)
    await scene.command(who, thread, "board", text=True)


async def _typed(scene: Scene, thread: str) -> None:
    """Type with completions, and into the panel's form: something, and nonsense."""
    who = scene.asked(thread)[0]
    offered = await scene.complete(who, thread, "move", "words", "")
    assert offered
    panel = await scene.command(who, thread, "move", words=offered[0]["value"])
    panel = await scene.blank(who, panel)
    assert "⚠️" in str(await scene.type(who, panel, "no sentence of any game"))


async def _stale(scene: Scene, thread: str) -> None:
    """Draft in one panel, click in the older one, then use a button that no longer counts."""
    rng = Rng(bytes(32)).stream("stale")
    who = scene.asked(thread)[0]
    old = await scene.open(who, thread)
    new = await scene.open(who, thread)
    assert old["id"] != new["id"]
    new = await scene.draft(who, new, rng)
    back = action(new, Action.BACK)
    place, values = rng.choice(choices(old))
    await scene.touch(who, old, place, values)
    new = await scene.touch(who, new, back)
    board = scene.board(thread)
    panel = await scene.blank(who, await scene.open(who, thread))
    await scene.turn(who, panel, rng)
    # The board from before has no buttons any more, and no client presses what is not there.
    if scene.board(thread)["id"] != board["id"]:
        assert (await scene.press("Clara", board, press_id(board, Button.TURN))).refused


async def _foreign(scene: Scene, thread: str) -> None:
    """Let a stranger press what is public, and what is private to somebody else."""
    board = scene.board(thread)
    for button in (Button.TURN, Button.RULES, Button.LOG):
        await scene.push("Clara", board, button)
    await scene.command("Clara", thread, "turn")
    await scene.command("Clara", TABLES, "board", match="zzzzzzzz")
    panel = await scene.open("Alba", thread)
    for who in ("Bruno", "Clara"):
        assert (await scene.press(who, panel, components_of(panel)[0]["custom_id"])).refused


async def _ends(scene: Scene, thread: str) -> None:
    """Offer a draw, decline it; resign; play again, and agree to a draw."""
    await scene.command("Alba", thread, "draw")
    await scene.push("Bruno", scene.newest("Bruno", Button.DECLINE, thread), Button.DECLINE)
    who, question = await _resign(scene, thread, "Bruno")
    if not scene.over(thread):  # who stays plays on alone
        who, question = await _resign(scene, thread, "Alba")
    assert scene.over(thread)
    await scene.agree(who, question)
    await scene.command("Alba", thread, "log")
    board = scene.board(thread)
    for who in ("Clara", "Alba", "Bruno"):
        await scene.push(who, board, Button.REMATCH)
    table = scene.newest("Alba", Button.JOIN)
    await scene.push("Alba", table, Button.START)
    again = str(table["id"])
    assert not scene.over(again)
    for who in ("Alba", "Bruno"):
        await scene.command(who, again, "draw")
    assert scene.over(again)


async def _resign(scene: Scene, thread: str, who: str) -> tuple[str, Json]:
    """Let a player resign; return who it was, and the question that was answered."""
    question = await scene.command(who, thread, "resign")
    assert not scene.over(thread)
    await scene.agree(who, question)
    return who, question


def _nothing_private_is_seen_by_two(windows: dict[str, dict[str, Json]]) -> None:
    shown = [message for window in windows.values() for message in window.values()]
    private = [message["id"] for message in shown if message["flags"] & EPHEMERAL]
    assert private
    assert len(private) == len(set(private))
