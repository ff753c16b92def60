"""Runs Bauta's own commands as whoever runs the house does."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.kit.nursery import Program


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


async def bauta(environment: Mapping[str, str], *arguments: str) -> Ended:
    """Run ``bauta`` with ``arguments`` in ``environment`` to its end."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        code = await Program(arguments, environment, out, err).wait()
        ended = Ended(code, out.read_text("utf-8"), err.read_text("utf-8"))
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
