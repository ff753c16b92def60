"""A match and its log: the engine's match, draw offers, and what each viewer learned when.

Everything is derived from set-up, seed and log. Each row gives a new ``MatchLog``; none is changed in place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from types import MappingProxyType

from bot.domain.clocks import Remaining
from bot.domain.match import ClosedQuestion, LogRow, Motion, MotionKind, RowKind, Told, chain_of
from bot.domain.tables import ClosedBy
from bot.matches.closings import closed_draw, closed_motion
from bot.matches.handovers import HandOver, PublicSnapshot
from engines.core.contract import ActionError, Fact, Seat, Setup, Viewer, Words, facts_for
from engines.core.match import AnyGame, Entry, EntryKind, Match, is_note
from engines.core.optional_methods import Undoing

STEPS_BACK = 4
"""Maximum consecutive public steps that can be undone, one after the other."""

ENDS_MOTION = frozenset({RowKind.OBJECT, RowKind.PAUSE, RowKind.REPLACE, RowKind.CLOSE})
"""Rows that end a motion: an objection, or the row that carries it out."""

LEAVES = frozenset({RowKind.STAND_IN, RowKind.WITHDRAW})
"""Rows with which a seat's person becomes absent, temporarily or for good."""


def applied(match: Match, row: LogRow) -> Match:
    """Return a match after a row of its log; raises ``ActionError`` if the game refuses it.

    For a row outside the game, such as a draw offer, the match stays the same object.
    """
    kind = row.kind.entry
    return match if kind is None else match.apply(Entry(kind, row.seat, row.words, row.restore_id))


@dataclass(frozen=True, slots=True)
class BatchHeader:
    """The row that caused a batch of events, and the public counts after it."""

    row: int
    """The number of the row; 0: the start of the match."""
    at: float
    """Unix time of the row; 0.0 at the start."""
    epoch: int
    version: int
    turn: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class MatchLog:
    """A match, its log and its counts. ``headers`` has one entry per batch of ``match``."""

    match: Match
    rows: tuple[LogRow, ...]
    headers: tuple[BatchHeader, ...]
    public: PublicSnapshot
    people: frozenset[Seat]
    """The seats that people play; computers play all others."""
    handovers: tuple[HandOver, ...]
    offers: tuple[Seat, ...] = ()
    """The seats that offer a draw, in the order of their offers."""
    lapses: tuple[tuple[int, Seat], ...] = ()
    """Time-out decisions: the seat, and the version with which the public learned of the decision."""
    motion: Motion | None = None
    """The pending motion: proposed, but not agreed to by all."""
    draw_closed: ClosedQuestion | None = None
    """How the last draw offers were closed."""
    motion_closed: ClosedQuestion | None = None
    """How the last motion was closed."""
    unseen_lapses: tuple[Seat, ...] = ()
    """The seats of time-out decisions that the public does not know of yet."""
    undone: tuple[tuple[int, Seat], ...] = ()
    """Undos: the seat that undid its last turn, and the version with which the public learned of it."""
    undone_rows: frozenset[int] = frozenset()
    """The numbers of the rows that were undone, directly or along with another."""
    earlier: tuple[MatchLog, ...] = field(default=(), repr=False)
    """The log before each of the last public steps that can be undone, without its own ``earlier``."""
    restore_id: str = ""
    """The id of the last restore during the match; further rows are keyed with it."""

    def __repr__(self) -> str:
        return f"<MatchLog of {len(self.rows)} rows>"

    @classmethod
    def begin(
        cls, game: AnyGame, setup: Setup, seed: bytes, people: frozenset[Seat] | None = None
    ) -> MatchLog:
        """Begin a match; raises ``ValueError`` for a set-up that the game does not offer.

        ``people``: the seats that people play; ``None``: all of them.
        """
        match = Match.start(game, setup, seed)
        public = PublicSnapshot.first(match.view(None), game)
        people = frozenset(range(setup.seats)) if people is None else people
        handover = HandOver(public.epoch, public.waiting & people)
        return cls(match, (), (BatchHeader(0, 0.0, 1, 1),), public, people, (handover,))

    @classmethod
    def at(cls, match: Match) -> MatchLog:
        """Return the log of a match that begins in mid-game, for lessons; it is never stored."""
        public = PublicSnapshot.first(match.view(None), match.game)
        return cls(match, (), (BatchHeader(0, 0.0, 1, 1),), public, frozenset(), ())

    @classmethod
    def replay(
        cls,
        game: AnyGame,
        setup: Setup,
        seed: bytes,
        rows: Iterable[LogRow],
        people: frozenset[Seat] | None = None,
    ) -> MatchLog:
        """Replay a whole log; raises the error of the first row that is refused."""
        log, rows = cls.begin(game, setup, seed, people), tuple(rows)
        targets = {row.takes_back for row in rows if row.kind is RowKind.UNDO}
        stood: dict[int, MatchLog] = {}
        for row in rows:
            if row.seq in targets:
                stood[row.seq] = log
            # A recorded undo stays valid, even if later versions no longer allow it.
            undoes = row.kind is RowKind.UNDO
            log = log.taken_back(row, stood[row.takes_back]) if undoes else log.then(row)
        return log

    def then(self, row: LogRow) -> MatchLog:
        """Return the log after a stored row; raises ``ActionError`` if the game refuses it.

        Raises ``ValueError`` for an undo of a row that cannot be undone now.
        """
        if row.kind is not RowKind.UNDO:
            return self._with(row, applied(self.match, row))
        if row.seat is None or row.takes_back != self.undoable(row.seat):
            raise ValueError("this turn cannot be taken back")
        return self.taken_back(row, self.earlier[-1])

    def write(
        self,
        kind: RowKind,
        seat: Seat | None,
        words: Words,
        request: str,
        at: float,
        remaining: Mapping[Seat, Remaining] = MappingProxyType({}),
    ) -> MatchLog:
        """Return the log with a new row, including its digests; raises as :meth:`then` does.

        ``remaining``: the clocks' remaining time before the row, stored if the row can be undone.
        """
        row = LogRow(len(self.rows) + 1, kind, seat, words, "", request, at, restore_id=self.restore_id)
        after = self.then(row)
        row = replace(row, digest=self.digest if after.match is self.match else after.match.digest())
        if seat is not None and after.undoable(seat) == row.seq:
            row = replace(row, remaining=remaining)
        return replace(after, rows=(*self.rows, replace(row, chain=row.chained(chain_of(self.rows)))))

    @property
    def digest(self) -> str:
        """Return the digest of the current state."""
        return self.rows[-1].digest if self.rows else self.match.digest()

    def _with(self, row: LogRow, match: Match) -> MatchLog:
        rows = (*self.rows, row)
        if match is self.match:
            public = replace(self.public, version=self.public.version + 1)
            after = replace(
                self,
                rows=rows,
                public=public,
                offers=self._offers_after(row),
                people=self._people_after(row),
                motion=self._motion_after(row),
            )
            return self._with_closed(row, after)
        before, offers = self.public, self.offers
        public = self._public_after(match)
        # A seat that offered a draw may act without withdrawing it; any other public step cancels all offers.
        if public is not before and (row.kind is not RowKind.ACT or row.seat not in offers):
            offers = ()
        header = BatchHeader(len(rows), row.at, public.epoch, public.version, public.turn)
        handovers = self.handovers
        if public.epoch != before.epoch:
            entered = (public.waiting - before.waiting) & self.people
            handovers = (*handovers, HandOver(public.epoch, entered))
        unseen = self.unseen_lapses
        if row.kind is RowKind.LAPSE and row.seat is not None:
            unseen = (*unseen, row.seat)
        lapses, motion = self.lapses, self._motion_of_those_left(row)
        # A public step cancels a pending undo: the turn has been answered.
        if public is not before and motion is not None and motion.kind is MotionKind.UNDO:
            motion = None
        if public is not before:
            lapses, unseen = (*lapses, *((public.version, seat) for seat in unseen)), ()
        after = replace(
            self,
            match=match,
            rows=rows,
            headers=(*self.headers, header),
            public=public,
            handovers=handovers,
            offers=offers,
            lapses=lapses,
            motion=None if public.outcome is not None else motion,
            unseen_lapses=unseen,
            earlier=self.earlier if public is before else self._earlier_of(row, match, public),
        )
        return self._with_closed(row, after)

    def _with_closed(self, row: LogRow, after: MatchLog) -> MatchLog:
        """Return ``after``, the log after ``row``, with how that row closed what was asked."""
        ended, waiting = after.is_over, self.public.waiting
        if self.offers and not after.offers:
            after = replace(after, draw_closed=closed_draw(row, self.offers, waiting, ended=ended))
        if self.motion is not None and after.motion is None:
            after = replace(after, motion_closed=closed_motion(row, self.motion, ended=ended))
        return after

    def _offers_after(self, row: LogRow) -> tuple[Seat, ...]:
        """Return the open draw offers after a row outside the game."""
        if row.kind in (RowKind.DECLINE, RowKind.CLOSE):
            return ()
        return (*self.offers, row.seat) if row.kind is RowKind.OFFER and row.seat is not None else self.offers

    def _motion_after(self, row: LogRow) -> Motion | None:
        """Return the pending motion after a row outside the game."""
        motion = self.motion
        if row.kind is RowKind.PROPOSE and row.seat is not None:
            return Motion.read(row.seat, row.words)
        if row.kind is RowKind.CONSENT and row.seat is not None and motion is not None:
            return replace(motion, agreed=(*motion.agreed, row.seat))
        if row.kind in ENDS_MOTION:
            return None
        return self._motion_of_those_left(row)

    def _motion_of_those_left(self, row: LogRow) -> Motion | None:
        """Return the pending motion after a row with which a person may have left.

        It is dropped if its proposer left, or if nobody present still has to answer it.
        """
        motion = self.motion
        if motion is None or row.kind not in LEAVES:
            return motion
        withdrawn = {each.seat for each in (*self.rows, row) if each.kind is RowKind.WITHDRAW}
        there = self._people_after(row) - withdrawn
        answered = {motion.by, motion.about, *motion.agreed}
        return motion if motion.by in there and there - answered else None

    def granted(self) -> frozenset[Seat]:
        """Return the seats that were given more time since the last public step."""
        steps = zip(self.headers, self.headers[1:], strict=False)
        last = max((later.row for earlier, later in steps if later.version != earlier.version), default=0)
        rows = (row for row in self.rows[last:] if row.kind is RowKind.GRANT)
        return frozenset(row.seat for row in rows if row.seat is not None)

    def _people_after(self, row: LogRow) -> frozenset[Seat]:
        if row.seat is None or row.kind not in (RowKind.STAND_IN, RowKind.BACK, RowKind.REPLACE):
            return self.people
        return self.people - {row.seat} if row.kind is RowKind.STAND_IN else self.people | {row.seat}

    def _public_after(self, match: Match) -> PublicSnapshot:
        view = match.view(None)
        # The same object tells callers that the public learned nothing.
        if not facts_for(match.batches[-1], None) and view == self.public.view:
            return self.public
        return self.public.then(view, match.game, self.people)

    # --- undo ----------------------------------------------------------------------------------------

    def undoable(self, seat: Seat) -> int | None:
        """Return the number of the row that a seat can undo now, if all agree; ``None``: there is none.

        It is the last public step of the match, if the seat made it. Secret steps since then are ignored:
        otherwise the answer would reveal them.
        """
        if not self.earlier:
            return None
        row = self.rows[len(self.earlier[-1].rows)]
        return row.seq if row.seat == seat else None

    def undone_since(self, version: int) -> tuple[Seat, ...]:
        """Return the seats whose undos the public learned of after ``version``."""
        return tuple(dict.fromkeys(seat for at, seat in self.undone if at > version))

    def _earlier_of(self, row: LogRow, match: Match, public: PublicSnapshot) -> tuple[MatchLog, ...]:
        """Return the logs that can be returned to after a public step."""
        game, facts = match.game, facts_for(match.batches[-1], None)
        if row.kind.entry is not EntryKind.ACT or public.outcome is not None:
            return ()
        if not isinstance(game, Undoing) or not facts or not game.can_be_undone(facts):
            return ()
        # Each without its own ``earlier``: otherwise the whole past would stay in memory.
        return (*self.earlier, replace(self, earlier=()))[-STEPS_BACK:]

    def taken_back(self, row: LogRow, earlier: MatchLog) -> MatchLog:
        """Return the log after an undo ``row`` back to ``earlier``, a log of the same match.

        Notes and rows outside the game stay as they are.
        """
        match, headers, mark = earlier.match, [*earlier.headers], earlier.headers[-1]
        undone_rows = set(self.undone_rows)
        for said in self.rows[len(earlier.rows) :]:
            if said.kind.entry is None or said.seq in undone_rows:
                continue
            noted = self._noted_anew(match, said)
            if noted is None:
                undone_rows.add(said.seq)
            else:
                match = noted
                headers.append(replace(mark, row=said.seq, at=said.at))
        public, handovers = self.public.taken_back(earlier.public, self.people), self.handovers
        if public.epoch != self.public.epoch:
            entered = (public.waiting - self.public.waiting) & self.people
            handovers = (*handovers, HandOver(public.epoch, entered))
        after = replace(
            self,
            match=match,
            rows=(*self.rows, row),
            headers=tuple(headers),
            public=public,
            handovers=handovers,
            offers=(),
            lapses=earlier.lapses,
            motion=None,
            unseen_lapses=earlier.unseen_lapses,
            undone=self.undone if row.seat is None else (*self.undone, (public.version, row.seat)),
            undone_rows=frozenset(undone_rows),
            earlier=tuple(each for each in self.earlier if len(each.rows) < len(earlier.rows)),
        )
        return self._with_closed(row, after)

    def _noted_anew(self, match: Match, row: LogRow) -> Match | None:
        """Apply a later note to an earlier match; ``None`` if the row is no note, or is refused there."""
        if not is_note(match.game, row.words):
            return None
        try:
            return applied(match, row)
        except ActionError:
            return None

    # --- hand-overs ---------------------------------------------------------------------------------

    def epoch_at(self, version: int) -> int:
        """Return the epoch of a public version; 0: before the match."""
        later = bisect_right(self.handovers, version, key=lambda handover: handover.epoch)
        return self.handovers[later - 1].epoch if later else 0

    def entered_since(self, epoch: int) -> frozenset[Seat]:
        """Return the people's seats that are asked now and were first asked after the start of ``epoch``."""
        first = bisect_right(self.handovers, epoch, key=lambda handover: handover.epoch)
        entered = (handover.entered for handover in self.handovers[first:])
        return frozenset().union(*entered) & self.public.waiting

    # --- time-outs and endings ------------------------------------------------------------------------

    def lapsed_since(self, version: int) -> tuple[Seat, ...]:
        """Return the seats whose time-out decisions the public learned of after ``version``."""
        return tuple(dict.fromkeys(seat for at, seat in self.lapses if at > version))

    def ended_by(self, kind: RowKind) -> Seat | None:
        """Return the seat of the last row, if that is of ``kind``, such as a resignation."""
        return next((row.seat for row in self.rows[-1:] if row.kind is kind), None)

    @property
    def closed(self) -> ClosedBy | None:
        """Return why the match was closed without a result; ``None``: it is not closed."""
        return next((ClosedBy(row.words[0]) for row in self.rows[-1:] if row.kind is RowKind.CLOSE), None)

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended, with a result or without."""
        return self.public.outcome is not None or self.closed is not None

    @property
    def paused(self) -> bool:
        """Return whether the match is paused by agreement."""
        kinds = (row.kind for row in reversed(self.rows))
        return (
            next((kind for kind in kinds if kind in (RowKind.PAUSE, RowKind.RESUME)), None) is RowKind.PAUSE
        )

    # --- turns --------------------------------------------------------------------------------------

    def turn_began(self, turn: int) -> int:
        """Return the batch with which a turn began; turns count from 1, and turn 1 began with batch 0."""
        return bisect_left(self.headers, turn, key=lambda header: header.turn)

    def told_until(self, viewer: Viewer, first: int, last: int) -> tuple[Told, ...]:
        """Return what ``viewer`` learned from batch ``first`` to batch ``last``."""
        end = self.headers[last].row
        told = self.told(viewer, first)
        return tuple(each for _, each in takewhile(lambda item: item[0].row <= end, told))

    # --- what was learned -------------------------------------------------------------------------

    def opening(self) -> tuple[Fact, ...]:
        """Return the facts that the public learned since the previous epoch began, until this one began."""
        before = self.handovers[-2].epoch if len(self.handovers) > 1 else 0
        first = bisect_right(self.headers, before, key=lambda header: header.version)
        batches = takewhile(lambda each: each[0].version <= self.public.epoch, self.known(None, first))
        return tuple(fact for _, facts in batches for fact in facts)

    def told(self, viewer: Viewer, first: int = 0) -> Iterator[tuple[BatchHeader, Told]]:
        """Yield what ``viewer`` learned, batch by batch, from batch ``first`` on.

        Batches are numbered as the viewer can count them: the start is 0, and only batches from which the
        viewer learned something count. So no number reveals secret steps.
        """
        number = sum(self.match.batches.heard(each, viewer) for each in range(1, first))
        for header, facts in self.known(viewer, first):
            number += bool(facts) and header.row > 0
            for fact in facts:
                yield header, Told(number, fact)

    def told_by(self, row: LogRow, viewer: Viewer) -> tuple[Told, ...]:
        """Return what ``viewer`` learned from one row of the log."""
        told = self.told(viewer, self._first_of(row.seq))
        return tuple(each for _, each in takewhile(lambda item: item[0].row == row.seq, told))

    def told_since(self, version: int) -> tuple[Told, ...]:
        """Return what the public learned after ``version``; 0: everything."""
        first = bisect_right(self.headers, version, key=lambda header: header.version)
        return tuple(told for _, told in self.told(None, first))

    def news_of(self, seat: Seat) -> tuple[tuple[Told, ...], tuple[Told, ...]]:
        """Return what a seat has learned since its own last sentence: what it alone learned, and the rest.

        The first includes what that sentence itself revealed to it alone. Others' acts can reveal such facts
        too: the cards of somebody it met, shown a day later.
        """
        last = next((row.seq for row in self._said(seat) if row.seq not in self.undone_rows), -1)
        first = self._first_of(last)
        public = {header.row: facts for header, facts in self.known(None, first)}
        told = [(header.row, each) for header, each in self.told(seat, first)]
        own = tuple(each for row, each in told if each.fact not in public[row])
        return own, tuple(each for row, each in told if row > last and each.fact in public[row])

    def _first_of(self, row: int) -> int:
        """Return the first batch caused by a row of the log or a later one."""
        return bisect_left(self.headers, row, key=lambda header: header.row)

    def everything(self) -> Iterator[tuple[BatchHeader, tuple[Fact, ...]]]:
        """Yield every batch with each of its facts once, for all viewers: only for matches that are over.

        If seats learned something in a form of their own, only that form is included: it tells more.
        """
        for header, batch in zip(self.headers, self.match.batches, strict=True):
            audiences = [event.audience for event in batch]
            own = {each.seats for each in audiences if each.seats and not each.everyone_else}
            told = (
                event.fact
                for event in batch
                if not (event.audience.everyone_else and event.audience.seats in own)
            )
            yield header, tuple(dict.fromkeys(told))

    def known(self, viewer: Viewer, first: int = 0) -> Iterator[tuple[BatchHeader, tuple[Fact, ...]]]:
        """Yield every batch from ``first`` on, with the facts that ``viewer`` learned from it."""
        batches = self.match.batches
        for number, header in enumerate(self.headers[first:], first):
            yield header, facts_for(batches[number], viewer) if batches.heard(number, viewer) else ()

    # --- rows -------------------------------------------------------------------------------------

    def row_of(self, request: str) -> LogRow | None:
        """Return the row written by a request, if any."""
        return next((row for row in self.rows if row.request == request), None)

    def sentences(self, seat: Seat) -> int:
        """Return how many sentences a seat has said, without its notes.

        An undone sentence counts: deciding again is a new decision with a new answer.
        """
        return sum(1 for _ in self._said(seat))

    def _said(self, seat: Seat) -> Iterator[LogRow]:
        for row in reversed(self.rows):
            if (
                row.kind.entry is EntryKind.ACT
                and row.seat == seat
                and not is_note(self.match.game, row.words)
            ):
                yield row

    def only_notes_since(self, before: MatchLog) -> bool:
        """Return whether only notes were added since an earlier version of this log."""
        added = self.rows[len(before.rows) :]
        return bool(added) and all(
            row.kind.entry is EntryKind.ACT and is_note(self.match.game, row.words) for row in added
        )

    def undo_since(self, before: MatchLog | None) -> LogRow | None:
        """Return the undo row added since an earlier version of this log, if any."""
        added = self.rows[0 if before is None else len(before.rows) :]
        return next((row for row in reversed(added) if row.kind is RowKind.UNDO), None)
