"""A turn of CORTO in one line: all that a player did, clause after clause.

A clause is the sentence of the log without its subject: its text has the same key behind ``told.``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from engines.core.contract import Arg, Fact, Msg, Seat, SeatName, msg
from engines.core.kit import number_of
from engines.corto.events import narrate, told
from engines.corto.names import cards_and_ids

Run = Sequence[Fact]

_SILENT = frozenset({"ended_turn", "turn", "ended"})
"""What the next fact says too, or the rest of the message: draws, whose turn it is, how it ended."""

_WHOLE = frozenset({"began", "withdrawn"})
"""What is a sentence of its own."""

_FOLLOWING = frozenset({"earned", "train", "train_left"})
"""What nobody does: it follows from what was done before."""


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return a sentence for each turn, or part of one, in a row of facts."""
    sentences: list[Msg] = []
    clauses: list[Msg] = []
    subject: Seat | None = None

    def finish() -> None:
        if clauses and subject is not None:
            steps = reduce(lambda row, step: msg("told.next", steps=row, step=step), clauses)
            sentences.append(msg("told.turn", player=SeatName(subject), steps=steps))
        clauses.clear()

    for run in _runs([fact for fact in facts if fact.kind not in _SILENT]):
        first = run[0]
        message = narrate(first) if len(run) == 1 else _MANY[first.kind](run)
        if message is None:
            continue
        if first.kind in _WHOLE or (first.kind in _FOLLOWING and not clauses):
            finish()
            sentences.append(message)
            continue
        if first.kind not in _FOLLOWING and (seat := number_of(first["seat"])) != subject:
            finish()
            subject = seat
        clauses.append(Msg(f"told.{message.key.removeprefix('fact.')}", message.args))
    finish()
    return tuple(sentences)


def _runs(facts: Sequence[Fact]) -> Iterator[Run]:
    start = 0
    for place in range(1, len(facts) + 1):
        if place == len(facts) or not _joins(facts[start:place], facts[place]):
            yield facts[start:place]
            start = place


def _joins(run: Run, fact: Fact) -> bool:
    first = run[0]
    if first.kind == "played":
        own_marker = fact.kind == "added" and fact["square"] == first["square"] and not _moved(fact)
        return own_marker and len(run) == 1
    if first.kind != fact.kind or first.kind not in _MANY:
        return False
    if first.kind == "drew":
        return first["seat"] == fact["seat"] and (first["card"] is None) is (fact["card"] is None)
    return first.kind == "earned" or (
        first["seat"] == fact["seat"] and not _moved(first) and not _moved(fact)
    )


def _moved(fact: Fact) -> bool:
    # A marker that comes from another character is told by itself, with both squares.
    return fact.get("origin") is not None


def _drew_many(run: Run) -> Msg:
    player = SeatName(number_of(run[0]["seat"]))
    if run[0]["card"] is None:
        return msg(
            "fact.drew_many", player=player, n=len(run), decks=tuple(str(fact["deck"]) for fact in run)
        )
    return msg(
        "fact.drew_own_many", player=player, cards=cards_and_ids(tuple(str(fact["card"]) for fact in run))
    )


def _earned_many(run: Run) -> Msg:
    friends = tuple(
        msg("fact.earned_part", earner=SeatName(number_of(fact["earner"])), square=str(fact["square"]))
        for fact in run
    )
    return msg("fact.earned_many", friends=friends)


def _squares(run: Run) -> tuple[Arg, ...]:
    """Return the squares of facts, each once, and how often if more than once."""
    found = Counter(str(fact["square"]) for fact in run)
    return tuple(
        square if count == 1 else msg("square.times", square=square, n=count)
        for square, count in found.items()
    )


_MANY: dict[str, Callable[[Run], Msg]] = {
    "played": lambda run: told("played_marked", run[0], "seat", "card", "square"),
    "drew": _drew_many,
    "added": lambda run: msg(
        "fact.added_many",
        player=SeatName(number_of(run[0]["seat"])),
        squares=_squares(run),
    ),
    "earned": _earned_many,
}
