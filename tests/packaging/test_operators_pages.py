"""The pages for the bot's owner: short, and true to the messages, the doctor's lines and the settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.cli.doctor.local_checks import CONDITION_ADVICE
from bot.config import load
from bot.matches.thoughts import LEVEL_FLOORS, LIVE_FLOORS
from engines.core.optional_methods import Level
from tests.kit.operators_pages import PAGES
from tests.packaging.test_documents import FENCE, HEADING, ROW, variables

WORDS = 2_400
"""What can be read in ten minutes."""

CELL = 300
"""Characters of a table's cell, at most."""

SPAN = re.compile(r"`([^`\n]+)`")
GAP = re.compile(r"%[.\d]*[sdf]|[…()]")
"""Where a message holds a value, in the code or in a page."""

COMMANDS = frozenset(
    {"bauta", "chmod", "chown", "cp", "fuser", "journalctl", "kill", "systemctl", "timedatectl"}
)
FOREIGN = frozenset({"database is locked", "No space left on device", "Permission denied"})
"""Words of SQLite's and of the operating system's."""

WITH: dict[str, dict[str, str]] = {
    "BAUTA_SHARDS": {"BAUTA_SHARD_COUNT": "16", "BAUTA_DATABASE": "postgresql://bauta@db/bauta"},
    "BAUTA_SHARD_COUNT": {"BAUTA_SHARDS": "0-3", "BAUTA_DATABASE": "postgresql://bauta@db/bauta"},
    "BAUTA_GATEWAY_URL": {"BAUTA_API_URL": "http://127.0.0.1:8674/api/v10"},
    "BAUTA_TIME_FILE": {
        "BAUTA_API_URL": "http://127.0.0.1:8674/api/v10",
        "BAUTA_GATEWAY_URL": "ws://127.0.0.1:8674/gateway",
    },
}
"""Settings that others have to go with."""


def page(repository: Path, name: str) -> str:
    return (repository / name).read_text("utf-8")


def cells(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.startswith("|"):
            yield from (cell.strip() for cell in line.strip("|").split("|"))


@cache
def constants(folder: Path) -> tuple[str, ...]:
    """Return every text that stands in the code below a folder."""
    trees = (ast.parse(path.read_text("utf-8")) for path in sorted(folder.rglob("*.py")))
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return tuple(node.value for node in nodes if isinstance(node.value, str))


def fragments(message: str) -> list[str]:
    """Return the parts of a message between its values that have two words or more."""
    parts = (part.strip(" .") for part in GAP.split(message))
    return [part for part in parts if " " in part]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_in_ten_minutes(repository: Path, name: str) -> None:
    text = page(repository, name)
    assert 200 < len(FENCE.sub("", text).replace("|", " ").split()) <= WORDS
    assert max(map(len, cells(text)), default=0) <= CELL


def test_quoted_messages_are_the_codes(repository: Path) -> None:
    text = FENCE.sub("", page(repository, "docs/troubleshooting.md"))
    written = {" ".join(part.split()) for each in constants(repository / "bot") for part in GAP.split(each)}
    quoted = [span for span in SPAN.findall(text) if span.split()[0] not in COMMANDS]
    parts = {part for span in quoted for part in fragments(span)} - FOREIGN
    assert len(parts) > 30
    assert [part for part in sorted(parts) if not any(part in each for each in written)] == []


def test_the_doctors_lines_are_listed(repository: Path) -> None:
    folder = repository / "bot" / "cli" / "doctor"
    code = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    named = set(re.findall(r'\b(?:ok|note|fail)\(\s*"([a-z ]+)"', code)) | set(CONDITION_ADVICE)
    section = page(repository, "docs/operating.md").partition("`bauta doctor`\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    listed = [name for row in rows for name in SPAN.findall(row)]
    assert sorted(listed) == sorted(named)


def test_the_levels_floors_are_the_codes(repository: Path) -> None:
    text = " ".join(page(repository, "docs/operating.md").split())
    first, middle, best = (LEVEL_FLOORS[level] for level in Level)
    assert f"at least {first}, {middle} and {best} times as long" in text
    assert f"at the live pace at least {LIVE_FLOORS} times" in text


def test_every_example_of_a_setting_is_accepted(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = {name: example for name, *_, example in ROW.findall(page(repository, "docs/operating.md"))}
    examples = {name: example.strip("`") for name, example in rows.items() if example.startswith("`")}
    assert set(variables()) - set(examples) == {"DISCORD_TOKEN"}
    examples["BAUTA_FONTS"] = str(tmp_path)  # the folder has to be there
    for name, example in examples.items():
        with monkeypatch.context() as patched:
            for variable in variables():
                patched.delenv(variable, raising=False)
            for variable, value in {**WITH.get(name, {}), name: example}.items():
                patched.setenv(variable, value)
            field = name.removeprefix("BAUTA_").lower()
            assert getattr(load(), field) is not None, name


def test_pages_that_messages_name_are_there(repository: Path) -> None:
    named = re.compile(r"\b(docs/[\w-]+\.md)")
    messages = [text for text in constants(repository / "bot") if named.search(text)]
    assert len(messages) > 3
    for message in messages:
        for name in named.findall(message):
            headings = HEADING.findall(page(repository, name))
            assert set(re.findall("“(.+?)”", message)) <= set(headings), message
