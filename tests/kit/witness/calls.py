"""Reminders, nudges and goodbyes that must have been sent, to whom and how, and that must not (ADR 38)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from tests.kit.witness.clocks import Clocks, Reckoned
from tests.kit.witness.course import Moment
from tests.kit.witness.rules import BETWEEN_REMINDERS_S, REMINDED_WHEN_LEFT
from tests.kit.witness.spans import after, covered
from tests.kit.witness.transcript import Chosen, Finding, MatchRecord, PersonId, Post, Seat, Transcript

RULE = "ADR 38"

SENT_WITHIN_S = 120.0
"""Seconds within which a message is posted while Discord works."""

AT_ONCE_S = 5.0
"""Seconds by which time may leap without making anything late."""

TOGETHER_S = 60.0
"""Seconds within which reminders by direct message are merged."""


def chosen_at(run: Transcript, person: PersonId, since: float, until: float) -> list[Chosen]:
    """Return all settings that a person had at some time of a span, oldest first."""
    noted = [each for each in run.chosen if each.person == person and each.at <= until]
    before = [each for each in noted if each.at <= since][-1:]
    return [*(before or [Chosen(float("-inf"), person)]), *(each for each in noted if each.at > since)]


def is_quiet(chosen: Chosen, wall: float) -> bool:
    """Return whether a time is in a person's quiet hours."""
    if chosen.quiet is None:
        return False
    begin, end = chosen.quiet
    hour = datetime.fromtimestamp(wall, ZoneInfo(chosen.zone)).hour
    return (hour - begin) % 24 < (end - begin) % 24


def at_night(run: Transcript) -> Iterator[Finding]:
    """Yield the messages that notified people in their quiet hours."""
    for post in run.posts:
        if post.wall is None or post.late:
            continue
        for person in sorted(post.people):
            choices = chosen_at(run, person, post.at - SENT_WITHIN_S, post.at)
            walls = (post.wall - SENT_WITHIN_S, post.wall)
            if all(is_quiet(chosen, wall) for chosen in choices for wall in walls):
                yield Finding(
                    "in quiet hours", f"{post.match}: {post.kind} to {person} at {post.at:.0f}", RULE
                )


def reminders(
    record: MatchRecord, moments: Sequence[Moment], clocks: Clocks, run: Transcript
) -> Iterator[Finding]:
    """Yield the reminders that are missing without a reason, and those sent to the wrong people."""
    posts = [post for post in run.posts if post.kind == "reminder"]
    times = [moment.at for moment in moments]
    for number, moment in enumerate(moments):
        until = times[number + 1] if number + 1 < len(times) else run.ended_at
        for seat, clock in clocks.after[number].items():
            for share in REMINDED_WHEN_LEFT:
                due = _due(clocks, seat, clock, share)
                if due is None or not moment.at <= due or due + SENT_WITHIN_S >= until:
                    continue
                wanted = _must_come(moment, seat, due, clocks, run, posts)
                if wanted and not _came(moment, seat, due, posts, record):
                    text = f"{record.id}: seat {seat} with {share:.0%} left, due at {due:.0f}"
                    yield Finding("not reminded", text, RULE)
    for post in posts:
        if post.match == record.id and not post.late:
            yield from _wrongly(record, moments, times, run, post)


def nudges(
    record: MatchRecord, moments: Sequence[Moment], clocks: Clocks, run: Transcript
) -> Iterator[Finding]:
    """Yield the people that others nudged, as acknowledged, and that got no message."""
    posts = [post for post in run.posts if post.kind == "reminder"]
    times = [moment.at for moment in moments]
    for press in run.presses:
        if press.match != record.id or press.act != "nudge" or not press.done:
            continue
        number = max(0, bisect_right(times, press.answered_at) - 1)
        moment, until = moments[number], times[number + 1] if number + 1 < len(times) else run.ended_at
        if press.answered_at + SENT_WITHIN_S >= until:
            continue
        for seat in sorted(moment.public - {moment.seat_of(press.person)}):
            wanted = _must_come(moment, seat, press.answered_at, clocks, run, posts)
            if wanted and not _came(moment, seat, press.at, posts, record):
                text = f"{record.id}: seat {seat}, nudged at {press.answered_at:.0f}"
                yield Finding("not nudged", text, RULE)


def _due(clocks: Clocks, seat: Seat, clock: Reckoned, share: float) -> float | None:
    """Return when a reminder of a clock is due; ``None``: the clock does not run, or it was due earlier."""
    if clock.allowance_s is None:
        return None
    left = clock.allowance_s - share * clocks.allowance_s
    return None if left <= 0 else after(clocks.idle(seat), clock.since, left)


def _must_come(
    moment: Moment, seat: Seat, due: float, clocks: Clocks, run: Transcript, posts: Sequence[Post]
) -> bool:
    """Return whether a reminder is certainly required; doubtful ones are checked elsewhere."""
    person, end = moment.holders[seat], due + SENT_WITHIN_S
    if person is None or seat not in moment.asked & moment.people or seat in moment.late:
        return False
    spans = [*clocks.idle(seat), *run.troubles, *((at, at + 60.0) for at in (*run.kills, *run.clock_sets))]
    if any(
        begun < end and ended > due + AT_ONCE_S
        for begun, ended in run.leaps
        if ended - begun > AT_ONCE_S and ended >= due
    ):
        return False
    if covered(spans, due - SENT_WITHIN_S, end) or run.is_away(person, due - 7_200.0, end):
        return False
    if person in run.closed_dms or run.muted(record_id := clocks.record.id, person, due - SENT_WITHIN_S, end):
        return False
    choices = chosen_at(run, person, due - SENT_WITHIN_S, end)
    if len(choices) > 1 or choices[0].reminders == "none" or choices[0].quiet is not None:
        return False
    near = (post for post in posts if person in post.people and post.match != record_id)
    others = any(abs(post.at - due) < BETWEEN_REMINDERS_S + SENT_WITHIN_S for post in near)
    own = (post for post in posts if person in post.people and post.match == record_id)
    before = any(due - BETWEEN_REMINDERS_S - SENT_WITHIN_S < post.at < due - 2.0 for post in own)
    return not (others or before or (record_id, "thread") in run.deleted)


def _came(moment: Moment, seat: Seat, due: float, posts: Sequence[Post], record: MatchRecord) -> bool:
    own = (post for post in posts if post.match == record.id and moment.holders[seat] in post.people)
    return any(-2.0 <= post.at - due <= SENT_WITHIN_S for post in own)


def _wrongly(
    record: MatchRecord, moments: Sequence[Moment], times: Sequence[float], run: Transcript, post: Post
) -> Iterator[Finding]:
    """Yield the people reminded of a match that has not waited for them in the last minutes."""
    first = max(0, bisect_right(times, post.at - SENT_WITHIN_S) - 1)
    then = moments[first : max(first + 1, bisect_right(times, post.at))]
    for person in sorted(post.people):
        if _was_offered_a_seat(run, record.id, person, post.at):
            continue
        seats = {moment.seat_of(person) for moment in then}
        waited = any(
            (seat := moment.seat_of(person)) is not None
            and (seat in moment.public or seat in moment.to_agree or moment.offers or moment.late)
            for moment in then
        )
        if not waited:
            text = f"{record.id}: {person} (seats {seats}) at {post.at:.0f}"
            yield Finding("wrongly reminded", text, RULE)


def _was_offered_a_seat(run: Transcript, match: str, person: PersonId, until: float) -> bool:
    """Return whether a person had been offered a seat by then: offers give reminders too."""
    offers = (press for press in run.presses if press.act == "offer seat" and press.match == match)
    return any(press.given.get("to") == person and press.at <= until for press in offers)


def goodbyes(record: MatchRecord, moments: Sequence[Moment], run: Transcript) -> Iterator[Finding]:
    """Yield the people who play by direct message and got no goodbye at the end of their match."""
    last = moments[-1]
    if last.match.outcome is None or last.closed or last.row is None:
        return
    ended = last.row.committed_at
    if ended + SENT_WITHIN_S > run.ended_at and not run.is_settled:
        return
    before = moments[-2]
    for seat in sorted(before.people):
        person = last.holders[seat]
        if person is None or seat in before.gone or person in run.closed_dms:
            continue
        if run.is_away(person, ended, run.ended_at):
            continue
        choices = chosen_at(run, person, ended, run.ended_at)
        quiet = any(each.quiet is not None for each in choices)
        if quiet or not all(each.direct_messages for each in choices):
            continue
        told = [p for p in run.posts if p.kind == "goodbye" and p.match == record.id and person in p.people]
        if not told:
            yield Finding("no goodbye", f"{record.id}: {person} was not told how it ended", "ADR 32")
