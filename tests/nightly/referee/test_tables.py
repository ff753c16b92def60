"""Tables from open to closed, permissions that the bot lacks, and direct messages, the same in both."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from bot.interactions import panel
from bot.pages.custom_ids import Action, Button
from bot.pages.page import Painting
from bot.pages.panel import PanelPage
from bot.pages.texts import Texts
from bot.sync.pictures import Pictures
from engines.core.rng import Rng
from sandbox import permissions
from tests.duel import DUEL
from tests.e2e.stage import action, places
from tests.kit.components import text_of
from tests.nightly.referee.script import Scene
from tests.nightly.referee.telling import both
from tests.nightly.referee.world import DM, TABLES, Json

HOUSE = Texts()
GAME = DUEL
"""What is played here does not matter."""

ATTACH, IN_THREADS = 1 << 15, 1 << 38
"""The permissions to attach files, and to send messages in threads."""

LAST = 0.5
"""Seconds in which the outbox worker is through with what was said."""

LATER = 60.0
"""Seconds after which a job that failed is tried again."""

DAYS = 2 * 86_400.0
"""Seconds after which the thread of a match that is over has been put away."""


async def test_tables_are_told_alike(tmp_path: Path) -> None:
    async def evening(scene: Scene) -> None:
        world = scene.world
        await scene.command("Alba", TABLES, f"play {GAME}", opponent=await world.user("Bruno"))
        table = scene.newest("Bruno", Button.JOIN)
        assert [user["id"] for user in table["mentions"]] == [world.person_id("Bruno")]
        await scene.push("Clara", table, Button.HOW_TO_PLAY)
        await scene.push("Bruno", table, Button.START)
        await scene.push("Bruno", table, Button.LEAVE)
        await scene.push("Alba", table, Button.JOIN)
        closed = await scene.push("Alba", table, Button.LEAVE)
        assert text_of(closed) == HOUSE.house("said.closed")
        assert table["id"] not in scene.story.windows["Alba"]
        assert (await scene.press("Bruno", table, "b1:zzzzzzzz:join")).refused

        await scene.command("Alba", TABLES, f"play {GAME}", theme="clear")
        table = scene.newest("Alba", Button.COMPUTER)
        await scene.push("Alba", table, Button.COMPUTER)
        await scene.push("Alba", scene.seen("Alba", table["id"]), Button.START)
        thread = str(table["id"])
        await scene.move(thread, Rng(bytes(32)).stream("table"))
        for name in ("draw", "resign", f"play {GAME}"):
            await scene.command("Alba", thread, name)
        await scene.command("Bruno", thread, "turn")
        for options in ({"theme": "clear"}, {"dms": "on"}, {"dms": "off"}):
            await scene.command("Bruno", TABLES, "settings", **options)

    await both(evening, tmp_path)


async def test_a_thread_that_is_archived_sooner_is_told_alike(tmp_path: Path) -> None:
    async def evening(scene: Scene) -> None:
        thread = await scene.begin(GAME)
        for who in ("Alba", "Bruno"):
            await scene.command(who, thread, "draw")
        assert scene.over(thread)
        assert await scene.world.archived_after(thread) == 10_080
        await scene.later(DAYS)
        assert await scene.world.archived_after(thread) == 60
        # It is not locked: its buttons answer, and its film stays.
        await scene.push("Clara", scene.board(thread), Button.LOG)

    await both(evening, tmp_path)


@pytest.mark.sample
async def test_missing_permissions_are_told_alike(tmp_path: Path) -> None:
    async def evening(scene: Scene) -> None:
        world = scene.world
        await world.permit(permissions.BOT & ~ATTACH)
        said = await scene.command("Alba", TABLES, f"play {GAME}")
        assert HOUSE.house("permission.attach_files") in text_of(said)
        await world.permit(permissions.BOT)
        thread = await scene.begin(GAME)
        await world.permit(permissions.BOT & ~IN_THREADS)
        before = scene.board(thread)["id"]
        who = await scene.move(thread, Rng(bytes(32)).stream("permissions"))
        assert scene.board(thread)["id"] == before
        said = await scene.command(who, TABLES, "turn")
        assert HOUSE.house("permission.send_messages_in_threads") in text_of(said)
        # How often the board is edited once it is there again is a matter of moments.
        scene.story.calls = False
        await world.permit(permissions.BOT)
        await scene.later(LATER)
        assert scene.board(thread)["id"] != before
        said = await scene.command(who, TABLES, "turn")
        assert HOUSE.house("permission.send_messages_in_threads") not in text_of(said)

    await both(evening, tmp_path)


async def test_closed_direct_messages_are_told_alike(tmp_path: Path) -> None:
    async def evening(scene: Scene) -> None:
        for who in ("Alba", "Bruno"):
            await scene.command(who, TABLES, "settings", dms="on")
            await scene.world.close_dms(who)
        thread = await scene.begin(GAME)
        rng = Rng(bytes(32)).stream("closed")
        for _ in range(4):
            await scene.move(thread, rng)
        said = HOUSE.house("dm.closed", player="")[:40]
        told = [text_of(m) for m in scene.story.windows["Clara"].values() if said in text_of(m)]
        for who in ("Alba", "Bruno"):
            assert sum(f"<@{scene.world.person_id(who)}>" in text for text in told) == 1

    await both(evening, tmp_path)


@pytest.mark.parametrize("late", [False, True], ids=["in time", "late"])
async def test_direct_messages_are_told_alike(
    late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``late``: a panel is drawn for the last time after the outbox worker has taken its buttons."""
    if late:
        _delay_receipts(monkeypatch)

    async def evening(scene: Scene) -> None:
        rng = Rng(bytes(32)).stream("direct")
        for who in ("Alba", "Bruno"):
            await scene.command(who, TABLES, "settings", dms="on")
        thread = await scene.begin(GAME)
        for _ in range(2):
            who = scene.asked(thread)[0]
            await scene.turn(who, _panel(scene, who), rng)
        who = scene.asked(thread)[0]
        rival = next(other for other in ("Alba", "Bruno") if other != who)
        listed = await scene.command(who, DM, "games")
        assert f"/{thread})" in text_of(listed)
        matches = await scene.complete(who, DM, "log", "match", "")
        await scene.command(who, DM, "log", match=matches[0]["value"])
        words = await scene.complete(who, DM, "move", "words", "")
        await scene.command(who, DM, "move", words=words[0]["value"])
        panel = await scene.blank(who, await scene.command(who, DM, "turn"))
        assert Action.TYPE in {place.action for place in places(panel)}
        await scene.type(who, panel, "no sentence of any game")
        await scene.touch(who, panel, action(panel, Action.REFRESH))
        private = _panel(scene, who)
        assert (await scene.press(rival, private, "b1:zzzzzzzz:turn")).refused
        # Played elsewhere, the direct message loses its controls too.
        await scene.turn(who, await scene.blank(who, await scene.open(who, thread)), rng)
        assert not places(scene.seen(who, private["id"]))

    await both(evening, tmp_path)


def _delay_receipts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the picture of a panel whose turn was said take its time."""
    is_receipt = ContextVar("is_receipt", default=False)
    draw, paint = panel.draw_panel, Pictures.panel

    async def drawn(context: Any, reply: Any, shown: PanelPage, **more: Any) -> None:
        is_receipt.set(shown.notice.startswith("✅"))
        await draw(context, reply, shown, **more)

    async def painted(*given: Any) -> Painting:
        painting = await paint(*given)
        if is_receipt.get():
            await asyncio.sleep(LAST)
        return painting

    monkeypatch.setattr(panel, "draw_panel", drawn)
    monkeypatch.setattr(Pictures, "panel", painted)


def _panel(scene: Scene, who: str) -> Json:
    """Return the only panel that stands in a person's direct messages with its controls."""
    shown = [m for m in scene.story.windows[who].values() if places(m) and not m["flags"] & 1 << 6]
    [panel] = shown
    return panel
