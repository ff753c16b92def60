"""The findings of checks, and how they are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from bot.runtime.log_setup import origin_of

REPORT = (
    "Something was not as expected. Try again; if it stays so, report it with this line: it holds no secret."
)


class State(Enum):
    """How a check went."""

    OK = "ok"
    NOTE = "note"
    """It works, but deserves attention."""
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``advice`` says what to do; a finding that is :attr:`State.OK` has none."""

    name: str
    state: State
    text: str
    advice: str = ""


def ok(name: str, text: str) -> Finding:
    """Build a passing finding."""
    return Finding(name, State.OK, text)


def note(name: str, text: str, advice: str = "") -> Finding:
    """Build a finding that something works, but deserves attention."""
    return Finding(name, State.NOTE, text, advice)


def fail(name: str, text: str, advice: str) -> Finding:
    """Build a failing finding, with advice on how to fix it."""
    return Finding(name, State.FAIL, text, advice)


def guarded(name: str, check: Callable[[], Finding | list[Finding]]) -> list[Finding]:
    """Run a check; return its findings, or the finding that the check itself failed."""
    try:
        found = check()
    except Exception as error:
        return [unfinished(name, error)]
    return found if isinstance(found, list) else [found]


def unfinished(name: str, error: Exception, of: str = "") -> Finding:
    """Build the finding that a check itself failed, without the error's message."""
    return fail(name, f"{of}this could not be checked ({origin_of(error)})", REPORT)


def written(findings: Iterable[Finding], secret: str = "") -> str:
    """Return the report: one line per finding, its advice below it. ``secret`` is redacted."""
    lines: list[str] = []
    for one in findings:
        lines.append(f"{one.state.value:<4}  {one.name:<12}  {_flat(one.text)}")
        lines += [f"{'':20}→ {line}" for line in one.advice.splitlines()]
    text = "\n".join(lines) + "\n"
    return text.replace(secret, "[token]") if secret else text


def _flat(text: str) -> str:
    # Anybody can name a server: no name may control the terminal.
    return "".join(char if char.isprintable() else " " for char in text)
