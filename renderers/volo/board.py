"""The picture of a match of Volo: lagoon, flocks, birds, the last turn, and what may be chosen."""

from __future__ import annotations

from PIL import Image

from engines.volo.view import LastTurn, VoloView
from renderers.core.canvas import Canvas
from renderers.core.voice import Voice
from renderers.volo import marks, speech
from renderers.volo.birds import bird, ghost
from renderers.volo.clouds import RIM, put_cloud
from renderers.volo.layout import HEADINGS, HEIGHT, REST, WIDTH, Layout, layout
from renderers.volo.marking import Marking
from renderers.volo.plaques import put_caption, put_plaque, put_status
from renderers.volo.scene import lagoon
from renderers.volo.theme import Theme

_FRAME = 9
_STEP = 2
"""How far apart birds in a row along their flight are, as :meth:`Layout.lead` measures."""
_WIN_RIM = 7.5
_TINT_GROW = 7.5


def board(view: VoloView, theme: Theme, voice: Voice, marking: Marking) -> Image.Image:
    """Return the picture of ``view`` with the marks of a draft."""
    places = layout(view.board)
    canvas = Canvas(lagoon(theme, view.board))
    _put_tints(canvas, places, theme, view)
    _put_flocks(canvas, places, theme, view)
    if marking.unit:
        marks.put_capsule(canvas, theme, places, marking.unit)
    shown = None if marking.asking or marking.unit else view.last
    _put_birds(canvas, places, theme, view, shown, drafted=marking.drafted)
    _put_regions(canvas, places, theme, view)
    _put_choices(canvas, places, theme, view, marking)
    _put_words(canvas, theme, voice, view)
    if view.viewer is not None:
        _put_frame(canvas, theme)
    return canvas.image


def _put_words(canvas: Canvas, theme: Theme, voice: Voice, view: VoloView) -> None:
    lit = view.mover if view.ending is None else view.ending.winner
    for seat in (0, 1):
        put_plaque(canvas, theme, voice, view, seat, lit=seat == lit)
    put_status(canvas, theme, speech.status(voice, view), speech.reason(voice, view))
    put_caption(canvas, theme, speech.caption(voice, view))


def _put_frame(canvas: Canvas, theme: Theme) -> None:
    """Draw the gold edge of a picture that only its viewer gets."""
    for corner, size in (
        ((0, 0), (WIDTH, _FRAME)),
        ((0, HEIGHT - _FRAME), (WIDTH, _FRAME)),
        ((0, 0), (_FRAME, HEIGHT)),
        ((WIDTH - _FRAME, 0), (_FRAME, HEIGHT)),
    ):
        canvas.fill(corner, size, theme.gold)


# --- flocks and birds -----------------------------------------------------------------------------


def _put_flocks(canvas: Canvas, places: Layout, theme: Theme, view: VoloView) -> None:
    """Lay all rims, then all fillings; a winner's flock comes last, with gold around it."""
    winner = None if view.ending is None else view.ending.winner
    seats = [seat for seat in (0, 1) if seat != winner]
    for grow in (RIM, 0):
        for seat in seats:
            _put_layer(canvas, places, theme, view, seat, grow)
    if winner is not None:
        put_cloud(canvas, places, view.birds[winner], theme.ink, _WIN_RIM + 2)
        put_cloud(canvas, places, view.birds[winner], theme.gold, _WIN_RIM)
        for grow in (RIM, 0):
            _put_layer(canvas, places, theme, view, winner, grow)


def _put_layer(canvas: Canvas, places: Layout, theme: Theme, view: VoloView, seat: int, grow: float) -> None:
    colour = theme.sides[seat].rim if grow else theme.sides[seat].cloud
    put_cloud(canvas, places, view.birds[seat], colour, grow)


def _put_birds(
    canvas: Canvas, places: Layout, theme: Theme, view: VoloView, last: LastTurn | None, *, drafted: bool
) -> None:
    headings: dict[str, int] = {}
    if last is not None:
        colour = theme.gold if drafted else theme.white
        _put_turn(canvas, places, theme, last, colour)
        if last.kind == "fly":
            headings = dict.fromkeys(last.landings, HEADINGS[last.direction])
    for seat in (0, 1):
        for name in view.birds[seat]:
            heading = headings.get(name, REST[seat])
            canvas.put(bird(theme, seat, heading, places.zoom), places.at(name))


def _put_turn(canvas: Canvas, places: Layout, theme: Theme, last: LastTurn, colour: str) -> None:
    """Draw what belongs under the birds of a turn: ghosts, the way, landing discs, who flew away."""
    zoom, rim = places.zoom, theme.sides[last.seat].rim
    for name in last.gone:
        canvas.put(marks.flown(theme, 1 - last.seat, zoom), places.at(name))
        canvas.put(ghost(theme, 1 - last.seat, REST[1 - last.seat], zoom * 0.8, theme.water), places.at(name))
    for name in last.origins:
        if name not in last.landings:
            canvas.put(ghost(theme, last.seat, HEADINGS[last.direction], zoom, theme.paper), places.at(name))
    for start, end in _ways(last, places):
        marks.put_arrow(canvas, theme, places.at(start), places.at(end), colour, zoom)
    for name in last.landings:
        canvas.put(marks.landed(colour, theme.ink if colour == theme.gold else rim, zoom), places.at(name))
        if last.kind == "add":
            canvas.put(marks.ripples(theme.ink if colour == theme.gold else rim, zoom), places.at(name))


def _ways(last: LastTurn, places: Layout) -> list[tuple[str, str]]:
    """Return where arrows begin and end: one a bird; in line the last bird's tells it for all."""
    pairs = list(zip(last.origins, last.landings, strict=False))
    if last.kind != "fly" or len(pairs) < 2:
        return pairs
    order = sorted(pairs, key=lambda pair: places.lead(last.direction, pair[0]))
    gap = places.lead(last.direction, order[1][0]) - places.lead(last.direction, order[0][0])
    return order[:1] if gap == _STEP else pairs


# --- choices --------------------------------------------------------------------------------------


def _put_tints(canvas: Canvas, places: Layout, theme: Theme, view: VoloView) -> None:
    held = frozenset(name for birds in view.birds for name in birds)
    for index, region in enumerate(view.regions):
        put_cloud(canvas, places, region.points, marks.tint(theme, index), _TINT_GROW)
    for region in view.regions:
        for name in region.points:
            if name not in held:
                canvas.put(marks.vacancy(theme, places.zoom, open_=True), places.at(name))


def _put_regions(canvas: Canvas, places: Layout, theme: Theme, view: VoloView) -> None:
    for index, region in enumerate(view.regions):
        x, y = places.at(region.word)
        if region.word in region.birds:
            colour = theme.regions[index % len(theme.regions)]
            sign = marks.tag(region.word, colour, theme.ink, theme.ink)
            canvas.put(sign, (x, y + marks.TAG_DROP * places.zoom))
        else:
            canvas.put(marks.region(theme, index, region.word, places.zoom), (x, y))


def _put_choices(canvas: Canvas, places: Layout, theme: Theme, view: VoloView, marking: Marking) -> None:
    zoom = places.zoom
    if marking.asking:
        open_ = frozenset(marking.adds)
        held = frozenset(name for birds in view.birds for name in birds)
        for name in places.points:
            if name not in open_ and name not in held:
                canvas.put(marks.vacancy(theme, zoom, open_=False), places.at(name))
    for name in marking.adds:
        canvas.put(marks.place(theme, name, zoom), places.at(name))
    for name in marking.flyers:
        x, y = places.at(name)
        canvas.put(marks.tag(name, theme.ink, theme.gold, theme.paper), (x, y + marks.TAG_DROP * zoom))
    for name in marking.rows:
        x, y = places.at(name)
        canvas.put(marks.bead(theme, zoom), (x, y + marks.TAG_DROP * zoom))
    for name, word in marking.landings:
        canvas.put(marks.landing(theme, word, zoom), places.at(name))
