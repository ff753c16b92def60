"""Clocks in words: by when somebody must decide, and what was decided because time was up."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.clocks import Clock, Pace, TimeUp
from bot.domain.match import Board
from bot.domain.tables import TableInfo
from bot.pages.texts import TableTexts, Texts
from engines.core.contract import Seat
from engines.core.registry import game

PACES = {
    Pace.LIVE: "pace.live",
    Pace.EVENING: "pace.evening",
    Pace.DAY: "pace.day",
    Pace.SLOW: "pace.slow",
    Pace.NONE: "pace.none",
}

TIME_UPS = {TimeUp.PASS: "time_up.pass", TimeUp.COMPUTER: "time_up.computer"}
"""What happens if time runs out, for labels."""

_IF_TIME_UP = {TimeUp.PASS: "lobby.time_up.pass", TimeUp.COMPUTER: "lobby.time_up.computer"}
"""The same as sentences."""


def moment(at: float) -> str:
    """Return markup that shows a Unix time in each reader's own time zone, and how far away it is."""
    return f"<t:{int(at)}:f> (<t:{int(at)}:R>)"


def clock_line(clock: Clock | None, texts: Texts, names: str = "") -> str:
    """Return a line about the time left for a decision; empty if no clock runs.

    ``names``: whose decision it is, if several decide and their times differ.
    """
    if clock is None or clock.until is None or clock.deadline is None or clock.stopped_at is not None:
        return ""
    key = "clock.due" if clock.until == clock.deadline else "clock.due_then_reserve"
    said = texts.house(key, until=moment(clock.until), deadline=moment(clock.deadline))
    return f"⏳ {names}: {said}" if names else f"⏳ {said}"


def clock_lines(board: Board, texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return the lines of a board about how long the match waits for whom."""
    groups: dict[tuple[float | None, float | None], list[Seat]] = {}
    for seat, clock in sorted(board.clocks.items()):
        if seat not in board.overdue:
            times = (clock.until, clock.deadline) if clock.stopped_at is None else (None, None)
            groups.setdefault(times, []).append(seat)
    named = len(groups) > 1
    lines = [_named("clock.up", board.overdue, texts, table_texts)] if board.overdue else []
    for seats in groups.values():
        names = texts.listing(map(table_texts.seat_name, seats)) if named else ""
        lines.append(clock_line(board.clocks[seats[0]], texts, names))
    if board.paused:
        lines.append(f"⏸️ {texts.house('clock.paused')}")
    return [line for line in lines if line]


def absence_lines(board: Board, texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return the lines of a board about seats that others decide for or that are on holiday."""
    away = [chair.seat for chair in board.table.chairs if chair.stand_in and chair.seat is not None]
    on_holiday = [
        chair.seat
        for chair in board.table.chairs
        if chair.away and chair.seat is not None and not chair.by_computer and not chair.withdrawn
    ]
    said = [
        ("clock.lapsed", board.lapsed),
        ("clock.stand_in", away if board.outcome is None else ()),
        ("clock.holiday", on_holiday if board.outcome is None and board.table.pace.over_days else ()),
    ]
    return [_named(key, seats, texts, table_texts) for key, seats in said if seats]


def pace_lines(table: TableInfo, texts: Texts) -> list[str]:
    """Return the line about how long decisions may take and what happens then; none without a clock."""
    if table.pace is Pace.NONE:
        return []
    people = not any(chair.person is None for chair in table.chairs)
    two = table.setup.seats == 2 and people and not game(table.game).manifest.cooperative
    then = texts.house("lobby.time_up.two" if two else _IF_TIME_UP[table.time_up])
    pace = texts.house("lobby.pace", pace=texts.house(PACES[table.pace]))
    return [f"-# {pace} {then}"]


def _named(key: str, seats: Sequence[Seat], texts: Texts, table_texts: TableTexts) -> str:
    """Return a text about some seats."""
    return texts.house(key, n=len(seats), names=texts.listing(map(table_texts.seat_name, seats)))
