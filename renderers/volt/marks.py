"""Sprites of what is marked in the arena: prints, beams, ribbons of a plan, badges, frames of choices."""

from __future__ import annotations

import math

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.geometry import Point, between, heading, moved, polar
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans, serif
from renderers.volt.public_data import DELTA
from renderers.volt.theme import Theme
from renderers.volt.tiles import SOFTNESS, brackets, tile_builder

_UNIT = serif(52, Weight.BLACK)
_MARGIN = 40
"""Units of room round the ends of a line."""


def _line_builder(arrow: str, steps: int, cell: int) -> tuple[SpriteBuilder, Point, Point]:
    """Return a sprite builder that holds a line of some steps, and both ends of the line."""
    dx, dy = DELTA[arrow]
    width = round((abs(dx) * steps * 100 + 2 * _MARGIN) * cell / 100)
    height = round((abs(dy) * steps * 100 + 2 * _MARGIN) * cell / 100)
    half = (dx * steps * 50, dy * steps * 50)
    builder = SpriteBuilder(width, height, zoom=cell / 100, scale=2, centred=True)
    return builder, (-half[0], -half[1]), half


def _points_along(start: Point, end: Point, pitch: float, aside: float = 0) -> list[Point]:
    """Return points along a line, ``pitch`` apart and ``aside`` units to its right."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    count = max(1, round(length / pitch))
    ways = [(number + 0.5) * length / count for number in range(count)]
    return [(start[0] + ux * way - uy * aside, start[1] + uy * way + ux * aside) for way in ways]


@sprite
def footprint(theme: Theme, side: str, arrow: str, steps: int, cell: int) -> Image.Image:
    """Return the print that a robot leaves: two rows of tread, a groove, footsteps, or a zigzag cut."""
    builder, start, end = _line_builder(arrow, steps, cell)
    colour, dark = theme.side(side).glow, mix(theme.side(side).dark, theme.ink, 0.5)
    if side == "E":
        builder.lay(builder.line([start, end], 15), dark)
        builder.lay(builder.line([start, end], 8), colour)
    elif side == "W":
        spots = _points_along(start, end, 17)
        aside = [_points_along(start, end, 17, sign * 9) for sign in (1, -1)]
        cut = [start, *(aside[n % 2][n] for n in range(len(spots))), end]
        builder.lay(builder.line(cut, 12), dark)
        builder.lay(builder.line(cut, 6), colour)
    elif side == "N":
        for sign in (-1, 1):
            ends = _points_along(start, end, 14, sign * 9), _points_along(start, end, 14, sign * 21)
            for pair in zip(*ends, strict=True):
                builder.lay(builder.line(pair, 9), dark)
            for pair in zip(*ends, strict=True):
                builder.lay(builder.line(pair, 5.5), colour)
    else:
        dots = [p for sign in (-1, 1) for p in _points_along(start, end, 26, sign * 15)]
        builder.lay(builder.discs(dots, 9), dark)
        builder.lay(builder.discs(dots, 6), colour)
    return builder.finish(SOFTNESS)


@sprite
def origin(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return the mark where a robot began the round: a bar at the middle of each edge of the space."""
    builder = tile_builder(cell)
    for width, colour in ((13.0, mix(theme.side(side).dark, theme.ink, 0.5)), (7.0, theme.side(side).glow)):
        for turn in (0, 90, 180, 270):
            builder.lay(builder.line(moved([(-17, -42), (17, -42)], 0, 0, 1, turn), width), colour)
    return builder.finish(SOFTNESS)


@sprite
def beam(theme: Theme, side: str, arrow: str, steps: int, cell: int, *, hit: bool, hot: bool) -> Image.Image:
    """Return a beam of a robot's laser: pale as an after-image, or ``hot`` in the moment of the shot.

    Each robot's beam has its own pattern, as its print has: two lines, one, dots, dashes.
    """
    builder, start, end = _line_builder(arrow, steps, cell)
    dx, dy = DELTA[arrow]
    start = (start[0] + dx * 30, start[1] + dy * 30)
    # A hit ends at the robot, a miss at the far edge of its last space.
    end = (end[0] - dx * 6, end[1] - dy * 6) if hit else (end[0] + dx * 38, end[1] + dy * 38)
    colours = theme.side(side)
    builder.lay(builder.soft(builder.line([start, end], 24 if hot else 18), 5), theme.ink, 0.55)
    builder.lay(
        builder.soft(builder.line([start, end], 20 if hot else 14), 4), colours.glow, 0.9 if hot else 0.6
    )
    for width, colour in (
        (11.0, colours.dark),
        (8.0, colours.glow),
        (3.0, mix(colours.glow, "#FFFFFF", 0.7)),
    ):
        builder.lay(_pattern(builder, side, start, end, width), colour)
    return builder.finish(SOFTNESS)


def _pattern(builder: SpriteBuilder, side: str, start: Point, end: Point, width: float) -> Stencil:
    """Return a beam as a robot's side has it, its parts ``width`` thick."""
    if side == "E":
        return builder.line([start, end], width)
    if side == "S":
        return builder.discs(_points_along(start, end, 17), width * 0.62)
    stencil = builder.empty()
    if side == "N":
        for aside in (-8, 8):
            points = _points_along(start, end, 10, aside)
            stencil.paste(255, mask=builder.line([points[0], points[-1]], width * 0.75))
        return stencil
    half = 9 / math.dist(start, end)
    for point in _points_along(start, end, 36):
        share = math.dist(start, point) / math.dist(start, end)
        dash = [between(start, end, share - half), between(start, end, share + half)]
        stencil.paste(255, mask=builder.line(dash, width))
    return stencil


@sprite
def aim(theme: Theme, arrow: str, steps: int, cell: int, *, hit: bool) -> Image.Image:
    """Return a planned shot: a broken red line with a white heart."""
    builder, start, end = _line_builder(arrow, steps, cell)
    dx, dy = DELTA[arrow]
    start = (start[0] + dx * 26, start[1] + dy * 26)
    if not hit:
        end = (end[0] + dx * 40, end[1] + dy * 40)
    length = math.dist(start, end)
    count = max(1, round(length / 30))
    for width, colour in ((15.0, theme.ink), (10.0, theme.red.base), (4.0, "#FFFFFF")):
        for number in range(count):
            first, last = (number + 0.12) / count, (number + 0.72) / count
            part = [between(start, end, first), between(start, end, last)]
            builder.lay(builder.line(part, width), colour)
    return builder.finish(SOFTNESS)


@sprite
def ribbon(theme: Theme, side: str, arrow: str, steps: int, cell: int) -> Image.Image:
    """Return a planned way: a white-edged ribbon in the robot's colour."""
    builder, start, end = _line_builder(arrow, steps, cell)
    for width, colour in ((26.0, theme.ink), (20.0, "#FFFFFF"), (11.0, theme.side(side).base)):
        builder.lay(builder.line([start, end], width), colour)
    dx, dy = DELTA[arrow]
    angle = heading(dx, dy)
    for number in range(steps):
        middle = between(start, end, (number + 0.5) / steps)
        head = [polar(angle + turn, radius) for turn, radius in ((0, 22.0), (125, 21.0), (235, 21.0))]
        shape = builder.polygon(moved(head, *middle))
        builder.lay(builder.grown(shape, 3), theme.ink)
        builder.lay(shape, "#FFFFFF")
    return builder.finish(SOFTNESS)


@sprite
def badge(theme: Theme, text: str, colour: str, cell: int) -> Image.Image:
    """Return a unit's badge: round ends for a blue die, cut corners for a red one."""
    builder, deck = tile_builder(cell), theme.deck(colour)
    half = {1: 25.0, 2: 30.0, 3: 36.0}[len(text)]
    for grow, paint in ((0.0, theme.ink), (-3.0, "#FFFFFF"), (-7.0, deck.base)):
        wide, high = half + grow, 26 + grow
        if colour == "blue":
            builder.lay(builder.box((-wide, -high), (2 * wide, 2 * high), high), paint)
        else:
            cut = high * 0.5
            corners = ((wide - cut, high), (wide, high - cut))
            outline = [
                (x * sx, y * sy) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)) for x, y in corners
            ]
            ordered = sorted(outline, key=lambda p: math.atan2(p[1], p[0]))
            builder.lay(builder.polygon(ordered), paint)
    builder.lay(builder.word(text, (0, 0), _UNIT), "#FFFFFF")
    return builder.finish(SOFTNESS)


@sprite
def crosshair(theme: Theme, cell: int) -> Image.Image:
    """Return the mark on whoever a planned shot meets."""
    size = round(cell * 1.2)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    ticks: list[list[Point]] = [[polar(a, 24), polar(a, 54)] for a in (0, 90, 180, 270)]
    for grow, colour in ((3.0, theme.ink), (0.0, theme.hot)):
        builder.lay(builder.ring((0, 0), 42 + grow, 8 + 2 * grow), colour)
        for tick in ticks:
            builder.lay(builder.line(tick, 7 + 2 * grow), colour)
    return builder.finish(SOFTNESS)


@sprite
def choice(theme: Theme, cell: int, *, chosen: bool) -> Image.Image:
    """Return the frame of a space that may be named now, or of the one that is."""
    builder = tile_builder(cell)
    colour: Colour = theme.gold_lit if chosen else "#FFFFFF"
    if chosen:
        whole = builder.box((-49, -49), (98, 98), 10)
        builder.lay(whole, theme.ink)
        builder.lay(builder.box((-46, -46), (92, 92), 8), colour)
        made = builder.finish(SOFTNESS)
        inside = tile_builder(cell)
        inside.lay(inside.box((-38, -38), (76, 76), 5), "#FFFFFF")
        made.paste((0, 0, 0, 0), mask=inside.finish().getchannel("A"))
        return made
    builder.lay(builder.soft(builder.discs([(0, 0)], 26), 9), theme.lamp, 0.3)
    for width, paint in ((15.0, theme.ink), (8.0, colour)):
        builder.lay(brackets(builder, 42, 20, width), paint)
    return builder.finish(SOFTNESS)


@sprite
def blast(theme: Theme, cell: int) -> Image.Image:
    """Return what a bomb, a wave or a core leaves: scorched rings."""
    builder = tile_builder(cell)
    for radius, width, colour in (
        (46, 12, theme.ink),
        (43, 6, theme.hot),
        (29, 10, theme.ink),
        (26, 5, theme.gold),
    ):
        builder.lay(builder.ring((0, 0), radius, width), colour)
    return builder.finish(SOFTNESS)


@sprite
def impact(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return where a shot of the last round hit: a pale ring of rays, unlike the sparks of damage."""
    builder, colours = tile_builder(cell), theme.side(side)
    rays: list[list[Point]] = [[polar(60 * k, 18), polar(60 * k, 30)] for k in range(6)]
    for width, colour in ((12.0, theme.ink), (6.0, "#FFFFFF")):
        for ray in rays:
            builder.lay(builder.line(ray, width), colour)
    builder.lay(builder.discs([(0, 0)], 12), theme.ink)
    builder.lay(builder.discs([(0, 0)], 9), colours.glow)
    return builder.finish(SOFTNESS)


@sprite
def explosion(theme: Theme, cell: int) -> Image.Image:
    """Return a robot's end, in the moment: flash, fire, smoke."""
    size = round(cell * 1.8)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    for angle, reach, radius in ((20, 40, 26), (95, 46, 24), (170, 42, 28), (245, 48, 24), (310, 42, 27)):
        builder.lay(builder.soft(builder.discs([polar(angle, reach)], radius), 5), theme.stripe_dark, 0.75)
    builder.lay(builder.soft(builder.discs([(0, 0)], 52), 8), theme.hot, 0.95)
    for tips, outer, inner, colour in (
        (11, 60, 30, theme.hot),
        (9, 46, 24, theme.gold),
        (9, 30, 16, "#FFFFFF"),
    ):
        builder.lay(
            builder.polygon([polar(180 / tips * k, outer if k % 2 else inner) for k in range(2 * tips)]),
            colour,
        )
    return builder.finish(SOFTNESS)


@sprite
def point(theme: Theme, cell: int) -> Image.Image:
    """Return the gold ``+1`` that rises over a robot that scores."""
    builder = tile_builder(cell)
    stencil = builder.word("+1", (0, 0), sans(62, Weight.BLACK))
    builder.lay(builder.grown(stencil, 6), theme.ink)
    builder.lay(stencil, (theme.gold_lit, theme.gold))
    return builder.finish(SOFTNESS)
