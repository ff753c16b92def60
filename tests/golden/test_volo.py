"""Whole matches of Volo as score sheets: what is said, what follows, how it ends.

A sheet's head and its turns are its script; all else is written anew with ``BAUTA_REMASTER=1``, and a change
of it is to be read like a change of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core.contract import Event, facts_for
from engines.core.setups import complete
from engines.volo import GAME
from engines.volo.state import State
from tests.games.volo.support import RNG, said
from tests.golden.sheets import approve

SHEETS = sorted(Path(__file__).parent.glob("volo_*.txt"))
EVERY = 10
"""Turns after which the position is written down."""

_TURN = re.compile(r"^ *\d+\. +(\S+)")


def head(sheet: str) -> dict[str, str]:
    """What the first lines say: a title, and the board or the position that it begins with."""
    pairs = (line.partition(": ") for line in sheet.splitlines() if re.match(r"(title|board|begins): ", line))
    return {key: value for key, _, value in pairs}


def turns(sheet: str) -> list[str]:
    return [found[1] for line in sheet.splitlines() if (found := _TURN.match(line))]


def begin(told: dict[str, str]) -> State:
    if "begins" in told:
        return GAME.position(told["begins"])
    return GAME.start(complete(GAME.manifest, options={"board": told["board"]}), RNG).state


def told(events: tuple[Event, ...]) -> str:
    return " ".join(said(GAME.narrate(item)) for item in facts_for(events, None))


def choices(state: State) -> int:
    return sum(1 for _ in GAME.legal(GAME.view(state, state.mover)))


def written(sheet: str) -> Iterator[str]:
    """Play a sheet and write it down again."""
    top = head(sheet)
    state = begin(top)
    yield from (f"{key}: {value}" for key, value in top.items())
    yield ""
    for number, line in enumerate(turns(sheet), 1):
        count = choices(state)
        step = GAME.act(state, state.mover, GAME.read(line), RNG)
        yield f"{number:3}. {line:<14} of {count:3}   {told(step.events)}"
        state = step.state
        if number % EVERY == 0:
            yield f"     {GAME.position_text(state)}"
    yield ""
    yield f"ends: {GAME.position_text(state)}"
    outcome = GAME.outcome(GAME.view(state, None))
    yield f"ranks: {'none' if outcome is None else outcome.ranks}"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_match_is_played_as_it_was(path: Path) -> None:
    sheet = path.read_text("utf-8")
    approve(path, "\n".join(written(sheet)) + "\n")


def test_the_sheets_show_what_can_happen() -> None:
    sheets = [path.read_text("utf-8") for path in SHEETS]
    for mark in (
        "board: standard",
        "board: small",
        "wins with",
        "It’s a draw",
        "keeps the region",
        "passes.",
        "((0, 1),)",
    ):
        assert any(mark in sheet for sheet in sheets), mark
