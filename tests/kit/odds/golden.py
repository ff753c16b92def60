"""Whole matches of Odds and Evens as score sheets: see :mod:`tests.golden.sheets`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.core import setups
from engines.core.match import Match
from tests.golden.sheets import Clerk, approve
from tests.kit.odds.engine import GAME

SHEETS = sorted(Path(__file__).parent.glob(f"{GAME.manifest.key}_*.txt"))
HEAD = re.compile(r".+, (?P<goal>\d) rounds to win, played with the seed (?P<seed>\w{64})")
CLERK = Clerk(GAME, ("Even", "Odd"))


def standing(match: Match) -> str:
    """Return the rounds that each has won."""
    even, odd = match.view(None).public.scores()
    return f"       {even}–{odd}"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_match_is_played_as_it_was(path: Path) -> None:
    sheet = path.read_text("utf-8")
    title = sheet.splitlines()[0]
    head = HEAD.fullmatch(title)
    assert head is not None
    setup = setups.complete(GAME.manifest, 2, {"goal": head["goal"]})
    match = Match.start(GAME, setup, bytes.fromhex(head["seed"]))
    played = CLERK.score(
        title,
        match,
        CLERK.entries(sheet),
        standing=standing,
        ends_part=lambda before, after: len(before.public.rounds) < len(after.public.rounds),
    )
    approve(path, played)
