"""The alt texts of the private pictures: who cannot see them can play from these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Msg, Seat, SeatName, msg
from engines.doge.view import CARDS, Card, Mark, Pair, Section, Square, View
from renderers.core.captions import Captions, description
from renderers.doge.clue import sentence
from renderers.doge.hand import verdict_of
from renderers.doge.hand_cards import Verdict
from renderers.doge.hand_model import ChosenGift, given, note
from renderers.doge.highlights import Focus


def sheet_alt(captions: Captions, view: View, focus: Focus) -> str:
    """Return what stands on the clue sheet: treasures, marks by player, clues."""
    return description(_of_sheet(captions, view, focus))


def hand_alt(captions: Captions, view: View, gift: ChosenGift | None) -> str:
    """Return what is in the hand, and what becomes of a gift."""
    return description(_of_hand(captions, view, gift))


def clue_alt(captions: Captions, view: View) -> str:
    """Return the newest clue; there must be one."""
    assert view.newest_clue is not None
    seat, newest = view.newest_clue
    parts = [
        captions.text("alt.clue", player=_who(captions, seat), cards=_cards(newest.cards)),
        sentence(captions, view, newest),
    ]
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is not None:
        parts.append(captions.text("clue.treasures", n=len(treasures)))
    return description(parts)


def _who(captions: Captions, seat: Seat) -> str:
    return captions.text_with_side("who", player=SeatName(seat), side=captions.seat_name(seat))


def _cards(cards: Iterable[Card]) -> tuple[Msg, ...]:
    return tuple(msg(f"card.{card.value}") for card in cards)


# --- the sheet ------------------------------------------------------------------------------------


def _of_sheet(captions: Captions, view: View, focus: Focus) -> Iterator[str]:
    assert view.viewer is not None
    assert view.sheet is not None
    own = () if view.own is None else view.own.cards
    yield captions.text("alt.sheet", player=_who(captions, view.viewer), cards=_cards(own))
    if focus.seat is not None:
        key = "alt.section" if focus.card is None else "alt.cell"
        card = "" if focus.card is None else msg(f"card.{focus.card.value}")
        yield captions.text(key, player=_who(captions, focus.seat), card=card)
    if view.sheet.treasures is None:
        yield captions.text("alt.unaided")
    else:
        yield captions.text("alt.treasures", n=len(view.sheet.treasures))
        yield from _treasures(captions, view.sheet.treasures)
    for section in view.sheet.sections:
        yield from _marks(captions, section, (*own, *view.laid_out))
    if view.laid_out:
        yield captions.text("alt.laid_out", cards=_cards(view.laid_out))
    for section in view.sheet.sections:
        if section.clues:
            clues = tuple(msg(f"alt.{clue.source}", cards=_cards(clue.cards)) for clue in section.clues)
            yield captions.text("alt.clues", player=captions.seat_name(section.seat), clues=clues)


def _treasures(captions: Captions, pairs: tuple[Pair, ...]) -> Iterator[str]:
    """Yield possible treasures by institution: each with the crafts that may go with it."""
    found: dict[Card, list[Card]] = {}
    for pair in pairs:
        found.setdefault(pair.institution, []).append(pair.craft)
    for institution, crafts in found.items():
        yield captions.text("alt.with", institution=msg(f"card.{institution.value}"), crafts=_cards(crafts))


def _marks(captions: Captions, section: Section, plain: tuple[Card, ...]) -> Iterator[str]:
    """Yield what is certain of a player, and the pencil marks; ``plain``: cards that are false for all."""
    sure = dict(section.sure or ())
    true = [card for card in CARDS if sure.get(card) is Mark.TRUE]
    # Who is found out has all other cards false.
    false = [card for card in CARDS if sure.get(card) is Mark.FALSE and card not in plain and len(true) < 2]
    if section.sure is not None:
        player = _who(captions, section.seat)
        if true:
            yield captions.text("alt.sure.true", player=player, cards=_cards(true))
        if false:
            yield captions.text("alt.sure.false", player=player, cards=_cards(false))
        if not true and not false:
            yield captions.text("alt.sure.nothing", player=player)
    for mark in Mark:
        cards = [card for card, one in section.pencil if one is mark]
        if cards:
            player = captions.seat_name(section.seat)
            yield captions.text(f"alt.pencil.{mark.value}", player=player, cards=_cards(cards))


# --- the hand -------------------------------------------------------------------------------------


def _of_hand(captions: Captions, view: View, gift: ChosenGift | None) -> Iterator[str]:
    assert view.viewer is not None
    own = () if view.own is None else view.own.cards
    yield captions.text("alt.hand", player=_who(captions, view.viewer), cards=_cards(own))
    yield note(captions, view, gift)
    if gift is not None and gift.cards:
        yield captions.text("alt.gift", cards=tuple(_with_verdict(view, card) for card in gift.cards))
    false = _cards(view.false_hand)
    yield captions.text("alt.false", cards=false) if false else captions.text("alt.false.none")
    away = tuple(_away(card, square) for card, square in given(view).items())
    if away:
        yield captions.text("alt.given", cards=away)
    if view.laid_out:
        yield captions.text("alt.laid_out", cards=_cards(view.laid_out))


def _away(card: Card, square: Square | None) -> Msg:
    name = msg(f"card.{card.value}")
    return msg("alt.discarded", card=name) if square is None else msg("alt.away", card=name, square=square)


def _with_verdict(view: View, card: Card) -> Msg:
    key = "alt.true_card" if verdict_of(view, card) is Verdict.TRUE else "alt.false_card"
    return msg(key, card=msg(f"card.{card.value}"))
