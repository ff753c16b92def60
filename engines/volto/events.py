"""The events of VOLTO: facts, the sentences told of them, and how a match ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, Seat, SeatName, fact, msg
from engines.volto.board import SEATS, Kind, rival
from engines.volto.state import State
from engines.volto.view import Ply, Reason, Result

# --- facts ----------------------------------------------------------------------------------------


UNDOABLE = frozenset({"moved"})
"""The facts of steps that may be taken back: a mask has only gone where nobody stood."""


def move_fact(ply: Ply) -> Fact:
    """Return what all see of a move: ``moved``, ``captured`` or ``lady_taken``."""
    if ply.kind is None:
        return fact("moved", seat=ply.seat, origin=ply.origin, target=ply.target)
    if ply.lost is None:
        return fact("captured", seat=ply.seat, origin=ply.origin, target=ply.target, symbol=ply.kind.value)
    return fact("lady_taken", seat=ply.seat, origin=ply.origin, target=ply.target, capturer=ply.lost.value)


def end_facts(state: State) -> Iterator[Fact]:
    """Yield how the match ended, each reason a fact; nothing while it runs."""
    result = state.public.result
    if result is None:
        return
    if Reason.PALACE in result.reasons and result.winner is not None:
        mat = state.mat()
        square = next(s for s in mat if mat[s] == (result.winner, Kind.CANDIDATE))
        yield fact("unmasked", seat=result.winner, square=square)
    for reason in result.reasons:
        yield fact("ended", reason=reason.value, winner=result.winner)


# --- sentences ------------------------------------------------------------------------------------

_TOLD: dict[str, tuple[str, ...]] = {
    "arranged": ("seat",),
    "arrangement": ("letters",),
    "begins": ("seat",),
    "moved": ("seat", "origin", "target"),
    "captured": ("seat", "origin", "target", "symbol"),
    "lady_taken": ("seat", "origin", "target", "capturer"),
    "unmasked": ("seat", "square"),
}

_NAMED = {"symbol": "one", "capturer": "kind"}
"""Which texts name a symbol: with an article of their own, or without."""


def narrate(fact: Fact) -> Msg | None:
    """Return the sentence for ``fact``; ``None`` for a kind of fact that is not VOLTO's."""
    if fact.kind == "ended":
        return msg(f"ended.{fact['reason']}", **_rivals(_seat(fact["winner"])))
    if fact.kind not in _TOLD:
        return None
    gaps: dict[str, Arg] = {}
    for name in _TOLD[fact.kind]:
        value = fact[name]
        if name == "seat":
            gaps[name] = SeatName(_seat(value) or 0)
        else:
            gaps[name] = msg(f"{_NAMED[name]}.{value}") if name in _NAMED else str(value)
    return msg(f"fact.{fact.kind}", **gaps)


def _seat(value: FactValue) -> Seat | None:
    return next((seat for seat in SEATS if seat == value and value is not None), None)


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return a sentence for each fact but for the end, which the outcome says."""
    told = (narrate(fact) for fact in facts if fact.kind != "ended")
    return tuple(message for message in told if message is not None)


def _rivals(winner: Seat | None) -> dict[str, Arg]:
    return {} if winner is None else {"winner": SeatName(winner), "loser": SeatName(rival(winner))}


def outcome(result: Result | None) -> Outcome | None:
    """Return the outcome: the winner before the other seat, or both sharing the first rank."""
    if result is None:
        return None
    reasons = tuple(msg(f"end.{reason.value}", **_rivals(result.winner)) for reason in result.reasons)
    if result.winner is None:
        return Outcome((SEATS,), reasons)
    return Outcome(((result.winner,), (rival(result.winner),)), reasons)
