"""What a position is worth to each seat: the gold that it may expect, and its chance of winning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from math import exp, log

from engines.core.contract import Seat
from engines.corto.board import FULL_STRIPS, Strips, squares_of
from engines.corto.cards import ADVENTURES, CARDS, Border, Card, Kind
from engines.corto.quests import quest_of
from engines.corto.scoring import LARGEST, LEAST, OTHERS, connected
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Progress

SURE = 20.0
"""The logits of a match that is won."""

STOCK_TIE = 0.01
"""Gold that a marker in stock counts once the match is over: of equal gold, the most markers win."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the features of a position come to in gold at the end of the match.

    ``groups``, ``quests``: a gold of now from these that others may take away; ``lasting``: one that they
    cannot. ``control``: a character under control; ``firm``: one that would stay so after a hit; ``lone``:
    one in no group, as it may come into one; ``hand``: a share of what its cards may bring; ``guard``: a
    safe-conduct. ``tempo``: how far whoever has just moved is behind, since the others move next.
    ``rivals``: how much the others' gold matters beside one's own, 1: as much.
    """

    groups: float
    quests: float
    lasting: float
    control: float
    firm: float
    lone: float
    hand: float
    guard: float
    tempo: float = 0.0
    rivals: float = 1.0

    def towards(self, other: Weights, share: float) -> Weights:
        """Return weights that are a share of the way to others."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Weights(*(here + share * (there - here) for here, there in pairs))


GREED = Weights(
    groups=1.0, quests=1.0, lasting=1.0, control=0.0, firm=0.0, lone=0.0, hand=0.3, guard=0.0, rivals=0.0
)
"""Only gold of now counts, whatever the others have."""

WEIGHTS = Weights(
    groups=0.55, quests=0.55, lasting=0.55, control=0.6, firm=2.3, lone=0.8, hand=1.1, guard=0.5
)
"""Fitted by least squares to the positions of some 70 matches of two, and rounded; ``guard`` is a guess.

The middle level played those with other weights, in every third match now and then as the player without
levels. With more than two seats nothing was fitted.
"""

FAR = 8
"""Squares that two strips still want before they are full, from which on the end is far."""

CLOSING = Weights(
    groups=0.67, quests=0.6, lasting=0.95, control=0.0, firm=0.1, lone=0.0, hand=0.83, guard=0.5, tempo=3.2
)
OPENING = replace(CLOSING, groups=0.4, quests=0.1, firm=0.3, tempo=1.5)
KEEN = tuple(CLOSING.towards(OPENING, wanting / FAR) for wanting in range(FAR + 1))
"""Weights by how many squares two strips still want.

Fitted by least squares to some 1,200 matches of two, and rounded: 600 that the middle level played with
itself, which gave the first weights, and nearly as many that those played with themselves. Where the two
differ, as in ``firm``, they are in between; ``guard`` is a guess. What lasts counts nearly in full. Groups
and quests change hands the more often the earlier it is. A firm character is worth less than a gold of now:
with :data:`WEIGHTS` it is worth four times as much, and whoever plays by those builds what brings little.
"""

BALANCED = WEIGHTS.towards(CLOSING.towards(OPENING, 0.5), 0.4)
"""For who does not mind how near the end is: firm characters still seem worth more than they are.

All of the way to what both ends have in the middle, it would play as well as with :data:`KEEN`.
"""

BLUNT = 4.8
"""Gold of lead that makes the odds of winning e to 1.

From what matches ended with: a turn's lead misses the final one by 9 gold or so (one standard
deviation), early and late alike, and the logistic curve of that has this scale. A rough calibration.
"""

WORTH: Mapping[str, float] = {
    "swap": 1.0,
    "transfer": 0.6,
    "refill": 0.6,
    "drop-in": 0.4,
    "safe-conduct": 0.6,
    "bribe": 0.8,
    "pickpocket": 0.6,
    "corto": 1.5,
    "rasputin": 2.0,
}
"""Gold that an advantage, by its effect, or a figurine's card may bring."""

PLACED, ADD, HIT, RANGE = 1.2, 0.5, 0.6, 0.3
"""Gold that a character may bring by being placed; an add or a hit; and what long range adds to a card."""

USELESS = 0.1
"""Gold that a character may bring of whose colours no square is vacant."""

LAME = 0.5
"""How much an object is worth in a hand that holds nobody to come with."""


@dataclass(slots=True)
class Outlook:
    """Weighs positions."""

    weights: Sequence[Weights]
    """By how many squares two strips still want before they are full; the last ones for all beyond."""
    cards: dict[CardId, float]
    """What each card in play may bring, as things stood when this was made."""
    decks: dict[str, float] = field(default_factory=dict)
    """What an unseen card of each deck may bring, on the mean."""

    @classmethod
    def of(
        cls, table: Table, unseen: Mapping[str, Sequence[CardId]], weights: Sequence[Weights] = (WEIGHTS,)
    ) -> Outlook:
        """Return the outlook from a table; ``unseen``: the cards of each deck that its seat does not know."""
        cards = {card.id: card_worth(table, card) for card in CARDS.values() if card.deck in table.strips}
        decks = {
            deck: sum(cards[card] for card in pool) / len(pool) if pool else 0.0
            for deck, pool in unseen.items()
        }
        return cls(weights, cards, decks)

    # --- cards ------------------------------------------------------------------------------------

    def hand(self, cards: Sequence[CardId]) -> float:
        """Return the gold that a hand may bring."""
        lame = not any(CARDS[card].stands for card in cards)
        return sum(
            self.cards[card] * (LAME if lame and CARDS[card].kind is Kind.OBJECT else 1.0) for card in cards
        )

    def backs(self, decks: Sequence[str]) -> float:
        """Return the gold that a hand of unseen cards may bring."""
        return sum(self.decks[deck] for deck in decks)

    def draws(self, table: Table, number: int) -> float:
        """Return the gold that cards still to be drawn may bring."""
        if not number:
            return 0.0
        return number * max((self.decks[deck] for deck in table.filled_decks()), default=0.0)

    # --- positions --------------------------------------------------------------------------------

    def expected(self, ended: Progress, hands: Sequence[float], luck: Sequence[float]) -> list[float]:
        """Return the gold that each seat may expect at the end of a turn.

        ``hands``: what each seat's cards may bring; ``luck``: its gold from what it has turned up unseen.
        """
        table, weights = ended.table, self._weights(ended.table)
        held = _held(table)
        found = _quests_gold(table, lasting=False)
        lasting = _lasting_gold(table)
        for seat, squares in enumerate(held):
            found[seat] = (
                weights.groups * _groups_gold(_parts(table.strips, squares))
                + weights.quests * found[seat]
                + weights.lasting * (lasting[seat] + luck[seat])
                + weights.control * len(squares)
                + weights.firm * sum(_is_firm(table.board[at].markers, seat) for at in squares)
                + weights.lone * sum(len(group) < LEAST for group in _parts(table.strips, squares))
                + weights.hand * hands[seat]
                + weights.guard * len(table.kept[seat])
            )
        found[table.seat] -= weights.tempo
        return found

    def _weights(self, table: Table) -> Weights:
        last = len(self.weights) - 1
        return self.weights[min(last, wanting(table)) if last else 0]

    def odds(self, ended: Progress, hands: Sequence[float], luck: Sequence[float], seat: Seat) -> float:
        """Return the logits of a seat's chance of winning, at the end of a turn."""
        if ended.over:
            return final(ended.table, luck, seat)
        golds = self.expected(ended, hands, luck)
        rivals = (gold / BLUNT for other, gold in enumerate(golds) if _competes(ended.table, other, seat))
        return golds[seat] / BLUNT - self.weights[0].rivals * log(sum(map(exp, rivals)))


def card_worth(table: Table, card: Card) -> float:
    """Return the gold that a card may bring whoever holds it."""
    far = RANGE * card.long_range
    if card.kind is Kind.OBJECT:
        return card.power * (ADD if card.border is Border.WHITE else HIT) + far
    if card.kind is not Kind.CHARACTER:
        return WORTH[card.effect or card.kind.value]
    vacant = any(table.is_free(at) for strip in table.strips_for(card) for at in squares_of(strip))
    if not vacant or card.border is None:
        return USELESS
    return PLACED + max(ADD * card.border.adds, HIT * card.border.hits) + far


def final(table: Table, luck: Sequence[float], seat: Seat) -> float:
    """Return the logits of who has won a match that is over: a tie of all is nobody's."""
    worth = [
        gold + more + STOCK_TIE * markers
        for gold, more, markers in zip(totals(table), luck, table.stock, strict=True)
    ]
    best = max(found for other, found in enumerate(worth) if _competes(table, other, seat))
    return SURE * ((worth[seat] > best) - (worth[seat] < best))


def totals(table: Table) -> list[float]:
    """Return each seat's gold as if the match ended now."""
    groups = [_groups_gold(_parts(table.strips, squares)) for squares in _held(table)]
    return list(map(sum, zip(groups, _quests_gold(table, lasting=False), _lasting_gold(table), strict=True)))


def _lasting_gold(table: Table) -> list[float]:
    """Return each seat's gold that nobody can take away again."""
    quests = _quests_gold(table, lasting=True)
    return [
        gold + len(seal) + corto
        for gold, seal, corto in zip(quests, table.seal, table.corto_gold, strict=True)
    ]


def _quests_gold(table: Table, *, lasting: bool) -> list[float]:
    """Return each seat's gold of the quests whose gold lasts, or of the others."""
    found, board = [0.0] * len(table.colours), tuple(table.board.values())
    for strip, pieces in table.pieces.items():
        quest = quest_of(strip)
        if quest.lasting == lasting:
            for seat, more in enumerate(quest.gold(ADVENTURES[strip], tuple(pieces), board, len(found))):
                found[seat] += more
    return found


def wanting(table: Table) -> int:
    """Return how many squares two strips still want before they are full, which ends the match."""
    occupied = table.occupied()
    vacant = sorted(sum(at not in occupied for at in squares_of(strip)) for strip in table.strips)
    return sum(vacant[:FULL_STRIPS])


def _competes(table: Table, other: Seat, seat: Seat) -> bool:
    """Return whether a seat may win before another: who has left ranks last."""
    return other != seat and other not in table.public.left


def _held(table: Table) -> list[tuple[Square, ...]]:
    """Return the squares that each seat controls, by strip and column."""
    found: list[list[Square]] = [[] for _ in table.colours]
    for square in table.squares():
        controller = table.board[square].controller
        if controller is not None:
            found[controller].append(square)
    return [tuple(squares) for squares in found]


@lru_cache(maxsize=1 << 13)
def _parts(strips: Strips, squares: tuple[Square, ...]) -> tuple[tuple[Square, ...], ...]:
    """Return the connected parts of squares: a search asks for the same again and again."""
    return connected(strips, squares)


def _groups_gold(groups: Sequence[Sequence[Square]]) -> int:
    sizes = [len(group) for group in groups if len(group) >= LEAST]
    return OTHERS * sum(sizes) + (LARGEST - OTHERS) * sizes[0] if sizes else 0


@lru_cache(maxsize=1 << 12)
def _is_firm(markers: tuple[int, ...], seat: Seat) -> bool:
    return all(markers[seat] > count + 1 for other, count in enumerate(markers) if other != seat)
