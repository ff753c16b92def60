"""A match in the middle of a sentence: what steps change, with or without the hidden part.

A draft is worked out on a table made from its seat's view, without secrets: it stops where something hidden
would be revealed. The committed sentence is worked out on a table made from the state, by the same steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from engines.core.contract import EVERYONE, Audience, Event, Fact, Seat, all_but, only
from engines.core.rng import Stream
from engines.corto import events
from engines.corto.board import fills_two, in_order, neighbours, squares_of
from engines.corto.cards import CARDS, Card
from engines.corto.state import (
    CardId,
    CharacterView,
    Figurine,
    PieceView,
    Public,
    QuestView,
    Square,
    State,
    TurnView,
)

P = TypeVar("P", bound=Public)


class Reveals(Exception):  # noqa: N818 - no error: a draft ends here
    """The step reveals something hidden, and the table does not know it."""


@dataclass(slots=True, repr=False)
class Secrets:
    """The hidden part of a :class:`~engines.corto.state.State`, and the sentence's randomness."""

    decks: dict[str, list[CardId]]
    hands: list[list[CardId]]
    faces: dict[str, list[str]]
    seen: list[set[CardId]]
    under: list[set[CardId]]
    stream: Stream


@dataclass(slots=True, repr=False)
class Table:
    """All that a step may read or change; ``public`` is what the sentence found, and never changes.

    ``hand``: the acting seat's; ``backs``: the decks of each hand's cards, sorted. ``deck_sizes``,
    ``discards``, ``pieces`` (of quests): by strip letter. The rest is as in
    :class:`~engines.corto.state.Public`.
    """

    public: Public
    seat: Seat
    hand: list[CardId]
    backs: list[list[str]]
    deck_sizes: dict[str, int]
    board: dict[Square, CharacterView]
    figurines: dict[Figurine, Square | None]
    stock: list[int]
    seal: list[list[CardId]]
    corto_gold: list[int]
    kept: list[list[CardId]]
    discards: dict[str, list[CardId]]
    pieces: dict[str, list[PieceView]]
    turn: TurnView
    secrets: Secrets | None = None
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(
        cls, public: Public, seat: Seat, hand: list[CardId], backs: list[list[str]], sizes: dict[str, int]
    ) -> Table:
        """Return a table without secrets for a seat that acts."""
        return cls(
            public=public,
            seat=seat,
            hand=hand,
            backs=backs,
            deck_sizes=sizes,
            board={found.square: found for found in public.board},
            figurines={Figurine.CORTO: public.corto, Figurine.RASPUTIN: public.rasputin},
            stock=list(public.stock),
            seal=[list(cards) for cards in public.seal],
            corto_gold=list(public.corto_gold),
            kept=[list(cards) for cards in public.kept],
            discards=dict(zip(public.strips, map(list, public.discards), strict=True)),
            pieces={quest.strip: list(quest.pieces) for quest in public.quests},
            turn=public.turn if public.turn is not None else TurnView(seat),
        )

    @classmethod
    def of_state(cls, state: State, seat: Seat, stream: Stream) -> Table:
        """Return the table of a seat's sentence, with all that is hidden; ``stream`` draws its random cards.

        ``hand`` is the seat's own list in the secrets: what changes one changes the other.
        """
        strips = state.public.strips
        secrets = Secrets(
            decks=dict(zip(strips, map(list, state.decks), strict=True)),
            hands=[list(hand) for hand in state.hands],
            faces=dict(zip(strips, map(list, state.faces), strict=True)),
            seen=[set(cards) for cards in state.seen],
            under=[set(cards) for cards in state.under],
            stream=stream,
        )
        backs = [sorted(card[0] for card in hand) for hand in state.hands]
        sizes = {strip: len(deck) for strip, deck in secrets.decks.items()}
        table = cls.of(state.public, seat, secrets.hands[seat], backs, sizes)
        table.secrets = secrets
        return table

    def copy(self) -> Table:
        """Return a table without secrets on which other steps may be tried, with no events yet."""
        return Table(
            public=self.public,
            seat=self.seat,
            hand=list(self.hand),
            backs=[list(cards) for cards in self.backs],
            deck_sizes=dict(self.deck_sizes),
            board=dict(self.board),
            figurines=dict(self.figurines),
            stock=list(self.stock),
            seal=[list(cards) for cards in self.seal],
            corto_gold=list(self.corto_gold),
            kept=[list(cards) for cards in self.kept],
            discards={strip: list(cards) for strip, cards in self.discards.items()},
            pieces={strip: list(pieces) for strip, pieces in self.pieces.items()},
            turn=self.turn,
        )

    def after(self, public: P) -> P:
        """Return ``public``, or a view, with the table's board, markers, cards, pieces and turn.

        Step, phase, passes, draws owed, recap and news are the rules' own to change.
        """
        return replace(
            public,
            board=tuple(self.board[square] for square in self.squares()),
            corto=self.figurines[Figurine.CORTO],
            rasputin=self.figurines[Figurine.RASPUTIN],
            stock=tuple(self.stock),
            seal=tuple(map(tuple, self.seal)),
            corto_gold=tuple(self.corto_gold),
            kept=tuple(map(tuple, self.kept)),
            discards=tuple(map(tuple, self.discards.values())),
            quests=tuple(QuestView(strip, tuple(pieces)) for strip, pieces in self.pieces.items()),
            turn=self.turn,
        )

    def state(self) -> State:
        """Return the state that a table made by :meth:`of_state` leads to (see :meth:`after`)."""
        secrets = self.hidden()
        return State(
            public=self.after(self.public),
            decks=tuple(map(tuple, secrets.decks.values())),
            hands=tuple(map(tuple, secrets.hands)),
            faces=tuple(map(tuple, secrets.faces.values())),
            seen=tuple(tuple(sorted(cards)) for cards in secrets.seen),
            under=tuple(tuple(sorted(cards)) for cards in secrets.under),
        )

    def tell(self, fact: Fact, audience: Audience = EVERYONE) -> None:
        """Note that something has happened."""
        self.events.append(Event(fact, audience))

    def hidden(self) -> Secrets:
        """Return the hidden part; raises :class:`Reveals` on a table made from a view."""
        if self.secrets is None:
            raise Reveals
        return self.secrets

    @property
    def strips(self) -> tuple[str, ...]:
        """Return the letters of the strips, from the top."""
        return self.public.strips

    @property
    def colours(self) -> tuple[str, ...]:
        """Return the colours of the seats."""
        return self.public.colours

    # --- who stands where -------------------------------------------------------------------------

    def squares(self) -> tuple[Square, ...]:
        """Return the squares with characters, by strip and column."""
        return tuple(in_order(self.strips, self.board))

    def controller(self, square: Square) -> Seat | None:
        """Return who controls a square."""
        found = self.board.get(square)
        return None if found is None else found.controller

    def own_elsewhere(self, square: Square = "") -> tuple[Square, ...]:
        """Return the characters, but for the one on ``square``, that hold a marker of the acting seat."""
        return tuple(at for at in self.squares() if at != square and self.board[at].markers[self.seat])

    def is_free(self, square: Square) -> bool:
        """Return whether neither a character nor a figurine stands on a square."""
        return square not in self.board and square not in self.figurines.values()

    def occupied(self) -> set[Square]:
        """Return all squares on which a character or a figurine stands."""
        return {*self.board, *(square for square in self.figurines.values() if square is not None)}

    def two_are_full(self) -> bool:
        """Return whether the match ends with this turn."""
        return fills_two(self.strips, self.occupied())

    def places_for(self, card: Card) -> tuple[Square, ...]:
        """Return the squares on which a character may be placed.

        Those beside a character or figurine; in a strip that has none, its first free square. All free ones
        where a drop-in holds.
        """
        found: list[Square] = []
        occupied = self.occupied()
        for strip in self.strips_for(card):
            free = [square for square in squares_of(strip) if square not in occupied]
            touching = [at for at in free if not occupied.isdisjoint(neighbours(self.strips, at))]
            # Ruling: in a strip that nothing touches, the first free square from the left is legal.
            found += free if self.turn.drop_in else touching or free[:1]
        return tuple(found)

    def strips_for(self, card: Card) -> tuple[str, ...]:
        """Return the strips in play on which a character may stand, from the top."""
        return tuple(strip for strip in self.strips if strip in card.colours)

    def last_standing(self) -> CardId | None:
        """Return the character or figurine played last in this turn."""
        return next((card for card in reversed(self.turn.played) if CARDS[card].stands), None)

    def guard(self, square: Square) -> CardId | None:
        """Return the safe-conduct that a hit or elimination by the acting seat on a square is spent on."""
        # Ruling: what counts is who controls the character, not whose marker would go.
        protector = self.controller(square)
        if protector is None or protector == self.seat:
            return None
        return next((card for card in self.kept[protector] if CARDS[card].effect == "safe-conduct"), None)

    # --- markers ----------------------------------------------------------------------------------

    def change_markers(self, square: Square, owner: Seat, change: int) -> None:
        """Add markers of a seat to the character on a square, or take some off; the stock is untouched."""
        # The view or state behind the table holds this character too: it is replaced, not changed.
        found = self.board[square]
        markers = (*found.markers[:owner], found.markers[owner] + change, *found.markers[owner + 1 :])
        self.board[square] = CharacterView(square, found.card, markers)

    def send_home(self, square: Square, owner: Seat) -> None:
        """Return a marker from a character to its owner's stock."""
        self.change_markers(square, owner, -1)
        self.stock[owner] += 1

    def put_marker(self, square: Square, origin: Square) -> None:
        """Put a marker of the acting seat on a character, from the stock or from another character."""
        if origin:
            self.change_markers(origin, self.seat, -1)
        elif self.stock[self.seat]:
            self.stock[self.seat] -= 1
        else:
            return
        self.change_markers(square, self.seat, 1)
        self.tell(events.added(self.seat, square, origin or None))

    # --- cards ------------------------------------------------------------------------------------

    def card_in_hand(self) -> Card | None:
        """Return the card that was taken up and is not finished."""
        return None if self.turn.card is None else CARDS[self.turn.card]

    def leave_hand(self, card: CardId) -> None:
        """Take a card out of the acting seat's hand; all see it, so nobody has to remember it."""
        self.hand.remove(card)
        self.backs[self.seat].remove(CARDS[card].deck)
        if self.secrets is not None:
            for seen in self.secrets.seen:
                seen.discard(card)

    def discard(self, card: CardId) -> None:
        """Put a card on the discards of its adventure, face up."""
        self.discards[CARDS[card].deck].append(card)

    def take_up(
        self,
        card: CardId,
        *,
        origin: Square | None = None,
        adds: int = 0,
        hits: int = 0,
        sail: bool = False,
        gold: bool = False,
        must_free: bool = False,
    ) -> None:
        """Begin a card: what the card before it had left is waived."""
        turn = self.turn
        self.turn = replace(
            turn,
            played=(*turn.played, card),
            card=card,
            origin=turn.origin if origin is None else origin,
            adds=adds,
            hits=hits,
            sail=sail,
            gold=gold,
            shot=None,
            must_free=must_free,
        )
        self.tidy()

    def tidy(self) -> None:
        """Let go of a card of which nothing is left."""
        turn = self.turn
        if not (turn.adds or turn.hits or turn.sail or turn.gold):
            self.turn = replace(turn, card=None)

    def draw(self, seat: Seat, deck: str) -> None:
        """Draw the top card of a deck; without secrets only its back is drawn."""
        self.deck_sizes[deck] -= 1
        self.backs[seat].append(deck)
        self.backs[seat].sort()
        if self.secrets is None:
            return
        card = self.secrets.decks[deck].pop(0)
        self.secrets.hands[seat].append(card)
        # Who knew where the card lay under its deck sees now into whose hand it goes.
        for viewer, under in enumerate(self.secrets.under):
            if card in under:
                under.remove(card)
                if viewer != seat:
                    self.secrets.seen[viewer].add(card)
        self.tell(events.drew(seat, deck, card), only(seat))
        self.tell(events.drew(seat, deck, None), all_but(seat))

    def filled_decks(self) -> tuple[str, ...]:
        """Return the decks that have cards, from the top."""
        return tuple(strip for strip in self.strips if self.deck_sizes[strip])

    def fullest_deck(self) -> str | None:
        """Return the deck with the most cards, of equals the topmost; ``None`` when all are empty."""
        most = max(self.deck_sizes.values())
        return next(strip for strip in self.strips if self.deck_sizes[strip] == most) if most else None
