"""What one viewer knows of a match of CORTO: plain data, for renderers, players and the console.

Views are built up here field by field from a state. What renderers need beside it is in this module too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from engines.core.base import fields_of
from engines.core.contract import Fact, Seat, Viewer
from engines.corto.cards import ADVENTURES, CARDS, Adventure, Border, Card, Kind
from engines.corto.names import adventure_name, card_name, card_rule, quest_rule
from engines.corto.quests import quest_of
from engines.corto.scoring import GoldView, GroupView, gold, groups
from engines.corto.state import (
    COLOURS,
    COLUMNS,
    HAND,
    CardId,
    Cards,
    CharacterView,
    Figurine,
    Phase,
    PieceView,
    Public,
    QuestView,
    Square,
    State,
    TurnView,
)
from engines.corto.table import Table

__all__ = [
    "ADVENTURES",
    "CARDS",
    "COLOURS",
    "COLUMNS",
    "HAND",
    "Adventure",
    "Border",
    "Card",
    "CardId",
    "CharacterView",
    "Figurine",
    "GoldView",
    "GroupView",
    "HandCard",
    "Kind",
    "Mark",
    "Phase",
    "PieceView",
    "PlayerView",
    "QuestView",
    "Square",
    "TurnView",
    "View",
    "adventure_name",
    "card_name",
    "card_rule",
    "look",
    "quest_rule",
    "table_of",
]


@dataclass(frozen=True, slots=True, repr=False)
class HandCard:
    """A card in a hand: its deck is public, its ``card`` ``None`` where the viewer does not know it."""

    deck: str
    card: CardId | None


@dataclass(frozen=True, slots=True, repr=False)
class PlayerView:
    """A seat. ``seal``: cards under it, each 1 gold; ``kept``: advantages in front of it.

    ``hand``: the viewer's own as drawn; another's sorted by deck, known cards before backs. ``to_draw``:
    draws still to come before its first turn. ``limited``: what its hand may consist of, where a skip
    has shown it.
    """

    seat: Seat
    colour: str
    stock: int
    hand: tuple[HandCard, ...]
    seal: tuple[CardId, ...]
    corto_gold: int
    kept: tuple[CardId, ...]
    to_draw: int = 0
    gone: bool = False
    limited: tuple[CardId, ...] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Mark:
    """What the next word of a draft may point at: drawn on the preview.

    ``kind``: ``"place"``, ``"go"`` (a figurine), ``"add"``, ``"hit"`` (a marker comes off), ``"kill"``,
    ``"train"``, ``"sail"``, ``"from"`` and ``"to"`` (a marker to move), ``"swap"``, ``"start"``.
    """

    square: Square
    kind: str


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class View(Public):
    """All that one viewer knows: the public part, and what is added here.

    ``hands``: by seat, the viewer's own as drawn; another's sorted by deck, known cards before backs.
    ``decks``: cards left, by strip. ``gold``, ``groups``: as if the match ended now. ``known_under``: what
    the viewer knows of the bottoms of decks, by strip, from the first card that it knows down to the last of
    the deck: its own hand, once it has left, and cards once taken from it.

    In a preview, ``draft``: facts of the draft's steps; ``chosen``: the hand card that it has taken up last;
    ``marks``: what its next word may point at; ``final``: the next confirmed word reveals, so that all steps
    so far become final.
    """

    viewer: Viewer
    hands: tuple[tuple[HandCard, ...], ...]
    decks: tuple[int, ...]
    gold: tuple[GoldView, ...]
    groups: tuple[GroupView, ...]
    known_under: tuple[HandCard, ...] = ()
    draft: tuple[Fact, ...] = ()
    chosen: CardId | None = None
    marks: tuple[Mark, ...] = ()
    final: bool = False

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """Return what is known of each seat, side by side."""
        return tuple(
            PlayerView(
                seat=seat,
                colour=self.colours[seat],
                stock=self.stock[seat],
                hand=self.hands[seat],
                seal=self.seal[seat],
                corto_gold=self.corto_gold[seat],
                kept=self.kept[seat],
                to_draw=self.to_draw[seat],
                gone=seat in self.left,
                limited=self.limit_of(seat),
            )
            for seat in self.seats
        )

    def at(self, square: Square) -> CharacterView | None:
        """Return the character on a square."""
        return next((found for found in self.board if found.square == square), None)


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    return View(
        **fields_of(Public, public),
        viewer=viewer,
        hands=tuple(hand_seen(state, seat, viewer) for seat in public.seats),
        decks=tuple(len(deck) for deck in state.decks),
        gold=gold(public),
        groups=groups(public),
        known_under=() if viewer is None else _known_under(state, viewer),
    )


def hand_seen(state: State, seat: Seat, viewer: Viewer) -> tuple[HandCard, ...]:
    cards = state.hands[seat]
    if viewer == seat or state.public.phase is Phase.OVER:
        return tuple(HandCard(card[0], card) for card in cards)
    known: Cards = () if viewer is None else state.seen[viewer]
    faces = [HandCard(card[0], card if card in known else None) for card in cards]
    # Unsorted, a place in the hand would show when a card was drawn, and so which one is played or taken.
    return tuple(sorted(faces, key=lambda card: (card.deck, card.card is None, card.card or "")))


def _known_under(state: State, viewer: Seat) -> tuple[HandCard, ...]:
    known = state.under[viewer]
    found: list[HandCard] = []
    for deck in state.decks:
        # Decks are drawn from the top only: what lies below a known card stays where it is.
        first = next((place for place, card in enumerate(deck) if card in known), len(deck))
        found += [HandCard(card[0], card if card in known else None) for card in deck[first:]]
    return tuple(found)


def table_of(view: View, seat: Seat | None = None) -> Table:
    """Return the table of the viewer's draft, or of ``seat`` as the viewer sees it; it holds no secrets."""
    acting = seat if seat is not None else view.viewer
    if acting is None:
        raise ValueError("the public has no draft")
    hand = [card.card for card in view.hands[acting] if card.card is not None]
    backs = [sorted(card.deck for card in cards) for cards in view.hands]
    return Table.of(view, acting, hand, backs, dict(zip(view.strips, view.decks, strict=True)))


# --- as plain JSON data ---------------------------------------------------------------------------


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data."""
    public = state.public
    return {
        **_public(public),
        "decks": _lists(public.strips, state.decks),
        "hands": _lists(public.colours, state.hands),
        "faces": _lists(public.strips, state.faces),
        "seen": _lists(public.colours, state.seen),
        "under": _lists(public.colours, state.under),
    }


def describe(view: View) -> dict[str, Any]:
    """Return a view as plain JSON data; what it shares with a situation has the situation's shape."""
    colours = view.colours
    return {
        **_public(view),
        "viewer": view.viewer,
        "seal": {colour: len(cards) for colour, cards in zip(colours, view.seal, strict=True)},
        "hands": {colour: _hand(cards) for colour, cards in zip(colours, view.hands, strict=True)},
        "decks": dict(zip(view.strips, view.decks, strict=True)),
        "gold": {
            colours[line.seat]: {
                **{name: getattr(line, name) for name in ("largest", "others", "seal", "corto")},
                **{f"quest {strip}": gold for strip, gold in line.quests},
                "total": line.total,
            }
            for line in view.gold
        },
        "groups": [
            {**asdict(group), "seat": colours[group.seat], "squares": list(group.squares)}
            for group in view.groups
        ],
        "asked": [colours[seat] for seat in view.asked],
        "draft": facts_data(view.draft),
        "chosen": view.chosen,
        "marks": [{"square": mark.square, "kind": mark.kind} for mark in view.marks],
        "known_under": _hand(view.known_under),
    }


def _public(public: Public) -> dict[str, Any]:
    colours = public.colours
    return {
        **public.ruleset.data,
        "step": public.step,
        "phase": public.phase.value,
        "seats": list(colours),
        "strips": list(public.strips),
        "board": _board(public.board, colours),
        "figurines": {"corto": public.corto, "rasputin": public.rasputin},
        "stock": dict(zip(colours, public.stock, strict=True)),
        "sealed": _lists(colours, public.seal),
        "corto_gold": dict(zip(colours, public.corto_gold, strict=True)),
        "kept": _lists(colours, public.kept),
        "to_draw": dict(zip(colours, public.to_draw, strict=True)),
        "limited": {
            colours[seat]: list(cards) for seat, cards in enumerate(public.limited) if cards is not None
        },
        "discards": _lists(public.strips, public.discards),
        "quests": {
            quest.strip: quest_of(quest.strip).describe(quest.strip, quest.pieces, colours)
            for quest in public.quests
        },
        "first": colours[public.first],
        "place": None if public.place is None else colours[public.place],
        "turn": None if public.turn is None else _turn(public.turn, public),
        "passes": public.passes,
        "recap": facts_data(public.recap),
        "news": facts_data(public.news),
        "gone": [colours[seat] for seat in public.left],
        "ranks": None if public.ranks is None else [[colours[seat] for seat in row] for row in public.ranks],
        "reason": public.reason,
    }


def _turn(turn: TurnView, public: Public) -> dict[str, Any]:
    data = {**asdict(turn), "seat": public.colours[turn.seat]}
    if not public.ruleset.action_may_free:  # digests of matches that began earlier stay as they were
        del data["must_free"]
    return data


def facts_data(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """Return facts as plain JSON data."""
    return [{"kind": fact.kind, **dict(fact.data)} for fact in facts]


def _lists(keys: Iterable[str], values: Iterable[Iterable[str]]) -> dict[str, list[str]]:
    return {key: list(cards) for key, cards in zip(keys, values, strict=True)}


def _board(board: tuple[CharacterView, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    return {
        found.square: {
            "card": found.card,
            "markers": {colour: count for colour, count in zip(colours, found.markers, strict=True) if count},
        }
        for found in board
    }


def _hand(cards: Iterable[HandCard]) -> list[dict[str, Any]]:
    return [{"deck": card.deck, "card": card.card} for card in cards]
