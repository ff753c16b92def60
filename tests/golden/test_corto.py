"""Golden playthroughs of CORTO: whole matches as score sheets, ``corto_*.txt``.

A sheet is played again from its own head and sentences, and must come out as it stands: what was
said, what everybody learned of it, and after each turn who stands where. After a wanted change
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
from engines.corto import GAME

SHEETS = sorted(Path(__file__).parent.glob("corto_*.txt"))
HEAD = re.compile(r"CORTO for (\d), adventures ([\w ]+), played with the seed (\w{64})")
SEATS = ("Red", "Blue", "Yellow", "Green")
LINE = re.compile(rf" *\d+\. (?P<seat>{'|'.join(SEATS)}): (?P<said>.+)")


def setup(sheet: str) -> tuple[Setup, bytes]:
    head = HEAD.fullmatch(sheet.splitlines()[0])
    assert head is not None
    options = tuple((f"adventure{number}", key) for number, key in enumerate(head[2].split(), 1))
    return Setup("corto", "1", int(head[1]), options), bytes.fromhex(head[3])


def entries(sheet: str) -> Iterator[Entry]:
    """Yield what was said, line by line of a sheet."""
    for found in filter(None, map(LINE.fullmatch, sheet.splitlines())):
        seat = SEATS.index(found["seat"])
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
    texts = load("engines.corto")
    for _, fact in match.facts(None, len(match.log)):
        told = GAME.narrate(fact)
        assert told is not None
        yield f"       {texts.render(told, SEATS.__getitem__)}"


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


def score(head: Setup, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match."""
    match = Match.start(GAME, head, key)
    chosen = " ".join(value for _, value in head.options)
    lines = [
        f"CORTO for {head.seats}, adventures {chosen}, played with the seed {key.hex()}",
        "",
        *story(match),
        "",
    ]
    for number, entry in enumerate(log, 1):
        before = match.view(None).turn
        seat = min(match.waiting) if entry.seat is None else entry.seat
        match = match.apply(entry)
        lines += [f"{number:3}. {SEATS[seat]}: {said(entry)}", *story(match)]
        after = match.view(None).turn
        if before is None or after is None or after.seat != before.seat:
            lines += [standing(match), ""]
    outcome = match.outcome
    ranks = "still open"
    if outcome is not None:
        ranks = " before ".join(" and ".join(SEATS[seat] for seat in rank) for rank in outcome.ranks)
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
