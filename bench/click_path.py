"""The way of a click through ``bot/``: ``python -m bench.click_path``.

Two people play the first turns of a match of each game by their panels, through the real client and the
sandbox, while a profiler in the bot's process follows every interaction: which functions of ``bot/`` run on
its behalf, in how many files they stand, and how often one of them calls into another file. ``--tree``
names another checkout whose bot is traced instead, so that two versions are measured alike.

A function counts once however often it runs. A move is a call from a function of one file of ``bot/`` to a
function of another one, whatever libraries lie between. What the outbox does afterwards is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engines.core.registry import games
from engines.core.rng import SEED_BYTES, Rng, Stream
from tests.e2e.stage import Player, Stage, asked, choices, over, places

TURNS = 4
"""Turns that are played in each game."""

TOUCHES = 8
"""Words after which a turn is left as it is: who fills in a form at random may never come to its end."""

MOST = 25
"""Pairs of files that are listed."""

KINDS = {"r": "Refresh", "w": "choice", "s": "choice", "y": "Confirm"}
"""The touches that are compared, by the letter of their action in a custom id."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One interaction: ``figures`` are files, functions and moves; ``moves`` says from where to where."""

    kind: str
    figures: list[int]
    moves: dict[str, int]


async def play(stage: Stage, game: str, rng: Stream) -> None:
    """Play some turns of a game: refresh each panel, choose word by word, confirm."""
    thread = await stage.begin(game)
    players = {player.id: player for player in (stage.alba, stage.bruno)}
    for _ in range(TURNS):
        board = await stage.alba.board(thread)
        if over(board):
            return
        for person in asked(board)[:1]:
            await take_turn(players[person], thread, rng)


async def take_turn(player: Player, thread: str, rng: Stream) -> None:
    """Refresh the panel, then touch what it offers until a sentence is confirmed or it takes too long."""
    panel = await player.open(thread)
    for _ in range(TOUCHES):
        refresh = next(place for place in places(panel) if place.action.value == "r")
        panel = await player.touch(refresh)
        confirm = next((place for place in places(panel) if place.action.value == "y"), None)
        ways = choices(panel)
        if confirm is not None and (not ways or rng.chance(1, 2)):
            await player.touch(confirm)
            return
        back = next((place for place in places(panel) if place.action.value == "b"), None)
        place, values = rng.choice(ways) if ways else (back, None)
        if place is None:
            return
        panel = await player.touch(place, values)


async def trace_games(tree: Path, keys: Sequence[str]) -> list[Touch]:
    """Play each game over a bot of its own; return what was traced of each touch."""
    found: list[Touch] = []
    for key in keys:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "traces"
            async with Stage(Path(folder)) as stage:
                await stage.stop_bot()
                stage.program = ("-m", "bench.click_tracer", str(tree), str(report))
                await stage.start_bot(60.0)
                await play(stage, key, Rng(bytes(SEED_BYTES)).stream(key))
                await stage.stop_bot()
            lines = map(json.loads, report.read_text("utf-8").splitlines())
            found += [Touch(kind_of(line["custom_id"]), line["figures"], line["moves"]) for line in lines]
    return [touch for touch in found if touch.kind]


def kind_of(custom_id: str) -> str:
    """Return what kind of touch an interaction was; empty for those that are not compared."""
    parts = custom_id.split(":")
    return KINDS.get(parts[4], "") if len(parts) > 4 else ""


def table(found: Sequence[Touch]) -> str:
    """Return the medians of each kind of touch, as text."""
    lines = [f"{'':10}{'touches':>9}{'files':>8}{'functions':>11}{'moves':>8}"]
    for kind in dict.fromkeys(KINDS.values()):
        rows = [touch.figures for touch in found if touch.kind == kind]
        if rows:
            files, functions, moves = (round(statistics.median(column)) for column in zip(*rows, strict=True))
            lines.append(f"{kind:10}{len(rows):9}{files:8}{functions:11}{moves:8}")
    return "\n".join(lines)


def busiest(found: Sequence[Touch], kind: str) -> str:
    """Return the moves that a touch of one kind makes most often, on average, as text."""
    touches = [touch for touch in found if touch.kind == kind]
    sums: Counter[str] = Counter()
    for touch in touches:
        sums.update(touch.moves)
    return "\n".join(f"{count / len(touches):8.1f}  {move}" for move, count in sums.most_common(MOST))


def main(arguments: Sequence[str] | None = None) -> int:
    """Trace and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--game", action="append", choices=sorted(games()), help="only this game; repeatable")
    parser.add_argument("--moves", action="store_true", help="say between which files")
    options = parser.parse_args(arguments)
    found = asyncio.run(trace_games(options.tree.resolve(), options.game or sorted(games())))
    print(table(found))
    for kind in dict.fromkeys(touch.kind for touch in found) if options.moves else ():
        print(f"\n{kind}, moves of one touch:\n{busiest(found, kind)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
