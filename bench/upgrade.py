"""From one version to the next in mid-match: ``python -m bench.upgrade OLD_CHECKOUT``.

The bot of an older checkout plays some turns of every game with two people in the sandbox. One of them
drafts a word; the bot is killed; this version takes its place on the same database. The old message's
controls must still work, the draft must still be there, the match goes on and ends, and its replay file
plays again. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from bot.pages.custom_ids import Action, Button
from engines.core.registry import games
from engines.core.rng import SEED_BYTES, Rng, Stream
from tests.e2e.adviser import Adviser
from tests.e2e.four import confirm, typed
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import Player, Stage, action, choices, over, places, press_id

SERVE = """
import os, runpy, sys
os.chdir(sys.argv[1])
sys.path.insert(0, sys.argv[1])
sys.argv[:] = ["bauta", "serve", "--until-eof"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""

TURNS = 4
"""Turns that each version plays."""

PATIENCE = 60.0
"""Seconds for a bot to start."""


async def upgrade(old: Path, key: str, folder: Path) -> None:
    """Play a match of one game over two versions; raises ``AssertionError`` for what is wrong."""
    rng = Rng(bytes(SEED_BYTES)).stream("upgrade", key)
    # The older version comes first: it would refuse a database that the newer one has migrated.
    stage = Stage(folder, limit_windows=1.0)
    stage.program = ("-c", SERVE, str(old))
    async with stage:
        thread = await stage.begin(key)
        await play(stage, thread)
        player = next_player(stage)
        drafted = await draft_word(player, thread, rng)
        await stage.kill_bot()
        stage.program = ()
        await stage.start_bot(PATIENCE)
        panel = await player.touch(action(drafted, Action.REFRESH))
        assert {place.revision for place in places(panel)} == {place.revision for place in places(drafted)}
        assert any(place.action is Action.BACK for place in places(panel)), "the draft is gone"
        await play(stage, thread)
        question = (await stage.bruno.window.command(thread, "resign")).message
        assert question is not None
        await stage.bruno.window.press(question, press_id(question, Button.RESIGN))
        await stage.alba.board(thread, over)
        await the_log_can_be_replayed(stage, thread, key)
        nothing_private_reached_others(stage)


async def play(stage: Stage, thread: str) -> None:
    """Play some turns: what a computer player would say is typed into the panels."""
    for _ in range(TURNS):
        player = next_player(stage)
        await typed(player, await player.open(thread), Adviser(stage.database).sentence(player.id))
        await confirm(player)


def next_player(stage: Stage) -> Player:
    """Return the first player that the match waits for, as the database has it: boards follow later."""
    adviser = Adviser(stage.database)
    waiting = adviser.match().waiting
    return next(player for player in (stage.alba, stage.bruno) if adviser.seat(player.id) in waiting)


async def draft_word(player: Player, thread: str, rng: Stream) -> dict[str, object]:
    """Put one word into a player's draft; return the panel."""
    panel = await player.open(thread)
    while not any(place.action is Action.BACK for place in places(panel)):
        place, values = rng.choice(choices(panel))
        panel = await player.touch(place, values)
    return panel


def main(arguments: Sequence[str] | None = None) -> int:
    """Upgrade in mid-match in every game; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, help="a checkout of the older version")
    parser.add_argument("--game", action="append", choices=sorted(games()), help="only this game; repeatable")
    options = parser.parse_args(arguments)
    failed = 0
    for key in options.game or sorted(games()):
        with tempfile.TemporaryDirectory() as folder:
            try:
                asyncio.run(upgrade(options.old.resolve(), key, Path(folder)))
            except (AssertionError, TimeoutError):
                traceback.print_exc()
                failed += 1
            else:
                print(f"{key}: played on, ended, replayed", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
