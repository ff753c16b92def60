"""Which keys of its catalogue a package's code names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from engines.core.lessons import lessons
from engines.core.texts import load


@cache
def named_keys(package: str) -> frozenset[str]:
    """Return every string of a package's code and of its core; what it fills in as ``.+``."""
    found: set[str] = set()
    for text in _sources(package):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else None for p in node.values)
                found.add("".join(".+" if part is None else re.escape(str(part)) for part in parts))
    return frozenset(found)


def _sources(package: str) -> Iterator[str]:
    core = files(f"{package.partition('.')[0]}.core")
    for item in (*files(package).iterdir(), *[core / name for name in SHARED[package.partition(".")[0]]]):
        if item.name.endswith(".py"):
            yield item.read_text("utf-8")


SHARED = {"engines": ("base.py",), "renderers": ("captions.py", "painter.py")}
"""The files of the core whose keys stand in each package's own catalogue."""


def unnamed_texts(package: str) -> list[str]:
    """Return the keys of the English catalogue that no string of the code can be."""
    # A pattern of gaps alone would be any key.
    patterns = [re.compile(key) for key in named_keys(package) if re.search(r"\w{2}", key)]
    english = load(package).languages["en"]
    return [key for key in english if not any(pattern.fullmatch(key) for pattern in patterns)]


def unused_texts(game: str) -> list[str]:
    """Return the keys of a game's English catalogue that neither its code nor a lesson names."""
    taught = {message.key for lesson in lessons(game) for message in lesson.texts()}
    return [key for key in unnamed_texts(f"engines.{game}") if key not in taught]


def plain_keys(game: str) -> list[str]:
    """Return the keys of messages that the code names in full."""
    shape = re.compile(r"(error|prompt|field|choice)\\\.\w*[a-z]")
    base = {re.escape(f"error.{key}") for key in ("gone", "not_asked", "unfinished")}
    return sorted(
        key.replace("\\", "") for key in named_keys(f"engines.{game}") - base if shape.fullmatch(key)
    )
