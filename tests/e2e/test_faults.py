"""One house under attack: limits, errors, delays, doubles, deletions, locks, permissions, a kick.

All matches share one bot, which has on its server what the README asks for and nothing more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio

from bot.gateway.permissions import NEEDED
from bot.pages.custom_ids import Action, Button
from bot.pages.texts import Texts
from sandbox import events, permissions
from sandbox.model import Channel
from tests.e2e.conftest import ANSWER_S
from tests.e2e.stage import (
    EPHEMERAL,
    TABLES,
    Json,
    Player,
    Stage,
    action,
    asked,
    has,
    id_in,
    press_id,
    refused,
)
from tests.e2e.test_clicks import IN_TURN, log_of, ready_to_confirm
from tests.e2e.test_recovery import boards, moved_on, play_on, say, to_move
from tests.kit.components import pictures
from tests.kit.person import PersonError
from tests.kit.reading import text_of
from tests.kit.samples import some
from tests.kit.waiting import eventually, until

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOUSE = Texts()
INVITED = 309_237_746_688
"""The permissions in the README's link."""
CALLBACK = r"POST /interactions/\d+/[^/]+/callback"
EVERYWHERE = "general"
ADDS = " adds "
"""What the log says of every turn of the game that is played here."""


def bit(name: str) -> int:
    return discord.Permissions(**{name: True}).value


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with Stage(tmp_path_factory.mktemp("house"), bot_permissions=INVITED) as stage:
        stage.sandbox.set_permissions(INVITED)
        yield stage
        assert "Traceback" not in stage.logged()
        assert stage.sandbox.violations == []


@pytest_asyncio.fixture(loop_scope="module")
async def stage(house: Stage) -> AsyncIterator[Stage]:
    yield house
    house.sandbox.state.faults.clear()
    house.sandbox.delay_gateway(0)
    house.sandbox.invite()
    house.sandbox.set_permissions(INVITED)


def match_of(board: Json) -> str:
    """Return the id of the match that a board's buttons name."""
    return press_id(board, Button.TURN).split(":")[1]


async def match_in(stage: Stage, thread: str) -> str:
    return match_of(await stage.alba.board(thread))


async def turn_elsewhere(player: Player, match: str, channel: str = EVERYWHERE) -> str:
    """Open the panel outside the match's thread; return what it says."""
    outcome = await player.window.command(channel, "turn", match=match)
    player.panel = outcome.message
    return text_of(outcome.message or {"components": []})


async def mended(player: Player, match: str) -> None:
    """Wait until the panel tells of no trouble any more."""

    async def looks_well() -> bool:
        return "🔧" not in await turn_elsewhere(player, match)

    await until(looks_well)


async def told(player: Player, match: str, words: str, channel: str = EVERYWHERE) -> None:
    """Wait until the panel tells of a trouble."""

    async def is_told() -> bool:
        said = await turn_elsewhere(player, match, channel)
        assert words in said or "🔧" not in said, said
        return words in said

    await until(is_told)


def boards_ever(messages: list[Json]) -> int:
    v2 = 1 << 15
    return sum(1 for m in messages if m["flags"] & v2 and not m["flags"] & EPHEMERAL)


async def side_channel(stage: Stage, name: str) -> Channel:
    channel = stage.sandbox.records.add_channel(name)
    events.channel_changed(stage.sandbox.state, "CHANNEL_CREATE", channel)
    await eventually(lambda: str(channel.id) in stage.alba.window.channels)
    return channel


# --- Discord is slow, or says no ------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    some(
        [
            pytest.param({"status": 429, "retry_after": 0.3}, id="route"),
            pytest.param({"status": 429, "retry_after": 0.3, "for_all": True}, id="all"),
            pytest.param({"ban": 2}, id="front"),
            pytest.param({"drop": True, "after": True}, id="cut-after"),
            pytest.param({"status": 503}, id="503"),
            pytest.param({"status": 500, "after": True}, id="500-after"),
        ]
    ),
)
async def test_a_board_that_is_refused_comes_later_and_once(fault: Json, stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    stage.sandbox.fault(rf"POST /channels/{thread}/messages", 1, **fault)
    player = await say(stage, thread)
    await moved_on(stage, thread, player)
    await eventually(lambda: len(boards(stage, thread)) == 1)
    assert boards_ever(await stage.alba.window.messages(thread)) == 2
    assert stage.sandbox.state.faults.pending == []


async def test_a_match_begins_though_every_request_fails_at_first(stage: Stage) -> None:
    stage.sandbox.fault(r"(POST|PATCH|GET) /channels/\d+/messages", 3, status=503)
    stage.sandbox.fault(r"POST /channels/\d+/messages/\d+/threads", 1, status=502)
    latest = max(map(int, stage.alba.window.seen), default=0)
    await stage.alba.window.command(TABLES, f"play {IN_TURN}", opponent=stage.bruno.id)
    table = await stage.bruno.table(after=latest)
    await stage.bruno.window.press(table, "Join")
    await stage.alba.start(table)
    board = await stage.alba.board(table["id"])
    assert len(asked(board)) == 1
    assert boards_ever(await stage.alba.window.messages(table["id"])) == 1


async def test_an_answer_that_is_refused_is_given_later(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    stage.sandbox.fault(CALLBACK, 1, status=500, after=True)
    stage.sandbox.fault(r"PATCH /webhooks/", 1, status=429, retry_after=0.2)
    player = await to_move(stage, thread)
    await ready_to_confirm(player, thread)
    assert stage.sandbox.state.faults.pending == []


@pytest.mark.parametrize("late", some(["answer", "event"]))
async def test_what_discord_gives_up_is_not_carried_out(late: str, stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    player = await to_move(stage, thread)
    await ready_to_confirm(player, thread)
    assert player.panel is not None
    if late == "answer":
        stage.sandbox.fault(CALLBACK, 1, slow=0.4)
    else:
        stage.sandbox.delay_gateway(0.4)
    confirm = id_in(player.panel, action(player.panel, Action.CONFIRM))
    before = len(stage.said("callback"))
    pressed = await player.window.press(player.panel, confirm, wait=False)
    await asyncio.sleep(0.1)
    stage.sandbox.advance(ANSWER_S + 1.0)
    with pytest.raises(PersonError, match="did not respond"):
        await player.window.outcome(pressed.interaction_id)
    await eventually(lambda: [r.code for r in stage.said("callback")[before:]] == [10062])
    stage.sandbox.delay_gateway(0)
    assert asked(await stage.alba.board(thread)) == [player.id]
    assert ADDS not in await log_of(stage.alba, thread)
    await player.touch(action(player.panel, Action.CONFIRM))
    await moved_on(stage, thread, player)


async def test_commands_that_are_delivered_twice_count_once(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    player = await to_move(stage, thread)

    async def doubled(channel: str, command: str, **options: object) -> str:
        stage.sandbox.duplicate_events(1, "INTERACTION_CREATE")
        before = len(stage.said("callback"))
        said = refused(await player.window.command(channel, command, **options))
        assert stage.sandbox.state.gateway.faults.duplicate == 0
        assert len(stage.said("callback")) == before + 1
        return said

    def tables() -> int:
        seen = player.window.seen.values()
        return sum(1 for message in seen if has(message, Button.JOIN))

    before = tables()
    assert HOUSE.house("said.opened") in await doubled(TABLES, f"play {IN_TURN}")
    await eventually(lambda: tables() > before)
    assert await doubled(thread, "move", words="c4") == await doubled(thread, "move", words="c4")
    assert await doubled(thread, "draw") == HOUSE.house("draw.offered")
    player.panel = (await player.window.command(thread, "turn")).message
    assert player.panel is not None
    stage.sandbox.duplicate_events(1, "INTERACTION_CREATE")
    await player.touch(action(player.panel, Action.CONFIRM))
    await moved_on(stage, thread, player)
    assert (await log_of(stage.alba, thread)).count(ADDS) == 1
    assert tables() == before + 1
    # A table that nobody sits at is no other test's business.
    await player.window.press(await player.table(), "Leave")
    await eventually(lambda: tables() == before)


async def test_messages_of_yesterday_work_like_new_ones(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    player = await to_move(stage, thread)
    await ready_to_confirm(player, thread)
    [board] = boards(stage, thread)
    stage.sandbox.advance(86_400.0)  # past the answer's token, and past the addresses of its pictures
    await player.touch(action(player.panel or {}, Action.CONFIRM))
    await moved_on(stage, thread, player)
    await eventually(lambda: len(boards(stage, thread)) == 1)
    old = stage.alba.window.seen[board]
    [shown] = pictures(old)
    assert await stage.alba.window.fetch(shown)
    # A private panel that its reader dismissed opens again from the board.
    await player.window.dismiss(player.panel or {})
    assert text_of(await player.open(thread))


# --- what is shown is deleted or shut -------------------------------------------------------------


async def test_a_deleted_board_is_there_again_once_a_player_looks_for_it(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    [old] = boards(stage, thread)
    stage.sandbox.delete_message(old)
    await stage.alba.window.command(thread, "board")
    await eventually(lambda: boards(stage, thread) not in ([], [old]))
    await moved_on(stage, thread, await say(stage, thread))


async def test_a_deleted_thread_is_begun_anew_without_anybody_asking(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    before = set(stage.alba.window.channels)
    stage.sandbox.delete_channel(thread)
    new = await eventually(lambda: next(iter(set(stage.alba.window.channels) - before), ""))
    await moved_on(stage, new, await say(stage, new))


async def test_a_deleted_channel_of_a_table_and_of_a_match(stage: Stage) -> None:
    window = stage.alba.window
    channel = await side_channel(stage, "side")
    await window.command("side", f"play {IN_TURN}")
    [table] = await eventually(lambda: _messages_in(stage.alba, channel))
    await window.command("side", f"play {IN_TURN}", computers=1)
    await stage.alba.start(await stage.alba.table("side", after=int(table["id"])))
    thread = await eventually(lambda: _thread_below(stage, channel))
    match = await match_in(stage, thread)
    await stage.alba.board(thread, lambda board: asked(board) == [stage.alba.id])
    stage.sandbox.delete_channel(channel.id)

    await told(stage.alba, match, HOUSE.house("problem.gone"))
    assert await play_on(stage.alba)
    assert f"Alba{ADDS}" in refused(await window.command(EVERYWHERE, "log", match=match))
    listed = refused(await window.command(EVERYWHERE, "games"))
    assert f"<#{channel.id}>" not in listed
    with pytest.raises(PersonError):
        await window.press(table, "Join")


def _messages_in(player: Player, channel: Channel) -> list[Json]:
    seen = player.window.seen.values()
    return [m for m in seen if m["channel_id"] == str(channel.id) and has(m, Button.JOIN)]


def _thread_below(stage: Stage, channel: Channel) -> str | None:
    found = stage.alba.window.channels.items()
    return next((key for key, c in found if c.get("parent_id") == str(channel.id)), None)


@pytest.mark.parametrize("archived", some([True, False]))
async def test_a_locked_thread_is_told_and_made_good(archived: bool, stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    match = await match_in(stage, thread)
    player = await to_move(stage, thread)
    stage.sandbox.set_thread(thread, locked=True, archived=archived)
    await turn_elsewhere(player, match)
    assert await play_on(player)
    await told(player, match, HOUSE.house("problem.locked"))
    stage.sandbox.set_thread(thread, locked=False)
    await moved_on(stage, thread, player)
    await mended(player, match)
    await eventually(lambda: len(boards(stage, thread)) == 1)


async def test_a_sleeping_thread_is_woken_for_an_edit(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    player = await to_move(stage, thread)
    stage.sandbox.set_thread(thread, archived=True)
    await player.window.command(EVERYWHERE, "draw", match=await match_in(stage, thread))
    await stage.alba.board(thread, lambda board: has(board, Button.DECLINE))
    assert not stage.alba.window.channels[thread]["thread_metadata"]["archived"]
    assert len(boards(stage, thread)) == 1


# --- the bot may not ------------------------------------------------------------------------------


async def test_each_permission_is_named_where_a_table_is_opened(stage: Stage) -> None:
    names = {name: HOUSE.house(f"permission.{name}") for name in NEEDED}
    assert sum(bit(name) for name in NEEDED) == INVITED
    for missing in NEEDED:
        stage.sandbox.set_permissions(INVITED & ~bit(missing))
        said = refused(await stage.alba.window.command(TABLES, f"play {IN_TURN}"))
        assert said == HOUSE.house("play.permissions", permissions=names[missing])
    stage.sandbox.set_permissions(0)
    said = refused(await stage.alba.window.command(TABLES, f"play {IN_TURN}"))
    assert names["view_channel"] in said
    assert "Edit Channel" in said


@pytest.mark.parametrize("missing", some(NEEDED))
async def test_each_permission_is_named_in_mid_match_and_made_good(missing: str, stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    match = await match_in(stage, thread)
    player = await to_move(stage, thread)
    stage.sandbox.set_permissions(INVITED & ~bit(missing))
    before = set(stage.alba.window.channels)
    new = thread
    if missing in ("send_messages", "create_public_threads"):
        stage.sandbox.delete_channel(thread)  # only what begins a thread needs these
    await turn_elsewhere(player, match)
    assert await play_on(player)
    name = HOUSE.house(f"permission.{missing}")
    await told(player, match, HOUSE.house("problem.permissions", permissions=name))
    stage.sandbox.set_permissions(INVITED)
    if missing in ("send_messages", "create_public_threads"):
        new = await eventually(lambda: next(iter(set(stage.alba.window.channels) - before), ""))
    await moved_on(stage, new, player)
    await mended(player, match)


async def test_a_kicked_bot_goes_on_in_direct_messages_and_catches_up(stage: Stage) -> None:
    thread = await stage.begin(IN_TURN)
    match = await match_in(stage, thread)
    player = await to_move(stage, thread)
    channel = (await player.window.dm())["id"]
    stage.sandbox.kick()
    await turn_elsewhere(player, match, channel)
    assert await play_on(player)
    await told(player, match, HOUSE.house("problem.outside"), channel)
    assert asked(await stage.alba.board(thread)) == [player.id]
    stage.sandbox.invite()
    stage.sandbox.set_permissions(INVITED)
    await moved_on(stage, thread, player)
    assert permissions.BOT & INVITED == INVITED
