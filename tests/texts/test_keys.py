"""Keys of painters' texts: each that the code names is there, and none lies idle.

For games, ``tests/games/*/test_texts.py`` asks it, for the house ``tests/ui/test_texts.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.resources import files

import pytest

from bot.workers.painter import theme_names
from engines.core.texts import load
from tests.games.texts import unnamed_texts
from tests.ui.positions import PAINTED

TEXT = frozenset({"text", "text_with_side", "msg"})
"""Functions whose first argument is a key."""


def asked(package: str) -> Iterator[str]:
    """Yield the keys that the code of a painter names in full."""
    for item in files(package).iterdir():
        for node in ast.walk(ast.parse(item.read_text("utf-8"))) if item.name.endswith(".py") else ():
            if isinstance(node, ast.Call) and node.args and isinstance(key := node.args[0], ast.Constant):
                called = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if called in TEXT and isinstance(key.value, str):
                    yield key.value


@pytest.mark.parametrize("key", PAINTED)
def test_every_text_that_a_painter_asks_for_is_there(key: str) -> None:
    found = set(asked(f"renderers.{key}"))
    assert found
    # Some texts are the game's own.
    there = {*load(f"renderers.{key}").languages["en"], *load(f"engines.{key}").languages["en"]}
    assert found - there == set()


@pytest.mark.parametrize("key", PAINTED)
def test_no_text_of_a_painter_lies_idle(key: str) -> None:
    assert unnamed_texts(f"renderers.{key}") == []


def test_every_theme_has_a_name_in_some_catalogue() -> None:
    shared = set(load("renderers.core").languages["en"])
    own = {text for key in PAINTED for text in load(f"renderers.{key}").languages["en"]}
    assert {f"theme.{name}" for name in theme_names()} <= shared | own
    assert shared <= {f"theme.{name}" for name in theme_names()}
