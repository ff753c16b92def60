"""The set-up's legend in the middle of the mat: each kind, its name, how it moves, how many there are."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.sprite_builder import Studio
from renderers.core.theme import mix
from renderers.core.type import fitted, sans, serif
from renderers.volto.layout import BAND, CELL, FILES, LEFT, TOP, Layout
from renderers.volto.masks import KINDS, SOFTNESS, figure
from renderers.volto.theme import Theme

_TITLE = serif(42)
_NAME = serif(29)
_WORDS = sans(27)
_WIDTH, _HEIGHT = CELL * len(FILES) + BAND, 2 * CELL + 96
_PITCH = 136
_MIDDLE = TOP + 3.5 * CELL


@sprite
def _chest(theme: Theme, seat: int) -> Image.Image:
    """Return the open chest: dark wood, the owner's metal, velvet."""
    side = theme.sides[seat]
    studio = Studio(_WIDTH, _HEIGHT, scale=2)
    whole = studio.box((0, 0), (_WIDTH, _HEIGHT), 16)
    studio.lay(whole, mix(side.dull, side.metal, 0.6))
    velvet = studio.box((BAND, BAND), (_WIDTH - 2 * BAND, _HEIGHT - 2 * BAND), 8)
    studio.lay(velvet, mix(side.deep, theme.panel, 0.45))
    return studio.finish(SOFTNESS)


def put_legend(canvas: Canvas, layout: Layout, theme: Theme, voice: Voice, counts: tuple[int, ...]) -> None:
    """Lay the legend over the middle rows; ``counts``: how many of each kind, in the order of ``KINDS``."""
    top = _MIDDLE - _HEIGHT / 2
    canvas.put(_chest(theme, layout.near), (LEFT + CELL * len(FILES) / 2, _MIDDLE))
    canvas.words(voice.say("legend"), (LEFT + CELL * len(FILES) / 2, top + 42), _TITLE, theme.words, "mm")
    for i, (kind, count) in enumerate(zip(KINDS, counts, strict=True)):
        x = LEFT + CELL * len(FILES) / 2 + _PITCH * (i - 2)
        canvas.put(figure(theme, layout.near, kind, 0.86), (x, top + 132))
        lines = (
            (voice.say(f"kind.{kind}"), _NAME, theme.words),
            (voice.say("count", n=count), _NAME, theme.gold),
            (voice.say(f"way.{kind}"), _WORDS, theme.words),
            (voice.say(f"note.{kind}"), _WORDS, theme.quiet),
        )
        for line, (text, face, fill) in enumerate(lines):
            canvas.words(fitted(text, face, _PITCH), (x, top + 222 + line * 38), face, fill, "mm")
