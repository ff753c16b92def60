"""Adds the example game to a copy of the repository, as its author would copy two folders."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit import odds

KEY = "odds"
PARTS = {"engine": "engines", "renderer": "renderers"}


def drop(tree: Path) -> None:
    """Add the example's engine and renderer to the packages in ``tree``."""
    for part, house in PARTS.items():
        target = tree / house / KEY
        shutil.copytree(Path(*odds.__path__) / part, target, ignore=shutil.ignore_patterns("__pycache__"))
        for path in target.rglob("*.py"):
            text = path.read_text("utf-8")
            for name, into in PARTS.items():
                text = text.replace(f"{odds.__name__}.{name}", f"{into}.{KEY}")
            path.write_text(text, "utf-8")
