"""Golden playthroughs of VOLTO: whole matches as score sheets, ``volto_*.txt``.

A sheet is played again from its own seed and sentences, and must come out as it stands. After a
wanted change ``BAUTA_REMASTER=1`` writes the sheets anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core.contract import Fact, Seat, Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.texts import load
from engines.volto import GAME

SHEETS = sorted(Path(__file__).parent.glob("volto_*.txt"))
SIDES = ("Sun", "Moon")
LINE = re.compile(r" *\d+\. (?P<side>Sun|Moon) +(?P<said>\S+(?: \S+)*) {2,}.*")


def entries(sheet: str) -> Iterator[Entry]:
    """Yield what was said, line by line of a sheet."""
    for found in filter(None, map(LINE.fullmatch, sheet.splitlines())):
        seat = SIDES.index(found["side"])
        if found["said"] == "resigns":
            yield Entry(EntryKind.WITHDRAW, seat)
        elif found["said"] == "agrees":
            yield Entry(EntryKind.AGREE)
        else:
            yield Entry(EntryKind.ACT, seat, GAME.read(found["said"]))


def seed(sheet: str) -> bytes:
    return bytes.fromhex(sheet.splitlines()[0].split()[-1])


def told(facts: list[Fact]) -> str:
    texts = load("engines.volto")
    found = (GAME.narrate(fact) for fact in facts)
    return " ".join(texts.render(message, SIDES.__getitem__) for message in found if message is not None)


def said(entry: Entry) -> str:
    names = {EntryKind.WITHDRAW: "resigns", EntryKind.AGREE: "agrees"}
    return names.get(entry.kind) or GAME.write(entry.words)


def score(key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match: what was said, what all learned of it, what all saw then."""
    match = Match.start(GAME, Setup("volto", "1", 2), key)
    lines = [f"VOLTO, played with the seed {key.hex()}", ""]
    turn: Seat = 0
    for number, entry in enumerate(log, 1):
        turn = min(match.waiting) if entry.seat is None else entry.seat
        match = match.apply(entry)
        story = told([fact for batch, fact in match.facts(None) if batch == number])
        lines.append(
            f"{number:3}. {SIDES[turn]:<5} {said(entry):<17}  {match.view(None).position:<38}  {story}"
        )
    outcome = match.outcome
    ranks = (
        "still open"
        if outcome is None
        else " before ".join(" and ".join(SIDES[seat] for seat in rank) for rank in outcome.ranks)
    )
    return "\n".join([*lines, "", f"{ranks}: {match.view(None).position}", ""])


def test_there_are_sheets() -> None:
    assert len(SHEETS) >= 4


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    log = list(entries(sheet))
    assert len(log) > 3
    played = score(seed(sheet), log)
    if os.environ.get("BAUTA_REMASTER") == "1":
        path.write_text(played, "utf-8")
    assert path.read_text("utf-8") == played
