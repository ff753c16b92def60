"""The report of a rehearsal: a table in Markdown, which can be attached to an issue."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime

import discord

from bot.rehearsal.line import Result, State
from bot.runtime.program import installed_version

CONTENTS = "It holds what Discord answered and how long that took: no token, no ids, no names, no addresses."
MARKS = {State.OK: "ok", State.DIFFERS: "**differs**", State.SKIPPED: "skipped"}


def written(results: Sequence[Result], left_over: Sequence[str], *, seconds: float, secret: str = "") -> str:
    """Return the report: a heading, the table, what is left over. ``secret`` is redacted."""
    counts = [sum(each.state is state for each in results) for state in State]
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    versions = (
        f"Bauta {installed_version()}, discord.py {discord.__version__}, Python {platform.python_version()}"
    )
    lines = [
        "## A rehearsal of Bauta on Discord",
        "",
        f"{now}, {seconds:.0f} s; {versions}. {counts[0]} ok, {counts[1]} differ, {counts[2]} skipped.",
        CONTENTS,
        "",
        "| | Line | What we rely on | What Discord did | Codes | ms |",
        "|---|---|---|---|---|---:|",
    ]
    lines += [_row(each) for each in results]
    if left_over:
        lines += ["", "What could not be taken away:", "", *(f"- {_flat(each)}" for each in left_over)]
    text = "\n".join(lines) + "\n"
    return text.replace(secret, "[token]") if secret else text


def _row(result: Result) -> str:
    ms = "" if result.ms is None else str(result.ms)
    cells = (MARKS[result.state], result.key, result.relies, result.did, result.codes, ms)
    return f"| {' | '.join(map(_flat, cells))} |"


def _flat(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text).replace("|", "\\|")
