"""The database deleted or replaced under a bot that runs: refused clicks, ill health, and a way back."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.pages.texts import Texts
from tests.e2e.stage import Stage
from tests.e2e.test_clicks import IN_TURN, log_of, ready_to_confirm
from tests.e2e.test_database_faults import confirm
from tests.e2e.test_faults import ADDS
from tests.e2e.test_recovery import moved_on, say, to_move
from tests.e2e.upkeep import bauta, lines
from tests.kit.waiting import until

HOUSE = Texts()


def beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def everything_deleted(database: Path) -> None:
    for file in database.parent.glob(f"{database.name}*"):
        file.unlink()


def replaced(database: Path) -> None:
    other = database.with_name("other.db")
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(other)) as new:
        old.backup(new)
    other.replace(database)


def log_deleted(database: Path) -> None:
    beside(database, "-wal").unlink()


DAMAGES = (
    everything_deleted,
    *(pytest.param(damage, marks=pytest.mark.nightly) for damage in (replaced, log_deleted)),
)


def script(repository: Path) -> str:
    """Return how to copy what the bot still has open, as docs/troubleshooting.md says it."""
    text = (repository / "docs" / "troubleshooting.md").read_text("utf-8")
    [found] = [block for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if "/proc/" in block]
    return str(found)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets others copy what a process has open")
@pytest.mark.parametrize("damage", DAMAGES)
async def test_clicks_are_refused_it_is_told_and_nothing_is_lost(
    damage: Callable[[Path], None], tmp_path: Path, repository: Path
) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        await moved_on(stage, thread, await say(stage, thread))
        said = (await log_of(stage.alba, thread)).count(ADDS)
        player = await to_move(stage, thread)
        await ready_to_confirm(player, thread)
        assert (await bauta(stage.environment(), "health")).code == 0

        damage(stage.database)
        assert await confirm(player) == HOUSE.house("error.records")
        assert "no longer the file that is open" in stage.logged()
        assert "Traceback" not in stage.logged()

        async def is_ill() -> bool:
            ended = await bauta(stage.environment(), "health")
            assert ended.code == 1
            return "no longer the file that is open" in ended.out

        await until(is_ill)  # where all names are gone, the pulse comes again within seconds
        found = lines((await bauta(stage.environment(), "doctor", "--offline")).out)
        assert found["database"].startswith("FAIL")
        assert "docs/troubleshooting.md" in found["database"]
        target = tmp_path / "saved.db"
        refused = await bauta(stage.environment(), "backup", str(target))
        assert refused.code == 1, refused
        assert not target.exists()

        copying = ["sh", "-eu", "-c", script(repository)]
        await asyncio.to_thread(subprocess.run, copying, cwd=tmp_path, check=True)
        assert await stage.stop_bot() == 0
        restored = await bauta(stage.environment(), "restore", str(target))
        assert restored.code == 0, restored.err
        await stage.start_bot()
        assert (await log_of(stage.alba, thread)).count(ADDS) == said
        await moved_on(stage, thread, await say(stage, thread))
