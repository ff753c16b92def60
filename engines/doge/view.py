"""What one viewer knows of a match of The Secret of the Doge: plain data, for renderers and the console.

A *gift* is a false card that its owner gave, in a meeting or to the ghost. Gifts are numbered in their
order, and that number stands for the card wherever it lies: everybody sees whose card lies where.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engines.core.base import fields_of
from engines.core.canonical_json import plain, plain_fields
from engines.core.contract import Seat, Viewer
from engines.doge.components import CARDS as CARDS
from engines.doge.components import COLOURS as COLOURS
from engines.doge.components import CRAFTS as CRAFTS
from engines.doge.components import INSTITUTIONS as INSTITUTIONS
from engines.doge.components import LOCATIONS as LOCATIONS
from engines.doge.components import Card as Card
from engines.doge.components import Pair as Pair
from engines.doge.components import Square as Square
from engines.doge.components import Way as Way
from engines.doge.components import landing


class Phase(StrEnum):
    """What is asked, of whom."""

    PLACE = "place"
    """All seats without a pawn on the board: a square."""
    ROLL = "roll"
    """The active player: to roll."""
    MOVE = "move"
    """The active player: which way."""
    CHOOSE = "choose"
    """The active player: whom to meet, or whether to look at the pile."""
    HAUNT = "haunt"
    """The active player: whom the ghost asks for a card."""
    SHOW = "show"
    """The player who was met: two cards for the active player."""
    GIVE = "give"
    """The player whom the ghost found: a false card."""
    LAST = "last"
    """One player after the other: the last guess, or to pass."""
    OVER = "over"


class Reason(StrEnum):
    """Why a match is over."""

    FOUND = "found"
    GHOST = "ghost"
    """A summoning with the ghost deck empty."""
    CARDS = "cards"
    """No false card was left, and nobody's last guess was right."""
    OUT = "out"
    """All are out."""
    AGREED = "agreed"


class Source(StrEnum):
    """Where a clue comes from."""

    MEETING = "meeting"
    LOOK = "look"
    GHOST = "ghost"


class Mark(StrEnum):
    """A mark on the clue sheet."""

    TRUE = "X"
    FALSE = "0"
    MAYBE = "?"


class Subject(StrEnum):
    """Which picture tells most now; the values are the pictures' keys."""

    BOARD = "board"
    HAND = "hand"
    SHEET = "sheet"
    CLUE = "clue"


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended; ``won`` is ``None`` where the players agreed to end it."""

    won: bool | None
    reason: Reason


@dataclass(frozen=True, slots=True, repr=False)
class Gift:
    """A false card as everybody sees it: who gave it to whom, and where it was put face down.

    ``source`` is a meeting or the ghost; ``step`` is the public step at which it was given.
    """

    source: Source
    giver: Seat
    receiver: Seat
    square: Square
    step: int


@dataclass(frozen=True, slots=True, repr=False)
class Discard:
    """A card that was looked at and discarded: the gift's number, who looked, at which square and step."""

    gift: int
    looker: Seat
    square: Square
    step: int


@dataclass(frozen=True, slots=True, repr=False)
class Guess:
    """A guess at the treasure, as everybody heard it."""

    seat: Seat
    pair: Pair
    right: bool


@dataclass(frozen=True, slots=True, repr=False)
class PawnMove:
    """The last move of a pawn on the ring."""

    seat: Seat
    origin: Square
    target: Square
    way: Way
    steps: int


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows.

    ``laid_out``: cards out of play since the set-up. ``step`` counts the acts that everybody saw,
    ``turns`` the rolls; ``latest`` is the step of each seat's latest roll, -1 before its first.
    ``pawns``: ``None`` for a seat without a pawn on the ring. ``out`` are the seats that are out, in
    their order; those of them in ``resigned`` have left for good. ``piles`` hold gifts' numbers from
    the top, one pile a square. ``deck``: cards left in the ghost deck; ``drawn``: the locations drawn so
    far; ``ghost``: where it stands. ``owes``: who must show or give cards. ``passed``: who has passed
    the last guess. ``die``: the roll of this turn, ``None`` before it.
    """

    seats: int
    can_leave_gifts: bool
    laid_out: tuple[Card, ...]
    step: int
    phase: Phase
    turn: Seat | None
    turns: int
    latest: tuple[int, ...]
    die: int | None
    pawns: tuple[Square | None, ...]
    out: tuple[Seat, ...]
    resigned: tuple[Seat, ...]
    guesses: tuple[Guess, ...]
    gifts: tuple[Gift, ...]
    piles: tuple[tuple[int, ...], ...]
    discards: tuple[Discard, ...]
    ghost: Square | None
    deck: int
    drawn: tuple[Square, ...]
    last_move: PawnMove | None
    owes: Seat | None
    passed: tuple[Seat, ...]
    result: Result | None

    @property
    def crafts(self) -> tuple[Card, ...]:
        """Return the crafts in play."""
        return tuple(card for card in CRAFTS if card not in self.laid_out)

    @property
    def institutions(self) -> tuple[Card, ...]:
        """Return the institutions in play."""
        return tuple(card for card in INSTITUTIONS if card not in self.laid_out)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """Return the seats that are not out."""
        return tuple(seat for seat in range(self.seats) if seat not in self.out)

    @property
    def active(self) -> Seat:
        """Return the active player; raises ``ValueError`` where it is nobody's turn."""
        if self.turn is None:
            raise ValueError("it is nobody's turn")
        return self.turn

    def square_of(self, seat: Seat) -> Square:
        """Return where a pawn stands; raises ``ValueError`` for one that is not on the ring."""
        square = self.pawns[seat]
        if square is None:
            raise ValueError("this pawn is not on the ring")
        return square

    @property
    def asked(self) -> frozenset[Seat]:
        """Return the seats that must decide: everybody can tell."""
        if self.phase is Phase.OVER:
            return frozenset()
        if self.phase is Phase.PLACE:
            return frozenset(seat for seat in self.still_in if self.pawns[seat] is None)
        who = self.turn if self.owes is None else self.owes
        return frozenset() if who is None else frozenset({who})

    def false_cards(self, seat: Seat) -> int:
        """Return how many false cards a seat has left."""
        false_at_first = len(self.crafts) + len(self.institutions) - 2
        return false_at_first - sum(gift.giver == seat for gift in self.gifts)

    def cards_in_hand(self, seat: Seat) -> int:
        """Return how many cards a seat holds: its false ones and the two true ones."""
        return self.false_cards(seat) + 2

    def pawns_at(self, square: Square) -> tuple[Seat, ...]:
        """Return whose pawns stand on a square, by seat."""
        return tuple(seat for seat, place in enumerate(self.pawns) if place == square)

    def landings(self) -> dict[Way, Square]:
        """Return where the active pawn may go, while it is asked which way; else nothing."""
        if self.phase is not Phase.MOVE or self.turn is None or self.die is None:
            return {}
        place = self.pawns[self.turn]
        return {} if place is None else {way: landing(place, way, self.die) for way in Way}

    def meetable(self) -> tuple[Seat, ...]:
        """Return whom the active player may meet where its pawn stands."""
        if self.turn is None or self.pawns[self.turn] is None:
            return ()
        others = self.pawns_at(self.square_of(self.turn))
        return tuple(seat for seat in others if seat != self.turn and self.false_cards(seat))

    def hauntable(self) -> tuple[Seat, ...]:
        """Return whom the ghost may ask for a card where it stands."""
        others = () if self.ghost is None else self.pawns_at(self.ghost)
        return tuple(seat for seat in others if seat != self.turn and self.false_cards(seat))


@dataclass(frozen=True, slots=True, repr=False)
class GiftAhead:
    """A gift that a seat left for its next meeting, or, its false card alone, for the ghost."""

    pair: Pair
    square: Square


@dataclass(frozen=True, slots=True, repr=False)
class PencilMark:
    """A mark that a seat made by hand on its sheet."""

    seat: Seat
    card: Card
    mark: Mark


@dataclass(frozen=True, slots=True, repr=False)
class Notes:
    """What a seat keeps for itself: whether its sheet shows what follows, and its pencil marks."""

    auto: bool = True
    marks: tuple[PencilMark, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Clue:
    """One column of the sheet: what its seat saw once of another seat's cards.

    A meeting has two cards, one of them true; a look and a ghost have one, which is false.
    """

    source: Source
    cards: tuple[Card, ...]
    gift: int
    step: int

    @property
    def mark(self) -> Mark:
        """Return the mark that stands beside each of the cards."""
        return Mark.MAYBE if self.source is Source.MEETING else Mark.FALSE


@dataclass(frozen=True, slots=True, repr=False)
class Section:
    """The part of the sheet about one other seat.

    ``sure``: the cards of which the mark is certain, in the order of the sheet; ``pairs``: all that the
    seat can be, institutions first. Both are ``None`` where the sheet does not show what follows.
    """

    seat: Seat
    clues: tuple[Clue, ...]
    sure: tuple[tuple[Card, Mark], ...] | None
    pencil: tuple[tuple[Card, Mark], ...]
    pairs: tuple[Pair, ...] | None


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """A seat's clue sheet. ``deals`` and ``treasures`` are ``None`` where it does not show what follows."""

    sections: tuple[Section, ...]
    deals: int | None
    treasures: tuple[Pair, ...] | None


@dataclass(frozen=True, slots=True, repr=False)
class Truth:
    """What was hidden, once the match is over.

    ``pairs`` are the seats' identities, ``faces`` the gifts' cards by number, ``ghosts`` the locations
    left in the ghost deck from the top, ``ahead`` the gifts that were left and not used.
    """

    pairs: tuple[Pair, ...]
    treasure: Pair
    faces: tuple[Card, ...]
    ghosts: tuple[Square, ...]
    ahead: tuple[GiftAhead | None, ...]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class View(Public):
    """All that one viewer knows: the public record, and what is added here.

    ``own``: the viewer's identity. ``faces``: gifts whose card the viewer knows, by number: its own,
    those shown to it through the ghost, those it looked at. ``shown``: the pairs that it was shown in
    meetings, by the gift's number. The public has none of these. ``treasure``: for who has guessed wrong,
    and for all at the end. ``subject``: the picture that tells most now.
    """

    viewer: Viewer
    own: Pair | None = None
    faces: tuple[tuple[int, Card], ...] = ()
    shown: tuple[tuple[int, Pair], ...] = ()
    ahead: GiftAhead | None = None
    notes: Notes | None = None
    sheet: Sheet | None = None
    treasure: Pair | None
    truth: Truth | None
    subject: Subject

    @property
    def is_asked(self) -> bool:
        """Return whether the match waits for the viewer's seat."""
        return self.viewer in self.asked

    @property
    def hand(self) -> tuple[Card, ...]:
        """Return the cards in the viewer's hand, true and false, in the order of the sheet."""
        given = {card for gift, card in self.faces if self.gifts[gift].giver == self.viewer}
        in_play = () if self.own is None else (*self.crafts, *self.institutions)
        return tuple(card for card in in_play if card not in given)

    @property
    def false_hand(self) -> tuple[Card, ...]:
        """Return the false cards in the viewer's hand."""
        return tuple(card for card in self.hand if self.own is not None and card not in self.own.cards)

    @property
    def newest_clue(self) -> tuple[Seat, Clue] | None:
        """Return the latest clue on the viewer's sheet and whom it is about."""
        sections = () if self.sheet is None else self.sheet.sections
        clues = [(section.seat, clue) for section in sections for clue in section.clues]
        return max(clues, key=lambda found: found[1].step, default=None)


def describe(view: View) -> dict[str, Any]:
    """Return the view as plain JSON data; the same for equal views."""
    data = plain_fields(view)
    public = {name: data.pop(name) for name in fields_of(Public, view)}
    return {
        **data,
        "public": public,
        "hand": plain(view.hand),
        "sheet": None if view.sheet is None else _sheet(view.sheet),
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    def pairs(found: tuple[Pair, ...] | None) -> Any:
        return None if found is None else [[pair.institution.value, pair.craft.value] for pair in found]

    return {
        "deals": sheet.deals,
        "treasures": pairs(sheet.treasures),
        "pairs": {COLOURS[part.seat]: pairs(part.pairs) for part in sheet.sections},
        "marks": {COLOURS[part.seat]: marks_of(part) for part in sheet.sections},
        "clues": {
            COLOURS[part.seat]: [
                {"source": clue.source.value, "cards": plain(clue.cards), "step": clue.step}
                for clue in part.clues
            ]
            for part in sheet.sections
        },
        "pencil": {
            COLOURS[part.seat]: {card.value: mark.value for card, mark in part.pencil}
            for part in sheet.sections
        },
    }


def marks_of(section: Section) -> dict[str, str]:
    """Return the mark of each card: what is sure, else what a clue says, else an empty text."""
    marks = dict.fromkeys(CARDS, "")
    for clue in section.clues:
        for card in clue.cards:
            # A card that was shown in a meeting and seen alone at another time is false.
            marks[card] = Mark.FALSE if Mark.FALSE in (marks[card], clue.mark) else clue.mark
    marks |= dict(section.sure or ())
    return {card.value: str(mark) for card, mark in marks.items()}
