"""A transcript of a run of the sandbox, read from its database and journal without the bot's code.

The database contains all commits with the times of rows; the journal contains everything else. Pictures are
real ones, so their content cannot be compared.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.kit.witness.clocks import Patience
from tests.kit.witness.journal import Journal, Look, Standing, read_journal
from tests.kit.witness.pressed import Known, presses_of
from tests.kit.witness.reading import SEATED, chair_name
from tests.kit.witness.transcript import (
    DONE,
    FOR_EVER,
    LOST,
    Chosen,
    ClockShown,
    Holiday,
    MatchRecord,
    PersonId,
    Post,
    Press,
    Row,
    Screen,
    Seat,
    Span,
    Transcript,
)

PATIENCE = Patience(step_s=2.0, row_s=1.0)
"""The precision of a real run on a shared machine."""

UNDER_WAY_S = 2.0
"""Seconds after a press within which its message may be redrawn."""

USUAL_QUIET = (22, 8)
"""The default start and end of quiet hours if only one was chosen."""

CANNOT = (
    "what pictures and films show",
    "acknowledgements that came less than a second before their commit",
    "what panels showed that are not direct messages, but for what was drafted there",
    "what came of presses that nothing answered",
)
"""What no recorded run contains."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A recorded run, and what cannot be judged of it."""

    transcript: Transcript
    names: Mapping[PersonId, str] = field(repr=False)
    cannot: tuple[str, ...] = CANNOT

    def line(self) -> str:
        """Return a one-line summary."""
        run = self.transcript
        rows = sum(len(match.rows) for match in run.matches)
        answered = sum(press.outcome != LOST for press in run.presses)
        return (
            f"{len(run.matches)} matches, {rows} rows, {len(run.presses)} presses ({answered} with a known"
            f" answer), {len(run.screens)} screens, {len(run.posts)} posts, {len(run.kills)} kills,"
            f" {len(run.outages)} outages"
        )


class Unreadable(ValueError):  # noqa: N818 - what a record is
    """A record that cannot be judged."""


def read_evening(database: Path, journal: Path) -> Evening:
    """Read an SQLite database, without changing it, and the journal of its sandbox.

    Raises :class:`Unreadable`.
    """
    with journal.open(encoding="ascii") as lines:
        found = read_journal(lines)
    if found.begun_at == FOR_EVER:
        raise Unreadable("no bot was ever connected")
    if not found.is_one_time:
        raise Unreadable("the sandbox's clock was moved, and the bot went by another one")
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return _Reading(connection, found).evening()


class _Reading:
    """Builds a transcript."""

    def __init__(self, connection: sqlite3.Connection, journal: Journal) -> None:
        self._connection = connection
        self._journal = journal
        self._holders = self._read_holders()
        self._begun: dict[str, float] = dict(
            self._ask("SELECT id, started_at FROM match WHERE started_at IS NOT NULL")
        )
        self._threads: dict[int, str] = dict(
            self._ask("SELECT thread, id FROM match WHERE thread IS NOT NULL")
        )

    def _ask(self, sql: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql).fetchall()

    def evening(self) -> Evening:
        """Return the whole run."""
        journal = self._journal
        matches = tuple(self._matches())
        read = presses_of(journal, self._known(matches))
        begun, ended = journal.begun_at, journal.ended_at
        run = Transcript(
            matches=matches,
            presses=tuple(read.presses),
            outages=tuple(journal.outages),
            troubles=tuple(journal.troubles),
            leaps=tuple(journal.leaps),
            kills=tuple(journal.kills),
            holidays=tuple(self._holidays()),
            absences={person: tuple(spans) for person, spans in journal.absences.items()},
            kept=self._kept(),
            tables=self._tables(),
            chosen=tuple(self._chosen(read.presses)),
            mutes=tuple(_mutes(read.presses)),
            posts=tuple(self._posts()),
            screens=tuple(self._screens(matches)),
            names={match: dict(self._names(match)) for match in self._holders},
            called=self._called(),
            threads=self._threads,
            deleted=frozenset(self._deleted()),
            closed_dms=frozenset(journal.closed_dms),
            begun_at=begun,
            ended_at=ended,
            is_settled=self._is_settled(),
            has_digests=False,
        )
        return Evening(run, journal.names, tuple(self._cannot(run, read.unread)))

    def _cannot(self, run: Transcript, unread: int) -> Iterator[str]:
        yield from CANNOT
        old = sum(match.begun_at < run.begun_at for match in run.matches)
        if old:
            yield f"clocks, and rights to the first rows, of {old} matches that are older than the journal"
        if not run.is_settled:
            yield "screens and goodbyes at the end: the bot had something left to do, or was gone"
        if unread:
            yield f"what became of {unread} presses whose answers no text of the catalogue tells"
        if self._journal.errors:
            yield f"outages of Discord's REST API: {self._journal.errors} requests met errors of its own"
        if self._journal.shards > 1:
            yield "outages of single shards: each counts as one of all"

    # --- matches ------------------------------------------------------------------------------------

    def _read_holders(self) -> dict[str, dict[Seat, PersonId | None]]:
        """Return the holder of each seat at the start of its match."""
        found: dict[str, dict[Seat, PersonId | None]] = {}
        for match, seat, person in self._ask(
            "SELECT match, seat, person FROM chair JOIN match ON match.id = chair.match"
            " WHERE seat IS NOT NULL AND started_at IS NOT NULL"
        ):
            found.setdefault(match, {})[seat] = person
        for match, seat, person in self._ask(
            "SELECT match, seat, person FROM former_holder ORDER BY at DESC"
        ):
            found[match][seat] = person
        return found

    def _matches(self) -> Iterator[MatchRecord]:
        for match, game, ruleset, seats, options, seed, pace, guild in self._ask(
            "SELECT id, game, ruleset, seats, options, seed, pace, guild FROM match"
            " WHERE seed IS NOT NULL AND started_at IS NOT NULL ORDER BY started_at"
        ):
            yield MatchRecord(
                id=match,
                game=game,
                ruleset=ruleset,
                seats=seats,
                options=tuple((key, value) for key, value in json.loads(options)),
                seed=bytes(seed),
                pace=pace,
                guild=guild,
                begun_at=self._begun[match],
                holders=self._holders[match],
                rows=tuple(self._rows(match)),
                clocks=tuple(self._clocks(match)),
            )

    def _rows(self, match: str) -> Iterator[Row]:
        rows = self._connection.execute(
            "SELECT seq, kind, seat, words, request, at, restore_id FROM log WHERE match = ? ORDER BY seq",
            (match,),
        )
        for seq, kind, seat, words, request, at, restore_id in rows:
            yield Row(seq, kind, seat, tuple(json.loads(words)), request, at, at, restore_id)

    def _clocks(self, match: str) -> Iterator[ClockShown]:
        """Yield the clocks in the database at the end."""
        rows = self._connection.execute(
            "SELECT seat, reserve, until, deadline, stopped_at FROM chair JOIN match ON match.id = match"
            " WHERE match = ? AND status = 'running' AND pace <> 'none' AND person IS NOT NULL"
            " AND reserve IS NOT NULL AND seat IS NOT NULL",
            (match,),
        )
        now = self._journal.ended_at
        for seat, reserve, until, deadline, stopped in rows:
            zero = now if stopped is None else stopped
            until_s = None if until is None else until - zero
            deadline_s = None if deadline is None else deadline - zero
            yield ClockShown(now, seat, reserve, until_s, deadline_s, stopped is not None)

    def _known(self, matches: Sequence[MatchRecord]) -> Known:
        rows = [(row, match) for match in matches for row in match.rows]
        requests: dict[str, str] = {row.pressed: match.id for row, match in rows}
        requests |= dict(self._ask("SELECT id, match FROM request"))
        seats = {(m, person): seat for m, s in self._holders.items() for seat, person in s.items() if person}
        seats |= {
            (match, person): seat
            for match, person, seat in self._ask(
                "SELECT match, person, seat FROM chair WHERE person > 0 AND seat IS NOT NULL"
            )
        }
        return Known(
            threads=self._threads,
            requests=requests,
            kinds={row.pressed: row.kind for row, _ in rows},
            opened=dict(
                self._ask("SELECT request, match FROM counted_act WHERE act = 'table' AND match <> ''")
            ),
            games={match.id: match.game for match in matches},
            seats=seats,
        )

    def _tables(self) -> dict[str, int]:
        """Return the tables of this run, with their number of computer players."""
        rows = self._connection.execute(
            "SELECT match.id, count(chair.ord) - count(chair.person) FROM match"
            " LEFT JOIN chair ON chair.match = match.id WHERE opened_at >= ? GROUP BY match.id",
            (self._journal.begun_at,),
        )
        return dict(rows.fetchall())

    def _names(self, match: str) -> Iterator[tuple[Seat, str]]:
        for seat, *stored in self._ask(SEATED.format(match)):
            yield seat, chair_name(*stored)

    def _called(self) -> dict[tuple[str, PersonId], str]:
        now = "SELECT match, person, name FROM chair WHERE person > 0"
        before = "SELECT match, person, name FROM former_holder"
        rows = (*self._ask(before), *self._ask(now))
        return {(match, person): chair_name(name, person, None, "") for match, person, name in rows}

    # --- people -------------------------------------------------------------------------------------

    def _holidays(self) -> Iterator[Holiday]:
        for person, begun, ended in self._ask("SELECT person, begun, ended FROM holiday"):
            yield Holiday(person, begun, FOR_EVER if ended is None else ended)

    def _kept(self) -> dict[tuple[str, PersonId, str], Any]:
        away = {person for (person,) in self._ask("SELECT person FROM holiday WHERE ended IS NULL")}
        people = {person for (person,) in self._ask("SELECT DISTINCT person FROM holiday")}
        found: dict[tuple[str, PersonId, str], Any] = {
            ("holiday", person, ""): person in away for person in people
        }
        for person, dms, reminders, zone in self._ask("SELECT id, dms, reminders, zone FROM person"):
            found["direct messages", person, ""] = bool(dms)
            found["reminders", person, ""] = reminders
            found["zone", person, ""] = zone
        for match, person, muted in self._ask("SELECT match, person, muted FROM chair WHERE person > 0"):
            found["muted", person, match] = bool(muted)
        return found

    def _chosen(self, presses: Sequence[Press]) -> Iterator[Chosen]:
        """Yield people's settings: those at the end apply from the start, unless they were changed."""
        changed: dict[PersonId, Chosen] = {}
        wanted = [
            press for press in presses if press.act in ("direct messages", "reminders", "zone", "quiet hours")
        ]
        for press in sorted(wanted, key=lambda each: each.at):
            before = changed.get(press.person, Chosen(0.0, press.person))
            changed[press.person] = after = _after_choice(before, press)
            yield after
        for person, dms, reminders, zone, begin, end in self._ask(
            "SELECT id, dms, reminders, zone, quiet_from, quiet_until FROM person"
        ):
            if person not in changed:
                quiet = None if begin is None or end is None else (begin, end)
                yield Chosen(0.0, person, bool(dms), reminders, zone, quiet)

    # --- messages -----------------------------------------------------------------------------------

    def _posts(self) -> Iterator[Post]:
        for told in self._journal.told:
            message = told.message
            yield Post(
                message.posted_at,
                message.match,
                message.kind,
                told.people,
                message.direct is not None,
                message.late,
            )

    def _deleted(self) -> Iterator[tuple[str, str]]:
        for message in self._journal.moderated:
            yield message.match, message.kind
        for channel in self._journal.moderated_threads:
            if channel in self._threads:
                yield self._threads[channel], "thread"

    def _is_settled(self) -> bool:
        """Return whether the bot was idle when it was last seen."""
        [(due,)] = self._connection.execute(
            "SELECT count(*) FROM job WHERE due <= ? OR tries > 0", (self._journal.ended_at,)
        )
        return bool(due == 0)

    def _screens(self, matches: Sequence[MatchRecord]) -> Iterator[Screen]:
        times = {match.id: [row.at for row in match.rows] for match in matches}
        seen: dict[int, tuple[float, int]] = {}
        looks = [*self._journal.looks, *([self._journal.last] if self._is_settled() else ())]
        for look in looks:
            for message in look.messages:
                # Unchanged messages of unchanged matches were checked before.
                mark = message.changed_at, bisect_right(times.get(message.match, []), look.at)
                is_last = look is looks[-1]
                if (seen.get(message.id) != mark or is_last) and not self._under_way(message, look):
                    seen[message.id] = mark
                    yield Screen(
                        look.at,
                        look.at,
                        message.match,
                        message.kind,
                        message.direct,
                        message.text,
                        message.alts,
                        message.custom_ids,
                        message.late,
                    )

    def _under_way(self, message: Standing, look: Look) -> bool:
        """Return whether a message was pressed shortly before."""
        pressed = self._pressed_on.get(message.id, ())
        return any(0.0 <= look.at - at <= UNDER_WAY_S for at in pressed)

    @cached_property
    def _pressed_on(self) -> Mapping[int, Sequence[float]]:
        found: dict[int, list[float]] = {}
        for asked in self._journal.asked.values():
            if asked.message is not None:
                found.setdefault(asked.message, []).append(asked.at)
        return found


def _after_choice(before: Chosen, press: Press) -> Chosen:
    """Return a person's settings after a press; unknown ones count as no reminders at all."""
    at = press.at if press.outcome == LOST else press.answered_at
    if press.outcome == LOST:
        return Chosen(at, press.person, False, "none", before.zone, before.quiet)
    if press.outcome != DONE:
        return before
    value = press.given.get("value")
    dms, reminders, zone, quiet = before.direct_messages, before.reminders, before.zone, before.quiet
    if press.act == "direct messages":
        dms = bool(value)
    elif press.act == "reminders":
        reminders = str(value)
    elif press.act == "zone":
        zone = str(value)
    else:
        quiet = _quiet(quiet, press.given["part"], press.given["hour"])
    return Chosen(at, press.person, dms, reminders, zone, quiet)


def _quiet(before: tuple[int, int] | None, part: str, chosen: str) -> tuple[int, int] | None:
    if not chosen[:2].isdecimal():
        return None
    begin, end = before or USUAL_QUIET
    hour = int(chosen[:2])
    return (hour, end) if part == "quiet_from" else (begin, hour)


def _mutes(presses: Sequence[Press]) -> Iterator[tuple[str, PersonId, Span]]:
    """Yield the spans in which reminders of a match were off; unknown ends count as never."""
    since: dict[tuple[str, PersonId], float] = {}
    for press in presses:
        if press.act != "muted":
            continue
        place = press.match, press.person
        if press.outcome == LOST:
            yield *place, (press.at, FOR_EVER)
        elif press.given.get("value"):
            since.setdefault(place, press.at)
        elif place in since:
            yield *place, (since.pop(place), press.answered_at)
    for (match, person), at in since.items():
        yield match, person, (at, FOR_EVER)
