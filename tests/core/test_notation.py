"""The examples of docs/notation.md are what the console says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engines.core import registry, texts
from engines.core.console import COMMANDS, Console

GAMES = ("corto", "doge", "volo", "volt", "volto")


@pytest.fixture(scope="module")
def exchanges(repository: Path) -> list[tuple[str, str]]:
    """Return (request, answer) of all examples, in order."""
    page = (repository / "docs" / "notation.md").read_text("utf-8")
    lines = "".join(re.findall(r"```console\n(.*?)```", page, re.DOTALL)).splitlines()
    assert all(line.startswith("> ") for line in lines[::2])
    assert all(line.startswith("< ") for line in lines[1::2])
    return [(asked[2:], said[2:]) for asked, said in zip(lines[::2], lines[1::2], strict=True)]


def test_every_command_has_an_example(exchanges: list[tuple[str, str]]) -> None:
    answered = {json.loads(asked)["cmd"] for asked, said in exchanges if said.startswith('{"ok":true')}
    assert answered == set(COMMANDS)


@pytest.mark.skipif(
    not set(GAMES) <= set(registry.games()), reason="the games of the examples are not installed"
)
def test_the_examples_are_true(exchanges: list[tuple[str, str]]) -> None:
    table = Console(registry.games(), lambda key: texts.load(f"engines.{key}"), lambda: bytes(32))
    for asked, said in exchanges:
        answer = table.answer(asked.encode())
        if said.endswith("…"):
            assert answer.startswith(said[:-1]), asked
        else:
            assert answer == said, asked


def test_the_positions_on_the_page_are_positions(repository: Path) -> None:
    if "volto" not in registry.games():
        pytest.skip("the game of the example is not installed")
    page = (repository / "docs" / "notation.md").read_text("utf-8")
    (shown,) = re.findall(r"```text\n(.*?)\n```", page)
    table = Console(registry.games(), lambda key: texts.load(f"engines.{key}"), lambda: bytes(32))
    request = {"cmd": "position", "game": "volto", "text": shown}
    assert json.loads(table.answer(json.dumps(request).encode())) == {"ok": True, "position": shown}
