"""Boundaries between the houses; and that crossing them is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.core import registry
from tests.contract import boundaries
from tests.kit.samples import FIVE

UNNAMED = FIVE
"""Games that are not named in the bot, installed or not."""


def test_engines_are_pure(repository: Path) -> None:
    assert boundaries.engine_faults(repository) == []


def test_renderers_know_views_only(repository: Path) -> None:
    assert boundaries.renderer_faults(repository) == []


def test_the_sandbox_knows_nobody(repository: Path) -> None:
    assert boundaries.sandbox_faults(repository) == []


def test_the_bot_knows_no_sandbox_and_its_use_cases_no_discord(repository: Path) -> None:
    assert boundaries.bot_faults(repository) == []


def test_the_houses_need_no_tool_of_the_tests(repository: Path) -> None:
    assert boundaries.tool_faults(repository) == []


def test_the_bot_names_no_game(repository: Path) -> None:
    titles = [game.manifest.title for game in registry.games().values()]
    assert boundaries.named_games(repository / "bot", {*UNNAMED, *registry.games(), *titles}) == []


PLANTED = [
    ("engines/core/bad.py", "import random"),
    ("engines/core/bad.py", "def f():\n    from time import monotonic"),
    ("engines/core/bad.py", "import os"),
    ("engines/one/__init__.py", "from engines.core import contract\nimport numpy"),
    ("engines/one/rules.py", "from pathlib import Path"),
    ("engines/one/rules.py", "import asyncio.events"),
    ("engines/one/rules.py", "__import__('datetime')"),
    ("engines/one/rules.py", "order = sorted([], key=lambda item: id(item))"),
    ("engines/one/rules.py", "text = open('data.txt').read()"),
    ("renderers/one/board.py", "from engines.one.state import State"),
    ("renderers/one/board.py", "from engines.one import rules"),
    ("renderers/one/board.py", "from engines.core import match"),
    ("renderers/one/board.py", "import bot.app"),
    ("renderers/one/board.py", "import importlib\nimportlib.import_module('engines.one.state')"),
    ("sandbox/rest.py", "from engines.core.contract import Seat"),
    ("sandbox/rest.py", "import bot"),
    ("bot/app.py", "from sandbox import server"),
    ("bot/store/sqlite.py", "import discord.http"),
    ("bot/matches/lobby.py", "from discord import Embed"),
    ("bot/app.py", "import simcord"),
    ("sandbox/rest.py", "from simcord.backend import Backend"),
]


@pytest.mark.parametrize(("path", "text"), PLANTED)
def test_a_crossed_boundary_is_seen(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    faults = (
        boundaries.engine_faults(tmp_path)
        + boundaries.renderer_faults(tmp_path)
        + boundaries.sandbox_faults(tmp_path)
        + boundaries.bot_faults(tmp_path)
        + boundaries.tool_faults(tmp_path)
    )
    assert len({fault.split()[0] for fault in faults}) == 1, faults


ALLOWED = [
    ("engines/__main__.py", "import os, sys\nfrom engines.core import registry"),
    ("renderers/one/board.py", "from engines.one.view import View\nfrom engines.core.contract import Menu"),
    ("renderers/core/painter.py", "import asyncio\nfrom engines.core import texts"),
    ("bot/__main__.py", "import sandbox.server"),
    ("bot/pages/panel.py", "import discord"),
]


@pytest.mark.parametrize(("path", "text"), ALLOWED)
def test_what_is_allowed_is_let_pass(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    assert boundaries.engine_faults(tmp_path) == []
    assert boundaries.renderer_faults(tmp_path) == []
    assert boundaries.sandbox_faults(tmp_path) == []
    assert boundaries.bot_faults(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.py", "x = 'Volo'"), ("b.json", '{"volo_help": 1}'), ("c.html", "<p>VOLO</p>"), ("volo.txt", "")],
)
def test_a_named_game_is_seen(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert len(boundaries.named_games(tmp_path, ["volo"])) == 1


def test_a_word_that_holds_a_games_name_is_no_name(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("revoltout = 'volts'")
    assert boundaries.named_games(tmp_path, ["volt", "volto"]) == []
