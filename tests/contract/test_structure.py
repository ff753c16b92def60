"""No ring of imports, no arrow upstairs, no file that nobody wants to read; and that each would be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract import structure


@pytest.fixture(scope="module")
def arrows(repository: Path) -> structure.Graph:
    return structure.graph(repository)


def test_no_modules_import_one_another(arrows: structure.Graph) -> None:
    assert len(arrows) > 200
    assert structure.cycles(arrows) == []


def test_no_floor_of_the_bot_imports_a_higher_one(arrows: structure.Graph) -> None:
    assert structure.climbing(arrows) == []


def test_no_file_is_too_long(repository: Path) -> None:
    assert list(structure.long_files(repository)) == []


def test_tests_wait_for_conditions_not_for_times(repository: Path, tmp_path: Path) -> None:
    assert list(structure.sleeps(repository)) == []
    source = "asyncio.sleep(0)\nasyncio.sleep(0.1)\nasyncio.sleep(PAUSE)\ntime.sleep(a)\n"
    write(tmp_path, {"tests/test_a.py": source})
    assert list(structure.sleeps(tmp_path)) == ["tests/test_a.py:2", "tests/test_a.py:4"]


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


RINGS = [
    {"bot/a.py": "import bot.b", "bot/b.py": "from bot.c import x", "bot/c.py": "from bot import a"},
    {"bot/a.py": "def f():\n    from bot import b", "bot/b.py": "from bot.a import f"},
    {"bot/p/__init__.py": "from bot.p.a import x", "bot/p/a.py": "from bot.p import y"},
]


@pytest.mark.parametrize("files", RINGS)
def test_a_ring_is_seen(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert len(structure.cycles(structure.graph(tmp_path, ("bot",)))) == 1


def test_a_module_of_a_package_is_no_ring(tmp_path: Path) -> None:
    files = {
        "bot/p/__init__.py": "from bot.p.a import x",
        "bot/p/a.py": "from bot.p import b",
        "bot/p/b.py": "",
    }
    write(tmp_path, files)
    assert structure.cycles(structure.graph(tmp_path, ("bot",))) == []


CLIMBS = [
    {"bot/store/sqlite.py": "from bot.matches.lobby import Lobby", "bot/matches/lobby.py": ""},
    {"bot/domain/tables.py": "import bot.store.sqlite", "bot/store/sqlite.py": ""},
    {"bot/matches/lobby.py": "from bot.pages import texts", "bot/pages/texts.py": ""},
    {"bot/pages/panel.py": "import bot.app", "bot/app.py": ""},
]


@pytest.mark.parametrize("files", CLIMBS)
def test_an_arrow_upstairs_is_seen(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert len(structure.climbing(structure.graph(tmp_path, ("bot",)))) == 1


def test_a_long_file_is_seen(tmp_path: Path) -> None:
    write(tmp_path, {"bot/a.py": "\n" * structure.LINES, "docs/b.md": "\n" * (structure.LINES + 1)})
    assert list(structure.long_files(tmp_path)) == [f"docs/b.md: {structure.LINES + 1}"]
