"""The small things that steps do: markers, hits, kills, cards that leave or reach a hand."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Arg, IllegalAction, Seat, all_but, msg, only
from engines.corto import facts
from engines.corto.board import in_order
from engines.corto.cards import Kind
from engines.corto.files import CARDS
from engines.corto.quests import quest_of
from engines.corto.table import Standing, Table
from engines.corto.view import CardId, Square

SAFE_CONDUCT = "safe-conduct"


def refuse(key: str, **args: Arg) -> IllegalAction:
    """Return the refusal ``error.<key>``."""
    return IllegalAction(msg(f"error.{key}", **args))


def listed(words: tuple[str, ...]) -> str:
    """Return squares, cards or colours as a refusal names them."""
    return ", ".join(words) or "–"


def named(card: CardId) -> str:
    """Return a card as texts name it: ``Lamp keeper (A04)``."""
    return f"{CARDS[card].name} ({card})"


# --- cards ----------------------------------------------------------------------------------------


def leave_hand(table: Table, card: CardId) -> None:
    """Take a card out of the acting seat's hand; all see it."""
    table.hand.remove(card)
    table.backs[table.seat].remove(CARDS[card].deck)
    forget(table, card)


def forget(table: Table, card: CardId) -> None:
    """Let nobody know that card in a hand any more: all see where it is now."""
    if table.secrets is not None:
        for seen in table.secrets.seen:
            seen.discard(card)


def discard(table: Table, card: CardId) -> None:
    """Put a card on the discards of its adventure, face up."""
    table.discards[CARDS[card].deck].append(card)


def take_up(
    table: Table,
    card: CardId,
    *,
    origin: Square | None = None,
    adds: int = 0,
    hits: int = 0,
    sail: bool = False,
    gold: bool = False,
) -> None:
    """Begin a card: what the card before it had left is waived."""
    turn = table.turn
    table.turn = replace(
        turn,
        played=(*turn.played, card),
        card=card,
        origin=turn.origin if origin is None else origin,
        adds=adds,
        hits=hits,
        sail=sail,
        gold=gold,
        shot=None,
    )
    tidy(table)


def tidy(table: Table) -> None:
    """Let go of a card of which nothing is left."""
    turn = table.turn
    if not (turn.adds or turn.hits or turn.sail or turn.gold):
        table.turn = replace(turn, card=None)


def waive(table: Table) -> None:
    """Let go of the card in hand, with all that is left of it."""
    table.turn = replace(table.turn, card=None, adds=0, hits=0, sail=False, gold=False, shot=None)


def draw_card(table: Table, seat: Seat, deck: str) -> None:
    """Draw the top card of a deck; without secrets only its back is drawn."""
    table.deck_sizes[deck] -= 1
    table.backs[seat].append(deck)
    table.backs[seat].sort()
    secrets = table.secrets
    if secrets is None:
        return
    card = secrets.decks[deck].pop(0)
    secrets.hands[seat].append(card)
    for viewer, under in enumerate(secrets.under):
        if card in under:
            under.remove(card)
            if viewer != seat:
                secrets.seen[viewer].add(card)
    table.tell(facts.drew(seat, deck, card), only(seat))
    table.tell(facts.drew(seat, deck, None), all_but(seat))


def fullest(table: Table) -> str | None:
    """Return the deck with the most cards, of equals the topmost; ``None`` when all are empty."""
    most = max(table.deck_sizes.values())
    return next(strip for strip in table.strips if table.deck_sizes[strip] == most) if most else None


# --- markers --------------------------------------------------------------------------------------


def own_elsewhere(table: Table, square: Square) -> tuple[Square, ...]:
    """Return the other characters that hold a marker of the acting seat."""
    return tuple(at for at in by_place(table) if at != square and table.board[at].markers[table.seat])


def by_place(table: Table) -> tuple[Square, ...]:
    """Return the squares with characters, by strip and column."""
    return tuple(in_order(table.strips, table.board))


def check_origin(table: Table, square: Square, origin: Square) -> None:
    """Raise unless the marker for ``square`` may come from ``origin`` (``""``: from the stock)."""
    if not origin:
        return
    if table.stock[table.seat]:
        raise refuse("stock_left", square=square, n=table.stock[table.seat])
    legal = own_elsewhere(table, square)
    if origin not in legal:
        raise refuse("marker_from", origin=origin, legal=listed(legal))


def put_marker(table: Table, square: Square, origin: Square) -> None:
    """Put a marker of the acting seat on a character, from the stock or from another character."""
    seat = table.seat
    if origin:
        table.board[origin].markers[seat] -= 1
    elif table.stock[seat]:
        table.stock[seat] -= 1
    else:
        return
    table.board[square].markers[seat] += 1
    table.tell(facts.added(seat, square, origin or None))


# --- hits -----------------------------------------------------------------------------------------


def spared(table: Table, square: Square) -> bool:
    """Return whether a safe-conduct takes a hit on that character: it is spent at once."""
    protector = table.controller(square)
    if protector is None or protector == table.seat:
        return False
    card = next((card for card in table.kept[protector] if CARDS[card].effect == SAFE_CONDUCT), None)
    if card is None:
        return False
    table.kept[protector].remove(card)
    discard(table, card)
    table.tell(facts.spared(table.seat, square, protector, card))
    return True


def take_marker(table: Table, square: Square, owner: Seat, by: CardId | None) -> None:
    """Hit a marker: it goes home."""
    if spared(table, square):
        return
    table.board[square].markers[owner] -= 1
    table.stock[owner] += 1
    table.tell(facts.removed(table.seat, square, owner, by))


def kill(table: Table, square: Square, by: CardId | None, acting: Square) -> None:
    """Kill or eliminate a character from the square ``acting``: its card goes under the seal."""
    if spared(table, square):
        return
    standing: Standing = table.board.pop(square)
    for owner, count in enumerate(standing.markers):
        table.stock[owner] += count
    table.seal[table.seat].append(standing.card)
    table.tell(facts.killed(table.seat, square, standing.card, by))
    for strip in table.strips:
        quest_of(strip).killed(table, strip, acting)


def is_rasputin(card: CardId | None) -> bool:
    """Return whether a card in hand is Rasputin's: he eliminates, markers or not."""
    return card is not None and CARDS[card].kind is Kind.RASPUTIN
