"""What speaks for an answer, in a sentence: what it comes to as far as the seat itself can tell."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import suppress

from engines.core.contract import Arg, Msg, Seat, SeatName, Words, msg
from engines.volt.activation import forecast
from engines.volt.answers import Answer
from engines.volt.answers import fold as fold_answer
from engines.volt.battle import LIMIT, Battle, Won
from engines.volt.notation import program_of
from engines.volt.outlook import ground, is_missing, settle
from engines.volt.program import fold
from engines.volt.view import ARROWS, Phase, RobotView, Space, View


def reason(view: View, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the viewer's seat."""
    seat = view.viewer
    assert seat is not None
    if view.phase is Phase.PROGRAM:
        return _program(view, seat, words)
    answer = fold_answer(view, words)
    if view.phase is Phase.REPAIR:
        return _repair(view.robots[seat], answer)
    return _answer(view, seat, answer)


# --- programs -------------------------------------------------------------------------------------


def _program(view: View, seat: Seat, words: Words) -> Msg:
    """Return what a program comes to if nobody else moves: that much the seat knows."""
    program = program_of(fold(view, words).words())
    battle = Battle.of(view, {seat: program})
    with suppress(Won):
        forecast(battle, seat, program)
        settle(battle, view.tokens, (seat,))
    return _program_reason(view, seat, battle)


def _program_reason(view: View, seat: Seat, battle: Battle) -> Msg:
    """Return what a program comes to: what matters most, and where the own robot ends."""
    space = battle.pos(seat)
    if battle.pieces[seat].score >= battle.target:
        return msg("reason.wins")
    on_token = any(fact.kind == "scored" and fact["why"] == "token" for fact in battle.facts)
    for verb, seats in _deeds(view, seat, battle):
        if seats:
            players = tuple(map(SeatName, sorted(seats)))
            how = ".lost" if space is None else ".token" if on_token else ""
            return msg(f"reason.{verb}{how}", players=players, space=space or "")
    if space is None:
        return msg("reason.lost")
    return msg("reason.token", space=space) if on_token else _place(view, seat, battle, space)


def _deeds(view: View, seat: Seat, battle: Battle) -> Iterator[tuple[str, Set[Seat]]]:
    """Yield what is done to which other robots, the weightiest first."""
    others = [(robot, battle.pieces[robot.seat]) for robot in view.robots if robot.seat != seat]
    destroyed = {old.seat for old, new in others if old.pos and not new.pos}
    yield "destroys", destroyed
    yield "hits", {old.seat for old, new in others if new.damage > old.damage} - destroyed
    yield "moves", {old.seat for old, new in others if new.pos != old.pos} - destroyed


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
    return msg("reason.near", space=space, n=nearest[0], token_space=nearest[1])


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


def _answer(view: View, seat: Seat, answer: Answer) -> Msg:
    """Return what speaks for a start space, a deck, or both."""
    nearest = _nearest(view, answer.space) if answer.space else None
    deck = _deck(view, seat, answer)
    if nearest is not None:
        gaps: dict[str, Arg] = {"space": answer.space, "n": nearest[0], "token_space": nearest[1]}
        if deck is None:
            return msg("reason.start_near", **gaps)
        return msg(f"reason.start_near.{deck}", deck=_named(answer.deck), **gaps)
    if deck == "pass":
        return msg("reason.pass")
    if deck is not None:
        return msg(f"reason.deck.{deck}", deck=_named(answer.deck))
    return msg("reason.start", space=answer.space)


def _named(deck: str) -> Arg:
    return msg(f"deck.{deck}") if deck else ""


def _deck(view: View, seat: Seat, answer: Answer) -> str | None:
    """Return what speaks for a deck, or for passing; ``None``: neither was asked."""
    if answer.other:
        return "pass"
    if answer.deck in ("", "yellow"):
        return answer.deck or None
    return "new" if is_missing(view, seat, answer.deck) else "more"
