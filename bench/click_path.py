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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engines.core.registry import games
from engines.core.rng import SEED_BYTES, Rng, Stream
from tests.e2e.stage import Player, Stage, asked, choices, over, places

TURNS = 6
"""Turns that are played in each game."""

KINDS = {"r": "Refresh", "w": "choice", "s": "choice", "y": "Confirm"}
"""The touches that are compared, by the letter of their action in a custom id."""


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
    """Refresh the panel, then touch what it offers until a sentence is confirmed."""
    panel = await player.open(thread)
    while True:
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


async def trace_games(tree: Path, keys: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Play each game over a bot of its own; return (kind of touch, figures) of each interaction."""
    found: list[tuple[str, list[int]]] = []
    for key in keys:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "traces"
            async with Stage(Path(folder)) as stage:
                await stage.stop_bot()
                stage.program = ("-m", "bench.click_tracer", str(tree), str(report))
                await stage.start_bot(60.0)
                await play(stage, key, Rng(bytes(SEED_BYTES)).stream(key))
                await stage.stop_bot()
            found += [_touch(json.loads(line)) for line in report.read_text("utf-8").splitlines()]
    return [(kind, figures) for kind, figures in found if kind]


def _touch(line: dict[str, Any]) -> tuple[str, list[int]]:
    parts = line["custom_id"].split(":")
    return KINDS.get(parts[4], "") if len(parts) > 4 else "", line["figures"]


def table(found: Sequence[tuple[str, list[int]]]) -> str:
    """Return the medians of each kind of touch, as text."""
    lines = [f"{'':10}{'touches':>9}{'files':>8}{'functions':>11}{'moves':>8}"]
    for kind in dict.fromkeys(KINDS.values()):
        rows = [figures for each, figures in found if each == kind]
        if rows:
            files, functions, moves = (round(statistics.median(column)) for column in zip(*rows, strict=True))
            lines.append(f"{kind:10}{len(rows):9}{files:8}{functions:11}{moves:8}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Trace and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--game", action="append", choices=sorted(games()), help="only this game; repeatable")
    options = parser.parse_args(arguments)
    found = asyncio.run(trace_games(options.tree.resolve(), options.game or sorted(games())))
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
