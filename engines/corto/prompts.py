"""What a seat is asked, in a sentence: it never asks for what is chosen already."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce

from engines.core.contract import Msg, msg
from engines.core.kit import in_a_row
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.notation import Word, WordKind
from engines.corto.state import CardId
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import DRAW, TOSS
from engines.corto.verbs.base import MOST_CARDS, Step
from engines.corto.verbs.characters import has_marker

_ACTIONS = frozenset({"shot", "add", "hit", "sail", "from"})
"""The fields of what the card in hand may do."""


def prompt(progress: Progress, steps: Sequence[Step], begun: Sequence[Word], fields: Collection[str]) -> Msg:
    """Return what is asked after ``steps``, the last of which may reveal, and the words ``begun``.

    ``fields``: the keys of the fields that are offered.
    """
    if progress.revealed:
        decks = ", ".join(step.word for step in steps if step.verb is DRAW)
        return msg("prompt.reveals_draws", decks=decks) if decks else msg("prompt.reveals")
    if begun:
        return _go_on(begun)
    turn = progress.table.turn
    match progress.duty:
        case Duty.TURN:
            return _turn(progress, fields)
        case Duty.TOSS:
            return _toss(progress, [step.card for step in steps if step.verb is TOSS])
        case Duty.HAND:
            return msg("prompt.hand", n=progress.owed)
        case Duty.DRAWS:
            return msg("prompt.draws" if turn.played else "prompt.draws_all", n=turn.draws)
        case duty:
            return msg(f"prompt.{duty.value}")


def _go_on(begun: Sequence[Word]) -> Msg:
    last = begun[-1]
    if last.kind is WordKind.CARD:
        card = CARDS[last.text]
        return msg(f"prompt.card.{card.effect or card.kind.value}", card=card.name, text=card.text)
    if last.kind in (WordKind.SQUARE, WordKind.ADD) and begun[0].text not in ("move", "adv"):
        return msg("prompt.from", square=last.one)
    if last.kind is WordKind.SQUARE:
        return msg(f"prompt.{begun[0].text}", square=last.one)
    return msg("prompt.go_on")


def _turn(progress: Progress, fields: Collection[str]) -> Msg:
    turn = progress.table.turn
    card = progress.table.card_in_hand()
    if turn.must_free and card is not None:
        return msg("prompt.must_free", card=card.name)
    if progress.half and card is not None:
        key = "prompt.half_moves" if card.effect else "prompt.half"
        return msg(key, card=card.name, text=card.text)
    if not _ACTIONS.isdisjoint(fields):
        if card is None:
            return msg("prompt.shot")
        return msg("prompt.card" if "hand" in fields else "prompt.card_last", card=card.name)
    if "hand" in fields:
        left = MOST_CARDS - len(turn.played)
        return msg("prompt.turn_more", n=left) if turn.played else msg("prompt.turn")
    if turn.played:
        return msg("prompt.turn_end")
    # Cards of a kind cannot be played for the same reason: it is said once.
    reasons = dict.fromkeys(_reason(progress.table, CARDS[card]) for card in progress.table.hand)
    whys = [msg(f"why.{reason}") for reason in reasons or ("no_card",)]
    return msg("prompt.nothing", why=reduce(lambda some, why: msg("why.and", first=some, second=why), whys))


def _reason(table: Table, card: Card) -> str:
    """Return why no turn can begin with a card."""
    match card.kind:
        case Kind.OBJECT:
            return "object"
        case Kind.ADVANTAGE:
            return card.effect
        case _ if not table.strips_for(card):
            return "no_strip"
        case _:
            return "no_room" if has_marker(table) else "no_marker"


def _toss(progress: Progress, tossed: Sequence[CardId]) -> Msg:
    draws = progress.draws_after()
    if not tossed:
        return msg("prompt.toss")
    cards = in_a_row([msg("card", name=CARDS[card].name, card=card) for card in sorted(tossed)])
    return msg("prompt.tossed", cards=cards, n=draws)
