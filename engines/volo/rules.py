"""The course of a match: its start, its turns, its end. Rules page, *Board*, *Turn*, *End*."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import EVERYONE, Event, Seat, Step, Words, fact
from engines.volo.board import BOARDS, Board
from engines.volo.events import end_fact, turn_facts
from engines.volo.judge import judge
from engines.volo.movegen import Position
from engines.volo.notation import parse, read_position
from engines.volo.sides import Turn
from engines.volo.state import State, number, state_of
from engines.volo.view import Ending, LastTurn

REPETITIONS = 3
"""How often a position with the same side to move stands when it ends the match."""

_START = {
    "standard": (("b2", "g12", "l2"), ("b7", "g2", "l7")),
    "small": (("b2", "f10", "j2"), ("b6", "f2", "j6")),
}


def begin(key: str) -> Step[State]:
    """Return the start of a match on the board ``key``; raises ``KeyError``."""
    board = BOARDS[key]
    orange, blue = (sum(board.points[name] for name in names) for names in _START[key])
    state = state_of(board, (orange, blue), 0)
    return Step(state, (Event(fact("began", seat=0), EVERYONE),))


def set_up(text: str) -> State:
    """Return the state of a position text, over if it is; raises ``InvalidAction``.

    A set-up position counts as if the seat that is not to move had just brought it about: it
    wins if its birds are one flock, else the seat to move if its birds are.
    """
    board, birds, mover, passed = read_position(text)
    state = state_of(board, birds, mover, passed=passed)
    return _ended(state, _united(state.position, 1 - mover))


def play(state: State, words: Words) -> Step[State]:
    """Carry out a whole sentence of the seat to move; raises ``InvalidAction`` or ``IllegalAction``."""
    seat = state.mover
    # The judge finds the broken rule; the generator alone would only know that the turn is not listed.
    turn = judge(state.position, parse(state.board, words))
    last = last_turn(state.board, seat, turn, words, state.position)
    after = _after(state, turn, last)
    facts = turn_facts(last, after)
    ending = _ending(state, after)
    over = () if ending is None else (end_fact(ending),)
    return Step(_ended(after, ending), tuple(Event(item, EVERYONE) for item in (*facts, *over)))


def _after(state: State, turn: Turn, last: LastTurn) -> State:
    position = state.position.after(turn)
    mover = 1 - state.mover
    own, other = position.own.birds, position.other.birds
    birds = (own, other) if mover == 0 else (other, own)
    return State(
        state.board,
        birds,
        mover,
        position.passed,
        state.ply + 1,
        (*state.history, number(birds, mover)),
        last,
        position=position,
    )


def last_turn(board: Board, seat: Seat, turn: Turn, words: Words, before: Position) -> LastTurn:
    """Return a turn as the view shows it; a region that is not named yet is left open."""
    unit, landing, word, keep, gone = turn
    if not unit:
        return LastTurn(seat, words, "add" if landing else "pass", landings=board.listed(landing))
    direction = word.rstrip("0123456789")
    steps = int(word[len(direction) :])
    own = before.own.birds & ~unit | landing
    return LastTurn(
        seat,
        words,
        "fly",
        board.listed(unit),
        board.listed(landing),
        _path(board, unit, direction, steps),
        direction,
        steps,
        board.listed(gone),
        board.listed(board.flood(keep, board.full & ~own)),
    )


def _path(board: Board, unit: int, direction: str, steps: int) -> tuple[str, ...]:
    seen = unit | board.shifted(unit, direction, steps)
    path: list[str] = []
    for step in range(1, steps):
        placing = board.shifted(unit, direction, step) & ~seen
        seen |= placing
        path += board.listed(placing)
    return tuple(path)


def _ending(before: State, after: State) -> Ending | None:
    # One flock comes first, then two passes, then repetition (rules page, End).
    ending = _united(after.position, before.mover)
    if ending is not None:
        return ending
    if before.passed and after.passed:
        return Ending("passes", None)
    if after.history.count(after.history[-1]) >= REPETITIONS:
        return Ending("repetition", None)
    return None


def _united(position: Position, moved: Seat) -> Ending | None:
    won = position.won()
    if won is None:
        return None
    return Ending("united", moved) if won else Ending("left_united", 1 - moved)


def _ended(state: State, ending: Ending | None) -> State:
    return state if ending is None else replace(state, ending=ending)


def close(state: State, ending: Ending) -> Step[State]:
    """End a match for a reason that is not on the board."""
    first = (fact("withdrew", seat=1 - ending.winner),) if ending.winner is not None else ()
    facts = (*first, end_fact(ending))
    return Step(_ended(state, ending), tuple(Event(item, EVERYONE) for item in facts))
