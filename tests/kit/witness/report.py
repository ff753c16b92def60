"""The verdict as text: what was judged, what cannot be, and each finding with the story of its match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.kit.witness.evening import PATIENCE, Evening, read_evening
from tests.kit.witness.story import stories
from tests.kit.witness.transcript import Finding
from tests.kit.witness.verdict import verdict

FOUND = "FOUND"
"""The prefix of a finding's line; the lines of its story are indented."""


def judged(evening: Evening) -> list[Finding]:
    """Return the findings of a run."""
    return verdict(evening.transcript, PATIENCE)


def judge(database: Path, journal: Path) -> tuple[list[Finding], list[str]]:
    """Judge a run; return the findings and the report."""
    evening = read_evening(database, journal)
    findings = judged(evening)
    return findings, list(report(evening, findings))


def report(evening: Evening, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what was judged, what cannot be, and each finding."""
    yield f"the witness has judged {evening.line()}"
    yield f"it cannot judge {'; '.join(evening.cannot)}"
    lines = (f"{FOUND} {each.kind}: {each.text}{each.rule and f' ({each.rule})'}" for each in findings)
    yield from stories(evening.transcript, lines, evening.names)
    yield f"the witness has {len(findings)} findings"
