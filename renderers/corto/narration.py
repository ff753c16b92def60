"""What a page says in one line: who must do what, and what the last steps changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from engines.core.contract import Arg, Fact, Seat, SeatName, msg
from engines.core.languages import FALLBACK
from engines.corto.view import CARDS, Phase, Square, View
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans
from renderers.corto.names import card_name

QUIET = frozenset({"turn", "drew", "ended_turn", "began", "started"})
"""Facts that leave no print: with nothing but them, the turn before is shown."""

BANG, CRACK, RATTLE = "BANG!", "CRACK!", "RATATAT!"


@dataclass(frozen=True, slots=True)
class Prints:
    """What a picture shows of the last steps.

    ``facts``: these steps; ``fresh``: the square of the character played last, if it still stands there;
    ``deltas``: square, owner and change of markers; ``sound``: what is lettered, over which square.
    """

    facts: tuple[Fact, ...] = ()
    fresh: Square | None = None
    deltas: tuple[tuple[Square, Seat, int], ...] = ()
    sound: tuple[str, Square] | None = None


def text_of(fact: Fact, key: str) -> str:
    """Return a datum that is text; raises ``KeyError``."""
    return str(fact[key])


def seat_of(fact: Fact, key: str = "seat") -> Seat:
    """Return a datum that is a seat; raises ``KeyError``."""
    return Seat(str(fact[key]))


def last_steps(view: View) -> tuple[Fact, ...]:
    """Return the steps to show: the draft's with those of the turn so far, else the last turn's."""
    turns: list[list[Fact]] = [[]]
    for fact in view.recap:
        if fact.kind == "turn":
            turns.append([])
        turns[-1].append(fact)
    turns[-1] += view.draft
    for turn in reversed(turns):
        if any(fact.kind not in QUIET for fact in turn):
            return tuple(turn)
    return tuple(turns[-1])


def prints(view: View) -> Prints:
    """Return the prints of the last steps on the board of ``view``."""
    facts = last_steps(view)
    standing = {found.square: found for found in view.board}
    fresh = None
    for fact in facts:
        if fact.kind == "played":
            fresh = text_of(fact, "square")
            card = text_of(fact, "card")
            # It may have changed its place since, and is then found by its card.
            if fresh not in standing or standing[fresh].card != card:
                fresh = next((name for name, found in standing.items() if found.card == card), None)
    changes: Counter[tuple[Square, Seat]] = Counter()
    for fact in facts:
        for square, owner, change in _changes(fact):
            changes[square, owner] += change
    deltas = tuple(
        (square, owner, change)
        for (square, owner), change in changes.items()
        if change and square in standing
    )
    return Prints(facts, fresh, deltas, _loudest_sound(facts))


def _changes(fact: Fact) -> Iterable[tuple[Square, Seat, int]]:
    if fact.kind in {"added", "started"}:
        yield text_of(fact, "square"), seat_of(fact), 1
        origin = fact.get("origin")
        if origin is not None:
            yield str(origin), seat_of(fact), -1
    elif fact.kind in {"removed", "bribed"}:
        yield text_of(fact, "square"), seat_of(fact, "owner"), -1
    elif fact.kind == "moved":
        yield text_of(fact, "target"), seat_of(fact), 1
        yield text_of(fact, "origin"), seat_of(fact), -1


def _loudest_sound(facts: Iterable[Fact]) -> tuple[str, Square] | None:
    """Return the loudest of the last steps: a kill, two hits of one card, a shot from afar, a hit."""
    hits: Counter[str] = Counter()
    found: tuple[str, Square] | None = None
    for fact in facts:
        if fact.kind == "killed":
            found = (BANG, text_of(fact, "square"))
        elif fact.kind in {"removed", "carriage"} and (found is None or found[0] != BANG):
            by = fact.get("by")
            card = CARDS.get(str(by))
            hits[str(by)] += 1
            far = card is not None and card.long_range
            found = (RATTLE if far or hits[str(by)] > 1 else CRACK, text_of(fact, "square"))
    return found


_NAME = sans(32, Weight.BOLD)
_ROOM = 420
"""Pixels for a player's name in the headline of the count."""
SEPARATOR = " · "

NameOf: TypeAlias = Callable[[Seat], str]
CardId: TypeAlias = str


def ended(captions: Captions, view: View) -> str:
    """Return how the match ended, for the picture."""
    return _ended(captions, view, lambda seat: captions.painted_name(seat, _NAME, _ROOM))


def asked(captions: Captions, view: View) -> str:
    """Return who must do what, or how the match ended, for the alt text."""
    if view.ranks is not None:
        return _ended(captions, view, captions.plain_name)
    if view.phase is Phase.START:
        if view.place is not None:
            return captions.text("ask.start", player=SeatName(view.place))
        return captions.text("ask.start_draw", players=tuple(map(SeatName, view.asked)), n=len(view.asked))
    if view.turn is None:
        return ""
    player = SeatName(view.turn.seat)
    if view.phase is Phase.DRAWS:
        return captions.text("ask.draws", player=player, n=view.turn.draws)
    if view.turn.shot:
        return captions.text("ask.shot", player=player)
    return captions.text("ask.more" if view.turn.played else "ask.turn", player=player)


def _ended(captions: Captions, view: View, name_of: NameOf) -> str:
    winners = view.ranks[0] if view.ranks is not None else ()
    names = tuple(name_of(seat) for seat in winners)
    gold = view.gold[winners[0]].total if view.gold else 0
    return captions.text(f"ended.{view.reason}", winners=names, n=len(names), gold=gold)


def acting(view: View) -> CardId | None:
    """Return the card that the viewer has selected, or is playing."""
    if view.chosen is not None or view.turn is None or view.turn.seat != view.viewer:
        return view.chosen
    return view.turn.card


def guide(captions: Captions, view: View) -> str:
    """Return what the viewer is asked (a card, a square, a target, or to wait), for the alt text."""
    return _request(captions, view) or asked(captions, view)


def _request(captions: Captions, view: View) -> str:
    seat = view.viewer
    if seat is None or seat not in view.asked:
        return ""
    kinds = tuple(dict.fromkeys(mark.kind for mark in view.marks))
    card = acting(view)
    if view.final:
        return captions.text("guide.final")
    if view.place == seat:
        return captions.text("guide.begin")
    if kinds:
        options = tuple(msg(f"option.{kind}") for kind in kinds)
        if card is None:
            return captions.text("guide.options", options=options)
        named = captions.text("alt.card", id=card, card=card_name(captions, card))
        return captions.text("guide.card", card=named, options=options)
    if view.turn is None or view.turn.seat != seat:
        owed = view.players[seat].to_draw
        return captions.text("guide.draws", n=owed) if owed else ""
    if view.phase is Phase.DRAWS:
        return captions.text("guide.draws", n=view.turn.draws)
    return captions.text("guide.more" if view.turn.played else "guide.turn")


def steps(captions: Captions, view: View, facts: Iterable[Fact]) -> list[str]:
    """Return the steps that are worth mentioning, in order."""
    found: list[str] = []
    before: Fact | None = None
    for fact in facts:
        # The first marker on a character that was just placed is not worth a word.
        implied = (
            before is not None
            and before.kind == "played"
            and fact.kind == "added"
            and fact["square"] == before["square"]
            and fact.get("origin") is None
        )
        told = "" if implied else _step_text(captions, view, fact)
        found += [told] if told else []
        before = fact
    return found


def text_or(captions: Captions, key: str, other: str, **args: Arg) -> str:
    """Return a text that the catalogue has, else ``other``: data may have quests that it does not know."""
    return captions.text(key, **args) if key in captions.catalogue.languages[FALLBACK] else other


def colour(captions: Captions, view: View, seat: Seat) -> str:
    """Return the colour of a seat's markers in words."""
    return captions.text(f"colour.{view.players[seat].colour}")


# --- a few words for each fact --------------------------------------------------------------------

_KEYS = {
    "played": "at",
    "started": "started",
    "added": "added",
    "removed": "removed",
    "bribed": "removed",
    "killed": "killed",
    "spared": "spared",
    "used": "card",
    "advantage": "card",
    "travelled": "went",
    "earned": "earned",
    "swapped": "swapped",
    "moved": "moved",
    "picked": "picked",
    "discarded": "discarded",
    "passed": "passed",
    "sailed": "sailed",
    "aces": "aces",
    "tile": "tile",
    "leopard": "leopard",
    "carriage": "carriage",
    "train_left": "train_left",
    "drew": "drew",
    "withdrawn": "withdrawn",
}
"""Facts that are told, by the key of their words."""
_SEATS = frozenset({"seat", "owner", "earner", "victim"})
"""Data that are seats, told by the colour of their markers."""


def _step_text(captions: Captions, view: View, fact: Fact) -> str:
    if fact.kind not in _KEYS or fact.get("cards") == ():
        return ""
    args: dict[str, Arg] = {}
    for name, value in fact.data:
        if name == "card" and value in CARDS:
            args[name] = card_name(captions, str(value))
        elif name in _SEATS:
            args[name] = colour(captions, view, seat_of(fact, name))
        elif isinstance(value, tuple):
            args["n"] = len(value)
        elif isinstance(value, (str, int)):
            args[name] = value
    key = _KEYS[fact.kind]
    if fact.kind == "added" and fact.get("origin") is not None:
        key = "replaced"
    elif fact.kind == "tile":
        key = text_of(fact, "what")
    elif fact.kind == "carriage" and not fact["gold"]:
        key = "armed"
    return captions.text(f"step.{key}", **args)
