"""Calls: reminders in a thread or directly, each once, whatever dies; none in quiet hours."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.clocks import Clocks, build_clocks
from bot.domain.clocks import HOUR, Pace, Reminding
from bot.domain.jobs import Call, CallWay, Job, JobKind
from bot.domain.match import RowKind
from bot.domain.tables import Person, Place
from bot.pages.texts import Texts
from engines.core.contract import Seat
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.ui.limits import check, sent, told
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, plain, refusal

ROME = "Europe/Rome"
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=ZoneInfo(ROME)).timestamp()
ENGLISH = Texts()
EVE = Person(700000000000000055, "Eve")


class House:
    """A match of two that begins at noon in Rome, and what is sent of it."""

    def __init__(self, room: Room, now: list[float]) -> None:
        self.room = room
        self.time = now
        self.clocks: Clocks = build_clocks(room.services)
        self.seat: Seat = 0

    @property
    def match(self) -> str:
        return self.room.table.id

    async def asked(self) -> Person:
        table = await self.room.services.cache.get(self.match)
        [self.seat] = table.row.asked
        person = table.info.chair_at(self.seat).person
        assert person is not None
        return person

    async def remind(self) -> list[Job]:
        """Do what is due, as loop and worker do."""
        for match in await self.clocks.reminders.due():
            await self.clocks.reminders.remind(match)
        return await self.carry_out()

    async def carry_out(self) -> list[Job]:
        jobs = [job for job in await self.room.services.outbox.next_jobs(99) if job.kind is JobKind.REMIND]
        for job in jobs:
            await self.room.do(job)
        return jobs

    def reminders(self) -> list[tuple[int, str]]:
        """Return the channel of each reminder that stands, and what it says."""
        found = [(channel, told(page)) for channel, page in self.room.notes.messages.values()]
        return [(channel, words) for channel, words in found if ":mute:" in words]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    now = [NOON]
    async with (
        services_on(tmp_path / "bauta.db", clock=lambda: now[0]) as services,
        Inline(paint_with=plain) as painter,
    ):
        room = Room(services, painter)
        opened = await services.lobby.open("volo", {}, None, ANNA, Place(1, CHANNEL), 1, pace=Pace.DAY)
        room.table = await sit_down(services, opened.id, BEN, 2)
        await room.surfaces.board.update(room.table.id)
        yield House(room, now)


async def test_a_mention_is_posted_once_and_takes_the_one_before_it_away(house: House) -> None:
    person = await house.asked()
    house.time[0] += 12 * HOUR
    assert len(await house.remind()) == 1
    assert await house.remind() == []
    [(_, words)] = house.reminders()
    assert f"<@{person.id}>" in words
    assert f"<t:{int(NOON + 24 * HOUR)}:R>" in words
    house.time[0] += 10 * HOUR
    await house.remind()
    assert len(house.reminders()) == 1
    assert sum(person.id in people for people in house.room.notes.mentioned.values()) == 3


async def test_a_reminder_goes_with_the_turn(house: House) -> None:
    await house.asked()
    house.time[0] += 12 * HOUR
    await house.remind()
    assert len(house.reminders()) == 1
    table = await house.room.services.cache.get(house.match)
    words = table.require_log().match.computer(house.seat)
    await house.room.services.actions.submit(house.match, house.seat, None, words, "said")
    await house.room.surfaces.board.update(house.match)
    assert house.reminders() == []


@pytest.mark.parametrize("dies_at", ["layout", "answer"])
async def test_one_that_was_posted_before_a_crash_is_not_posted_again(house: House, dies_at: str) -> None:
    await house.asked()
    house.time[0] += 12 * HOUR
    house.room.notes.trouble.append((dies_at, refusal(0, 500)))
    await house.remind()
    house.room.restart()
    house.room.notes.nonces.clear()
    house.time[0] += 60
    await house.carry_out()
    assert len(house.reminders()) == 1


async def test_a_call_that_failed_once_it_was_posted_is_not_posted_again(house: House) -> None:
    """Another one has been posted since, and the first one is gone with it."""
    await house.asked()
    house.time[0] += 12 * HOUR
    for match in await house.clocks.reminders.due():
        await house.clocks.reminders.remind(match)
    [job] = [job for job in await house.room.services.outbox.next_jobs(99) if job.kind is JobKind.REMIND]
    calls = house.room.surfaces.calls
    first = Call.parse(job.target)
    await calls.make(house.match, first)
    await calls.make(house.match, replace(first, at=first.at + 1))
    posted = len(house.room.notes.mentioned)
    await calls.make(house.match, first)
    assert len(house.room.notes.mentioned) == posted
    assert len(house.reminders()) == 1


async def test_one_that_came_in_words_alone_is_laid_out_after_a_crash(house: House) -> None:
    person = await house.asked()
    await house.room.services.settings.set_reminders(person, Reminding.MESSAGE)
    house.time[0] += 12 * HOUR
    house.room.notes.trouble.append(("layout", refusal(0, 500)))
    await house.remind()
    house.room.restart()
    house.room.notes.nonces.clear()
    house.time[0] += 60
    await house.carry_out()
    assert len(house.reminders()) == 1
    assert house.room.notes.in_words == set()


async def test_by_direct_message_all_that_waits_is_listed(house: House) -> None:
    person = await house.asked()
    await house.room.services.settings.set_reminders(person, Reminding.MESSAGE)
    house.time[0] += 12 * HOUR
    await house.remind()
    [(channel, words)] = house.reminders()
    assert channel == person.id + 9_000
    title = ENGLISH.house("reminder.list", n=1)
    assert title in words
    # Nothing that its reader alone knows: others see the phone too.
    page = next(page for _, page in house.room.notes.messages.values() if ":mute:" in told(page))
    check(sent(page))
    assert page.push is not None
    assert page.push.words == title


async def test_who_has_decided_meanwhile_is_told_nothing(house: House) -> None:
    await house.asked()
    house.time[0] += 12 * HOUR
    for match in await house.clocks.reminders.due():
        await house.clocks.reminders.remind(match)
    table = await house.room.services.cache.get(house.match)
    words = table.require_log().match.computer(house.seat)
    await house.room.services.actions.submit(house.match, house.seat, None, words, "said")
    await house.carry_out()
    assert house.reminders() == []


async def test_closed_messages_are_noted_and_retried_by_nobody(house: House) -> None:
    person = await house.asked()
    await house.room.services.settings.set_reminders(person, Reminding.MESSAGE)
    house.time[0] += 12 * HOUR
    house.room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    assert len(await house.remind()) == 1
    assert await house.carry_out() == []
    async with house.room.services.cache.store.read() as reader:
        assert (await reader.called(person.id))[1] == house.time[0]


async def test_a_board_in_quiet_hours_pings_at_their_end(house: House) -> None:
    await house.asked()
    other = ANNA if house.room.table.person_at(house.seat) == BEN.id else BEN
    settings = house.room.services.settings
    await settings.set_zone(other, ROME)
    await settings.set_quiet(other, begin=10, end=14)
    table = await house.room.services.cache.get(house.match)
    words = table.require_log().match.computer(house.seat)
    await house.room.services.actions.submit(house.match, house.seat, None, words, "said")
    await house.room.surfaces.board.update(house.match)
    assert not any(other.id in people for people in house.room.notes.mentioned.values())
    assert await house.carry_out() == []
    house.time[0] += 2 * HOUR
    [job] = await house.carry_out()
    assert Call.parse(job.target).way is CallWay.MENTION
    assert sum(other.id in people for people in house.room.notes.mentioned.values()) == 1
    # An edit of the board pings nobody, and names whom it named.
    await house.room.services.outbox.mark_stale([house.match])
    await house.room.surfaces.board.update(house.match)
    assert sum(other.id in people for people in house.room.notes.mentioned.values()) == 1


async def test_a_turn_by_direct_message_waits_for_the_end_of_quiet_hours(house: House) -> None:
    person, settings = await house.asked(), house.room.services.settings
    await settings.set_dms(person, dms=True)
    await settings.set_zone(person, ROME)
    await settings.set_quiet(person, begin=10, end=14)
    await house.room.surfaces.direct_messages.update(house.match, house.seat, with_board=False)
    assert not any(channel == person.id + 9_000 for channel, _ in house.room.notes.messages.values())
    house.time[0] += 2 * HOUR
    await house.carry_out()
    assert any(channel == person.id + 9_000 for channel, _ in house.room.notes.messages.values())


async def test_a_question_in_quiet_hours_pings_at_their_end(house: House) -> None:
    asked = await house.asked()
    proposer, other = (BEN, ANNA) if asked.id == BEN.id else (ANNA, BEN)
    settings = house.room.services.settings
    await settings.set_zone(other, ROME)
    await settings.set_quiet(other, begin=10, end=14)
    await house.room.services.actions.offer_draw(house.match, proposer, "offered")
    await house.room.surfaces.offers.update(house.match)
    assert not any(other.id in people for people in house.room.notes.mentioned.values())
    house.time[0] += 2 * HOUR
    await house.carry_out()
    assert sum(other.id in people for people in house.room.notes.mentioned.values()) == 1


# --- people who are gone ----------------------------------------------------------------------------------


async def test_who_has_left_the_server_counts_as_late_at_once(house: House) -> None:
    person = await house.asked()
    house.room.notes.gone.add(person.id)
    await house.room.surfaces.absentees.check(house.match, [house.seat])
    table = await house.room.services.cache.get(house.match)
    assert table.row.clocks[house.seat].overdue
    assert [row.kind for row in table.require_log().rows] == [RowKind.TIME_UP]
    # Said once, however often it is noticed.
    await house.room.surfaces.absentees.check(house.match, [house.seat])
    assert len((await house.room.services.cache.get(house.match)).require_log().rows) == 1


async def test_who_is_there_is_looked_for_once_an_hour(house: House) -> None:
    person = await house.asked()
    await house.room.surfaces.absentees.check(house.match, [house.seat])
    house.room.notes.gone.add(person.id)
    await house.room.surfaces.absentees.check(house.match, [house.seat])
    assert not (await house.room.services.cache.get(house.match)).row.clocks[house.seat].overdue
    house.time[0] += HOUR
    await house.room.surfaces.absentees.check(house.match, [house.seat])
    assert (await house.room.services.cache.get(house.match)).row.clocks[house.seat].overdue


# --- matches that nobody plays ------------------------------------------------------------------------------


async def test_a_match_that_nobody_plays_is_closed_a_week_after_it_was_said(house: House) -> None:
    day, room = 24 * HOUR, house.room

    async def look(days: float) -> list[JobKind]:
        house.time[0] = NOON + days * day
        for match in await house.clocks.idle.due():
            await house.clocks.idle.warn_or_close(match)
        jobs = [job for job in await room.services.outbox.next_jobs(99) if job.kind is JobKind.IDLE]
        for job in jobs:
            await room.do(job)
        return [job.kind for job in jobs]

    assert await look(22) == []
    assert await look(23.1) == [JobKind.IDLE]
    newest = max(room.notes.messages)
    assert sorted(room.notes.mentioned[newest]) == sorted([ANNA.id, BEN.id])
    warning = told(room.notes.messages[newest][1])
    assert "Nobody has played here" in warning
    assert all(f"<@{person.id}>" in warning for person in (ANNA, BEN))
    assert await look(24) == []
    assert await look(29.9) == []
    assert (await room.services.queries.table(house.match)).status.value == "running"
    await look(30.2)
    assert (await room.services.queries.table(house.match)).status.value == "closed"


# --- seats that pass on ---------------------------------------------------------------------------------


async def test_who_is_offered_a_seat_is_asked_in_the_thread(house: House) -> None:
    holder = await house.asked()
    await house.room.services.motions.offer_seat(house.match, holder, EVE, "offered")
    for _ in range(2):
        await house.room.surfaces.seat_offers.update(house.match)
    asked = [message for message, people in house.room.notes.mentioned.items() if EVE.id in people]
    assert len(asked) == 1
    check(sent(house.room.notes.messages[asked[0]][1]))
    await house.room.services.motions.take_seat(house.match, EVE, "taken")
    await house.room.surfaces.seat_offers.update(house.match)
    assert "Eve took the seat." in told(house.room.notes.messages[asked[0]][1])


async def test_who_has_taken_a_seat_gets_a_panel_although_the_one_before_them_had_one(house: House) -> None:
    holder, services, room = await house.asked(), house.room.services, house.room
    for person in (holder, EVE):
        await services.settings.set_dms(person, dms=True)
    await room.surfaces.direct_messages.update(house.match, house.seat, with_board=False)
    assert any(channel == holder.id + 9_000 for channel, _ in room.notes.messages.values())
    await services.motions.offer_seat(house.match, holder, EVE, "offered")
    await services.motions.take_seat(house.match, EVE, "taken")
    await room.surfaces.direct_messages.update(house.match, house.seat, with_board=False)
    [shown] = [one for one, (channel, _) in room.notes.messages.items() if channel == EVE.id + 9_000]
    assert (await room.shown(f"dm:{house.seat}")).message_id == shown
    # Once is enough.
    await room.surfaces.direct_messages.update(house.match, house.seat, with_board=False)
    assert sum(channel == EVE.id + 9_000 for channel, _ in room.notes.messages.values()) == 1


async def test_quiet_hours_that_end_together_are_one_message(tmp_path: Path) -> None:
    now = [NOON]
    async with (
        services_on(tmp_path / "bauta.db", clock=lambda: now[0]) as services,
        Inline(paint_with=plain) as painter,
    ):
        room = Room(services, painter)
        for person in (ANNA, BEN):
            await services.settings.set_zone(person, ROME)
            await services.settings.set_quiet(person, begin=10, end=14)
        opened = await services.lobby.open("volt", {}, 2, ANNA, Place(1, CHANNEL), 1, pace=Pace.DAY)
        room.table = await sit_down(services, opened.id, BEN, 2)
        await room.surfaces.board.update(room.table.id)
        house = House(room, now)
        asked = (await services.queries.board(room.table.id)).waiting
        assert len(asked) == 2
        now[0] += 2 * HOUR
        assert len(await house.carry_out()) == 1
        pings = [person for people in room.notes.mentioned.values() for person in people]
        assert sorted(pings) == sorted([ANNA.id, BEN.id])
