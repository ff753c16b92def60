"""The house stops opening direct messages before Discord takes it for a spammer."""

from __future__ import annotations

from itertools import count

import pytest
from discord import HTTPException, RateLimited

from bot.gateway.discord_errors import DMS_CLOSED
from bot.runtime.heartbeat import Conditions
from bot.sync.dm_breaker import (
    CONDITION,
    MAX_OPENED_PER_MINUTE,
    MINUTE,
    PAUSES,
    PAUSING_CODES,
    RESET_AFTER_S,
    DirectMessageBreaker,
    DirectMessagesPaused,
)
from tests.ui.surfaces.room import Room, refusal


class Bench:
    """A breaker and its clock."""

    def __init__(self, share: float = 1.0) -> None:
        self.now = 50.0
        self.conditions = Conditions()
        self.people = count(1_000)
        self.breaker = DirectMessageBreaker(self.conditions, clock=lambda: self.now, share=share)

    def open(self, error: HTTPException | RateLimited | None = None, person: int | None = None) -> bool:
        """Open one, by default with somebody new; return whether it was tried."""
        tried = False
        try:
            with self.breaker.opening(next(self.people) if person is None else person):
                tried = True
                if error is not None:
                    raise error
        except DirectMessagesPaused:
            assert not tried
        except (HTTPException, RateLimited):
            pass
        return tried

    def pause(self) -> float:
        """Let time pass until one is tried again; return the seconds."""
        before = self.now
        while True:
            self.now += 10.0
            with_one = self.conditions.present()
            if self.open(refusal(40003, 403)):
                return self.now - before
            assert self.conditions.present() == with_one


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_few_a_minute_go_on_for_ever(bench: Bench) -> None:
    for _ in range(500):
        assert bench.open()
        bench.now += MINUTE / MAX_OPENED_PER_MINUTE + 0.1
    assert bench.conditions.present() == {}


def test_a_process_among_several_opens_its_share() -> None:
    for share, most in ((0.25, MAX_OPENED_PER_MINUTE // 4), (0.001, 1)):
        bench = Bench(share)
        assert [bench.open() for _ in range(most + 2)] == [True] * most + [False] * 2


def test_too_many_a_minute_pause_all(bench: Bench) -> None:
    opened = [bench.open() for _ in range(MAX_OPENED_PER_MINUTE + 3)]
    assert opened == [True] * MAX_OPENED_PER_MINUTE + [False] * 3
    assert "opened within a minute" in bench.conditions.present()[CONDITION]
    bench.now += PAUSES[0] + 0.1
    assert bench.open()
    assert bench.conditions.present() == {}


def test_a_minute_that_had_too_many_makes_no_later_pause_longer(bench: Bench) -> None:
    for _ in range(20):
        opened = [bench.open() for _ in range(MAX_OPENED_PER_MINUTE + 1)]
        assert opened == [True] * MAX_OPENED_PER_MINUTE + [False]
        bench.now += MINUTE + 0.1
    bench.open(refusal(40003, 403))
    assert bench.pause() <= PAUSES[0] + 10


@pytest.mark.parametrize("code", sorted(PAUSING_CODES))
@pytest.mark.parametrize("status", [403, 429])
def test_what_a_spammer_is_told_pauses_all_at_once(code: int, status: int, bench: Bench) -> None:
    assert bench.open(refusal(code, status))
    assert not bench.open()
    assert f"({status}, code {code})" in bench.conditions.present()[CONDITION]


def test_a_long_rate_limit_pauses_all(bench: Bench) -> None:
    assert bench.open(RateLimited(5.0))
    assert bench.open(RateLimited(60.0))
    assert not bench.open()


def test_who_waits_for_a_rate_limit_opens_nothing(bench: Bench) -> None:
    """One slow answer holds up all who wait for theirs: they ask again every second, and send nothing."""
    assert all(bench.open(RateLimited(1.0)) for _ in range(3 * MAX_OPENED_PER_MINUTE))
    assert bench.conditions.present() == {}
    opened = [bench.open() for _ in range(MAX_OPENED_PER_MINUTE + 1)]
    assert opened == [True] * MAX_OPENED_PER_MINUTE + [False]


def test_another_try_for_the_same_person_opens_no_more(bench: Bench) -> None:
    assert all(bench.open(refusal(0, 500), person=7) for _ in range(3 * MAX_OPENED_PER_MINUTE))
    assert bench.open(RateLimited(1.0), person=7)
    opened = [bench.open() for _ in range(MAX_OPENED_PER_MINUTE)]
    assert opened == [True] * (MAX_OPENED_PER_MINUTE - 1) + [False]


def test_other_refusals_count(bench: Bench) -> None:
    assert [bench.open(refusal(50001, 403)) for _ in range(4)] == [True, True, True, False]


def test_refusals_that_lie_apart_do_not_count(bench: Bench) -> None:
    for _ in range(9):
        assert bench.open(refusal(50001, 403))
        bench.now += MINUTE


@pytest.mark.parametrize("code", sorted(DMS_CLOSED))
def test_who_takes_no_messages_is_not_the_houses_fault(code: int, bench: Bench) -> None:
    assert all(bench.open(refusal(code, 403)) for _ in range(MAX_OPENED_PER_MINUTE))
    assert bench.conditions.present() == {}


def test_trouble_of_discord_is_no_refusal(bench: Bench) -> None:
    assert all(bench.open(refusal(0, 500)) for _ in range(MAX_OPENED_PER_MINUTE))


def test_pauses_grow_while_every_try_is_refused(bench: Bench) -> None:
    bench.open(refusal(40003, 403))
    pauses = [bench.pause() for _ in range(12)]
    assert pauses == sorted(pauses)
    assert pauses[0] <= PAUSES[0] + 10.0
    assert pauses[-1] >= PAUSES[1]


def test_one_is_tried_at_a_time_and_its_success_lets_the_others(bench: Bench) -> None:
    bench.open(refusal(40003, 403))
    bench.now += PAUSES[0]
    with bench.breaker.opening(1):
        assert not bench.open()
    assert all(bench.open() for _ in range(MAX_OPENED_PER_MINUTE - 2))
    assert bench.conditions.present() == {}


def test_pauses_grow_from_where_they_were_unless_it_was_calm(bench: Bench) -> None:
    bench.open(refusal(40003, 403))
    bench.now += PAUSES[0]
    assert bench.open()
    bench.open(refusal(40003, 403))
    bench.now += PAUSES[0]
    assert not bench.open()
    bench.now += PAUSES[0] + RESET_AFTER_S
    assert bench.open()
    bench.open(refusal(40003, 403))
    bench.now += PAUSES[0]
    assert bench.open()


@pytest.mark.parametrize("board_moves", [False, True])
async def test_whom_no_message_reaches_is_told_in_the_thread(
    board_moves: bool, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    seat, person = await room.asked_by_message()
    posted = len(room.notes.messages)

    async def paused(_: int) -> int:
        raise DirectMessagesPaused

    monkeypatch.setattr(room.notes, "dm_channel", paused)
    for _ in range(2):
        await room.surfaces.direct_messages.update(match, seat, with_board=board_moves)
    assert len(room.notes.messages) == posted + board_moves
    if board_moves:
        assert list(room.notes.mentioned.values())[-1] == [person.id]
        assert (await room.shown(f"dm_paused:{seat}")).message_id == max(room.notes.messages)


async def test_boards_do_not_wait_for_messages_that_are_paused(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def paused(_: int) -> int:
        raise DirectMessagesPaused

    monkeypatch.setattr(room.notes, "dm_channel", paused)
    await room.surfaces.board.update(room.table.id)
    await room.surfaces.direct_messages.retire(room.table.id)
