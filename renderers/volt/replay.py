"""The action replay: the dice of a round one after the other, step by step, as a moving picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from PIL import Image

from engines.core.contract import Fact, Seat
from engines.volt.view import Lost, MineView, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.film import Frame
from renderers.core.theme import mix
from renderers.core.type import Weight, sans, wrapped
from renderers.volt import marks, signs, tiles
from renderers.volt.arena import put_beam, put_hidden_tokens, put_hulls, put_robots, put_tokens
from renderers.volt.background import empty_arena
from renderers.volt.layout import REPLAY
from renderers.volt.public_data import DELTA, along, plan, use_name
from renderers.volt.robots import emblem
from renderers.volt.theme import Theme
from renderers.volt.traces import Shot, number, shot, stride, word

_NAME = sans(29, Weight.BOLD)
_SCORE = sans(36, Weight.BLACK)
_PLATE = 56
_LINES = 4
"""Lines of modules that have room below the die."""
_PIECE = 46
"""How large the acting die and its arrow are."""
MOST = 110
"""Frames at most: beyond, the steps of a die are shown in one."""
_SLIDE, _STEP, _BEAM, _BURST, _DIE, _NOTE, _LAST = 90, 140, 520, 560, 420, 480, 2400
"""Milliseconds that frames stay: half a step, its end, a shot, a loss, a die, a point, the whole's end."""


class Flash(Enum):
    """What lights up for one frame."""

    BURST = "burst"
    EXPLOSION = "explosion"
    BLAST = "blast"


@dataclass(frozen=True, slots=True)
class Shown:
    """One frame: the view as far as it has come, whose die acts, what flashes where."""

    view: View
    ms: int
    die: Fact | None = None
    beam: Shot | None = None
    flashes: tuple[tuple[str, Flash], ...] = ()
    points: tuple[str, ...] = ()
    """Spaces where a gold ``+1`` rises."""
    slide: tuple[int, str] | None = None
    """A seat that is half-way from another space to its own."""


@dataclass(slots=True)
class _Reader:
    """Follows facts and remembers where everything stands."""

    view: View
    die: Fact | None = None
    found: list[Shown] = field(default_factory=list)

    def shows(self, ms: int, **more: object) -> None:
        self.found.append(replace(Shown(self.view, ms, self.die), **more))  # type: ignore[arg-type]

    def robot(self, seat: int, **changed: object) -> None:
        robots = list(self.view.robots)
        robots[seat] = replace(robots[seat], **changed)  # type: ignore[arg-type]
        self.view = replace(self.view, robots=tuple(robots))

    def read(self, fact: Fact) -> None:
        step, beam = stride(fact), shot(fact)
        if fact.kind == "die":
            self.die = fact
            self.shows(_DIE)
        elif step is not None:
            self.robot(step.seat, pos=step.target)
            # Half-way, then there: two frames are enough to be seen as a movement.
            self.shows(_SLIDE, slide=(step.seat, step.origin))
            self.shows(_STEP)
        elif beam is not None:
            flashes = ((beam.target, Flash.BURST),) if beam.hit else ()
            self.shows(_BEAM, beam=beam, flashes=flashes)
        elif fact.kind in ("repaired", "damaged", "destroyed", "scored"):
            self.read_robot(fact, number(fact, "seat"))
        else:
            self.read_board(fact)

    def read_robot(self, fact: Fact, seat: Seat) -> None:
        space = self.view.robots[seat].pos
        if fact.kind == "repaired":
            self.robot(seat, damage=number(fact, "total"))
            self.shows(_STEP)
        elif fact.kind == "damaged":
            self.robot(seat, damage=number(fact, "total"))
            # A shot's own frame shows its burst already.
            last = self.found[-1] if self.found else None
            if space is not None and (last is None or (space, Flash.BURST) not in last.flashes):
                self.shows(_STEP, flashes=((space, Flash.BURST),))
        elif fact.kind == "destroyed":
            self.robot(seat, pos=None, lost=Lost.DAMAGE if fact["cause"] == "damage" else Lost.FALL)
            self.shows(_BURST, flashes=((word(fact, "space"), Flash.EXPLOSION),))
        else:
            self.robot(seat, score=number(fact, "total"))
            self.shows(_NOTE, points=() if space is None else (space,))

    def read_board(self, fact: Fact) -> None:
        if fact.kind == "token_taken":
            # No frame of its own: the point that it brings is shown next.
            left = tuple(value for value in self.view.tokens if value != number(fact, "number"))
            self.view = replace(self.view, tokens=left)
        elif fact.kind == "blast":
            self.shows(_BURST, flashes=((word(fact, "space"), Flash.BLAST),))
        elif fact.kind == "mine_laid":
            laid = MineView(word(fact, "space"), number(fact, "seat"))
            self.view = replace(self.view, mines=(*self.view.mines, laid))
            self.shows(_STEP)
        elif fact.kind == "mine_hit":
            space = word(fact, "space")
            left_mines = tuple(mine for mine in self.view.mines if mine.space != space)
            self.view = replace(self.view, mines=left_mines)
            self.shows(_BURST, flashes=((space, Flash.BURST),))


_ENDS = ("placed", "mended", "token_laid", "round", "ended", "withdrawn")
"""What comes after a round's resolution: the replay is over."""


def shown(before: View, facts: Sequence[Fact]) -> tuple[Shown, ...]:
    """Return the frames of a replay; none where no die was activated.

    Where they are too many, steps that follow one another in a die are shown by the last of them.
    """
    reader = _Reader(replace(before, recap=(), forecast=None))
    for fact in facts:
        if fact.kind in _ENDS:
            break
        reader.read(fact)
    if reader.die is None:
        return ()
    begun = Shown(replace(before, recap=(), forecast=None), _NOTE)
    frames = (begun, *reader.found)
    if len(frames) > MOST:
        # Leave out frames with a caption only, and steps that another step of the same die follows.
        frames = tuple(
            one
            for one, following in zip(frames, (*frames[1:], None), strict=True)
            if one.ms not in (_SLIDE, _STEP, _DIE)
            or one.flashes
            or following is None
            or following.die is not one.die
        )
    return (*frames, Shown(reader.view, _LAST))


def frames(moments: Iterable[Shown], theme: Theme, captions: Captions) -> Iterator[Frame]:
    """Yield the frames of a replay, painted one after the other."""
    return (Frame(_painted(one, theme, captions), one.ms) for one in moments)


def _painted(one: Shown, theme: Theme, captions: Captions) -> Image.Image:
    view = one.view
    ground = plan(view.arena)
    canvas = empty_arena(theme, view, REPLAY)
    put_tokens(canvas, theme, ground, REPLAY, view)
    for mine in view.mines:
        side = view.robots[mine.seat].side
        canvas.put(tiles.mine(theme, side, REPLAY.cell), REPLAY.centre(mine.space))
    acting = None if one.die is None else view.robots[number(one.die, "seat")]
    # The frame would cover the start of a beam, and be ahead of a robot that slides.
    if acting is not None and acting.pos is not None and one.beam is None and one.slide is None:
        canvas.put(marks.choice(theme, REPLAY.cell, chosen=True), REPLAY.centre(acting.pos))
    if one.beam is not None:
        put_beam(canvas, theme, REPLAY, view.robots[one.beam.seat].side, one.beam, hot=True)
    put_robots(canvas, theme, REPLAY, view, one.slide)
    put_hulls(canvas, theme, REPLAY, view, one.slide)
    put_hidden_tokens(canvas, theme, ground, REPLAY, view)
    for space, flash in one.flashes:
        _put_flash(canvas, theme, space, flash, one.beam)
    for space in one.points:
        x, y = REPLAY.centre(space)
        canvas.put(marks.point(theme, REPLAY.cell), (x, y - REPLAY.cell * 0.6))
    _put_column(canvas, theme, captions, one)
    return canvas.image


def _put_flash(canvas: Canvas, theme: Theme, space: str, flash: Flash, beam: Shot | None) -> None:
    cell = REPLAY.cell
    x, y = REPLAY.centre(space)
    if flash is Flash.EXPLOSION:
        canvas.put(marks.explosion(theme, cell), (x, y))
    elif flash is Flash.BLAST:
        canvas.put(marks.blast(theme, cell * 2), (x, y))
    else:
        back = DELTA[beam.arrow] if beam is not None and along(beam.origin, beam.target)[1] else (0, 0)
        canvas.put(tiles.burst(theme, round(cell * 0.9)), (x - back[0] * 12, y - back[1] * 12))


def _put_column(canvas: Canvas, theme: Theme, captions: Captions, one: Shown) -> None:
    """Draw everybody's points, then the die that acts: whose it is, its unit, its arrow, its modules."""
    width, y = REPLAY.column - 8, 4
    seat = None if one.die is None else number(one.die, "seat")
    for state in one.view.robots:
        colours, middle = theme.side(state.side), y + _PLATE / 2
        if state.seat == seat:
            canvas.fill((2, y - 2), (width + 4, _PLATE + 4), "#FFFFFF")
        canvas.fill((4, y), (width, _PLATE), colours.field)
        canvas.put(emblem(theme, state.side, colours.light, 40), (32, middle))
        score = str(state.score)
        canvas.words(score, (66, middle + 12), _SCORE, "#FFFFFF", "ls")
        canvas.words(f"/{one.view.target}", (66 + _SCORE.width(score), middle + 12), _NAME, "#FFFFFF", "ls")
        y += _PLATE + 6
    if one.die is None:
        canvas.words(captions.text("replay.round", round=one.view.round), (8, y + 24), _NAME, theme.gold)
    else:
        _put_die(canvas, theme, captions, one.view, one.die, y + 6)


def _put_die(canvas: Canvas, theme: Theme, captions: Captions, view: View, die: Fact, top: float) -> None:
    seat, colour, width = number(die, "seat"), word(die, "colour"), REPLAY.column - 8
    fill = mix(theme.words, theme.side(view.robots[seat].side).light, 0.5)
    canvas.words(captions.painted_name(seat, _NAME, width), (6, top + 18), _NAME, fill)
    middle = top + 62
    canvas.put(marks.badge(theme, word(die, "unit"), colour, 60), (26, middle))
    canvas.put(signs.die(theme, colour, number(die, "number"), _PIECE), (73, middle))
    canvas.put(signs.key(theme, word(die, "arrow"), "idle", _PIECE), (115, middle))
    uses = die.get("uses") or ()
    assert isinstance(uses, tuple)
    lines = [line for use in uses for line in wrapped(use_name(captions, str(use)), _NAME, width)]
    for place, line in enumerate(lines[:_LINES]):
        canvas.words(line, (6, middle + 44 + 31 * place), _NAME, theme.words)
