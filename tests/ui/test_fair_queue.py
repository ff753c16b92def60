"""Whose turn it is, and when: the fair queue and the outbox in memory, each by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot.domain.fair_queue import MOST_SERVED, FairQueue, Ticket, Urgency
from bot.domain.jobs import Job, JobKind, QueuedJob
from bot.sync.backlog import MAX_RETRY_S, Backlog, ticket_for

HERE, THERE = 1, 2
ANNA, BEN, CLARA = 11, 22, 33
SPAM = 120


def waiting(*tickets: Ticket) -> FairQueue:
    queue = FairQueue()
    for ticket in tickets:
        queue.put(ticket)
    return queue


def spam(person: int, channels: Iterable[int]) -> list[Ticket]:
    return [
        Ticket(f"spam{number}.{channel}", channel, person, Urgency.LIVE)
        for number in range(SPAM)
        for channel in channels
    ]


def place_of(match: str, queue: FairQueue) -> int:
    """Return how many turns a match waits for its own."""
    order = []
    while (ticket := queue.take()) is not None:
        order.append(ticket.match)
    return order.index(match)


def test_everybody_who_waits_has_a_turn_and_nobody_has_two() -> None:
    tickets = [*spam(ANNA, (HERE, THERE)), Ticket("one", THERE, BEN, Urgency.PAST)]
    queue = waiting(*tickets, *tickets)
    taken = [queue.take() for _ in tickets]
    assert Counter(taken) == Counter(tickets)
    assert queue.take() is None
    assert len(queue) == 0


def test_a_hundred_matches_of_one_person_hold_up_nobody_in_another_channel() -> None:
    assert place_of("one", waiting(*spam(ANNA, [HERE]), Ticket("one", THERE, BEN, Urgency.LIVE))) <= 1


def test_nor_in_the_same_channel() -> None:
    queue = waiting(*spam(ANNA, [HERE]))
    for _ in range(3):
        queue.take()
    queue.put(Ticket("one", HERE, BEN, Urgency.LIVE))
    assert place_of("one", queue) == 0


def test_many_channels_of_one_person_count_as_one_person() -> None:
    queue = waiting(*spam(ANNA, range(10, 30)))
    for _ in range(3):
        queue.take()
    # The stranger's channel has been served too: by the very same person.
    queue.put(Ticket("one", 10, BEN, Urgency.LIVE))
    assert place_of("one", queue) <= 20


def test_people_of_one_channel_take_turns() -> None:
    people = (ANNA, BEN, CLARA)
    queue = waiting(*(Ticket(f"{who}.{n}", HERE, who, Urgency.LIVE) for who in people for n in range(4)))
    order = [ticket.person for _ in range(12) if (ticket := queue.take()) is not None]
    assert all(set(order[at : at + 3]) == set(people) for at in range(0, 12, 3))


def test_what_is_live_goes_first_and_what_is_past_goes_too() -> None:
    old = [Ticket(f"old{number}", number, number, Urgency.PAST) for number in range(1, 9)]
    table = Ticket("table", 90, 90, Urgency.TABLE)
    live = [Ticket(f"live{number}", number, number, Urgency.LIVE) for number in range(100, 124)]
    queue = waiting(*old, table, *live)
    order = [ticket.urgency for _ in range(33) if (ticket := queue.take()) is not None]
    assert order[:3] == [Urgency.LIVE] * 3
    assert order[3] is Urgency.PAST, "who is not urgent would wait for ever while anybody else comes"
    assert order[:32].count(Urgency.LIVE) == 24


def test_a_match_that_becomes_urgent_is_lined_up_anew() -> None:
    queue = waiting(Ticket("a", HERE, ANNA, Urgency.PAST), Ticket("b", THERE, BEN, Urgency.TABLE))
    queue.put(Ticket("a", HERE, ANNA, Urgency.LIVE))
    assert len(queue) == 2
    assert [ticket.match for _ in range(2) if (ticket := queue.take()) is not None] == ["a", "b"]


def test_what_is_remembered_is_bounded() -> None:
    queue = FairQueue()
    for number in range(2 * MOST_SERVED + 3):
        queue.put(Ticket(f"m{number}", number, number, Urgency.LIVE))
        assert queue.take() is not None
    assert len(queue._channels) <= MOST_SERVED  # noqa: SLF001 - nothing outside tells


class Clocks:
    """A wall clock that anybody may set, and one that nobody can."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_700_000_000.0, 50.0

    def backlog(self) -> Backlog:
        return Backlog(lambda: self.wall, lambda: self.monotonic)

    def job(self, kind: JobKind, *, due: float = 0.0, tries: int = 0, revision: int = 1) -> QueuedJob:
        return QueuedJob(Job("m", kind, "", revision, tries), self.wall + due, HERE, ANNA)


DAYS = 3 * 86_400.0


def test_a_clock_that_is_set_back_delays_no_board() -> None:
    clocks = Clocks()
    backlog, board = clocks.backlog(), clocks.job(JobKind.BOARD)
    clocks.wall -= DAYS
    backlog.add(board)
    assert backlog.newly_ready() == ["m"]
    assert backlog.ready("m") == [board]
    backlog.delay(board.job, 5.0)
    clocks.wall -= DAYS
    assert not backlog.ready("m")
    clocks.monotonic += 5.0
    assert backlog.newly_ready() == ["m"]
    assert [queued.job.tries for queued in backlog.ready("m")] == [1]


def test_nor_after_a_restart() -> None:
    clocks = Clocks()
    failed = clocks.job(JobKind.BOARD, due=60.0, tries=3)
    clocks.wall -= DAYS
    backlog = clocks.backlog()
    backlog.add(failed)
    assert not backlog.ready("m")
    assert backlog.seconds_until_ready(2 * MAX_RETRY_S) == MAX_RETRY_S
    clocks.monotonic += MAX_RETRY_S
    assert backlog.ready("m") == [failed]


def test_deadlines_go_by_the_wall() -> None:
    clocks = Clocks()
    backlog, archive = clocks.backlog(), clocks.job(JobKind.ARCHIVE, due=86_400.0)
    backlog.add(archive)
    clocks.monotonic += 2 * DAYS
    assert not backlog.newly_ready()
    assert not backlog.ready("m")
    clocks.wall += 86_400.0
    assert backlog.newly_ready() == ["m"]
    assert backlog.ready("m") == [archive]


def test_a_job_that_was_enqueued_again_is_neither_done_nor_put_off_by_the_old_one() -> None:
    clocks = Clocks()
    backlog, old, new = clocks.backlog(), clocks.job(JobKind.BOARD), clocks.job(JobKind.BOARD, revision=2)
    backlog.add(old)
    backlog.add(new)
    backlog.delay(old.job, 60.0)
    backlog.remove(old.job)
    assert backlog.ready("m") == [new]
    backlog.remove(new.job)
    assert backlog.ready("m") == []


def test_how_urgent_jobs_are() -> None:
    def urgency(*kinds: JobKind, is_open: bool = False, is_live: bool = False) -> Urgency:
        jobs = [
            QueuedJob(Job("m", kind, "", 1, 0), 0.0, HERE, ANNA, is_open=is_open, is_live=is_live)
            for kind in kinds
        ]
        return ticket_for(jobs).urgency

    assert urgency(JobKind.LOBBY, JobKind.BOARD, is_live=True) is Urgency.LIVE
    assert urgency(JobKind.LOBBY, JobKind.END) is Urgency.LIVE
    assert urgency(JobKind.LOBBY, is_open=True) is Urgency.TABLE
    assert urgency(JobKind.LOBBY) is Urgency.PAST
