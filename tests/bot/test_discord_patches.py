"""What is changed in discord.py, when, and in which versions of it."""

from __future__ import annotations

import logging
import subprocess
import sys
from dataclasses import replace

import discord
import pytest

from bot.gateway.discord_patches import Patch, apply_needed

UNCHANGED = """
import discord
import bot.app
from bot.gateway.discord_patches import PATCHES, apply

assert discord.VoiceClient.warn_dave
for patch in PATCHES:
    assert patch.digest() == patch.code, f"{patch.purpose}: {patch.digest()}"
apply()
assert not discord.VoiceClient.warn_dave
"""


def test_an_import_changes_nothing_and_each_patch_knows_its_code() -> None:
    done = subprocess.run([sys.executable, "-c", UNCHANGED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Target:
    """Stands for a class of discord.py."""

    def read(self) -> str:
        return "theirs"


TARGET = f"{__name__}:Target.read"


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> Patch:
    def change() -> None:
        monkeypatch.setattr(Target, "read", lambda _: "ours")

    written = Patch("a word of ours", "2.7.1", (TARGET,), "", change)
    return replace(written, code=written.digest())


@pytest.mark.parametrize("version", ["2.7.1", "2.8.0"])
def test_code_that_is_as_it_was_is_patched(
    patch: Patch, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord, "__version__", version)
    apply_needed([patch])
    assert Target().read() == "ours"


@pytest.mark.parametrize(("target", "code"), [(TARGET, "other"), (f"{TARGET}_more", ""), ("gone:x", "")])
def test_other_code_is_left_alone_and_the_log_says_so(
    patch: Patch,
    target: str,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(discord, "__version__", "2.8.0")
    with caplog.at_level(logging.WARNING):
        apply_needed([replace(patch, targets=(target,), code=code)])
    assert Target().read() == "theirs"
    assert "discord.py 2.8.0: patch skipped (a word of ours)" in caplog.text


def test_a_patch_hides_no_code_from_the_next(patch: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord, "__version__", "2.8.0")
    made: list[str] = []
    apply_needed([patch, replace(patch, make=lambda: made.append("second"))])
    assert Target().read() == "ours"
    assert made == ["second"]
