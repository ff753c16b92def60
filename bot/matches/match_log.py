"""A match and its log: the engine's match, the offers of a draw, and what each viewer has learned when.

All of it follows from set-up, seed and log. Every row gives a new ``MatchLog``; none is changed in place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from bot.domain.match import LogRow, RowKind, Told, chain_of
from engines.core.contract import Fact, Outcome, Seat, Setup, Viewer, Words, facts_for
from engines.core.match import AnyGame, Entry, EntryKind, Match, is_note

_ENTRIES = {
    RowKind.ACT: EntryKind.ACT,
    RowKind.WITHDRAW: EntryKind.WITHDRAW,
    RowKind.AGREE: EntryKind.AGREE,
}


@dataclass(frozen=True, slots=True)
class BatchHeader:
    """Which row caused a batch of events, and how far the public could count after it."""

    row: int
    """How many rows of the log stood when the batch came; 0: the start."""
    at: float
    """Unix time of the row; 0.0 at the start."""
    epoch: int
    version: int


@dataclass(frozen=True, slots=True)
class PublicSnapshot:
    """What the public sees of a match."""

    view: Any = field(repr=False)
    waiting: frozenset[Seat]
    epoch: int
    """Counts the boards: a new number asks for a new message."""
    version: int
    """Counts all that the public learned."""
    outcome: Outcome | None = None
    before: Any = field(default=None, repr=False)
    """What the public saw before the epoch began; ``None`` in the first one."""


@dataclass(frozen=True, slots=True, repr=False)
class MatchLog:
    """A match, its log and its counts. ``headers`` has one entry for each batch of ``match``."""

    match: Match
    rows: tuple[LogRow, ...]
    headers: tuple[BatchHeader, ...]
    public: PublicSnapshot
    offers: tuple[Seat, ...] = ()
    """The seats that offer a draw, in the order of their offers."""

    def __repr__(self) -> str:
        return f"<MatchLog of {len(self.rows)} rows>"

    @classmethod
    def begin(cls, game: AnyGame, setup: Setup, seed: bytes) -> MatchLog:
        """Begin a match; raises ``ValueError`` for a set-up that the game does not offer."""
        match = Match.start(game, setup, seed)
        view = match.view(None)
        public = PublicSnapshot(view, game.waiting(view), 1, 1, game.outcome(view))
        return cls(match, (), (BatchHeader(0, 0.0, 1, 1),), public)

    @classmethod
    def replay(cls, game: AnyGame, setup: Setup, seed: bytes, rows: Iterable[LogRow]) -> MatchLog:
        """Follow a whole log; raises the error of the first row that is refused."""
        log = cls.begin(game, setup, seed)
        for row in rows:
            log = log.then(row)
        return log

    def then(self, row: LogRow) -> MatchLog:
        """Return the log after a stored row; raises ``ActionError`` if the game refuses it."""
        return self._with(row, self._match_after(row.kind, row.seat, row.words))

    def write(self, kind: RowKind, seat: Seat | None, words: Words, request: str, at: float) -> MatchLog:
        """Return the log with one more row, digest and all; raises ``ActionError``."""
        match = self._match_after(kind, seat, words)
        digest = self.digest if match is self.match else match.digest()
        row = LogRow(len(self.rows) + 1, kind, seat, words, digest, request, at)
        return self._with(replace(row, chain=row.chained(chain_of(self.rows))), match)

    @property
    def digest(self) -> str:
        """Return the digest of the state: the log's last, or that of the start."""
        return self.rows[-1].digest if self.rows else self.match.digest()

    def _match_after(self, kind: RowKind, seat: Seat | None, words: Words) -> Match:
        # Offers of a draw are the house's own: the engine's match stays the very same.
        entry = _ENTRIES.get(kind)
        return self.match if entry is None else self.match.apply(Entry(entry, seat, words))

    def _with(self, row: LogRow, match: Match) -> MatchLog:
        rows = (*self.rows, row)
        if match is self.match:
            public = replace(self.public, version=self.public.version + 1)
            offers = (*self.offers, row.seat) if row.kind is RowKind.OFFER and row.seat is not None else ()
            return replace(self, rows=rows, public=public, offers=offers)
        public, offers = self._public_after(match), self.offers
        # Whoever offers a draw and plays on still offers it; any other public step takes the offers away.
        if public is not self.public and (row.kind is not RowKind.ACT or row.seat not in offers):
            offers = ()
        header = BatchHeader(len(rows), row.at, public.epoch, public.version)
        return MatchLog(match, rows, (*self.headers, header), public, offers)

    def _public_after(self, match: Match) -> PublicSnapshot:
        # The very same snapshot tells callers that the public learned nothing.
        before, view = self.public, match.view(None)
        if not facts_for(match.batches[-1], None) and view == before.view:
            return before
        waiting = match.game.waiting(view)
        # While all decide at once, each who is done only leaves the circle: the board is edited, not posted.
        merely_done = bool(waiting) and waiting < before.waiting
        epoch, version = before.epoch + (not merely_done), before.version + 1
        earlier = before.before if merely_done else before.view
        return PublicSnapshot(view, waiting, epoch, version, match.game.outcome(view), earlier)

    # --- what was learned -------------------------------------------------------------------------

    def opening(self) -> tuple[Fact, ...]:
        """Return what the public learned by the batch that began its epoch."""
        first = bisect_left(self.headers, self.public.epoch, key=lambda header: header.epoch)
        return facts_for(self.match.batches[first], None)

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
        last = next((row.seq for row in self._said(seat)), -1)
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
        """Return how many sentences a seat has said; its notes are none."""
        return sum(1 for _ in self._said(seat))

    def _said(self, seat: Seat) -> Iterator[LogRow]:
        for row in reversed(self.rows):
            if row.kind is RowKind.ACT and row.seat == seat and not is_note(self.match.game, row.words):
                yield row

    def only_notes_since(self, before: MatchLog) -> bool:
        """Return whether notes are all that was added to an earlier version of this log."""
        added = self.rows[len(before.rows) :]
        return bool(added) and all(is_note(self.match.game, row.words) for row in added)
