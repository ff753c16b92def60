"""Drops the example game into a tree: what its author would do by hand with two folders."""

from __future__ import annotations

import shutil
from pathlib import Path

HERE = Path(__file__).parent
KEY = "odds"


def drop(tree: Path) -> None:
    """Add the example's engine and renderer to the packages below ``tree``."""
    for source, house in (("engine", "engines"), ("renderer", "renderers")):
        target = tree / house / KEY
        shutil.copytree(HERE / source, target, ignore=shutil.ignore_patterns("__pycache__"))
        for path in target.rglob("*.py"):
            text = path.read_text("utf-8").replace("tests.newcomer.engine", f"engines.{KEY}")
            path.write_text(text.replace("tests.newcomer.renderer", f"renderers.{KEY}"), "utf-8")
