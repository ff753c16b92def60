"""A match of four in which all program at once, through the real client: two persons, two computers.

The persons type their dice, take a module and a tile by touch, and answer in any order; the bot is killed
while two seats are done and two are not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.ui.ids import Action, PanelId
from engines.core.contract import Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game
from engines.core.rng import Rng, Stream, commitment
from sandbox.components import text_of, walk
from tests.e2e.stage import TABLES, Player, Stage, asked, changed, choices, over, places

KEY = "volt"
KILLED = 6
"""Sentences of persons after which the bot is killed."""


async def test_four_program_at_once_to_the_end(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        await stage.alba.window.command(TABLES, f"play {KEY}", players=4, computers=2, arena="A")
        thread = str((await stage.alba.table())["id"])
        await stage.bruno.window.press(await stage.bruno.table(), "Join")
        rng = Rng(bytes(32)).stream(KEY)
        said = await _to_the_end(stage, thread, rng)
        assert said > 2 * KILLED
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await _replayed(stage, thread)


async def _to_the_end(stage: Stage, thread: str, rng: Stream) -> int:
    said, killed = 0, False
    players = {player.id: player for player in (stage.alba, stage.bruno)}
    while True:
        board = await stage.alba.board(thread)
        if over(board):
            assert killed
            return said
        turns = [players[person] for person in asked(board)]
        for player in rng.shuffled(turns):
            if said >= KILLED and len(turns) == 2 and not killed and _programs(await player.open(thread)):
                killed = True  # the computers are done, and nobody else is
                await stage.kill_bot()
                await stage.start_bot()
            said += await _turn(player, thread, rng)
        if turns:
            await changed(stage.alba, thread, board)


async def _turn(player: Player, thread: str, rng: Stream) -> bool:
    """Say one sentence; ``False`` where nothing is asked: the board has not caught up yet."""
    panel = await player.open(thread)
    if _programs(panel):
        panel = await _typed(player, panel, rng)
        modules = [(place, values) for place, values in choices(panel) if place.word == "modules"]
        if modules and rng.chance(1, 2):
            panel = await player.touch(*rng.choice(modules))
        tiles = [place for place in places(panel) if place.word.startswith("tile:")]
        await player.touch(rng.choice(tiles))
    while player.panel is not None:
        confirm = [place for place in places(player.panel) if place.action is Action.CONFIRM]
        ways = choices(player.panel)
        if confirm:
            await player.touch(confirm[0])
            return True
        if not ways:
            break
        await player.touch(*rng.choice(ways))
    return False


def _programs(panel: dict[str, Any]) -> bool:
    """Return whether a panel asks for a program: it has a field for the first die."""
    return any(place.word == "die0" for place in places(panel))


async def _typed(player: Player, panel: dict[str, Any], rng: Stream) -> dict[str, Any]:
    """Type the three dice, and return the panel as it is then."""
    arrows = [rng.choice("NESW") for _ in range(3)]
    dice = [f"b{1 + rng.below(6)}", f"r{1 + rng.below(6)}", f"b{1 + rng.below(3)}"]
    units = zip(("I", "II", "III"), dice, arrows, strict=True)
    text = "program " + " ".join(f"{unit}:{die}{arrow}" for unit, die, arrow in units)
    opener = next(place for place in places(panel) if place.action is Action.TYPE)
    mark = len(player.window.received)
    modal = await player.window.press(panel, _custom_id(panel, opener))
    await player.window.modal(modal, {"text": text})
    player.panel = await player.window.updated(panel, since=mark)
    assert "⚠️" not in text_of(player.panel)
    return player.panel


def _custom_id(panel: dict[str, Any], place: PanelId) -> str:
    ending = f":{place.action.value}"
    found = [item["custom_id"] for item in walk(panel["components"]) if "custom_id" in item]
    return next(str(one) for one in found if one.endswith(ending))


async def _replayed(stage: Stage, thread: str) -> None:
    """Fetch the replay file from the log, and play it again."""
    outcome = await stage.bruno.window.command(thread, "log")
    assert outcome.message is not None
    [file] = [f for f in outcome.message["attachments"] if f["filename"] == "replay.json"]
    replay = json.loads(await stage.bruno.window.fetch(file["url"]))
    seed = bytes.fromhex(replay["seed"])
    assert commitment(seed) == replay["commitment"]
    setup = Setup(KEY, replay["ruleset"], len(replay["seats"]), tuple(replay["options"].items()))
    entries = [
        Entry(EntryKind(row["kind"]), row["seat"], game(KEY).read(row["sentence"])) for row in replay["log"]
    ]
    match = Match.replay(game(KEY), setup, seed, entries)
    assert match.outcome is not None
    assert [list(rank) for rank in match.outcome.ranks] == replay["outcome"]["ranks"]
