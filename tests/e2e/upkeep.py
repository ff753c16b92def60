"""Runs Bauta's own commands as whoever runs the house does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int | None
    out: str
    err: str


async def bauta(environment: Mapping[str, str], *arguments: str) -> Ended:
    """Run ``bauta`` with ``arguments`` in ``environment`` to its end."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, env=dict(environment), stdout=pipe, stderr=pipe
    )
    out, err = await asyncio.wait_for(process.communicate(), 60.0)
    ended = Ended(process.returncode, out.decode(), err.decode())
    assert "Traceback" not in ended.out + ended.err, ended
    return ended


def lines(report: str) -> dict[str, str]:
    """Return a doctor's findings by name: state and text, with the advice below."""
    found: dict[str, str] = {}
    name = ""
    for line in report.splitlines():
        if line.startswith(" "):
            found[name] += "\n" + line.strip()
        else:
            state, name, text = line.split(maxsplit=2)
            found[name] = f"{found[name]}\n{state} {text}" if name in found else f"{state} {text}"
    return found
