"""What players agree on outside the game: pauses, undos, more time, seats handed over, abandoned matches.

Matches also close without a result when the bot closes them: nobody wins, and nothing hidden is revealed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import Motion, MotionKind, RowKind
from bot.domain.refusals import Act, CountedAct, refusal
from bot.domain.tables import (
    ClosedBy,
    FormerHolder,
    HandledRequest,
    Person,
    PersonId,
    RequestId,
    SeatOffer,
    Status,
    TableInfo,
    Who,
    person_id,
)
from bot.matches.clocks import with_holidays
from bot.matches.closings import REFUSES_SEAT
from bot.matches.limits import Admission
from bot.matches.loaded_table import LoadedTable, asked_to_agree
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from engines.core.contract import Seat


class Motions:
    """The use cases. Each takes effect once per request, and raises ``Refusal``."""

    def __init__(self, cache: TableCache, admission: Admission) -> None:
        self._cache = cache
        self._admission = admission

    async def propose(self, table_id: str, person: Who, kind: MotionKind, request_id: RequestId) -> bool:
        """Propose a motion; return whether it was carried at once because nobody has to agree."""

        def proposed(table: LoadedTable, seat: Seat) -> Motion:
            log = table.require_log()
            if kind is MotionKind.PAUSE and (log.paused or not table.row.clocks):
                raise refusal("paused" if log.paused else "no_clocks")
            if kind is MotionKind.UNDO and log.undoable(seat) is None:
                raise refusal("undo")
            return Motion(kind, seat)

        return await self._propose(table_id, person, request_id, proposed)

    async def answer(self, table_id: str, person: Who, request_id: RequestId, *, agrees: bool) -> bool:
        """Agree to the pending motion, or object to it; return whether it was carried."""
        who, request, act = person_id(person), str(request_id), "consent" if agrees else "object"

        async def work(table: LoadedTable) -> bool:
            if (done := await self._cache.handled(request, table_id, who, act)) is not None:
                return done.answer == "carried"
            seat, motion = table.playing_seat(who), table.require_log().motion
            if motion is None or (agrees and seat not in asked_to_agree(table)):
                raise refusal("no_motion")
            kind = RowKind.CONSENT if agrees else RowKind.OBJECT
            new = table.with_row(kind, seat, (), f"{act}:{request}", self._cache.clock())
            return await self._settle(table, new, seat, HandledRequest(request, table_id, who, act))

        return await self._cache.attempt(table_id, work)

    async def resume(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """End a pause: any player may."""
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, who, "resume") is not None:
                return
            table.playing_seat(who)
            if not table.require_log().paused:
                raise refusal("not_paused")
            new = table.with_row(RowKind.RESUME, None, (), f"resume:{request}", self._cache.clock())
            await self._cache.settle(table, new, request=HandledRequest(request, table_id, who, "resume"))

        await self._cache.attempt(table_id, work)

    async def grant(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Give all other seats that the match waits for another allowance, once per decision.

        This goes by what the public sees: seats that decided in secret get time too.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, who, "grant") is not None:
                return
            own, log = table.playing_seat(who), table.require_log()
            seats = [
                seat
                for seat, clock in sorted(table.row.clocks.items())
                if seat != own and seat in log.public.waiting and clock.deadline is not None
            ]
            given = log.granted()
            if not seats:
                raise refusal("grant_nobody")
            if not (open_ := [seat for seat in seats if seat not in given]):
                raise refusal("grant_again")
            # One row per seat, since each row changes one clock.
            note: HandledRequest | None = HandledRequest(request, table_id, who, "grant")
            for seat in open_:
                row = f"grant:{request}:{seat}"
                new = table.with_row(RowKind.GRANT, seat, (), row, self._cache.clock())
                table, note = await self._cache.settle(table, new, request=note), None

        await self._cache.attempt(table_id, work)

    # --- handing over seats -----------------------------------------------------------------------------

    async def offer_seat(self, table_id: str, person: Who, to: Person, request_id: RequestId) -> bool:
        """Offer one's own seat to another person, or propose to offer one whose time is up.

        Return whether it is offered now. A seat with a stand-in counts as one whose time is up.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> bool:
            if (done := await self._cache.handled(request, table_id, who, "replace")) is not None:
                return done.answer == "offered"
            table.require_running()
            own = table.seat_of(who)
            table.require_playing(own)
            await self._check_newcomer(table, to.id)
            late = late_seat(table, own)
            seat = own if late is None else late
            new, offered = table, late is None
            if late is not None:
                table.require_present(own)
                new = self._with_motion(table, Motion(MotionKind.REPLACE, own, about=late), request)
                offered = not asked_to_agree(new)
            answer = "offered" if offered else "proposed"
            note = HandledRequest(request, table_id, who, "replace", answer)
            offer = SeatOffer(seat, to, agreed=False)
            invitation = CountedAct(
                request, Act.INVITATION, who, self._cache.clock(), table.info.place.guild_id, table_id, to.id
            )
            await self._settle(
                table,
                replace(new, row=replace(new.row, offer=offer)),
                own,
                note,
                offer=offered,
                admit=partial(self._admission.invite, invitation=invitation),
            )
            return offered

        return await self._cache.attempt(table_id, work)

    async def take_seat(self, table_id: str, person: Person, request_id: RequestId) -> None:
        """Take the offered seat; its former holder no longer sees anything of it."""
        request = str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, person.id, "take_seat") is not None:
                return
            table.require_running()
            offer = table.row.offer
            if offer is None or not offer.agreed or offer.person.id != person.id:
                raise refusal("no_seat_offered")
            table.require_playing(offer.seat)
            await self._check_newcomer(table, person.id)
            new = _passed_on(table, offer.seat, person, request, self._cache.clock())
            new = await with_holidays(self._cache.store, new)
            note = HandledRequest(request, table_id, person.id, "take_seat")
            await self._cache.settle(table, new, request=note)

        await self._cache.attempt(table_id, work)

    async def refuse_seat(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Decline the offered seat, or withdraw an offer of one's own seat."""
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, who, "refuse_seat") is not None:
                return
            offer = table.row.offer
            mine = offer is not None and (offer.person.id == who or table.info.person_at(offer.seat) == who)
            if offer is None or not mine:
                raise refusal("no_seat_offered")
            new = replace(table, row=replace(table.row, offer=None))
            note = HandledRequest(request, table_id, who, "refuse_seat")
            motion = table.require_log().motion
            if motion is not None and motion.kind is MotionKind.REPLACE:
                # The motion is about this offer: it would stay pending forever.
                row = f"{REFUSES_SEAT}:{request}"
                new = new.with_row(RowKind.OBJECT, motion.by, (), row, self._cache.clock())
                await self._cache.settle(table, new, request=note)
                return
            jobs = [
                NewJob(table_id, kind, due=self._cache.clock())
                for kind in (JobKind.SEAT_OFFER, JobKind.BOARD)
            ]
            await self._cache.commit(table, new, request=note, jobs=jobs)

        await self._cache.attempt(table_id, work)

    async def _check_newcomer(self, table: LoadedTable, person: PersonId) -> None:
        held = [each.person.id for each in table.info.former] + [each.id for each in table.people()]
        async with self._cache.store.read() as reader:
            if person in held or await reader.has_held_seat(table.info.id, person):
                raise refusal("has_held_seat")
            await self._admission.check_seat(reader, person)

    # --- carrying out motions ---------------------------------------------------------------------------

    async def _propose(
        self,
        table_id: str,
        person: Who,
        request_id: RequestId,
        proposed: Callable[[LoadedTable, Seat], Motion],
    ) -> bool:
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> bool:
            if (done := await self._cache.handled(request, table_id, who, "propose")) is not None:
                return done.answer == "carried"
            seat = table.playing_seat(who)
            new = self._with_motion(table, proposed(table, seat), request)
            return await self._settle(table, new, seat, HandledRequest(request, table_id, who, "propose"))

        return await self._cache.attempt(table_id, work)

    def _with_motion(self, table: LoadedTable, motion: Motion, request: str) -> LoadedTable:
        if table.require_log().motion is not None:
            raise refusal("motion_stands")
        now = self._cache.clock()
        self._admission.limits.check_question(table.require_log().rows, motion.by, now)
        return table.with_row(RowKind.PROPOSE, motion.by, motion.words, f"propose:{request}", now)

    async def _settle(
        self,
        old: LoadedTable,
        new: LoadedTable,
        actor: Seat,
        note: HandledRequest,
        *,
        offer: bool = False,
        admit: Callable[[Transaction], Awaitable[None]] | None = None,
    ) -> bool:
        """Commit a step of a motion and carry the motion out if all have agreed; return whether they have."""
        motion = new.require_log().motion
        carried = motion is not None and not asked_to_agree(new)
        if carried and motion is not None:
            new = self._carried(new, motion, note)
        if offer and new.row.offer is not None:
            new = replace(new, row=replace(new.row, offer=replace(new.row.offer, agreed=True)))
        note = replace(note, answer=note.answer or ("carried" if carried else ""))
        await self._cache.settle(old, new, actor=actor, request=note, admit=admit)
        return carried

    def _carried(self, table: LoadedTable, motion: Motion, note: HandledRequest) -> LoadedTable:
        row, now = f"{motion.kind.value}:{note.id}", self._cache.clock()
        if motion.kind is MotionKind.PAUSE:
            return table.with_row(RowKind.PAUSE, None, (), row, now)
        if motion.kind is MotionKind.UNDO:
            return self._taken_back(table, motion.by, row, now)
        if motion.kind is MotionKind.ABANDON:
            return closed(table, ClosedBy.AGREED, row, now)
        offer = table.row.offer
        agreed = None if offer is None else replace(offer, agreed=True)
        return replace(table, row=replace(table.row, offer=agreed))

    def _taken_back(self, table: LoadedTable, seat: Seat, request: str, now: float) -> LoadedTable:
        number = table.require_log().undoable(seat)
        if number is None:
            raise refusal("undo")
        return table.with_row(RowKind.UNDO, seat, (str(number),), request, now)


def late_seat(table: LoadedTable, own: Seat) -> Seat | None:
    """Return another person's seat whose time is up or that has a stand-in, if any."""
    for chair in table.playing():
        if chair.seat is None or chair.seat == own or chair.person is None:
            continue
        clock = table.row.clocks.get(chair.seat)
        if chair.stand_in or (clock is not None and clock.overdue):
            return chair.seat
    return None


def _passed_on(table: LoadedTable, seat: Seat, person: Person, request: str, now: float) -> LoadedTable:
    """Give a seat to another person, emptying its drafts."""
    before = table.info.chair_at(seat).person
    assert before is not None  # leaving for good cancels one's offers
    former = (*table.info.former, FormerHolder(seat, before, now))
    new = table.with_chair(
        seat, person=person, name=person.name, stand_in=False, muted=False, away=False
    ).with_info(former=former)
    new = replace(new, row=replace(new.row, offer=None)).with_drafts(seat, table.drafts_of(seat).emptied())
    return new.with_row(RowKind.REPLACE, seat, (), f"replace:{request}", now)


def closed(table: LoadedTable, why: ClosedBy, request: str, now: float) -> LoadedTable:
    """Return the match closed: it has no outcome, and its seed stays secret forever."""
    new = replace(table, row=replace(table.row, offer=None))
    return new.with_row(RowKind.CLOSE, None, (why.value,), request, now)


class Closing:
    """Closes matches, each only once. The caller has checked permission."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def close(self, table_id: str, why: ClosedBy, request: HandledRequest | None = None) -> TableInfo:
        """Close a running match; raises ``Refusal``. ``request``: the interaction that asked for it."""

        async def work(table: LoadedTable) -> TableInfo:
            if request is not None:
                done = await self._cache.handled(request.id, table_id, request.person, request.act)
                if done is not None:
                    return table.info
            table.require_running()
            new = closed(table, why, f"close:{table_id}", self._cache.clock())
            return (await self._cache.settle(table, new, request=request)).info

        return await self._cache.attempt(table_id, work)

    async def close_idle(self, table_id: str, since: float) -> None:
        """Close a running match if nobody has acted since a Unix time."""

        async def work(table: LoadedTable) -> None:
            if table.info.status is Status.RUNNING and last_act(table) <= since:
                new = closed(table, ClosedBy.IDLE, f"close:{table_id}", self._cache.clock())
                await self._cache.settle(table, new)

        await self._cache.attempt(table_id, work)


def last_act(table: LoadedTable) -> float:
    """Return the Unix time of the last act in a match, or of its start; time-outs do not count."""
    rows = (row.at for row in reversed(table.require_log().rows) if row.kind in BY_PEOPLE)
    return next(rows, table.row.started_at or table.row.opened_at)


BY_PEOPLE = frozenset(
    {
        RowKind.ACT, RowKind.WITHDRAW, RowKind.OFFER, RowKind.DECLINE, RowKind.BACK, RowKind.GRANT,
        RowKind.PROPOSE, RowKind.CONSENT, RowKind.OBJECT, RowKind.PAUSE, RowKind.RESUME, RowKind.UNDO,
        RowKind.REPLACE,
    }
)  # fmt: skip
"""Rows that count as activity. Computer players' sentences do too: a match that they play alone goes on."""
