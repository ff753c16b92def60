"""The plaques of both seats, and what is written above and below the lagoon."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.volo.view import VoloView
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.type import Face, Weight, fitted, sans, serif
from renderers.volo.alt_text import Run
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

_FIGURE = serif(56, Weight.BOLD)
_CAPTION = sans(29)
_NAME = serif(34, Weight.BOLD)
_STATUS = tuple(serif(size, Weight.SEMIBOLD_ITALIC) for size in (43, 37, 32))
_FLOCKS_X, _SUPPLY_X = 162.0, 272.0
_SHADOW = 8
_MARGIN = 24


@sprite
def _plaque(theme: Theme, *, lit: bool) -> Image.Image:
    pen = Pen(PLAQUE[0] + 2 * _SHADOW, PLAQUE[1] + 2 * _SHADOW)
    pen.box((1, 2 * _SHADOW), PLAQUE, 24, theme.shade + "66")
    at = (float(_SHADOW), float(_SHADOW))
    if lit:
        pen.box(at, PLAQUE, 24, theme.ink, theme.gold, 6)
    else:
        pen.box(at, PLAQUE, 24, theme.cream)
    return pen.finish()


def put_plaque(
    canvas: Canvas, theme: Theme, captions: Captions, view: VoloView, seat: int, *, lit: bool
) -> None:
    """Draw a seat's plaque: bird, flocks, supply, name; inverted while the seat is lit."""
    canvas.put(_plaque(theme, lit=lit), (PLAQUE_X[seat], PLAQUE_Y))
    left, top = PLAQUE_X[seat] - PLAQUE[0] / 2, PLAQUE_Y - PLAQUE[1] / 2
    side = theme.sides[seat]
    strong, quiet = (theme.white, theme.mist) if lit else (theme.ink, theme.slate)
    canvas.put(bird(theme, seat, REST[seat], 1.2, theme.white), (left + 62, top + 54))
    flocks = len(view.flocks[seat])
    for x, number, key in ((_FLOCKS_X, flocks, "flocks"), (_SUPPLY_X, view.supply[seat], "supply")):
        canvas.words(str(number), (left + x, top + 38), _FIGURE, strong, "mm")
        canvas.words(captions.text(key, n=number), (left + x, top + 82), _CAPTION, quiet, "mm")
    name = captions.painted_name(seat, _NAME, PLAQUE[0] - 40)
    canvas.words(name, (PLAQUE_X[seat], top + 124), _NAME, side.word_on_ink if lit else side.word, "mm")


def put_status(canvas: Canvas, theme: Theme, status: str) -> None:
    """Write on the sky whose turn it is or who has won."""
    face = next((face for face in _STATUS if _width(status, face) <= STATUS_WIDTH), _STATUS[-1])
    canvas.words(fitted(status, face, STATUS_WIDTH), (WIDTH / 2, STATUS_Y), face, theme.sepia, "mm")


def put_caption(canvas: Canvas, theme: Theme, runs: tuple[Run, ...]) -> None:
    """Write the line on the near bank: sides in their colours, words of the game bold, others in italics."""
    room = WIDTH - 2 * _MARGIN
    colours = {"word": theme.cream, "gold": theme.gold, "say": theme.mist}
    faces = next((faces for faces in _SETS if _advance(runs, faces) <= room), _SETS[-1])
    x = max(_MARGIN, (WIDTH - _advance(runs, faces)) / 2)
    for run in runs:
        left = WIDTH - _MARGIN - x
        # What has no room even in the smallest type is cut at the margin.
        if left <= 0:
            return
        face = faces[run.style]
        colour = colours.get(run.style, theme.sides[run.seat].word_on_ink)
        canvas.words(fitted(run.text, face, int(left)), (x, CAPTION_Y), face, colour, "ls")
        x += _width(run.text, face) + _GAP


_GAP = 13


_SETS = tuple(
    {
        "side": serif(36 - less, Weight.BOLD),
        "word": sans(38 - less, Weight.BOLD),
        "gold": sans(38 - less, Weight.BOLD),
        "say": serif(35 - less, Weight.SEMIBOLD_ITALIC),
    }
    for less in (0, 3, 6, 9)
)
"""The faces of a caption, smaller and smaller until it fits."""


@lru_cache(maxsize=512)
def _width(text: str, face: Face) -> float:
    return face.width(text)


def _advance(runs: tuple[Run, ...], faces: dict[str, Face]) -> float:
    return sum(_width(run.text, faces[run.style]) for run in runs) + _GAP * (len(runs) - 1)
