"""The catalogue of the documentation shows what is painted now, within the tolerance of ``comparing``."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PIL import Image

from engines.core import registry
from renderers.core.registry import renderer, renderers_by_game
from tests.kit.samples import MORE, some
from tests.renderers.catalogue import (
    COMMAND,
    FOLDER,
    PHONE,
    all_states,
    height_on,
    names_on_page,
    page,
    place,
    sheet_path,
    shown,
)
from tests.renderers.comparing import SHARE, far_share

SAMPLED = 2 if MORE > 1 else 1
"""States of each sheet that are painted and compared; each sheet has others."""

COARSER = 3
"""How many times as many pixels may differ: the 256 colours of a sheet serve all its states, and the tints
of rare marks come out coarser there than in the picture itself."""

SHEET_LIMIT = 1 << 20
"""Bytes of a sheet: who reads the page loads them all."""

SHEETS = [(key, theme) for key, painter in renderers_by_game().items() for theme in painter.themes]


def _sample(names: Sequence[str], number: int) -> list[int]:
    return [(number + step * len(names) // SAMPLED) % len(names) for step in range(SAMPLED)]


@pytest.mark.parametrize(("key", "theme"), some(SHEETS))
def test_the_catalogue_shows_what_is_painted_now(key: str, theme: str) -> None:
    path = sheet_path(key, theme)
    if not path.exists():
        pytest.fail(f"no sheet {path.name} in docs/catalogue: paint it by {COMMAND} and look at it")
    assert path.stat().st_size <= SHEET_LIMIT
    with Image.open(path) as image:
        sheet = image.convert("RGB")
    names = names_on_page(key)
    height = height_on(sheet, len(names))
    for number in _sample(names, SHEETS.index((key, theme))):
        now = shown(key, names[number], theme)
        x, y = place(number, PHONE, height)
        then = sheet.crop((x, y, x + now.width, y + now.height))
        told = f"{path.name}: {names[number]}: paint it anew by {COMMAND}"
        assert far_share(then, now) <= COARSER * SHARE, told


@pytest.mark.parametrize("key", renderers_by_game())
def test_the_catalogue_shows_every_table_size_and_the_end(key: str) -> None:
    assert {"start, public", *_ends(key)} <= set(names_on_page(key))


@pytest.mark.nightly  # computer players play a match at each table
@pytest.mark.parametrize("key", renderers_by_game())
def test_what_is_called_an_end_is_one(key: str) -> None:
    game, states = registry.game(key), all_states(key)
    assert all(game.outcome(states[name].view) is not None for name in _ends(key))


def _ends(key: str) -> list[str]:
    """Return the states at which the match at each table is over."""
    _, *larger = registry.game(key).manifest.seats
    return ["end, public", *(f"{seats} players, end, public" for seats in larger)]


@pytest.mark.nightly  # it paints every state of every game
def test_the_page_says_what_is_painted() -> None:
    assert (FOLDER / "README.md").read_text("utf-8") == page(), f"write it anew by {COMMAND}"


def test_every_sheet_is_of_a_game_and_a_theme() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {
        "README.md",
        *(sheet_path(*sheet).name for sheet in SHEETS),
    }


@pytest.mark.parametrize("key", renderers_by_game())
def test_there_are_two_themes_or_more(key: str) -> None:
    assert len(renderer(key).themes) >= 2
    assert renderer(key).themes[0] == "default"
