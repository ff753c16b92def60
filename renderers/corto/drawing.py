"""Drawings as data: brush strokes as text, read once from the package's files.

A drawing is a list of marks. A mark is a text, ``"<kind> <colour> <numbers>: <where>"``:

- ``shape``, ``wash``, ``fill``, ``ink``: an outline both, washed, filled flat, inked; its path.
- ``line``: an open line; a word names its taper (``end`` …) or ``closed``.
- ``dot``, ``ring``: filled, washed and inked; ``x,y r`` or ``x,y rx,ry``.

Numbers are a letter and a value: ``w`` width, ``d`` second coat, ``l`` dry edge, ``o`` how far the second
coat keeps from the light, ``k`` contrast of the line. A colour is a name or ``#rrggbb``, moved towards
others: ``gold~umbra:.3``. The caller supplies the colours of names with ``@``;
a mark whose colour is not supplied is not drawn.

A list inside a drawing is a group: its first text is ``at x y scale turn flip`` or ``clip: path``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

from renderers.core.theme import Colour, mix
from renderers.corto.brush import SHADE, SHINE, TAPERS, Brush
from renderers.corto.curves import knots, oval
from renderers.corto.theme import Strip, Theme

Drawing: TypeAlias = "tuple[Mark | Group, ...]"

_NUMBERS = {"w": "width", "d": "dark", "l": "lite", "o": "off", "k": "contrast"}


@dataclass(frozen=True, slots=True)
class Mark:
    """One brush stroke. ``centre``, ``radii``: of dots and rings; ``path``: of all others."""

    kind: str
    colour: str = "ink"
    path: str = ""
    centre: tuple[float, float] = (0.0, 0.0)
    radii: tuple[float, float] = (0.0, 0.0)
    width: float = 2.0
    dark: float = 0.22
    lite: float = 0.30
    off: float = 3.0
    contrast: float = 1.0
    taper: str = "both"
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Marks that are moved, scaled, turned and mirrored together, or cut off at ``clip``."""

    parts: Drawing
    place: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 0.0)
    """x, y, scale, turn."""
    flip: bool = False
    clip: str = ""


def parsed(items: Sequence[Any]) -> Drawing:
    """Return a drawing from its data; raises ``ValueError`` for anything else."""
    return tuple(_mark(item) if isinstance(item, str) else _group(item) for item in items)


def _group(items: Sequence[Any]) -> Group:
    head, _, path = str(items[0]).partition(":")
    words = head.split()
    parts = parsed(items[1:])
    if words[0] == "clip":
        return Group(parts, clip=path.strip())
    if words[0] != "at":
        raise ValueError(f"no group begins with {words[0]!r}")
    flip = words[-1] == "flip"
    numbers = [float(word) for word in words[1 : len(words) - flip]]
    x, y, scale, turn = (*numbers, *(1.0, 0.0)[len(numbers) - 2 :])
    return Group(parts, (x, y, scale, turn), flip)


def _mark(text: str) -> Mark:
    head, _, where = text.partition(": ")
    kind, *words = head.split()
    if kind not in _KINDS:
        raise ValueError(f"no mark is called {kind!r}")
    mark = replace(_KINDS[kind], **_options(words))
    if kind not in {"dot", "ring"}:
        if not knots(where):
            raise ValueError(f"{text!r} leads nowhere")
        return replace(mark, path=where)
    centre, radii = where.split()
    x, y = (float(part) for part in centre.split(","))
    rx, _, ry = radii.partition(",")
    return replace(mark, centre=(x, y), radii=(float(rx), float(ry or rx)))


def _options(words: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        if word in TAPERS:
            found["taper"] = word
        elif word == "closed":
            found["closed"] = True
        elif word[0] in _NUMBERS and word[1:2] in {*"0123456789-."}:
            found[_NUMBERS[word[0]]] = float(word[1:])
        else:
            found["colour"] = word
    return found


_KINDS = {
    "shape": Mark("shape"),
    "wash": Mark("wash"),
    "fill": Mark("fill"),
    "ink": Mark("ink"),
    "line": Mark("line", width=1.8),
    "dot": Mark("dot"),
    "ring": Mark("ring", colour="none", dark=0.0, lite=0.0),
}


@cache
def data(name: str) -> Mapping[str, Any]:
    """Return what one of the package's files holds."""
    found: dict[str, Any] = json.loads(
        (files("renderers.corto") / "data" / f"{name}.json").read_text("utf-8")
    )
    return found


@cache
def drawings(name: str) -> Mapping[str, Drawing]:
    """Return the drawings of one of the package's files by their names."""
    return {key: parsed(items) for key, items in data(name).items()}


class Inks:
    """Colours by the names that drawings use."""

    def __init__(self, names: Mapping[str, Colour]) -> None:
        self._names = dict(names)
        self._mixed: dict[str, Colour | None] = {}

    def given(self, **names: Colour | None) -> Inks:
        """Return these colours and the caller's own; ``first`` is ``@first``."""
        more = {f"@{name}": self.colour(colour) for name, colour in names.items() if colour is not None}
        return Inks({**self._names, **{name: colour for name, colour in more.items() if colour is not None}})

    def colour(self, text: str) -> Colour | None:
        """Return the colour that a text describes; ``None`` if one of its names is not given."""
        if text not in self._mixed:
            first, *others = text.split("~")
            found = self._atom(first)
            for other in others:
                name, _, share = other.partition(":")
                second = self._atom(name)
                found = None if found is None or second is None else mix(found, second, float(share))
            self._mixed[text] = found
        return self._mixed[text]

    def _atom(self, name: str) -> Colour | None:
        return name if name.startswith("#") else self._names.get(name)


def draw(brush: Brush, drawing: Drawing, inks: Inks) -> None:
    """Draw a drawing with the brush."""
    for part in drawing:
        if isinstance(part, Mark):
            _draw_mark(brush, part, inks.colour(part.colour))
        elif part.clip:
            with brush.clip(part.clip):
                draw(brush, part.parts, inks)
        else:
            with brush.at(*part.place, flip=part.flip):
                draw(brush, part.parts, inks)


def _draw_mark(brush: Brush, mark: Mark, colour: Colour | None) -> None:
    # A mark whose colour is not given is optional: a hat without a band, for example.
    if mark.kind == "ring":
        _draw_ring(brush, mark, colour)
    elif colour is None:
        return
    elif mark.kind == "ink":
        brush.outline(mark.path, mark.width, mark.contrast, colour)
    elif mark.kind == "line":
        brush.line(mark.path, mark.width, mark.taper, colour, closed=mark.closed)
    elif mark.kind == "dot":
        brush.dot(*mark.centre, *mark.radii, colour)
    elif mark.kind == "fill":
        brush.fill(mark.path, colour)
    else:
        brush.wash(mark.path, colour, mark.dark, mark.lite, mark.off)
        if mark.kind == "shape":
            brush.outline(mark.path, mark.width, mark.contrast)


def _draw_ring(brush: Brush, mark: Mark, colour: Colour | None) -> None:
    outline = oval(*mark.centre, *mark.radii)
    if colour is not None:
        brush.wash(outline, colour, mark.dark, mark.lite, mark.off)
    elif mark.colour != "none":
        return
    if mark.width:
        brush.outline(outline, mark.width)


# --- the names of colours -------------------------------------------------------------------------

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
