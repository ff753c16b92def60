"""The catalogue shows every telling state as it is painted, at every table size and in every theme.

Approved pictures of its states are those of ``test_golden``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engines.core import registry
from renderers.core.registry import renderer, renderers_by_game
from tests.renderers import catalogue
from tests.renderers.catalogue import COLUMNS, FOLDER, PHONE, all_states, main, place, shown, states
from tests.renderers.looks import Look

KEYS = [*renderers_by_game()]
CHEAPEST = "volo"
"""The game whose pictures are painted fastest: some of its sheets are painted in every run."""


def sheets_are_true(folder: Path, key: str, found: Mapping[str, Look]) -> None:
    """Have the command paint a game's sheets, and compare each state on them with what is painted now."""
    main(["--game", key, "--out", str(folder)])
    page = (folder / "README.md").read_text("utf-8")
    assert re.findall(r"^- \*\*(.*?)\*\*: .", page, re.MULTILINE) == [*found]
    sheets = re.findall(r"^!\[.*\]\((.*)\)$", page, re.MULTILINE)
    assert {path.name for path in folder.iterdir()} == {"README.md", *sheets}
    for path, theme in zip(sheets, renderer(key).themes, strict=True):
        with Image.open(folder / path) as image:
            sheet = image.convert("RGB")
        now = {name: shown(key, name, theme).convert("RGB") for name in found}
        height = max(each.height for each in now.values())
        for number, (name, each) in enumerate(now.items()):
            x, y = place(number, PHONE, height)
            then = sheet.crop((x, y, x + each.width, y + each.height))
            assert ImageChops.difference(then, each).getbbox() is None, f"{path}: {name}"


def test_a_sheet_shows_states_as_they_are_painted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict(islice(all_states(CHEAPEST).items(), COLUMNS + 1))  # two rows
    monkeypatch.setattr(catalogue, "states", lambda _: found)
    sheets_are_true(tmp_path, CHEAPEST, found)


@pytest.mark.nightly  # it paints every state of a game, in every theme
@pytest.mark.parametrize("key", KEYS)
def test_the_sheets_show_every_state_as_it_is_painted(key: str, tmp_path: Path) -> None:
    sheets_are_true(tmp_path, key, states(key))


@pytest.mark.parametrize("key", KEYS)
def test_the_catalogue_shows_every_table_size_and_the_end(key: str) -> None:
    game, found = registry.game(key), all_states(key)
    _, *larger = game.manifest.seats
    ends = ["end, public", *(f"{seats} players, end, public" for seats in larger)]
    assert {"start, public", *ends} <= set(found)
    assert all(game.outcome(found[name].view) is not None for name in ends)


def test_the_catalogue_is_not_committed(repository: Path) -> None:
    first, *_ = FOLDER.relative_to(repository).parts
    assert f"/{first}/" in (repository / ".gitignore").read_text("utf-8").splitlines()


@pytest.mark.parametrize("key", KEYS)
def test_there_are_two_themes_or_more(key: str) -> None:
    assert len(renderer(key).themes) >= 2
    assert renderer(key).themes[0] == "default"
