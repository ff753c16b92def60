"""The events of VOLTO: facts, the sentences told of them, and how a match ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.core.contract import (
    EVERYONE,
    Arg,
    Event,
    Fact,
    FactValue,
    Msg,
    Outcome,
    Seat,
    SeatName,
    all_but,
    fact,
    msg,
    only,
)
from engines.volto.board import SEATS, Kind, rival
from engines.volto.state import State
from engines.volto.view import Ply, Reason, Result

# --- facts ----------------------------------------------------------------------------------------


UNDOABLE = frozenset({"moved"})
"""The facts of steps that may be taken back: a mask has only gone where nobody stood."""


def move_events(ply: Ply, mover: Kind) -> Iterator[Event]:
    """Yield what is seen of a move by the symbol ``mover``: ``moved``, ``captured`` or ``lady_taken``.

    Of a capturer that leaves unseen its owner alone learns what it was: ``left_in_secret``, and all others
    ``left_unseen``. Source: the rules page, *Turn*.
    """
    where: dict[str, FactValue] = {"seat": ply.seat, "origin": ply.origin, "target": ply.target}
    if ply.kind is None:
        yield Event(fact("moved", **where), EVERYONE)
    elif not ply.left:
        yield Event(fact("captured", **where, symbol=ply.kind.value), EVERYONE)
    elif ply.lost is not None:
        yield Event(fact("lady_taken", **where, capturer=ply.lost.value), EVERYONE)
    else:
        yield Event(fact("left_unseen", **where), all_but(ply.seat))
        yield Event(fact("left_in_secret", **where, capturer=mover.value), only(ply.seat))


def end_events(state: State, unseen: Iterable[Ply]) -> Iterator[Event]:
    """Yield how the match ended, for everybody; nothing while it runs.

    ``unseen``: the moves of the masks that had left unseen before the last act; they are shown now.
    """
    if state.public.result is not None:
        kinds = {mask.id: kind for mask, kind in state.kinds()}
        for ply in unseen:
            told = fact("unseen_was", seat=ply.seat, square=ply.target, symbol=kinds[ply.mask].value)
            yield Event(told, EVERYONE)
        yield from (Event(told, EVERYONE) for told in _end_facts(state, state.public.result))


def _end_facts(state: State, result: Result) -> Iterator[Fact]:
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
    "left_unseen": ("seat", "origin", "target"),
    "left_in_secret": ("seat", "origin", "target", "capturer"),
    "unseen_was": ("seat", "square", "symbol"),
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
            gaps["player"] = SeatName(_seat(value) or 0)
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
