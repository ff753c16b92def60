"""What is said of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, SeatName, msg
from engines.core.kit import number_of, texts_of
from engines.doge.components import LOCATIONS, Pair, Square
from engines.doge.view import View

_SEATS = frozenset({"seat", "other", "owner"})
_CARDS = frozenset({"card", "institution", "craft"})
_JOINS: dict[str, dict[str, tuple[str, ...]]] = {
    "fact.rolled": {"moved": ("way", "square")},
    "fact.rolled_moved": {"met": ("other",)},
    "fact.moved": {"met": ("other",)},
    "fact.ghost": {"haunted": ("other",)},
}
"""What is told in one sentence with what comes before it, and the data that it adds."""
UNDOABLE = frozenset({"placed", "moved", "left_pile", "passed", "last_guesses"})
"""The facts of steps that may be taken back: nobody was shown a card, and no die or lot fell."""
_TOGETHER = {"placed": ("stand", "seat", "square"), "was": ("were", "seat", "institution", "craft")}
"""What is told of several seats in one sentence: the text of each in its list, and the data of that."""


def square_name(square: Square) -> Msg:
    """Return a square's name: a main location's own, or its number."""
    place = LOCATIONS.get(square)
    return msg("square", n=square) if place is None else msg(f"card.{place}")


def pair_name(pair: Pair) -> Msg:
    """Return a pair's name: institution and craft."""
    return msg("pair", institution=msg(f"card.{pair.institution}"), craft=msg(f"card.{pair.craft}"))


def narrate(fact: Fact) -> Msg:
    """Return one sentence for a fact."""
    if fact.kind == "laid_out":
        return msg("fact.laid_out", cards=tuple(msg(f"card.{card}") for card in texts_of(fact["cards"])))
    if fact.kind == "end":
        return msg(f"fact.end.{fact['reason']}", **_gaps(fact, "institution", "craft"))
    return msg(f"fact.{fact.kind}", **_gaps(fact, *(name for name, _ in fact.data)))


def _gaps(fact: Fact, *names: str) -> dict[str, Arg]:
    return {"player" if name == "seat" else name: _gap(name, fact[name]) for name in names}


def _gap(name: str, value: FactValue) -> Arg:
    if name in _SEATS:
        return SeatName(number_of(value))
    if name in _CARDS:
        return msg(f"card.{value}")
    if name == "square":
        return square_name(number_of(value))
    return str(value) if name == "way" else number_of(value)


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return sentences for facts in a row: a roll, a move and a meeting are one, so is where all stand."""
    told: list[Msg] = []
    for kind, some in groupby(facts, lambda fact: fact.kind):
        facts_of_a_kind = tuple(some)
        if kind in _TOGETHER and len(facts_of_a_kind) > 1:
            told.append(_together(kind, facts_of_a_kind))
            continue
        for fact in facts_of_a_kind:
            last = told[-1].key if told else ""
            joined = _JOINS.get(last, {}).get(kind)
            if joined is not None:
                told[-1] = Msg(f"{last}_{kind}", (*told[-1].args, *_gaps(fact, *joined).items()))
            # Who names the treasure has told already what it was.
            elif (kind, last) != ("end", "fact.right"):
                told.append(narrate(fact))
    return tuple(told)


def _together(kind: str, facts: Sequence[Fact]) -> Msg:
    key, *gaps = _TOGETHER[kind]
    return msg(f"fact.{key}", people=tuple(msg(key, **_gaps(fact, *gaps)) for fact in facts))


def outcome(view: View) -> Outcome | None:
    """Return how the match ended: all together; ``None`` while it runs."""
    result = view.result
    if result is None:
        return None
    return Outcome((tuple(range(view.seats)),), (msg(f"end.{result.reason}"),), won=result.won)
