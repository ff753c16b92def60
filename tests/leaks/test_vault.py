"""The vault keeps the contract itself: what the suite finds is the house's."""

from __future__ import annotations

import pytest

from engines.core.contract import Setup
from engines.core.registry import game
from engines.core.rng import Rng
from tests.contract.checks import menus, play, secrets
from tests.contract.checks.sampling import Line, sample, seed, tables, viewers, wild
from tests.kit.vault import GAME
from tests.kit.vault.install import KEY

RNG = Rng(seed("vault"))


@pytest.mark.parametrize("setup", tables(GAME), ids=str)
def test_it_is_sound(setup: Setup) -> None:
    twins = 0
    for number in range(3):
        line = Line(tuple(wild(game(KEY), setup, seed("vault", number))))
        play.check_replay(line)
        play.check_reprs(line)
        for match in sample(line, 5, RNG.stream(number)):
            play.check_moment(match)
            play.check_pure(match, RNG)
            for viewer in viewers(match):
                twins += secrets.check_twin(match, viewer, RNG)
                if viewer is not None:
                    menus.check_menus(match, viewer, RNG)
    assert twins > 30
