"""Pictures of every game that has a renderer: they can be painted, and twins look alike."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import pictures, secrets
from tests.contract.checks.sampling import Line, viewers
from tests.kit.samples import MORE

SAMPLED = MORE


@pytest.fixture
def renderer(game: AnyGame) -> Any:
    registry = pytest.importorskip("renderers.core.registry")
    found = registry.renderers_by_game().get(game.manifest.key)
    if found is None:
        pytest.skip("this game has no renderer")
    return found


def test_twins_look_alike(renderer: Any, moments: tuple[Match, ...], rng: Rng) -> None:
    for match in moments[:SAMPLED]:
        for viewer in viewers(match):
            draft = secrets.random_sentence(match, viewer, rng)[:1]
            other = secrets.twin(match, viewer, rng)
            if other is None:
                pictures.check_pictures(renderer, match, viewer, draft)
            else:
                pictures.check_twin_pictures(renderer, match, other, viewer, draft)


def test_beginning_and_end_are_painted(renderer: Any, played: tuple[Line, ...]) -> None:
    for match in (played[0].moments[0], played[0].end):
        for viewer in viewers(match)[:: 1 if MORE > 1 else match.setup.seats]:
            pictures.check_pictures(renderer, match, viewer)
