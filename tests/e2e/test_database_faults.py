"""The database under attack while the house runs: no room, no right to write, another's bytes in its file."""

from __future__ import annotations

import resource
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.pages.custom_ids import Action
from bot.pages.texts import Texts
from tests.e2e.stage import Player, Stage, action, asked, id_in, refused
from tests.e2e.test_clicks import IN_TURN, log_of, ready_to_confirm
from tests.e2e.test_faults import ADDS
from tests.e2e.test_recovery import boards, moved_on, to_move
from tests.e2e.test_start import refusal
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a running process")

HOUSE = Texts()
ROOM = 64 << 10
"""Bytes that a file may have while the disk is full: less than the database's log has by then."""


def limit_files(stage: Stage, most: int) -> None:
    """Let no file of the running bot grow beyond ``most`` bytes, as on a disk that is full."""
    _, hard = resource.prlimit(stage.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(stage.pid, resource.RLIMIT_FSIZE, (most, hard))


async def confirm(player: Player) -> str:
    """Press Confirm; return the private answer beside the panel."""
    assert player.panel is not None
    mark = len(player.window.received)
    await player.window.press(player.panel, id_in(player.panel, action(player.panel, Action.CONFIRM)))
    words = HOUSE.house("error.records")
    return text_of(await player.window.message(lambda m: words in text_of(m), since=mark))


async def test_a_full_disk_is_said_and_the_match_goes_on_once_there_is_room(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        player = await to_move(stage, thread)
        await ready_to_confirm(player, thread)
        await eventually(lambda: not _jobs_due(stage))
        wal = stage.database.with_name(stage.database.name + "-wal")
        assert wal.stat().st_size > ROOM
        limit_files(stage, ROOM)
        for _ in range(2):
            assert await confirm(player) == HOUSE.house("error.records")
        assert ADDS not in await log_of(player, thread)
        assert asked(await stage.alba.board(thread)) == [player.id]
        limit_files(stage, resource.RLIM_INFINITY)
        await player.touch(action(player.panel or {}, Action.CONFIRM))
        await moved_on(stage, thread, player)
        await eventually(lambda: len(boards(stage, thread)) == 1)
        assert "cannot be used (SQLITE_IOERR" in stage.logged()
        assert "Traceback" not in stage.logged()
        assert await stage.stop_bot() == 0


def _jobs_due(stage: Stage) -> int:
    with closing(sqlite3.connect(stage.database)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM job WHERE kind <> 'archive'").fetchone()
    return int(count)


async def test_a_file_that_breaks_under_the_house_is_said_and_left_alone(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        player = await to_move(stage, thread)
        await ready_to_confirm(player, thread)
        await eventually(lambda: not _jobs_due(stage))
        junk = b"these are somebody else's bytes." * 8_000
        for suffix in ("", "-wal"):
            path = stage.database.with_name(stage.database.name + suffix)
            with path.open("r+b") as file:
                file.write(junk[: max(path.stat().st_size, 4_096)])
        assert await confirm(player) == HOUSE.house("error.records")
        assert HOUSE.house("error.records") == refused(
            await player.window.command(thread, "settings", dms="on")
        )
        # What lies in memory can still be looked at, and the board still says the truth.
        assert asked(await stage.alba.board(thread)) == [player.id]
        assert "is broken, or is no database at all" in stage.logged()
        assert "Traceback" not in stage.logged()
        await stage.kill_bot()
        broken = stage.database.read_bytes()
        said = await refusal(tmp_path, "serve", **stage.environment())
        assert "Put a backup in its place" in said
        assert stage.database.read_bytes() == broken


async def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    values = {
        "BAUTA_DATABASE": "/proc/bauta.db",  # not even an administrator can make a file there
        "DISCORD_TOKEN": "x",
        "BAUTA_API_URL": "http://127.0.0.1:9/api/v10",
        "BAUTA_GATEWAY_URL": "ws://127.0.0.1:9/gateway",
    }
    said = await refusal(tmp_path, "serve", **values)
    assert "cannot be written" in said
    assert "put the database elsewhere" in said
