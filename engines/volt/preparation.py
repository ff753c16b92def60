"""Set-up and phase 0: tokens, reboot, the modules drawn with it. Source: *Components*, *Round*."""

from __future__ import annotations

from engines.core.contract import Seat
from engines.volt import events
from engines.volt.arena import arena
from engines.volt.step_builder import StepBuilder
from engines.volt.view import Lost, Phase, Public, Space

TOKENS = 3
"""Victory-point tokens that lie on the board after set-up, and of each number."""
NUMBERS = (1, 2, 3, 4, 5, 6)
FULL = (3, 3, 3, 3, 3, 3)


def lay_token(builder: StepBuilder, label: int = 0) -> None:
    """Draw a token and place it: one whose number lies there goes back, and another is drawn.

    Where none of the supply fits, the collected ones are shuffled in.
    """
    public = builder.public
    if not _fitting(public.supply, public.tokens):
        full = tuple(3 - (number in public.tokens) for number in NUMBERS)
        builder.change(supply=full)
        builder.say(events.tokens_shuffled())
    fitting = _fitting(builder.public.supply, public.tokens)
    number = builder.rng.stream(public.step, "token", label).choice(fitting)
    supply = tuple(n - (place == number) for place, n in zip(NUMBERS, builder.public.supply, strict=True))
    builder.change(supply=supply, tokens=tuple(sorted((*public.tokens, number))))
    builder.say(events.token_laid(number, arena(public.arena).tokens[number]))


def _fitting(supply: tuple[int, ...], tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        number
        for number, count in zip(NUMBERS, supply, strict=True)
        for _ in range(count)
        if number not in tokens
    )


def prepare(builder: StepBuilder) -> None:
    """Begin a round: a token, damage given back, then the question of the reboot or the programming."""
    public = builder.public
    builder.end_recap()
    builder.change(round=public.round + 1, taken=tuple(None for _ in public.seats))
    if len(public.tokens) < TOKENS:
        lay_token(builder)
    # A robot lost to a pit or an edge keeps its damage (rules page, Round, phase 0).
    for seat in public.in_tile_order:
        if public.robots[seat].lost is Lost.DAMAGE:
            builder.change_robot(seat, damage=0)
            builder.say(events.mended(seat))
    off = tuple(seat for seat in public.playing if public.robots[seat].pos is None)
    # An only free start space is taken unasked.
    may_draw = public.owed if any(builder.decks.values()) and not public.training else ()
    asked = tuple(seat for seat in off if len(public.free_starts(seat)) > 1 or seat in may_draw)
    if asked:
        ask(builder, Phase.REBOOT, asked)
    else:
        reboot(builder)


def ask(builder: StepBuilder, phase: Phase, seats: tuple[Seat, ...]) -> None:
    """Ask several seats at once; what they said before is forgotten."""
    for seat in builder.public.seats:
        builder.change_own(seat, answer=())
    builder.change(phase=phase, asked=seats, done=())


def _given_space(public: Public, seat: Seat) -> Space:
    starts = public.free_starts(seat)
    if starts:  # then it is the only one, or the seat would have been asked
        return starts[0]
    # None free: of the own edge row the plain space nearest its middle (rules page, Round, phase 0).
    taken = {robot.pos for robot in public.robots} | {mine.space for mine in public.mines}
    return next(s for s in arena(public.arena).edge(public.robots[seat].side) if s not in taken)


def reboot(builder: StepBuilder) -> None:
    """Carry out all answers in tile order, then ask for programs."""
    for seat in builder.public.in_tile_order:
        if builder.public.robots[seat].pos is None:
            words = builder.own[seat].answer
            space = words[1] if words[:1] == ("start",) else _given_space(builder.public, seat)
            _stand(builder, seat, space)
            _draw_as_said(builder, seat)
    ask_programs(builder)


def _stand(builder: StepBuilder, seat: Seat, space: Space) -> None:
    builder.change_robot(seat, pos=space, lost=None)
    builder.say(events.placed(seat, space))


def _draw_as_said(builder: StepBuilder, seat: Seat, *, active: bool = False) -> None:
    words = builder.own[seat].answer
    if words[-2:-1] == ("draw",):
        builder.draw(seat, words[-1], active=active)


def ask_programs(builder: StepBuilder) -> None:
    """Put the number tiles back and ask everyone for a program."""
    playing = builder.public.playing
    ask(builder, Phase.PROGRAM, playing)
    free = () if builder.public.draw_tiles else tuple(range(1, len(playing) + 1))
    builder.change(free=free)
    builder.say(events.round_begins(builder.public.round))


def draw_first(builder: StepBuilder) -> None:
    """Carry out the first answers of the set-up in tile order, then ask for the second deck."""
    for seat in builder.public.in_tile_order:
        if builder.public.ruleset.space_first:
            _stand(builder, seat, builder.own[seat].answer[1])
        _draw_as_said(builder, seat, active=True)
    if builder.public.training:
        prepare(builder)
    else:
        ask(builder, Phase.SECOND, builder.public.playing)


def draw_second(builder: StepBuilder) -> None:
    """Carry out the second answers of the set-up in tile order, then begin the first round."""
    for seat in builder.public.in_tile_order:
        _draw_as_said(builder, seat, active=True)
    prepare(builder)
