"""Set-up and phase 0: tokens, reboot, the modules drawn with it. Source: *Components*, *Round*."""

from __future__ import annotations

from engines.core.contract import Seat
from engines.volt import events
from engines.volt.arena import arena
from engines.volt.state import Public
from engines.volt.step_builder import Work
from engines.volt.view import Lost, Phase, Space

TOKENS = 3
"""Victory-point tokens that lie on the board after set-up, and of each number."""
NUMBERS = (1, 2, 3, 4, 5, 6)
FULL = (3, 3, 3, 3, 3, 3)


def lay_token(work: Work, label: int = 0) -> None:
    """Draw a token and place it: one whose number lies there goes back, and another is drawn.

    Where none of the supply fits, the collected ones are shuffled in.
    """
    public = work.public
    if not _fitting(public.supply, public.tokens):
        full = tuple(3 - (number in public.tokens) for number in NUMBERS)
        work.change(supply=full)
        work.say(events.tokens_shuffled())
    fitting = _fitting(work.public.supply, public.tokens)
    number = work.rng.stream(public.step, "token", label).choice(fitting)
    supply = tuple(n - (place == number) for place, n in zip(NUMBERS, work.public.supply, strict=True))
    work.change(supply=supply, tokens=tuple(sorted((*public.tokens, number))))
    work.say(events.token_laid(number, arena(public.arena).tokens[number]))


def _fitting(supply: tuple[int, ...], tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        number
        for number, count in zip(NUMBERS, supply, strict=True)
        for _ in range(count)
        if number not in tokens
    )


def prepare(work: Work) -> None:
    """Begin a round: a token, damage given back, then the question of the reboot or the programming."""
    public = work.public
    work.end_recap()
    work.change(round=public.round + 1, taken=tuple(None for _ in public.seats))
    if len(public.tokens) < TOKENS:
        lay_token(work)
    for seat in public.in_tile_order:
        if public.robots[seat].lost is Lost.DAMAGE:
            work.change_robot(seat, damage=0)
            work.say(events.mended(seat))
    off = tuple(seat for seat in public.playing if public.robots[seat].pos is None)
    # An only free start space is taken unasked.
    may_draw = public.owed if any(work.decks.values()) and not public.training else ()
    asked = tuple(seat for seat in off if len(public.free_starts(seat)) > 1 or seat in may_draw)
    if asked:
        ask(work, Phase.REBOOT, asked)
    else:
        reboot(work)


def ask(work: Work, phase: Phase, seats: tuple[Seat, ...]) -> None:
    """Ask several seats at once; what they said before is forgotten."""
    for seat in work.public.seats:
        work.change_own(seat, answer=())
    work.change(phase=phase, asked=seats, done=())


def _given_space(public: Public, seat: Seat) -> Space:
    starts = public.free_starts(seat)
    if starts:
        return starts[0]
    # None free: of the own edge row the plain space nearest its middle (rules page, Round, phase 0).
    taken = {robot.pos for robot in public.robots} | {mine.space for mine in public.mines}
    return next(s for s in arena(public.arena).edge(public.robots[seat].side) if s not in taken)


def reboot(work: Work) -> None:
    """Carry out all answers in tile order, then ask for programs."""
    for seat in work.public.in_tile_order:
        if work.public.robots[seat].pos is None:
            words = work.own[seat].answer
            space = words[1] if words[:1] == ("start",) else _given_space(work.public, seat)
            _stand(work, seat, space)
            _draw_as_said(work, seat)
    ask_programs(work)


def _stand(work: Work, seat: Seat, space: Space) -> None:
    work.change_robot(seat, pos=space, lost=None)
    work.say(events.placed(seat, space))


def _draw_as_said(work: Work, seat: Seat, *, active: bool = False) -> None:
    words = work.own[seat].answer
    if words[-2:-1] == ("draw",):
        work.draw(seat, words[-1], active=active)


def ask_programs(work: Work) -> None:
    """Put the number tiles back and ask everyone for a program."""
    playing = work.public.playing
    ask(work, Phase.PROGRAM, playing)
    free = () if work.public.draw_tiles else tuple(range(1, len(playing) + 1))
    work.change(free=free)
    work.say(events.round_begins(work.public.round))


def stand_up(work: Work) -> None:
    """Carry out the first answers of the set-up in tile order, then ask for the second deck."""
    for seat in work.public.in_tile_order:
        _stand(work, seat, work.own[seat].answer[1])
        _draw_as_said(work, seat, active=True)
    if work.public.training:
        prepare(work)
    else:
        ask(work, Phase.SECOND, work.public.playing)


def draw_second(work: Work) -> None:
    """Carry out the second answers of the set-up in tile order, then begin the first round."""
    for seat in work.public.in_tile_order:
        _draw_as_said(work, seat, active=True)
    prepare(work)
