"""Thirty faults chosen by the rules and the bot's code alone, not by what the witness looks for.

Each is a slip that a programmer could make.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

import bot.clocks.absences
import bot.matches.follow_ups
import bot.matches.lobby
import bot.matches.motions
import bot.pages.clocks
import bot.store.writer
from bot.clocks.absences import Absences
from bot.clocks.reminders import Reminders
from bot.domain.clocks import Clock, Nudge, Pace, QuietHours
from bot.domain.jobs import Job
from bot.domain.match import Board, LogRow, RowKind
from bot.domain.refusals import Refusal, refusal
from bot.domain.tables import Person, PersonId, Place, Preferences, RequestId, TableInfo, Who, person_id
from bot.matches.clocks import next_clocks
from bot.matches.drafts import Drafts
from bot.matches.limits import Admission
from bot.matches.loaded_table import LoadedTable, SeatDrafts, asked_to_agree
from bot.matches.lobby import Lobby
from bot.matches.match_log import MatchLog
from bot.matches.motions import Motions
from bot.matches.queries import Queries
from bot.matches.settings import Settings
from bot.pages.page import FoundMessage
from bot.pages.texts import GameTexts
from bot.store import Reader, Transaction
from bot.store.writer import Entry, carry_out, roll_back
from bot.sync.client import MessageClient
from bot.sync.direct_messages import DirectMessages
from engines.core.contract import Outcome, Seat

HOUR_S = 3_600.0

MORE_THAN_ANY_TABLE = 1_000
"""Free seats."""


def anybody_starts_a_table() -> AbstractContextManager[Any]:
    """Anybody starts a table, seats computers there and changes its size: not its host alone."""

    def fine(table: LoadedTable, person: Person) -> None:
        return

    # Its callers would have to be written again to do without the private name.
    return patch.object(bot.matches.lobby, "_must_be_host", fine)


def an_objection_counts_as_consent() -> AbstractContextManager[Any]:
    """Somebody who objects to a proposal has agreed to it."""
    usual = Motions.answer

    async def answer(
        self: Motions, table_id: str, person: Who, request_id: RequestId, *, agrees: bool
    ) -> bool:
        return await usual(self, table_id, person, request_id, agrees=True)

    return patch.object(Motions, "answer", answer)


def one_consent_is_enough() -> AbstractContextManager[Any]:
    """At a table of three a proposal is carried once one of the other two has agreed."""
    usual = asked_to_agree

    def asked(table: LoadedTable) -> frozenset[Seat]:
        motion = None if table.log is None else table.log.motion
        return frozenset() if motion is not None and motion.agreed else usual(table)

    return patch.object(bot.matches.motions, "asked_to_agree", asked)


def quiet_hours_go_by_london() -> AbstractContextManager[Any]:
    """Quiet hours go by London's clock, whatever city somebody has chosen."""
    usual = QuietHours.free_from

    def free_from(self: QuietHours, at: float) -> float:
        return usual(replace(self, zone="Europe/London"), at)

    return patch.object(QuietHours, "free_from", free_from)


def a_mute_silences_the_next_seat() -> AbstractContextManager[Any]:
    """Somebody who mutes a match gets its reminders still, and their neighbour gets none."""

    async def mute(self: Reminders, table_id: str, person: Who) -> bool:
        async def work(table: LoadedTable) -> bool:
            own = table.playing_seat(person_id(person))
            seat = (own + 1) % len(table.info.chairs)
            muted = not table.info.chair_at(seat).muted
            await self._cache.commit(table, table.with_chair(seat, muted=muted))
            return muted

        return await self._cache.attempt(table_id, work)

    return patch.object(Reminders, "mute", mute)


def a_nudge_waits_for_the_next_reminder() -> AbstractContextManager[Any]:
    """A nudge is accepted, and tells its person nothing before the next reminder would have come anyway."""

    def nudged(self: Clock, now: float) -> Clock:
        return replace(self, nudge=Nudge.ASKED)

    return patch.object(Clock, "nudged", nudged)


def the_turn_of_another_is_taken_back() -> AbstractContextManager[Any]:
    """A player has the last turn of the other taken back, as if it were their own."""

    def undoable(self: MatchLog, seat: Seat) -> int | None:
        return self.rows[len(self.earlier[-1].rows)].seq if self.earlier else None

    return patch.object(MatchLog, "undoable", undoable)


@contextmanager
def a_holiday_stops_every_clock() -> Iterator[None]:
    """When one player goes on holiday, the clocks of all others at the table stand still too."""
    usual = next_clocks

    def clocks(old: LoadedTable, new: LoadedTable, now: float, actor: Seat | None) -> Mapping[Seat, Clock]:
        if any(chair.away for chair in new.info.chairs):
            new = new.with_info(chairs=tuple(replace(chair, away=True) for chair in new.info.chairs))
        return usual(old, new, now, actor)

    with (
        patch.object(bot.matches.follow_ups, "next_clocks", clocks),
        patch.object(bot.clocks.absences, "next_clocks", clocks),
    ):
        yield


def missed_decisions_add_up() -> AbstractContextManager[Any]:
    """A computer takes a seat after three missed decisions in all, though others were made in between."""

    def counted(self: Clock, *, missed: bool) -> Clock:
        return replace(self, missed=self.missed + 1) if missed else self

    return patch.object(Clock, "counted", counted)


def the_claimant_loses() -> AbstractContextManager[Any]:
    """Somebody who claims a match from a player who is late has lost it."""

    async def claim(self: Absences, table_id: str, person: Who, request_id: RequestId) -> None:
        def whose(table: LoadedTable, who: PersonId) -> Seat:
            own = table.playing_seat(who)
            if not any(clock.overdue for seat, clock in table.row.clocks.items() if seat != own):
                raise refusal("not_overdue")
            return own

        def claimed(table: LoadedTable, seat: Seat) -> LoadedTable:
            return table.with_chair(seat, withdrawn=True)

        await self._carry_out(table_id, person, request_id, RowKind.CLAIM, whose, claimed)

    return patch.object(Absences, "claim", claim)


def more_time_counts_from_now() -> AbstractContextManager[Any]:
    """More time replaces what a seat had left instead of coming on top of it."""

    def given(self: Clock, pace: Pace, now: float) -> Clock:
        return self if self.deadline is None else self.begun(pace, now)

    return patch.object(Clock, "given", given)


def own_messages_are_not_found() -> AbstractContextManager[Any]:
    """After a crash the house does not find what it has posted, and posts it a second time."""

    async def find(self: MessageClient, channel_id: int, part: str, *, among: int = 0) -> list[FoundMessage]:
        return []

    return patch.object(MessageClient, "find", find)


def a_second_confirm_is_refused() -> AbstractContextManager[Any]:
    """Somebody who presses Confirm again, having seen no answer, is told that their panel is out of date."""
    usual = SeatDrafts.said

    def said(self: SeatDrafts, *, aside: bool, confirmed: int | None = None) -> SeatDrafts:
        return usual(self, aside=aside)

    return patch.object(SeatDrafts, "said", said)


def a_failed_unit_undoes_its_group() -> AbstractContextManager[Any]:
    """What fails undoes what others did just before in the same commit, and they are told that it is done."""

    def commit_group(
        connection: sqlite3.Connection, group: Sequence[Entry], begin: Callable[[sqlite3.Connection], None]
    ) -> None:
        errors: list[Exception | None]
        try:
            begin(connection)
            connection.execute("SAVEPOINT unit")  # before all of them, instead of one for each
            errors = [_carried_out(connection, entry) for entry in group]
            connection.execute("RELEASE unit")
            connection.execute("COMMIT")
        except Exception as error:
            roll_back(connection)
            errors = [error] * len(group)
        for entry, found in zip(group, errors, strict=True):
            entry.done, entry.error = True, found

    return patch.object(bot.store.writer, "commit_group", commit_group)


def _carried_out(connection: sqlite3.Connection, entry: Entry) -> Exception | None:
    try:
        for statement in entry.statements:
            carry_out(connection, statement)
    except Exception as error:
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO unit")
        return error
    return None


def a_newer_job_goes_with_an_older_one() -> AbstractContextManager[Any]:
    """What is to be shown is forgotten if it changes while the message before it is on its way."""

    async def done(self: Transaction, job: Job) -> None:
        sql = "DELETE FROM job WHERE match = ? AND kind = ? AND target = ?"
        await self._do(sql, job.table_id, job.kind.value, job.target)

    return patch.object(Transaction, "done", done)


def a_rematch_forgets_the_pace() -> AbstractContextManager[Any]:
    """A rematch is played at the server's usual pace instead of that of the match before."""
    usual = Lobby.open

    async def opened(self: Lobby, *given: Any, **more: Any) -> TableInfo:
        # A rematch alone has one.
        more["former_pace"] = None
        return await usual(self, *given, **more)

    return patch.object(Lobby, "open", opened)


def a_kept_seat_goes_to_the_first() -> AbstractContextManager[Any]:
    """A seat that is kept for somebody who was invited goes to the first person or computer that comes."""

    def free(table: LoadedTable) -> int:
        return MORE_THAN_ANY_TABLE

    return patch.object(bot.matches.lobby, "free_seats", free)


def a_table_closes_with_its_host() -> AbstractContextManager[Any]:
    """A table closes when its host leaves, though others sit there who could be its host."""

    async def nobody(
        self: Admission, reader: Reader, place: Place, people: Sequence[Person]
    ) -> Person | None:
        return None

    return patch.object(Admission, "next_host", nobody)


def past_messages_keep_their_buttons() -> AbstractContextManager[Any]:
    """Boards and direct messages that are past keep their buttons."""

    async def strip(self: MessageClient, channel_id: int, message_id: int, words: str = "") -> None:
        return

    return patch.object(MessageClient, "strip", strip)


def settings_count_after_a_restart() -> AbstractContextManager[Any]:
    """What people choose for themselves is stored, and takes effect only after a restart."""
    usual = Settings.preferences
    known: WeakKeyDictionary[Settings, dict[PersonId, Preferences]] = WeakKeyDictionary()

    async def preferences(self: Settings, person: Who) -> Preferences:
        mine, who = known.setdefault(self, {}), person_id(person)
        if who not in mine:
            mine[who] = await usual(self, person)
        return mine[who]

    return patch.object(Settings, "preferences", preferences)


def deadlines_read_an_hour_late() -> AbstractContextManager[Any]:
    """Boards and panels say that a decision has an hour more than it has."""
    usual = bot.pages.clocks.moment
    return patch.object(bot.pages.clocks, "moment", lambda at: usual(at + HOUR_S))


def the_board_shows_a_hand() -> AbstractContextManager[Any]:
    """The board in the thread shows everybody what one player alone may see."""
    usual = Queries.board

    async def board(self: Queries, table_id: str) -> Board:
        shown = await usual(self, table_id)
        log = (await self._cache.get(table_id)).require_log()
        return replace(shown, view=log.match.view(0))

    return patch.object(Queries, "board", board)


def the_last_is_called_the_winner() -> AbstractContextManager[Any]:
    """Boards, panels and goodbyes call the loser the winner."""
    usual = GameTexts.result

    def result(self: GameTexts, outcome: Outcome) -> list[str]:
        return usual(self, replace(outcome, ranks=outcome.ranks[::-1]))

    return patch.object(GameTexts, "result", result)


def back_empties_the_draft() -> AbstractContextManager[Any]:
    """Back takes back all that somebody has drafted, not the last word alone."""

    async def back(self: Drafts, click: Any, person: Who) -> Any:
        return await self.clear(click, person)

    return patch.object(Drafts, "back", back)


def a_pause_ends_with_the_next_row() -> AbstractContextManager[Any]:
    """A pause ends as soon as anybody does anything in the match, though nobody has ended it."""

    def paused(self: MatchLog) -> bool:
        return bool(self.rows) and self.rows[-1].kind is RowKind.PAUSE

    return patch.object(MatchLog, "paused", property(paused))


def a_resigned_seat_must_agree() -> AbstractContextManager[Any]:
    """Nothing can be agreed any more without a player who has resigned."""
    usual = LoadedTable.with_chair

    def with_chair(self: LoadedTable, seat: Seat, **changes: Any) -> LoadedTable:
        changes.pop("withdrawn", None)
        return usual(self, seat, **changes)

    return patch.object(LoadedTable, "with_chair", with_chair)


def a_declined_draw_is_still_offered() -> AbstractContextManager[Any]:
    """The offer of a draw stands after it was turned down, and can be accepted."""
    usual = MatchLog.then

    def then(self: MatchLog, row: LogRow) -> MatchLog:
        after = usual(self, row)
        return replace(after, offers=self.offers) if row.kind is RowKind.DECLINE else after

    return patch.object(MatchLog, "then", then)


def computers_finish_alone() -> AbstractContextManager[Any]:
    """Computers play a match to its end among themselves while the people they stand in for are away."""
    return patch.object(LoadedTable, "anybody_present", lambda self: True)


def a_former_holder_comes_back() -> AbstractContextManager[Any]:
    """Somebody who has handed on a seat, and knows its secrets, takes another one of the same match."""
    usual = Motions._check_newcomer  # noqa: SLF001 - what it refuses is said nowhere else

    async def check(self: Motions, table: LoadedTable, person: PersonId) -> None:
        try:
            await usual(self, table, person)
        except Refusal as no:
            sits = any(each.id == person for each in table.people())
            if sits or no.msg.key != "no.has_held_seat":
                raise

    return patch.object(Motions, "_check_newcomer", check)


def a_former_holder_keeps_the_messages() -> AbstractContextManager[Any]:
    """Somebody who has handed on a seat keeps its direct messages, with what is secret on them."""

    async def forget(self: DirectMessages, match: str, person: PersonId) -> None:
        return

    return patch.object(DirectMessages, "forget", forget)
