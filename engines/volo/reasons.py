"""What speaks for a turn, in a sentence: what it ends, prevents, threatens, cuts off, joins or opens."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Msg, Words, msg
from engines.volo.judge import judge
from engines.volo.movegen import PASS, Position
from engines.volo.notation import parse, words_of, write
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
        return msg("reason.late", flight=_written(after, win))
    threat = _winning(before.after(PASS))
    return None if threat is None else msg("reason.prevents", flight=_written(before, threat))


def _gain(before: Position, turn: Turn, after: Position) -> Msg:
    """Return what a turn gains that ends nothing and after which the other seat cannot win at once."""
    if turn == PASS:
        return msg("reason.passes.home" if len(before.turns()) > 1 else "reason.passes.only")
    if turn.gone:
        return msg("reason.sends_away", n=turn.gone.bit_count(), flocks=_flocks(after.own))
    win = _winning(after.after(PASS))
    if win is not None:
        forced = all(_winning(answer) for answer in _answers(after))
        return msg("reason.forces" if forced else "reason.threatens", flight=_written(after, win))
    closed = _closed(after) - _closed(before.after(PASS))
    if closed >= ROOM:
        return msg("reason.closes", n=closed)
    stopped = len(_flights(before.after(PASS)) - _flights(after))
    gains = _joins(before, turn, after) if turn.unit else _opens(before, after)
    if gains is None:
        return msg("reason.stops", n=stopped) if stopped else msg("reason.quiet")
    if not stopped:
        return gains
    return msg("reason.both", gains=gains, stops=msg("reason.both.stops", n=stopped))


def _joins(before: Position, turn: Turn, after: Position) -> Msg:
    """Return which flocks a flight has joined; some it always does."""
    left = _flocks(after.other)
    size = after.board.flood(turn.landing, after.other.birds).bit_count()
    return msg("reason.joins", joined=_flocks(before.own) - left + 1, size=size, left=left)


def _opens(before: Position, after: Position) -> Msg | None:
    """Return how many flights a new bird opens to its own side, or ``None``."""
    opened = len(_flights(after.after(PASS)) - _flights(before))
    return msg("reason.opens", n=opened) if opened else None


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


def _written(position: Position, turn: Turn) -> str:
    return write(words_of(position.board, turn))
