"""The events of Volo: facts, the sentences told of them, and how a match ends."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.contract import Arg, Fact, Msg, Outcome, Seat, SeatName, fact, msg
from engines.core.kit import number_of, texts_of
from engines.volo.notation import spelt
from engines.volo.state import State
from engines.volo.view import Ending, LastTurn

# --- facts -------------------------------------------------------------------------------------------


UNDOABLE = frozenset({"passed", "added", "flew", "kept", "gone"})
"""The facts of steps that may be taken back: all turns but one that ends the match."""


def turn_facts(last: LastTurn, after: State) -> tuple[Fact, ...]:
    """Return what a turn has brought about: what was done, then what was kept and what flew away."""
    seat = last.seat
    if last.kind == "pass":
        return (fact("passed", seat=seat),)
    if last.kind == "add":
        return (fact("added", seat=seat, point=last.landings[0]),)
    board = after.board
    flock = board.flood(board.points[last.landings[0]], after.birds[seat]).bit_count()
    flew = fact(
        "flew",
        seat=seat,
        unit=last.words[0],
        direction=last.direction,
        steps=last.steps,
        birds=len(last.origins),
        flock=flock,
    )
    if not last.gone:
        return (flew,)
    kept = fact("kept", seat=seat, region=last.words[-1])
    return flew, kept, fact("gone", seat=1 - seat, birds=len(last.gone), points=last.gone)


def end_fact(ending: Ending) -> Fact:
    """Return the fact that a match has ended."""
    if ending.winner is None:
        return fact("drawn", reason=ending.reason)
    return fact("won", seat=ending.winner, reason=ending.reason)


# --- sentences ---------------------------------------------------------------------------------------

_ENDS = frozenset({"won", "drawn"})


_COUNTS = {("flew", "steps"): "n", ("flew", "flock"): "size", ("gone", "birds"): "n"}
"""Which numbers are told, and in which gaps: how many birds fly is seen from where they do."""


def narrate(fact: Fact) -> Msg:
    """Return one sentence for a fact of Volo."""
    if fact.kind in _ENDS:
        return msg(f"ended.{fact['reason']}", **_rivals(number_of(fact.get("seat"))))
    args: dict[str, Arg] = {}
    for name, value in fact.data:
        if name == "seat":
            args["player"] = SeatName(number_of(value))
        elif isinstance(value, tuple):
            args[name] = texts_of(value)
        elif name == "direction":
            args[name] = msg(f"direction.{value}")
        elif isinstance(value, str):
            args[name] = spelt(value)
        elif (fact.kind, name) in _COUNTS:
            args[_COUNTS[fact.kind, name]] = number_of(value)
    return msg(f"fact.{fact.kind}", **args)


def _rivals(winner: Seat) -> dict[str, Arg]:
    return {"winner": SeatName(winner), "loser": SeatName(1 - winner)}


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return a sentence for each fact but for the end, which the outcome says."""
    return tuple(narrate(fact) for fact in facts if fact.kind not in _ENDS)


def outcome(ending: Ending | None) -> Outcome | None:
    """Return how a match ended, for its players."""
    if ending is None:
        return None
    if ending.winner is None:
        return Outcome(((0, 1),), (msg(f"end.{ending.reason}"),))
    ranks = ((ending.winner,), (1 - ending.winner,))
    return Outcome(ranks, (msg(f"end.{ending.reason}", **_rivals(ending.winner)),))
