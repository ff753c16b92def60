"""The picture of a match of Volo: lagoon, flocks, birds, the last turn, and what may be chosen."""

from __future__ import annotations

from PIL import Image

from engines.volo.view import LastTurn, VoloView
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.volo import alt_text, marks, regions
from renderers.volo.background import lagoon
from renderers.volo.birds import BODY, BODY_UP, NUMBER_DOWN, bird, number
from renderers.volo.clouds import CloudStyle, cell, cells, ordered
from renderers.volo.highlights import Highlights
from renderers.volo.layout import HEADINGS, HEIGHT, REST, WIDTH, Layout, layout
from renderers.volo.plaques import put_plaque, put_status
from renderers.volo.theme import Theme

_FRAME, _FRAME_RADIUS = 9, 26
_STEP = 2
"""How far apart birds in a row along their flight are, as :meth:`Layout.lead` measures."""


def board(view: VoloView, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the picture of ``view`` with the marks of a draft."""
    places = layout(view.board)
    canvas = Canvas(lagoon(theme, view.board, asking=bool(highlights.adds)))
    # From the water up: tints, clouds, arrows, birds, names, choices; each may cover those before.
    regions.put_tints(canvas, places, theme, view)
    last = None if highlights.asking or highlights.unit else view.last
    if last is not None:
        for name in last.gone:
            marks.put_gone(canvas, theme, places, 1 - last.seat, name)
    loose = _marked_birds(view, last, highlights)
    _put_flocks(canvas, places, theme, view, frozenset(loose))
    if highlights.unit:
        marks.put_capsule(canvas, theme, places, highlights.unit)
    if last is not None:
        _put_turn(canvas, places, theme, last, drafted=highlights.drafted)
    _put_birds(canvas, places, theme, view, loose)
    regions.put_names(canvas, places, theme, view)
    _put_choices(canvas, places, theme, highlights)
    # Whose turn it is, or who has won.
    lit = view.mover if view.ending is None else view.ending.winner
    for seat in (0, 1):
        put_plaque(canvas, theme, captions, view, seat, lit=seat == lit)
    put_status(canvas, theme, alt_text.status(captions, view))
    if view.viewer is not None:
        _put_frame(canvas, theme)
    return canvas.image


def _marked_birds(view: VoloView, last: LastTurn | None, highlights: Highlights) -> dict[str, int]:
    """Return the heading of every bird with a mark of its own: those that landed and those chosen."""
    seat = view.mover if last is None else last.seat
    loose = dict.fromkeys(highlights.unit, REST[seat])
    if last is not None:
        heading = HEADINGS[last.direction] if last.kind == "fly" else REST[seat]
        loose.update(dict.fromkeys(last.landings, heading))
    return loose


def _put_frame(canvas: Canvas, theme: Theme) -> None:
    # A gold edge tells private pictures from public ones.
    for at, size in (
        ((0, 0), (WIDTH, _FRAME)),
        ((0, HEIGHT - _FRAME), (WIDTH, _FRAME)),
        ((0, 0), (_FRAME, HEIGHT)),
        ((WIDTH - _FRAME, 0), (_FRAME, HEIGHT)),
    ):
        canvas.fill(at, size, theme.gold)
    half = (_FRAME + _FRAME_RADIUS) / 2
    right, low = WIDTH - half, HEIGHT - half
    for turn, middle in ((0, (half, half)), (90, (right, half)), (180, (right, low)), (270, (half, low))):
        canvas.put(marks.corner(theme, _FRAME, _FRAME_RADIUS, turn), middle)


# --- flocks and birds -----------------------------------------------------------------------------


def _put_flocks(canvas: Canvas, places: Layout, theme: Theme, view: VoloView, bare: frozenset[str]) -> None:
    # A shadow on tinted water would look like another tint.
    rings = regions.rims_of(theme, view)
    if view.ending is not None and view.ending.winner is not None:
        rings = dict.fromkeys(view.birds[view.ending.winner], theme.gold)
    beside = {name: (seat, ways) for seat in (0, 1) for name, ways in cells(places, view.birds[seat])}
    for name in ordered(places, beside):
        seat, ways = beside[name]
        style = CloudStyle(seat, rings.get(name), shadow=not view.regions, bird=name not in bare)
        canvas.put(cell(theme, places.key, style, ways), places.at(name))


def _put_birds(canvas: Canvas, places: Layout, theme: Theme, view: VoloView, loose: dict[str, int]) -> None:
    for seat in (0, 1):
        colour = mix(theme.sides[seat].word, theme.ink, 0.5)
        for name in view.birds[seat]:
            x, y = places.at(name)
            if name in loose:
                # On the same whole pixels as the birds that cells bring along.
                sign = bird(theme, seat, loose[name], places.zoom * BODY)
                canvas.put(sign, (x, y - round(BODY_UP * places.zoom)))
            canvas.put(number(name[1:], colour), (x, y + NUMBER_DOWN * places.zoom))


def _put_turn(canvas: Canvas, places: Layout, theme: Theme, last: LastTurn, *, drafted: bool) -> None:
    # Discs, ghosts and arrows lie below the birds.
    zoom = places.zoom
    rim = theme.ink if drafted else theme.sides[last.seat].dark
    for name in last.landings:
        canvas.put(marks.landed(theme.chosen if drafted else theme.white, rim, zoom), places.at(name))
        if last.kind == "add":
            canvas.put(marks.ripples(rim, zoom), places.at(name))
    colour = theme.gold if drafted else theme.white
    pairs = list(zip(last.origins, last.landings, strict=False))
    if last.kind == "fly" and len(pairs) > 1:
        # One arrow serves a whole row that flies in line.
        order = sorted(pairs, key=lambda pair: places.lead(last.direction, pair[0]))
        gap = places.lead(last.direction, order[1][0]) - places.lead(last.direction, order[0][0])
        pairs = order[:1] if gap == _STEP else pairs
    ways = [(places.at(start), places.at(end)) for start, end in pairs]
    near = last.steps == 1
    for way in ways if not near else ():
        marks.put_arrow(canvas, theme, way, colour, zoom, ("shaft",))
    for name in last.origins:
        if name not in last.landings:
            marks.put_ghost(canvas, theme, places, last, name)
    for way in ways:
        if near:
            marks.put_step(canvas, theme, way, colour, zoom)
        else:
            marks.put_arrow(canvas, theme, way, colour, zoom, ("head",))


# --- choices --------------------------------------------------------------------------------------


def _put_choices(canvas: Canvas, places: Layout, theme: Theme, highlights: Highlights) -> None:
    zoom = places.zoom
    for name in highlights.adds:
        canvas.put(marks.place(theme, name, zoom), places.at(name))
    for name in highlights.flyers:
        x, y = places.at(name)
        canvas.put(marks.tag(theme, name), (x, y + marks.TAG_DROP * zoom))
    for name in highlights.rows:
        x, y = places.at(name)
        canvas.put(marks.bead(theme, zoom), (x + marks.BEAD[0] * zoom, y + marks.BEAD[1] * zoom))
    for first, other, _ in highlights.others:
        marks.put_tie(canvas, theme, places.at(first), places.at(other))
    for _, name, word in highlights.others:
        canvas.put(marks.beside(theme, word[-1], zoom), places.at(name))
    for name, word in highlights.landings:
        direction = word.rstrip("0123456789")
        sign = marks.landing(theme, word[len(direction) :], HEADINGS[direction], zoom)
        canvas.put(sign, places.at(name))
