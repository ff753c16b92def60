"""What speaks for an answer, in a sentence: what it comes to as far as the seat itself can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from engines.core.contract import Msg, Seat, Words, msg
from engines.volt.activation import forecast
from engines.volt.answers import Answer
from engines.volt.answers import fold as fold_answer
from engines.volt.battle import LIMIT, Battle, Won
from engines.volt.notation import program_of
from engines.volt.outlook import ground, is_missing, settle
from engines.volt.program import fold
from engines.volt.retelling import whom
from engines.volt.view import ARROWS, Phase, RobotView, Space, View

SAID = 2
"""Of all that speaks for a program, so many things are said: the weightiest ones."""


def reason(view: View, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the viewer's seat."""
    seat = view.viewer
    assert seat is not None
    if view.phase is Phase.PROGRAM:
        return _program(view, seat, words)
    answer = fold_answer(view, words)
    if view.phase is Phase.REPAIR:
        return _repair(view.robots[seat], answer)
    parts = [*_spaces(view, answer), *_deck(view, seat, answer)]
    return parts[0] if len(parts) == 1 else msg("reason.both", first=parts[0], second=parts[1])


# --- programs -------------------------------------------------------------------------------------


def _program(view: View, seat: Seat, words: Words) -> Msg:
    """Return what a program comes to if nobody else moves: that much the seat knows."""
    program = program_of(fold(view, words).words())
    battle = Battle.of(view, {seat: program})
    with suppress(Won):
        forecast(battle, seat, program)
        settle(battle, view.tokens, (seat,))
    said = list(islice(_deeds(view, seat, battle), SAID))
    what = said[0] if len(said) == 1 else msg("reason.and", first=said[0], second=said[1])
    return msg("reason.program", what=what)


def _deeds(view: View, seat: Seat, battle: Battle) -> Iterator[Msg]:
    """Yield what a program comes to, the weightiest first."""
    others = [(robot, battle.pieces[robot.seat]) for robot in view.robots if robot.seat != seat]
    destroyed = {old.seat for old, new in others if old.pos and not new.pos}
    hurt = {old.seat for old, new in others if new.damage > old.damage} - destroyed
    moved = {old.seat for old, new in others if new.pos != old.pos} - destroyed
    space = battle.pos(seat)
    if battle.pieces[seat].score >= battle.target:
        yield msg("reason.wins")
    yield from whom("destroys", destroyed)
    on_token = any(fact.kind == "scored" and fact["why"] == "token" for fact in battle.facts)
    if on_token:
        yield msg("reason.token", space=str(space))
    yield from whom("hits", hurt)
    yield from whom("moves", moved)
    if space is None:
        yield msg("reason.lost")
    elif not on_token:
        yield _place(view, seat, battle, space)


def _place(view: View, seat: Seat, battle: Battle, space: Space) -> Msg:
    """Return what speaks for where the own robot ends; if nothing does, only where that is."""
    before = view.robots[seat]
    if space in battle.arena.repair and (before.damage or any(view.decks)):
        return msg("reason.repairs" if before.damage else "reason.may_draw", space=space)
    if before.pos and _in_line(battle, seat, before.pos) and not _in_line(battle, seat, space):
        return msg("reason.out_of_line", space=space)
    nearest = _nearest(view, space)
    if nearest is None:
        return msg("reason.ends", space=space)
    return msg("reason.near", space=space, n=nearest[0], token=nearest[1])


def _in_line(battle: Battle, seat: Seat, space: Space) -> bool:
    """Return whether another robot has a line of fire on a space."""
    others = {piece.pos for number, piece in enumerate(battle.pieces) if number != seat}
    return any(target in others for arrow in ARROWS for target in battle.line(space, arrow))


def _nearest(view: View, space: Space) -> tuple[int, Space] | None:
    """Return the steps to the nearest token and its space; ``None`` where none can be walked to."""
    found = ground(view.arena)
    ways = [(found.steps[n][space], found.arena.tokens[n]) for n in view.tokens if space in found.steps[n]]
    return min(ways, default=None)


# --- short answers --------------------------------------------------------------------------------


def _repair(robot: RobotView, answer: Answer) -> Msg:
    left = LIMIT - robot.damage
    if not robot.damage:
        return msg("reason.draw_whole" if answer.deck else "reason.repair_whole")
    if answer.deck:
        return msg("reason.draw_hurt", n=left)
    return msg("reason.repair", n=left)


def _spaces(view: View, answer: Answer) -> Iterator[Msg]:
    """Yield what speaks for a start space, where one is said."""
    nearest = _nearest(view, answer.space) if answer.space else None
    if nearest is not None:
        yield msg("reason.start_near", space=answer.space, n=nearest[0], token=nearest[1])
    elif answer.space:
        yield msg("reason.start", space=answer.space)


def _deck(view: View, seat: Seat, answer: Answer) -> Iterator[Msg]:
    """Yield what speaks for a deck, or for passing, where one of them is said."""
    if answer.other:
        yield msg("reason.pass")
    elif answer.deck:
        has_place = is_missing(view, seat, answer.deck)
        key = "yellow" if answer.deck == "yellow" else "new" if has_place else "more"
        yield msg(f"reason.deck.{key}", deck=msg(f"deck.{answer.deck}"))
