"""A program has a name, and another one has another."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.runtime import program


def test_a_program_has_one_name_and_every_file_counts(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = program.fingerprint()
    assert first == program.fingerprint()
    for package in program.PACKAGES:
        shutil.copytree(repository / package, tmp_path / package)
    monkeypatch.setattr(program, "_ROOT", tmp_path)
    assert program.fingerprint() == first, "it does not matter where it is installed"
    changed = tmp_path / "engines" / "volo" / "rules.py"
    changed.write_text(changed.read_text("utf-8") + "\n", "utf-8")
    assert program.fingerprint() != first
