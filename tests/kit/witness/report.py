"""The verdict in words: what was judged, what cannot be, and each finding with the story of its match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.kit.witness.evening import PATIENCE, Evening, read_evening
from tests.kit.witness.story import story
from tests.kit.witness.transcript import Finding, PersonId, Transcript
from tests.kit.witness.verdict import verdict

STORIES = 5
"""Findings that are told with their stories, where there are many."""


def judged(evening: Evening) -> list[Finding]:
    """Return what must not be in an evening."""
    return verdict(evening.transcript, PATIENCE)


def judge(database: Path, journal: Path) -> tuple[list[Finding], list[str]]:
    """Judge an evening; return the findings, and the report."""
    evening = read_evening(database, journal)
    findings = judged(evening)
    return findings, list(report(evening, findings))


def report(evening: Evening, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what was judged, what cannot be, and each finding."""
    yield f"the witness has judged {evening.line()}"
    yield f"it cannot judge {'; '.join(evening.cannot)}"
    yield from told(evening.transcript, findings, evening.names)
    yield f"the witness has {len(findings)} findings"


def told(
    run: Transcript, findings: Sequence[Finding], names: Mapping[PersonId, str], stories: int = STORIES
) -> Iterator[str]:
    """Yield findings, each with its story; of several in one match, the story once."""
    seen: set[str] = set()
    for finding in findings:
        yield f"FOUND {finding.kind}: {finding.text}{finding.rule and f' ({finding.rule})'}"
        match = match_of(run, finding)
        if match and match not in seen and len(seen) < stories:
            seen.add(match)
            yield from (f"    {line}" for line in story(run, match, names))


def match_of(run: Transcript, finding: Finding) -> str:
    """Return the match that a finding is about; empty: none."""
    return next((each.id for each in run.matches if each.id in finding.text), "")
