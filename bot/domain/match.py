"""A match as stored and as shown: log rows, drafts, motions, boards, panels, receipts, turning points."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from typing import Any

from bot.domain.clocks import Clock, Remaining
from bot.domain.refusals import Refusal
from bot.domain.tables import ClosedBy, SeatOffer, Status, TableInfo
from engines.core.contract import Fact, Field, Menu, Msg, Outcome, Seat, Words
from engines.core.match import EntryKind


class RowKind(Enum):
    """Kinds of log rows; the engine plays those with an :attr:`entry`."""

    ACT = "act"
    WITHDRAW = "withdraw"
    AGREE = "agree"
    LAPSE = "lapse"
    """A sentence played for a timed-out seat."""
    CLAIM = "claim"
    """The waiting player claims the match: the timed-out seat is withdrawn."""
    OFFER = "offer"
    DECLINE = "decline"
    TIME_UP = "time_up"
    """A seat's time is up, and the waiting player may choose what happens."""
    STAND_IN = "stand_in"
    """A computer player takes over a seat until its person returns."""
    BACK = "back"
    """The person of a seat has returned."""
    GRANT = "grant"
    """A seat was given more time."""
    PROPOSE = "propose"
    """A seat proposes a motion, which all others must agree to; the words encode it."""
    CONSENT = "consent"
    OBJECT = "object"
    PAUSE = "pause"
    """All clocks stop: all have agreed."""
    RESUME = "resume"
    """The clocks resume."""
    UNDO = "undo"
    """A seat's last sentence is taken back; the words hold the number of its row."""
    CLOSE = "close"
    """The match is closed without a result; the words hold the reason."""
    REPLACE = "replace"
    """A seat has a new holder."""

    @property
    def entry(self) -> EntryKind | None:
        """Return the engine's kind of entry; ``None``: the row does not change the engine's match."""
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
    """One log row, never changed or deleted. ``digest`` is of the state after it."""

    seq: int
    kind: RowKind
    seat: Seat | None
    words: Words = field(repr=False)
    digest: str = field(repr=False)
    request: str
    at: float
    """Unix time."""
    chain: str = field(default="", repr=False)
    """A digest of this row and all before it; empty in rows that predate this column."""
    remaining: Mapping[Seat, Remaining] = field(default_factory=dict, repr=False)
    """Time left on the clocks before a row that may be taken back; not part of the chain."""
    restore_id: str = ""
    """The id of the last restore before the row, which keys its random draws; empty: none."""

    def chained(self, before: str) -> str:
        """Compute :attr:`chain`, given the chain of the row before."""
        kind, words = self.kind.value, list(self.words)
        row = [before, self.seq, kind, self.seat, words, self.digest, self.request, float(self.at)]
        if self.restore_id:
            row.append(self.restore_id)
        return hashlib.sha256(json.dumps(row).encode()).hexdigest()

    @property
    def takes_back(self) -> int:
        """Return the number of the row that this one takes back; raises ``ValueError`` if none."""
        if self.kind is not RowKind.UNDO or len(self.words) != 1:
            raise ValueError("this row takes nothing back")
        return int(self.words[0])


def chain_of(rows: Sequence[LogRow]) -> str:
    """Return the chain of a log's last row, computing it if it is not stored."""
    if rows and rows[-1].chain:
        return rows[-1].chain
    return reduce(lambda before, row: row.chained(before), rows, "")


@dataclass(frozen=True, slots=True)
class Preset:
    """A person's last sentence at a menu, kept for their next match, in the game's notation."""

    game: str
    menu: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """The beginning of a sentence, not yet confirmed."""

    words: Words = field(default=(), repr=False)
    revision: int = 0
    """Increases with every change."""
    cut: int = 0
    """Number of words cut from the end when the match moved on."""
    trail: tuple[Words, ...] = field(default=(), repr=False)
    """The draft before each of its last changes, latest last: the history for *Back*."""
    confirmed: int | None = None
    """The revision at which the last sentence was confirmed, until another is begun or played for them."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A seat's draft: the main one, or the second one for asides."""

    seat: Seat
    aside: bool
    draft: Draft


@dataclass(frozen=True, slots=True)
class Told:
    """An event as one viewer learns it. ``batch`` 0 is the start of the match."""

    batch: int
    fact: Fact = field(repr=False)


@dataclass(frozen=True, slots=True)
class Board:
    """The match as the public sees it: everything that the thread shows."""

    table: TableInfo
    view: Any = field(repr=False)
    epoch: int
    """The public version at the last hand-over, so no count of epochs. A new epoch needs a new message."""
    version: int
    """Number of public batches: increases whenever the public learns something."""
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the public has learned since the hand-over of the previous epoch's message."""
    draw_offers: tuple[Seat, ...]
    outcome: Outcome | None
    seed: bytes | None = field(repr=False)
    """The seed, once the match is over."""
    part: bytes | None = field(default=None, repr=False)
    """The bot's part of the shuffle, once the match is over."""
    before: Any = field(default=None, repr=False)
    """What the public saw when the previous epoch began; ``None`` in the first one."""
    opening: tuple[Fact, ...] = field(default=(), repr=False)
    """What the public learned during the previous epoch."""
    called: tuple[Seat, ...] = ()
    """Newly pending seats, since the previous message, that this message pings."""
    written_to: tuple[Seat, ...] = ()
    """Newly pending seats that get a direct message instead."""
    resting: Mapping[Seat, float] = field(default_factory=dict)
    """Newly pending seats in their quiet hours, and when these end: pings come later."""
    clocks: Mapping[Seat, Clock] = field(default_factory=dict)
    """Clocks of the publicly pending seats; only what the public may know."""
    overdue: tuple[Seat, ...] = ()
    """Timed-out seats, if the waiting player may choose what happens."""
    lapsed: tuple[Seat, ...] = ()
    """Seats for which a sentence was played after a timeout, among :attr:`told`."""
    motion: Motion | None = None
    """The pending motion."""
    asked_to_agree: tuple[Seat, ...] = ()
    """Seats that have not answered it yet."""
    offer: SeatOffer | None = None
    """The pending offer of a seat."""
    paused: bool = False
    """Whether the clocks are paused by agreement."""
    closed: ClosedBy | None = None
    """Who or what closed the match without a result."""
    undone: tuple[Seat, ...] = ()
    """Seats that took a turn back, among :attr:`told`."""
    claimed: Seat | None = None
    """The timed-out seat from which the other player claimed the match."""
    resigned: Seat | None = None
    """The seat that has resigned, if nothing has happened since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Contents of a seat's private panel: its view with its draft previewed, and the next choices."""

    table: TableInfo
    seat: Seat
    decision: str
    view: Any = field(repr=False)
    """The preview of the draft, or the seat's view if the draft is empty."""
    menu: Menu | None = field(repr=False)
    """The next choices; ``None``: the seat is not pending and may not act."""
    draft: Words = field(repr=False)
    revision: int
    preset: Words | None = field(default=None, repr=False)
    """This person's preset for this menu, if it is legal now."""
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    """Notices about unexpected changes, in the bot's own texts: stale click, cut draft, refusal."""
    refusal: Msg | None = field(default=None, repr=False)
    """The game's reason for refusing the last word, a text of the game's catalogue."""
    reveals: bool = False
    """The draft's last word reveals something hidden to the seat: once confirmed, it is final."""
    answered: Field | None = field(default=None, repr=False)
    """The field that the draft's last word answered, if the menu does not show it: each of its choices may
    replace that word. ``chosen`` is the current word."""
    example: Words = field(default=(), repr=False, compare=False)
    """A legal sentence, as an example for typing one; empty if none is available."""
    offers_hint: bool = False
    """Whether the person may ask for a hint."""
    hint: Msg | None = field(default=None, repr=False, compare=False)
    """The reason for the draft, if it is a hint: a text of the game's catalogue."""
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned together with others since its own last act."""
    draw_offers: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    learned: tuple[Told, ...] = field(default=(), repr=False)
    """What only this seat learned, by its last act and since; shown until its next act."""
    clock: Clock | None = field(default=None, compare=False)
    """The seat's clock while it is pending."""

    @property
    def asked(self) -> bool:
        """Return whether the match waits for this seat."""
        return self.seat in self.waiting and self.table.status is not Status.CLOSED

    @property
    def stand_in(self) -> bool:
        """Return whether a computer player stands in for the seat."""
        return self.outcome is None and self.table.chair_at(self.seat).stand_in


@dataclass(frozen=True, slots=True)
class Click:
    """The origin of a click on a panel. The revision identifies the draft that the panel showed."""

    table_id: str
    revision: int


class StalePanel(Refusal):
    """The panel was stale: nothing was committed. ``panel`` is the current one."""

    def __init__(self, msg: Msg, panel: Panel) -> None:
        super().__init__(msg)
        self.panel = panel


@dataclass(frozen=True, slots=True)
class Receipt:
    """A committed sentence. Repeating the request returns the same receipt."""

    table: TableInfo
    seat: Seat
    seq: int
    words: Words = field(repr=False)
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned by it."""
    repeated: bool
    """The request had been handled before; nothing was committed now."""
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A past or present state of a match between two turns, as one viewer saw it then."""

    table: TableInfo
    seat: Seat | None
    """The viewer; ``None``: the public."""
    view: Any = field(repr=False)
    number: int
    """Number of completed turns; 0: the start."""
    oldest: int
    """The smallest number available."""
    newest: int
    """The number of the present; the current turn counts once something has happened in it."""
    told: tuple[Told, ...] = field(repr=False)
    """What the viewer learned in the turn before."""
    outcome: Outcome | None = None
    older_asked: bool = False
    """The request was for an older moment than is available."""

    @property
    def present(self) -> bool:
        """Return whether this is the present."""
        return self.number == self.newest


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log, with what its reader may know."""

    number: int
    at: float
    told: tuple[Fact, ...] = field(repr=False)
    lapsed: tuple[Seat, ...] = ()
    """Seats for which a sentence was played after a timeout."""
    undone: Seat | None = None
    """The seat that took its last turn back; then :attr:`told` is empty."""


class DrawState(Enum):
    """The result of offering or declining a draw."""

    OFFERED = "offered"
    AGREED = "agreed"
    """All have offered: the match is over."""
    ALREADY = "already"
    """This seat has already offered."""
    DECLINED = "declined"
    """The offers are withdrawn."""


class MotionKind(Enum):
    """Kinds of motions."""

    PAUSE = "pause"
    """Stop all clocks until any player ends the pause."""
    UNDO = "undo"
    """Take back the proposer's last sentence."""
    ABANDON = "abandon"
    """Close the match: nobody wins, and nothing is revealed."""
    REPLACE = "replace"
    """Offer a timed-out seat to another person."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A pending proposal."""

    kind: MotionKind
    by: Seat
    agreed: tuple[Seat, ...] = ()
    """Seats that have agreed so far, in order, without the proposer."""
    about: Seat | None = None
    """The seat to offer."""

    @property
    def words(self) -> Words:
        """Return the motion encoded as the words of a log row."""
        return (self.kind.value,) if self.about is None else (self.kind.value, str(self.about))

    @classmethod
    def read(cls, by: Seat, words: Words) -> Motion:
        """Decode the motion of a log row; raises ``ValueError``."""
        kind, *about = words
        return cls(MotionKind(kind), by, about=int(about[0]) if about else None)


class Closing(Enum):
    """How a question to players was closed."""

    AGREED = "agreed"
    """Everyone who was asked agreed."""
    DECLINED = "declined"
    """A player who was asked declined."""
    WITHDRAWN = "withdrawn"
    """A player who had asked withdrew the question."""
    PLAYED = "played"
    """A player took their turn instead of answering."""
    CLAIMED = "claimed"
    """The waiting player claimed the win."""
    COMPUTER = "computer"
    """The waiting player let a computer player continue."""
    MORE_TIME = "more_time"
    """The waiting player gave more time."""
    TAKEN = "taken"
    """The seat has a new holder."""
    RESIGNED = "resigned"
    """A player who had asked, or was the last to be asked, resigned."""
    STAND_IN = "stand_in"
    """A computer player took over from such a player."""
    MOVED_ON = "moved_on"
    """The match moved on, and the question no longer applies."""
    ENDED = "ended"
    """The match ended first."""


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """How a question was closed, as far as the public may know."""

    how: Closing
    seat: Seat | None = None
    """The seat that closed it; ``None``: nobody in particular, or the public may not know."""
    about: Seat | None = None
    """The seat that the question was about: one that ran out of time, or asked to take back its turn."""
    motion: MotionKind | None = None
    """What was asked, if it was a motion."""


class TurnEnd(Enum):
    """Why a seat no longer has to take the turn that a message offered."""

    PLAYED = "played"
    LAPSED = "lapsed"
    """Time ran out, and the bot played it."""
    TAKEN_BACK = "taken_back"
    """An earlier turn was taken back."""
    STAND_IN = "stand_in"
    """A computer player has the seat."""
    OVER = "over"
    """The match is over."""
    CLOSED = "closed"
    """The match was closed without a result."""
    OTHER = "other"
    """Another reason, or not known for sure."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment at which the seat had a clearly better sentence available."""

    turn: int
    """The turn, counted from 1."""
    played: tuple[Msg, ...] = field(repr=False)
    """What was played, in texts of the game's catalogue."""
    better: tuple[Msg, ...] = field(repr=False)
    draft: Words = field(repr=False)
    """The better words."""
    view: Any = field(repr=False)
    """What the seat saw then, with the better words previewed."""
    menu: Menu | None = field(repr=False)
    """The possible next words after the better ones."""
    reason: Msg | None = field(repr=False)
    """Why they are better, a text of the game's catalogue; ``None``: the game gives no reason."""
    chance_played: float
    """The estimated chance of winning after the played words, from 0 to 1."""
    chance_better: float


@dataclass(frozen=True, slots=True)
class TurningPoints:
    """The turning points of one seat in the order of the match; empty if no turn was clearly worse."""

    table: TableInfo
    seat: Seat
    found: tuple[TurningPoint, ...]
