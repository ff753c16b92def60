"""The example game in a copy of the repository: found, checked, played and painted.

It is the example of docs/adding-a-game.md. Only its two folders are added; ``bot/`` is unchanged.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.core.registry import games
from engines.core.rng import Rng
from tests.e2e.stage import TABLES, Stage, play
from tests.kit.components import pictures, text_of
from tests.kit.drop import KEY, drop
from tests.kit.odds.engine import GAME

HOUSES = ("bot", "engines", "renderers", "sandbox", "tests")
SUITES = (
    "contract/test_play",
    "contract/test_menus",
    "contract/test_secrets",
    "contract/test_texts",
    "contract/test_pictures",
)
FOLDERS = (f"engines/{KEY}", f"renderers/{KEY}")
PICTURES = ("renderers/test_pictures", "renderers/test_eyes", "ui/test_replays")


@pytest.fixture(scope="module")
def tree(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository with the example."""
    found = tmp_path_factory.mktemp("tree")
    for house in HOUSES:
        left_out = shutil.ignore_patterns("__pycache__", "golden")
        shutil.copytree(repository / house, found / house, ignore=left_out)
    shutil.copy(repository / "pyproject.toml", found)
    drop(found)
    # Its imports are sorted for its place in tests.kit.
    sorted_imports = run(found, "-m", "ruff", "check", "--select", "I", "--fix", *FOLDERS)
    assert sorted_imports.returncode == 0, sorted_imports.stdout
    return found


def inside(tree: Path) -> dict[str, str]:
    """Return the environment variables that let Python import everything from a tree."""
    return {"PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**os.environ, **inside(tree)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_in_no_list(repository: Path) -> None:
    assert KEY not in games()
    assert GAME.manifest.key == KEY


@pytest.mark.nightly
@pytest.mark.parametrize("suites", [SUITES, PICTURES])
def test_the_suites_over_all_games_find_it_and_are_content(tree: Path, suites: tuple[str, ...]) -> None:
    paths = [f"tests/{suite}.py" for suite in suites]
    done = run(tree, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", KEY, *paths)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


@pytest.mark.parametrize("check", [("check",), ("format", "--check")])
def test_the_linter_is_content_with_it(tree: Path, check: tuple[str, ...]) -> None:
    done = run(tree, "-m", "ruff", *check, *FOLDERS)
    assert done.returncode == 0, done.stdout


def test_the_console_plays_it(tree: Path) -> None:
    new = {"cmd": "new", "game": KEY, "seats": 2, "options": {}, "seed": "00" * 32}
    asked = "".join(json.dumps(one) + "\n" for one in (new, {"cmd": "outcome"}))
    done = subprocess.run(
        [sys.executable, "-m", "engines"],
        input=asked,
        env={**os.environ, **inside(tree)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"ok": True, "outcome": None}


class Elsewhere(Stage):
    """A stage whose bot runs from another tree."""

    program = ("-m", "bot", "serve", "--until-eof")

    def __init__(self, folder: Path, tree: Path) -> None:
        super().__init__(folder)
        self._tree = tree

    def environment(self) -> dict[str, str]:
        """Return the environment of a bot of that tree."""
        return {**super().environment(), **inside(self._tree)}


async def test_the_house_plays_and_paints_it(tree: Path, tmp_path: Path) -> None:
    async with Elsewhere(tmp_path, tree) as stage:
        thread = await stage.begin(KEY)
        assert await play(stage, thread, Rng(bytes(32)).stream(KEY)) >= 6
        board = await stage.alba.board(thread, lambda one: len(pictures(one)) == 2)
        assert GAME.manifest.title in text_of(board)
        assert "Enough rounds are won." in text_of(board)
        shown = pictures(board)
        assert [file["filename"] for file in shown] == ["board.jpeg", "film.webp"]
        assert "(Even) has won" in shown[0]["description"]
        rules = await stage.alba.window.command(TABLES, "rules", game=KEY)
        assert rules.message is not None
        assert "Odds and Evens" in text_of(rules.message)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
