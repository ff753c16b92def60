"""Several processes of one bot, with some shards each, at one database: each may die, and nobody notices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bot.cli import ExitCode
from bot.domain.shards import Shards
from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from bot.store.postgresql.sharing import LEASE_S
from bot.sync.job_source import SHARED_POLL_INTERVAL_S
from engines.core.rng import Rng
from sandbox import interactions
from sandbox.model import Guild
from tests.e2e.sharded import ShardedStage
from tests.e2e.stage import Player, asked, places, press_id, refused
from tests.e2e.test_clicks import IN_TURN
from tests.e2e.test_dms import panel_in
from tests.e2e.test_recovery import play_on
from tests.kit.person import PersonError
from tests.kit.postgresql import Cluster, followed
from tests.kit.postgresql import cluster as running_cluster
from tests.kit.waiting import PATIENCE

HOUSE = Texts()

TAKEN_OVER_S = 10.0
"""Seconds within which another process does what one that was killed had to do, beside the work itself."""

LOW, HIGH = Shards(0, 1, 4), Shards(2, 3, 4)


async def begin(stage: ShardedStage, guild: Guild) -> str:
    """Let Alba open a table in a server and Bruno join it; return the thread's id."""
    channel = stage.games(guild)
    await stage.alba.window.command(channel, f"play {IN_TURN}")
    table = await stage.bruno.table(channel)
    await stage.bruno.window.press(table, "Join")
    await stage.alba.start(table)
    await stage.alba.board(table["id"])
    return str(table["id"])


async def with_messages(stage: ShardedStage, guild: Guild) -> dict[str, str]:
    """Let both have their turns by direct message; return each one's channel for these."""
    channels = {}
    for player in (stage.alba, stage.bruno):
        channels[player.id] = str((await player.window.dm())["id"])
        await player.window.command(stage.games(guild), "settings", dms="on")
    return channels


async def to_move(stage: ShardedStage, thread: str) -> Player:
    board = await stage.alba.board(thread)
    return next(player for player in (stage.alba, stage.bruno) if player.id in asked(board))


async def moved_on(stage: ShardedStage, thread: str, player: Player) -> None:
    await stage.alba.board(thread, lambda board: asked(board) and player.id not in asked(board))


async def test_a_match_of_one_process_is_played_in_direct_messages_of_another(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with ShardedStage(tmp_path, cluster.house(), (LOW, HIGH)) as stage:
        guild = stage.guild(2)
        dms = await with_messages(stage, guild)
        thread = await begin(stage, guild)
        for number in range(4):
            player = await to_move(stage, thread)
            if number % 2:
                await player.turn(thread, Rng(bytes(32)).stream(number))
            else:
                # All direct messages reach shard 0, which another process has.
                player.panel = await panel_in(player, dms[player.id])
                assert await play_on(player)
            await moved_on(stage, thread, player)
        assert stage.sandbox.violations == []


def test_a_lease_runs_out_and_is_seen_to_in_time() -> None:
    assert LEASE_S + SHARED_POLL_INTERVAL_S < TAKEN_OVER_S


async def test_another_process_takes_over_what_a_killed_one_had_to_show(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ShardedStage(tmp_path, cluster.house(), (LOW, HIGH)) as stage:
        guild = stage.guild(2)
        dms = await with_messages(stage, guild)
        thread = await begin(stage, guild)
        await stage.kill(HIGH)
        player = await to_move(stage, thread)
        player.panel = await panel_in(player, dms[player.id])
        assert await play_on(player)
        await moved_on(stage, thread, player)
        # In the server nobody answers until its process is there again.
        other = await to_move(stage, thread)
        with monkeypatch.context() as patch:
            patch.setattr(interactions, "RESPONSE_TIMEOUT_S", 3.0)
            with pytest.raises(PersonError):
                await other.open(thread)
        stage.start(HIGH)
        await stage.connected(HIGH)
        assert await other.turn(thread, Rng(bytes(32)).stream("again"))
        await moved_on(stage, thread, other)
        assert stage.sandbox.violations == []


@pytest.mark.nightly
async def test_a_process_that_was_frozen_goes_on_with_what_others_have_done(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with ShardedStage(tmp_path, cluster.house(), (LOW, HIGH)) as stage:
        guild = stage.guild(2)
        dms = await with_messages(stage, guild)
        thread = await begin(stage, guild)
        stage.freeze(HIGH)
        for _ in range(2):
            player = await to_move(stage, thread)
            player.panel = await panel_in(player, dms[player.id])
            assert await play_on(player)
            await moved_on(stage, thread, player)
        stage.thaw(HIGH)
        # It has the table in memory as it was before; the turn is played on what is committed.
        player = await to_move(stage, thread)
        assert await player.turn(thread, Rng(bytes(32)).stream("thawed"))
        await moved_on(stage, thread, player)
        assert stage.sandbox.violations == []


@pytest.mark.nightly
async def test_a_restart_of_the_database_loses_nothing(tmp_path: Path) -> None:
    # A server of its own: others must not miss it meanwhile.
    with running_cluster() as cluster:
        async with ShardedStage(tmp_path, cluster.house(), (LOW, HIGH)) as stage:
            thread = await begin(stage, stage.guild(2))
            for how in ("fast", "immediate"):
                await away_and_back(stage, thread, partial(cluster.stop, how), cluster.start)


@pytest.mark.nightly
async def test_a_failover_to_another_server_loses_nothing(tmp_path: Path) -> None:
    with followed() as (primary, standby):
        async with ShardedStage(tmp_path, primary.house_with(standby), (LOW, HIGH)) as stage:
            thread = await begin(stage, stage.guild(2))
            await away_and_back(stage, thread, primary.kill, standby.promote)


async def away_and_back(
    stage: ShardedStage, thread: str, away: Callable[[], None], back: Callable[[], None]
) -> None:
    """Let the database be away for a click, and the match go on once it is back."""
    player = await to_move(stage, thread)
    away()
    board = await stage.alba.board(thread)
    said = await player.window.press(board, press_id(board, Button.LOG))
    assert HOUSE.house("error.records") in refused(said)
    back()
    await once_it_answers(player, thread)
    assert await player.turn(thread, Rng(bytes(32)).stream("again"))
    await moved_on(stage, thread, player)
    assert stage.sandbox.violations == []


async def once_it_answers(player: Player, thread: str) -> None:
    """Press until the database is in reach again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            board = await player.board(thread)
            outcome = await player.window.press(board, press_id(board, Button.TURN))
            if outcome.message is not None and places(outcome.message):
                return


@pytest.mark.nightly
async def test_a_shard_has_one_process(cluster: Cluster, tmp_path: Path) -> None:
    async with ShardedStage(tmp_path, cluster.house(), (LOW, HIGH)) as stage:
        refused = {Shards(1, 2, 4): "serves shard 1 of 4 already", Shards(0, 0, 8): "count 4"}
        # Together: each waits a while for what may be a lost connection of its own.
        programs = [stage.start(part) for part in refused]
        assert [await program.wait() for program in programs] == [ExitCode.TRY_AGAIN] * 2
        for part, said in refused.items():
            assert said in stage.log(part).read_text()
        assert stage.shards() == {0, 1, 2, 3}


async def test_a_process_that_finds_no_database_may_be_started_again(tmp_path: Path) -> None:
    with running_cluster() as cluster:
        async with ShardedStage(tmp_path, cluster.house(), (LOW,)) as stage:
            await stage.kill(LOW)
            cluster.stop()
            assert await stage.start(LOW).wait() == ExitCode.TRY_AGAIN
            assert "cannot be used" in stage.log(LOW).read_text()
            cluster.start()
            await stage.connected(LOW)
