"""A table in memory: its row, its match's log, and each seat's view and drafts."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bot.domain.match import Draft, DraftRow, RowKind
from bot.domain.refusals import GameRefusal, refusal
from bot.domain.tables import Chair, Person, PersonId, Status, TableInfo, TableRow
from bot.matches.match_log import MatchLog
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Arg, Menu, Msg, Seat, SeatName, Words
from engines.core.listing import is_aside, whole_sentences
from engines.core.match import AnyGame
from engines.core.optional_methods import Interrupting, Thinking
from engines.core.rng import Rng, Stream

DECISION_BYTES = 5
"""Bytes of a decision id, eight characters in base 32."""

MOST_FOLDED = 16
"""Maximum folded drafts cached per seat view: the shown one, what is tried next, and the way back."""

TRAIL = 40
"""Maximum edits of a draft that Back can undo."""


@dataclass(frozen=True)
class FoldedDraft:
    """A draft as its game reads it. It is folded once and passed to everything that needs a part of it."""

    words: Words = field(repr=False)
    """The draft in the game's normal form."""
    menu: Menu | None = field(repr=False)
    """What may follow; ``None``: the seat has nothing to decide and no aside to say."""
    aside: bool
    """Whether it begins an aside, which may be said at any time."""
    game: AnyGame = field(repr=False)
    seen: Any = field(repr=False)
    """The seat's view without a draft."""

    @property
    def question(self) -> tuple[object, ...] | None:
        """Return what a person confirms, to compare drafts by; ``None``: the draft is incomplete.

        Other available choices are not part of it, nor are labels.
        """
        menu = self.menu
        if menu is None or not menu.complete:
            return None
        return menu.key, menu.prompt, menu.draft, menu.closing, menu.reveals

    @cached_property
    def view(self) -> Any:
        """Return the seat's view with the draft previewed on it."""
        return self.game.preview(self.seen, self.words) if self.words else self.seen


class SeatView:
    """One seat of a match at one moment. Results are cached, since the next moment gets a new instance."""

    def __init__(self, log: MatchLog, seat: Seat) -> None:
        self.log = log
        self._folded: dict[Words, FoldedDraft] = {}
        self.game: AnyGame = log.match.game
        self.seat = seat

    @cached_property
    def view(self) -> Any:
        """Return the seat's view."""
        return self.log.match.view(self.seat)

    @cached_property
    def root(self) -> Menu | None:
        """Return the seat's menu before anything is drafted."""
        return self.game.menu(self.view)

    @cached_property
    def waiting(self) -> tuple[Seat, ...]:
        """Return the seats that must decide, as this seat sees it."""
        return tuple(sorted(self.game.waiting(self.view)))

    @cached_property
    def example(self) -> Words:
        """Return a complete sentence that the seat may say now; empty if none is found quickly."""
        return example_of(self.game, self.view, self.root)

    @property
    def asks(self) -> tuple[object, ...] | None:
        """Return what the match asks of the seat, regardless of the choices; asides are not asked."""
        menu = self.root
        if menu is None:
            return None
        duties = [
            part.key
            for part in menu.fields
            if part.shuffle or not all(choice.aside for choice in part.choices)
        ]
        return menu.key, menu.prompt, *duties

    @cached_property
    def decision(self) -> str:
        """Return the id of the seat's current decision: see ``docs/adr/0003``."""
        menu = self.root
        shown = None
        if menu is not None:
            fields = [
                {
                    "key": part.key,
                    "words": [[choice.word, choice.aside, choice.reveals] for choice in part.choices],
                    "shuffle": list(part.shuffle),
                }
                for part in menu.fields
            ]
            shown = {"key": menu.key, "prompt": _text_json(menu.prompt), "fields": fields}
        question = {"seat": self.seat, "said": self.log.sentences(self.seat), "menu": shown}
        # Keyed, so that nobody can find the menu of an id by trying all possible menus.
        key = Rng(self.log.match.seed).secret("decision")
        digest = hmac.digest(key, canonical(question).encode(), hashlib.sha256)
        return base64.b32encode(digest[:DECISION_BYTES]).decode().lower()

    def chance(self, field_key: str, number: int) -> Stream:
        """Return randomness for suggestions: the same for as long as the decision is the same.

        It is derived from the match's seed under a separate key, so nobody can predict it before the end.
        """
        seed = Rng(self.log.match.seed)
        return seed.child("suggestion").stream(self.decision, field_key, number)

    def menu(self, words: Words) -> Menu | None:
        """Return what may follow ``words``, without caching it; raises ``ActionError``."""
        return self.game.menu(self.view, words) if words else self.root

    def fold(self, words: Words) -> FoldedDraft:
        """Fold ``words`` and cache the result; raises ``ActionError`` if no sentence begins with them."""
        found = self._folded.get(words)
        if found is None:
            menu = self.menu(words)
            normal = () if menu is None else menu.draft
            found = FoldedDraft(normal, menu, self.is_aside(normal), self.game, self.view)
            # Trying word after word must not fill the memory.
            if len(self._folded) >= MOST_FOLDED:
                self._folded.clear()
            self._folded[words] = self._folded[normal] = found
        return found

    def longest_valid(self, words: Words) -> FoldedDraft:
        """Fold the longest beginning of ``words`` that the seat may still say."""
        for length in range(len(words), 0, -1):
            try:
                folded = self.fold(words[:length])
            except ActionError:
                continue
            if folded.menu is not None:
                return folded
        return self.fold(())

    def is_aside(self, words: Words) -> bool:
        """Return whether ``words`` begin an aside of this seat, which may be said at any time."""
        return self.root is not None and is_aside(self.root, words)


@dataclass(frozen=True, slots=True)
class SeatDrafts:
    """A seat's main draft and its draft of an aside, which is shown while it has words."""

    main: Draft = Draft()  # noqa: RUF009 - frozen, and the same for all
    aside: Draft = Draft()  # noqa: RUF009

    shown: Draft = field(init=False, repr=False, compare=False)
    """The draft shown by the panel."""
    revision: int = field(init=False, compare=False)
    """A number that grows with every change of either draft."""
    cut: int = field(init=False, compare=False)
    """How many words were cut when the match moved on."""
    confirmed: int | None = field(init=False, compare=False)
    """The revision of the panel on which the seat's last sentence was confirmed, if any."""

    def __post_init__(self) -> None:
        # Computed once: a panel needs these several times.
        object.__setattr__(self, "shown", self.aside if self.aside.words else self.main)
        object.__setattr__(self, "revision", max(self.main.revision, self.aside.revision))
        object.__setattr__(self, "cut", max(self.main.cut, self.aside.cut))
        confirmed = [draft.confirmed for draft in (self.main, self.aside) if draft.confirmed is not None]
        object.__setattr__(self, "confirmed", max(confirmed, default=None))

    def put(self, words: Words, *, aside: bool, trail: tuple[Words, ...] | None = None) -> SeatDrafts:
        """Return the drafts with new words in one of them.

        Words in the main draft clear the aside, so that the changed draft is shown. ``trail``: the drafts
        that Back leads to; ``None``: the previous draft is added.
        """
        if trail is None:
            old = self.aside if aside else self.main
            trail = (*old.trail, old.words)[-TRAIL:]
        new = Draft(words, self.revision + 1, trail=trail)
        if aside:
            # The panel has already shown the main draft's cut.
            return SeatDrafts(replace(self.main, cut=0), new)
        return SeatDrafts(new, Draft((), self.aside.revision))

    def is_aside(self, draft: FoldedDraft) -> bool:
        """Return whether an edit of the shown draft belongs to the draft of asides."""
        if not draft.words or draft.words[:1] == self.aside.words[:1]:
            # A kept aside remains one even while it cannot be begun.
            return bool(self.aside.words)
        return draft.aside

    def said(self, *, aside: bool, confirmed: int | None = None) -> SeatDrafts:
        """Return the drafts after a sentence was committed: its own draft is emptied.

        ``confirmed``: the revision of the panel on which its person confirmed it; ``None``: not by a person.
        """
        empty = Draft((), self.revision + 1, confirmed=confirmed)
        if aside:
            return SeatDrafts(replace(self.main, confirmed=None), empty)
        return SeatDrafts(empty, replace(self.aside, confirmed=None))

    def emptied(self) -> SeatDrafts:
        """Return both drafts emptied, without a confirmed revision."""
        empty = Draft((), self.revision + 1)
        return SeatDrafts(empty, empty)

    def carried_over(self, before: SeatView | None, now: SeatView) -> SeatDrafts:
        """Return the drafts after a step, each cut to what the seat may still say.

        A panel from ``before`` must not confirm something else ``now``: if the shown draft was cut or its
        question changed, its revision grows. ``before`` ``None``: no earlier panel exists.
        """
        if before is not None and before.view == now.view:
            return self
        main = self._carried_over(self.main, before, now)
        aside = self._carried_over(self.aside, before, now)
        return self if main is self.main and aside is self.aside else SeatDrafts(main, aside)

    def _carried_over(self, draft: Draft, before: SeatView | None, now: SeatView) -> Draft:
        if not draft.words:
            return draft
        folded = now.longest_valid(draft.words)
        # A hidden draft has no panel, or only a stale one.
        revision = self.revision + 1 if draft is self.shown else draft.revision
        if folded.words != draft.words:
            # The normal form of the rest may be longer than the original words.
            return Draft(folded.words, revision, max(0, len(draft.words) - len(folded.words)))
        asked_before = None if before is None else before.longest_valid(draft.words).question
        if asked_before is None or asked_before == folded.question:
            return draft
        return replace(draft, revision=revision)

    def changed_rows(self, seat: Seat, before: SeatDrafts) -> list[DraftRow]:
        """Return the drafts that differ from ``before``, as database rows."""
        found: list[DraftRow] = []
        if self.main != before.main:
            found.append(DraftRow(seat, aside=False, draft=self.main))
        if self.aside != before.aside:
            found.append(DraftRow(seat, aside=True, draft=self.aside))
        return found


NO_DRAFTS = SeatDrafts()
"""The drafts of a seat that has drafted nothing."""


def drafts_by_seat(rows: Iterable[DraftRow]) -> dict[Seat, SeatDrafts]:
    """Group stored drafts by seat."""
    found: dict[Seat, SeatDrafts] = {}
    for row in rows:
        drafts = found.get(row.seat, NO_DRAFTS)
        found[row.seat] = replace(drafts, aside=row.draft) if row.aside else replace(drafts, main=row.draft)
    return found


@dataclass(frozen=True, slots=True, repr=False)
class LoadedTable:
    """A table in memory, equal to its committed state. Never changed in place."""

    row: TableRow
    log: MatchLog | None = None
    """``None`` before the match begins, and if it cannot be replayed."""
    drafts: Mapping[Seat, SeatDrafts] = field(default_factory=dict)
    seat_views: dict[Seat, SeatView] = field(default_factory=dict, compare=False)
    """Cache, filled on demand. A table with another log needs a new dictionary."""
    version: int = 0
    """Counts all changes of the table, including secret ones; 0: not committed yet."""

    def __repr__(self) -> str:
        return f"<LoadedTable {self.info.id}>"

    @property
    def info(self) -> TableInfo:
        """Return the public part of the table's row."""
        return self.row.info

    @property
    def id(self) -> str:
        """Return the table's id."""
        return self.row.info.id

    def require_log(self) -> MatchLog:
        """Return the match's log; raises ``Refusal`` if there is no match to look at."""
        if self.log is not None:
            return self.log
        status = self.info.status
        if status is Status.OPEN:
            raise refusal("not_started")
        raise refusal("closed") if status is Status.CLOSED else refusal("frozen")

    def require_running(self) -> MatchLog:
        """Return the match's log; raises ``Refusal`` unless the match is running."""
        log = self.require_log()
        if self.info.status is Status.CLOSED:
            raise refusal("closed_match")
        if self.info.status is not Status.RUNNING:
            raise refusal("over")
        return log

    def require_playing(self, seat: Seat) -> MatchLog:
        """Return the match's log; raises ``Refusal`` unless the match is running and the seat still in it."""
        log = self.require_running()
        if any(chair.withdrawn for chair in self.row.info.chairs if chair.seat == seat):
            raise refusal("withdrawn")
        return log

    def require_present(self, seat: Seat) -> MatchLog:
        """Return the match's log; raises ``Refusal`` unless the seat still plays, without a stand-in."""
        log = self.require_playing(seat)
        if any(chair.stand_in for chair in self.row.info.chairs if chair.seat == seat):
            raise refusal("stand_in")
        return log

    def with_row(
        self, kind: RowKind, seat: Seat | None, words: Words, request: str, at: float, lag: float = 0.0
    ) -> LoadedTable:
        """Return the table with one more row in its match's log; raises ``GameRefusal``.

        An undo empties the seat's drafts. ``lag``, for a row that can be undone: the seconds by which the
        clocks will still be moved for outages.
        """
        try:
            remaining = {held: clock.remaining(at - lag) for held, clock in self.row.clocks.items()}
            new = replace(self, log=self.require_log().write(kind, seat, words, request, at, remaining))
        except ActionError as error:
            raise GameRefusal(self.info, error.msg) from None
        if kind is not RowKind.UNDO or seat is None:
            return new
        return new.with_drafts(seat, self.drafts_of(seat).emptied())

    def with_chair(self, seat: Seat, **changes: Any) -> LoadedTable:
        """Return the table with the chair of a seat changed."""
        chairs = self.info.chairs
        return self.with_info(
            chairs=tuple(replace(chair, **changes) if chair.seat == seat else chair for chair in chairs)
        )

    def seat_of(self, person: PersonId) -> Seat:
        """Return a person's seat; raises ``Refusal`` if there is no match or they have no seat in it."""
        self.require_log()
        chair = self.chair_of(person)
        if chair is None or chair.seat is None:
            raise refusal("not_seated")
        return chair.seat

    def playing_seat(self, person: PersonId) -> Seat:
        """Return a person's seat; raises ``Refusal`` unless the match is running and they play themselves."""
        self.require_running()
        seat = self.seat_of(person)
        self.require_present(seat)
        return seat

    def seat_view(self, seat: Seat) -> SeatView:
        """Return what a seat sees and may say; raises ``Refusal`` if there is no match."""
        found = self.seat_views.get(seat)
        if found is None:
            found = self.seat_views[seat] = SeatView(self.require_log(), seat)
        return found

    def drafts_of(self, seat: Seat) -> SeatDrafts:
        """Return a seat's drafts."""
        return self.drafts.get(seat, NO_DRAFTS)

    def with_drafts(self, seat: Seat, drafts: SeatDrafts) -> LoadedTable:
        """Return the table with one seat's drafts changed."""
        return replace(self, drafts={**self.drafts, seat: drafts})

    def with_drafts_carried_over(self, before: LoadedTable | None = None) -> LoadedTable:
        """Carry every draft over a step; ``before``: the table before the step."""
        # Views are expensive: skip seats that have drafted nothing.
        drafts = {
            seat: both.carried_over(None if before is None else before.seat_view(seat), self.seat_view(seat))
            if both.shown.words
            else both
            for seat, both in self.drafts.items()
        }
        return replace(self, drafts=drafts)

    def with_info(self, **changes: Any) -> LoadedTable:
        """Return the table with its public part changed."""
        return replace(self, row=replace(self.row, info=replace(self.info, **changes)))

    def chair_of(self, person: PersonId) -> Chair | None:
        """Return a person's chair; it exists before the match too."""
        return next((c for c in self.row.info.chairs if c.person is not None and c.person.id == person), None)

    def people(self) -> tuple[Person, ...]:
        """Return the people at the table, in the order of their chairs."""
        return tuple(chair.person for chair in self.info.chairs if chair.person is not None)

    def playing(self) -> tuple[Chair, ...]:
        """Return the chairs whose seats are still in the match, by seat."""
        # Before the match no chair has a seat: the order stays.
        chairs = [chair for chair in self.row.info.chairs if not chair.withdrawn]
        return tuple(sorted(chairs, key=lambda chair: -1 if chair.seat is None else chair.seat))

    def interrupting(self) -> tuple[Seat, ...]:
        """Return the seats of computer players that may speak although the match does not wait for them."""
        if not isinstance(self.require_log().match.game, Interrupting):
            return ()
        computers = [chair.seat for chair in self.playing() if chair.person is None]
        return tuple(seat for seat in computers if seat is not None and self.seat_view(seat).root is not None)

    def offers_hint(self, seat: Seat) -> bool:
        """Return whether a seat may ask for a hint now: hints are on, and it has something to decide."""
        game = self.require_log().match.game
        return self.info.offers_hints and isinstance(game, Thinking) and seat in self.row.asked

    def asked(self) -> tuple[Seat, ...]:
        """Return the seats that must decide, each by its own view. This set may be secret."""
        seats = [chair.seat for chair in self.playing() if chair.seat is not None]
        return tuple(seat for seat in seats if seat in self.seat_view(seat).waiting)

    def anybody_present(self) -> bool:
        """Return whether any person still plays themselves, without a stand-in."""
        return any(not chair.by_computer for chair in self.playing())

    def is_claimable(self) -> bool:
        """Return whether the waiting opponent decides what happens to a seat whose time is up.

        True for matches between two people, unless the game is cooperative.
        """
        cooperative = self.require_log().match.game.manifest.cooperative
        chairs = self.info.chairs
        return len(chairs) == 2 and not cooperative and not any(chair.by_computer for chair in chairs)


def asked_to_agree(table: LoadedTable) -> frozenset[Seat]:
    """Return the seats that still must agree to the current motion: people in play, but not its subject."""
    motion = None if table.log is None else table.log.motion
    if motion is None:
        return frozenset()
    people = (chair.seat for chair in table.playing() if not chair.by_computer)
    done = {motion.by, motion.about, *motion.agreed}
    return frozenset(seat for seat in people if seat is not None and seat not in done)


def _text_json(text: Msg) -> list[Any]:
    def plain(value: Arg) -> Any:
        if isinstance(value, Msg):
            return _text_json(value)
        if isinstance(value, tuple):
            return list(map(plain, value))
        return {"seat": value.seat} if isinstance(value, SeatName) else value

    return [text.key, [[name, plain(value)] for name, value in text.args]]


LOOKS = 24
"""Maximum menus to search: the person waits for all of them."""


def example_of(game: AnyGame, view: object, root: Menu | None) -> Words:
    """Return the first complete sentence of a depth-first search of the menus; empty: none within the limit.

    It depends on the seat's view alone. An aside is returned only if nothing else may be said.
    """
    return () if root is None else next(whole_sentences(game, view, root, LOOKS), ())
