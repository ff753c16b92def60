"""Why a mark stands on the sheet: the clues from which it follows."""

from __future__ import annotations

from engines.core.contract import Arg, Msg, Seat, SeatName, msg
from engines.core.kit import in_a_row
from engines.doge.cards import Card
from engines.doge.deduction import Evidence, Identity, Met, Refuted, SeenFalse, reasons
from engines.doge.events import pair_name
from engines.doge.sheet import Knowledge
from engines.doge.view import View

SHOWN = 4
"""Clues that are named one by one; of more, the number of the others."""


def explanation(view: View, seat: Seat, card: Card) -> Msg:
    """Return whether a seat has a card, as far as the viewer's sheet says, and why."""
    gaps: dict[str, Arg] = {"seat": SeatName(seat), "card": msg(f"card.{card}")}
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
    return msg("why.true" if is_true else "why.false", **gaps, clues=in_a_row(named))


def _name(evidence: Evidence) -> Msg:
    match evidence:
        case Identity(_, card):
            return msg("clue.own", card=msg(f"card.{card}"))
        case Met(giver, pair):
            return msg("clue.met", seat=SeatName(giver), pair=pair_name(pair))
        case SeenFalse(owner, card, by_ghost):
            key = "clue.ghost" if by_ghost else "clue.looked"
            return msg(key, seat=SeatName(owner), card=msg(f"card.{card}"))
        case Refuted(guesser, pair):
            return msg("clue.refuted", seat=SeatName(guesser), pair=pair_name(pair))
        case _:
            return msg("clue.treasure", pair=pair_name(evidence.pair))
