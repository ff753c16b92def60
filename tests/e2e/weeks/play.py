"""Two weeks of matches by the sandbox's clock, with a kill a day, and what must hold at their end.

Vera vanishes, Heino goes on holiday, Rosa gives her seat to Nino, Dino plays by direct messages alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TypeAlias
from zoneinfo import ZoneInfo

from bot.clocks.outages import MIN_OUTAGE_S
from bot.domain.clocks import HOUR, Pace, QuietHours
from bot.domain.replay_file import parsed, replayed
from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from engines.core.registry import game
from tests.e2e.stage import TABLES, Json, Player, Stage, has, press_id
from tests.e2e.weeks.ledger import ClockNow, Ledger
from tests.e2e.weeks.people import QUIET, ZONE, Habit
from tests.kit.components import files
from tests.kit.reading import text_of
from tests.kit.waiting import eventually, until
from tests.kit.witness.journal import SETTLED

HOUSE = Texts()

Names: TypeAlias = tuple[str, ...]

DAYS = 14
A_DAY, HURRY = 2, 12
"""Sentences that a person says in one match on one day, and the day from which on they play to the end."""

LATEST = 60
"""Days after which a match has to be over, whatever its length."""

VANISHES, HOLIDAY, REPLACED = 2, (4, 9), 6
"""On which days Vera is seen last, Heino is away, and Rosa leaves."""

REMINDER = re.compile(r"waits? for your decision")


@dataclass(eq=False)
class Table:
    """One of the matches."""

    match: str
    thread: str
    people: Names


@dataclass(eq=False)
class Weeks:
    """Everybody, all their matches, and what was seen."""

    stage: Stage
    game: str
    ledger: Ledger
    people: dict[str, Habit] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    transcript: list[str] = field(default_factory=list)
    deadlines: dict[tuple[str, int], ClockNow] = field(default_factory=dict)
    """Each seat's clock as it was seen last while it ran."""
    late: list[tuple[float, str]] = field(default_factory=list)
    """By how many seconds seats were judged after their deadlines."""
    findings: list[str] = field(default_factory=list)
    seen_rows: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    said: defaultdict[tuple[int, str, str], int] = field(default_factory=lambda: defaultdict(int))
    """How many sentences somebody has said on a day in a match."""
    kills: int = 0
    replays: int = 0

    # --- time ---------------------------------------------------------------------------------------

    def now(self) -> float:
        return self.stage.sandbox.state.clock.now()

    def here(self) -> datetime:
        return datetime.fromtimestamp(self.now(), ZoneInfo(ZONE))

    def awake(self) -> bool:
        now = self.now()
        return QuietHours(ZONE, *QUIET).free_from(now) == now

    def note(self, line: str) -> None:
        self.transcript.append(f"{self.here():%a %d %H:%M}  {line}")

    async def pass_hours(self, hours: float) -> None:
        """Let time pass, from one deadline or reminder to the next."""
        end = self.now() + hours * HOUR
        while (left := end - self.now()) > 0:
            self.look_at_clocks()
            event = self.ledger.next_event(self.now())
            step = left if event is None else min(left, max(0.0, event - self.now()) + 0.05)
            self.stage.sandbox.advance(step)
            await self.settled()
            self.look_at_rows()

    async def settled(self) -> None:
        """Wait until the bot has done all that is due."""

        async def idle() -> bool:
            return self.ledger.is_idle(self.now())

        await until(idle)
        self.stage.sandbox.mark(SETTLED)

    # --- what is seen -------------------------------------------------------------------------------

    def look_at_clocks(self) -> None:
        for clock in self.ledger.clocks():
            if not clock.stopped:
                self.deadlines[clock.match, clock.seat] = clock

    def look_at_rows(self) -> None:
        for table in self.tables:
            rows = self.ledger.rows(table.match)
            for kind, seat, at in rows[self.seen_rows[table.match] :]:
                if kind != "act":
                    self.note(f"{table.match}: {kind} of seat {seat}")
                if kind in ("lapse", "time_up") and seat is not None:
                    clock = self.deadlines[table.match, seat]
                    self.late.append((at - clock.deadline, f"{table.match} seat {seat}"))
            self.seen_rows[table.match] = len(rows)

    # --- a day ----------------------------------------------------------------------------------------

    async def play_hour(self, day: int) -> None:
        """Let everybody who is there and awake play, as often as people do in a day; at last, to the end."""
        again = self.awake()
        while again:
            again = False
            for table in self.tables:
                for name in table.people:
                    again = await self._play(day, table, self.people[name]) or again
            await self.settled()
            self.look_at_rows()
            again = again and day >= HURRY

    async def _play(self, day: int, table: Table, habit: Habit) -> bool:
        running = self.ledger.status(table.match) == "running"
        enough = day < HURRY and self.said[day, table.match, habit.name] >= A_DAY
        if not habit.here or day in habit.lazy or not running or enough:
            return False
        said = await habit.say(table.match, table.thread)
        self.said[day, table.match, habit.name] += said
        self.look_at_clocks()
        return said

    async def kill(self) -> None:
        """Kill the bot and start it again; first it has noted what time it is."""

        await eventually(lambda: self.ledger.served_until() > self.now() - 30 - MIN_OUTAGE_S)
        await self.stage.kill_bot()
        before = self.ledger.served_until()
        await self.stage.start_bot()
        self.kills += 1
        # Time that leaps before the bot looks at its clocks would count as time without it.
        await eventually(lambda: self.ledger.served_until() > before)
        await self.settled()


async def begin(stage: Stage, key: str) -> Weeks:
    """Seat everybody, with quiet hours chosen, at one table of four or at several of two."""
    weeks = Weeks(stage, key, Ledger(stage.database))
    for name in ("Vera", "Heino", "Rosa", "Dino", "Nino"):
        habit = Habit(await stage.player(name), weeks.ledger, by_message=name in ("Dino", "Rosa"))
        weeks.people[name] = habit
        await habit.settle_in()
    tables: tuple[Names, ...] = (("Vera", "Heino", "Rosa", "Dino"),)
    if max(game(key).manifest.seats) < 4:
        tables = (("Dino", "Vera"), ("Heino", "Rosa"), ("Rosa", "Dino"), ("Dino", "Heino"))
    # Everybody lets some days pass, so that reminders come.
    weeks.people["Dino"].lazy = {1}
    weeks.people["Heino"].lazy = {10}
    for names in tables:
        weeks.tables.append(await _seated(weeks, names))
    weeks.note(f"{key}: {len(weeks.tables)} matches begin")
    return weeks


async def _seated(weeks: Weeks, names: Names) -> Table:
    host, *guests = (weeks.people[name].player for name in names)
    known = {message["id"] for message in host.window.seen.values()}
    options = {"players": len(names)} if len(game(weeks.game).manifest.seats) > 1 else {}
    await host.window.command(TABLES, f"play {weeks.game}", pace=Pace.DAY.value, **options)

    def opened(player: Player) -> Json | None:
        fresh = (m for key, m in player.window.seen.items() if key not in known and has(m, Button.JOIN))
        return next(fresh, None)

    thread = ""
    for guest in guests:
        table = await eventually(lambda guest=guest: opened(guest))  # type: ignore[misc]
        await guest.window.press(table, press_id(table, Button.JOIN))
        thread = str(table["id"])
    await host.start(host.window.seen[thread])
    await host.board(thread)
    return Table(weeks.ledger.match_of(thread), thread, names)


async def play(weeks: Weeks) -> None:
    """Play until all matches are over, for two weeks at least."""
    start = weeks.here().date()
    while True:
        day = (weeks.here().date() - start).days
        running = [table for table in weeks.tables if weeks.ledger.status(table.match) == "running"]
        if (day >= DAYS and not running) or day >= LATEST:
            return
        await _habits_of(weeks, day, running)
        today = weeks.here().date()
        while weeks.here().date() == today:
            await weeks.play_hour(day)
            await _answer_for_the_late(weeks)
            night = not weeks.awake()
            next_hour = (weeks.here() + timedelta(hours=1)).replace(minute=0, second=5)
            await weeks.pass_hours(2.0 if night else (next_hour.timestamp() - weeks.now()) / HOUR + 0.01)
        await weeks.kill()


async def _habits_of(weeks: Weeks, day: int, running: list[Table]) -> None:
    heino, rosa = weeks.people["Heino"], weeks.people["Rosa"]
    weeks.people["Vera"].here = day < VANISHES
    if day == HOLIDAY[0]:
        await _press_holiday(weeks, heino, HOUSE.house("holiday.begin"))
        heino.here = False
    if day == HOLIDAY[1]:
        await _press_holiday(weeks, heino, HOUSE.house("holiday.end"))
        heino.here = True
    if day == REPLACED:
        for table in running:
            if "Rosa" in table.people:
                await _replace(weeks, table)
        rosa.here = False
        weeks.look_at_rows()


async def _press_holiday(weeks: Weeks, habit: Habit, label: str) -> None:
    window = habit.player.window
    page = (await window.command(TABLES, "holiday")).message
    assert page is not None
    mark = len(window.received)
    await window.press(page, label)
    # It is acknowledged first, and carried out before time goes on.
    await window.updated(page, since=mark)
    await weeks.settled()
    weeks.note(f"{habit.name}: {label}")


async def _replace(weeks: Weeks, table: Table) -> None:
    """Let Rosa give her seat to Nino, who takes it in the thread."""
    rosa, nino = weeks.people["Rosa"], weeks.people["Nino"]
    if rosa.name not in table.people or nino.name in table.people:
        return
    await rosa.player.window.command(table.thread, "replace", player=nino.player.id)
    window = nino.player.window

    def offered() -> Json | None:
        place = window.channel_id(table.thread)
        found = (m for m in window.seen.values() if m["channel_id"] == place and has(m, Button.TAKE_SEAT))
        return next(found, None)

    message = await eventually(offered)
    await window.press(message, press_id(message, Button.TAKE_SEAT))
    await weeks.settled()
    table.people = tuple(nino.name if name == rosa.name else name for name in table.people)
    weeks.note(f"Nino takes Rosa's seat in {table.match}")
    left = [
        text_of(m) for m in rosa.player.window.seen.values()
        if m["channel_id"] == rosa.dm and f"/{table.thread}" in text_of(m)
    ]  # fmt: skip
    if left:
        weeks.findings.append(f"Rosa still has {len(left)} direct messages of {table.match}")


async def _answer_for_the_late(weeks: Weeks) -> None:
    """Let whoever waits for a seat whose time is up have a computer play on."""
    for name in ("Dino", "Heino", "Nino"):
        habit = weeks.people[name]
        window = habit.player.window
        for message in [*window.seen.values()]:
            if habit.here and has(message, Button.CLAIM) and not has(message, Button.TURN):
                table = next(
                    (t for t in weeks.tables if window.channel_id(t.thread) == message["channel_id"]), None
                )
                if table is None or name not in table.people:
                    continue
                if any(c.match == table.match and c.overdue and c.person != habit.player.id
                       for c in weeks.ledger.clocks()):  # fmt: skip
                    await window.press(message, press_id(message, Button.LET_COMPUTER_PLAY))
                    await weeks.settled()
                    weeks.note(f"{name} lets a computer play on in {table.match}")


async def look_at_replays(weeks: Weeks) -> None:
    """Play every match again that is over, from the file that its log gives."""
    for table in weeks.tables:
        if weeks.ledger.status(table.match) != "over" or (await weeks.ledger.closed(table.match)):
            continue
        window = weeks.people["Dino"].player.window
        outcome = await window.command(table.thread, "log")
        assert outcome.message is not None
        [file] = [each for each in files(outcome.message) if each["filename"] == "replay.json"]
        moments = replayed(parsed(await window.fetch(file["url"])))
        if moments[-1].outcome is None:
            weeks.findings.append(f"{table.match} is not over where it is played again")
        weeks.replays += 1


# --- what must hold ---------------------------------------------------------------------------------------


def judge(weeks: Weeks) -> list[str]:
    """Return what was not as it has to be."""
    found = [*weeks.findings]
    found += [
        f"{what} was judged {seconds:+.1f} s after its deadline"
        for seconds, what in weeks.late
        if not -0.01 <= seconds <= 10 + MIN_OUTAGE_S  # what kills have taken, until it is made up for
    ]
    for habit in weeks.people.values():
        found += _told(weeks, habit)
    running = [table.match for table in weeks.tables if weeks.ledger.status(table.match) == "running"]
    found += [f"{match} is not over" for match in running]
    found += _holidays(weeks)
    if weeks.stage.sandbox.violations:
        found.append(f"the sandbox objects: {weeks.stage.sandbox.violations[:3]}")
    if "incident" in weeks.stage.logged():
        found.append("the bot's log tells of an incident")
    return found


def _told(weeks: Weeks, habit: Habit) -> Iterator[str]:
    """Yield what was wrong with somebody's notifications, and note all of them."""
    quiet, zone = QuietHours(ZONE, *QUIET), ZoneInfo(ZONE)
    told = sorted(habit.player.window.notifications, key=lambda each: float(each["at"]))
    for each in told:
        at, words = float(each["at"]), each["text"].replace("\n", " ")
        weeks.transcript.append(
            f"{datetime.fromtimestamp(at, zone):%a %d %H:%M}  → {habit.name}: {words[:110]}"
        )
        if quiet.free_from(at) > at:
            yield f"{habit.name} was pinged in quiet hours: {words[:80]}"
    reminders = [each for each in told if REMINDER.search(each["text"])]
    for one, other in pairwise(reminders):
        if float(other["at"]) - float(one["at"]) < HOUR - 1:
            yield f"{habit.name} was reminded twice within an hour: {other['text'][:80]}"
    if len({each["message_id"] for each in reminders}) != len(reminders):
        yield f"{habit.name} was notified twice of one reminder"


def _holidays(weeks: Weeks) -> list[str]:
    heino = weeks.people["Heino"].player.id
    spans = [(begun, ended) for person, begun, ended in weeks.ledger.holidays() if person == heino]
    if len(spans) != 1 or spans[0][1] is None:
        return [f"Heino's holidays are {spans}"]
    [(begun, ended)] = spans
    assert ended is not None
    judged = [
        (table.match, at)
        for table in weeks.tables
        for kind, seat, at in weeks.ledger.rows(table.match)
        if kind in ("lapse", "time_up") and begun <= at <= ended
        if weeks.deadlines[table.match, seat if seat is not None else 0].person == heino
    ]
    return [f"Heino was judged on holiday in {match} at {at}" for match, at in judged]


def reminders_of(weeks: Weeks, name: str) -> int:
    """Return how many reminders somebody got."""
    told = weeks.people[name].player.window.notifications
    return sum(1 for each in told if REMINDER.search(each["text"]))
