"""The subcommands of ``bauta`` other than serving. Each adds its parser, with ``run`` set to its function."""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from bot.domain.address import file_of

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001
"""What ``add_subparsers`` returns; argparse has no public name for it."""


class ExitCode(IntEnum):
    """How a command ended, for a shell or the bot's supervisor; ``docs/operating.md`` documents it."""

    OK = 0
    """Done; for a bot that serves: stopped on request. Nothing that was confirmed is lost."""
    FAILED = 1
    """The command found a fault, or could not do what it was asked; the message says why."""
    NEEDS_OPERATOR = 2
    """The message says what to do first; restarting does not help."""
    TRY_AGAIN = 75
    """The problem may pass by itself: the supervisor should restart the bot."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors never repeat arguments: a misplaced value may be a password or a token."""

    _given: Sequence[str] = ()

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override] # it is overloaded
        """Parse as any parser does, and remember the arguments for :meth:`error`."""
        self._given = sys.argv[1:] if args is None else args
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong without the values, and exit with code 2."""
        given = {*self._given, *(value.partition("=")[2] for value in self._given)}
        for value in sorted(given, key=len, reverse=True):
            if value and value not in self._option_string_actions:
                for shape in (repr(value), value):
                    message = re.sub(rf"(?<!\w){re.escape(shape)}(?!\w)", "…", message)
        super().error(message)


def file_argument(text: str) -> Path:
    """Parse an argument that is a path; a ``type`` for argparse."""
    try:
        return file_of(text)
    except ValueError:
        raise argparse.ArgumentTypeError("it must be the path of a file") from None


def escape_unprintable() -> None:
    """Print escapes for characters that the terminal lacks, rather than fail in the middle of a report."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
