"""What the dice of a draft come to if nobody else moves: in so few words that a button has room for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from engines.core.contract import Fact, Msg, Seat, SeatName, msg
from engines.core.kit import in_a_row, number_of
from engines.volt.retelling import activations


def outcomes(facts: Iterable[Fact]) -> dict[str, Msg]:
    """Return by unit what the dice of one seat come to."""
    return {
        str(each.die["unit"]): _outcome(each.die, each.facts)
        for each in activations(facts)
        if each.die is not None
    }


def _outcome(die: Fact, facts: Sequence[Fact]) -> Msg:
    own = number_of(die["seat"])
    lost = _seats(facts, "destroyed") - {own}
    moved, hit = _seats(facts, "pushed", "pulled") - lost, _seats(facts, "damaged") - lost
    parts = [*_way(own, facts), *whom("moves", moved), *whom("hits", hit), *whom("destroys", lost)]
    return in_a_row(parts) if parts else msg(f"ahead.{die['colour']}")


def _way(own: Seat, facts: Sequence[Fact]) -> Iterator[Msg]:
    """Yield where the own robot ends, if it moves."""
    for fact in reversed(facts):
        if fact.get("seat") != own:
            continue
        if fact.kind == "destroyed":
            fell = "fell" if fact["arrow"] is None else "fell_out"
            key = fell if fact["cause"] == "fall" else "destroyed"
            yield msg(f"told.{key}.own", seat=SeatName(own), space=str(fact["space"]))
            return
        if fact.kind in ("moved", "leapt"):
            yield msg("ahead.goes", space=str(fact["target"]))
            return


def whom(verb: str, seats: Set[Seat]) -> Iterator[Msg]:
    """Yield who is moved (``verb`` ``"moves"``), hit or destroyed: by name, or how many."""
    if len(seats) == 1:
        yield msg(f"ahead.{verb}", seat=SeatName(*seats))
    elif seats:
        yield msg(f"ahead.{verb}_many", n=len(seats))


def _seats(facts: Iterable[Fact], *kinds: str) -> set[Seat]:
    return {number_of(fact["seat"]) for fact in facts if fact.kind in kinds}
