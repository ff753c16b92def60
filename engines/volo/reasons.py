"""What speaks for a turn, in a sentence: what it ends, prevents, threatens, cuts off, joins or opens."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Arg, Msg, Words, msg
from engines.volo.judge import judge
from engines.volo.movegen import PASS, Position
from engines.volo.notation import parse, spelt
from engines.volo.regions import reachable
from engines.volo.rules import REPETITIONS
from engines.volo.sides import Side, Turn
from engines.volo.state import number, state_from
from engines.volo.view import VoloView

ROOM = 3
"""The fewest points that are worth telling when the other seat can no longer reach them."""


def reason(view: VoloView, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the seat to move; raises ``ActionError`` for no such one."""
    state = state_from(view)
    before = state.position
    turn = judge(before, parse(state.board, words))
    after = before.after(turn)
    own, other = after.other.birds, after.own.birds
    birds = (own, other) if state.mover == 0 else (other, own)
    repeated = view.history.count(number(birds, 1 - state.mover)) >= REPETITIONS - 1
    return _end(before, after, repeated=repeated) or _danger(before, after) or _gain(before, turn, after)


def _end(before: Position, after: Position, *, repeated: bool) -> Msg | None:
    """Return how a turn ends the match, or ``None``."""
    won = after.won()
    if won is not None:
        return msg("reason.wins" if won else "reason.loses")
    if before.passed and after.passed:
        return msg("reason.draws.passes")
    return msg("reason.draws.repetition") if repeated else None


def _danger(before: Position, after: Position) -> Msg | None:
    """Return what becomes of a flight with which the other seat would win next, or ``None``."""
    win = _winning(after)
    if win is not None:
        return msg("reason.late", **_flight(after, win))
    threat = _winning(before.after(PASS))
    return None if threat is None else msg("reason.prevents", **_flight(before, threat))


def _gain(before: Position, turn: Turn, after: Position) -> Msg:
    """Return what a turn gains that ends nothing and after which the other seat cannot win at once."""
    if turn == PASS:
        return msg("reason.passes.home" if len(before.turns()) > 1 else "reason.passes.only")
    if turn.gone:
        return msg("reason.sends_away", n=turn.gone.bit_count(), flocks=_flocks(after.own))
    win = _winning(after.after(PASS))
    if win is not None:
        forced = all(_winning(answer) for answer in _answers(after))
        return msg("reason.forces") if forced else msg("reason.threatens", **_flight(after, win))
    closed = _closed(after) - _closed(before.after(PASS))
    if closed >= ROOM:
        return msg("reason.closes", n=closed)
    stopped = len(_flights(before.after(PASS)) - _flights(after))
    return _joins(turn, after, stopped) if turn.unit else _opens(before, after, stopped)


def _joins(turn: Turn, after: Position, stopped: int) -> Msg:
    """Return what flock a flight makes, and how many flights it takes from the other seat, if any."""
    size = after.board.flood(turn.landing, after.other.birds).bit_count()
    if stopped:
        return msg("reason.joins.stops", size=size, n=stopped)
    return msg("reason.joins", size=size, n=_flocks(after.other))


def _opens(before: Position, after: Position, stopped: int) -> Msg:
    """Return how many flights a new bird opens to its own side and takes from the other."""
    opened = len(_flights(after.after(PASS)) - _flights(before))
    if opened and stopped:
        return msg("reason.opens.stops", opened=opened, stopped=stopped)
    if opened:
        return msg("reason.opens", n=opened)
    return msg("reason.stops", n=stopped) if stopped else msg("reason.quiet")


def _flights(position: Position) -> set[tuple[int, str]]:
    """Return the flights of the seat to move: birds and where they fly, whatever region is kept."""
    return {(turn.unit, turn.word) for turn in position.turns() if turn.unit}


def _winning(position: Position) -> Turn | None:
    """Return a flight with which the seat to move wins, or ``None``."""
    return next((turn for turn in position.turns() if turn.unit and position.after(turn).won()), None)


def _answers(position: Position) -> Iterator[Position]:
    """Yield the position after each turn of the seat to move, none of which wins at once."""
    return (position.after(turn) for turn in position.turns())


def _closed(position: Position) -> int:
    """Return how many vacant points the seat to move cannot reach."""
    return (
        position.vacant & ~reachable(position.board, position.own.birds, position.other.birds)
    ).bit_count()


def _flocks(side: Side) -> int:
    return len(side.flocks) + side.singles.bit_count()


def _flight(position: Position, turn: Turn) -> dict[str, Arg]:
    """Return from where to where a turn flies."""
    units = position.board.units
    return {"unit": spelt(units[turn.unit]), "landing": spelt(units[turn.landing])}
