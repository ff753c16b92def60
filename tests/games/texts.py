"""Which keys of its catalogue a game's code names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from engines.core.lessons import lessons
from engines.core.texts import load


@cache
def named_keys(game: str) -> frozenset[str]:
    """Return every string of a game's code and of the base class; what it fills in as ``.+``."""
    found: set[str] = set()
    for text in _sources(game):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else None for p in node.values)
                found.add("".join(".+" if part is None else re.escape(str(part)) for part in parts))
    return frozenset(found)


def _sources(game: str) -> Iterator[str]:
    yield (files("engines.core") / "base.py").read_text("utf-8")
    for item in files(f"engines.{game}").iterdir():
        if item.name.endswith(".py"):
            yield item.read_text("utf-8")


def unused_texts(game: str) -> list[str]:
    """Return the keys of the English catalogue that no string of the code can be, and no lesson names."""
    # A pattern of gaps alone would be any key.
    patterns = [re.compile(key) for key in named_keys(game) if re.search(r"\w{2}", key)]
    taught = {message.key for lesson in lessons(game) for message in lesson.texts()}
    return [
        key
        for key in load(f"engines.{game}").languages["en"]
        if key not in taught and not any(p.fullmatch(key) for p in patterns)
    ]


def plain_keys(game: str) -> list[str]:
    """Return the keys of messages that the code names in full."""
    shape = re.compile(r"(error|prompt|field|choice)\\\.\w*[a-z]")
    base = {re.escape(f"error.{key}") for key in ("gone", "not_asked", "unfinished")}
    return sorted(key.replace("\\", "") for key in named_keys(game) - base if shape.fullmatch(key))
