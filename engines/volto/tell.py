"""Facts and outcomes as sentences."""

from __future__ import annotations

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, Seat, SeatName, msg
from engines.volto.board import SEATS, rival
from engines.volto.record import Reason, Result

_DRAWS = (Reason.REPETITION, Reason.QUIET, Reason.AGREED)


def narrate(fact: Fact) -> Msg | None:
    """Return the sentence for ``fact``; ``None`` for a kind of fact that is not VOLTO's."""
    if fact.kind == "ended":
        return _ended(Reason(str(fact["reason"])), _seat(fact["winner"]))
    if fact.kind not in _TOLD:
        return None
    return msg(f"fact.{fact.kind}", **{name: _argument(name, fact[name]) for name in _TOLD[fact.kind]})


_TOLD: dict[str, tuple[str, ...]] = {
    "arranged": ("seat",),
    "arrangement": ("letters",),
    "begins": ("seat",),
    "moved": ("seat", "origin", "target"),
    "captured": ("seat", "origin", "target", "symbol"),
    "lady_taken": ("seat", "origin", "target", "capturer"),
    "unmasked": ("seat", "square"),
}


def _argument(name: str, value: FactValue) -> Arg:
    if name == "seat":
        return SeatName(_seat(value) or 0)
    return msg(f"kind.{value}") if name in ("symbol", "capturer") else str(value)


def _seat(value: FactValue) -> Seat | None:
    return next((seat for seat in SEATS if seat == value and value is not None), None)


def _ended(reason: Reason, winner: Seat | None) -> Msg:
    """Return why the match is over; both seats are named where one of them won."""
    if winner is None:
        return msg(f"end.{reason.value}")
    return msg(f"end.{reason.value}", winner=SeatName(winner), loser=SeatName(rival(winner)))


def outcome(result: Result | None) -> Outcome | None:
    """Return the outcome: the winner before the other seat, or both sharing the first rank."""
    if result is None:
        return None
    reasons = tuple(_ended(reason, result.winner) for reason in result.reasons)
    if result.winner is None:
        return Outcome((SEATS,), reasons)
    return Outcome(((result.winner,), (rival(result.winner),)), reasons)
