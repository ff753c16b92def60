"""Who may import whom, read from the syntax of the modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PURE = frozenset(
    {
        "__future__",
        "abc",
        "array",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "hmac",
        "importlib",
        "itertools",
        "json",
        "marshal",
        "math",
        "operator",
        "pkgutil",
        "re",
        "string",
        "struct",
        "types",
        "typing",
        "unicodedata",
    }
)
"""What engines may import of the standard library: nothing that reads a clock, a file or chance."""

CONSOLE = frozenset({"os", "sys"})
"""What ``engines/__main__.py`` may import beside that."""

IMPURE = frozenset({"open", "input", "print", "eval", "exec", "id", "breakpoint"})
"""Built-in functions that engines do not call: what they give is no function of what they are given."""

IMPORTING = ("__import__", "import_module")
"""Functions that import what they are given."""

NAMED_CALLS = re.compile(rf"\b({'|'.join((*sorted(IMPURE), *IMPORTING))})\b")

HOUSES = ("bot", "engines", "renderers", "sandbox", "tests", "bench")


def modules(folder: Path) -> Iterator[Path]:
    """Yield the modules below ``folder``, in the order of their paths."""
    yield from sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


TOOLS = frozenset({"chess", "hypothesis", "pytest", "selenium", "simcord"})
"""Packages that only tests and benchmarks have."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """What these checks ask about a module: its import statements, and the calls in it."""

    imports: tuple[ast.Import | ast.ImportFrom, ...]
    imported_by_calls: frozenset[str]
    calls: frozenset[str]
    """The plain names that it calls; none where none of :data:`IMPURE` stands anywhere in it."""


@cache
def syntax_of(path: Path) -> Syntax:
    """Return the syntax of a module, which is read once."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    # Most modules have no word of any call that is asked for: there is no need to look into expressions.
    nodes = ast.walk(tree) if NAMED_CALLS.search(text) else ()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return Syntax(
        tuple(node for node in _statements(tree) if isinstance(node, (ast.Import, ast.ImportFrom))),
        frozenset(name for call in calls for name in _imported_by_call(call)),
        frozenset(call.func.id for call in calls if isinstance(call.func, ast.Name)),
    )


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements below a node, those in others included."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, name, ()):
            if isinstance(each, ast.stmt):
                yield each
            yield from _statements(each)


def imports(path: Path, root: Path) -> frozenset[str]:
    """Return the dotted names that a module imports, wherever it does; ``root`` holds the packages."""
    package = path.relative_to(root).parts[:-1]
    syntax = syntax_of(path)
    found = set(syntax.imported_by_calls)
    for node in syntax.imports:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        else:
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            found.update((base, *(f"{base}.{alias.name}" for alias in node.names)))
    return frozenset(found)


def _imported_by_call(node: ast.Call) -> Iterator[str]:
    """Yield what ``__import__`` or ``import_module`` is given, as far as it is written out."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in IMPORTING and node.args:
        first = node.args[0]
        parts = first.values if isinstance(first, ast.JoinedStr) else [first]
        if isinstance(parts[0], ast.Constant):
            yield str(parts[0].value).rstrip(".")


def _top(name: str) -> str:
    return name.partition(".")[0]


def engine_faults(root: Path) -> list[str]:
    """Return what engines import that they may not."""
    faults = []
    for path in modules(root / "engines"):
        is_console = path == root / "engines" / "__main__.py"
        foreign = _outside(PURE | {"engines"} | (CONSOLE if is_console else frozenset()))
        faults += _faults(path, root, foreign)
        if not is_console:
            where = path.relative_to(root).as_posix()
            faults += [f"{where} calls {name}" for name in sorted(syntax_of(path).calls & IMPURE)]
    return faults


def renderer_faults(root: Path) -> list[str]:
    """Return what renderers import that they may not: states, rules, and the house."""

    def forbidden(name: str) -> bool:
        parts = name.split(".")
        if parts[0] in ("bot", "sandbox", "tests", "bench"):
            return True
        if parts[0] != "engines" or len(parts) < 3:
            return False
        return (
            parts[2] not in ("contract", "languages", "names", "texts", "registry")
            if parts[1] == "core"
            else parts[2] != "view"
        )

    return [fault for path in modules(root / "renderers") for fault in _faults(path, root, forbidden)]


def sandbox_faults(root: Path) -> list[str]:
    """Return what the sandbox imports of the house."""
    others = {house for house in HOUSES if house != "sandbox"}
    found = modules(root / "sandbox")
    return [fault for path in found for fault in _faults(path, root, lambda name: _top(name) in others)]


SILENT = ("domain", "store", "workers", "matches", "clocks")
"""The folders of ``bot/`` that know nothing of Discord."""


def bot_faults(root: Path) -> list[str]:
    """Return who in ``bot/`` imports the sandbox, and what of its silent folders imports discord."""
    faults = []
    for path in modules(root / "bot"):
        if path != root / "bot" / "__main__.py":
            faults += _faults(path, root, lambda name: _top(name) in ("sandbox", "tests", "bench"))
        relative = path.relative_to(root / "bot")
        if relative.parts[0] in SILENT:
            faults += _faults(path, root, lambda name: _top(name) == "discord")
    return faults


def tool_faults(root: Path) -> list[str]:
    """Return what the houses import of the tests' tools, which who runs them does not have."""
    found = [path for house in ("bot", "engines", "renderers", "sandbox") for path in modules(root / house)]
    return [fault for path in found for fault in _faults(path, root, lambda name: _top(name) in TOOLS)]


def _outside(allowed: frozenset[str]) -> Callable[[str], bool]:
    return lambda name: _top(name) not in allowed


def _faults(path: Path, root: Path, forbidden: Callable[[str], bool]) -> list[str]:
    where = path.relative_to(root).as_posix()
    return [f"{where} imports {name}" for name in sorted(imports(path, root)) if forbidden(name)]


def named_games(folder: Path, names: Iterable[str]) -> list[str]:
    """Return the files below ``folder``, of any kind, that name a game; their paths count too."""
    words = "|".join(re.escape(name) for name in names)
    if not words:
        return []
    pattern = re.compile(rf"(?<![A-Za-z])({words})(?![A-Za-z])", re.IGNORECASE)
    faults = []
    for path in sorted(folder.rglob("*")):
        if "__pycache__" in path.parts:
            continue
        where = path.relative_to(folder).as_posix()
        text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        faults += [f"{where} names {found[0]}" for found in pattern.finditer(f"{where}\n{text}")]
    return faults
