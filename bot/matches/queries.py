"""Read-only use cases: tables, boards, lists, logs, and the replay file of a finished match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

from bot.domain import replay_file
from bot.domain.clocks import Clock
from bot.domain.jobs import JobKind
from bot.domain.match import Board, ClosedQuestion, Closing, LogLine, MotionKind, RowKind, TurnEnd
from bot.domain.refusals import Refusal, refusal
from bot.domain.surfaces import BOARD, resting_surface, unreached_surfaces, written_to_surface
from bot.domain.tables import MatchLine, Person, PersonId, Status, TableInfo, TableRow, Who, person_id
from bot.matches.closings import closed_overdue, turn_end
from bot.matches.completion import completions
from bot.matches.loaded_table import asked_to_agree
from bot.matches.match_lists import RECENT_SECONDS, line_of, urgency
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import TableCache
from engines.core.contract import Seat, Words
from engines.core.match import is_note


class Queries:
    """The use cases that change nothing. Methods named ``peek...`` answer from memory only."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def table(self, table_id: str) -> TableInfo:
        """Return a table; raises ``Refusal`` if it does not exist."""
        return (await self._cache.get(table_id)).info

    async def invited(self, table_id: str) -> tuple[Person, ...]:
        """Return the people for whom chairs are kept; raises ``Refusal``."""
        return (await self._cache.get(table_id)).row.invited

    async def unpinged(self, table_id: str) -> tuple[Person, ...]:
        """Return the invited people who are not pinged: they got too many invitations in that hour."""
        invited = await self.invited(table_id)
        async with self._cache.store.read() as reader:
            counted = await reader.counted_invitations(table_id, [person.id for person in invited])
        return tuple(person for person in invited if person.id not in counted)

    async def table_of_thread(self, thread_id: int) -> TableInfo | None:
        """Return the table whose match has this thread."""
        async with self._cache.store.read() as reader:
            table_id = await reader.table_of_thread(thread_id)
        return None if table_id is None else await self.table(table_id)

    async def matches_before(self, table: TableInfo) -> int:
        """Return how many matches led to a table by rematches; 0: it is no rematch."""
        if table.rematch_of is None:
            return 0
        async with self._cache.store.read() as reader:
            return await reader.matches_before(table.id)

    async def board(self, table_id: str) -> Board:
        """Return the match as the public sees it; raises ``Refusal`` if there is none."""
        table = await self._cache.get(table_id)
        log = table.require_log()
        async with self._cache.store.read() as reader:
            shown = await reader.shown(table_id, BOARD)
        public, since, is_new = log.public, 0, True
        if shown is not None:
            # An edit repeats the news of its message; a new message has the news since the previous one.
            is_new = log.epoch_at(shown.reach) < public.epoch
            since = log.epoch_at(shown.version if is_new else shown.since)
        entered = sorted(log.entered_since(since))
        written_to: list[Seat] = []
        resting: dict[Seat, float] = {}
        for seat in entered:
            # Later preferences do not change an existing message.
            if is_new:
                by_message, free = await self._how_to_reach(table.info, seat)
            else:
                by_message = await self._noted(table.id, written_to_surface(seat), public.epoch)
                free = 0.0 if await self._noted(table.id, resting_surface(seat), public.epoch) else None
            if by_message:
                written_to.append(seat)
            elif free is not None:
                resting[seat] = free
        return Board(
            table=table.info,
            view=public.view,
            epoch=public.epoch,
            version=public.version,
            waiting=tuple(sorted(public.waiting)),
            told=log.told_since(since),
            draw_offers=log.offers,
            clocks=_public_clocks(table.row, public.waiting),
            overdue=tuple(sorted(seat for seat, clock in table.row.clocks.items() if clock.overdue)),
            lapsed=log.lapsed_since(since),
            undone=log.undone_since(since),
            claimed=log.ended_by(RowKind.CLAIM),
            resigned=log.ended_by(RowKind.WITHDRAW),
            motion=log.motion,
            asked_to_agree=tuple(sorted(asked_to_agree(table))),
            offer=table.row.offer,
            paused=log.paused,
            closed=log.closed,
            outcome=public.outcome,
            seed=table.row.seed if table.info.status is Status.OVER else None,
            part=table.row.part if table.info.status is Status.OVER else None,
            before=public.before,
            opening=log.opening(),
            called=tuple(seat for seat in entered if seat not in written_to and seat not in resting),
            written_to=tuple(written_to),
            resting=resting,
        )

    async def closed_question(self, table_id: str, kind: JobKind) -> ClosedQuestion:
        """Return how the last question of a kind was closed: a draw offer, a motion, or a seat out of time.

        Raises ``Refusal`` if there is no match.
        """
        table = await self._cache.get(table_id)
        log, found = table.require_log(), None
        if kind is JobKind.OFFER and not log.offers:
            found = log.draw_closed
        if kind is JobKind.OVERDUE:
            found = closed_overdue(log.rows, _notes_of(log))
        if kind is JobKind.MOTION:
            found = log.motion_closed
            if log.motion is not None:
                # Its seat is on offer: the row that ends the motion comes later.
                agreed = log.motion.kind is MotionKind.REPLACE and not asked_to_agree(table)
                found = ClosedQuestion(Closing.AGREED, motion=MotionKind.REPLACE) if agreed else None
        return found or ClosedQuestion(Closing.ENDED if log.is_over else Closing.MOVED_ON)

    async def turn_end(self, table_id: str, seat: Seat, version: int) -> TurnEnd:
        """Return why a seat no longer has to take the turn that it was asked for.

        ``version``: the public version at which it was asked; 0: unknown. Raises ``Refusal`` if there is no
        match.
        """
        table = await self._cache.get(table_id)
        log = table.require_log()
        if log.is_over:
            return TurnEnd.OVER if log.closed is None else TurnEnd.CLOSED
        if table.info.chair_at(seat).stand_in:
            return TurnEnd.STAND_IN
        if not version:
            return TurnEnd.OTHER
        # An undo removes the headers of what it takes back.
        asked = next((header for header in log.headers if header.version >= version), log.headers[-1])
        return turn_end(log.rows[asked.row :], seat, _notes_of(log))

    async def _noted(self, table_id: str, surface: str, epoch: int) -> bool:
        """Return whether a surface stores ``epoch``: its board was posted without a ping for the seat."""
        async with self._cache.store.read() as reader:
            noted = await reader.shown(table_id, surface)
        return noted is not None and noted.version == epoch

    async def _how_to_reach(self, table: TableInfo, seat: Seat) -> tuple[bool, float | None]:
        """Return whether a seat's person gets a direct message, and the end of their quiet hours, if now."""
        person, now = table.person_at(seat), self._cache.clock()
        if person is None:
            return False, None
        async with self._cache.store.read() as reader:
            free = (await reader.preferences(person)).free_from(now)
        return await self._plays_by_message(table, seat), free if free > now else None

    async def _plays_by_message(self, table: TableInfo, seat: Seat) -> bool:
        """Return whether a person's turns come by direct message, as far as known.

        This must not depend on whom the match waits for in secret: others see who is pinged.
        """
        person = table.person_at(seat)
        async with self._cache.store.read() as reader:
            if person is None or not (await reader.preferences(person)).dms:
                return False
            told = [await reader.shown(table.id, surface) for surface in unreached_surfaces(seat)]
        return all(one is None or one.message is None for one in told)

    async def matches(self, person: Who) -> list[MatchLine]:
        """Return a person's current matches and those that ended recently, the most urgent first."""
        who = person_id(person)
        async with self._cache.store.read() as reader:
            rows = await reader.tables_of(who, self._cache.clock() - RECENT_SECONDS)
        return sorted((line_of(row, who) for row in rows), key=urgency)

    async def matches_in_detail(self, person: Who) -> list[MatchLine]:
        """Return the same as :meth:`matches`, with the seats that running matches publicly wait for."""
        who = person_id(person)
        return sorted([await self._in_detail(line, who) for line in await self.matches(who)], key=urgency)

    async def _in_detail(self, line: MatchLine, who: PersonId) -> MatchLine:
        if line.asked or line.table.status is not Status.RUNNING:
            return line
        try:
            table = await self._cache.get(line.table.id)
        except Refusal:
            return line
        # All of a line is of one version: the match may have gone on since its row was read.
        line = line_of(table.row, who)
        if line.asked or table.log is None or line.table.status is not Status.RUNNING:
            return line
        # The row's asked seats go by the seats' own views and may be secret; the log has the public ones.
        return replace(line, waiting=tuple(sorted(table.log.public.waiting - {line.seat})))

    async def listed(self, person: Who) -> tuple[MatchLine, ...]:
        """Return the same as :meth:`matches`, from memory unless several processes share the database."""
        if self._cache.store.sharing is not None:
            return tuple(await self.matches(person))
        return self._cache.lists.of(person_id(person))

    def loaded(self, table_id: str) -> bool:
        """Return whether a table is in memory."""
        return self._cache.loaded(table_id)

    def peek_completions(self, table_id: str, person: Who, typed: str) -> tuple[str, ...]:
        """Return completions from memory only: at most 25 texts that begin with ``typed``."""
        table = self._cache.peek(table_id)
        if table is None or table.info.status is not Status.RUNNING or table.log is None:
            return ()
        seat = table.info.seat_of(person_id(person))
        if seat is None or table.info.chair_at(seat).withdrawn:
            return ()
        return completions(table.seat_view(seat), table.drafts_of(seat).shown.words, typed)

    async def log(self, table_id: str, person: Who | None) -> list[LogLine]:
        """Return the log lines that a person may see; all of them once the match is over.

        Lines are numbered as that person can count them. ``person`` ``None``: the public. Raises ``Refusal``.
        """
        table = await self._cache.get(table_id)
        log = table.require_log()
        if table.info.status is Status.OVER:
            batches = log.everything()
        else:
            batches = log.known(None if person is None else table.info.seat_of(person_id(person)))
        told = [(mark, facts) for mark, facts in batches if facts]
        start, lapsed = table.row.started_at or table.row.opened_at, defaultdict[int, set[Seat]](set)
        for version, seat in log.lapses:
            lapsed[version].add(seat)
        lines = [
            # The start has no row in the log, so it gets the match's start time. A time-out decision goes to
            # the first line of its public version.
            (
                mark.row,
                LogLine(
                    0, mark.at if mark.row else start, facts, tuple(sorted(lapsed.pop(mark.version, ())))
                ),
            )
            for mark, facts in told
        ]
        lines += [
            (row.seq, LogLine(0, row.at, (), undone=row.seat)) for row in log.rows if row.kind is RowKind.UNDO
        ]
        in_order = sorted(lines, key=itemgetter(0))
        return [replace(line, number=number) for number, (_, line) in enumerate(in_order, 1)]

    async def replay_file(self, table_id: str) -> dict[str, Any]:
        """Return the replay of a finished match as JSON data; raises ``Refusal`` until it is over."""
        table = await self._cache.get(table_id)
        log, seed = table.require_log(), table.row.seed
        if table.info.status is not Status.OVER or seed is None:
            raise refusal("not_over")
        return replay_file.written(table.row, seed, log.match, log.rows)


def _notes_of(log: MatchLog) -> Callable[[Words], bool]:
    return partial(is_note, log.match.game)


def _public_clocks(row: TableRow, waiting: Collection[Seat]) -> Mapping[Seat, Clock]:
    """Return the clocks as the public may see them: seats that decided in secret look pending."""
    return {
        # Reserves and missed decisions stay hidden, except through deadlines.
        seat: Clock(0.0, clock.until, clock.deadline, stopped_at=clock.stopped_at)
        for seat, clock in row.clocks.items()
        if seat in waiting and clock.deadline is not None
    }
