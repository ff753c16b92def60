"""Who was not shown a card finds no trace of it: not a byte of what a third seat reaches is other."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.core.match import Match
from engines.doge.view import Phase
from tests.leaks.checks.twins import Tables, check_choices, check_drafts, check_truths

LONG = 60
"""Sentences within which the moments come."""


def _cards_were_shown(match: Match) -> bool:
    """Return whether a meeting is over, and a card has been looked at or given through the ghost."""
    public = match.view(None)
    sources = {gift.source for gift in public.gifts}
    return len(sources) + bool(public.discards) > 1 and public.owes is None


def _somebody_chooses(match: Match) -> bool:
    public = match.view(None)
    return public.phase is Phase.SHOW and bool(public.gifts)


async def test_no_trace_of_cards_that_others_were_shown(tmp_path: Path) -> None:
    tables = Tables("doge", seats=4, before=LONG, until=_cards_were_shown)
    assert await check_truths(tables, tmp_path, short=True) == 5


async def test_no_trace_of_what_a_giver_chooses(tmp_path: Path) -> None:
    assert await check_choices(Tables("doge", 1, 4, before=LONG, until=_somebody_chooses), tmp_path)


@pytest.mark.nightly
async def test_no_trace_of_what_a_giver_thinks_of_showing(tmp_path: Path) -> None:
    assert await check_drafts(Tables("doge", 2, 4, before=LONG, until=_somebody_chooses), tmp_path)
