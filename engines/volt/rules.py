"""The course of a match: who is asked when, and what follows when the last answer is in."""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import Seat, Setup, Step, Words
from engines.core.rng import Rng
from engines.volt import events
from engines.volt.arena import SIDES, arenas
from engines.volt.modules import MINES, cards, deck_of
from engines.volt.preparation import FULL, TOKENS, ask, draw_first, draw_second, lay_token, prepare, reboot
from engines.volt.resolution import finish, resolve, reveal
from engines.volt.rulesets import RULESETS
from engines.volt.state import Own, State
from engines.volt.step_builder import StepBuilder
from engines.volt.view import DECKS, Phase, Public, RobotView

TARGET = 5
TRAINING_TARGET = 3

_SIDES = {2: ("N", "S"), 3: ("N", "E", "S"), 4: SIDES}


def empty(setup: Setup, arena: str, sides: tuple[str, ...], tiles: tuple[int, ...]) -> Public:
    """Return the public part of a match in which nobody has done anything."""
    seats = range(setup.seats)
    training = setup.option("training") == "on"
    nobody = tuple(None for _ in seats)
    return Public(
        ruleset=RULESETS[setup.ruleset],
        arena=arena,
        target=TRAINING_TARGET if training else TARGET,
        training=training,
        draw_tiles=setup.option("tiles") == "draw",
        step=0,
        round=0,
        phase=Phase.START,
        robots=tuple(RobotView(seat, sides[seat], None, None, 0, 0) for seat in seats),
        face_up=tuple(() for _ in seats),
        listed=tuple(() for _ in seats),
        mines_left=tuple(MINES for _ in seats),
        asked=tuple(seats),
        done=(),
        tiles=tiles,
        taken=nobody,
        free=(),
        tokens=(),
        supply=FULL,
        mines=(),
        revealed=nobody,
    )


def sides_of(seats: int, rng: Rng) -> tuple[str, ...]:
    """Return the sides in order of seats."""
    sides = _SIDES[seats]
    # With three one side stays empty, and who gets which is dealt (rules page, Arena).
    return rng.stream(0, "sides").shuffled(sides) if seats == len(_SIDES[3]) else sides


def arena_of(setup: Setup, rng: Rng) -> str:
    """Return the arena that the options name, or one drawn."""
    chosen = setup.option("arena")
    return rng.stream(0, "arena").choice(tuple(arenas())) if chosen == "random" else chosen


def begin(setup: Setup, rng: Rng) -> Step[State]:
    """Set the match up: tiles, tokens; then everyone is asked for the first time."""
    arena, sides = arena_of(setup, rng), sides_of(setup.seats, rng)
    tiles = rng.stream(0, "tiles").shuffled(range(1, setup.seats + 1))
    decks = tuple(rng.stream(0, "deck", deck).shuffled(cards(deck)) for deck in DECKS)
    public = empty(setup, arena, sides, tiles)
    if public.training:
        decks = ((), (), ())
    own = tuple(Own() for _ in range(setup.seats))
    builder = StepBuilder(State(public, own, (decks[0], decks[1], decks[2])), rng)
    builder.say(events.began(arena, sides, tiles))
    for number in range(TOKENS):
        lay_token(builder, number)
    if public.training and not public.ruleset.space_first:
        # There are no decks to name.
        prepare(builder)
    else:
        ask(builder, Phase.START, public.playing)
    return builder.step()


def answer(state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
    """Take a whole legal sentence in normal form; with the last one all are carried out."""
    builder = StepBuilder(state, rng)
    tile: int | None = None
    if state.public.phase is Phase.PROGRAM and not state.public.draw_tiles:
        tile = int(words[-1].removeprefix("tile:"))
        taken = (*state.public.taken[:seat], tile, *state.public.taken[seat + 1 :])
        builder.change(taken=taken, free=tuple(n for n in state.public.free if n != tile))
    builder.change(step=state.public.step + 1, done=tuple(sorted((*state.public.done, seat))))
    builder.change_own(seat, answer=words)
    builder.tell_done(seat, tile)
    _go_on(builder)
    return builder.step()


_CARRIED_OUT: dict[Phase, Callable[[StepBuilder], None]] = {
    Phase.START: draw_first,
    Phase.SECOND: draw_second,
    Phase.PROGRAM: reveal,
    Phase.REPAIR: resolve,
    Phase.REBOOT: reboot,
}


def _go_on(builder: StepBuilder) -> None:
    if set(builder.public.asked) <= set(builder.public.done):
        _CARRIED_OUT[builder.public.phase](builder)


def withdraw(state: State, seat: Seat, rng: Rng) -> Step[State]:
    """Take a seat out for good: robot, mines, tile and program leave, modules go under their decks.

    Of two, the other wins; with more the match goes on.
    """
    builder = StepBuilder(state, rng)
    public = state.public
    # Under their decks, unseen: who leaves tells nothing of its modules.
    for name in state.own[seat].active + state.own[seat].spare:
        builder.decks[deck_of(name)].append(name)
    builder.own[seat] = Own()
    builder.change_robot(seat, pos=None, lost=None, gone=True)
    builder.change(
        step=public.step + 1,
        left=(*public.left, seat),
        mines=tuple(mine for mine in public.mines if mine.seat != seat),
        mines_left=_without(public.mines_left, seat, 0),
        face_up=_without(public.face_up, seat, ()),
        listed=_without(public.listed, seat, ()),
        tiles=_without(public.tiles, seat, None),
        taken=_without(public.taken, seat, None),
        revealed=_without(public.revealed, seat, None),
        asked=tuple(other for other in public.asked if other != seat),
        done=tuple(other for other in public.done if other != seat),
    )
    builder.say(events.withdrawn(seat))
    playing = builder.public.playing
    if len(playing) == 1:
        finish(builder, "withdrawn", playing[0])
    else:
        # Perhaps the others waited for this seat alone.
        _go_on(builder)
    return builder.step()


def _without(values: tuple[object, ...], seat: Seat, empty: object) -> tuple[object, ...]:
    return (*values[:seat], empty, *values[seat + 1 :])


def agree(state: State, rng: Rng) -> Step[State]:
    """End the match as a draw that the players agreed."""
    builder = StepBuilder(state, rng)
    builder.change(step=state.public.step + 1)
    finish(builder, "agreed")
    return builder.step()
