"""Golden playthroughs of VOLT: whole matches as score sheets, ``volt_*.txt``.

A sheet is played again from its own head and sentences, and must come out as it stands: what was
said, what everybody learned of it, and after each round who stands where. After a wanted change
``BAUTA_REMASTER=1`` writes the sheets anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core.contract import Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.texts import load
from engines.volt import GAME

SHEETS = sorted(Path(__file__).parent.glob("volt_*.txt"))
HEAD = re.compile(r"VOLT for (\d), arena (\w+), training (\w+), tiles (\w+), played with the seed (\w{64})")
LINE = re.compile(r" *\d+\. Robot (?P<robot>\d): (?P<said>.+)")


def setup(sheet: str) -> tuple[Setup, bytes]:
    head = HEAD.fullmatch(sheet.splitlines()[0])
    assert head is not None
    options = (("arena", head[2]), ("training", head[3]), ("tiles", head[4]))
    return Setup("volt", "1", int(head[1]), options), bytes.fromhex(head[5])


def entries(sheet: str) -> Iterator[Entry]:
    """Yield what was said, line by line of a sheet."""
    for found in filter(None, map(LINE.fullmatch, sheet.splitlines())):
        seat = int(found["robot"]) - 1
        if found["said"] == "resigns":
            yield Entry(EntryKind.WITHDRAW, seat)
        elif found["said"] == "agrees to a draw":
            yield Entry(EntryKind.AGREE)
        else:
            yield Entry(EntryKind.ACT, seat, GAME.read(found["said"]))


def said(entry: Entry) -> str:
    names = {EntryKind.WITHDRAW: "resigns", EntryKind.AGREE: "agrees to a draw"}
    return names.get(entry.kind) or GAME.write(entry.words)


def story(match: Match) -> Iterator[str]:
    """Yield what everybody learned in the last step, a fact a line."""
    texts = load("engines.volt")
    for _, fact in match.facts(None, len(match.log)):
        told = GAME.narrate(fact)
        assert told is not None
        yield f"       {texts.render(told, lambda seat: f'Robot {seat + 1}')}"


def standing(match: Match) -> str:
    """Return where the robots stand, their damage and points, tokens and mines."""
    view = match.view(None)
    robots = [f"{robot.pos or '--'} {robot.damage}d {robot.score}p" for robot in view.robots]
    mines = " ".join(f"{mine.space}({mine.seat + 1})" for mine in view.mines)
    return f"     = {' | '.join(robots)} | tokens {' '.join(map(str, view.tokens))} | mines {mines or '-'}"


def score(head: Setup, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match."""
    match = Match.start(GAME, head, key)
    chosen = ", ".join(f"{name} {value}" for name, value in head.options)
    lines = [f"VOLT for {head.seats}, {chosen}, played with the seed {key.hex()}", "", *story(match), ""]
    for number, entry in enumerate(log, 1):
        before = match.view(None).round
        seat = min(match.waiting) if entry.seat is None else entry.seat
        match = match.apply(entry)
        lines += [f"{number:3}. Robot {seat + 1}: {said(entry)}", *story(match)]
        if match.view(None).round > before or match.outcome is not None:
            lines += [standing(match), ""]
    outcome = match.outcome
    ranks = "still open"
    if outcome is not None:
        ranks = " before ".join(" and ".join(f"Robot {seat + 1}" for seat in rank) for rank in outcome.ranks)
    return "\n".join([*lines, ranks, ""])


def test_there_are_sheets_for_every_table() -> None:
    assert {setup(path.read_text("utf-8"))[0].seats for path in SHEETS} == {2, 3, 4}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    head, key = setup(sheet)
    log = list(entries(sheet))
    assert len(log) > 8
    played = score(head, key, log)
    if os.environ.get("BAUTA_REMASTER") == "1":
        path.write_text(played, "utf-8")
    assert path.read_text("utf-8") == played
