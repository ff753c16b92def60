"""The course of a match: who is asked when, and what follows when the last answer is in."""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import Seat, Setup, Step, Words
from engines.core.rng import Rng
from engines.volt import events
from engines.volt.arena import SIDES, arenas
from engines.volt.modules import MINES, cards, deck_of
from engines.volt.preparation import FULL, TOKENS, ask, draw_second, lay_token, reboot, stand_up
from engines.volt.resolution import finish, resolve, reveal
from engines.volt.state import Own, Public, State
from engines.volt.step_builder import Work
from engines.volt.view import DECKS, Phase, RobotView

TARGET = 5
TRAINING_TARGET = 3
TRAINING_ARENA = "A"

_SIDES = {2: ("N", "S"), 3: ("N", "E", "S"), 4: SIDES}


def empty(setup: Setup, arena: str, sides: tuple[str, ...], tiles: tuple[int, ...]) -> Public:
    """Return the public part of a match in which nobody has done anything."""
    seats = range(setup.seats)
    training = setup.option("training") == "on"
    nobody = tuple(None for _ in seats)
    return Public(
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
    """Return the sides in order of seats; of three, who sits where is dealt."""
    sides = _SIDES[seats]
    return rng.stream(0, "sides").shuffled(sides) if seats == len(_SIDES[3]) else sides


def arena_of(setup: Setup, rng: Rng) -> str:
    """Return the arena that the options name, or one drawn."""
    if setup.option("training") == "on":
        return TRAINING_ARENA
    chosen = setup.option("arena")
    return rng.stream(0, "arena").choice(tuple(arenas())) if chosen == "random" else chosen


def begin(setup: Setup, rng: Rng) -> Step[State]:
    """Set the match up: tiles, tokens; then everyone names a start space and a first deck."""
    arena, sides = arena_of(setup, rng), sides_of(setup.seats, rng)
    tiles = rng.stream(0, "tiles").shuffled(range(1, setup.seats + 1))
    decks = tuple(rng.stream(0, "deck", deck).shuffled(cards(deck)) for deck in DECKS)
    public = empty(setup, arena, sides, tiles)
    if public.training:
        decks = ((), (), ())
    own = tuple(Own() for _ in range(setup.seats))
    work = Work(State(public, own, (decks[0], decks[1], decks[2])), rng)
    work.say(events.began(arena, sides, tiles))
    for number in range(TOKENS):
        lay_token(work, number)
    ask(work, Phase.START, public.playing)
    return work.step()


def answer(state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
    """Take a whole legal sentence in normal form; with the last one all are carried out."""
    work = Work(state, rng)
    tile: int | None = None
    if state.public.phase is Phase.PROGRAM and not state.public.draw_tiles:
        tile = int(words[-1].removeprefix("tile:"))
        taken = (*state.public.taken[:seat], tile, *state.public.taken[seat + 1 :])
        work.change(taken=taken, free=tuple(n for n in state.public.free if n != tile))
    work.change(step=state.public.step + 1, done=tuple(sorted((*state.public.done, seat))))
    work.change_own(seat, answer=words)
    work.tell_done(seat, tile)
    _go_on(work)
    return work.step()


_CARRIED_OUT: dict[Phase, Callable[[Work], None]] = {
    Phase.START: stand_up,
    Phase.SECOND: draw_second,
    Phase.PROGRAM: reveal,
    Phase.REPAIR: resolve,
    Phase.REBOOT: reboot,
}


def _go_on(work: Work) -> None:
    if set(work.public.asked) <= set(work.public.done):
        _CARRIED_OUT[work.public.phase](work)


def withdraw(state: State, seat: Seat, rng: Rng) -> Step[State]:
    """Take a seat out for good: robot, mines, tile and program leave, modules go under their decks.

    Of two, the other wins; with more the match goes on.
    """
    work = Work(state, rng)
    public = state.public
    for name in state.own[seat].active + state.own[seat].spare:
        work.decks[deck_of(name)].append(name)
    work.own[seat] = Own()
    work.change_robot(seat, pos=None, lost=None, gone=True)
    work.change(
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
    work.say(events.withdrawn(seat))
    playing = work.public.playing
    if len(playing) == 1:
        finish(work, "withdrawn", playing[0])
    else:
        _go_on(work)
    return work.step()


def _without(values: tuple[object, ...], seat: Seat, empty: object) -> tuple[object, ...]:
    return (*values[:seat], empty, *values[seat + 1 :])


def agree(state: State, rng: Rng) -> Step[State]:
    """End the match as a draw that the players agreed."""
    work = Work(state, rng)
    work.change(step=state.public.step + 1)
    finish(work, "agreed")
    return work.step()
