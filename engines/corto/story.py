"""A row of facts in few sentences: what a turn of many small steps is told as."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engines.core.contract import Fact, Msg, SeatName, msg
from engines.corto.files import CARDS
from engines.corto.tell import narrate

Run = Sequence[Fact]

_SILENT = frozenset({"ended_turn"})
"""What the next fact says too: draws, another's turn, the end."""


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return sentences for facts in a row; what happens again and again is told once."""
    told = (_sentence(run) for run in _runs([fact for fact in facts if fact.kind not in _SILENT]))
    return tuple(message for message in told if message is not None)


def _runs(facts: Sequence[Fact]) -> Iterator[Run]:
    """Yield the facts in the longest rows that one sentence can tell."""
    start = 0
    for place in range(1, len(facts) + 1):
        if place == len(facts) or not _joins(facts[start:place], facts[place]):
            yield facts[start:place]
            start = place


def _joins(run: Run, fact: Fact) -> bool:
    """Return whether a fact is told along with those before it."""
    first = run[0]
    if first.kind == "played":
        return len(run) == 1 and _is_own_marker(first, fact)
    if first.kind != fact.kind or first.kind not in _MANY:
        return False
    if first.kind == "drew":
        return first["seat"] == fact["seat"] and (first["card"] is None) is (fact["card"] is None)
    return first.kind == "earned" or (
        first["seat"] == fact["seat"] and not _moved(first) and not _moved(fact)
    )


def _is_own_marker(played: Fact, fact: Fact) -> bool:
    return fact.kind == "added" and fact["square"] == played["square"] and not _moved(fact)


def _moved(fact: Fact) -> bool:
    """Return whether an added marker comes from another character: that is told by itself."""
    return fact.get("origin") is not None


def _sentence(run: Run) -> Msg | None:
    if len(run) == 1:
        return narrate(run[0])
    return _MANY.get(run[0].kind, _placed)(run)


def _placed(run: Run) -> Msg:
    played = run[0]
    name = CARDS[str(played["card"])].name
    return msg("fact.played_marked", seat=_name(played["seat"]), card=name, square=str(played["square"]))


def _drew(run: Run) -> Msg:
    seat = _name(run[0]["seat"])
    if run[0]["card"] is None:
        return msg(
            "fact.drew_many", seat=seat, n=len(run), decks=", ".join(str(fact["deck"]) for fact in run)
        )
    cards = ", ".join(f"{CARDS[str(fact['card'])].name} ({fact['card']})" for fact in run)
    return msg("fact.drew_own_many", seat=seat, cards=cards)


def _added(run: Run) -> Msg:
    squares = ", ".join(str(fact["square"]) for fact in run)
    return msg("fact.added_many", seat=_name(run[0]["seat"]), squares=squares)


def _earned(run: Run) -> Msg:
    row: Msg | None = None
    for fact in run:
        part = msg("fact.earned_part", earner=_name(fact["earner"]), square=str(fact["square"]))
        row = part if row is None else msg("list", first=row, second=part)
    assert row is not None
    return msg("fact.earned_many", friends=row)


def _name(value: object) -> SeatName:
    return SeatName(value if isinstance(value, int) else 0)


_MANY: dict[str, Callable[[Run], Msg]] = {"drew": _drew, "added": _added, "earned": _earned}
