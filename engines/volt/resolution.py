"""Phases 2 and 3: the reveal, the activation, what the spaces give. Source: *Round*."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Seat
from engines.volt import events
from engines.volt.activation import run
from engines.volt.arena import arena
from engines.volt.modules import deck_of, in_order
from engines.volt.notation import program_of, swapped_in
from engines.volt.preparation import ask, prepare
from engines.volt.step_builder import Work
from engines.volt.table import Table, Won
from engines.volt.view import Phase, ProgramView

LAST_ROUND = 60

REVEALED_ORDERS = ("reverse",)
"""Standing orders that turn up at the reveal."""


def reveal(work: Work) -> None:
    """Reveal all programs and activate the dice; then ask about repairs, or go on."""
    work.begin_recap()
    public = work.public
    tiles = _tiles(work)
    work.change(tiles=tiles)
    for seat in public.playing:
        program = replace(program_of(work.own[seat].answer), tile=tiles[seat])
        work.change_own(seat, program=program, answer=())
    for seat in work.public.in_tile_order:
        _swap(work, seat)
    programs = {seat: work.own[seat].program for seat in public.playing}
    table = Table.of_public(
        work.public, {seat: program for seat, program in programs.items() if program is not None}
    )
    for seat in work.public.in_tile_order:
        program = table.programs[seat]
        table.say(events.revealed(seat, tuple(die.text for die in program.dice), program.tile or 0))
        if any(die.colour == "blue" and len(die.arrow) > 1 for die in program.dice):
            table.turn_up(seat, "diagonal")  # its arrow shows it
        for name in REVEALED_ORDERS:
            table.uses(seat, name)
    try:
        shown = run(table)
    except Won as won:
        take_over(work, table)
        finish(work, "points", won.seat)
        return
    take_over(work, table)
    work.change(revealed=tuple(seen_program(table, seat, shown) for seat in public.seats))
    _ask_repairs(work)


def _tiles(work: Work) -> tuple[int | None, ...]:
    public = work.public
    if not public.draw_tiles:
        return public.taken
    dealt = work.rng.stream(public.step, "tiles").shuffled(range(1, len(public.playing) + 1))
    found = dict(zip(public.playing, dealt, strict=True))
    return tuple(found.get(seat) for seat in public.seats)


def _swap(work: Work, seat: Seat) -> None:
    own = work.own[seat]
    program = own.program
    if program is None or not program.swaps:
        return
    came, went = swapped_in(program.swaps)
    active = (frozenset(own.active) | came) - went
    work.change_own(seat, active=in_order(active), spare=in_order(own.names - active))
    face_up = work.public.face_up[seat]
    shown = tuple(name for name in face_up if name in went)
    kept = tuple(name for name in face_up if name not in went)
    # A newly active module lies face down (rules page, Round, phase 0).
    faces = (*work.public.face_up[:seat], kept, *work.public.face_up[seat + 1 :])
    work.change(face_up=faces)
    decks_in, decks_out = (tuple(map(deck_of, in_order(names))) for names in (came, went))
    work.say(events.swapped(seat, decks_in, decks_out, shown))


def take_over(work: Work, table: Table) -> None:
    """Take over what happened on the table since the last time."""
    public = work.public
    work.say_all(table.facts)
    table.facts.clear()
    work.change(
        robots=table.robots(),
        mines=table.mine_views(),
        mines_left=tuple(table.mines_left),
        face_up=tuple(in_order(names) for names in table.face_up),
        listed=tuple(
            in_order({*old, *names}) for old, names in zip(public.listed, table.face_up, strict=True)
        ),
    )


def seen_program(table: Table, seat: Seat, shown: dict[Seat, set[int]]) -> ProgramView | None:
    """Return what everybody has seen of a program: modules of the dice activated, orders used."""
    program = table.programs.get(seat)
    if program is None:
        return None
    dice = tuple(die if die.unit in shown[seat] else replace(die, modules=()) for die in program.dice)
    return ProgramView(dice, (), in_order(table.used[seat]), program.tile)


# --- phase 3 --------------------------------------------------------------------------------------


def _ask_repairs(work: Work) -> None:
    public = work.public
    spaces = arena(public.arena).repair
    # Where no module is left to draw there is nothing to ask: resolve() repairs them.
    may_draw = not public.training and any(work.decks.values())
    asked = tuple(robot.seat for robot in public.robots if robot.pos in spaces and may_draw)
    if asked:
        ask(work, Phase.REPAIR, asked)
    else:
        resolve(work)


def resolve(work: Work) -> None:
    """Give what the spaces give, in tile order; then the next round, or the end."""
    work.go_on_with_recap()
    programs = {seat: own.program for seat, own in enumerate(work.own) if own.program is not None}
    table = Table.of_public(work.public, programs)
    for seat, known in enumerate(work.public.revealed):
        table.used[seat] |= set(known.orders) if known is not None else set()
    try:
        for seat in work.public.in_tile_order:
            _give(work, table, seat)
            take_over(work, table)
    except Won as won:
        take_over(work, table)
        finish(work, "points", won.seat)
        return
    revealed = tuple(
        None if known is None else replace(known, orders=in_order(table.used[seat]))
        for seat, known in enumerate(work.public.revealed)
    )
    work.change(revealed=revealed)
    if work.public.round >= LAST_ROUND:
        finish(work, "rounds")
    else:
        prepare(work)


def _give(work: Work, table: Table, seat: Seat) -> None:
    place = arena(work.public.arena)
    space = table.pos(seat)
    token = next((n for n in work.public.tokens if place.tokens[n] == space), None)
    if space is not None and token is not None:
        work.change(tokens=tuple(n for n in work.public.tokens if n != token))
        table.say(events.token_taken(seat, token, space))
        table.score(seat, "token")
    elif space in place.repair:
        words = work.own[seat].answer
        if words[:1] == ("draw",):
            work.draw(seat, words[1])
        else:
            piece = table.pieces[seat]
            table.say(events.repaired(seat, piece.damage, 0))
            piece.damage = 0
    elif space in place.shock:
        table.hurt(seat, 1, None)


# --- the end --------------------------------------------------------------------------------------


def finish(work: Work, reason: str, winner: Seat | None = None) -> None:
    """End the match: the winner first, the others by points; who has left ranks last. All is revealed."""
    public = work.public
    everyone = public.playing
    if reason == "agreed":
        ranks: tuple[tuple[Seat, ...], ...] = (public.seats,)
    else:
        first = () if winner is None else ((winner,),)
        others = tuple(seat for seat in everyone if seat != winner)
        gone = tuple((seat,) for seat in reversed(public.left))
        ranks = (*first, *_by_points(work, others), *gone)
    for seat in public.seats:
        work.change_own(seat, answer=())
    for deck in work.decks.values():
        deck.sort()
    work.say(events.ended(ranks, reason))
    work.change(
        phase=Phase.OVER,
        asked=(),
        done=(),
        free=(),
        ranks=ranks,
        reason=reason,
        revealed=tuple(own.program for own in work.own),
    )


def _by_points(work: Work, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    scores = {seat: work.public.robots[seat].score for seat in seats}
    return tuple(
        tuple(seat for seat in seats if scores[seat] == score)
        for score in sorted(set(scores.values()), reverse=True)
    )
