"""Cards as they are played: characters, objects, figurines; and what forbids it."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import IllegalAction
from engines.corto import facts
from engines.corto.aims import has_target
from engines.corto.board import (
    all_places,
    column_of,
    distance,
    fills_two,
    is_free,
    occupied,
    places_for,
    square_at,
    stands,
    strip_of,
    strips_for,
    two_are_full,
)
from engines.corto.cards import Card, Kind
from engines.corto.effects import (
    check_origin,
    discard,
    leave_hand,
    listed,
    named,
    own_elsewhere,
    put_marker,
    refuse,
    take_up,
)
from engines.corto.files import CARDS
from engines.corto.quests import quest_of
from engines.corto.steps import Step
from engines.corto.table import Standing, Table
from engines.corto.view import CardId, Figurine, Square

MOST_CARDS = 4
"""Cards that a seat may play in a turn."""

CORTO_ADDS = 2


def figurine_of(card: Card) -> Figurine:
    """Return which figurine a card moves."""
    return Figurine.CORTO if card.kind is Kind.CORTO else Figurine.RASPUTIN


# --- any card -------------------------------------------------------------------------------------


def check_card(table: Table, card: CardId, *kinds: Kind) -> Card:
    """Return the face of a card that may be played now as one of ``kinds``; raises for the others."""
    face = CARDS[card]
    if card not in table.hand:
        raise refuse("not_in_hand", card=card, legal=listed(tuple(table.hand)))
    if face.kind not in kinds:
        raise refuse("wrong_verb", card=named(card), legal=f"{verb_of(face)} {card}")
    if len(table.turn.played) >= MOST_CARDS:
        raise refuse("four_cards", n=MOST_CARDS)
    return face


def verb_of(card: Card) -> str:
    """Return the word that plays a card."""
    return {Kind.CHARACTER: "play", Kind.OBJECT: "use", Kind.ADVANTAGE: "adv"}.get(card.kind, card.kind.value)


def single_already(table: Table) -> bool:
    """Return whether a character or figurine has been played in this turn."""
    return any(stands(card) for card in table.turn.played)


def _check_single(table: Table, card: CardId, taken: set[Square]) -> None:
    """Raise if a second character or figurine would stand in the turn that ends the match."""
    if not single_already(table):
        return
    if two_are_full(table) or fills_two(table.strips, taken):
        raise _single(table, card)


# --- characters -----------------------------------------------------------------------------------


def character_places(table: Table, card: Card) -> tuple[Square, ...]:
    """Return where a character may be placed, the ending turn's limit counted in."""
    places = places_for(table, card) if has_marker(table) else ()
    if not single_already(table):
        return places
    if two_are_full(table):
        return ()
    taken = occupied(table)
    return tuple(square for square in places if not fills_two(table.strips, {*taken, square}))


def check_character(table: Table, step: Step) -> None:
    """Raise unless the character may be placed there, with its marker."""
    card = check_card(table, step.card, Kind.CHARACTER)
    square = step.square
    strips = strips_for(table, card)
    legal = listed(character_places(table, card))
    if not strips:
        raise refuse("no_strip_in_play", card=named(card.id), strips=listed(card.colours))
    if column_of(square) == 0:
        raise refuse("deck_square", square=square, legal=legal)
    if strip_of(square) not in strips:
        raise refuse("colour", card=named(card.id), square=square, strips=listed(strips), legal=legal)
    if not is_free(table, square):
        key = "occupied" if square in table.board else "under_figurine"
        raise refuse(key, square=square, legal=legal)
    if square not in places_for(table, card):
        raise refuse("not_adjacent", square=square, legal=legal)
    _check_single(table, card.id, {*occupied(table), square})
    if not has_marker(table):
        raise refuse("no_marker_left", card=named(card.id))
    check_origin(table, square, step.origin)


def do_character(table: Table, step: Step) -> None:
    """Place a character, its marker, and let the strip's quest know."""
    card, square, seat = CARDS[step.card], step.square, table.seat
    border, strip = card.border, strip_of(square)
    assert border is not None
    leave_hand(table, card.id)
    table.board[square] = Standing(card.id, [0] * len(table.colours))
    table.tell(facts.played(seat, card.id, square))
    table.turn = replace(table.turn, drop_in=False)
    put_marker(table, square, step.origin)
    sail = bool(quest_of(strip).sails(table, strip))
    take_up(table, card.id, origin=square, adds=int(border.adds), hits=int(border.hits), sail=sail)
    quest_of(strip).placed(table, strip, square)


def has_marker(table: Table) -> bool:
    """Return whether the acting seat has a marker for a new character, in stock or on another one."""
    return table.stock[table.seat] > 0 or bool(own_elsewhere(table, ""))


def check_room(table: Table, card: Card) -> None:
    """Raise unless a character may be placed somewhere."""
    if not strips_for(table, card):
        raise refuse("no_strip_in_play", card=named(card.id), strips=listed(card.colours))
    if not has_marker(table):
        raise refuse("no_marker_left", card=named(card.id))
    if character_places(table, card):
        return
    if not places_for(table, card):
        raise refuse("no_room", card=named(card.id), strips=listed(strips_for(table, card)))
    raise _single(table, card.id)


def check_way(table: Table, card: Card) -> None:
    """Raise unless a figurine may go somewhere, its own square included."""
    if not figurine_places(table, card):
        raise _single(table, card.id)


def _single(table: Table, card: CardId) -> IllegalAction:
    return refuse("single_full" if two_are_full(table) else "single_fills", card=named(card))


def asks_origin(table: Table, square: Square) -> bool:
    """Return whether a marker for ``square`` has to come from another character."""
    return not table.stock[table.seat] and bool(own_elsewhere(table, square))


def turns_up(table: Table, step: Step) -> bool:
    """Return whether a character placed there turns up something hidden."""
    strip = strip_of(step.square)
    return quest_of(strip).reveals(table, strip, step.square)


# --- objects --------------------------------------------------------------------------------------


def check_object(table: Table, step: Step) -> None:
    """Raise unless the object may be used, and has a target."""
    card = check_card(table, step.card, Kind.OBJECT)
    origin = table.turn.origin
    if origin is None:
        raise refuse("object_first", card=named(card.id))
    if not has_target(table, card):
        raise refuse("object_target", card=named(card.id), square=origin)


def do_object(table: Table, step: Step) -> None:
    """Discard an object and have its adds or hits in hand."""
    card, origin = CARDS[step.card], table.turn.origin
    assert card.border is not None
    assert origin is not None
    leave_hand(table, card.id)
    discard(table, card.id)
    table.tell(facts.used(table.seat, card.id, origin))
    adds = card.power if card.border.adds else 0
    take_up(table, card.id, adds=adds, hits=card.power - adds)


# --- figurines ------------------------------------------------------------------------------------


def figurine_places(table: Table, card: Card) -> tuple[Square, ...]:
    """Return where a figurine may end its move, the ending turn's limit counted in."""
    places = _within(table, card)
    if not single_already(table):
        return places
    if two_are_full(table):
        return ()
    rest = _without(table, card)
    return tuple(square for square in places if not fills_two(table.strips, {*rest, square}))


def _within(table: Table, card: Card) -> tuple[Square, ...]:
    """Return the squares within a figurine's steps; before its first entry it starts on any deck."""
    at = table.figurines[figurine_of(card)]
    if at is None:
        return tuple(square for square in all_places(table.strips) if column_of(square) <= card.steps)
    return tuple(
        square for square in all_places(table.strips) if distance(table.strips, at, square) <= card.steps
    )


def _without(table: Table, card: Card) -> set[Square]:
    """Return what is occupied when this card's figurine stands nowhere."""
    mine = figurine_of(card)
    others = (at for figurine, at in table.figurines.items() if figurine is not mine and at is not None)
    return {*table.board, *others}


def check_figurine(table: Table, step: Step) -> None:
    """Raise unless the figurine may go there."""
    card = check_card(table, step.card, Kind.CORTO if step.verb.value == "corto" else Kind.RASPUTIN)
    if strip_of(step.square) not in table.strips:
        raise refuse("off_board", square=step.square, strips=listed(table.strips))
    if step.square not in _within(table, card):
        at = table.figurines[figurine_of(card)]
        legal = listed(figurine_places(table, card))
        key = "too_far_entry" if at is None else "too_far"
        raise refuse(key, card=named(card.id), square=step.square, n=card.steps, legal=legal)
    _check_single(table, card.id, {*_without(table, card), step.square})


def do_figurine(table: Table, step: Step) -> None:
    """Discard the card and move its figurine; what it may do there is in hand."""
    card, square = CARDS[step.card], step.square
    figurine = figurine_of(card)
    origin = table.figurines[figurine]
    leave_hand(table, card.id)
    discard(table, card.id)
    table.figurines[figurine] = square
    deck = square_at(strip_of(square), 0) if origin is None else None
    table.tell(facts.travelled(table.seat, card.id, figurine.value, origin, square, deck))
    if figurine is Figurine.CORTO:
        take_up(table, card.id, origin=square, adds=CORTO_ADDS, gold=True)
    else:
        take_up(table, card.id, origin=square, hits=1)
