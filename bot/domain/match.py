"""A match as it is stored and as its readers see it: rows of the log, drafts, boards, panels, receipts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from typing import Any

from bot.domain.clocks import Clock, Remaining
from bot.domain.motions import Motion
from bot.domain.refusals import Refusal
from bot.domain.tables import ClosedBy, SeatOffer, Status, TableInfo
from engines.core.contract import Fact, Field, Menu, Msg, Outcome, Seat, Words
from engines.core.match import EntryKind


class RowKind(Enum):
    """What a row of a match's log says: those with an :attr:`entry` are the engine's."""

    ACT = "act"
    WITHDRAW = "withdraw"
    AGREE = "agree"
    LAPSE = "lapse"
    """A sentence that was said for a seat whose time was up."""
    CLAIM = "claim"
    """A seat whose time was up is gone: the one who waited claims the match."""
    OFFER = "offer"
    DECLINE = "decline"
    TIME_UP = "time_up"
    """A seat's time is up, and another one may say what becomes of it."""
    STAND_IN = "stand_in"
    """A computer player keeps a seat until its person comes back."""
    BACK = "back"
    """The person of a seat is back."""
    GRANT = "grant"
    """A seat was given more time."""
    PROPOSE = "propose"
    """A seat proposes what all others have to agree to; the words say what."""
    CONSENT = "consent"
    OBJECT = "object"
    PAUSE = "pause"
    """No clock runs any more: all have agreed."""
    RESUME = "resume"
    """The clocks run on."""
    UNDO = "undo"
    """A seat's last sentence is taken back; the words say which row that was."""
    CLOSE = "close"
    """The match is closed without a result; the words say why."""
    REPLACE = "replace"
    """A seat has passed on to somebody else."""

    @property
    def entry(self) -> EntryKind | None:
        """Return what the row is to the engine; ``None``: the match stays the very same."""
        return _ENTRIES.get(self)


_ENTRIES = {
    RowKind.ACT: EntryKind.ACT,
    RowKind.LAPSE: EntryKind.ACT,
    RowKind.WITHDRAW: EntryKind.WITHDRAW,
    RowKind.CLAIM: EntryKind.WITHDRAW,
    RowKind.AGREE: EntryKind.AGREE,
}


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of the log: never changed, never deleted. ``digest`` is of the state after it."""

    seq: int
    kind: RowKind
    seat: Seat | None
    words: Words = field(repr=False)
    digest: str = field(repr=False)
    request: str
    at: float
    """Unix time."""
    chain: str = field(default="", repr=False)
    """A digest of this row and of all before it; empty in rows that are older than this column."""
    remaining: Mapping[Seat, Remaining] = field(default_factory=dict, repr=False)
    """What the clocks had left before a row that may be taken back; no part of the chain."""
    restore_id: str = ""
    """The backup that was put back last before the row, which keys what it draws; empty: none was."""

    def chained(self, before: str) -> str:
        """Return what :attr:`chain` has to be after a row with the chain ``before``."""
        kind, words = self.kind.value, list(self.words)
        row = [before, self.seq, kind, self.seat, words, self.digest, self.request, float(self.at)]
        if self.restore_id:
            row.append(self.restore_id)
        return hashlib.sha256(json.dumps(row).encode()).hexdigest()

    @property
    def takes_back(self) -> int:
        """Return the number of the row that is taken back; raises ``ValueError`` where none is."""
        if self.kind is not RowKind.UNDO or len(self.words) != 1:
            raise ValueError("this row takes nothing back")
        return int(self.words[0])


def chain_of(rows: Sequence[LogRow]) -> str:
    """Return the chain of the last of all rows of a log, whether it is noted there or not."""
    if rows and rows[-1].chain:
        return rows[-1].chain
    return reduce(lambda before, row: row.chained(before), rows, "")


@dataclass(frozen=True, slots=True)
class Preset:
    """The last sentence that a person said at a menu, kept for their next match, in the game's notation."""

    game: str
    menu: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """The beginning of a sentence, not yet said."""

    words: Words = field(default=(), repr=False)
    revision: int = 0
    """Grows with every change, and never goes back."""
    cut: int = 0
    """How many words fell away at the end when the match moved on."""
    trail: tuple[Words, ...] = field(default=(), repr=False)
    """What the draft was before each of its last changes, the latest at the end: what Back leads to."""
    confirmed: int | None = None
    """The revision at which its person last confirmed a sentence, until another is begun or said for them."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """Whose draft: a seat's own, or the second one for asides."""

    seat: Seat
    aside: bool
    draft: Draft


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened, as one viewer learns it. ``batch`` 0 is the start of the match."""

    batch: int
    fact: Fact = field(repr=False)


@dataclass(frozen=True, slots=True)
class Board:
    """The match as the public sees it: all that the thread shows."""

    table: TableInfo
    view: Any = field(repr=False)
    epoch: int
    """The version with which the last hand-over came: a new number asks for a new message."""
    version: int
    """Counts public batches: grows with everything that the public learned."""
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the public learned since the hand-over with which the message before this epoch's came."""
    draw_offers: tuple[Seat, ...]
    outcome: Outcome | None
    seed: bytes | None = field(repr=False)
    """The seed, once the match is over."""
    part: bytes | None = field(default=None, repr=False)
    """The house's part of the shuffle, once the match is over."""
    before: Any = field(default=None, repr=False)
    """What the public saw when the epoch before this one began; ``None`` in the first one."""
    opening: tuple[Fact, ...] = field(default=(), repr=False)
    """What the public learned from then on until this one began."""
    called: tuple[Seat, ...] = ()
    """The people whom the message pings: asked since the message before it, and in the thread."""
    written_to: tuple[Seat, ...] = ()
    """Those who are asked since then by direct message instead."""
    resting: Mapping[Seat, float] = field(default_factory=dict)
    """Those who are asked since then in their quiet hours, and until when these last: pings come later."""
    clocks: Mapping[Seat, Clock] = field(default_factory=dict)
    """The clocks of those whom the match waits for; only what the public may know of them."""
    overdue: tuple[Seat, ...] = ()
    """The seats whose time is up, where another one may say what becomes of it."""
    lapsed: tuple[Seat, ...] = ()
    """The seats for whom something was decided, of which the public learned as of :attr:`told`."""
    motion: Motion | None = None
    """What somebody has proposed, and the others have to answer."""
    asked_to_agree: tuple[Seat, ...] = ()
    """Who has still to answer it."""
    offer: SeatOffer | None = None
    """A seat that is offered to somebody."""
    paused: bool = False
    """Whether all have agreed that no clock runs."""
    closed: ClosedBy | None = None
    """Why the match was closed without a result."""
    undone: tuple[Seat, ...] = ()
    """The seats that have taken a turn back, as of :attr:`told`."""
    claimed: Seat | None = None
    """The seat whose time was up when the other claimed the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPanel:
    """What every private panel shows: what a seat sees with its draft tried out, and what it may say next."""

    seat: Seat
    view: Any = field(repr=False)
    """The preview of the draft, or the seat's view where nothing is drafted."""
    menu: Menu | None = field(repr=False)
    """What may be said next; ``None``: nothing is asked of the seat and nothing open to it."""
    draft: Words = field(repr=False)
    revision: int
    preset: Words | None = field(default=None, repr=False)
    """The last sentence that this person kept for this menu, where it may be said now."""
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    """What changed under the person's hands (the house's own texts): stale click, cut draft, refusal."""
    refusal: Msg | None = field(default=None, repr=False)
    """Why the game refused the last word, a text of the game's catalogue."""
    reveals: bool = False
    """The draft's last word lets the seat learn something hidden: once confirmed, it stands."""
    answered: Field | None = field(default=None, repr=False)
    """The field that the draft's last word answered, where the menu does not show it: any of its choices may
    be said instead. ``chosen`` is the word that was said."""
    example: Words = field(default=(), repr=False, compare=False)
    """A sentence that may be said now, for who wants to type one; empty where there is none at hand."""
    offers_hint: bool = False
    """Whether its person may ask for a hint."""
    hint: Msg | None = field(default=None, repr=False, compare=False)
    """What speaks for the draft, where it is a hint: a text of the game's catalogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel(DraftPanel):
    """All that a seat's private panel shows in a match."""

    table: TableInfo
    decision: str
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned along with others since its own last act."""
    draw_offers: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    learned: tuple[Told, ...] = field(default=(), repr=False)
    """What the seat alone learned by its own last act and since then; it stands until its next act."""
    clock: Clock | None = field(default=None, compare=False)
    """The seat's clock while it is asked."""

    @property
    def asked(self) -> bool:
        """Return whether the match waits for this seat."""
        return self.seat in self.waiting and self.table.status is not Status.CLOSED

    @property
    def stand_in(self) -> bool:
        """Return whether a computer player keeps the seat for now."""
        return self.outcome is None and self.table.chair_at(self.seat).stand_in


@dataclass(frozen=True, slots=True)
class Click:
    """Where a click on a panel came from. The revision stands for the draft that the panel showed."""

    table_id: str
    revision: int


class StalePanel(Refusal):
    """The panel was out of date: nothing was committed. ``panel`` is how it looks now."""

    def __init__(self, msg: Msg, panel: Panel) -> None:
        super().__init__(msg)
        self.panel = panel


@dataclass(frozen=True, slots=True)
class Receipt:
    """A committed sentence. The same request gives the same receipt again."""

    table: TableInfo
    seat: Seat
    seq: int
    words: Words = field(repr=False)
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned by it."""
    repeated: bool
    """The request had been carried out before; nothing was committed now."""
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A match as it stood after one of its turns, or as it stands now: as one viewer saw it then."""

    table: TableInfo
    seat: Seat | None
    """Whose eyes; ``None``: those of the public."""
    view: Any = field(repr=False)
    number: int
    """How many turns were over; 0: the start."""
    oldest: int
    """The smallest number that one can step back to."""
    newest: int
    """The number of the present: it counts the turn that is going on once something has happened in it."""
    told: tuple[Told, ...] = field(repr=False)
    """What the viewer learned in the turn before the moment."""
    outcome: Outcome | None = None
    older_asked: bool = False
    """An older moment was asked for than one can step back to."""

    @property
    def present(self) -> bool:
        """Return whether this is how the match stands."""
        return self.number == self.newest


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log as its reader may know it."""

    number: int
    at: float
    told: tuple[Fact, ...] = field(repr=False)
    lapsed: tuple[Seat, ...] = ()
    """The seats for whom it was decided."""
    undone: Seat | None = None
    """The seat that has taken its last turn back; nothing else is told then."""


class DrawState(Enum):
    """What became of a word about a draw."""

    OFFERED = "offered"
    AGREED = "agreed"
    """All have offered: the match is over."""
    ALREADY = "already"
    """This seat's offer stands already."""
    DECLINED = "declined"
    """The offers are gone."""
