"""A match: set-up, seed and log. Everything else is derived from these and can be discarded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from engines.core.batches import Batches
from engines.core.canonical_json import keyed_digest
from engines.core.contract import Fact, Game, Menu, Outcome, Seat, Setup, Viewer, Words, facts_for
from engines.core.optional_methods import Interrupting, Skill, TakesNotes, decide, interrupt
from engines.core.rng import Rng

AnyGame: TypeAlias = Game[Any, Any]

MAX_SENTENCE_CHARS = 2_000
"""Of a sentence, a draft or a position from outside; the longest turn of any game has some hundreds."""


class EntryKind(Enum):
    """What a row of the log records."""

    ACT = "act"
    WITHDRAW = "withdraw"
    AGREE = "agree"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the log: a seat's sentence, a seat's withdrawal, or a draw agreed by all."""

    kind: EntryKind
    seat: Seat | None = None
    words: Words = field(default=(), repr=False)
    restore_id: str = ""
    """The backup that was last restored before it, if any: its draws are keyed with that, too."""


def is_note(game: AnyGame, words: Words) -> bool:
    """Return whether a sentence is a note, which nobody but its seat can notice."""
    return isinstance(game, TakesNotes) and game.is_note(words)


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. Every act returns a new one; nothing here is ever changed in place.

    ``batches`` holds the events of the start and of each entry of the log, in order:
    ``len(batches) == len(log) + 1``.
    """

    game: AnyGame = field(repr=False)
    setup: Setup
    seed: bytes = field(repr=False)
    state: Any = field(repr=False)
    log: tuple[Entry, ...] = field(repr=False)
    batches: Batches = field(repr=False)

    @classmethod
    def start(cls, game: AnyGame, setup: Setup, seed: bytes) -> Match:
        """Begin a match; raises ``ValueError`` for a set-up that the game does not offer."""
        step = game.start(setup, Rng.of_match(seed))
        return cls(game, setup, seed, step.state, (), Batches(step.events))

    @classmethod
    def at(cls, game: AnyGame, setup: Setup, seed: bytes, state: Any) -> Match:
        """Begin in mid-game, at ``state``: nothing is logged, nothing has happened yet.

        For analysis: no replay leads there, so such a match is never stored.
        """
        return cls(game, setup, seed, state, (), Batches(()))

    @classmethod
    def replay(cls, game: AnyGame, setup: Setup, seed: bytes, log: Iterable[Entry]) -> Match:
        """Play a log again; raises the error of the first entry that is refused."""
        match = cls.start(game, setup, seed)
        for entry in log:
            match = match.apply(entry)
        return match

    def apply(self, entry: Entry) -> Match:
        """Return the match after ``entry``; raises ``ActionError`` and changes nothing if it is refused."""
        rng = Rng.of_match(self.seed)
        if entry.restore_id:
            # Draws that a restore has undone may have been seen: none of them comes again.
            rng = rng.child("restore", entry.restore_id)
        if entry.kind is EntryKind.AGREE:
            step = self.game.agree(self.state, rng)
        elif entry.seat is None:
            raise ValueError("this entry needs a seat")
        elif entry.kind is EntryKind.WITHDRAW:
            step = self.game.withdraw(self.state, entry.seat, rng)
        else:
            step = self.game.act(self.state, entry.seat, entry.words, rng)
        batches = self.batches.then(step.events)
        return Match(self.game, self.setup, self.seed, step.state, (*self.log, entry), batches)

    def act(self, seat: Seat, words: Words) -> Match:
        """Return the match after a seat's sentence; raises ``ActionError``."""
        return self.apply(Entry(EntryKind.ACT, seat, words))

    def view(self, viewer: Viewer) -> Any:
        """Return what ``viewer`` knows."""
        return self.game.view(self.state, viewer)

    def menu(self, seat: Seat, draft: Words = ()) -> Menu | None:
        """Return what ``seat`` may say after ``draft``; raises ``ActionError`` if that begins no sentence."""
        return self.game.menu(self.view(seat), draft)

    @property
    def waiting(self) -> frozenset[Seat]:
        """Return the seats that must decide, as far as the public can tell."""
        return self.game.waiting(self.view(None))

    @property
    def outcome(self) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return self.game.outcome(self.view(None))

    def facts(self, viewer: Viewer, since: int = 0) -> tuple[tuple[int, Fact], ...]:
        """Return (batch, fact) for all that ``viewer`` learned; batch 0 is the start."""
        return tuple(
            (number, item)
            for number in range(since, len(self.batches))
            if self.batches.heard(number, viewer)
            for item in facts_for(self.batches[number], viewer)
        )

    def digest(self) -> str:
        """Return the keyed digest of the state: 64 hex digits that tell nothing without the seed."""
        return keyed_digest(Rng(self.seed).secret("digest"), self.game.record(self.state))

    def computer(self, seat: Seat, skill: Skill | None = None) -> Words:
        """Return the sentence of a computer player in ``seat``, drawn under a key of its own.

        ``skill``: how well it thinks; if ``None``, or if the game has no levels, it decides at once, without
        looking far ahead. The key counts only what the public has learned, so that the same match gives the
        same computer player again. Raises ``ValueError`` if nothing is asked of the seat.
        """
        view, menu = self.view(seat), self.menu(seat)
        if menu is None:
            raise ValueError("nothing is asked of this seat")
        return decide(self.game, view, menu, skill, self.player_rng("computer", seat))

    def interrupt(self, seat: Seat, skill: Skill | None = None) -> Words | None:
        """Return what a computer player in ``seat`` says unasked; ``None``: it keeps quiet.

        ``skill`` and the key are as for :meth:`computer`. Once it has said something, it keeps quiet until
        the public has learned something new: interruptions cannot go on endlessly.
        """
        if not isinstance(self.game, Interrupting) or self.has_spoken(seat):
            return None
        view = self.view(seat)
        menu = self.game.menu(view)
        if menu is None:
            return None
        return interrupt(self.game, view, menu, skill, self.player_rng("interrupt", seat))

    def has_spoken(self, seat: Seat) -> bool:
        """Return whether a seat has said something since the public last learned anything."""
        for number, entry in reversed([*enumerate(self.log, 1)]):
            if self.batches.heard(number, None):
                return False
            if entry.seat == seat and not is_note(self.game, entry.words):
                return True
        return False

    def play_on(self) -> tuple[Match, Seat] | None:
        """Return the match after the next sentence of computer players, and whose it is; ``None`` once over.

        Interruptions come first, then pending seats, in their order.
        """
        waiting = self.waiting
        if not waiting:
            return None
        for seat in range(self.setup.seats):
            words = self.interrupt(seat)
            if words is not None:
                return self.act(seat, words), seat
        # Publicly, a seat that acted secretly still counts as pending.
        seat = min(seat for seat in waiting if seat in self.game.waiting(self.view(seat)))
        return self.act(seat, self.computer(seat)), seat

    def lapse(self, seat: Seat) -> Words | None:
        """Return the sentence that the rules prescribe for ``seat`` at a deadline; ``None``: none."""
        return self.game.lapse(self.view(seat), self.player_rng("lapse", seat))

    @property
    def public_count(self) -> int:
        """Return how often the public has learned something, the start included."""
        return sum(self.batches.heard(number, None) for number in range(len(self.batches)))

    def player_rng(self, use: str, seat: Seat) -> Rng:
        """Return the randomness of a player in ``seat`` for a ``use``: never the match's own."""
        # Counting what the public learned, not the log: a private note must not change what a computer does.
        return Rng(self.seed).child(use, seat, self.public_count)
