"""The processes that work for a bot which a test starts: none imports anything, and none outlives it."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from bot.pages.custom_ids import Action
from tests.e2e.stage import Stage, action, asked
from tests.kit.components import pictures
from tests.kit.template import next_request
from tests.kit.waiting import eventually


def children(pid: int) -> list[int]:
    return [int(found) for found in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def is_running(pid: int) -> bool:
    """Return whether a process is there, and not only its number."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's children so")
async def test_painters_and_thinkers_are_forked_and_end_with_their_bot(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin("volo", board="small", hints=True)
        board = await stage.alba.board(thread, lambda shown: len(pictures(shown)) == 1)
        player = stage.alba if asked(board) == [stage.alba.id] else stage.bruno
        await player.touch(action(await player.open(thread), Action.HINT))
        [template] = children(stage.pid)
        workers = children(template)
        assert len(workers) >= 2, "a painter and a thinker"
        await stage.kill_bot()
        await eventually(lambda: not any(is_running(pid) for pid in (template, *workers)))


@pytest.mark.parametrize("unread", [b"", b"the number of a process"])
def test_a_bot_that_is_gone_asks_for_nothing_more(unread: bytes) -> None:
    bot, template = socket.socketpair()
    with template:
        if unread:
            template.send(unread)
        bot.close()
        assert next_request(template) is None
