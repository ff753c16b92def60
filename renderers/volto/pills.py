"""What a rival's mask may still be: a pill with large signs under the mask, readable on a phone.

One kind is a medal; two or three stand side by side; if only one of the five is ruled out, that one
is shown after a "not" sign; a question mark says that nothing is known yet.
"""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.volto.figures import emblem
from renderers.volto.masks import KINDS, SOFTNESS
from renderers.volto.theme import Theme

PILL_DROP = 41
"""How far below a square's middle a pill lies."""
_SIZE = (144, 64)
_HALF = 27.0
_PITCH = 43
_MANY = 3
"""So many kinds are no longer news: their pill is ivory, not gold."""
_LETTER = sans(43, Weight.BOLD)
_MARK = sans(35, Weight.BOLD)


@sprite
def candidates(theme: Theme, kinds: tuple[str, ...]) -> Image.Image:
    """Return the pill for a mask that may be any of ``kinds``; none: nothing is known."""
    builder = SpriteBuilder(*_SIZE, centred=True)
    few = [kind for kind in KINDS if kind in kinds]
    if not few:
        builder.lay(builder.discs([(0, 4)], 22), theme.ink)
        builder.lay(builder.discs([(0, 4)], 20), theme.panel)
        builder.lay(builder.word("?", (0, 4), _MARK), theme.words)
    elif len(few) == len(KINDS) - 1:
        # One kind is ruled out: it stands after a "not equal" sign.
        out = next(kind for kind in KINDS if kind not in few)
        _pill(builder, theme, _PITCH / 2 + _HALF, theme.coral)
        x = -_PITCH / 2
        strokes: list[list[Point]] = [[(x - 11, y), (x + 11, y)] for y in (-6.0, 6.0)]
        for stroke in (*strokes, [(x + 6, -15.0), (x - 6, 15.0)]):
            builder.lay(builder.line(stroke, 4.6), theme.coral)
        builder.lay(_sign(builder, theme, out, (_PITCH / 2, 0)), theme.words)
    else:
        half = _PITCH * (len(few) - 1) / 2
        fill = theme.gold if len(few) < _MANY else theme.ivory
        _pill(builder, theme, half + _HALF, fill)
        for i, kind in enumerate(few):
            builder.lay(_sign(builder, theme, kind, (_PITCH * i - half, 0)), fill)
    return builder.finish(SOFTNESS)


def _pill(builder: SpriteBuilder, theme: Theme, half: float, rim: Colour) -> None:
    for inset, fill in ((-2.0, theme.ink), (0.0, rim), (3.5, theme.panel)):
        corner = (-half + inset, -_HALF + inset)
        builder.lay(builder.box(corner, (2 * (half - inset), 2 * (_HALF - inset)), _HALF - inset), fill)


def _sign(builder: SpriteBuilder, theme: Theme, kind: str, at: Point) -> Stencil:
    return builder.word(kind, at, _LETTER) if theme.letters else emblem(builder, kind, at, 0.65)
