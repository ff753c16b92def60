"""The example of docs/adding-a-game.md under another name, in a copy of the tree: checked, played, painted.

``make game`` does the same in a real tree. Nothing is added but the game; ``bot/`` stays as it is.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.core.registry import games
from engines.core.rng import Rng
from tests.e2e.stage import TABLES, Stage, play
from tests.kit.components import pictures, text_of
from tests.kit.scaffold import add_game, paint, targets

KEY, TITLE = "thumbs", "Thumbs Up"
HOUSES = ("bench", "bot", "docs", "engines", "renderers", "sandbox", "tests")
FILES = (".gitignore", "pyproject.toml", "README.md", "CONTRIBUTING.md")
AT_ONCE = (
    "tests/bench",
    "tests/contract",
    "tests/core",
    "tests/renderers",
    "tests/texts",
    "tests/ui/test_commands.py",
    "tests/ui/test_languages.py",
)
"""Where tests look at all games at once."""


@pytest.fixture(scope="module")
def tree(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with the example in it."""
    found = tmp_path_factory.mktemp("tree")
    for house in HOUSES:
        shutil.copytree(repository / house, found / house, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(repository / name, found)
    add_game(found, KEY, TITLE)
    paint(found, KEY)
    return found


def inside(tree: Path) -> dict[str, str]:
    """Return what lets Python take everything from a tree, wherever it is started."""
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


def passes(tree: Path, *arguments: str) -> bool:
    done = run(tree, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *arguments)
    assert done.returncode == 0, done.stdout
    return " passed" in done.stdout


@pytest.mark.nightly
def test_every_test_of_a_new_game_is_green_at_once(tree: Path) -> None:
    assert passes(tree, "-k", f"{KEY} or boundaries", "-m", "nightly or not nightly", "tests")


@pytest.mark.nightly
def test_every_test_that_looks_at_all_games_at_once_is_green_with_it(tree: Path) -> None:
    one_game = " or ".join((KEY, "vault", *games()))
    assert passes(tree, "-k", f"not ({one_game})", *AT_ONCE)


@pytest.mark.parametrize("check", [("check",), ("format", "--check")])
def test_the_linter_is_content_with_it(tree: Path, check: tuple[str, ...]) -> None:
    done = run(tree, "-m", "ruff", *check, *(path for path in targets(KEY).values() if ".txt" not in path))
    assert done.returncode == 0, done.stdout


def test_nothing_of_the_example_is_left_in_it(tree: Path) -> None:
    for target in targets(KEY).values():
        for path in (tree / target, *(tree / target).rglob("*")):
            if path.suffix in {".py", ".md", ".json"}:
                assert not re.search(r"odds|tests\.kit", path.read_text("utf-8"), re.IGNORECASE), path
    assert "class Thumbs(MenuGame" in (tree / f"engines/{KEY}/game.py").read_text("utf-8")
    assert f"# {TITLE}" in (tree / f"engines/{KEY}/RULES.md").read_text("utf-8")


def test_no_game_is_made_twice_or_under_a_name_that_is_none(tree: Path) -> None:
    with pytest.raises(FileExistsError, match=f"engines/{KEY}"):
        add_game(tree, KEY, TITLE)
    for key in ("Thumbs", "2048", "tic-tac", "pass", ""):
        with pytest.raises(ValueError, match="no key"):
            add_game(tree, key, TITLE)
    with pytest.raises(ValueError, match="no title"):
        add_game(tree, "toes", 'Toes "Up"')


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
    """A stage whose bot comes from another tree."""

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
        assert TITLE in text_of(board)
        assert "Enough rounds are won." in text_of(board)
        shown = pictures(board)
        assert [file["filename"] for file in shown] == ["board.jpeg", "film.webp"]
        assert "(Even) has won" in shown[0]["description"]
        rules = await stage.alba.window.command(TABLES, "rules", game=KEY)
        assert rules.message is not None
        assert TITLE in text_of(rules.message)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
