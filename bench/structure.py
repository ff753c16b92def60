"""The shape of the code in figures: ``python -m bench.structure [--tree CHECKOUT] [--beside PACKAGE …]``.

Lines, files, functions, docstrings, comments and imports of what is shipped, folder by folder; and the same
of installed packages, such as ``chess starlette httpx``, to compare with. Figures guide and are no goal: a
filler comment or a helper folded against sense makes them better and the code worse.

A function is *private* if its name begins with an underscore, or if it stands inside another function or a
private class. It is *used once* if its name begins with an underscore and stands in one place of all that is
measured, beside its definition. *Layers* count the modules on the longest chain of imports; modules that
import one another in a ring count as one.
"""

from __future__ import annotations

import argparse
import ast
import io
import statistics
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SHIPPED = ("bot", "engines", "renderers", "sandbox")
PARTS = (*SHIPPED, "engines/corto")

LONG = 25
"""Lines of a function that reads at a glance."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method of a module."""

    name: str
    private: bool
    documented: bool
    lines: int


@dataclass(frozen=True, slots=True)
class Module:
    """What is counted of one file."""

    lines: int
    comments: int
    functions: tuple[Function, ...]
    names: Counter[str]
    imports: frozenset[str]


def read_module(path: Path, name: str) -> Module:
    """Return the figures of a file; ``name`` is its dotted name, for relative imports."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return Module(
        lines=text.count("\n"),
        comments=len(set(_comment_lines(text))),
        functions=tuple(_functions(tree, hidden=False)),
        names=Counter(_names(tree)),
        imports=frozenset(_imports(tree, package)),
    )


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _comment_lines(text: str) -> Iterator[int]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        # What only switches a linter off explains nothing.
        if token.type == tokenize.COMMENT and not token.string.startswith(("# noqa", "# type:", "# fmt:")):
            yield token.start[0]


def _functions(node: ast.AST, *, hidden: bool) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        inside = hidden
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(
                name=child.name,
                private=hidden or _underscored(child.name),
                documented=ast.get_docstring(child) is not None or child.name.startswith("__"),
                lines=(child.end_lineno or child.lineno) - child.lineno + 1,
            )
            inside = True
        elif isinstance(child, ast.ClassDef):
            inside = hidden or child.name.startswith("_")
        yield from _functions(child, hidden=inside)


def _underscored(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield all dotted names that an import may mean: modules, and what is taken from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(part for part in (above, node.module or "") if part)
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def read_tree(root: Path, top: str) -> dict[str, Module]:
    """Return the modules below ``root`` by dotted name; ``top`` is that of ``root``."""
    found: dict[str, Module] = {}
    for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
        parts = path.relative_to(root).with_suffix("").parts if root.is_dir() else ()
        name = ".".join((top, *(part for part in parts if part != "__init__")))
        found[name] = read_module(path, name)
    return found


def names_in(modules: Mapping[str, Module]) -> Counter[str]:
    """Return how often each name stands in some modules, definitions not counted."""
    found: Counter[str] = Counter()
    for module in modules.values():
        found.update(module.names)
    return found


def edges(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return which modules import which; a package above counts only where something of its own is taken."""
    found: dict[str, set[str]] = {}
    for name, module in modules.items():
        wanted = {one for one in module.imports if one in modules and one != name}
        packages = {one for one in wanted if any(other.startswith(f"{one}.") for other in wanted)}
        found[name] = wanted - packages
    return found


def layers(arrows: Mapping[str, set[str]]) -> int:
    """Return the number of modules on the longest chain of imports, rings counted as one."""
    depth: dict[str, int] = {}

    def visit(name: str, above: frozenset[str]) -> int:
        if name not in depth:
            below = [visit(other, above | {name}) for other in arrows[name] if other not in above]
            depth[name] = 1 + max(below, default=0)
        return depth[name]

    return max((visit(name, frozenset()) for name in arrows), default=0)


def row(modules: Mapping[str, Module], names: Counter[str]) -> list[str]:
    """Return the figures of some modules, as the table shows them; ``names``: of all that is measured."""
    files = list(modules.values())
    functions = [function for module in files for function in module.functions]
    private = [function for function in functions if function.private]
    public = [function for function in functions if not function.private]
    lines = sum(module.lines for module in files)
    arrows = edges(modules)
    return [
        f"{lines:,}",
        str(len(files)),
        f"{statistics.median(module.lines for module in files):.0f}",
        f"{len(functions):,}",
        _share(sum(function.lines > LONG for function in functions), len(functions)),
        _share(sum(_underscored(each.name) and names[each.name] == 1 for each in functions), len(functions)),
        _share(sum(function.documented for function in private), len(private)),
        _share(sum(function.documented for function in public), len(public)),
        _share(sum(module.comments for module in files), lines),
        str(sum(map(len, arrows.values()))),
        str(layers(arrows)),
    ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


HEAD = [
    "", "lines", "files", "median", "functions", f"> {LONG} lines", "used once", "private doc", "public doc",
    "comments", "imports", "layers",
]  # fmt: skip


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as aligned text."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(each, widths, strict=True))
        )
        for each in rows
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--beside", nargs="*", default=[], help="installed packages to compare with")
    options = parser.parse_args(arguments)
    trees = {part: read_tree(options.tree / part, part.replace("/", ".")) for part in PARTS}
    shipped = {name: module for part in SHIPPED for name, module in trees[part].items()}
    names = names_in(shipped)
    rows = [HEAD, ["shipped", *row(shipped, names)]]
    rows += [[part, *row(modules, names)] for part, modules in trees.items()]
    for package in options.beside:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            parser.error(f"{package} is not installed")
        modules = read_tree(Path(spec.origin).parent, package)
        rows.append([package, *row(modules, names_in(modules))])
    tests = [path for folder in ("tests", "bench") for path in (options.tree / folder).rglob("*.py")]
    print(table(rows))
    lines = sum(path.read_text("utf-8").count("\n") for path in tests)
    print(f"\ntests and bench: {lines:,} lines, {len(tests)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
