"""How many words a match has: ``python -m bench.words``, and ``--tree OLD_CHECKOUT`` for another version.

Two people play some turns of each game by their panels, at random but alike in every version, through the
real client and the sandbox. Counted is what one of them reads: the words of each message that is new, and
of each line that is new in an edited one, in the thread and in the own panels. Alt texts are left out, since
they are heard instead, and so is what stands in pictures. With ``--print`` all lines are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines.core.registry import games
from engines.core.rng import SEED_BYTES, Rng
from sandbox.validation.components import walk
from tests.e2e.stage import Player, Stage, play

SENTENCES = 40
"""Turns that are played in each game."""

EPHEMERAL = 1 << 6

_LAUNCHER = """
import os, runpy, sys
os.environ["PYTHONPATH"] = {tree!r}  # of its painters too
sys.path.insert(0, {tree!r})
sys.argv[1:] = ["serve", "--until-eof"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""

_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_NO_WORDS = re.compile(r"<[^>]*>|`[^`]*`|\(https?://[^)]*\)")
"""Mentions, times, notation, hashes and addresses."""


@dataclass(slots=True)
class Read:
    """What a person has read: lines by where they stood."""

    lines: dict[str, list[str]] = field(default_factory=lambda: {"thread": [], "panel": []})

    def words(self) -> dict[str, int]:
        """Return the number of words, by where they stood."""
        return {where: sum(map(count, lines)) for where, lines in self.lines.items()}


def count(line: str) -> int:
    """Return the number of words of a line."""
    return len(_WORD.findall(_NO_WORDS.sub(" ", line)))


def said(message: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a message: texts, labels, placeholders and options."""
    yield from message.get("content", "").splitlines()
    for item in walk(message.get("components")):
        for key in ("content", "label", "placeholder"):
            yield from str(item.get(key) or "").splitlines()
        for option in item.get("options", ()):
            yield from (option["label"], option.get("description") or "")


def read_by(player: Player) -> Read:
    """Return what a person has been shown since the window was opened."""
    found, before = Read(), dict[str, Counter[str]]()
    for event in player.window.received:
        if event.t not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            continue
        lines = [line for line in said(event.d) if line.strip()]
        new = Counter(lines) - before.get(event.d["id"], Counter())
        before[event.d["id"]] = Counter(lines)
        found.lines["panel" if event.d["flags"] & EPHEMERAL else "thread"] += new.elements()
    return found


async def evening(key: str, tree: Path, sentences: int) -> tuple[Read, int]:
    """Play some turns of a game over the bot of a checkout; return what the host has read, and the turns."""
    with tempfile.TemporaryDirectory() as folder:
        async with Stage(Path(folder)) as stage:
            await stage.stop_bot()
            for end in ("", "-wal", "-shm"):
                stage.database.with_name(f"bauta.db{end}").unlink(
                    missing_ok=True
                )  # too new for older versions
            stage.program = ("-c", _LAUNCHER.format(tree=str(tree)))
            await stage.start_bot(60.0)
            thread = await stage.begin(key)
            turns = await play(stage, thread, Rng(bytes(SEED_BYTES)).stream(key), sentences=sentences)
            return read_by(stage.alba), turns


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--game", action="append", choices=sorted(games()), help="only this game; repeatable")
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="turns played in each game")
    parser.add_argument("--print", action="store_true", dest="shows", help="print what was read")
    options = parser.parse_args(arguments)
    for key in options.game or sorted(games()):
        read, turns = asyncio.run(evening(key, options.tree.resolve(), options.sentences))
        thread, panel = (words / turns for words in read.words().values())
        print(f"{key:6}{thread:7.1f} words a turn in the thread,{panel:7.1f} in panels ({turns})", flush=True)
        for where, lines in read.lines.items() if options.shows else ():
            print("\n".join(f"  {where}: {line}" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
