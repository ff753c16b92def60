"""Truths that a viewer could not tell from the real one: other hands, other decks, other tiles."""

from __future__ import annotations

from collections.abc import Iterable

from engines.core.base import fields_of
from engines.core.contract import Seat
from engines.core.rng import Rng, Stream
from engines.corto.cards import ADVENTURES, CARDS
from engines.corto.quests import quest_of
from engines.corto.state import HAND, CardId, Cards, Phase, Public, State
from engines.corto.verbs import could_begin
from engines.corto.view import HandCard, View, table_of

Back = tuple[Seat, str]
"""A hidden card in a hand: whose, and of which deck."""
Given = tuple[Seat, CardId]

KNOWN = (1, 2)
"""How often another seat is imagined to know a card that it may have seen."""

TRIES = 30
"""Random deals that are tried before a playable card is put into the hand that must have one."""


def imagine(view: View, rng: Rng) -> State:
    """Return a truth that gives this view.

    Cards that the viewer has not seen are dealt anew to decks and hands, by their backs; the faces that
    it knows stay where they are, what a skip has shown of a hand stays true, and so does that who is not
    skipped has something to play.
    """
    stream = rng.stream("imagine")
    known = rng.stream("imagine", "known")
    hands, decks = Deal(view, stream).dealt()
    state = State(
        public=Public(**fields_of(Public, view)),
        decks=decks,
        hands=hands,
        faces=tuple(
            stream.shuffled(quest_of(quest.strip).unseen(ADVENTURES[quest.strip], quest.pieces))
            for quest in view.quests
        ),
        seen=tuple(seen_by(view, seat, hands, known) for seat in view.seats),
        under=tuple(_known_under(view, seat, decks, known) for seat in view.seats),
    )
    return state.revealed() if view.phase is Phase.OVER else state


def _faces(cards: tuple[HandCard, ...]) -> list[CardId]:
    return [card.card for card in cards if card.card is not None]


def seen_by(view: View, seat: Seat, hands: tuple[Cards, ...], stream: Stream) -> Cards:
    """Return the cards in others' hands that a seat knows: the viewer's own knowledge; others' at random."""
    if seat == view.viewer:
        others = (hand for other, hand in enumerate(view.hands) if other != seat)
        return tuple(sorted(card for hand in others for card in _faces(hand)))
    # A seat alone sees a face by a pickpocket, or where a card that was put under its deck is drawn.
    picked = any(CARDS[card].effect == "pickpocket" for pile in view.discards for card in pile)
    if not picked and not view.left:
        return ()
    return some([card for other, hand in enumerate(hands) if other != seat for card in hand], stream)


def _known_under(view: View, seat: Seat, decks: tuple[Cards, ...], stream: Stream) -> Cards:
    if seat == view.viewer:
        return tuple(sorted(_faces(view.known_under)))
    # Only hands of those who left lie there, and no view tells how much of them is left.
    return some([card for deck in decks for card in deck[-HAND:]], stream) if view.left else ()


def some(cards: Iterable[CardId], stream: Stream) -> Cards:
    """Return cards that a seat is imagined to know, sorted."""
    return tuple(sorted(card for card in cards if stream.chance(*KNOWN)))


def unseen(view: View) -> dict[str, list[CardId]]:
    """Return the cards of each deck whose places the viewer does not know, sorted."""
    seen = {found.card for found in view.board}
    for pile in (*view.discards, *view.seal, *view.kept, *map(_faces, (view.known_under, *view.hands))):
        seen.update(pile)
    # Sorted, so that the same randomness deals the same cards whatever the order of a set is.
    return {
        strip: sorted(card for card in CARDS if card[0] == strip and card not in seen)
        for strip in view.strips
    }


class Deal:
    """Deals the unseen cards to the backs that the viewer sees."""

    def __init__(self, view: View, stream: Stream) -> None:
        self._view = view
        self._stream = stream
        self._pools = unseen(view)

    def dealt(self) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
        """Return hands by seat, and decks by strip from the top."""
        hidden = (
            (seat, card.deck)
            for seat, hand in enumerate(self._view.hands)
            for card in hand
            if card.card is None
        )
        # The hands that skips have limited draw first, so that few draws have to be taken back.
        backs = sorted(hidden, key=lambda back: len(self._view.limit_of(back[0]) or CARDS))
        mover = self.mover()
        for _ in range(TRIES):
            given = self._fill(backs)
            if given is None:  # only a view put together by hand has more backs than cards
                raise ValueError("the view is of no match: no cards fit its backs")
            if mover is None:
                return self._whole(given)
            table = table_of(self._view, mover)
            hand = (*_faces(self._view.hands[mover]), *(card for seat, card in given if seat == mover))
            if any(could_begin(table, card) for card in hand):
                return self._whole(given)
        assert mover is not None
        return self._whole(self._with_playable(mover, backs))

    def mover(self) -> Seat | None:
        """Return who must have a playable card, since it was not skipped: at empty decks, before any step."""
        view = self._view
        if view.phase is not Phase.TURN or view.turn is None or any(view.decks):
            return None
        begun = view.turn.played or view.turn.discarded
        return None if begun or view.turn.seat == view.viewer else view.turn.seat

    def fits(self, seat: Seat, card: CardId) -> bool:
        """Return whether a hand may hold a card, for all that a skip has shown of it."""
        limited = self._view.limit_of(seat)
        return limited is None or card in limited

    def _fill(self, backs: list[Back], taken: tuple[CardId, ...] = ()) -> list[Given] | None:
        """Return a card for each back, at random; ``None`` where there is no way without those taken."""
        if not backs:
            return []
        seat, deck = backs[0]
        fitting = [card for card in self._pools[deck] if card not in taken and self.fits(seat, card)]
        for card in self._stream.shuffled(fitting):
            rest = self._fill(backs[1:], (*taken, card))
            if rest is not None:
                return [(seat, card), *rest]
        return None

    def _with_playable(self, seat: Seat, backs: list[Back]) -> list[Given]:
        table = table_of(self._view, seat)
        ways = (
            (back, card)
            for back in dict.fromkeys(backs)
            if back[0] == seat
            for card in self._pools[back[1]]
            if self.fits(seat, card) and could_begin(table, card)
        )
        for back, card in self._stream.shuffled(tuple(ways)):
            rest = list(backs)
            rest.remove(back)
            given = self._fill(rest, (card,))
            if given is not None:
                return [(seat, card), *given]
        # A situation may begin with somebody to move who has nothing to play.
        return self._fill(backs) or []

    def _whole(self, given: list[Given]) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
        view = self._view
        hands = [
            (*_faces(hand), *(card for owner, card in given if owner == seat))
            for seat, hand in enumerate(view.hands)
        ]
        used = {card for _, card in given}
        decks = []
        for strip in view.strips:
            rest = self._stream.shuffled([card for card in self._pools[strip] if card not in used])
            under = [card for card in view.known_under if card.deck == strip]
            spare = iter(rest)
            bottom = tuple(card.card if card.card is not None else next(spare) for card in under)
            decks.append((*spare, *bottom))
        return tuple(hands), tuple(decks)
