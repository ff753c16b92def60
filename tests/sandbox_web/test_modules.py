"""Tests of the page's modules that need no document, run by node if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "sandbox" / "web"


def test_the_modules_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    files = sorted(str(path) for path in HERE.glob("*.test.mjs"))
    assert files
    done = subprocess.run([node, "--test", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_no_module_parses_markup_or_runs_text() -> None:
    forbidden = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
    )
    for module in sorted(WEB.glob("*.js")):
        text = module.read_text("utf-8")
        assert [name for name in forbidden if name in text] == [], module.name


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    page = (WEB / "index.html").read_text("utf-8")
    assert "<style" not in page
    assert "style=" not in page
    for line in page.splitlines():
        if "src=" in line or "href=" in line:
            assert "//" not in line, line
    for sheet in sorted(WEB.glob("*.css")):
        assert "url(" not in sheet.read_text("utf-8"), sheet.name
        assert "@import" not in sheet.read_text("utf-8"), sheet.name
