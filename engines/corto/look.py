"""Views, built up field by field for one viewer."""

from __future__ import annotations

from engines.core.contract import Seat, Viewer
from engines.corto.scoring import gold, groups
from engines.corto.state import Public, State
from engines.corto.view import HandCard, Phase, PlayerView, View


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    return View(
        viewer=viewer,
        step=public.step,
        phase=public.phase,
        strips=public.strips,
        board=public.board,
        corto=public.corto,
        rasputin=public.rasputin,
        players=tuple(_player(state, seat, viewer) for seat in public.seats),
        decks=tuple(len(deck) for deck in state.decks),
        discards=public.discards,
        quests=public.quests,
        gold=gold(public),
        groups=groups(public),
        first=public.first,
        asked=asked(public),
        turn=public.turn,
        passes=public.passes,
        recap=public.recap,
        news=public.news,
        ranks=public.ranks,
        reason=public.reason,
        left=public.left,
        place=public.place,
        known_under=() if viewer is None else _under(state, viewer),
    )


def _player(state: State, seat: Seat, viewer: Viewer) -> PlayerView:
    public = state.public
    return PlayerView(
        seat=seat,
        colour=public.colours[seat],
        stock=public.stock[seat],
        hand=_hand(state, seat, viewer),
        seal=public.seal[seat],
        corto_gold=public.corto_gold[seat],
        kept=public.kept[seat],
        to_draw=public.to_draw[seat],
        gone=seat in public.left,
        limited=public.limited[seat] if public.limited else None,
    )


def _hand(state: State, seat: Seat, viewer: Viewer) -> tuple[HandCard, ...]:
    """Return a hand: the viewer's own as drawn; another's by deck, known faces before backs."""
    cards = state.hands[seat]
    if viewer == seat or state.public.phase is Phase.OVER:
        return tuple(HandCard(card[0], card) for card in cards)
    known = () if viewer is None else state.seen[viewer]
    faces = [HandCard(card[0], card if card in known else None) for card in cards]
    return tuple(sorted(faces, key=lambda card: (card.deck, card.card is None, card.card or "")))


def _under(state: State, viewer: Seat) -> tuple[HandCard, ...]:
    """Return the bottoms of the decks from the first card that the viewer knows down."""
    known = state.under[viewer]
    found: list[HandCard] = []
    for deck in state.decks:
        first = next((place for place, card in enumerate(deck) if card in known), len(deck))
        found += [HandCard(card[0], card if card in known else None) for card in deck[first:]]
    return tuple(found)


def asked(public: Public) -> tuple[Seat, ...]:
    """Return the seats that must or may decide: who places or moves, and all who owe draws."""
    if public.phase is Phase.OVER:
        return ()
    found = {seat for seat in public.seats if public.to_draw[seat] and public.has_placed(seat)}
    if public.place is not None:
        found.add(public.place)
    if public.turn is not None:
        found.add(public.turn.seat)
    return tuple(sorted(found.difference(public.left)))
