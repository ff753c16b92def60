"""What is said of a match: a sentence for each fact, and how it ended."""

from __future__ import annotations

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, SeatName, msg
from engines.volo.view import Ending


def narrate(fact: Fact) -> Msg:
    """Return one sentence for a fact of Volo."""
    args = {name: _told(name, value) for name, value in fact.data if name != "reason"}
    if fact.kind in ("won", "drawn"):
        return msg(f"end.{fact['reason']}", **args)
    return msg(f"fact.{fact.kind}", **args)


def _told(name: str, value: FactValue) -> Arg:
    """Return a datum as it stands in a sentence: names of seats, counted things, rows with a dash."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, int):
        return SeatName(value) if name == "seat" else msg(f"count.{name}", n=value)
    return msg(f"direction.{value}") if name == "direction" else str(value).replace(":", "–")


def outcome(ending: Ending | None) -> Outcome | None:
    """Return how a match ended, for its players."""
    if ending is None:
        return None
    if ending.winner is None:
        return Outcome(((0, 1),), (msg(f"end.{ending.reason}"),))
    ranks = ((ending.winner,), (1 - ending.winner,))
    return Outcome(ranks, (msg(f"end.{ending.reason}", seat=SeatName(ending.winner)),))
