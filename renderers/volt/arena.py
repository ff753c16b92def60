"""What is in the arena: traces of the last round, tokens, mines, robots, a plan, choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from PIL import Image

from engines.core.contract import Seat
from engines.volt.view import UNITS, View
from renderers.core.canvas import Canvas
from renderers.core.geometry import between
from renderers.volt import marks, tiles
from renderers.volt.highlights import Highlights
from renderers.volt.layout import Grid
from renderers.volt.public_data import DELTA, Plan, along
from renderers.volt.robots import ghost, hull, robot
from renderers.volt.theme import Theme
from renderers.volt.traces import Loss, Shot, loss, shot, stride, traces, word

_HULL = 0.36
"""How far below a robot's middle its hull is counted, in spaces."""
LineSprite: TypeAlias = Callable[[str, int], Image.Image]
"""What paints a line of some steps along an arrow."""


def put_arena(
    canvas: Canvas, theme: Theme, plan: Plan, grid: Grid, view: View, highlights: Highlights
) -> None:
    """Draw all that ``view`` shows in the arena."""
    planned = view.forecast is not None
    if not planned:
        put_prints(canvas, theme, grid, view)
    put_tokens(canvas, theme, plan, grid, view)
    for mine in view.mines:
        canvas.put(tiles.mine(theme, view.robots[mine.seat].side, grid.cell), grid.centre(mine.space))
    for space in highlights.targets:
        canvas.put(marks.choice(theme, grid.cell, chosen=False), grid.centre(space))
    if highlights.chosen is not None:
        canvas.put(marks.choice(theme, grid.cell, chosen=True), grid.centre(highlights.chosen))
    if planned:
        put_ways(canvas, theme, grid, view)
    # Robots cover what lies flat; they must not hide what is drawn after them.
    put_robots(canvas, theme, grid, view)
    if planned:
        put_plan(canvas, theme, grid, view)
        put_ends(canvas, theme, grid, view)
    elif view.recap:
        put_hits(canvas, theme, grid, view)
    put_hulls(canvas, theme, grid, view)
    marked = {one.space for one in shown_losses(view)} | {*(ghosts(view) if planned else ())}
    put_hidden_tokens(canvas, theme, plan, grid, view, marked)


# --- robots and tokens ----------------------------------------------------------------------------


def put_tokens(canvas: Canvas, theme: Theme, plan: Plan, grid: Grid, view: View) -> None:
    """Draw the tokens, and the numbers of their empty spaces: a print or a shot would cross those out."""
    for space, value in plan.tokens:
        made = tiles.token if value in view.tokens else tiles.token_space
        canvas.put(made(theme, value, grid.cell), grid.centre(space))


def put_robots(
    canvas: Canvas, theme: Theme, grid: Grid, view: View, slide: tuple[int, str] | None = None
) -> None:
    """Draw the robots, from north to south; ``slide``: a seat that is half-way from a space to its own."""
    standing = [(state.pos[1], state) for state in view.robots if state.pos is not None]
    for _, state in sorted(standing, key=lambda item: item[0]):
        assert state.pos is not None
        at = grid.centre(state.pos)
        if slide is not None and slide[0] == state.seat:
            at = between(grid.centre(slide[1]), grid.centre(state.pos))
        canvas.put(robot(theme, state.side, state.damage, grid.cell), at)


def put_hulls(
    canvas: Canvas, theme: Theme, grid: Grid, view: View, slide: tuple[int, str] | None = None
) -> None:
    """Count damage at the foot of the damaged robots, over whatever would hide it."""
    for state in view.robots:
        if state.damage and state.pos is not None and (slide is None or slide[0] != state.seat):
            x, y = grid.centre(state.pos)
            canvas.put(hull(theme, state.damage, grid.cell), (x, y + grid.cell * _HULL))


def put_hidden_tokens(
    canvas: Canvas, theme: Theme, plan: Plan, grid: Grid, view: View, marked: Iterable[str] = ()
) -> None:
    """Show tokens beside the robots that stand on them, and beside the marks on the ``marked`` spaces."""
    held = {*(state.pos for state in view.robots), *marked}
    for value in view.tokens:
        space = plan.token_space(value)
        if space in held:
            x, y = grid.centre(space)
            small = tiles.token(theme, value, round(grid.cell * 0.84))
            canvas.put(small, (x + grid.cell * 0.3, y - grid.cell * 0.34))


# --- the last round -------------------------------------------------------------------------------


def put_line(canvas: Canvas, grid: Grid, sprite_of: LineSprite, origin: str, target: str) -> None:
    """Put a sprite that runs between two spaces; nothing if no arrow joins them."""
    arrow, steps = along(origin, target)
    if arrow:
        canvas.put(sprite_of(arrow, steps), between(grid.centre(origin), grid.centre(target)))


def put_beam(canvas: Canvas, theme: Theme, grid: Grid, side: str, beam: Shot, *, hot: bool) -> None:
    """Draw a beam; one that stops on its own space leaves it along its arrow."""
    _, steps = along(beam.origin, beam.target)
    made = marks.beam(theme, side, beam.arrow, steps, grid.cell, hit=beam.hit, hot=hot)
    canvas.put(made, between(grid.centre(beam.origin), grid.centre(beam.target)))


def put_prints(canvas: Canvas, theme: Theme, grid: Grid, view: View) -> None:
    """Draw the ways and shots of the last round."""
    found = traces(view.recap)
    begun: set[int] = set()
    for step in found.strides:
        side = view.robots[step.seat].side
        put_line(
            canvas, grid, partial(marks.footprint, theme, side, cell=grid.cell), step.origin, step.target
        )
    # After all prints, which would cover the rings.
    for step in found.strides:
        if step.seat not in begun:
            begun.add(step.seat)
            canvas.put(marks.origin(theme, view.robots[step.seat].side, grid.cell), grid.centre(step.origin))
    for beam in found.shots:
        put_beam(canvas, theme, grid, view.robots[beam.seat].side, beam, hot=False)
    for space in found.blasts:
        canvas.put(marks.blast(theme, grid.cell), grid.centre(space))


def put_hits(canvas: Canvas, theme: Theme, grid: Grid, view: View) -> None:
    """Draw where shots hit, and the mark of every lost robot."""
    for beam in traces(view.recap).shots:
        if beam.hit:
            x, y = grid.centre(beam.target)
            dx, dy = DELTA[beam.arrow]
            mark = marks.impact(theme, view.robots[beam.seat].side, round(grid.cell * 0.62))
            canvas.put(mark, (x - dx * grid.cell * 0.36, y - dy * grid.cell * 0.36))
    for one in shown_losses(view):
        put_loss(canvas, theme, grid, view, one)


def shown_losses(view: View) -> tuple[Loss, ...]:
    """Return the lost robots that are marked: over an edge, or where nobody stands now; of a plan, all."""
    if view.forecast is not None:
        return tuple(one for one in traces(view.forecast.facts).lost if not one.arrow)
    standing = {state.pos for state in view.robots}
    return tuple(one for one in traces(view.recap).lost if one.arrow or one.space not in standing)


def put_loss(canvas: Canvas, theme: Theme, grid: Grid, view: View, one: Loss) -> None:
    """Draw the mark of a lost robot: where it was destroyed, or at the edge that it crossed."""
    x, y = grid.centre(one.space)
    dx, dy = DELTA[one.arrow] if one.arrow else (0, 0)
    side = view.robots[one.seat].side
    canvas.put(tiles.lost(theme, side, grid.cell), (x + dx * grid.cell * 0.3, y + dy * grid.cell * 0.3))


# --- a plan ---------------------------------------------------------------------------------------


def put_ways(canvas: Canvas, theme: Theme, grid: Grid, view: View) -> None:
    """Draw the planned way of the viewer's robot and its planned shots."""
    assert view.forecast is not None
    found = traces(view.forecast.facts)
    for step in found.strides:
        side = view.robots[step.seat].side
        put_line(canvas, grid, partial(marks.ribbon, theme, side, cell=grid.cell), step.origin, step.target)
    for beam in found.shots:
        _, steps = along(beam.origin, beam.target)
        made = marks.aim(theme, beam.arrow, steps, grid.cell, hit=beam.hit)
        canvas.put(made, between(grid.centre(beam.origin), grid.centre(beam.target)))


def put_plan(canvas: Canvas, theme: Theme, grid: Grid, view: View) -> None:
    """Draw what the robot would hit and lose."""
    assert view.forecast is not None
    unit = ""
    for fact in view.forecast.facts:
        beam, gone = shot(fact), loss(fact)
        if fact.kind == "die":
            unit = word(fact, "unit")
        elif beam is not None:
            dx, dy = DELTA[beam.arrow]
            x, y = grid.centre(beam.origin)
            if beam.hit:
                canvas.put(marks.crosshair(theme, grid.cell), grid.centre(beam.target))
            sign, reach = marks.badge(theme, unit, "red", grid.cell), grid.cell * 0.62
            canvas.put(sign, (x + dx * reach, y + dy * reach))
        elif gone is not None:
            put_loss(canvas, theme, grid, view, gone)
        elif fact.kind in ("blast", "mine_hit"):
            canvas.put(marks.blast(theme, grid.cell), grid.centre(word(fact, "space")))


def planned_ends(view: View) -> tuple[dict[str, str], dict[str, Seat]]:
    """Return where the viewer's robot would stand after each blue unit, and who comes to each space first."""
    assert view.forecast is not None
    assert view.viewer is not None
    here, unit = view.robots[view.viewer].pos, ""
    ends: dict[str, str] = {}
    comers: dict[str, Seat] = {}
    for fact in view.forecast.facts:
        step = stride(fact)
        if fact.kind == "die":
            # Red dice do not move the robot: only blue ones end somewhere.
            unit = word(fact, "unit") if word(fact, "colour") == "blue" else ""
        elif step is not None:
            here = step.target if step.seat == view.viewer else here
            comers.setdefault(step.target, step.seat)
        if unit and here is not None:
            ends[unit] = here
            comers.setdefault(here, view.viewer)
    return ends, comers


def ghosts(view: View) -> dict[str, Seat]:
    """Return the spaces of the pale robots of a plan, and whose they are: from north to south."""
    assert view.forecast is not None
    ends, comers = planned_ends(view)
    hidden = {state.pos for state in view.robots}
    hidden |= {word(fact, "space") for fact in view.forecast.facts if fact.kind == "destroyed"}
    final = {*ends.values(), *(space for space, seat in comers.items() if seat != view.viewer)}
    # From north to south, then west to east: ghosts of neighbours overlap.
    return {space: comers[space] for space in sorted(final - hidden, key=lambda name: name[::-1])}


def put_ends(canvas: Canvas, theme: Theme, grid: Grid, view: View) -> None:
    """Draw where the robot would stand after each unit, and where others would be moved to."""
    for space, seat in ghosts(view).items():
        canvas.put(ghost(theme, view.robots[seat].side, grid.cell), grid.centre(space))
    ends, _ = planned_ends(view)
    for space in dict.fromkeys(ends.values()):
        x, y = grid.centre(space)
        for place, name in enumerate(name for name in UNITS if ends.get(name) == space):
            at = (x + grid.cell * (0.34 - 0.4 * place), y + grid.cell * 0.36)
            canvas.put(marks.badge(theme, name, "blue", grid.cell), at)
