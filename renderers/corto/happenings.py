"""What the last steps changed, read from facts: for prints on the board and for one line of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engines.core.contract import Fact, Seat
from engines.corto.view import CARDS, Square, View

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
    return Prints(facts, fresh, deltas, _sound(facts))


def _changes(fact: Fact) -> Iterable[tuple[Square, Seat, int]]:
    """Yield where whose markers became more or fewer."""
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


def _sound(facts: Iterable[Fact]) -> tuple[str, Square] | None:
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
