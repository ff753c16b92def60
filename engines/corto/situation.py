"""Situations: the beginning of a match, or a position in it, as data; docs/notation.md describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Seat, Setup
from engines.core.rng import Rng, Stream
from engines.core.situation_values import MOST, by_colour, choice, items, mapping, number, only, refuse
from engines.corto.board import in_order, square_at, squares_of
from engines.corto.cards import ADVENTURES, CARDS, Card, Kind
from engines.corto.quests import quest_of
from engines.corto.quests.base import Faces, Pieces
from engines.corto.rulesets import RULESETS, Ruleset
from engines.corto.setup import STRIPS, named, opening, untouched
from engines.corto.state import (
    COLOURS,
    HAND,
    MARKERS,
    CardId,
    Cards,
    CharacterView,
    Figurine,
    Phase,
    QuestView,
    Square,
    State,
    TurnView,
)

_BEGINNING = ("seats", "strips", "start", "decks", "tiles", "carriages", "first")
_HIDDEN = ("tiles", "carriages")
"""Keys of the hidden faces of quests; each names its quest by :attr:`Quest.hidden`."""


def load(value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
    """Return the state that ``value`` describes; what it leaves out is dealt from ``rng``.

    With ``board`` it is a position, at the beginning of a turn; without, the beginning of a match. Raises
    :class:`~engines.core.contract.InvalidAction` for anything that describes no state.
    """
    found = reader_of(value, setup, rng)
    return position(value, found) if "board" in value else _beginning(value, found)


def _beginning(value: Mapping[str, Any], found: Reader) -> State:
    only("situation", value, _BEGINNING)
    given = _by_strip("start", value.get("start", {}), found)
    listed = _by_strip("decks", value.get("decks", {}), found)
    starts = {strip: found.character(f"start.{strip}", card).id for strip, card in given.items()}
    tops = {strip: found.claim_all(f"decks.{strip}", cards) for strip, cards in listed.items()}
    for strip in found.strips:
        if strip in starts and starts[strip][0] != strip:
            refuse(f"start.{strip}", "own_deck", starts[strip], strip=strip)
        for card in tops.get(strip, []):  # a deck holds cards of its own adventure only
            if card[0] != strip:
                refuse(f"decks.{strip}", "own_deck", card, strip=strip)
        if strip not in starts:
            starts[strip] = _turned_up(found, strip)
    decks = tuple((*tops.get(strip, []), *found.rest(strip)) for strip in found.strips)
    drawn = found.stream("first").choice(tuple(found.seats))
    first = found.seat("first", value["first"]) if "first" in value else drawn
    return opening(
        ruleset=found.ruleset,
        colours=found.colours,
        strips=found.strips,
        starts=tuple(starts[strip] for strip in found.strips),
        decks=decks,
        faces=_faces(value, found),
        first=first,
    )


def _by_strip(where: str, value: object, found: Reader) -> dict[str, Any]:
    return {found.strip(where, key): item for key, item in mapping(where, value).items()}


def _turned_up(found: Reader, strip: str) -> str:
    characters = [card for card in found.rest(strip) if CARDS[card].kind is Kind.CHARACTER]
    if not characters:
        refuse(f"decks.{strip}", "character_left", strip)
    found.used.add(characters[0])
    return characters[0]


def _faces(value: Mapping[str, Any], found: Reader) -> tuple[Cards, ...]:
    hiding = {quest_of(strip).hidden for strip in found.strips}
    for key in _HIDDEN:
        if value.get(key) is not None and key not in hiding:
            refuse(key, "no_quest", value[key])
    dealt: list[Cards] = []
    for strip in found.strips:
        quest, adventure = quest_of(strip), ADVENTURES[strip]
        given = value.get(quest.hidden)
        if given is None:
            dealt.append(quest.faces(adventure, found.stream("quest", strip)))
            continue
        wanted = quest.unseen(adventure, quest.begin(adventure))
        faces = tuple(str(face) for face in items(quest.hidden, given))
        if tuple(sorted(faces)) != wanted:
            refuse(quest.hidden, "faces", given, faces=tuple(wanted))
        dealt.append(faces)
    return tuple(dealt)


# --- positions ------------------------------------------------------------------------------------

KEPT = ("safe-conduct",)
"""Effects of the advantages that stay in front of a seat."""

_POSITION = (
    "seats",
    "strips",
    "board",
    "figurines",
    "stock",
    "seal",
    "corto_gold",
    "quests",
    "kept",
    "hands",
    "discards",
    "decks",
    "turn",
    "first",
)


def position(value: Mapping[str, Any], found: Reader) -> State:
    """Return the state of a position; raises :class:`~engines.core.contract.InvalidAction`."""
    only("situation", value, _POSITION)
    board = _board(value["board"], found)
    corto, rasputin = _figurines(value, found)
    kept = _kept(value, found)
    given = by_colour("hands", value.get("hands", {}), found.colours)
    hands = {colour: found.claim_all(f"hands.{colour}", cards, HAND) for colour, cards in given.items()}
    discards = _piles("discards", value, found)
    decks = _piles("decks", value, found)
    seal = sealed(value, found)
    first = found.seat("first", value.get("first", found.colours[0]))
    turn = found.seat("turn", value.get("turn", found.colours[first]))
    quests, faces = _quests(value, found)
    # Hands that are left out come last, so that no card is dealt that the situation places elsewhere.
    for colour in found.colours:
        if colour not in hands:
            pool = [card for strip in found.strips for card in found.rest(strip)]
            hands[colour] = list(found.stream("hand", colour).shuffled(pool)[:HAND])
            found.used.update(hands[colour])
    stock = [max(0, MARKERS - sum(one.markers[seat] for one in board)) for seat in found.seats]
    public = replace(
        untouched(found.ruleset, found.colours, found.strips, first),
        phase=Phase.TURN,
        board=board,
        corto=corto,
        rasputin=rasputin,
        stock=_counts("stock", value.get("stock", {}), found, MARKERS, stock),
        seal=seal,
        corto_gold=_counts("corto_gold", value.get("corto_gold", {}), found, MOST),
        kept=kept,
        to_draw=(0,) * len(found.colours),
        discards=_rest_discarded(discards, decks, found),
        quests=quests,
        place=None,
        turn=TurnView(turn),
    )
    none: tuple[Cards, ...] = ((),) * len(found.colours)
    left = tuple(decks[strip] if strip in decks else tuple(found.rest(strip)) for strip in found.strips)
    return State(public, left, tuple(tuple(hands[colour]) for colour in found.colours), faces, none, none)


# --- the board ------------------------------------------------------------------------------------


def _board(value: object, found: Reader) -> tuple[CharacterView, ...]:
    characters: dict[Square, CharacterView] = {}
    for name, data in mapping("board", value).items():
        where = f"board.{name}"
        square = found.square("board", name, decks=False)
        entry = mapping(where, data)
        only(where, entry, ("card", "markers"))
        card = found.character(f"{where}.card", entry.get("card"))
        markers = _counts(f"{where}.markers", entry.get("markers", {}), found, MARKERS)
        characters[square] = CharacterView(square, card.id, markers)
    return tuple(characters[square] for square in in_order(found.strips, characters))


def _counts(
    where: str, value: object, found: Reader, most: int, defaults: Iterable[int] = (0,) * len(COLOURS)
) -> tuple[int, ...]:
    given = by_colour(where, value, found.colours)
    return tuple(
        number(f"{where}.{colour}", given.get(colour, default), 0, most)
        for colour, default in zip(found.colours, defaults, strict=False)
    )


def _figurines(value: Mapping[str, Any], found: Reader) -> tuple[Square | None, ...]:
    given = mapping("figurines", value.get("figurines", {}))
    names = tuple(figurine.value for figurine in Figurine)
    only("figurines", given, names)
    return tuple(
        None if given.get(name) is None else found.square(f"figurines.{name}", given[name], decks=True)
        for name in names
    )


def _quests(
    value: Mapping[str, Any], found: Reader
) -> tuple[tuple[QuestView, ...], tuple[tuple[str, ...], ...]]:
    given = mapping("quests", value.get("quests", {}))
    for strip in given:
        found.strip("quests", strip)
    views: list[QuestView] = []
    hidden: list[tuple[str, ...]] = []
    for strip in found.strips:
        data = given.get(strip)
        pieces, faces = found.quest(strip, {} if data is None else mapping(f"quests.{strip}", data))
        views.append(QuestView(strip, pieces))
        hidden.append(faces)
    return tuple(views), tuple(hidden)


# --- cards ----------------------------------------------------------------------------------------


def _kept(value: Mapping[str, Any], found: Reader) -> tuple[Cards, ...]:
    given = by_colour("kept", value.get("kept", {}), found.colours)
    piles = []
    for colour in found.colours:
        pile = found.claim_all(f"kept.{colour}", given.get(colour, []))
        for card in pile:
            if CARDS[card].effect not in KEPT:
                refuse(f"kept.{colour}", "advantage", card)
        piles.append(tuple(pile))
    return tuple(piles)


def _piles(key: str, value: Mapping[str, Any], found: Reader) -> dict[str, Cards]:
    piles: dict[str, Cards] = {}
    for letter, cards in mapping(key, value.get(key, {})).items():
        strip = found.strip(key, letter)
        piles[strip] = tuple(found.claim_all(f"{key}.{strip}", cards))
        for card in piles[strip]:
            if card[0] != strip:
                refuse(f"{key}.{strip}", "own_deck", card, strip=strip)
    return piles


def sealed(value: Mapping[str, Any], found: Reader) -> tuple[Cards, ...]:
    """Return cards under the seals, as many as are given: characters that lie nowhere else.

    First of the strips in play, then of adventures that are not played.
    """
    wanted = _counts("seal", value.get("seal", {}), found, MOST)
    free = [card for card in sorted(CARDS) if card not in found.used and CARDS[card].kind is Kind.CHARACTER]
    order = found.stream("seal").shuffled(free)
    # Cards of adventures that are not played are sealed only when those in play do not suffice.
    pool = sorted(order, key=lambda card: card[0] not in found.strips)
    if sum(wanted) > len(pool):
        refuse("seal", "most", sum(wanted), most=len(pool))
    piles: list[Cards] = []
    for count in wanted:
        pile, pool = pool[:count], pool[count:]
        found.used.update(pile)
        piles.append(tuple(pile))
    return tuple(piles)


def _rest_discarded(discards: dict[str, Cards], decks: dict[str, Cards], found: Reader) -> tuple[Cards, ...]:
    piles: list[Cards] = []
    for strip in found.strips:
        # Of a deck that is given, the cards that lie nowhere else have been discarded, the first of all.
        rest: list[CardId] = sorted(found.rest(strip)) if strip in decks else []
        found.used.update(rest)
        piles.append((*rest, *discards.get(strip, ())))
    return tuple(piles)


# --- seats, strips and cards ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Reader:
    """The table of a situation. ``used``: cards that lie somewhere already."""

    colours: tuple[str, ...]
    strips: tuple[str, ...]
    ruleset: Ruleset
    rng: Rng
    used: set[CardId] = field(default_factory=set)

    @property
    def seats(self) -> range:
        """Return all seats."""
        return range(len(self.colours))

    def stream(self, *labels: str) -> Stream:
        """Return the draws for a part of the situation."""
        return self.rng.stream(0, "situation", *labels)

    def seat(self, where: str, value: object) -> Seat:
        """Return the seat of a colour; raises :class:`~engines.core.contract.InvalidAction`."""
        return self.colours.index(choice(where, value, self.colours))

    def strip(self, where: str, value: object) -> str:
        """Return the letter of a strip in play; raises :class:`~engines.core.contract.InvalidAction`."""
        return choice(where, value, self.strips)

    def square(self, where: str, value: object, *, decks: bool) -> Square:
        """Return a square in play; raises :class:`~engines.core.contract.InvalidAction`."""
        squares = tuple(square for strip in self.strips for square in squares_of(strip))
        if decks:
            squares += tuple(square_at(strip, 0) for strip in self.strips)
        if not isinstance(value, str) or value not in squares:
            names = tuple(strip.lower() for strip in self.strips)
            refuse(where, "deck_or_square" if decks else "square", value, strips=names)
        return value

    def claim(self, where: str, value: object) -> Card:
        """Return a card of the decks in play that lies nowhere else; from now on it lies here.

        Raises :class:`~engines.core.contract.InvalidAction`.
        """
        card = CARDS.get(value) if isinstance(value, str) else None
        if card is None or card.deck not in self.strips:
            refuse(where, "card", value, strips=self.strips)
        if card.id in self.used:
            refuse(where, "card_once", value)
        self.used.add(card.id)  # each card of the game is there once
        return card

    def claim_all(self, where: str, value: object, most: int | None = None) -> list[CardId]:
        """Return a list of cards, each claimed; raises :class:`~engines.core.contract.InvalidAction`."""
        found = [self.claim(where, card).id for card in items(where, value)]
        if most is not None and len(found) > most:
            refuse(where, "most", len(found), most=most)
        return found

    def character(self, where: str, value: object) -> Card:
        """Return a claimed character; raises :class:`~engines.core.contract.InvalidAction`."""
        card = self.claim(where, value)
        if card.kind is not Kind.CHARACTER:
            refuse(where, "character", value)
        return card

    def rest(self, strip: str) -> list[CardId]:
        """Return the cards of a deck that lie nowhere yet, shuffled."""
        left = [card for card in sorted(CARDS) if card[0] == strip and card not in self.used]
        return list(self.stream("deck", strip).shuffled(left))

    def quest(self, strip: str, value: Mapping[str, Any]) -> tuple[Pieces, Faces]:
        """Return the pieces and hidden faces of a strip's quest."""
        adventure = ADVENTURES[strip]
        return quest_of(strip).load(adventure, value, self.colours, self.stream("quest", strip))


def reader_of(value: Mapping[str, Any], setup: Setup, rng: Rng) -> Reader:
    """Read ``seats`` and ``strips``; raises :class:`~engines.core.contract.InvalidAction`.

    A position may have three strips or four at any table.
    """
    colours = _distinct("seats", value.get("seats"), COLOURS)
    if len(colours) != setup.seats:
        refuse("seats", "table", list(colours), n=setup.seats)
    strips = _distinct("strips", value.get("strips"), tuple(ADVENTURES))
    usual = STRIPS[setup.seats]
    if len(strips) != usual and ("board" not in value or len(strips) not in STRIPS.values()):
        refuse("strips", "strips", list(strips), n=usual)
    for letter in named(setup):
        if letter not in strips:
            refuse("strips", "chosen", list(strips), letter=letter)
    return Reader(colours, strips, RULESETS[setup.ruleset], rng)


def _distinct(where: str, value: object, choices: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(choice(where, item, choices) for item in items(where, value))
    if len(set(found)) < len(found):
        refuse(where, "once", list(found))
    return found
