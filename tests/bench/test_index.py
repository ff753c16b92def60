"""A bench that no document names is one that nobody runs."""

from __future__ import annotations

import re
from pathlib import Path

COMMAND = re.compile(r"bench\.(\w+(?:\.\w+)*)")
RUN = '\nif __name__ == "__main__":\n'


def runnable(repository: Path) -> set[str]:
    """Return the names of all benches that are started by themselves, without ``bench.``."""
    files = [file for file in (repository / "bench").rglob("*.py") if RUN in file.read_text("utf-8")]
    return {file.parent.name if file.name == "__main__.py" else file.stem for file in files}


def test_contributing_lists_every_bench(repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text("utf-8")
    _, _, chapter = text.partition("\n## Benches\n")
    listed = re.findall(r"^\| `bench\.(\w+)", chapter.partition("\n## ")[0], re.MULTILINE)
    assert sorted(listed) == sorted(runnable(repository) - {"click_tracer"})  # bench.click_path starts that


def test_documents_name_benches_that_are_there(repository: Path) -> None:
    folders = (repository / "docs", repository / "sandbox")
    pages = [*repository.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]
    named = {
        (page.name, module)
        for page in pages
        if page.name != "CHANGELOG.md"  # what was there once
        for module in COMMAND.findall(page.read_text("utf-8"))
    }
    assert len(named) > 20
    bench = repository / "bench"
    missing = {(page, module) for page, module in named if not module_exists(bench, module)}
    assert not missing


def module_exists(bench: Path, module: str) -> bool:
    path = bench.joinpath(*module.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()
