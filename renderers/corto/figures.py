"""Figures to the waist, put together from the wardrobe's drawings.

A bust is 104 × 139 units. A head's own space has the face's middle at its origin; it is 62 high and looks
to the left.
"""

from __future__ import annotations

from renderers.corto.brush import SHADE, Brush
from renderers.corto.cast import Figure, Held, Piece
from renderers.corto.drawing import draw, drawings
from renderers.corto.theme import Theme
from renderers.corto.tints import cloth, inks

WIDTH, HEIGHT = 104, 139
"""Units of a bust."""

_HEAD = (54, 58, 1.02)
"""x, y and scale of the head."""
_OVER_BEARD = frozenset({"earring", "veilmouth", "scarf"})
_FACES = {"profile": "profile", "lady": "", "profile-lady": ""}
"""Whose moods a head shows; painted ladies keep their own countenance."""
_MASK = "beast"
"""A head-dress that hides the head."""


def bust(brush: Brush, figure: Figure, theme: Theme) -> None:
    """Draw a figure."""
    skin = f"skin-{figure.skin}"
    for tool in figure.tools:
        if tool.behind:
            _hold(brush, tool, skin, theme)
    with brush.at(*_HEAD):
        _put(brush, "hair", _behind(figure.hair), theme)
    draw(brush, drawings("heads")["neck"], cloth(theme, None, None, skin))
    coat = figure.coat
    draw(brush, drawings("coats")[coat.kind], cloth(theme, coat.first, coat.second, skin))
    with brush.at(*_HEAD):
        _head(brush, figure, skin, theme)
    for tool in figure.tools:
        if not tool.behind:
            _hold(brush, tool, skin, theme)


def _head(brush: Brush, figure: Figure, skin: str, theme: Theme) -> None:
    if figure.hat is not None and figure.hat.kind == _MASK:
        _put(brush, "hats", figure.hat, theme)
        return
    nape = theme.ink if figure.mood == "stern" else f"{skin}~{SHADE}:.5"
    face = inks(theme).given(skin=skin, nape=nape)
    heads = drawings("heads")
    draw(brush, heads[figure.head], face)
    grown = figure.hair or figure.beard
    draw(brush, heads.get(f"{figure.head}-side", ()), cloth(theme, grown.first if grown else "black"))
    draw(brush, heads.get(f"{_FACES.get(figure.head, 'mood')}-{figure.mood}", ()), face)
    for extra in figure.extras:
        if extra.kind not in _OVER_BEARD:
            _put(brush, "extras", extra, theme)
    _put(brush, "hair", figure.hair, theme)
    _put(brush, "beards", figure.beard, theme)
    for extra in figure.extras:
        if extra.kind in _OVER_BEARD:
            own = f"{extra.kind}-{figure.head}"
            known = own if own in drawings("extras") else extra.kind
            _put(brush, "extras", Piece(known, extra.first), theme)
    _put(brush, "hats", figure.hat, theme)


def _behind(hair: Piece | None) -> Piece | None:
    """Return the part of a head of hair that falls behind the neck."""
    if hair is None or f"{hair.kind}-behind" not in drawings("hair"):
        return None
    return Piece(f"{hair.kind}-behind", hair.first)


def _put(brush: Brush, where: str, piece: Piece | None, theme: Theme) -> None:
    if piece is not None:
        draw(brush, drawings(where)[piece.kind], cloth(theme, piece.first, piece.second))


def _hold(brush: Brush, tool: Held, skin: str, theme: Theme) -> None:
    with brush.at(tool.x, tool.y, tool.scale, tool.turn, flip=tool.flip):
        emblem(brush, tool.kind, theme)
    if tool.hand:
        with brush.at(tool.x, tool.y + (8 if tool.low else 0), 0.95):
            draw(brush, drawings("heads")["fist"], cloth(theme, None, None, skin))


def emblem(brush: Brush, kind: str, theme: Theme) -> None:
    """Draw a thing in ±45 units round the origin; one that is not known is a sheet with a star."""
    known = drawings("emblems").get(kind) or drawings("props").get(kind) or drawings("signs")["plain"]
    draw(brush, known, inks(theme))
