"""The plaques of both seats, and what is written above and below the lagoon."""

from __future__ import annotations

from PIL import Image

from engines.volo.view import VoloView
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.theme import Colour
from renderers.core.type import Face, Weight, fitted, sans, serif
from renderers.core.voice import Voice
from renderers.volo.birds import bird
from renderers.volo.layout import (
    CAPTION_Y,
    PLAQUE,
    PLAQUE_X,
    PLAQUE_Y,
    REST,
    STATUS_WIDTH,
    STATUS_Y,
    WIDTH,
)
from renderers.volo.theme import Theme

_FIGURE = serif(54, Weight.BOLD)
_CAPTION = sans(28)
_NAME = serif(34, Weight.BOLD)
_STATUS = (serif(42), serif(36), serif(31))
_REASON = (sans(29), sans(26))
_LINE = (sans(35, Weight.BOLD), sans(31, Weight.BOLD), sans(28, Weight.BOLD))
_FLOCKS_X, _SUPPLY_X = 158.0, 270.0


@sprite
def _plaque(theme: Theme, *, lit: bool) -> Image.Image:
    pen = Pen(*PLAQUE)
    if lit:
        pen.box((0, 0), PLAQUE, 24, theme.ink, theme.gold, 6)
    else:
        pen.box((0, 0), PLAQUE, 24, theme.paper, theme.coast, 2.5)
    return pen.finish()


def put_plaque(canvas: Canvas, theme: Theme, voice: Voice, view: VoloView, seat: int, *, lit: bool) -> None:
    """Lay the plaque of a seat: bird, flocks, supply, name; inverted while the seat is lit."""
    canvas.put(_plaque(theme, lit=lit), (PLAQUE_X[seat], PLAQUE_Y))
    left, top = PLAQUE_X[seat] - PLAQUE[0] / 2, PLAQUE_Y - PLAQUE[1] / 2
    side = theme.sides[seat]
    strong, quiet = (theme.white, theme.mist) if lit else (theme.ink, theme.slate)
    canvas.put(bird(theme, seat, REST[seat], 1.2, theme.white), (left + 62, top + 54))
    flocks = len(view.flocks[seat])
    for x, number, key in ((_FLOCKS_X, flocks, "flocks"), (_SUPPLY_X, view.supply[seat], "supply")):
        canvas.words(str(number), (left + x, top + 38), _FIGURE, strong, "mm")
        canvas.words(voice.say(key, n=number), (left + x, top + 82), _CAPTION, quiet, "mm")
    name = voice.painted(seat, _NAME, PLAQUE[0] - 40)
    canvas.words(name, (PLAQUE_X[seat], top + 124), _NAME, side.word_on_ink if lit else side.word, "mm")


def put_status(canvas: Canvas, theme: Theme, status: str, reason: str) -> None:
    """Write what stands between the plaques: whose turn it is or who has won, and why."""
    _shrunk(canvas, status, (WIDTH / 2, STATUS_Y), _STATUS, theme.ink, STATUS_WIDTH)
    if reason:
        _shrunk(canvas, reason, (WIDTH / 2, STATUS_Y + 46), _REASON, theme.slate, STATUS_WIDTH)


def put_caption(canvas: Canvas, theme: Theme, caption: str) -> None:
    """Write the line below the lagoon."""
    _shrunk(canvas, caption, (WIDTH / 2, CAPTION_Y), _LINE, theme.ink, WIDTH - 60)


def _shrunk(
    canvas: Canvas, text: str, at: tuple[float, float], faces: tuple[Face, ...], fill: Colour, width: int
) -> None:
    """Write a line in the largest face that it fits in; cut in the smallest if it fits in none."""
    face = next((face for face in faces if face.width(text) <= width), faces[-1])
    canvas.words(fitted(text, face, width), at, face, fill, "mm")
