"""Deadlines by the sandbox's clock: somebody vanishes, and a match goes on as its table has agreed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.clocks.outages import MIN_OUTAGE_S, SERVED
from bot.domain.clocks import HOUR, MINUTE
from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from engines.core.rng import Rng
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import Json, Player, Stage, asked, changed, has, no_finding, over, press_id, refused
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

LAG = MIN_OUTAGE_S
"""Seconds that a deadline may be judged late: what the bot's starts have taken and is not made up for yet."""


HOUSE = Texts()


class _Duel:
    """A match of two with an hour a decision; whoever is asked first has vanished."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.thread = ""
        self.late: Player
        self.waiting: Player

    async def begin(self) -> None:
        self.thread = await self.stage.begin("volo", pace="evening")
        board = await self.stage.alba.board(self.thread)
        assert "⏳ due <t:" in text_of(board)
        await self.see_who_is_asked()

    async def see_who_is_asked(self) -> None:
        [person] = asked(await self.stage.alba.board(self.thread))
        both = (self.stage.alba, self.stage.bruno)
        self.late, self.waiting = both if both[0].id == person else both[::-1]

    async def question(self) -> Json:
        """Return the open question what is to become of the late seat."""

        def found() -> Json | None:
            window = self.waiting.window
            fitting = (m for m in window.seen.values() if has(m, Button.CLAIM) and not has(m, Button.TURN))
            return next((m for m in fitting if m["channel_id"] == window.channel_id(self.thread)), None)

        return await eventually(found)

    async def answer(self, player: Player, button: Button) -> str:
        """Press a button of the question, and return the private answer."""
        return refused(await player.press(self.question, button))

    async def settled(self) -> None:
        await eventually(lambda: not any(has(m, Button.CLAIM) for m in self.waiting.window.seen.values()))


async def test_two_with_one_who_vanishes(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        duel = _Duel(stage)
        await duel.begin()
        stage.sandbox.advance(HOUR - 30)
        await _seen_by_the_bot(stage)
        await stage.kill_bot()
        await stage.start_bot()
        # What the clock is moved by before it serves again would count as time without a bot.
        await eventually(lambda: stage.logged().count("connected as") == 2)
        await _seen_by_the_bot(stage)
        stage.sandbox.advance(30 + LAG)
        pinged = (await duel.question())["content"] or text_of(await duel.question())
        assert "ran out of time in" in pinged
        # Whose time is up may not answer; whoever waits may, and is given an hour for the other.
        assert HOUSE.house("no.own_overdue") in await duel.answer(duel.late, Button.CLAIM)
        assert HOUSE.house("said.waiting") in await duel.answer(duel.waiting, Button.WAIT)
        await duel.settled()
        stage.sandbox.advance(HOUR + LAG)
        board = await stage.alba.board(duel.thread)
        assert "stand_in" not in text_of(board)
        await duel.answer(duel.waiting, Button.LET_COMPUTER_PLAY)
        await changed(stage.alba, duel.thread, board)
        board = await stage.alba.board(duel.thread, lambda new: asked(new) == [duel.waiting.id])
        assert "A computer plays until" in text_of(board)
        panel = await duel.late.open(duel.thread)
        assert HOUSE.house("panel.back_again") in str(panel)
        back = refused(await duel.late.window.press(panel, press_id(panel, Button.I_AM_BACK)))
        assert HOUSE.house("said.back") in back
        board = await stage.alba.board(duel.thread, lambda new: "A computer plays until" not in text_of(new))
        await duel.waiting.turn(duel.thread, Rng(bytes(32)).stream("clocks"))
        await stage.alba.board(duel.thread, lambda new: asked(new) == [duel.late.id])
        stage.sandbox.advance(HOUR + LAG)
        assert HOUSE.house("said.claimed") in await duel.answer(duel.waiting, Button.CLAIM)
        board = await stage.alba.board(duel.thread, over)
        assert "claimed the win" in text_of(board)
        nothing_private_reached_others(stage)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await the_log_can_be_replayed(stage, duel.thread, "volo")
        await no_finding(stage)


async def _seen_by_the_bot(stage: Stage) -> None:
    """Wait until the bot has noted what time it is: it makes up for the time in which it is away."""
    before = _noted(stage)

    def is_noted() -> bool:
        return _noted(stage) > max(before, stage.sandbox.state.clock.now() - MINUTE)

    await eventually(is_noted)


def _noted(stage: Stage) -> float:
    with closing(sqlite3.connect(stage.database)) as connection:
        rows = connection.execute("SELECT value FROM house WHERE key = ?", (f"{SERVED}1.0",)).fetchall()
    return max((float(value) for (value,) in rows), default=0.0)


async def test_those_who_play_together_are_played_for(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        thread = await stage.begin("doge", pace="live", time_up="computer")
        for _ in range(2):
            board = await stage.alba.board(thread)
            stage.sandbox.advance(10 * MINUTE + LAG)
            await changed(stage.alba, thread, board)
        assert "ran out of time, so Bauta played" in text_of(await stage.alba.board(thread))
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await no_finding(stage)


@pytest.mark.parametrize("pace", ["slow", "none"])
async def test_a_day_takes_no_slow_match(pace: str, tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        thread = await stage.begin("volo", pace=pace)
        board = await stage.alba.board(thread)
        assert ("⏳" in text_of(board)) is (pace == "slow")
        stage.sandbox.advance(24 * HOUR)
        said = await stage.alba.window.command(thread, "games")
        assert said.message is not None
        assert text_of(await stage.alba.board(thread)) == text_of(board)
        await no_finding(stage)
