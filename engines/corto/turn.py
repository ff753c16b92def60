"""A seat's sentence as it goes: what the seat is about, and what the end of a turn brings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engines.core.contract import Seat
from engines.corto import events
from engines.corto.quests import quest_of
from engines.corto.state import HAND, Phase, Public
from engines.corto.table import Table

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


@dataclass(slots=True, repr=False)
class Progress:
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

    @property
    def bound(self) -> bool:
        """Return whether the card in hand must do something before another one, or the end of the turn."""
        return self.half or self.table.turn.must_free

    @classmethod
    def of(cls, table: Table) -> Progress:
        """Return the progress of the table's seat, as the match stands."""
        return cls(table, duty_of(table.public, table.seat), table.public.to_draw[table.seat])

    def copy(self) -> Progress:
        """Return the same progress on a copy of its table, without secrets."""
        return Progress(
            self.table.copy(),
            self.duty,
            self.owed,
            self.placed,
            self.half,
            self.over,
            self.revealed,
            self.passed,
        )

    def close(self) -> None:
        """End the sentence: a discard turn that named its cards goes on to its draws."""
        if self.duty is Duty.TOSS:
            self.end_of_cards()

    def draws_after(self) -> int:
        """Return how many cards the seat may draw, or must after a discard, once its cards are played."""
        table = self.table
        if table.two_are_full():  # the match is over before anybody draws
            return 0
        limit = DRAWS if table.turn.played and not table.turn.refill else HAND
        return max(0, min(limit, HAND - len(table.backs[table.seat]), sum(table.deck_sizes.values())))

    def end_of_cards(self) -> None:
        """Go from the cards to the draws: quests that look at a turn's end, and the end of the match."""
        table = self.table
        draws = self.draws_after()
        self.over = table.two_are_full()
        if self.duty is Duty.TURN:
            table.tell(events.ended_turn(table.seat))
        elif draws or table.turn.discarded or self.over:
            table.tell(events.discarded(table.seat, table.turn.discarded))
        else:
            self.passed = True
            table.tell(events.passed(table.seat, forced=False))
        # Quest B looks at the last turn of the match too, so before anybody counts gold.
        for strip in table.strips:
            quest_of(strip).turn_ends(table, strip)
        # What the last card has left is waived.
        table.turn = replace(
            table.turn,
            card=None,
            adds=0,
            hits=0,
            sail=False,
            gold=False,
            shot=None,
            must_free=False,
            draws=draws,
        )
        self.duty = Duty.DRAWS if draws else Duty.DONE
