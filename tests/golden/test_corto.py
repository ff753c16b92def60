"""Golden playthroughs of CORTO: whole matches as score sheets, ``corto_*.txt``.

How they are read, written and kept is in :mod:`tests.golden.sheets`; here also, after each turn, who
stands where.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.core.contract import Setup
from engines.core.match import Entry, Match
from engines.corto import GAME
from engines.corto.view import View
from tests.golden.sheets import Clerk, approve

SHEETS = sorted(Path(__file__).parent.glob("corto_*.txt"))
HEAD = re.compile(r"CORTO for (\d), adventures ([\w ]+), played with the seed (\w{64})")
CLERK = Clerk(GAME, ("Red", "Blue", "Yellow", "Green"))


def setup(sheet: str) -> tuple[Setup, bytes]:
    head = HEAD.fullmatch(sheet.splitlines()[0])
    assert head is not None
    options = tuple((f"adventure{number}", key) for number, key in enumerate(head[2].split(), 1))
    return Setup("corto", "1", int(head[1]), options), bytes.fromhex(head[3])


def standing(match: Match) -> str:
    """Return who stands where with whose markers, the figurines, what is in stock, and present gold."""
    view = match.view(None)
    board = " ".join(f"{found.square}:{found.card}{_markers(found.markers)}" for found in view.board)
    stock = " ".join(str(player.stock) for player in view.players)
    gold = " ".join(str(line.total) for line in view.gold)
    figurines = f"Corto {view.corto or '-'}, Rasputin {view.rasputin or '-'}"
    return f"     = {board} | {figurines} | stock {stock} | gold {gold}"


def _markers(markers: tuple[int, ...]) -> str:
    """Return markers by seat, ``(2,0,1)``; nothing where there are none."""
    return f"({','.join(map(str, markers))})" if any(markers) else ""


def ends_turn(before: View, after: View) -> bool:
    return before.turn is None or after.turn is None or after.turn.seat != before.turn.seat


def score(head: Setup, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match."""
    chosen = " ".join(value for _, value in head.options)
    title = f"CORTO for {head.seats}, adventures {chosen}, played with the seed {key.hex()}"
    start = Match.start(GAME, head, key)
    return CLERK.score(title, start, log, standing=standing, ends_part=ends_turn)


def test_there_are_sheets_for_every_table() -> None:
    assert {setup(path.read_text("utf-8"))[0].seats for path in SHEETS} == {2, 3, 4}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    head, key = setup(sheet)
    log = list(CLERK.entries(sheet))
    assert len(log) > 8
    approve(path, score(head, key, log))
