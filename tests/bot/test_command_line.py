"""The command itself: what it says of arguments, on every terminal, and after a fault of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli import ExitCode, backup
from tests.kit.environment import environment
from tests.kit.samples import some

SECRET = "hunter2"
ADDRESS = f"postgresql://u:{SECRET}@h/d"
TOKEN = f"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-{SECRET}"

WRONG = (
    ["backup", ADDRESS],
    ["backup", "a.db", SECRET],
    ["backup", "a.db", ADDRESS, f"it's {SECRET}"],
    ["backup", TOKEN],
    ["restore", ADDRESS],
    ["restore", f"host=h password={SECRET}"],
    ["move", "--from", ADDRESS.upper().replace(SECRET.upper(), SECRET), "--to", ADDRESS],
    ["move", "--from", "sqlite:a.db", "--to", f"mysql://u:{SECRET}@h/d"],
    ["move", "--from", "sqlite:a.db", "--to", f"host=h password={SECRET}"],
    ["move", "--from", "sqlite:a.db", ADDRESS],
    ["move", "--from", "sqlite:a.db", "--to", ADDRESS, f"-{SECRET}"],
    ["replay", ADDRESS, "--out", "x"],
    ["replay", "x", "--out", ADDRESS],
    ["rehearse", "--channel", TOKEN],
    ["rehearse", "--channel", "1", "--line", TOKEN],
    ["serve", "--shard-count", SECRET],
    ["serve", "--sh", SECRET],
    [f"--sh={SECRET}"],
    ["serve", f"--no-browser={SECRET}"],
    ["serve", f"DISCORD_TOKEN={TOKEN}"],
    [ADDRESS],
    [TOKEN],
)


@pytest.mark.parametrize("arguments", WRONG, ids=range(len(WRONG)))
def test_arguments_that_cannot_be_used_are_not_repeated(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert "error: " in err
    assert SECRET not in out + err
    assert not list(tmp_path.iterdir())


def test_what_is_wrong_is_said_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["move", "--from", "sqlite:a.db", "--to", "mysql://h/d"])
    assert "argument --to: it is neither the path of a file nor" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["move", "--from", "sqlite:a.db"])
    assert "the following arguments are required: --to" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["rehearse", "--channel", "here"])
    assert "argument --channel: invalid int value: …" in capsys.readouterr().err


def test_a_fault_of_the_program_shows_where_and_not_what(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise RuntimeError(ADDRESS)

    monkeypatch.setattr(backup, "load", fails)
    assert main(["backup", "a.db"]) == ExitCode.FAILED
    assert "uncaught exception" in caplog.messages
    assert SECRET not in "".join(capsys.readouterr())


FAULT = """
import sys
from bot import __main__
from bot.cli import backup
def fails():
    raise RuntimeError("hunter2")
backup.load = fails
sys.exit(__main__.main(["backup", "a.db"]))
"""


def test_its_traceback_is_written_without_what_it_says(tmp_path: Path) -> None:
    done = run(["-c", FAULT], tmp_path)
    assert done.returncode == ExitCode.FAILED
    assert b"in fails" in done.stderr
    assert b"builtins.RuntimeError" in done.stderr
    assert SECRET.encode() not in done.stderr.replace(b'RuntimeError("hunter2")', b"")


def run(arguments: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    values = environment(BAUTA_DATABASE=str(folder / "bauta.db"), PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.run(
        [sys.executable, *arguments], env=values | variables, cwd=folder, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    some(
        [
            (["-m", "bot", "backup", "é.db"], 1),
            (["-m", "bot", "doctor", "--offline"], 1),
            (["-m", "bot", "health"], 1),
            (["-m", "bot.cli.health"], 1),
            (["-m", "bot", "move", "--help"], 0),
            (["-m", "bot", "move", "--from", "sqlite:é.db", "--to", "postgresql://h/d"], 1),
            (["-m", "bot", "move", "--from", "sqlite:é.db", "--to", "sqlite:…"], 1),
            (["-m", "bot", "restore", "é.db"], 1),
            (["-m", "bot", "replay", "é", "--out", "ü"], 1),
            (["-m", "bot", "--é"], 2),
        ],
        10,
    ),
)
def test_a_terminal_without_our_characters_ends_in_no_traceback(
    arguments: list[str], code: int, tmp_path: Path
) -> None:
    terminal = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    done = run(arguments, tmp_path, **terminal, BAUTA_COLOUR="é", BAUTA_CACHE=str(tmp_path / "é"))
    assert b"Traceback" not in done.stdout + done.stderr
    assert b"uncaught" not in done.stderr
    assert done.returncode == code, done.stderr
    assert done.stdout + done.stderr


def test_the_version_is_that_of_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert re.fullmatch(r"bauta \d+\.\d+\.\d+\n", capsys.readouterr().out)
