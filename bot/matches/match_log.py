"""A match as its log tells it: the engine's match, who offered a draw, and what the public can count.

All of it follows from set-up, seed and log. Every row gives a new chronicle; none is changed in place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.match import LogRow, RowKind, Told
from engines.core.contract import Fact, Outcome, Seat, Setup, Viewer, Words, facts_for
from engines.core.match import AnyGame, Entry, EntryKind, Match

_ENTRIES = {
    RowKind.ACT: EntryKind.ACT,
    RowKind.WITHDRAW: EntryKind.WITHDRAW,
    RowKind.AGREE: EntryKind.AGREE,
}


@dataclass(frozen=True, slots=True)
class Mark:
    """Where one batch of events stands in what the public can count."""

    row: int
    """How many rows of the log stood when the batch came; 0: the start."""
    at: float
    """Unix time of the row; 0.0 at the start."""
    epoch: int
    version: int


@dataclass(frozen=True, slots=True)
class Public:
    """What the public sees of a match."""

    view: Any = field(repr=False)
    waiting: frozenset[Seat]
    epoch: int
    version: int
    outcome: Outcome | None = None
    before: Any = field(default=None, repr=False)
    """What the public saw before the epoch began; ``None`` in the first one."""


@dataclass(frozen=True, slots=True, repr=False)
class MatchLog:
    """A match, its log and its counts. ``marks`` has one entry a batch of ``match``."""

    match: Match
    rows: tuple[LogRow, ...]
    marks: tuple[Mark, ...]
    public: Public
    offers: tuple[Seat, ...] = ()
    """The seats that offer a draw, in the order of their offers."""

    def __repr__(self) -> str:
        return f"<MatchLog of {len(self.rows)} rows>"

    @classmethod
    def begin(cls, game: AnyGame, setup: Setup, seed: bytes) -> MatchLog:
        """Begin a match; raises ``ValueError`` for a set-up that the game does not offer."""
        match = Match.start(game, setup, seed)
        view = match.view(None)
        public = Public(view, game.waiting(view), 1, 1, game.outcome(view))
        return cls(match, (), (Mark(0, 0.0, 1, 1),), public)

    @classmethod
    def replay(cls, game: AnyGame, setup: Setup, seed: bytes, rows: Iterable[LogRow]) -> MatchLog:
        """Follow a whole log; raises the error of the first row that is refused."""
        chronicle = cls.begin(game, setup, seed)
        for row in rows:
            chronicle = chronicle.then(row)
        return chronicle

    def then(self, row: LogRow) -> MatchLog:
        """Return the chronicle after a stored row; raises ``ActionError`` if the game refuses it."""
        return self._with(row, self._match_after(row.kind, row.seat, row.words))

    def write(self, kind: RowKind, seat: Seat | None, words: Words, request: str, at: float) -> MatchLog:
        """Return the chronicle with one more row, digest and all; raises ``ActionError``."""
        match = self._match_after(kind, seat, words)
        digest = self.digest if match is self.match else match.digest()
        return self._with(LogRow(len(self.rows) + 1, kind, seat, words, digest, request, at), match)

    @property
    def digest(self) -> str:
        """Return the digest of the state: the log's last, or that of the start."""
        return self.rows[-1].digest if self.rows else self.match.digest()

    def _match_after(self, kind: RowKind, seat: Seat | None, words: Words) -> Match:
        """Return the engine's match after a row; the very same for rows of the house alone."""
        entry = _ENTRIES.get(kind)
        return self.match if entry is None else self.match.apply(Entry(entry, seat, words))

    def _with(self, row: LogRow, match: Match) -> MatchLog:
        if match is self.match:
            return self._offered(row)
        public = self._shown(match)
        offers = self.offers
        if public is not self.public and (row.kind is not RowKind.ACT or row.seat not in offers):
            offers = ()
        rows = (*self.rows, row)
        mark = Mark(len(rows), row.at, public.epoch, public.version)
        return MatchLog(match, rows, (*self.marks, mark), public, offers)

    def _offered(self, row: LogRow) -> MatchLog:
        public = replace(self.public, version=self.public.version + 1)
        offers = (*self.offers, row.seat) if row.kind is RowKind.OFFER and row.seat is not None else ()
        return replace(self, rows=(*self.rows, row), public=public, offers=offers)

    def _shown(self, match: Match) -> Public:
        """Return what the public sees now; the very same where it learned nothing."""
        before, view = self.public, match.view(None)
        if not facts_for(match.batches[-1], None) and view == before.view:
            return before
        waiting = match.game.waiting(view)
        merely_done = bool(waiting) and waiting < before.waiting
        epoch, version = before.epoch + (not merely_done), before.version + 1
        earlier = before.before if merely_done else before.view
        return Public(view, waiting, epoch, version, match.game.outcome(view), earlier)

    def opening(self) -> tuple[Fact, ...]:
        """Return what the public learned by the batch that began its epoch."""
        first = bisect_left(self.marks, self.public.epoch, key=lambda mark: mark.epoch)
        return facts_for(self.match.batches[first], None)

    def told(self, viewer: Viewer) -> tuple[tuple[Mark, Told], ...]:
        """Return what ``viewer`` learned, batch by batch.

        The batches are numbered as the viewer can count them: those that told it something, and the
        start, which is 0. So no number tells of what happened in secret.
        """
        return tuple(self._told(viewer))

    def _told(self, viewer: Viewer) -> Iterator[tuple[Mark, Told]]:
        number = 0
        for mark, batch in zip(self.marks, self.match.batches, strict=True):
            facts = facts_for(batch, viewer)
            number += bool(facts) and mark.row > 0
            for item in facts:
                yield mark, Told(number, item)

    def told_by(self, row: LogRow, viewer: Viewer) -> tuple[Told, ...]:
        """Return what ``viewer`` learned by one row of the log."""
        return tuple(told for mark, told in self._told(viewer) if mark.row == row.seq)

    def told_since(self, version: int) -> tuple[Told, ...]:
        """Return what the public learned after the board of ``version``; 0: everything."""
        return tuple(told for mark, told in self._told(None) if mark.version > version)

    def told_since_act(self, seat: Seat) -> tuple[Told, ...]:
        """Return what a seat learned after its own last sentence."""
        last = max((row.seq for row in self.rows if row.kind is RowKind.ACT and row.seat == seat), default=-1)
        return tuple(told for mark, told in self._told(seat) if mark.row > last)

    def everything(self) -> Iterator[tuple[Mark, tuple[Fact, ...]]]:
        """Yield every batch with each of its facts once, whoever learned it: for matches that are over."""
        for mark, batch in zip(self.marks, self.match.batches, strict=True):
            yield mark, tuple(dict.fromkeys(event.fact for event in batch))

    def known(self, viewer: Viewer) -> Iterator[tuple[Mark, tuple[Fact, ...]]]:
        """Yield every batch with the facts that ``viewer`` learned."""
        for mark, batch in zip(self.marks, self.match.batches, strict=True):
            yield mark, facts_for(batch, viewer)

    def row_of(self, request: str) -> LogRow | None:
        """Return the row that a request wrote."""
        return next((row for row in self.rows if row.request == request), None)

    def sentences(self, seat: Seat) -> int:
        """Return how many sentences a seat has said."""
        return sum(1 for row in self.rows if row.kind is RowKind.ACT and row.seat == seat)
