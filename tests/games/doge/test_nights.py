"""The option *nights*: fewer ghost cards, and the figures that its texts give."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engines.core import texts
from engines.core.setups import filled
from engines.doge import GAME
from engines.doge.components import GHOST_CARDS, LOCATIONS, NIGHTS, PRINTED
from engines.doge.view import Phase, Reason
from tests.games.doge.support import public, start

LEVELS = Path(__file__).parents[3] / "docs" / "levels.md"
SEATS = GAME.manifest.seats


@pytest.mark.parametrize("seats", SEATS)
def test_each_night_has_fewer_ghost_cards(seats: int) -> None:
    counts = [GHOST_CARDS[choice.key][seats] for choice in NIGHTS.choices]
    assert counts == sorted(set(counts), reverse=True)
    for night, cards in zip(GHOST_CARDS, counts, strict=True):
        match = start(seats, nights=night)
        assert (public(match).deck, len(match.state.ghosts)) == (cards, cards)
        assert max(Counter(match.state.ghosts).values(), default=0) <= 2
        assert set(match.state.ghosts) <= set(LOCATIONS)


@pytest.mark.parametrize("seats", SEATS)
def test_a_truth_that_is_imagined_has_as_many(seats: int) -> None:
    for night in GHOST_CARDS:
        match = start(seats, nights=night)
        imagined = GAME.imagine(match.view(0), match.player_rng("nights", 0))
        assert len(imagined.ghosts) == GHOST_CARDS[night][seats]


def test_a_set_up_of_before_has_all_of_them() -> None:
    before = start().setup
    without = [(key, value) for key, value in before.options if key != NIGHTS.key]
    found = filled(GAME.manifest, type(before)(before.game, before.ruleset, before.seats, tuple(without)))
    assert found.option(NIGHTS.key) == PRINTED


def test_the_last_card_of_a_dark_night_is_the_last() -> None:
    """A summoning with the deck empty loses at once, however many cards there were."""
    lost = 0
    for number in range(12):
        match = start(seed=bytes([number] * 32), nights="darkest")
        while match.waiting:
            match = match.act(min(match.waiting), match.computer(min(match.waiting)))
        table = public(match)
        assert table.phase is Phase.OVER
        assert len(table.drawn) <= GHOST_CARDS["darkest"][4]
        assert table.result is not None
        if table.result.reason is Reason.GHOST:
            lost += 1
            assert len(table.drawn) == GHOST_CARDS["darkest"][4]
    assert lost


def test_labels_rules_and_levels_give_the_same_figures() -> None:
    labels = texts.load("engines.doge").languages["en"]
    told = {night: re.findall(r"(\d+)%", str(labels[f"option.{night}"])) for night in GHOST_CARDS}
    levels = LEVELS.read_text(encoding="utf-8")
    page = texts.rules("doge")
    for night, cards in GHOST_CARDS.items():
        [share] = told[night]
        [row] = [line for line in levels.splitlines() if line.startswith(f"| *{night}*")]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        counts = [int(cell.partition(":")[0]) for cell in cells[1:]]
        assert counts == [cards[seats] for seats in (4, 3, 2)]
        assert f"{share} %" in cells[1]
        [line] = [line for line in page.splitlines() if line.startswith(f"| {night.capitalize()} |")]
        assert re.findall(r"(\d+)%", line) == re.findall(r"(\d+) %", row)
