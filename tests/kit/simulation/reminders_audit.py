"""The audit of received reminders: no duplicates, not too many, and none to the wrong people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from bot.domain.clocks import HOUR_APART, REMINDERS, Pace, Reminding
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from engines.core.contract import Seat
from tests.kit.simulation.clock_audit import begins, versions
from tests.kit.simulation.findings import Evidence, Finding
from tests.kit.simulation.ledger import Ledger, Post

ON_ITS_WAY = 300.0
"""Seconds from the last reading of settings to the posted message."""

MOST = len(REMINDERS)
"""The maximum number of reminders per allowance."""


def reminders(world: Evidence) -> Iterator[Finding]:
    """Yield the reminders that should not have been posted, also of ended matches."""
    paces = dict(world.ask_database("SELECT id, pace FROM match"))
    ledger, posts = world.ledger, [post for post in world.ledger.posts if post.message.kind == "reminder"]
    yield from _doubled(posts)
    yield from _within_the_hour(ledger, [post for post in posts if Pace(paces[post.message.match]).over_days])
    for post in posts:
        yield from _unwanted(ledger, post)
    for post in world.ledger.posts:
        private = post.message.kind == "panel"
        if post.message.kind == "reminder" or private:
            yield from _in_quiet_hours(ledger, post)


def _doubled(posts: list[Post]) -> Iterator[Finding]:
    """Yield the calls that were posted twice."""
    first: dict[tuple[str, int, int, int], Post] = {}
    for post in posts:
        message = post.message
        person = 0 if message.pinged else next(iter(post.people), 0)
        before = first.setdefault((message.match, message.channel, message.number, person), post)
        if before is not post:
            late = message.came_late or before.message.came_late
            yield Finding("late reminder" if late else "reminded twice", f"{message.match} {message.number}")


def _within_the_hour(ledger: Ledger, posts: list[Post]) -> Iterator[Finding]:
    """Yield people who were reminded twice within an hour, by the times of the decisions."""
    times: dict[int, set[float]] = {}
    for post in posts:
        if post.call is not None and not post.is_turn:
            for person in post.people:
                times.setdefault(person, set()).add(ledger.true_time(post.call.at, post.at))
    for person, found in times.items():
        for earlier, later in pairwise(sorted(found)):
            is_set = any(earlier - 1.0 <= at <= later + 1.0 for at in ledger.sets)
            if later - earlier < HOUR_APART - 2.0 and not is_set:
                yield Finding("reminded within the hour", f"{person}, after {later - earlier:.0f} s")


def _unwanted(ledger: Ledger, post: Post) -> Iterator[Finding]:
    if post.is_turn or post.call is None:
        return
    since = post.at - ON_ITS_WAY
    for person in sorted(post.people):
        chosen = ledger.chosen(person, since, post.at)
        if all(each.reminders is Reminding.NONE for each in chosen):
            yield Finding("reminded unasked", f"{person} in {post.message.match}")
        if ledger.muted(post.message.match, person, since, post.at):
            yield Finding("reminded although muted", f"{person} in {post.message.match}")


def _in_quiet_hours(ledger: Ledger, post: Post) -> Iterator[Finding]:
    """Yield people who were notified in quiet hours that had already begun when the message was sent."""
    since = post.at - ON_ITS_WAY
    if any(since <= at <= post.at for at in ledger.sets):
        return
    for person in sorted(post.people):
        chosen = ledger.chosen(person, since, post.at)
        walls = (post.wall, post.wall - ON_ITS_WAY)
        if all(each.free_from(wall) > wall for each in chosen for wall in walls):
            yield Finding(
                "reminded in quiet hours", f"{person} by {post.message.kind} of {post.message.match}"
            )


def match_reminders(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield the seats that were reminded too often of one decision."""
    if table.info.pace is Pace.NONE or table.info.status not in (Status.RUNNING, Status.OVER):
        return
    log = table.require_log()
    begun: dict[Seat, list[int]] = {}
    version = versions(log)
    for row, _, anew in begins(log):
        for seat in anew:
            begun.setdefault(seat, []).append(version[row.seq])
    counts: Counter[tuple[Seat, int]] = Counter()
    for post in world.ledger.posts:
        call = post.call
        if post.message.match != table.id or call is None or call.nudge or post.is_turn:
            continue
        for seat in call.seats:
            counts[seat, sum(begin <= call.version for begin in begun.get(seat, []))] += 1
    for (seat, _), count in counts.items():
        if count > MOST:
            yield Finding("reminded too often", f"{table.id}: seat {seat} was reminded {count} times")
