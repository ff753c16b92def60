"""The catalogue of the documentation shows what is painted now, within the tolerance of ``comparing``."""

from __future__ import annotations

import pytest
from PIL import Image

from renderers.core.registry import renderer, renderers_by_game
from tests.renderers.catalogue import FOLDER, SIZES, page, place, sheet_path, shown, states
from tests.renderers.comparing import SHARE, far_share

SAMPLED = 3
"""States of each sheet that are painted and compared; each sheet has others."""

COARSER = 3
"""How many times as many pixels may differ: the 256 colours of a sheet serve all its states, and the tints
of rare marks come out coarser there than in the picture itself."""

SHEET_LIMIT = 3 << 20
"""Bytes of a sheet: who reads the page loads them all."""

SHEETS = [
    (key, theme, width)
    for key, painter in renderers_by_game().items()
    for theme in painter.themes
    for width in SIZES
]


def _sample(key: str, number: int) -> list[str]:
    names = list(states(key))
    return [names[(number + step * len(names) // SAMPLED) % len(names)] for step in range(SAMPLED)]


@pytest.mark.parametrize("number", range(len(SHEETS)))
def test_the_catalogue_shows_what_is_painted_now(number: int) -> None:
    key, theme, width = SHEETS[number]
    path = sheet_path(key, theme, width)
    assert path.stat().st_size <= SHEET_LIMIT
    with Image.open(path) as image:
        sheet = image.convert("RGB")
    for name in _sample(key, number):
        now = shown(key, name, theme, width)
        x, y = place(key, name, width)
        then = sheet.crop((x, y, x + now.width, y + now.height))
        assert far_share(then, now) <= COARSER * SHARE, f"{path.name}: {name}"


def test_the_catalogue_has_scripted_states_and_those_of_a_whole_match() -> None:
    found = {key: set(states(key)) for key in renderers_by_game()}
    assert all("start, public" in names and len(names) >= 2 for names in found.values())
    # What a short game has not reached by then, others have.
    assert any({"turn_30, asked", "resigned, public"} <= names for names in found.values())


def test_the_page_says_what_is_there() -> None:
    assert (FOLDER / "README.md").read_text("utf-8") == page()
    assert {path.name for path in FOLDER.iterdir()} == {
        "README.md",
        *(sheet_path(*sheet).name for sheet in SHEETS),
    }


def test_there_are_two_themes_or_more_and_two_sizes() -> None:
    assert all(len(renderer(key).themes) >= 2 for key in renderers_by_game())
    assert all(renderer(key).themes[0] == "default" for key in renderers_by_game())
