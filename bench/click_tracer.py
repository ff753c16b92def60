"""A bot whose interactions are traced: ``python -m bench.click_tracer TREE REPORT``, for ``click_path``.

It imports nothing of the house, so that the bot may come from another checkout.
"""

from __future__ import annotations

import atexit
import contextvars
import json
import os
import runpy
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

from discord.state import ConnectionState

RESUMED = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR
"""Flags of code whose frames are entered again after every pause."""


@dataclass(slots=True)
class Trace:
    """What ran on behalf of one interaction."""

    custom_id: str
    files: set[str] = field(default_factory=set)
    functions: set[tuple[str, str, int]] = field(default_factory=set)
    moves: Counter[str] = field(default_factory=Counter)
    """Calls from one file to another, by ``caller -> called``."""
    entered: set[FrameType] = field(default_factory=set)


class Tracer:
    """Follows calls in the contexts of interactions; lives in the bot's process."""

    def __init__(self, bot: Path) -> None:
        self._bot = f"{bot}{os.sep}"
        self._current: contextvars.ContextVar[Trace | None] = contextvars.ContextVar("trace", default=None)
        self.traces: list[Trace] = []

    def follow(self, custom_id: str) -> None:
        """Begin a trace: all that this context leads to belongs to it."""
        trace = Trace(custom_id)
        self.traces.append(trace)
        self._current.set(trace)

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Take note of a call; the interpreter calls this for every function."""
        if event != "call" or not frame.f_code.co_filename.startswith(self._bot):
            return
        trace = self._current.get()
        if trace is None:
            return
        code = frame.f_code
        if code.co_flags & RESUMED:
            if frame in trace.entered:
                return
            trace.entered.add(frame)
        trace.files.add(code.co_filename)
        trace.functions.add((code.co_filename, code.co_qualname, code.co_firstlineno))
        caller = self._caller(frame)
        if caller is not None and caller != code.co_filename:
            trace.moves[f"{self._short(caller)} -> {self._short(code.co_filename)}"] += 1

    def _short(self, path: str) -> str:
        return path.removeprefix(self._bot)

    def _caller(self, frame: FrameType) -> str | None:
        above = frame.f_back
        while above is not None and not above.f_code.co_filename.startswith(self._bot):
            above = above.f_back
        return None if above is None else above.f_code.co_filename


def serve_traced(tree: Path, report: Path) -> None:
    """Serve the bot of ``tree`` in this process, traced; write a line of JSON for each interaction."""
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    tracer = Tracer(tree / "bot")
    parse = ConnectionState.parse_interaction_create

    def parse_traced(state: ConnectionState[Any], data: Any) -> None:
        context = contextvars.copy_context()
        context.run(tracer.follow, str(data.get("data", {}).get("custom_id", "")))
        context.run(parse, state, data)

    setattr(ConnectionState, "parse_interaction_create", parse_traced)  # noqa: B010 - typed as a method
    atexit.register(lambda: report.write_text("\n".join(map(_line, tracer.traces)), "utf-8"))
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    sys.argv = ["bauta", "serve", "--until-eof"]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


def _line(trace: Trace) -> str:
    figures = [len(trace.files), len(trace.functions), trace.moves.total()]
    return json.dumps({"custom_id": trace.custom_id, "figures": figures, "moves": trace.moves})


if __name__ == "__main__":
    serve_traced(Path(sys.argv[1]), Path(sys.argv[2]))
