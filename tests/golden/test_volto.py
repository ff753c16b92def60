"""Golden playthroughs of VOLTO: whole matches as score sheets, ``volto_*.txt``.

How they are kept is in :mod:`tests.golden.sheets`; here a line also has the position that all see then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core.contract import Seat, Setup
from engines.core.match import Entry, EntryKind, Match
from engines.volto import GAME
from tests.golden.sheets import Clerk, approve

SHEETS = sorted(Path(__file__).parent.glob("volto_*.txt"))
SIDES = ("Sun", "Moon")
CLERK = Clerk(GAME, SIDES)
HEAD = re.compile(r"VOLTO(?:, ruleset (\d))?, played with the seed (\w{64})")
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


def head(sheet: str) -> tuple[str, bytes]:
    """Return the ruleset and the seed of a sheet."""
    found = HEAD.fullmatch(sheet.splitlines()[0])
    assert found is not None
    return found[1] or "1", bytes.fromhex(found[2])


def said(entry: Entry) -> str:
    names = {EntryKind.WITHDRAW: "resigns", EntryKind.AGREE: "agrees"}
    return names.get(entry.kind) or GAME.write(entry.words)


def score(ruleset: str, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match: what was said, what all learned of it, what all saw then."""
    match = Match.start(GAME, Setup("volto", ruleset, 2), key)
    # Sheets of the first ruleset are older than its name.
    title = "VOLTO" if ruleset == "1" else f"VOLTO, ruleset {ruleset}"
    lines = [f"{title}, played with the seed {key.hex()}", ""]
    turn: Seat = 0
    for number, entry in enumerate(log, 1):
        turn = min(match.waiting) if entry.seat is None else entry.seat
        match = match.apply(entry)
        story = " ".join(line.strip() for line in CLERK.story(match))
        lines.append(
            f"{number:3}. {SIDES[turn]:<5} {said(entry):<17}  {match.view(None).position:<38}  {story}"
        )
    return "\n".join([*lines, "", f"{CLERK.ranks(match)}: {match.view(None).position}", ""])


def test_there_are_sheets() -> None:
    heads = [head(path.read_text("utf-8")) for path in SHEETS]
    assert {ruleset for ruleset, _ in heads} == set(GAME.manifest.rulesets)
    assert len(SHEETS) >= 6


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    log = list(entries(sheet))
    assert len(log) > 3
    approve(path, score(*head(sheet), log))
