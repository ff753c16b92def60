"""Golden playthroughs of VOLT: whole matches as score sheets, ``volt_*.txt``.

How they are read, written and kept is in :mod:`tests.golden.sheets`; here also, after each round, who
stands where.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from engines.core.contract import Setup
from engines.core.match import Entry, Match
from engines.volt import GAME
from engines.volt.view import View
from tests.golden.sheets import Clerk, approve

SHEETS = sorted(Path(__file__).parent.glob("volt_*.txt"))
HEAD = re.compile(
    r"VOLT for (\d)(?:, ruleset (\d))?, arena (\w+), training (\w+), tiles (\w+),"
    r" played with the seed (\w{64})"
)
CLERK = Clerk(GAME, tuple(f"Robot {seat}" for seat in range(1, 5)))


def setup(sheet: str) -> tuple[Setup, bytes]:
    head = HEAD.fullmatch(sheet.splitlines()[0])
    assert head is not None
    options = (("arena", head[3]), ("training", head[4]), ("tiles", head[5]))
    return Setup("volt", head[2] or "1", int(head[1]), options), bytes.fromhex(head[6])


def standing(match: Match) -> str:
    """Return where the robots stand, their damage and points, tokens and mines."""
    view = match.view(None)
    robots = [f"{robot.pos or '--'} {robot.damage}d {robot.score}p" for robot in view.robots]
    mines = " ".join(f"{mine.space}({mine.seat + 1})" for mine in view.mines)
    return f"     = {' | '.join(robots)} | tokens {' '.join(map(str, view.tokens))} | mines {mines or '-'}"


def ends_round(before: View, after: View) -> bool:
    return after.round > before.round or GAME.outcome(after) is not None


def score(head: Setup, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match."""
    chosen = ", ".join(f"{name} {value}" for name, value in head.options)
    # Sheets of the first ruleset are older than its name.
    ruleset = "" if head.ruleset == "1" else f", ruleset {head.ruleset}"
    title = f"VOLT for {head.seats}{ruleset}, {chosen}, played with the seed {key.hex()}"
    start = Match.start(GAME, head, key)
    return CLERK.score(title, start, log, standing=standing, ends_part=ends_round)


def test_there_are_sheets_for_every_table() -> None:
    heads = [setup(path.read_text("utf-8"))[0] for path in SHEETS]
    assert {(head.ruleset, head.seats) for head in heads} == set(product("12", (2, 3, 4)))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    head, key = setup(sheet)
    log = list(CLERK.entries(sheet))
    assert len(log) > 8
    approve(path, score(head, key, log))
