"""What players agree on, through their windows: pauses, time, turns taken back, seats, matches given up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.domain.clocks import HOUR
from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from engines.core.rng import Rng
from tests.e2e.stage import TABLES, Json, Player, Stage, asked, changed, has, no_finding, refused
from tests.e2e.weeks.ledger import Ledger
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()


class _Three:
    """A match of two at pace *day*, and Zeno, who has no seat in it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.thread = ""
        self.zeno: Player

    async def begin(self, pace: str = "day") -> None:
        self.zeno = await self.stage.player("Zeno")
        self.thread = await self.stage.begin("volo", pace=pace)

    async def asked(self) -> Player:
        [person] = asked(await self.stage.alba.board(self.thread))
        return self.stage.alba if self.stage.alba.id == person else self.stage.bruno

    def other(self, player: Player) -> Player:
        return self.stage.bruno if player is self.stage.alba else self.stage.alba

    async def say(self, player: Player, command: str, /, **options: Any) -> str:
        return refused(await player.window.command(self.thread, command, **options))

    async def question(self, player: Player, button: Button) -> Json:
        """Return the message of the thread that has a button."""
        window = player.window

        def found() -> Json | None:
            place = window.channel_id(self.thread)
            return next(
                (m for m in window.seen.values() if m["channel_id"] == place and has(m, button)), None
            )

        return await eventually(found)

    async def press(self, player: Player, button: Button) -> str:
        return refused(await player.press(lambda: self.question(player, button), button))

    async def board(self, fits: Callable[[Json], object]) -> Json:
        return await self.stage.alba.board(self.thread, fits)


async def test_a_pause_and_more_time(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        three = _Three(stage)
        await three.begin()
        late = await three.asked()
        waits = three.other(late)
        assert "not playing in this match" in await three.say(three.zeno, "pause")
        assert "not playing in this match" in await three.say(three.zeno, "grant")
        assert HOUSE.house("no.grant_nobody") in await three.say(late, "grant")
        assert HOUSE.house("said.granted") in await three.say(waits, "grant")
        assert HOUSE.house("no.grant_again") in await three.say(waits, "grant")
        assert HOUSE.house("said.proposed") in await three.say(waits, "pause")
        await three.board(lambda board: "asks for a pause" in text_of(board))
        assert HOUSE.house("no.no_motion") in await three.press(waits, Button.AGREE)
        assert "not playing in this match" in await three.press(three.zeno, Button.AGREE)
        await stage.kill_bot()
        await stage.start_bot()
        assert HOUSE.house("said.carried") in await three.press(late, Button.AGREE)
        await three.board(lambda board: HOUSE.house("clock.paused") in text_of(board))
        stage.sandbox.advance(200 * HOUR)
        await three.board(lambda board: HOUSE.house("clock.paused") in text_of(board))
        assert HOUSE.house("said.resumed") in await three.say(waits, "pause")
        board = await three.board(lambda board: HOUSE.house("clock.paused") not in text_of(board))
        assert "⏳ due <t:" in text_of(board)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def test_a_turn_is_taken_back(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        three = _Three(stage)
        await three.begin("none")
        first = await three.asked()
        second = three.other(first)
        board = await stage.alba.board(three.thread)
        assert HOUSE.house("no.undo") in await three.say(first, "undo")
        await first.turn(three.thread, Rng(bytes(32)).stream("undo"))
        await changed(stage.alba, three.thread, board)
        assert HOUSE.house("no.undo") in await three.say(second, "undo")
        assert "not playing in this match" in await three.say(three.zeno, "undo")
        assert HOUSE.house("said.proposed") in await three.say(first, "undo")
        assert HOUSE.house("said.carried") in await three.press(second, Button.AGREE)
        board = await three.board(lambda board: asked(board) == [first.id])
        assert "took back their last turn" in text_of(board)
        await first.turn(three.thread, Rng(bytes(32)).stream("again"))
        await three.board(lambda board: asked(board) == [second.id])
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await no_finding(stage)


async def test_a_seat_passes_on_and_a_match_is_given_up(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        three = _Three(stage)
        await three.begin()
        late = await three.asked()
        other = three.other(late)
        dm = str((await late.window.dm())["id"])
        await late.window.command(TABLES, "settings", dms="on")
        await eventually(lambda: any(m["channel_id"] == dm for m in late.window.seen.values()))
        assert "not playing in this match" in await three.say(three.zeno, "replace", player=three.zeno.id)
        assert HOUSE.house("no.has_held_seat") in await three.say(late, "replace", player=other.id)
        assert HOUSE.house("said.seat_offered") in await three.say(late, "replace", player=three.zeno.id)
        assert HOUSE.house("no.no_seat_offered") in await three.press(other, Button.TAKE_SEAT)
        assert HOUSE.house("said.seat_taken") in await three.press(three.zeno, Button.TAKE_SEAT)
        board = await three.board(lambda board: "took over from" in text_of(board))
        assert asked(board) == [three.zeno.id]
        # What the old holder was shown by direct message is gone, and the panel says no.
        await eventually(lambda: not any(
            m["channel_id"] == dm and three.thread in text_of(m) for m in late.window.seen.values()
        ))  # fmt: skip
        assert "not playing in this match" in await three.say(late, "turn")
        assert HOUSE.house("no.has_held_seat") in await three.say(other, "replace", player=late.id)
        assert HOUSE.house("said.proposed") in await three.say(three.zeno, "abandon")
        assert HOUSE.house("said.objected") in await three.press(other, Button.OBJECT)
        await three.board(lambda board: "asks to call off" not in text_of(board))
        assert HOUSE.house("said.proposed") in await three.say(other, "abandon")
        assert HOUSE.house("said.carried") in await three.press(three.zeno, Button.AGREE)
        board = await three.board(lambda board: HOUSE.house("closed.agreed") in text_of(board))
        assert "Seed" not in text_of(board)
        log = (await other.window.command(three.thread, "log")).message
        assert log is not None
        assert "replay.json" not in str(log)
        assert HOUSE.house("error.nothing_to_resign") in await three.say(other, "resign")
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await no_finding(stage)


async def test_those_who_wait_nudge_and_mute(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        three = _Three(stage)
        await three.begin()
        late = await three.asked()
        waits = three.other(late)
        assert "not playing in this match" in await three.say(three.zeno, "nudge")
        assert HOUSE.house("no.nudge_asked") in await three.say(late, "nudge")
        assert HOUSE.house("said.nudged") in await three.say(waits, "nudge")
        assert HOUSE.house("no.nudge_again") in await three.say(waits, "nudge")
        await eventually(lambda: [n for n in late.window.notifications if "are waiting for you" in n["text"]])
        assert HOUSE.house("said.muted") in await three.press(late, Button.MUTE)
        assert "not playing in this match" in await three.press(three.zeno, Button.MUTE)
        told = len(late.window.notifications)
        stage.sandbox.advance(23 * HOUR)
        # Both reminders are due, and pass over who wants none.
        ledger = Ledger(stage.database)
        await eventually(lambda: [clock.reminded for clock in ledger.clocks()] == [2])
        assert HOUSE.house("said.unmuted") in await three.press(late, Button.MUTE)
        assert len(late.window.notifications) == told
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await no_finding(stage)
