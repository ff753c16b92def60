"""The clue sheet of one seat (rules page, Clue sheet), worked out at every view; and why its marks stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from engines.core.contract import Arg, Msg, Seat, SeatName, msg
from engines.doge.components import CARDS, Card, Pair
from engines.doge.deduction import (
    Deals,
    DealSet,
    Evidence,
    Identity,
    Met,
    Refuted,
    SeenFalse,
    SeenTreasure,
    deals_of,
    reasons,
)
from engines.doge.events import pair_name
from engines.doge.view import Clue, Mark, Notes, Public, Section, Sheet, Source, View

SHOWN = 4
"""Clues of an explanation that are named one by one; of more, the number of the others."""


@dataclass(frozen=True, slots=True, repr=False)
class Knowledge:
    """What one seat knows of the deal: its own pair, and what it saw. ``treasure``: after a wrong guess."""

    seat: Seat
    public: Public
    own: Pair
    faces: tuple[tuple[int, Card], ...]
    shown: tuple[tuple[int, Pair], ...]
    treasure: Pair | None

    @classmethod
    def of(cls, view: View) -> Knowledge | None:
        """Return what the viewer of a running match knows; ``None`` for the public."""
        if view.viewer is None or view.own is None:
            return None
        treasure = view.treasure if view.truth is None else None
        return cls(view.viewer, view, view.own, view.faces, view.shown, treasure)

    @property
    def table(self) -> Deals:
        """Return all deals of the table."""
        return deals_of(self.public.seats, frozenset(self.public.laid_out))

    def clues(self) -> list[tuple[Seat, Clue]]:
        """Return what the seat saw of others' cards, in its order, and whose they were."""
        gifts, pairs, faces = self.public.gifts, dict(self.shown), dict(self.faces)
        found: list[tuple[Seat, Clue]] = []
        for number, gift in enumerate(gifts):
            if gift.receiver == self.seat:
                seen = pairs[number].cards if gift.source is Source.MEETING else (faces[number],)
                found.append((gift.giver, Clue(gift.source, seen, number, gift.step)))
        for discard in self.public.discards:
            owner = gifts[discard.gift].giver
            if discard.looker == self.seat and owner != self.seat:
                seen = (faces[discard.gift],)
                found.append((owner, Clue(Source.LOOK, seen, discard.gift, discard.step)))
        return sorted(found, key=lambda clue: clue[1].step)

    def evidence(self) -> list[Evidence]:
        """Return all evidence: the own pair, the clues in their order, the wrong guesses, the treasure."""
        found: list[Evidence] = [Identity(self.seat, card) for card in self.own.cards]
        for owner, clue in self.clues():
            if clue.source is Source.MEETING:
                found.append(Met(owner, Pair(*clue.cards)))
            else:
                found.append(SeenFalse(owner, clue.cards[0], by_ghost=clue.source is Source.GHOST))
        found += [Refuted(guess.seat, guess.pair) for guess in self.public.guesses if not guess.right]
        return found if self.treasure is None else [*found, SeenTreasure(self.treasure)]

    def deals(self) -> DealSet:
        """Return the deals that fit."""
        return self.table.fitting_all(self.evidence())


def sheet_of(knowledge: Knowledge, notes: Notes) -> Sheet:
    """Return a seat's sheet."""
    table, clues = knowledge.table, knowledge.clues()
    deals = knowledge.deals() if notes.auto else None
    sections = tuple(
        Section(
            seat=seat,
            clues=tuple(clue for owner, clue in clues if owner == seat),
            sure=None if deals is None else _sure(table, seat, deals),
            pencil=tuple((mark.card, mark.mark) for mark in notes.marks if mark.seat == seat),
            pairs=None if deals is None else table.pairs_of(seat, deals),
        )
        for seat in range(knowledge.public.seats)
        if seat != knowledge.seat
    )
    if deals is None:
        return Sheet(sections, None, None)
    return Sheet(sections, deals.bit_count(), table.pairs_of(table.treasure, deals))


def _sure(table: Deals, seat: Seat, deals: DealSet) -> tuple[tuple[Card, Mark], ...]:
    found: list[tuple[Card, Mark]] = []
    for card in CARDS:
        answer = table.verdict(seat, card, deals)
        if answer is not None:
            found.append((card, Mark.TRUE if answer else Mark.FALSE))
    return tuple(found)


def explanation(view: View, seat: Seat, card: Card) -> Msg:
    """Return whether a seat has a card, as far as the viewer's sheet says, and why."""
    gaps: dict[str, Arg] = {"player": SeatName(seat), "card": msg(f"card.{card}")}
    knowledge = Knowledge.of(view)
    if knowledge is None or view.notes is None or not view.notes.auto:
        return msg("why.unaided", **gaps)
    found = reasons(knowledge.table, knowledge.evidence(), seat, card)
    if found is None:
        return msg("why.open", **gaps)
    is_true = knowledge.table.verdict(seat, card, knowledge.deals())
    named = [_name(piece) for piece in found[:SHOWN]]
    if len(found) > SHOWN:
        named.append(msg("clue.more", n=len(found) - SHOWN))
    clues = reduce(lambda row, clue: msg("clue.next", clues=row, clue=clue), named)
    return msg("why.true" if is_true else "why.false", **gaps, clues=clues)


def _name(evidence: Evidence) -> Msg:
    match evidence:
        case Identity(_, card):
            return msg("clue.own", card=msg(f"card.{card}"))
        case Met(giver, pair):
            return msg("clue.met", player=SeatName(giver), pair=pair_name(pair))
        case SeenFalse(owner, card, by_ghost):
            key = "clue.ghost" if by_ghost else "clue.looked"
            return msg(key, player=SeatName(owner), card=msg(f"card.{card}"))
        case Refuted(guesser, pair):
            return msg("clue.refuted", player=SeatName(guesser), pair=pair_name(pair))
        case _:
            return msg("clue.treasure", pair=pair_name(evidence.pair))
