"""A second, slow replay of a match's log: pending seats, motions, and holders of seats.

It uses none of the bot's code: the engine defines the effect of sentences, the documents that of the bot's
own rows (ADR 37, 39, ``/rules``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engines.core.contract import ActionError, Setup, facts_for
from engines.core.match import Entry, EntryKind, Match, is_note
from engines.core.optional_methods import Undoing
from engines.core.registry import game
from tests.kit.witness.rules import STEPS_BACK
from tests.kit.witness.transcript import MatchRecord, PersonId, Row, Seat

ENTRIES = {
    "act": EntryKind.ACT,
    "lapse": EntryKind.ACT,
    "withdraw": EntryKind.WITHDRAW,
    "claim": EntryKind.WITHDRAW,
    "agree": EntryKind.AGREE,
}
"""The rows that the engine plays; all others are the bot's own, and do not change the match."""


class Impossible(Exception):  # noqa: N818 - what a log says
    """A row that cannot follow the earlier ones."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion of a seat."""

    kind: str
    by: Seat
    about: Seat | None
    agreed: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Standing:
    """A row that has not been taken back."""

    row: Row
    entry: Entry


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after a row of its log."""

    row: Row | None
    """``None``: its start."""
    at: float
    match: Match = field(repr=False)
    is_public: bool
    """Whether the row was public."""
    holders: Mapping[Seat, PersonId | None]
    standing: tuple[Standing, ...] = field(default=(), repr=False)
    stood_in: frozenset[Seat] = frozenset()
    """Seats of people that a computer player currently plays."""
    gone: frozenset[Seat] = frozenset()
    """Seats that have left permanently."""
    offers: frozenset[Seat] = frozenset()
    motion: Motion | None = None
    paused: bool = False
    late: frozenset[Seat] = frozenset()
    """Seats whose time was declared to be up, and that have not decided since."""
    closed: str = ""
    """Why the match was closed without a result; empty: it was not."""
    undoable: tuple[int, ...] = ()
    """The rows that can be taken back one after the other, the next one last."""
    missed: Mapping[Seat, int] = field(default_factory=dict)
    """The number of consecutive decisions made for each seat."""

    @property
    def over(self) -> bool:
        """Return whether the match has a result, or was closed without one."""
        return bool(self.closed) or self.match.outcome is not None

    @property
    def people(self) -> frozenset[Seat]:
        """Return the seats that people play, without stand-ins."""
        held = {seat for seat, person in self.holders.items() if person is not None}
        return frozenset(held - self.gone - self.stood_in)

    @property
    def public(self) -> frozenset[Seat]:
        """Return the publicly pending seats."""
        return frozenset() if self.over else self.match.waiting

    @property
    def asked(self) -> frozenset[Seat]:
        """Return the seats that are really pending: others may have decided secretly."""
        if self.over:
            return frozenset()
        waiting, view = self.match.game.waiting, self.match.view
        return frozenset(s for s in self.holders if s not in self.gone and s in waiting(view(s)))

    @property
    def to_agree(self) -> frozenset[Seat]:
        """Return the seats that have not answered the current motion."""
        if self.motion is None:
            return frozenset()
        return self.people - {self.motion.by, self.motion.about} - self.motion.agreed

    @property
    def between_two(self) -> bool:
        """Return whether the opponent chooses what happens to a timed-out seat."""
        two = len(self.holders) == 2 and not self.match.game.manifest.cooperative
        return two and not self.stood_in and all(person is not None for person in self.holders.values())

    def seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat that a person holds."""
        return next((seat for seat, holder in self.holders.items() if holder == person), None)

    def entries(self) -> tuple[Entry, ...]:
        """Return the engine's rows that have not been taken back."""
        return tuple(each.entry for each in self.standing)


def course(record: MatchRecord, taker: Callable[[Row], PersonId | None]) -> Iterator[Moment]:
    """Yield a match at its start and after each row of its log; raises :class:`Impossible`.

    ``taker``: the person who takes over a seat in a row.
    """
    setup = Setup(record.game, record.ruleset, record.seats, record.options)
    match = Match.start(game(record.game), setup, record.seed)
    now = Moment(None, record.begun_at, match, is_public=True, holders=dict(record.holders))
    yield now
    for row in record.rows:
        now = _after(now, row, taker)
        yield now


def _after(before: Moment, row: Row, taker: Callable[[Row], PersonId | None]) -> Moment:
    if before.over:
        raise Impossible("the match is over")
    if row.kind == "undo":
        after = _taken_back(before, row)
    elif row.kind in ENTRIES:
        after = _played(before, row)
    else:
        after = _noted(before, row, taker)
    after = replace(after, row=row, at=row.at)
    return replace(after, late=_late(before, after, row), missed=_missed(before, after, row))


# --- rows of the engine -------------------------------------------------------------------------------


def _played(before: Moment, row: Row) -> Moment:
    entry = Entry(ENTRIES[row.kind], row.seat, row.words, row.restore_id)
    match = _applied(before.match, entry)
    is_public = bool(facts_for(match.batches[-1], None)) or match.view(None) != before.match.view(None)
    gone, stood_in, motion, offers = before.gone, before.stood_in, before.motion, before.offers
    if row.kind in ("withdraw", "claim") and row.seat is not None:
        gone, stood_in = gone | {row.seat}, stood_in - {row.seat}
    after = replace(
        before,
        match=match,
        is_public=is_public,
        standing=(*before.standing, Standing(row, entry)),
        gone=gone,
        stood_in=stood_in,
    )
    if row.kind == "withdraw":
        motion = _left(after, motion)
    if is_public:
        # An offer of a draw stands while its seat plays on.
        offers = offers if row.kind == "act" and row.seat in offers else frozenset()
        # The turn to take back has been answered by another.
        motion = None if motion is not None and motion.kind == "undo" else motion
        after = replace(after, undoable=_undoable(before, after, row))
    return replace(after, offers=offers, motion=None if match.outcome is not None else motion)


def _applied(match: Match, entry: Entry) -> Match:
    try:
        return match.apply(entry)
    except ActionError as error:
        raise Impossible(f"the rules refuse it: {error.msg}") from error


def _undoable(before: Moment, after: Moment, row: Row) -> tuple[int, ...]:
    """Return the rows that can be taken back after a public step."""
    rules, facts = after.match.game, facts_for(after.match.batches[-1], None)
    if ENTRIES[row.kind] is not EntryKind.ACT or after.match.outcome is not None:
        return ()
    if not isinstance(rules, Undoing) or not facts or not rules.can_be_undone(facts):
        return ()
    return (*before.undoable, row.seq)[-STEPS_BACK:]


def _taken_back(before: Moment, row: Row) -> Moment:
    """Return the match without its last public step and everything after it, except notes."""
    first = int(row.words[0])
    if not before.undoable or before.undoable[-1] != first:
        raise Impossible(f"row {first} cannot be taken back now")
    rules, begin = before.match.game, Match.start(before.match.game, before.match.setup, before.match.seed)
    standing = [each for each in before.standing if each.row.seq < first]
    match = begin
    for each in standing:
        match = _applied(match, each.entry)
    for each in before.standing:
        if each.row.seq >= first and is_note(rules, each.row.words):
            try:
                match = match.apply(each.entry)
            except ActionError:
                continue
            standing.append(each)
    return replace(
        before,
        match=match,
        is_public=True,
        standing=tuple(standing),
        offers=frozenset(),
        motion=None,
        undoable=before.undoable[:-1],
    )


# --- the bot's own rows -------------------------------------------------------------------------------


def _noted(before: Moment, row: Row, taker: Callable[[Row], PersonId | None]) -> Moment:
    after, seat = replace(before, is_public=True), row.seat
    if row.kind in _OF_THE_MATCH:
        return _OF_THE_MATCH[row.kind](after, row)
    if seat is None:
        raise Impossible(f"no such row: {row.kind}")
    if row.kind == "replace":
        holders = {**before.holders, seat: taker(row)}
        return replace(after, holders=holders, stood_in=before.stood_in - {seat}, motion=None)
    if row.kind not in _OF_A_SEAT:
        raise Impossible(f"no such row: {row.kind}")
    return _OF_A_SEAT[row.kind](after, row, seat)


def _stands_in(now: Moment, _: Row, seat: Seat) -> Moment:
    after = replace(now, stood_in=now.stood_in | {seat})
    return replace(after, motion=_left(after, now.motion))


def _proposes(now: Moment, row: Row, seat: Seat) -> Moment:
    kind, *about = row.words
    return replace(now, motion=Motion(kind, seat, int(about[0]) if about else None))


def _consents(now: Moment, _: Row, seat: Seat) -> Moment:
    if now.motion is None:
        raise Impossible("nothing is proposed")
    return replace(now, motion=replace(now.motion, agreed=now.motion.agreed | {seat}))


_OF_THE_MATCH: dict[str, Callable[[Moment, Row], Moment]] = {
    "pause": lambda now, _: replace(now, paused=True, motion=None),
    "resume": lambda now, _: replace(now, paused=False),
    "close": lambda now, row: replace(now, closed=row.words[0], motion=None, offers=frozenset()),
}
"""Rows about all seats: the fields that they change."""

_OF_A_SEAT: dict[str, Callable[[Moment, Row, Seat], Moment]] = {
    "offer": lambda now, _, seat: replace(now, offers=now.offers | {seat}),
    "decline": lambda now, _, __: replace(now, offers=frozenset()),
    "stand_in": _stands_in,
    "back": lambda now, _, seat: replace(now, stood_in=now.stood_in - {seat}),
    "propose": _proposes,
    "consent": _consents,
    "object": lambda now, _, __: replace(now, motion=None),
    "grant": lambda now, _, __: now,
    "time_up": lambda now, _, __: now,
}
"""Rows about one seat."""


def _left(after: Moment, motion: Motion | None) -> Motion | None:
    """Return the motion after the person of a seat has left.

    It ends with its proposer, and if nobody remains to answer.
    """
    if motion is None or motion.by not in after.people:
        return None
    return motion if replace(after, motion=motion).to_agree else None


def _late(before: Moment, after: Moment, row: Row) -> frozenset[Seat]:
    if row.kind == "time_up" and row.seat is not None:
        return before.late | {row.seat}
    late = before.late & after.public & after.asked & after.people
    if row.kind == "undo":
        return frozenset()
    decides = row.kind in ENTRIES and (after.is_public or row.seat not in after.asked)
    if row.seat is not None and (decides or row.kind in ("grant", "back", "replace", "stand_in")):
        late -= {row.seat}
    return late


def _missed(before: Moment, after: Moment, row: Row) -> Mapping[Seat, int]:
    seat = row.seat
    if seat is None or row.kind not in ("act", "lapse", "back", "replace"):
        return before.missed
    if row.kind in ("act", "lapse") and not (after.is_public or seat not in after.asked):
        return before.missed
    if row.kind == "act" and is_note(after.match.game, row.words):
        return before.missed
    return {**before.missed, seat: before.missed.get(seat, 0) + 1 if row.kind == "lapse" else 0}


def standing_rows(moments: Sequence[Moment]) -> tuple[Row, ...]:
    """Return the rows that have not been taken back at the end."""
    return tuple(each.row for each in moments[-1].standing)
