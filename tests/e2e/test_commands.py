"""Every command, answered privately; the table from open to closed; computer players, draws, the end."""

from __future__ import annotations

import json
from pathlib import Path

from bot.pages.custom_ids import Button, ButtonId, parse
from bot.pages.how_to_play import HELP_KEY
from bot.pages.texts import Texts
from engines.core.contract import msg
from engines.core.registry import game, games
from engines.core.rng import Rng
from sandbox import permissions
from sandbox.validation.components import walk
from tests.e2e.stage import (
    TABLES,
    Stage,
    asked,
    changed,
    components_of,
    draft_behind,
    has,
    over,
    press_id,
    refused,
)
from tests.e2e.test_clicks import IN_TURN, TOGETHER
from tests.e2e.test_recovery import moved_on, to_move
from tests.kit import components
from tests.kit.components import button, pictures, selects
from tests.kit.person import Outcome, Person
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()
ATTACH = 1 << 15
"""The permission to attach files."""


async def test_what_can_be_asked(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(TOGETHER)
        window = stage.alba.window
        board = refused(await window.command(thread, "board", text=True))
        assert "```" in board
        shown = await window.command(thread, "board")
        assert pictures(shown.message or {})
        hand = await window.command(thread, "hand")
        assert pictures(hand.message or {})
        # Several in one gallery would be small tiles.
        assert {
            len(item["items"]) for item in walk((hand.message or {})["components"]) if "items" in item
        } == {1}
        explained = await window.command(thread, "help")
        said = refused(explained)
        [turn] = [each["id"] for each in window.commands if each["name"] == "turn"]
        assert f"</turn:{turn}>" in components.text_of(explained.message or {})
        assert all(each.manifest.title in said for each in games().values())
        rules = await window.command(thread, "rules")
        assert rules.message is not None
        first = text_of(rules.message)
        [menu] = selects(rules.message)
        mark = len(window.received)
        await window.select(rules.message, menu["custom_id"], menu["options"][-1]["value"])
        assert text_of(await window.updated(rules.message, since=mark)) != first
        other = await window.command(thread, "rules", game=IN_TURN)
        assert game(IN_TURN).manifest.title in text_of(other.message or {})
        assert f"/{thread})" in refused(await window.command(TABLES, "games"))
        assert HOUSE.house("settings.dms_off") in refused(await window.command(thread, "settings"))
        assert HOUSE.house("play.no_channel") in refused(await window.command(thread, f"play {IN_TURN}"))
        # Completions come from what the asker may say, and the command drafts what they name.
        offered = await window.autocomplete(thread, "move", focused="words", words="s")
        sentence = "setup NALANCSNLA"
        drafted = await window.command(thread, "move", words=sentence)
        assert offered is not None
        assert "⚠️" not in refused(drafted)
        assert await draft_behind(window, drafted.message or {}) == sentence
        clara = await stage.player("Clara")
        assert HOUSE.house("no.not_seated") in refused(await clara.window.command(thread, "turn"))
        assert HOUSE.house("error.no_match") in refused(await clara.window.command(TABLES, "turn"))
        named = await clara.window.command(TABLES, "board", match="zzzzzzzz")
        assert HOUSE.house("no.unknown_match") in refused(named)
        await _look_after_ones_own(stage, thread)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def _look_after_ones_own(stage: Stage, thread: str) -> None:
    """Export and delete what is stored, in a thread and in direct messages: all of it in private."""
    window = stage.alba.window

    async def press(outcome: Outcome, key: str, who: Person) -> Outcome:
        assert outcome.message is not None
        refused(outcome)
        label = HOUSE.house(key)
        return await who.press(outcome.message, button(outcome.message, label)["custom_id"])

    privacy = await window.command(thread, "privacy")
    exported = await press(privacy, "privacy.export", window)
    assert HOUSE.house("privacy.exported") in refused(exported)
    [file] = [item["file"] for item in walk((exported.message or {})["components"]) if "file" in item]
    found = json.loads(await window.fetch(file["url"]))
    assert found["person"] == window.id
    assert [row["thread"] for row in found["seats"]] == [thread]
    blocked = refused(await press(privacy, "privacy.delete", window))
    assert HOUSE.house("privacy.blocked") in blocked
    assert f"/{thread})" in blocked, "its name leads to its thread"
    clara = (await stage.player("Clara")).window
    await clara.command(TABLES, "settings", dms="on")
    question = await press(await clara.command(await clara.dm(), "privacy"), "privacy.delete", clara)
    assert HOUSE.house("privacy.deleted") in refused(await press(question, "privacy.sure", clara))
    assert HOUSE.house("settings.dms_off") in refused(await clara.command(TABLES, "settings"))


async def test_a_table_that_is_given_up_and_one_with_a_computer(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        alba, bruno = stage.alba.window, stage.bruno.window
        stage.sandbox.set_permissions(permissions.BOT & ~ATTACH)
        missing = refused(await alba.command(TABLES, f"play {IN_TURN}"))
        assert HOUSE.house("permission.attach_files") in missing
        stage.sandbox.set_permissions(permissions.BOT)

        await alba.command(TABLES, f"play {IN_TURN}", opponent=stage.bruno.id)
        table = await stage.bruno.table()
        assert f"<@{stage.bruno.id}>" in text_of(table)
        assert any(user["id"] == stage.bruno.id for user in table["mentions"])
        assert "Alba" in refused(await bruno.press(table, press_id(table, Button.START)))
        assert HOUSE.house("said.uninvited") == refused(await bruno.press(table, "Leave"))
        assert HOUSE.house("said.closed") == refused(await alba.press(table, "Leave"))
        # With the ping.
        await eventually(lambda: stage.sandbox.state.records.find(int(table["id"])) is None)

        await alba.command(TABLES, f"play {IN_TURN}")
        table = await stage.alba.table()
        levels = (await alba.press(table, "Add computer")).message
        assert levels is not None
        assert HOUSE.house("company.title") in text_of(levels)
        mark = len(alba.received)
        await alba.press(levels, press_id(levels, Button.SEAT_COMPUTER))
        assert HOUSE.house("said.computer") in text_of(await alba.updated(levels, since=mark))
        begun = refused(await alba.press(table, press_id(table, Button.START)))
        assert HOUSE.house("said.begins") in begun
        assert HOUSE.house("shuffle.your_start", id="").partition("`")[0] in begun
        thread = table["id"]
        for number in range(2):
            board = await stage.alba.board(thread, lambda b: stage.alba.id in asked(b))
            assert await stage.alba.turn(thread, Rng(bytes(32)).stream("table", number))
            await changed(stage.alba, thread, board)
        assert HOUSE.house("no.draw_computer") in refused(await alba.command(thread, "draw"))
        assert HOUSE.house("no.not_seated") in refused(await bruno.command(thread, "turn"))


async def test_draws_resigning_and_the_rematch(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        player = await to_move(stage, thread)
        rival = stage.bruno if player is stage.alba else stage.alba
        assert refused(await player.window.command(thread, "draw")) == HOUSE.house("draw.offered")
        board = await rival.board(thread, lambda b: has(b, Button.DECLINE))
        assert refused(await rival.window.press(board, "Decline")) == HOUSE.house("draw.declined")
        await rival.board(thread, lambda b: not has(b, Button.DECLINE))
        await player.turn(thread, Rng(bytes(32)).stream("draws"))
        await moved_on(stage, thread, player)

        question = await player.window.command(thread, "resign")
        assert question.message is not None
        assert not over(await player.board(thread))
        sure = button(question.message, HOUSE.house("resign.sure"))
        assert refused(await player.window.press(question.message, sure["custom_id"])) == HOUSE.house(
            "said.resigned"
        )
        board = await rival.board(thread, over)
        assert rival.window.name in text_of(board)
        late = refused(await player.window.press(question.message, sure["custom_id"]))
        assert HOUSE.house("no.over") in late
        channel = await player.window.messages(TABLES)
        assert HOUSE.house("lobby.over", thread=f"<#{thread}>") in text_of(
            next(m for m in channel if m["id"] == thread)
        )

        for who in (player, rival):
            assert "<#" in refused(await who.window.press(board, press_id(board, Button.REMATCH)))
            table = await player.table(after=int(thread))
        await player.start(table)
        again = await eventually(lambda: _other_thread(stage, thread))
        assert len(asked(await stage.alba.board(again))) == 1
        for who in (stage.alba, stage.bruno):
            refused(await who.window.command(again, "draw"))
        await stage.alba.board(again, over)
        assert HOUSE.house("end.draw") in text_of(await stage.alba.board(again))
        assert stage.sandbox.violations == []


def _other_thread(stage: Stage, old: str) -> str | None:
    channels = stage.alba.window.channels
    return next((key for key, c in channels.items() if c["type"] == 11 and key != old), None)


async def test_how_to_play_is_shown_to_who_asks(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        await stage.alba.window.command(TABLES, f"play {IN_TURN}")
        table = await stage.bruno.table()
        shown = await stage.bruno.window.press(table, press_id(table, Button.HOW_TO_PLAY))
        assert HOUSE.game(IN_TURN, msg(HELP_KEY)) in refused(shown)
        assert shown.message is not None
        assert len(pictures(shown.message)) == 2
        leads_to = [parse(item["custom_id"]) for item in components_of(shown.message)]
        assert leads_to == [ButtonId(IN_TURN, Button.LEARN), ButtonId(IN_TURN, Button.PAGE, 0)]
        assert stage.sandbox.violations == []


async def test_a_server_is_welcomed_once(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:

        def welcomes() -> list[str]:
            seen = stage.alba.window.seen.values()
            return [m["channel_id"] for m in seen if HOUSE.house("welcome.text") in text_of(m)]

        # Whatever it learns before, it learns as the server that it was in already.
        await eventually(lambda: "connected as" in stage.logged())
        assert not welcomes(), "it has been here before"
        for _ in range(2):
            stage.sandbox.kick()
            stage.sandbox.invite()
            await eventually(welcomes)
        # Whoever was let in twice has been told so by now.
        await stage.alba.window.command(TABLES, "help")
        assert welcomes() == [stage.alba.window.channel_id("general")]
        assert stage.sandbox.violations == []
