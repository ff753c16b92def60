"""Logs: no secret in them, and no chatter of the loggers that print what people do."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from bot.logs import QUIET, RedactingFormatter, set_up

SECRET = "a.very.secret-token"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    yield
    root.handlers[:] = before
    root.setLevel(level)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)
    logging.captureWarnings(capture=False)


def line(text: str, *args: object) -> str:
    record = logging.LogRecord("x", logging.WARNING, "f", 1, text, args, None)
    return RedactingFormatter((SECRET, "")).format(record)


def test_the_token_is_not_written() -> None:
    assert SECRET not in line("it is %s", SECRET)
    assert "[token]" in line("it is %s", SECRET)


def test_the_token_is_not_written_in_a_traceback() -> None:
    error = ValueError(f"bad {SECRET}")
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), (ValueError, error, None))
    text = RedactingFormatter((SECRET,)).format(record)
    assert "ValueError" in text
    assert SECRET not in text


@pytest.mark.parametrize(
    "path",
    ["/api/v10/webhooks/123/aW50ZXJhY3Rpb246_-%3D.x/messages/@original", "/interactions/5/aW50.Zx-/callback"],
)
def test_tokens_in_paths_are_not_written(path: str) -> None:
    text = line("We are being rate limited. PATCH %s", path)
    assert "aW50" not in text
    assert "[token]" in text


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING"])
def test_some_loggers_stay_quiet(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(level, SECRET)
    for name in QUIET:
        logging.getLogger(f"{name}.part").debug("what people do")
        logging.getLogger(f"{name}.part").warning("warned by %s", name)
    said = capsys.readouterr().err
    assert "what people do" not in said
    assert all(f"warned by {name}" in said for name in QUIET)
    logging.getLogger("bot").debug("our own")
    assert ("our own" in capsys.readouterr().err) is (level == "DEBUG")
