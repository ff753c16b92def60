"""The alt texts of the private pictures: who cannot see them can play from these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Seat, SeatName
from engines.doge.view import CARDS, Card, Clue, Mark, Pair, Section, View
from renderers.core.captions import Captions, description
from renderers.doge.clue import sentence
from renderers.doge.hand import verdict_of
from renderers.doge.hand_cards import Verdict
from renderers.doge.hand_model import ChosenGift, given, note, places
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
    told = sentence(captions, view, newest)
    parts = [
        captions.text("alt.clue", who=_who(captions, seat), told=told, cards=_cards(captions, newest.cards))
    ]
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is not None:
        parts.append(captions.text("clue.treasures", n=len(treasures)))
    return description(parts)


def _who(captions: Captions, seat: Seat) -> str:
    return captions.text_with_side("who", name=SeatName(seat), side=captions.seat_name(seat))


def _cards(captions: Captions, cards: Iterable[Card]) -> str:
    return ", ".join(captions.text(f"card.{card.value}") for card in cards)


# --- the sheet ------------------------------------------------------------------------------------


def _of_sheet(captions: Captions, view: View, focus: Focus) -> Iterator[str]:
    assert view.viewer is not None
    assert view.sheet is not None
    own = () if view.own is None else view.own.cards
    yield captions.text("alt.sheet", who=_who(captions, view.viewer), cards=_cards(captions, own))
    if focus.seat is not None:
        cards = "" if focus.card is None else _cards(captions, [focus.card])
        key = "alt.section" if focus.card is None else "alt.cell"
        yield captions.text(key, who=_who(captions, focus.seat), card=cards)
    if view.sheet.treasures is None:
        yield captions.text("alt.unaided")
    else:
        count = len(view.sheet.treasures)
        yield captions.text("alt.treasures", n=count, pairs=_treasures(captions, view.sheet.treasures))
    for section in view.sheet.sections:
        yield from _marks(captions, section, (*own, *view.laid_out))
    if view.laid_out:
        yield captions.text("alt.laid_out", cards=_cards(captions, view.laid_out))
    for section in view.sheet.sections:
        if section.clues:
            clues = "; ".join(_clue(captions, clue) for clue in section.clues)
            yield captions.text("alt.clues", side=captions.seat_name(section.seat), clues=clues)


def _treasures(captions: Captions, pairs: tuple[Pair, ...]) -> str:
    """Return possible treasures by institution: each with the crafts that may go with it."""
    found: dict[Card, list[Card]] = {}
    for pair in pairs:
        found.setdefault(pair.institution, []).append(pair.craft)
    return "; ".join(
        captions.text(
            "alt.with", institution=_cards(captions, [institution]), crafts=_cards(captions, crafts)
        )
        for institution, crafts in found.items()
    )


def _marks(captions: Captions, section: Section, plain: tuple[Card, ...]) -> Iterator[str]:
    """Yield what is certain of a player, and the pencil marks; ``plain``: cards that are false for all."""
    sure = dict(section.sure or ())
    true = [card for card in CARDS if sure.get(card) is Mark.TRUE]
    # Who is found out has all other cards false.
    false = [card for card in CARDS if sure.get(card) is Mark.FALSE and card not in plain and len(true) < 2]
    if section.sure is not None:
        found = [_marked(captions, Mark.TRUE, true), _marked(captions, Mark.FALSE, false)]
        marks = "; ".join(filter(None, found)) or captions.text("alt.nothing")
        yield captions.text("alt.sure", who=_who(captions, section.seat), marks=marks)
    if section.pencil:
        made = {mark: [card for card, one in section.pencil if one is mark] for mark in Mark}
        marks = "; ".join(_marked(captions, mark, cards) for mark, cards in made.items() if cards)
        yield captions.text("alt.pencil", side=captions.seat_name(section.seat), marks=marks)


def _marked(captions: Captions, mark: Mark, cards: list[Card]) -> str:
    return captions.text(f"alt.{mark.value}", cards=_cards(captions, cards)) if cards else ""


def _clue(captions: Captions, clue: Clue) -> str:
    return captions.text(f"alt.{clue.source.value}", cards=_cards(captions, clue.cards))


# --- the hand -------------------------------------------------------------------------------------


def _of_hand(captions: Captions, view: View, gift: ChosenGift | None) -> Iterator[str]:
    assert view.viewer is not None
    own = () if view.own is None else view.own.cards
    yield captions.text("alt.hand", who=_who(captions, view.viewer), cards=_cards(captions, own))
    told = note(captions, view, gift)
    if gift is not None and gift.cards:
        chosen = ", ".join(_with_verdict(captions, view, card) for card in gift.cards)
        told = captions.text("alt.gift", told=told, cards=chosen)
    yield told
    yield captions.text("alt.false", cards=_cards(captions, view.false_hand) or captions.text("alt.none"))
    away = [
        captions.text("alt.away", card=_cards(captions, [card]), place=places(captions, square))
        for card, square in given(view).items()
    ]
    if away:
        yield captions.text("alt.given", cards=", ".join(away))
    if view.laid_out:
        yield captions.text("alt.laid_out", cards=_cards(captions, view.laid_out))


def _with_verdict(captions: Captions, view: View, card: Card) -> str:
    key = "alt.true_card" if verdict_of(view, card) is Verdict.TRUE else "alt.false_card"
    return captions.text(key, card=_cards(captions, [card]))
