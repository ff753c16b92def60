"""The use cases' texts and their neighbours, read from the syntax of the modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core import texts
from engines.core.contract import Msg

STORE = ("bot.store", "bot.store.backup")
"""What the use cases may know of the database: its face, and the keys that a backup leaves."""


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    bot = Path(texts.__file__).parents[2] / "bot"
    paths = [
        path for folder in ("domain", "matches", "clocks") for path in sorted((bot / folder).glob("*.py"))
    ]
    return {f"{path.parent.name}.{path.stem}": ast.parse(path.read_text("utf-8")) for path in paths}


def said(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each key that a module says, with the names of its arguments."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("refusal", "msg")
        ):
            prefix = "no." if node.func.id == "refusal" else ""
            names = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
            for constant in ast.walk(node.args[0]):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                    yield prefix + constant.value, names


def test_every_refusal_has_a_text_and_every_text_is_used(trees: dict[str, ast.Module]) -> None:
    keys: dict[str, frozenset[str]] = {}
    for tree in trees.values():
        keys.update(said(tree))
    keys.pop("no.", None)
    catalogue = texts.load("bot")
    english = catalogue.languages["en"]
    mine = {key for key in english if key.startswith(("no.", "note."))}
    assert {key for key in keys if key.startswith(("no.", "note."))} == mine
    for key in sorted(mine):
        args = tuple((name, 2) for name in sorted(keys[key]))
        text = catalogue.render(Msg(key, args), str)
        assert len(text) > 10
        gaps = set(re.findall(r"\{(\w+)\}", str(english[key])))
        assert gaps <= keys[key], key


def test_use_cases_know_neither_discord_nor_sql(trees: dict[str, ast.Module]) -> None:
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            else:
                continue
            for module in modules:
                assert module.split(".")[0] not in ("discord", "aiosqlite", "sqlite3", "renderers"), name
                assert module in STORE or not module.startswith("bot.store"), name
