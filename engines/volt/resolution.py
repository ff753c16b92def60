"""Phases 2 and 3 of a round: the reveal, the activation, what the spaces give; and the end.

Source: the rules page, *Round*.
"""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Seat
from engines.core.kit import ranked
from engines.volt import events
from engines.volt.activation import run
from engines.volt.arena import arena
from engines.volt.battle import Battle, Won
from engines.volt.modules import deck_of, in_order
from engines.volt.notation import program_of, swapped_in
from engines.volt.preparation import ask, prepare
from engines.volt.step_builder import StepBuilder
from engines.volt.view import Phase, ProgramView

LAST_ROUND = 60
"""The round after which points decide (a ruling of the rules page)."""

REVEALED_ORDERS = ("reverse",)
"""Standing orders that turn up at the reveal."""


def reveal(builder: StepBuilder) -> None:
    """Reveal all programs and activate the dice; then ask about repairs, or go on."""
    builder.begin_recap()
    battle = _open_programs(builder)
    for seat in builder.public.in_tile_order:
        program = battle.programs[seat]
        battle.say(events.revealed(seat, tuple(die.text for die in program.dice), program.tile or 0))
        # A diagonal arrow shows Diagonal Drive; any other module stays secret until it is used.
        if any(die.colour == "blue" and len(die.arrow) > 1 for die in program.dice):
            battle.turn_up(seat, "diagonal")
        for name in REVEALED_ORDERS:
            battle.uses(seat, name)
    try:
        shown = run(battle)
    except Won as won:
        # The match ends in the middle of a step: nothing in progress is completed.
        take_over(builder, battle)
        finish(builder, "points", won.seat)
        return
    take_over(builder, battle)
    builder.change(revealed=tuple(seen_program(battle, seat, shown) for seat in builder.public.seats))
    _ask_repairs(builder)


def _open_programs(builder: StepBuilder) -> Battle:
    tiles = _tiles(builder)
    builder.change(tiles=tiles)
    programs: dict[Seat, ProgramView] = {}
    for seat in builder.public.playing:
        programs[seat] = replace(program_of(builder.own[seat].answer), tile=tiles[seat])
        builder.change_own(seat, program=programs[seat], answer=())
    # Swaps were part of the program, so that nobody waits for them; the backs change only now.
    for seat in builder.public.in_tile_order:
        _swap(builder, seat)
    return Battle.of(builder.public, programs)


def _tiles(builder: StepBuilder) -> tuple[int | None, ...]:
    public = builder.public
    if not public.draw_tiles:
        return public.taken
    dealt = builder.rng.stream(public.step, "tiles").shuffled(range(1, len(public.playing) + 1))
    found = dict(zip(public.playing, dealt, strict=True))
    return tuple(found.get(seat) for seat in public.seats)


def _swap(builder: StepBuilder, seat: Seat) -> None:
    own = builder.own[seat]
    program = own.program
    if program is None or not program.swaps:
        return
    came, went = swapped_in(program.swaps)
    active = (frozenset(own.active) | came) - went
    builder.change_own(seat, active=in_order(active), spare=in_order(own.names - active))
    face_up = builder.public.face_up[seat]
    shown = tuple(name for name in face_up if name in went)
    kept = tuple(name for name in face_up if name not in went)
    # A newly active module lies face down (rules page, Round, phase 0).
    faces = (*builder.public.face_up[:seat], kept, *builder.public.face_up[seat + 1 :])
    builder.change(face_up=faces)
    decks_in, decks_out = (tuple(map(deck_of, in_order(names))) for names in (came, went))
    builder.say(events.swapped(seat, decks_in, decks_out, shown))


def take_over(builder: StepBuilder, battle: Battle) -> None:
    """Take over what happened in the battle since the last time."""
    public = builder.public
    builder.say_all(battle.facts)
    battle.facts.clear()
    builder.change(
        robots=battle.robots(),
        mines=battle.mine_views(),
        mines_left=tuple(battle.mines_left),
        face_up=tuple(in_order(names) for names in battle.face_up),
        listed=tuple(
            in_order({*old, *names}) for old, names in zip(public.listed, battle.face_up, strict=True)
        ),
    )


def seen_program(battle: Battle, seat: Seat, shown: dict[Seat, set[int]]) -> ProgramView | None:
    """Return what everybody has seen of a program: modules of activated dice, and orders that were used.

    A void die's modules and an unused Shield stay secret (rules page, *What is secret*).
    """
    program = battle.programs.get(seat)
    if program is None:
        return None
    dice = tuple(die if die.unit in shown[seat] else replace(die, modules=()) for die in program.dice)
    return ProgramView(dice, (), in_order(battle.used[seat]), program.tile)


# --- phase 3 --------------------------------------------------------------------------------------


def _ask_repairs(builder: StepBuilder) -> None:
    public = builder.public
    spaces = arena(public.arena).repair
    # Where no module is left to draw there is nothing to ask: resolve() repairs them.
    may_draw = not public.training and any(builder.decks.values())
    asked = tuple(robot.seat for robot in public.robots if robot.pos in spaces and may_draw)
    if asked:
        ask(builder, Phase.REPAIR, asked)
    else:
        resolve(builder)


def resolve(builder: StepBuilder) -> None:
    """Give what the spaces give, in tile order; then the next round, or the end."""
    builder.go_on_with_recap()
    programs = {seat: own.program for seat, own in enumerate(builder.own) if own.program is not None}
    battle = Battle.of(builder.public, programs)
    for seat, known in enumerate(builder.public.revealed):
        battle.used[seat] |= set(known.orders) if known is not None else set()
    try:
        for seat in builder.public.in_tile_order:
            _give(builder, battle, seat)
            take_over(builder, battle)
    except Won as won:
        take_over(builder, battle)
        finish(builder, "points", won.seat)
        return
    revealed = tuple(
        None if known is None else replace(known, orders=in_order(battle.used[seat]))
        for seat, known in enumerate(builder.public.revealed)
    )
    builder.change(revealed=revealed)
    if builder.public.round >= LAST_ROUND:
        finish(builder, "rounds")
    else:
        prepare(builder)


def _give(builder: StepBuilder, battle: Battle, seat: Seat) -> None:
    place = arena(builder.public.arena)
    space = battle.pos(seat)
    token = next((n for n in builder.public.tokens if place.tokens[n] == space), None)
    if space is not None and token is not None:
        builder.change(tokens=tuple(n for n in builder.public.tokens if n != token))
        battle.say(events.token_taken(seat, token, space))
        battle.score(seat, "token")
    elif space in place.repair:
        words = builder.own[seat].answer
        if words[:1] == ("draw",):
            builder.draw(seat, words[1])
        else:
            piece = battle.pieces[seat]
            battle.say(events.repaired(seat, piece.damage, 0))
            piece.damage = 0
    elif space in place.shock:
        battle.hurt(seat, 1, None)


# --- the end --------------------------------------------------------------------------------------


def finish(builder: StepBuilder, reason: str, winner: Seat | None = None) -> None:
    """End the match: the winner first, the others by points; who has left ranks last. All is revealed."""
    public = builder.public
    if reason == "agreed":
        ranks: tuple[tuple[Seat, ...], ...] = (public.seats,)
    else:
        first = () if winner is None else ((winner,),)
        others = {seat: public.robots[seat].score for seat in public.playing if seat != winner}
        gone = tuple((seat,) for seat in reversed(public.left))
        ranks = (*first, *ranked(others), *gone)
    for seat in public.seats:
        builder.change_own(seat, answer=())
    # Everything is shown now. Sorted decks are the same for whoever imagines the end from a view.
    for deck in builder.decks.values():
        deck.sort()
    builder.say(events.ended(ranks, reason))
    builder.change(
        phase=Phase.OVER,
        asked=(),
        done=(),
        free=(),
        ranks=ranks,
        reason=reason,
        revealed=tuple(own.program for own in builder.own),
    )
