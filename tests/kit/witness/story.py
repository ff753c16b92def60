"""A readable story of a run: presses, commits and messages in the order of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.kit.witness.transcript import FOR_EVER, MatchRecord, PersonId, Press, Row, Transcript

_LEFT_OUT = ("look",)
"""Acts that change nothing."""


STORIES = 5
"""The maximum number of stories, if there are many findings."""


def stories(
    run: Transcript, findings: Iterable[str], names: Mapping[PersonId, str], most: int = STORIES
) -> Iterator[str]:
    """Yield the findings, each followed by the story of its match, which appears once."""
    seen: set[str] = set()
    for finding in findings:
        yield finding
        match = next((each.id for each in run.matches if each.id in finding), "")
        if match and match not in seen and len(seen) < most:
            seen.add(match)
            yield from (f"    {line}" for line in story(run, match, names))


def story(run: Transcript, match: str, names: Mapping[PersonId, str]) -> list[str]:
    """Return the events of a match in the order of time, in seconds since the start of the run."""
    record = next((each for each in run.matches if each.id == match), None)
    lines = sorted(_lines(run, match, record, names), key=lambda line: line[0])
    return [f"{at - run.begun_at:12.1f} s  {text}" for at, text in lines]


def _lines(
    run: Transcript, match: str, record: MatchRecord | None, names: Mapping[PersonId, str]
) -> Iterator[tuple[float, str]]:
    if record is not None:
        seats = ", ".join(f"{seat}: {_name(who, names)}" for seat, who in sorted(record.holders.items()))
        yield record.begun_at, f"{match} begins: {record.game}, pace {record.pace}; {seats}"
        yield from ((row.committed_at, _row(row)) for row in record.rows)
    for press in run.presses:
        if press.act not in _LEFT_OUT and press.match in ("", match):
            yield press.at, _press(press, names)
    for post in run.posts:
        if post.match == match:
            told = ", ".join(_name(person, names) for person in sorted(post.people)) or "nobody"
            yield (
                post.at,
                f"  {post.kind or 'a notice'} is posted; it tells {told}{' (late)' if post.late else ''}",
            )
    for begun, ended in run.outages:
        yield begun, f"nobody can decide for {ended - begun:.1f} s"
    yield from ((at, "a process is killed") for at in run.kills)
    yield from ((at, "the machine's clock is set") for at in run.clock_sets)


def _press(press: Press, names: Mapping[PersonId, str]) -> str:
    chosen = "".join(f" {key}={value}" for key, value in press.given.items())
    after = "" if press.answered_at == FOR_EVER else f" after {press.answered_at - press.at:.1f} s"
    return f"{_name(press.person, names)}: {press.act}{chosen} [{press.request}]: {press.outcome}{after}"


def _row(row: Row) -> str:
    who = "all" if row.seat is None else f"seat {row.seat}"
    early = row.committed_at - row.at
    said = f"{row.kind} of {who} {' '.join(row.words)}"
    return f"  row {row.seq}: {said} [{row.request}], decided {early:.1f} s before"


def _name(person: PersonId | None, names: Mapping[PersonId, str]) -> str:
    return "a computer" if person is None else names.get(person, str(person))
