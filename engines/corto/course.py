"""A sentence as it goes: steps checked and carried out one by one on a table, with or without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from engines.core.contract import Seat
from engines.corto import facts
from engines.corto.board import column_of, two_are_full
from engines.corto.effects import by_place, named, refuse, waive
from engines.corto.quests import quest_of
from engines.corto.state import Public
from engines.corto.steps import Verb
from engines.corto.table import Table
from engines.corto.view import HAND, Phase, Square

DRAWS = 2
"""Cards that may be drawn after a turn of play."""


class Duty(Enum):
    """What a seat is about."""

    NONE = "none"
    START = "start"
    HAND = "hand"
    """Its first four draws."""
    TURN = "turn"
    TOSS = "toss"
    """It discards, and may name cards."""
    DRAWS = "draws"
    DONE = "done"
    """Its turn is over."""


_HITS = (Verb.TAKE, Verb.KILL, Verb.TRAIN)


@dataclass(slots=True, repr=False)
class Course:
    """A table, and how far its seat has come.

    ``owed``: draws before the first turn. ``placed``: the seat has put its first marker. ``half``: the card
    in hand asks for its first effect before anything else. ``over``: two strips are full at the turn's end.
    ``revealed``: a step has revealed something; ``passed``: the turn was a pass.
    """

    table: Table
    duty: Duty
    owed: int = 0
    placed: bool = False
    half: bool = False
    over: bool = False
    revealed: bool = False
    passed: bool = False

    @classmethod
    def of(cls, public: Public, table: Table) -> Course:
        """Return the course of the table's seat, as the match stands."""
        return cls(table, duty_of(public, table.seat), public.to_draw[table.seat])

    def check_verb(self, verb: Verb, *, shot: bool = False) -> None:
        """Raise :class:`~engines.core.contract.IllegalAction` unless such a step may come next at all."""
        if verb is Verb.DRAW and self.duty is Duty.DONE:
            raise refuse("draws_spent", n=HAND)
        if self.revealed and (self.duty is Duty.DONE or verb not in (Verb.DRAW, Verb.ENOUGH)):
            raise refuse("after_reveal")
        self._check_duty(verb)
        self._check_half(verb, shot=shot)

    def _check_duty(self, verb: Verb) -> None:
        """Raise unless a verb belongs to what the seat is about."""
        if verb in _ALLOWED[self.duty]:
            return
        if self.revealed:
            raise refuse("after_reveal")
        if verb is Verb.DISCARD and self.duty is Duty.TOSS:
            raise refuse("discard_once")
        raise refuse(f"duty_{self.duty.value}")

    def _check_half(self, verb: Verb, *, shot: bool) -> None:
        """Raise if the card in hand has done nothing yet, and the step is not what it does."""
        if not self.half or shot or verb in (Verb.ADD, Verb.MOVE, *_HITS):
            return
        card = self.table.turn.card
        raise refuse("half", card="" if card is None else named(card))

    def close(self) -> None:
        """End the sentence: a discard turn that named its cards goes on to its draws."""
        if self.duty is Duty.TOSS:
            self.end_of_cards(Duty.TOSS)

    # --- the end of a turn ------------------------------------------------------------------------

    def draws_after(self) -> int:
        """Return how many cards the seat may draw, or must after a discard, once its cards are played."""
        table = self.table
        if two_are_full(table):
            return 0
        limit = DRAWS if table.turn.played and not table.turn.refill else HAND
        return max(0, min(limit, HAND - len(table.backs[table.seat]), sum(table.deck_sizes.values())))

    def end_of_cards(self, duty: Duty) -> None:
        """Quests that look at a turn's end, the end of the match, then the draws."""
        table = self.table
        draws = self.draws_after()
        waive(table)
        self.over = two_are_full(table)
        if duty is Duty.TURN:
            table.tell(facts.ended_turn(table.seat))
        else:
            self.passed = not draws and not table.turn.discarded and not self.over
            told = (
                facts.passed(table.seat, forced=False)
                if self.passed
                else facts.discarded(table.seat, table.turn.discarded)
            )
            table.tell(told)
        for strip in table.strips:
            quest_of(strip).turn_ends(table, strip)
        table.turn = replace(table.turn, draws=draws)
        self.duty = Duty.DRAWS if draws else Duty.DONE


def starts(table: Table) -> tuple[Square, ...]:
    """Return the starting characters, from the top."""
    return tuple(square for square in by_place(table) if column_of(square) == 1)


def decks(table: Table) -> tuple[str, ...]:
    """Return the decks that have cards, from the top."""
    return tuple(strip for strip in table.strips if table.deck_sizes[strip])


def duty_of(public: Public, seat: Seat) -> Duty:
    """Return what a seat is asked for."""
    if public.phase is Phase.OVER or seat in public.left:
        return Duty.NONE
    if public.place == seat:
        return Duty.START
    if public.to_draw[seat] and public.has_placed(seat):
        return Duty.HAND
    if public.turn is None or public.turn.seat != seat:
        return Duty.NONE
    return Duty.DRAWS if public.phase is Phase.DRAWS else Duty.TURN


_OF_A_TURN = frozenset(Verb) - {Verb.START, Verb.TOSS, Verb.DRAW, Verb.ENOUGH}

_ALLOWED: Mapping[Duty, frozenset[Verb]] = {
    Duty.NONE: frozenset(),
    Duty.START: frozenset({Verb.START}),
    Duty.HAND: frozenset({Verb.DRAW}),
    Duty.TURN: _OF_A_TURN,
    Duty.TOSS: frozenset({Verb.TOSS, Verb.DRAW}),
    Duty.DRAWS: frozenset({Verb.DRAW, Verb.ENOUGH}),
    Duty.DONE: frozenset(),
}
