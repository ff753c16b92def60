"""A match and its log: the engine's match, the offers of a draw, and what each viewer has learned when.

All of it follows from set-up, seed and log. Every row gives a new ``MatchLog``; none is changed in place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from types import MappingProxyType

from bot.domain.clocks import Remaining
from bot.domain.match import LogRow, RowKind, Told, chain_of
from bot.domain.motions import Motion, MotionKind
from bot.domain.tables import ClosedBy
from bot.matches.handovers import HandOver, PublicSnapshot
from engines.core.contract import ActionError, Fact, Seat, Setup, Viewer, Words, facts_for
from engines.core.match import AnyGame, Entry, EntryKind, Match, is_note
from engines.core.optional_methods import Undoing

STEPS_BACK = 4
"""Public steps in a row that can be taken back at most, one after the other."""

ENDS_MOTION = frozenset({RowKind.OBJECT, RowKind.PAUSE, RowKind.REPLACE, RowKind.CLOSE})
"""Rows after which no motion stands: somebody has objected, or it is carried out."""

LEAVES = frozenset({RowKind.STAND_IN, RowKind.WITHDRAW})
"""Rows with which the person of a seat is there no more, for a while or for good."""


def applied(match: Match, row: LogRow) -> Match:
    """Return a match after a row of its log; raises ``ActionError`` if the game refuses it.

    Of the house's own rows, such as offers of a draw, the match stays the very same.
    """
    kind = row.kind.entry
    return match if kind is None else match.apply(Entry(kind, row.seat, row.words, row.restore_id))


@dataclass(frozen=True, slots=True)
class BatchHeader:
    """Which row caused a batch of events, and how far the public could count after it."""

    row: int
    """How many rows of the log stood when the batch came; 0: the start."""
    at: float
    """Unix time of the row; 0.0 at the start."""
    epoch: int
    version: int
    turn: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class MatchLog:
    """A match, its log and its counts. ``headers`` has one entry for each batch of ``match``."""

    match: Match
    rows: tuple[LogRow, ...]
    headers: tuple[BatchHeader, ...]
    public: PublicSnapshot
    people: frozenset[Seat]
    """The seats that people hold: all others are computers'."""
    handovers: tuple[HandOver, ...]
    offers: tuple[Seat, ...] = ()
    """The seats that offer a draw, in the order of their offers."""
    lapses: tuple[tuple[int, Seat], ...] = ()
    """By the version with which the public learned of it: the seats for whom something was decided."""
    motion: Motion | None = None
    """What somebody has proposed, and not all have agreed to."""
    unseen_lapses: tuple[Seat, ...] = ()
    """The same, while the public has not noticed what was decided."""
    undone: tuple[tuple[int, Seat], ...] = ()
    """By the version with which the public learned of it: the seats that have taken back their last turn."""
    fallen: frozenset[int] = frozenset()
    """The numbers of the rows that were taken back, or fell with one that was."""
    earlier: tuple[MatchLog, ...] = field(default=(), repr=False)
    """What stood before each of the last public steps that may be taken back, none with its own."""
    restore_id: str = ""
    """The backup that was put back last while the match was on: the rows from now on are keyed with it."""

    def __repr__(self) -> str:
        return f"<MatchLog of {len(self.rows)} rows>"

    @classmethod
    def begin(
        cls, game: AnyGame, setup: Setup, seed: bytes, people: frozenset[Seat] | None = None
    ) -> MatchLog:
        """Begin a match; raises ``ValueError`` for a set-up that the game does not offer.

        ``people``: the seats that people hold; ``None``: all of them.
        """
        match = Match.start(game, setup, seed)
        public = PublicSnapshot.first(match.view(None), game)
        people = frozenset(range(setup.seats)) if people is None else people
        handover = HandOver(public.epoch, public.waiting & people)
        return cls(match, (), (BatchHeader(0, 0.0, 1, 1),), public, people, (handover,))

    @classmethod
    def at(cls, match: Match) -> MatchLog:
        """Return the log of a match that begins in mid-game, as in a lesson: it is never stored."""
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
        """Follow a whole log; raises the error of the first row that is refused."""
        log, rows = cls.begin(game, setup, seed, people), tuple(rows)
        targets = {row.takes_back for row in rows if row.kind is RowKind.UNDO}
        stood: dict[int, MatchLog] = {}
        for row in rows:
            if row.seq in targets:
                stood[row.seq] = log
            # What was once taken back stays so, whatever later versions let anybody take back.
            undoes = row.kind is RowKind.UNDO
            log = log.taken_back(row, stood[row.takes_back]) if undoes else log.then(row)
        return log

    def then(self, row: LogRow) -> MatchLog:
        """Return the log after a stored row; raises ``ActionError`` if the game refuses it.

        Raises ``ValueError`` for a row that takes back what cannot be taken back now.
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
        """Return the log with one more row, digest and all; raises as :meth:`then`.

        ``remaining``, what the clocks have left before it, is kept if the row may be taken back.
        """
        row = LogRow(len(self.rows) + 1, kind, seat, words, "", request, at, restore_id=self.restore_id)
        after = self.then(row)
        row = replace(row, digest=self.digest if after.match is self.match else after.match.digest())
        if seat is not None and after.undoable(seat) == row.seq:
            row = replace(row, remaining=remaining)
        return replace(after, rows=(*self.rows, replace(row, chain=row.chained(chain_of(self.rows)))))

    @property
    def digest(self) -> str:
        """Return the digest of the state: the log's last, or that of the start."""
        return self.rows[-1].digest if self.rows else self.match.digest()

    def _with(self, row: LogRow, match: Match) -> MatchLog:
        rows = (*self.rows, row)
        if match is self.match:
            public = replace(self.public, version=self.public.version + 1)
            return replace(
                self,
                rows=rows,
                public=public,
                offers=self._offers_after(row),
                people=self._people_after(row),
                motion=self._motion_after(row),
            )
        before, offers = self.public, self.offers
        public = self._public_after(match)
        # Whoever offers a draw and plays on still offers it; any other public step takes the offers away.
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
        # What was to be taken back has been answered by now.
        if public is not before and motion is not None and motion.kind is MotionKind.UNDO:
            motion = None
        if public is not before:
            lapses, unseen = (*lapses, *((public.version, seat) for seat in unseen)), ()
        return replace(
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

    def _offers_after(self, row: LogRow) -> tuple[Seat, ...]:
        """Return the offers of a draw that stand after a row of the house's own."""
        if row.kind in (RowKind.DECLINE, RowKind.CLOSE):
            return ()
        return (*self.offers, row.seat) if row.kind is RowKind.OFFER and row.seat is not None else self.offers

    def _motion_after(self, row: LogRow) -> Motion | None:
        """Return the motion that stands after a row of the house's own."""
        motion = self.motion
        if row.kind is RowKind.PROPOSE and row.seat is not None:
            return Motion.read(row.seat, row.words)
        if row.kind is RowKind.CONSENT and row.seat is not None and motion is not None:
            return replace(motion, agreed=(*motion.agreed, row.seat))
        if row.kind in ENDS_MOTION:
            return None
        return self._motion_of_those_left(row)

    def _motion_of_those_left(self, row: LogRow) -> Motion | None:
        """Return the motion that stands after a row, by which somebody may have left.

        It falls with who proposed it, and where nobody who is there has still to answer it.
        """
        motion = self.motion
        if motion is None or row.kind not in LEAVES:
            return motion
        withdrawn = {each.seat for each in (*self.rows, row) if each.kind is RowKind.WITHDRAW}
        there = self._people_after(row) - withdrawn
        answered = {motion.by, motion.about, *motion.agreed}
        return motion if motion.by in there and there - answered else None

    def granted(self) -> frozenset[Seat]:
        """Return the seats that were given time since the public last learned something of the match."""
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
        # The very same snapshot tells callers that the public learned nothing.
        if not facts_for(match.batches[-1], None) and view == self.public.view:
            return self.public
        return self.public.then(view, match.game, self.people)

    # --- what is taken back --------------------------------------------------------------------------

    def undoable(self, seat: Seat) -> int | None:
        """Return the number of the row with which a seat has said what it may take back now, if all agree.

        That is the last public step of the match, if the seat made it; ``None``: there is nothing to take
        back. Secret steps since then do not count, or the answer would tell of them.
        """
        if not self.earlier:
            return None
        row = self.rows[len(self.earlier[-1].rows)]
        return row.seq if row.seat == seat else None

    def undone_since(self, version: int) -> tuple[Seat, ...]:
        """Return who has taken a turn back, as the public learned after the board of ``version``."""
        return tuple(dict.fromkeys(seat for at, seat in self.undone if at > version))

    def _earlier_of(self, row: LogRow, match: Match, public: PublicSnapshot) -> tuple[MatchLog, ...]:
        """Return what may be gone back to after a public step, from where it was made."""
        game, facts = match.game, facts_for(match.batches[-1], None)
        if row.kind.entry is not EntryKind.ACT or public.outcome is not None:
            return ()
        if not isinstance(game, Undoing) or not facts or not game.can_be_undone(facts):
            return ()
        # Without theirs: or all that ever was would stay in memory.
        return (*self.earlier, replace(self, earlier=()))[-STEPS_BACK:]

    def taken_back(self, row: LogRow, earlier: MatchLog) -> MatchLog:
        """Return the log after a row that takes all back to ``earlier``, a log of the same match.

        Notes stay as they are, and so does what the house has written since.
        """
        match, headers, mark = earlier.match, [*earlier.headers], earlier.headers[-1]
        fallen = set(self.fallen)
        for said in self.rows[len(earlier.rows) :]:
            if said.kind.entry is None or said.seq in fallen:
                continue
            noted = self._noted_anew(match, said)
            if noted is None:
                fallen.add(said.seq)
            else:
                match = noted
                headers.append(replace(mark, row=said.seq, at=said.at))
        public, handovers = self.public.taken_back(earlier.public, self.people), self.handovers
        if public.epoch != self.public.epoch:
            entered = (public.waiting - self.public.waiting) & self.people
            handovers = (*handovers, HandOver(public.epoch, entered))
        return replace(
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
            fallen=frozenset(fallen),
            earlier=tuple(each for each in self.earlier if len(each.rows) < len(earlier.rows)),
        )

    def _noted_anew(self, match: Match, row: LogRow) -> Match | None:
        """Return an earlier match with a note that was taken since; ``None`` for all that is no note."""
        if not is_note(match.game, row.words):
            return None
        try:
            return applied(match, row)
        except ActionError:
            return None

    # --- hand-overs ---------------------------------------------------------------------------------

    def epoch_at(self, version: int) -> int:
        """Return the epoch to which a version of the public belongs; 0: it is older than the match."""
        later = bisect_right(self.handovers, version, key=lambda handover: handover.epoch)
        return self.handovers[later - 1].epoch if later else 0

    def entered_since(self, epoch: int) -> frozenset[Seat]:
        """Return the people who are asked now, and were first asked so after an epoch had begun."""
        first = bisect_right(self.handovers, epoch, key=lambda handover: handover.epoch)
        entered = (handover.entered for handover in self.handovers[first:])
        return frozenset().union(*entered) & self.public.waiting

    # --- time that was up -----------------------------------------------------------------------------

    def lapsed_since(self, version: int) -> tuple[Seat, ...]:
        """Return for whom something was decided, as the public learned after the board of ``version``."""
        return tuple(dict.fromkeys(seat for at, seat in self.lapses if at > version))

    @property
    def claimed(self) -> Seat | None:
        """Return the seat whose time was up when the match was claimed."""
        return next((row.seat for row in self.rows[-1:] if row.kind is RowKind.CLAIM), None)

    @property
    def closed(self) -> ClosedBy | None:
        """Return why the match was closed without a result; ``None``: it was not."""
        return next((ClosedBy(row.words[0]) for row in self.rows[-1:] if row.kind is RowKind.CLOSE), None)

    @property
    def paused(self) -> bool:
        """Return whether all have agreed that no clock runs."""
        kinds = (row.kind for row in reversed(self.rows))
        return (
            next((kind for kind in kinds if kind in (RowKind.PAUSE, RowKind.RESUME)), None) is RowKind.PAUSE
        )

    # --- turns --------------------------------------------------------------------------------------

    def turn_began(self, turn: int) -> int:
        """Return the batch with which a turn began, from 1 on; the first one begins with the start, 0."""
        return bisect_left(self.headers, turn, key=lambda header: header.turn)

    def told_until(self, viewer: Viewer, first: int, last: int) -> tuple[Told, ...]:
        """Return what ``viewer`` learned from the batch ``first`` up to the batch ``last``."""
        end = self.headers[last].row
        told = self.told(viewer, first)
        return tuple(each for _, each in takewhile(lambda item: item[0].row <= end, told))

    # --- what was learned -------------------------------------------------------------------------

    def opening(self) -> tuple[Fact, ...]:
        """Return what the public learned from the epoch before its own up to the batch that began its own."""
        before = self.handovers[-2].epoch if len(self.handovers) > 1 else 0
        first = bisect_right(self.headers, before, key=lambda header: header.version)
        batches = takewhile(lambda each: each[0].version <= self.public.epoch, self.known(None, first))
        return tuple(fact for _, facts in batches for fact in facts)

    def told(self, viewer: Viewer, first: int = 0) -> Iterator[tuple[BatchHeader, Told]]:
        """Yield what ``viewer`` learned, batch by batch, from the batch ``first`` on.

        The batches are numbered as the viewer can count them: those that told it something, and the
        start, which is 0. So no number tells of what happened in secret.
        """
        number = sum(self.match.batches.heard(each, viewer) for each in range(1, first))
        for header, facts in self.known(viewer, first):
            number += bool(facts) and header.row > 0
            for fact in facts:
                yield header, Told(number, fact)

    def told_by(self, row: LogRow, viewer: Viewer) -> tuple[Told, ...]:
        """Return what ``viewer`` learned by one row of the log."""
        told = self.told(viewer, self._first_of(row.seq))
        return tuple(each for _, each in takewhile(lambda item: item[0].row == row.seq, told))

    def told_since(self, version: int) -> tuple[Told, ...]:
        """Return what the public learned after the board of ``version``; 0: everything."""
        first = bisect_right(self.headers, version, key=lambda header: header.version)
        return tuple(told for _, told in self.told(None, first))

    def news_of(self, seat: Seat) -> tuple[tuple[Told, ...], tuple[Told, ...]]:
        """Return what a seat has learned since its own last sentence: what it alone did, and all else.

        The first holds what that sentence itself told it alone. It may come by others' acts too: the cards
        of somebody who was met, shown a day later.
        """
        last = next((row.seq for row in self._said(seat) if row.seq not in self.fallen), -1)
        first = self._first_of(last)
        public = {header.row: facts for header, facts in self.known(None, first)}
        told = [(header.row, each) for header, each in self.told(seat, first)]
        own = tuple(each for row, each in told if each.fact not in public[row])
        return own, tuple(each for row, each in told if row > last and each.fact in public[row])

    def _first_of(self, row: int) -> int:
        """Return the first batch that a row of the log, or a later one, has caused."""
        return bisect_left(self.headers, row, key=lambda header: header.row)

    def everything(self) -> Iterator[tuple[BatchHeader, tuple[Fact, ...]]]:
        """Yield every batch with each of its facts once, whoever learned it: for matches that are over."""
        for header, batch in zip(self.headers, self.match.batches, strict=True):
            yield header, tuple(dict.fromkeys(event.fact for event in batch))

    def known(self, viewer: Viewer, first: int = 0) -> Iterator[tuple[BatchHeader, tuple[Fact, ...]]]:
        """Yield every batch, from ``first`` on, with the facts that ``viewer`` learned."""
        batches = self.match.batches
        for number, header in enumerate(self.headers[first:], first):
            yield header, facts_for(batches[number], viewer) if batches.heard(number, viewer) else ()

    # --- rows -------------------------------------------------------------------------------------

    def row_of(self, request: str) -> LogRow | None:
        """Return the row that a request wrote."""
        return next((row for row in self.rows if row.request == request), None)

    def sentences(self, seat: Seat) -> int:
        """Return how many sentences a seat has said; its notes are none.

        One that was taken back counts: what is asked again is another decision, and its answer another one.
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
        """Return whether notes are all that was added to an earlier version of this log."""
        added = self.rows[len(before.rows) :]
        return bool(added) and all(
            row.kind.entry is EntryKind.ACT and is_note(self.match.game, row.words) for row in added
        )

    def undo_since(self, before: MatchLog | None) -> LogRow | None:
        """Return the row with which a turn was taken back since an earlier version of this log."""
        added = self.rows[0 if before is None else len(before.rows) :]
        return next((row for row in reversed(added) if row.kind is RowKind.UNDO), None)
