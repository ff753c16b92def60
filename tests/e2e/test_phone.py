"""What a locked phone says: who, which game, what happened; also where a crash cut a ping short."""

from __future__ import annotations

import json
from pathlib import Path

from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from engines.core.registry import game
from engines.core.texts import load
from sandbox.model import Message
from tests.e2e.stage import LAID_OUT, Player, Stage, has, press_id
from tests.e2e.test_clicks import IN_TURN
from tests.e2e.test_recovery import boards, moved_on, say, to_move
from tests.kit.reading import text_of, without_isolates
from tests.kit.waiting import eventually

HOUSE = Texts()
TITLE = game(IN_TURN).manifest.title


def words(key: str, **gaps: str | int) -> str:
    """Return a text as a notification shows it."""
    return without_isolates(HOUSE.house(key, **gaps))


def until_match(key: str, **gaps: str | int) -> str:
    """Return a text up to the title of its match's game."""
    before, title, _ = words(key, match=TITLE, **gaps).partition(TITLE)
    return before + title


def pushed(player: Player, *parts: str) -> str | None:
    """Return the newest notification of a person, if it says all that."""
    shown = player.window.notifications
    text = without_isolates(str(shown[-1]["text"])) if shown else ""
    return text if all(part in text for part in parts) else None


async def told(player: Player, *parts: str) -> str:
    """Return the newest notification of a person, once it says all that."""
    return await eventually(lambda: pushed(player, *parts))


def _offer(player: Player, button: Button) -> dict[str, object] | None:
    return next((m for m in player.window.seen.values() if has(m, button) and not has(m, Button.LOG)), None)


async def test_every_ping_says_who_which_game_and_what_happened(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        alba, bruno = stage.alba, stage.bruno
        await alba.window.command("games", f"play {IN_TURN}", opponent=bruno.id)
        await told(bruno, words("push.invited", names="@Bruno", host="Alba", title=TITLE))
        table = await bruno.table()
        await bruno.window.press(table, press_id(table, Button.JOIN))
        await alba.start(await alba.table())
        thread = str((await eventually(lambda: boards_in_threads(stage)))["channel_id"])
        first = await to_move(stage, thread)
        other = bruno if first is alba else alba
        begins = str(load("engines.volo").languages["en"]["fact.began"]).replace(
            "{player}", first.window.name
        )
        await told(first, until_match("push.turn", names=f"@{first.window.name}"), begins)
        await say(stage, thread)
        await moved_on(stage, thread, first)
        await told(other, until_match("push.turn", names=f"@{other.window.name}"), f"\n{first.window.name} ")
        # A draw is offered: who must answer is pinged once, and the board's edit pings nobody.
        before = len(other.window.notifications), len(first.window.notifications)
        await first.window.command(thread, "draw")
        offers = first.window.name
        await told(other, until_match("push.offer", n=1, names=f"@{other.window.name}", players=offers))
        offer = await eventually(lambda: _offer(other, Button.DECLINE))
        assert (len(other.window.notifications), len(first.window.notifications)) == (
            before[0] + 1,
            before[1],
        )
        await other.window.press(offer, press_id(offer, Button.DECLINE))
        await eventually(lambda: _offer(other, Button.DECLINE) is None)
        closed = without_isolates(text_of(other.window.seen[str(offer["id"])]))
        assert words("offer.closed.declined", player=other.window.name) in closed
        # So is who is asked for a rematch.
        await first.window.command(thread, "resign")
        question = next(m for m in first.window.seen.values() if has(m, Button.RESIGN))
        await first.window.press(question, press_id(question, Button.RESIGN))
        last = await other.board(thread, lambda board: has(board, Button.REMATCH))
        await other.window.press(last, press_id(last, Button.REMATCH))
        await told(
            first, words("push.rematch", names=f"@{first.window.name}", host=other.window.name, title=TITLE)
        )
        # Nothing that pings has arrived without words, and all of it was laid out.
        assert stage.sandbox.violations == []
        mine = [m for m in stage.sandbox.records.history(int(thread), 0) if m.kind == 0]
        assert all(m.flags & LAID_OUT for m in mine)


async def test_a_ping_that_a_crash_cut_short_is_laid_out_and_comes_once(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        await stage.alba.window.command("games", "settings", dms="on")
        direct = (await stage.alba.window.dm())["id"]
        thread = await stage.begin(IN_TURN)
        # Who is asked by direct message is not pinged: it has to be Bruno whom the thread calls.
        player, other = stage.alba, stage.bruno
        if await to_move(stage, thread) is other:
            await say(stage, thread)
            await moved_on(stage, thread, other)
        edits = rf"PATCH /channels/({thread}|{direct})/messages"
        # What is sent before is laid out, or its edit would hold up what follows.
        await eventually(lambda: stage.sandbox.records.history(int(direct), 0))
        await eventually(lambda: not any(in_words(stage, channel) for channel in (thread, direct)))
        stage.sandbox.fault(edits, 9, slow=600.0)
        before = len(other.window.notifications)
        await say(stage, thread)
        await eventually(lambda: len(other.window.notifications) > before)
        await told(other, until_match("push.turn", names=f"@{other.window.name}"))
        await stage.kill_bot()
        stage.sandbox.state.faults.clear()
        # Until the bot is back it is words, and the way in.
        [cut] = in_words(stage, thread)
        assert json.dumps(HOUSE.house("board.panel")) in json.dumps(cut.components)
        stage.sandbox.advance(600.0)  # no nonce is remembered so long
        await stage.start_bot()
        await moved_on(stage, thread, player)
        await eventually(lambda: boards(stage, thread) == [str(cut.id)])
        assert (
            len([each for each in other.window.notifications[before:] if thread in each["channel_id"]]) == 1
        )
        mine = [each for each in stage.alba.window.notifications if each["channel_id"] == direct]
        assert all(each["text"].startswith(until_match("push.panel")) for each in mine)
        assert stage.sandbox.violations == []


def in_words(stage: Stage, channel: str) -> list[Message]:
    """Return the messages of a channel that have only arrived so far."""
    return [message for message in stage.sandbox.records.history(int(channel), 0) if message.content]


def boards_in_threads(stage: Stage) -> dict[str, object] | None:
    """Return the newest board that Alba sees."""
    found = [m for m in stage.alba.window.seen.values() if has(m, Button.LOG)]
    return max(found, key=lambda message: int(message["id"]), default=None)
