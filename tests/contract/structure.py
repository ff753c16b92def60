"""The shape of the code: who imports whom, module by module, and in which direction."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from tests.contract.boundaries import HOUSES, imports, modules, syntax_of

Graph: TypeAlias = Mapping[str, frozenset[str]]
"""Modules by dotted name, each with those of ours that it imports."""

LINES = 500
"""Lines that a file may have. Catalogues of texts are data: one line a text, however many there are."""

WRITTEN = (".py", ".md", ".js", ".css", ".html", ".sql", ".toml", ".json", "")
"""Suffixes of files that people read and write. Beside these there are locks, pictures and score sheets."""

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"bot.domain", "bot.config", "bot.runtime"}),
    frozenset({"bot.store"}),
    frozenset({"bot.runtime.heartbeat"}),
    frozenset({"bot.workers"}),
    frozenset({"bot.matches"}),
    frozenset({"bot.clocks"}),
    frozenset({"bot.gateway"}),
    frozenset({"bot.pages"}),
    frozenset({"bot.sync"}),
    frozenset({"bot.interactions"}),
    frozenset({"bot.app", "bot.rehearsal"}),
    frozenset({"bot.cli"}),
    frozenset({"bot", "bot.__main__"}),
)
"""The floors of the bot, the lowest first. A module stands on the floor that names most of it."""


def name_of(path: Path, root: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(root: Path, houses: tuple[str, ...] = HOUSES) -> Graph:
    """Return every module below ``root`` with what it imports, the packages above not counted."""
    paths = {name_of(path, root): path for house in houses for path in modules(root / house)}
    found: dict[str, frozenset[str]] = {}
    for name, path in paths.items():
        asked = {one for one in imports(path, root) if one in paths and one != name}
        found[name] = frozenset(asked - _packages_of_parts(path, asked))
    return found


def _packages_of_parts(path: Path, asked: set[str]) -> set[str]:
    """Return the packages of which only a module is asked: ``from package import module``."""
    found: set[str] = set()
    for node in syntax_of(path).imports:
        if isinstance(node, ast.ImportFrom) and node.module in asked:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {node.module} if parts <= asked else set()
    return found


def cycles(arrows: Graph) -> list[list[str]]:
    """Return the groups of modules that import one another in a ring (Tarjan's strong components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(arrows[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            ring = [stack.pop()]
            while ring[-1] != name:
                ring.append(stack.pop())
            if len(ring) > 1:
                found.append(sorted(ring))

    for name in sorted(arrows):
        if name not in index:
            visit(name)
    return found


def floor_of(name: str) -> int:
    """Return the floor of one of the bot's modules."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        for number, floor in enumerate(FLOORS):
            if prefix in floor:
                return number
    raise KeyError(name)


def climbing(arrows: Graph) -> list[str]:
    """Return the imports that lead from a lower floor of the bot to a higher one."""
    return [
        f"{name} imports {other}"
        for name, others in sorted(arrows.items())
        for other in sorted(others)
        if _in_bot(name) and _in_bot(other) and floor_of(other) > floor_of(name)
    ]


def _in_bot(name: str) -> bool:
    return name.partition(".")[0] == "bot"


SLEEPERS = {
    "tests/e2e/test_faults.py": "an answer that is late by the sandbox's clock",
    "tests/e2e/test_recovery.py": "connections that drop one after the other",
    "tests/kit/simulation/statements.py": "its own look for a backend's end, while the loop stands still",
    "tests/sandbox/conftest.py": "its own look for a condition",
    "tests/simulation/test_statements.py": "virtual time",
    "tests/ui/test_painting.py": "painters that take long, in processes of their own",
}
"""Files of tests that may sleep for a fixed time, and why."""


def sleeps(root: Path) -> Iterator[str]:
    """Yield where tests sleep for a fixed time: they should wait for conditions, by tests.kit.waiting."""
    for path in sorted((root / "tests").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if name not in SLEEPERS and "sleep" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("time.sleep", "asyncio.sleep"):
                given = node.args[0] if node.args else None
                if (isinstance(given, ast.Constant) and given.value) or ast.unparse(
                    node.func
                ) == "time.sleep":
                    yield f"{name}:{node.lineno}"


RECORDED = "records"
"""A folder of matches and databases as older code wrote them: nobody writes or reads those by hand."""


def long_files(root: Path) -> Iterator[str]:
    """Yield the written files that are too long, with their number of lines."""
    folders = (*HOUSES, "docs", ".ci")
    paths = [path for folder in folders for path in (root / folder).rglob("*")]
    for path in sorted([*paths, *root.glob("*")]):
        is_written = path.suffix in WRITTEN and not {"__pycache__", "locale", RECORDED} & {*path.parts}
        if is_written and path.is_file():
            count = len(path.read_bytes().splitlines())
            if count > LINES:
                yield f"{path.relative_to(root).as_posix()}: {count}"
