"""The page of pitfalls: every row has its tests or a reason, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PAGE = "docs/pitfalls.md"


def rows(text: str) -> list[tuple[str, str, str]]:
    """Return the rows of the page's table: what goes wrong, what is done, what shows it."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    return [(wrong, done, shown) for wrong, done, shown in cells]


@cache
def names_in(path: Path) -> set[str]:
    """Return the names of the tests in a file, without running it."""
    if not path.is_file():
        return set()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, kinds))
    return {node.name for node in found if node.name.startswith("test_")}


def missing(text: str, root: Path) -> list[str]:
    """Return the tests that are named and not there."""
    named = NAMED.findall(text)
    return [f"{path}::{name}" for path, name in named if name not in names_in(root / path)]


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / PAGE).read_text("utf-8")


def test_every_test_that_is_named_exists(page: str, repository: Path) -> None:
    assert missing(page, repository) == []


def test_every_pitfall_has_its_tests_or_a_reason(page: str) -> None:
    found = rows(page)
    assert len({wrong for wrong, _, _ in found}) == len(found) >= 24
    for wrong, done, shown in found:
        left = NAMED.sub("", shown).strip()
        if NAMED.search(shown):
            assert done.strip(), wrong
            assert left == "", wrong  # a name that is misspelt so far that it is none
        else:
            assert left.endswith("."), wrong
            assert len(left.split()) > 5, wrong


def test_a_test_that_is_gone_is_seen(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("async def test_b(): ...\ndef helper(): ...\n", "utf-8")
    text = "`tests/test_a.py::test_b` `tests/test_a.py::helper` `tests/test_c.py::test_b`"
    assert missing(text, tmp_path) == ["tests/test_a.py::helper", "tests/test_c.py::test_b"]
