"""Logs: no secret in them, and no chatter of the loggers that print what people do."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.runtime.log_setup import MAX_WARNINGS, QUIET, RedactingFormatter, RepeatFilter, set_up, watch

SECRET = "a.very.secret-token"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
    logging.raiseExceptions = True
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


def traceback_of(error: BaseException) -> str:
    record = logging.LogRecord(
        "x", logging.ERROR, "f", 1, "failed", (), (type(error), error, error.__traceback__)
    )
    record.exc_text = f"what another handler wrote: {error}"
    return RedactingFormatter().format(record)


def fail(word: str) -> None:
    try:
        dict[str, str]()[word]
    except KeyError as error:
        error.add_note(f"it was {word}")
        raise OSError(13, word, word) from error


def test_a_record_is_one_line() -> None:
    for sign in ("\n", "\r\n", "\x1b[2J", "\x00", "\x85", "\u2028", "\v", "\f", "\t"):
        text = line(f"first{sign}2026-01-01 00:00:00 INFO bauta: %s", f"second{sign}")
        assert len(text.splitlines()) == 1
        assert text.isprintable()
    assert line("a\nb").endswith(r"a\nb")
    with pytest.raises(OSError, match=SECRET) as caught:
        fail(SECRET)
    assert len(traceback_of(caught.value).splitlines()) == 1


def test_a_warning_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("first\nsecond", RuntimeWarning, stacklevel=1)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_library_says_the_same_once_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO")
    now = 0.0
    handler = logging.getLogger().handlers[0]
    handler.filters[:] = [RepeatFilter(lambda: now)]
    pool, ours = logging.getLogger("psycopg.pool"), logging.getLogger("bot.interactions.reply")
    for number in range(1_000):
        now += 0.1
        pool.info("connection requested from %r", "pool-1")
        pool.warning("error connecting in %r: try %d", "pool-1", number)
        if number == 500:
            pool.warning("another thing")
        ours.error("incident %d", number)
    said = [text for text in capsys.readouterr().err.splitlines() if "psycopg" in text]
    assert [text.partition(": ")[2] for text in said] == [
        "error connecting in 'pool-1': try 0",
        "another thing",
        "error connecting in 'pool-1': try 600 (599 more before)",
    ]


def test_our_own_records_are_repeated_if_their_values_differ(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO")
    log = logging.getLogger("bot.sync.worker")
    for number in range(100):
        log.error("incident %d", number)
        log.error("outbox worker stopped: %s", "no answer")
        log.info("connected")
        log.error("failed", exc_info=ValueError())
    said = capsys.readouterr().err
    assert [said.count(each) for each in ("incident", "stopped", "connected", "failed")] == [100, 1, 100, 100]


def test_warnings_that_are_remembered_are_few() -> None:
    repeats = RepeatFilter()
    for number in range(10 * MAX_WARNINGS):
        record = logging.LogRecord("discord", logging.WARNING, "f", 1, f"one of many {number}", (), None)
        assert repeats.filter(record)
    assert len(vars(repeats)["_said"]) == MAX_WARNINGS


def test_a_worker_that_fails_to_start_says_why_in_one_line() -> None:
    ours, theirs = socket.socketpair()
    program = (
        "import socket; from bot.workers.worker import serve\n"
        f"def prepare(): raise ValueError('{SECRET}')\n"
        f"serve(socket.socket(fileno={theirs.fileno()}), prepare)"
    )
    with ours, theirs:
        process = subprocess.run(
            [sys.executable, "-c", program],
            pass_fds=[theirs.fileno()],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    assert process.returncode == 1
    assert SECRET not in process.stderr
    [text] = process.stderr.splitlines()
    assert "uncaught exception" in text
    assert "ValueError" in text


def test_a_traceback_says_where_but_not_what() -> None:
    with pytest.raises(OSError, match=SECRET) as caught:
        fail(SECRET)
    text = traceback_of(caught.value)
    assert SECRET not in text
    assert r"builtins.KeyError\nwhich led to:" in text
    assert "builtins.OSError (errno 13)" in text or "builtins.PermissionError (errno 13)" in text
    assert "in fail" in text


def test_a_group_of_errors_is_written_part_by_part() -> None:
    text = traceback_of(ExceptionGroup(SECRET, [ValueError(SECRET), ExceptionGroup("x", [KeyError(SECRET)])]))
    assert SECRET not in text
    assert "part 1:" in text
    assert "builtins.ValueError" in text
    assert "builtins.KeyError" in text


def test_an_error_that_was_suppressed_is_left_out() -> None:
    error = ValueError("second")
    error.__context__ = KeyError(SECRET)
    assert "KeyError" in traceback_of(error)
    error.__suppress_context__ = True
    assert "KeyError" not in traceback_of(error)


async def test_what_goes_wrong_in_the_loop_is_logged_without_its_arguments(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up("DEBUG")
    loop = asyncio.get_running_loop()
    watch(loop)

    async def fails() -> None:
        raise ValueError(SECRET)

    loop.call_soon(fail, SECRET)
    task = loop.create_task(fails())
    await asyncio.wait([task])
    del task
    gc.collect()
    said = capsys.readouterr().err
    assert SECRET not in said
    assert "Exception in callback fail" in said
    assert "never retrieved" in said
    assert "builtins.ValueError" in said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_is_caught_nowhere_is_logged_without_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("DEBUG")
    with pytest.raises(OSError, match=SECRET) as caught:
        fail(SECRET)
    sys.excepthook(type(caught.value), caught.value, caught.value.__traceback__)
    thread = threading.Thread(target=fail, args=(SECRET,))
    thread.start()
    thread.join()

    class Broken:
        def __del__(self) -> None:
            raise ValueError(SECRET)

        def __repr__(self) -> str:
            return SECRET

    Broken()
    gc.collect()
    logging.getLogger("x").error("%d", SECRET)
    said = capsys.readouterr().err
    assert SECRET not in said
    assert said.count("bot.runtime.log_setup: uncaught exception") == 3
    assert len(said.splitlines()) == 3


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
