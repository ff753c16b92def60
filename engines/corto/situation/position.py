"""Positions: a match at the beginning of a turn. They need not be reachable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.corto.board import in_order
from engines.corto.cards import CARDS, Kind
from engines.corto.setup import untouched
from engines.corto.situation.reader import Reader
from engines.corto.situation.values import MOST, by_colour, mapping, number, only, refuse
from engines.corto.state import (
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

KEPT = ("safe-conduct",)
"""Effects of the advantages that stay in front of a seat."""

_KEYS = (
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
    only("situation", value, _KEYS)
    board = _board(value["board"], found)
    figurines = _figurines(value.get("figurines", {}), found)
    kept = _cards("kept", value, found)
    hands = _hands(value, found)
    discards = _piles("discards", value, found)
    decks = _piles("decks", value, found)
    seal = sealed(value, found)
    first = found.seat("first", value.get("first", found.colours[0]))
    turn = found.seat("turn", value.get("turn", found.colours[first]))
    quests, faces = _quests(value, found)
    # Hands that are left out come last, so that no card is dealt that the situation places elsewhere.
    for seat in found.seats:
        if seat not in hands:
            hands[seat] = _dealt(found, seat)
    public = replace(
        untouched(found.colours, found.strips, first),
        phase=Phase.TURN,
        board=board,
        corto=figurines[Figurine.CORTO],
        rasputin=figurines[Figurine.RASPUTIN],
        stock=_stock(value, found, board),
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
    return State(public, left, tuple(hands[seat] for seat in found.seats), faces, none, none)


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


def _counts(where: str, value: object, found: Reader, most: int) -> tuple[int, ...]:
    given = by_colour(where, value, found.colours)
    return tuple(number(f"{where}.{colour}", given.get(colour, 0), 0, most) for colour in found.colours)


def _figurines(value: object, found: Reader) -> dict[Figurine, Square | None]:
    given = mapping("figurines", value)
    only("figurines", given, tuple(figurine.value for figurine in Figurine))
    return {
        figurine: None
        if given.get(figurine.value) is None
        else found.square(f"figurines.{figurine.value}", given[figurine.value], decks=True)
        for figurine in Figurine
    }


def _stock(value: Mapping[str, Any], found: Reader, board: tuple[CharacterView, ...]) -> tuple[int, ...]:
    given = by_colour("stock", value.get("stock", {}), found.colours)
    return tuple(
        number(
            f"stock.{colour}",
            given.get(colour, max(0, MARKERS - sum(one.markers[seat] for one in board))),
            0,
            MARKERS,
        )
        for seat, colour in enumerate(found.colours)
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


def _cards(key: str, value: Mapping[str, Any], found: Reader) -> tuple[Cards, ...]:
    given = by_colour(key, value.get(key, {}), found.colours)
    piles = []
    for colour in found.colours:
        pile = found.claim_all(f"{key}.{colour}", given.get(colour, []))
        for card in pile:
            if CARDS[card].effect not in KEPT:
                refuse(f"{key}.{colour}", "advantage", card)
        piles.append(tuple(pile))
    return tuple(piles)


def _hands(value: Mapping[str, Any], found: Reader) -> dict[int, Cards]:
    given = by_colour("hands", value.get("hands", {}), found.colours)
    return {
        found.colours.index(colour): tuple(found.claim_all(f"hands.{colour}", cards, HAND))
        for colour, cards in given.items()
    }


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
        refuse("seal", "most", sum(wanted), n=len(pool))
    piles: list[Cards] = []
    for count in wanted:
        pile, pool = pool[:count], pool[count:]
        found.used.update(pile)
        piles.append(tuple(pile))
    return tuple(piles)


def _dealt(found: Reader, seat: int) -> Cards:
    stream = found.stream("hand", found.colours[seat])
    pool = [card for strip in found.strips for card in found.rest(strip)]
    hand = stream.shuffled(pool)[:HAND]
    found.used.update(hand)
    return tuple(hand)


def _rest_discarded(discards: dict[str, Cards], decks: dict[str, Cards], found: Reader) -> tuple[Cards, ...]:
    piles: list[Cards] = []
    for strip in found.strips:
        # Of a deck that is given, the cards that lie nowhere else have been discarded, the first of all.
        rest: list[CardId] = sorted(found.rest(strip)) if strip in decks else []
        found.used.update(rest)
        piles.append((*rest, *discards.get(strip, ())))
    return tuple(piles)
