"""Golden playthroughs of The Secret of the Doge: whole matches as score sheets, ``doge_*.txt``.

How they are read, written and kept is in :mod:`tests.golden.sheets`; here also, after each turn, where
pawns and cards are, and how much each player knows: the deals, and of them the treasures, that fit.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.core.contract import Setup
from engines.core.match import Entry, Match
from engines.core.texts import load
from engines.doge import GAME
from engines.doge.view import Phase, Sheet, View
from tests.golden.sheets import Clerk, approve

SHEETS = sorted(Path(__file__).parent.glob("doge_*.txt"))
HEAD = re.compile(r"The Secret of the Doge for (\d), gifts (\w+), played with the seed (\w{64})")
CLERK = Clerk(GAME, ("Blue", "Yellow", "Red", "Green"))
ENDS = {True: "won", False: "lost", None: "open"}


def setup(sheet: str) -> tuple[Setup, bytes]:
    head = HEAD.fullmatch(sheet.splitlines()[0])
    assert head is not None
    return Setup("doge", "1", int(head[1]), (("gifts", head[2]),)), bytes.fromhex(head[3])


def standing(match: Match) -> str:
    """Return the pawns, the false cards in hand, the piles by their owners, the ghosts, and what is known."""
    public = match.view(None)
    pawns = " ".join("-" if square is None else str(square) for square in public.pawns)
    hands = " ".join(str(public.false_cards(seat)) for seat in range(public.seats))
    piles = " ".join(
        f"{square}:{''.join(CLERK.names[public.gifts[number].giver][0] for number in pile)}"
        for square, pile in enumerate(public.piles)
        if pile
    )
    sheets = [match.view(seat).sheet for seat in range(public.seats)]
    known = " ".join(map(_known, sheets))
    ghost = "-" if public.ghost is None else public.ghost
    return (
        f"     = pawns {pawns} | false cards {hands} | piles {piles or '-'} "
        f"| ghost {ghost}, {public.deck} left | known {known}"
    )


def _known(sheet: Sheet) -> str:
    return "auto off" if sheet.treasures is None else f"{sheet.deals}/{len(sheet.treasures)}"


def ending(match: Match) -> str:
    """Return how the match ended, and why."""
    if match.outcome is None:
        return "still open"
    (reason,) = match.outcome.reasons
    return f"{ENDS[match.outcome.won]}: {load('engines.doge').render(reason, CLERK.names.__getitem__)}"


def ends_turn(before: View, after: View) -> bool:
    phase = after.phase
    is_new = phase in (Phase.ROLL, Phase.LAST, Phase.OVER) and phase is not before.phase
    return is_new or len(after.out) > len(before.out)


def score(head: Setup, key: bytes, log: list[Entry]) -> str:
    """Return the sheet of a match."""
    gifts = head.option("gifts")
    title = f"The Secret of the Doge for {head.seats}, gifts {gifts}, played with the seed {key.hex()}"
    start = Match.start(GAME, head, key)
    return CLERK.score(title, start, log, standing=standing, ends_part=ends_turn, ending=ending)


def test_there_are_sheets_for_every_table_and_every_end() -> None:
    sheets = [path.read_text("utf-8") for path in SHEETS]
    assert {setup(sheet)[0].seats for sheet in sheets} == {2, 3, 4}
    ends = {sheet.splitlines()[-1] for sheet in sheets}
    assert {end.partition(":")[0] for end in ends} == {"won", "lost", "open"}
    assert len(ends) == 4, "found, and lost by ghost or by cards, and agreed"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_comes_out_as_it_stands(path: Path) -> None:
    sheet = path.read_text("utf-8")
    head, key = setup(sheet)
    log = list(CLERK.entries(sheet))
    assert len(log) > 8
    approve(path, score(head, key, log))
