"""Decode database rows, table by table, so that a broken row affects only its own match."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from bot.domain.clocks import KNOWN_ZONES, Clock, Nudge, Pace, Remaining, Reminding, TimeUp
from bot.domain.jobs import Job, JobKind, QueuedJob, Shown, ShownRow
from bot.domain.lessons import LessonRow
from bot.domain.match import Draft, DraftRow, LogRow, RowKind
from bot.domain.tables import (
    Chair,
    FirstJoin,
    FormerHolder,
    Opening,
    Person,
    Place,
    Preferences,
    SeatOffer,
    ServerRules,
    Status,
    TableInfo,
    TableRow,
)
from engines.core.contract import Seat, Setup, Words
from engines.core.rng import SEED_BYTES
from engines.core.skill import Level

SqlRow: TypeAlias = "sqlite3.Row | tuple[Any, ...]"
T = TypeVar("T")

_TABLE_ID = re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII)

MAX_NAME_CHARS = 100
"""Maximum characters in a name; Discord allows 32."""

LONGEST_THEME = 32

MAX_UNIX_TIME = 1e11
"""Upper bound of valid Unix times: later than any we write."""


class BrokenRecord(Exception):  # noqa: N818 - a finding, not a bug
    """A row holds something the bot never writes. The message names only the table and the error type."""


def decoded(table: str, decode: Callable[[], T]) -> T:
    """Decode a row of ``table`` with ``decode``; raises :class:`BrokenRecord` for any error.

    The row may hold anything, so every exception means that it is broken.
    """
    try:
        return decode()
    except Exception as error:
        raise BrokenRecord(f"{table}: {type(error).__name__}") from None


def is_table_id(value: object) -> bool:
    """Return whether a value is a valid table id; ids appear in custom ids."""
    return isinstance(value, str) and _TABLE_ID.fullmatch(value) is not None


def log_rows(rows: Iterable[SqlRow]) -> list[LogRow]:
    """Return the whole log of one match; raises :class:`BrokenRecord`."""
    return decoded("log", lambda: _log_rows(rows))


def _log_rows(rows: Iterable[SqlRow]) -> list[LogRow]:
    found: list[LogRow] = []
    chain, is_chained = "", False
    for number, (seq, kind, seat, words, digest, request, at, noted, remaining, restore_id) in enumerate(
        rows, 1
    ):
        _must(seq == number)
        said_by = None if seat is None else _count(seat)
        row = LogRow(
            seq,
            RowKind(kind),
            said_by,
            _words(words),
            _text(digest),
            _text(request),
            _time(at),
            _text(noted),
            {} if remaining is None else _remaining(remaining),
            _text(restore_id),
        )
        chain = row.chained(chain)
        # Logs that predate the chain have it from their first newer row on; that link covers the older rows.
        is_chained = is_chained or bool(noted)
        _must(not is_chained or noted == chain)
        found.append(row)
    return found


def draft_row(row: SqlRow) -> DraftRow:
    """Return a draft; raises :class:`BrokenRecord`."""

    def decode() -> DraftRow:
        seat, aside, words, revision, cut, trail, confirmed = row
        steps = tuple(_words(step) for step in json.loads(trail))
        return DraftRow(
            _count(seat),
            _flag(aside),
            Draft(
                _words(words),
                _count(revision),
                _count(cut),
                steps,
                None if confirmed is None else _count(confirmed),
            ),
        )

    return decoded("draft", decode)


def lesson_row(row: SqlRow) -> LessonRow:
    """Return a person's progress in a lesson; raises :class:`BrokenRecord`."""

    def decode() -> LessonRow:
        game, key, words, revision, trail, done = row
        steps = tuple(_words(step) for step in json.loads(trail))
        draft = Draft(_words(words), _count(revision), trail=steps)
        return LessonRow(_text(game), _text(key), draft, _flag(done))

    return decoded("lesson", decode)


def shown_row(row: SqlRow) -> ShownRow:
    """Return what a surface shows; raises :class:`BrokenRecord`."""

    def decode() -> ShownRow:
        channel, message, epoch, version, table_version, digest, since = row
        # Message 0: the message is gone, but the versions it showed are kept (`drop_shown`).
        board, shown, of_table = _whole(epoch), _whole(version), _whole(table_version)
        place = (_id(channel), _id(message)) if message else None
        noted = None if place is None else Shown(*place, board, shown, of_table, _text(digest))
        return ShownRow(noted, epoch=board, version=shown, since=_whole(since), digest=_text(digest))

    return decoded("shown", decode)


def queued_job(row: SqlRow) -> QueuedJob:
    """Return a job with its table's channel, host and status; raises :class:`BrokenRecord`."""

    def decode() -> QueuedJob:
        revision, match, name, target, tries, version, due, channel, host, status = row
        kind = JobKind(name)
        job = Job(_text(match), kind, _text(target), revision, max(0, tries), _or(0, _count, version))
        _must(kind not in (JobKind.TURN, JobKind.GOODBYE) or job.seat >= 0)
        is_open, is_live = status == Status.OPEN.value, status == Status.RUNNING.value
        return QueuedJob(job, float(due), channel or 0, host or 0, is_open=is_open, is_live=is_live)

    return decoded("job", decode)


def table_row(
    row: SqlRow,
    chairs: Sequence[SqlRow],
    invited: Iterable[SqlRow],
    former: Iterable[SqlRow] = (),
    offers: Sequence[SqlRow] = (),
    first_joins: Iterable[SqlRow] = (),
) -> TableRow:
    """Return a table with its chairs; raises :class:`BrokenRecord`."""
    return decoded("match", lambda: _table_row(row, chairs, invited, former, offers, first_joins))


def _table_row(
    row: SqlRow,
    chairs: Sequence[SqlRow],
    invited: Iterable[SqlRow],
    former: Iterable[SqlRow],
    offers: Sequence[SqlRow],
    first_joins: Iterable[SqlRow],
) -> TableRow:
    (table_id, game, ruleset, seats, options, hashes, status, seed, commitment, host, host_name) = row[:11]
    guild, channel, thread, rematch_of, opened_at, started_at, changed_at, ended_at = row[11:19]
    theme, version, pace, time_up, without_result, hints, part, start_id, restore_id = row[19:]
    _must(seats > 0 and 1 <= len(theme) <= LONGEST_THEME and theme.isprintable() and _count(version) >= 0)
    info = TableInfo(
        id=_text(table_id),
        setup=Setup(_text(game), _text(ruleset), _count(seats), _pairs(options)),
        host=_person(host, host_name),
        place=Place(_id(guild), _id(channel)),
        status=_status(status, without_result),
        chairs=tuple(map(_chair, chairs)),
        commitment=_text(commitment),
        thread_id=None if thread is None else _id(thread),
        rematch_of=None if rematch_of is None else _text(rematch_of),
        theme=_text(theme),
        pace=Pace(pace),
        time_up=TimeUp(time_up),
        hints=_flag(hints),
        former=tuple(
            FormerHolder(_count(seat), _person(who, name), _time(at)) for seat, who, name, at in former
        ),
        start_id=_text(start_id),
    )
    # A match that was closed without a result keeps its seed.
    _must(seed is not None or info.status in (Status.OPEN, Status.CLOSED))
    _must(seed is None or info.status is not Status.OPEN)
    _must(seed is None or len(seed) == SEED_BYTES)
    _must(part is None or (len(part) == SEED_BYTES and bool(info.commitment)))
    return TableRow(
        info=info,
        data_hashes=_pairs(hashes),
        opened_at=_time(opened_at),
        changed_at=_time(changed_at),
        started_at=None if started_at is None else _time(started_at),
        ended_at=None if ended_at is None else _time(ended_at),
        seed=seed,
        part=part,
        first_joins=tuple(FirstJoin(_whole(who), _text(first)) for who, first in first_joins),
        restore_id=_text(restore_id),
        invited=tuple(_person(*each) for each in invited),
        # Earlier versions stored no time: the seat has been pending since the last public change or longer.
        asked_since={
            _count(chair[3]): _time(changed_at if chair[6] is None else chair[6])
            for chair in chairs
            if _flag(chair[5])
        },
        clocks={_count(chair[3]): _clock(chair) for chair in chairs if chair[8] is not None},
        offer=_seat_offer(*offers[0]) if offers else None,
    )


def salvaged(row: SqlRow, chairs: Iterable[SqlRow]) -> TableRow:
    """Return what can be read of a broken table: enough to notify its players and to show it.

    It is frozen unless it was over. It must not be saved, so that the stored rows can still be repaired.
    """
    (table_id, game, ruleset, _, _, _, status, _, _, host, host_name) = row[:11]
    guild, channel, thread = row[11:14]
    sitting = [chair for chair in (_or(None, _chair, each) for each in chairs) if chair is not None]
    known = _or(Status.FROZEN, lambda value: _status(value, row[23]), status)
    info = TableInfo(
        id=table_id,
        setup=Setup(_or("", _text, game), _or("", _text, ruleset), len(sitting), ()),
        host=Person(_or(0, _id, host), _or("?", _name, host_name)),
        place=Place(_or(0, _id, guild), _or(0, _id, channel)),
        status=known if known in (Status.OVER, Status.CLOSED) else Status.FROZEN,
        chairs=tuple(sitting),
        commitment="",
        thread_id=_or(None, _id, thread),
    )
    return TableRow(info=info, data_hashes=(), opened_at=0.0, changed_at=0.0, broken=True)


def _chair(row: SqlRow) -> Chair:
    order, person, name, seat, withdrawn, _asked, _asked_at, stand_in = row[:8]
    muted, away, level, join_id = row[17:]
    return Chair(
        _count(order),
        None if person is None else _person(person, name),
        _name(name),
        None if seat is None else _count(seat),
        _flag(withdrawn),
        _flag(stand_in),
        _flag(muted),
        _flag(away),
        None if level is None else Level(level),
        _text(join_id),
    )


def _clock(chair: SqlRow) -> Clock:
    reserve, until, deadline, missed, overdue, remind_at, reminded, nudged, stopped_at = chair[8:17]
    _must((until is None) is (deadline is None))
    return Clock(
        _time(reserve),
        _time_or_none(until),
        _time_or_none(deadline),
        _count(missed),
        _flag(overdue),
        _time_or_none(remind_at),
        _count(reminded),
        Nudge(nudged),
        _time_or_none(stopped_at),
    )


def _remaining(text: str) -> dict[Seat, Remaining]:
    found: dict[Seat, Remaining] = {}
    for seat, reserve, *running in json.loads(text):
        _must(len(running) in (0, 2))
        found[_count(seat)] = Remaining(_time(reserve), *(_span(each) for each in running))
    return found


def server_rules(row: SqlRow) -> ServerRules:
    """Return the rules of a server; raises :class:`BrokenRecord`."""

    def decode() -> ServerRules:
        opening, roles, channels, most, paces, pace, threads = row
        chosen, places = (tuple(map(_id, json.loads(each))) for each in (roles, channels))
        limit, per_day = (None if each is None else _count(each) for each in (most, threads))
        rules = ServerRules(Opening(opening), chosen, places, limit, pace=Pace(pace), threads_per_day=per_day)
        rules = rules.with_paces([Pace(each) for each in json.loads(paces)])
        _must(rules.pace is Pace(pace))
        return rules

    return decoded("server", decode)


def preferences(row: SqlRow) -> Preferences:
    """Return a person's preferences; raises :class:`BrokenRecord`."""

    def decode() -> Preferences:
        dms, language, theme, always_confirm, reminders, zone, begin, end = row
        _must(not zone or zone in KNOWN_ZONES)
        hours = None if begin is None or end is None else (_count(begin), _count(end))
        _must(hours is None or bool(zone))
        return Preferences(
            bool(dms), _text(language), _text(theme), bool(always_confirm), Reminding(reminders), zone, hours
        )

    return decoded("person", decode)


def _or(default: T, decode: Callable[[Any], T], value: object) -> T:
    try:
        return decode(value)
    except Exception:  # any error means that the value is broken
        return default


def _must(holds: bool) -> None:
    if not holds:
        raise ValueError


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _name(value: object) -> str:
    name = _text(value)
    _must(len(name) <= MAX_NAME_CHARS)
    return name


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _count(value: object) -> int:
    count = _whole(value)
    _must(0 <= count < 1 << 31)
    return count


def _id(value: object) -> int:
    found = _whole(value)
    _must(found > 0)
    return found


def _flag(value: object) -> bool:
    return (False, True)[_count(value)]


def _time(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError
    _must(0 <= value < MAX_UNIX_TIME)
    return float(value)


def _span(value: object) -> float:
    """Return seconds, which may be negative."""
    if not isinstance(value, (int, float)):
        raise TypeError
    _must(-MAX_UNIX_TIME < value < MAX_UNIX_TIME)
    return float(value)


def _status(status: object, without_result: object) -> Status:
    found = Status(status)
    _must(found is Status.OVER or not _flag(without_result))
    return Status.CLOSED if _flag(without_result) else found


def _seat_offer(seat: object, person: object, name: object, agreed: object) -> SeatOffer:
    return SeatOffer(_count(seat), _person(person, name), _flag(agreed))


def _time_or_none(value: object) -> float | None:
    return None if value is None else _time(value)


def _person(who: object, name: object) -> Person:
    # Any number: earlier versions told operators to remove people by hand.
    if type(who) is not int:
        raise TypeError
    return Person(who, _name(name))


def _words(value: object) -> Words:
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, list):
        raise TypeError
    return tuple(map(_text, found))


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((_text(key), _text(value)) for key, value in json.loads(text))
