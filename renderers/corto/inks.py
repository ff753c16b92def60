"""The names that drawings give to colours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from renderers.core.theme import Colour
from renderers.corto.brush import SHADE, SHINE
from renderers.corto.drawing import Inks
from renderers.corto.theme import Strip, Theme

CLOTHS: Mapping[str, Colour] = {
    "navy": "#35506B",
    "blue": "#6D97AD",
    "white": "#F6F0E0",
    "sand": "#DCC08E",
    "brown": "#94663F",
    "umber": "#5C3F2C",
    "red": "#B4472F",
    "wine": "#7D3138",
    "olive": "#868A58",
    "green": "#56806A",
    "grey": "#98A0A2",
    "slate": "#56636F",
    "ochre": "#CF9C45",
    "rose": "#DD9F88",
    "plum": "#7D6784",
    "cream": "#ECDFC2",
    "black": "#3A3532",
    "ice": "#CFD9DC",
    "teal": "#5D9892",
}
"""Cloth and hair."""

SKINS: Mapping[str, Colour] = {"a": "#F1D0AC", "b": "#DFAE80", "c": "#B88057", "d": "#83593C"}


@lru_cache(maxsize=64)
def inks(theme: Theme) -> Inks:
    """Return the colours that every drawing may name."""
    names = {**CLOTHS, **{f"skin-{key}": colour for key, colour in SKINS.items()}}
    names |= {"umbra": SHADE, "gleam": SHINE, "ink": theme.ink, "card": theme.card, "gold": theme.gold}
    names |= {"arrow": theme.arrow, "wax": theme.wax, "hit": theme.hit, "glow": theme.glow}
    return Inks(names)


@lru_cache(maxsize=512)
def cloth(theme: Theme, first: str | None, second: str | None = None, skin: str | None = None) -> Inks:
    """Return the colours of a piece of a figure: two cloths and a skin, by their names."""
    return inks(theme).given(first=first, second=second, skin=skin)


@lru_cache(maxsize=64)
def scenery(theme: Theme, strip: Strip) -> Inks:
    """Return the colours of a landscape."""
    return inks(theme).given(
        sky=strip.sky, far=strip.far, mid=strip.mid, ground=strip.ground, deep=strip.deep, line=strip.line
    )
