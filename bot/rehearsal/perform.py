"""Goes through all lines once: connects, checks that no other process serves, tries each, cleans up, reports.

The report is a table in Markdown, which can be attached to an issue.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import discord

from bot.gateway.discord_errors import ALREADY_ACKNOWLEDGED
from bot.rehearsal import cleaning
from bot.rehearsal.acts import elsewhere, limits, messages, presses, threads
from bot.rehearsal.client import RehearsalClient, Wire, codes
from bot.rehearsal.connecting import Connections, roll_call, server_of
from bot.rehearsal.desk import PATIENCE, Desk, Differs, Props, Skipped
from bot.rehearsal.stage import OPERATOR, Line, Result, Stage, State, When
from bot.runtime.program import installed_version

log = logging.getLogger(__name__)

LINES: tuple[Line, ...] = (
    *limits.FIRST,
    *messages.LINES,
    *threads.LINES[:-1],
    elsewhere.LINES[0],
    *presses.LINES,
    threads.LINES[-1],
    *elsewhere.LINES[1:],
    *limits.LAST,
)
"""All lines, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the operator asks for. ``only`` names lines; empty: all of them."""

    channel: int
    press: bool = True
    long: bool = False
    only: frozenset[str] = frozenset()

    def leaves_out(self, line: Line) -> str:
        """Return why a line is not tried; an empty text: it is."""
        if line.when is When.LONG and not self.long:
            return "it takes long: --long tries it"
        if line.when is When.PRESSED and not self.press:
            return "left out by --no-press"
        return ""


@dataclass
class Rehearsed:
    """The results of a rehearsal. ``left_over``: what could not be deleted."""

    results: list[Result] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    interrupted: bool = False


async def rehearse(
    token: str,
    wanted: Wanted,
    tell: Callable[[str], None],
    *,
    patience: float = PATIENCE,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Rehearsed:
    """Go through everything; raises :class:`StartError` for what the operator has to fix first.

    If cancelled, it cleans up, and returns the results so far.
    """
    props, wire = Props(secrets.token_hex(3)), Wire()
    desk = Desk(props, patience)
    connections = Connections(token, lambda: RehearsalClient(desk, wire))
    client = await connections.log_in()
    stage = Stage(client, wanted.channel, props, desk, wire, tell, connections.again, sleep)
    done = Rehearsed()
    try:
        client.play_in(await server_of(stage))
        await roll_call(stage)
        await connections.connect(client)
        await perform(stage, wanted, done)
    except asyncio.CancelledError:
        done.interrupted = True
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
    finally:
        tell("cleaning up")
        last, done.left_over = await cleaning.clean(stage)
        done.results.append(last)
        await connections.close(stage.client)
    return done


async def perform(stage: Stage, wanted: Wanted, done: Rehearsed) -> None:
    """Try every line, one after the other; lines that are not reached are not in the results."""
    chosen = with_needs(wanted.only)
    for line in LINES:
        if wanted.only and line.key not in chosen:
            continue
        reason = wanted.leaves_out(line)
        if reason:
            done.results.append(Result(line.key, line.relies, State.SKIPPED, reason))
            continue
        result = await attempt(stage, line)
        done.results.append(result)
        stage.tell(f"{result.state.value}: {result.key} ({result.did})")


def with_needs(keys: Iterable[str]) -> set[str]:
    """Return the names of lines and of those that they need."""
    found: set[str] = set()
    # Needed lines come before those that need them.
    for line in reversed(LINES):
        if line.key in found or line.key in keys:
            found |= {line.key, *line.needs, *([OPERATOR] if line.when is When.PRESSED else [])}
    return found


async def attempt(stage: Stage, line: Line) -> Result:
    """Try a line; raises nothing but cancellation."""
    mark = len(stage.wire.answers)
    state, did = await _tried(stage, line)
    answers = stage.wire.answers[mark:]
    if any(answer.code == ALREADY_ACKNOWLEDGED for answer in answers):
        state, did = State.DIFFERS, "something else answered first: another process serves with this token"
    ms = round(sum(answer.ms for answer in answers)) if answers else None
    return Result(line.key, line.relies, state, did, codes(answers), ms)


async def _tried(stage: Stage, line: Line) -> tuple[State, str]:
    try:
        return State.OK, await line.act(stage)
    except Skipped as error:
        return State.SKIPPED, str(error)
    except Differs as error:
        return State.DIFFERS, str(error)
    except discord.HTTPException as error:
        return State.DIFFERS, f"it was refused: {error.status}, code {error.code}"
    except Exception as error:
        # Only its type: its message may quote what Discord sent.
        log.error("rehearsal line %s failed", line.key, exc_info=error)
        return State.DIFFERS, f"it failed: {type(error).__name__}"


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
