"""What a load has come to: how long people waited, what became of what they said, and who was the limit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.load import is_wrong
from bench.matches import verdict
from bench.shards.boards import Boards
from bench.shards.people import Click, Witnesses
from bench.shards.trouble import Kill, Trouble
from bench.shards.work import Share, limit
from bench.traffic import counted
from bot.domain.address import Address
from bot.domain.match import LogRow
from bot.domain.tables import TableRow
from bot.matches.match_log import MatchLog
from bot.store import open_store
from engines.core.registry import game
from sandbox.state import Request
from tests.e2e.kills.books import Books
from tests.e2e.kills.people import Record
from tests.e2e.kills.truth import Verdict, judged

_HEAD = re.compile(r"^.*? (?=WARNING |ERROR )")
_NAMES = re.compile(r"\b(?=\w*\d)\w{5,}\b")
"""Matches, incidents and messages, which differ from line to line."""

TAKEN_OVER = 10.0
"""Seconds within which another process shows what one that was killed had to show."""

IN_FLIGHT = 1.0
"""Seconds within which what comes after a kill may have been sent before it."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A sentence that changes its board: when Confirm was acknowledged, and when the board came."""

    match: str
    said: float
    shown: float

    @property
    def seconds(self) -> float:
        """Return how long the board took."""
        return self.shown - self.said


@dataclass(frozen=True, slots=True)
class Takeover:
    """What others have shown for a process that was killed, in seconds from the kill on."""

    part: str
    open: int
    """Boards that were to be shown when it was killed."""
    boards: int
    first: float | None
    """Until the first board, or from its sentence on where that came later; ``None``: nobody had any."""
    longest: float
    """That a sentence waited for its board, from the kill on where it was said before."""
    again: float
    """From the new process's start until its shards had sessions."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a load went. ``wanted``: clicks a second. ``lies``: threads that do not show the truth then.

    ``requests``: how many there were a second that count towards Discord's limit of fifty.
    """

    wanted: float
    seconds: float
    trouble: Trouble
    shares: Mapping[str, Share]
    requests: float
    lies: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What one load has come to."""

    course: Course
    clicks: Sequence[Click]
    quiet_clicks: Sequence[Click]
    dead: int
    away: int
    confirmed: int
    waits: Sequence[Wait]
    quiet_waits: Sequence[Wait]
    takeovers: Sequence[Takeover]
    verdict: Verdict
    lost: Sequence[str]
    """What is known of each sentence that somebody was told is said, and is in no log."""


async def read(address: Address, matches: Sequence[str]) -> Books:
    """Return what a database holds of these matches; nobody serves it."""
    store = await open_store(address)
    try:
        async with store.read() as reader:
            rows = [(match, await reader.table(match)) for match in matches]
            tables = {match: row for match, row in rows if row is not None}
            logs = {match: tuple(await reader.log(match)) for match in tables}
    finally:
        await store.close()
    return Books(tables, logs, ())


def limited(requests: Sequence[Request]) -> float:
    """Return how many requests a second count towards the limit of the whole bot, over all that are given."""
    seconds = requests[-1].at - requests[0].at if requests else 0.0
    return len(counted(requests)) / seconds if seconds else 0.0


def figures(books: Books, people: Witnesses, boards: Boards, course: Course) -> Figures:
    """Return what all this comes to."""
    trouble = course.trouble
    waits = list(_waits(books, people.confirms, boards))
    # What was said before the bot was started is nobody's sentence here: its request has no interaction's id.
    said = {match: tuple(row for row in log if row.request.isdecimal()) for match, log in books.logs.items()}
    return Figures(
        course,
        people.clicks,
        [click for click in people.clicks if trouble.quiet(click.at)],
        len(people.dead),
        boards.away,
        people.confirmed,
        waits,
        [wait for wait in waits if trouble.quiet(wait.said)],
        [_takeover(kill, waits) for kill in trouble.kills],
        judged(replace(books, logs=said), people.record),
        list(_lost(books, people.record)),
    )


def _lost(books: Books, record: Record) -> Iterator[str]:
    every = {row.request: row for log in books.logs.values() for row in log}
    for saying in record.sayings:
        if saying.told is None or any(press in every for press in saying.presses):
            continue
        table = books.tables[saying.match]
        seat = table.info.seat_of(saying.person)
        alike = [
            f"row {row.seq} by press {row.request}"
            for row in books.logs[saying.match]
            if row.seat == seat and game(table.info.game).write(row.words) == saying.text
        ]
        yield f"{saying.match}, seat {seat}: {saying.text}, by presses {saying.presses}; the same: {alike}"


def _waits(books: Books, confirms: Mapping[str, float], boards: Boards) -> Iterator[Wait]:
    for match, log in books.logs.items():
        sights = [(max(sight.position), sight.at) for sight in boards.sights[match]]
        for row, version in _news(books.tables[match], log):
            at = confirms.get(row.request)
            shown = next((when for seen, when in sights if seen >= version), None)
            if at is not None and shown is not None:
                yield Wait(match, at, shown)


def _news(table: TableRow, log: Sequence[LogRow]) -> Iterator[tuple[LogRow, int]]:
    """Yield the rows with which the board became another one, and its version then."""
    assert table.seed is not None
    played = MatchLog.begin(game(table.info.game), table.info.setup, table.seed, table.info.seats_of_people())
    for row in log:
        before, played = played.public.version, played.then(row)
        if played.public.version > before:
            yield row, played.public.version


def _takeover(kill: Kill, waits: Sequence[Wait]) -> Takeover:
    others = [
        wait
        for wait in waits
        if wait.match in kill.matches and kill.at + IN_FLIGHT < wait.shown < kill.started
    ]
    left = [
        wait.shown - max(wait.said, kill.at)
        for wait in waits
        if wait.match in kill.matches
        and wait.said < kill.started - TAKEN_OVER
        and wait.shown > kill.at + IN_FLIGHT
    ]
    earliest = min(others, key=lambda wait: wait.shown, default=None)
    first = None if earliest is None else earliest.shown - max(earliest.said, kill.at)
    part = "all" if kill.part is None else str(kill.part)
    return Takeover(
        part, kill.open, len(others), first, max(left, default=0.0), kill.connected - kill.started
    )


def late(seconds: Sequence[float], share: float = 0.99) -> float:
    """Return the seconds within which this share of all came."""
    return sorted(seconds)[int(len(seconds) * share)] if seconds else 0.0


def tell(found: Figures) -> bool:
    """Print the figures beside their bounds; return whether all are kept."""
    _tell_clicks(found)
    for takeover in found.takeovers:
        first = "nothing to show" if takeover.first is None else f"the first after {takeover.first:.1f} s"
        print(
            f"shards {takeover.part} killed with {takeover.open} boards to show: others showed"
            f" {takeover.boards}, {first}; a sentence waited {takeover.longest:.1f} s at most;"
            f" connected {takeover.again:.1f} s after its new start"
        )
    shares = found.course.shares
    print(f"the database was restarted {len(found.course.trouble.restarts)} times")
    for who, share in sorted(shares.items(), key=lambda each: -each[1].cores):
        print(f"  {share.cores:5.2f} cores: {who}")
    print(f"the limit: {limit(shares)}")
    judgement = found.verdict
    print(f"{judgement.acknowledged} sentences acknowledged, {judgement.doubtful} in doubt")
    for fault in (*judgement.faults, *found.lost):
        print(f"WRONG {fault}")
    slowest = max((takeover.first or 0.0 for takeover in found.takeovers), default=0.0)
    return all([
        verdict("sentences lost", judgement.lost, 0, ""),
        verdict("sentences doubled", judgement.doubled, 0, ""),
        verdict("sentences otherwise wrong", len(judgement.faults), 0, ""),
        verdict("threads that do not show the truth", found.course.lies, 0, ""),
        verdict("until another process showed something", slowest, TAKEN_OVER, "s"),
    ])  # fmt: skip


def _tell_clicks(found: Figures) -> None:
    sent, course = len(found.clicks) + found.dead, found.course
    print(
        f"{sent} clicks sent in {course.seconds:.0f} s, {sent / course.seconds:.1f} a second of"
        f" {course.wanted:.1f} that were wanted; {len(found.clicks)} acknowledged, "
        f"{found.dead} not in three seconds, {found.away} told that the database was away; "
        f"{found.confirmed} of them Confirm"
    )
    print(
        f"{course.requests:.1f} requests a second that count towards Discord's limit,"
        f" {course.requests * course.seconds / max(1, found.confirmed):.1f} for each Confirm"
    )
    rows = {
        "acknowledged": ([each.seconds for each in found.clicks], [e.seconds for e in found.quiet_clicks]),
        "  in messages": tuple(
            [each.seconds for each in some if each.direct] for some in (found.clicks, found.quiet_clicks)
        ),
        "boards": ([each.seconds for each in found.waits], [each.seconds for each in found.quiet_waits]),
    }
    for name, (every, quiet) in rows.items():
        print(f"{name}: {_spread(every)}; while nothing was wrong {_spread(quiet)}")


def _spread(seconds: Sequence[float]) -> str:
    middle, most = 1e3 * late(seconds, 0.5), 1e3 * late(seconds)
    return f"{len(seconds)}, median {middle:.0f} ms, 99% {most:.0f} ms"


def compare(found: Figures, beside: Figures) -> None:
    """Print how several processes at PostgreSQL are to one at SQLite, while nothing is wrong."""
    print("\nPostgreSQL beside SQLite, while nothing was wrong:")
    clicks = [[each.seconds for each in some.quiet_clicks] for some in (found, beside)]
    waits = [[each.seconds for each in some.quiet_waits] for some in (found, beside)]
    for name, (ours, theirs) in {"acknowledged": clicks, "boards": waits}.items():
        for share in (0.5, 0.99):
            mine, other = late(ours, share), late(theirs, share)
            ratio = f"{mine / other:.2f} times" if other else "no ratio"
            print(f"{name}, {share:.0%}: {1e3 * mine:.0f} ms to {1e3 * other:.0f} ms, {ratio}")


def tell_logs(logs: Sequence[Path]) -> None:
    """Print what the processes' logs say of anything that went wrong, the most frequent first."""
    found = Counter[str]()
    for log in logs:
        lines = filter(is_wrong, log.read_text("utf-8", "replace").splitlines())
        found.update(_NAMES.sub("…", _HEAD.sub("", line)) for line in lines)
    for text, count in found.most_common(12):
        print(f"  log: {count:5} × {text[:160]}")
