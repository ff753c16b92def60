"""What a check found, and how it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from bot.log_setup import origin_of

REPORT = (
    "Something was not as expected. Try again; if it stays so, report it with this line: it holds no secret."
)


class State(Enum):
    """How a check went."""

    OK = "ok"
    NOTE = "note"
    """It works, but somebody should know."""
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``advice`` says what to do; only what is not :attr:`State.OK` has one."""

    name: str
    state: State
    text: str
    advice: str = ""


def ok(name: str, text: str) -> Finding:
    """Return that a check found nothing wrong."""
    return Finding(name, State.OK, text)


def note(name: str, text: str, advice: str = "") -> Finding:
    """Return that something works, but is worth a word."""
    return Finding(name, State.NOTE, text, advice)


def fail(name: str, text: str, advice: str) -> Finding:
    """Return that something does not work, and what to do about it."""
    return Finding(name, State.FAIL, text, advice)


def guarded(name: str, check: Callable[[], Finding | list[Finding]]) -> list[Finding]:
    """Run a check; return what it finds, or that it failed itself, whatever it met."""
    try:
        found = check()
    except Exception as error:
        return [unfinished(name, error)]
    return found if isinstance(found, list) else [found]


def unfinished(name: str, error: Exception, of: str = "") -> Finding:
    """Return that a check failed itself; what the error says is not told."""
    return fail(name, f"{of}this could not be checked ({origin_of(error)})", REPORT)


def written(findings: Iterable[Finding], secret: str = "") -> str:
    """Return the report: one line a finding, its advice below it. ``secret`` never stands in it."""
    lines: list[str] = []
    for one in findings:
        lines.append(f"{one.state.value:<4}  {one.name:<12}  {_flat(one.text)}")
        lines += [f"{'':20}→ {line}" for line in one.advice.splitlines()]
    text = "\n".join(lines) + "\n"
    return text.replace(secret, "[token]") if secret else text


def _flat(text: str) -> str:
    # Names of servers come from anybody: none of them may steer the terminal.
    return "".join(char if char.isprintable() else " " for char in text)
