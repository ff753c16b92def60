"""The figures on character cards: what each is made of, by the card's emblem.

The cards can be replaced. A figure for an emblem that is not in the file is put together from the same
wardrobe pseudo-randomly, the same for the same emblem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from renderers.corto.brush import SHADE, Brush
from renderers.corto.drawing import CLOTHS, SKINS, cloth, data, draw, drawings, inks
from renderers.corto.theme import Theme


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing of the wardrobe and its colours."""

    kind: str
    first: str | None = None
    second: str | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A tool and where it is; ``behind`` the figure, or in a ``hand`` (``low``: at the tool's lower end)."""

    kind: str
    x: float
    y: float
    scale: float
    turn: float
    flip: bool = False
    behind: bool = False
    hand: bool = False
    low: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """What a figure is made of; ``flip``: it looks to the right."""

    coat: Piece
    head: str = "man"
    mood: str = "calm"
    skin: str = "a"
    hat: Piece | None = None
    hair: Piece | None = None
    beard: Piece | None = None
    extras: tuple[Piece, ...] = ()
    tools: tuple[Held, ...] = ()
    flip: bool = False


def _held(kind: str, x: float, y: float, scale: float, turn: float, words: str = "") -> Held:
    flags = ("flip" in words, "back" in words, "hand" in words, "low" in words)
    return Held(kind, x, y, scale, turn, *flags)


@cache
def cast() -> Mapping[str, Figure]:
    """Return the figures in the package's file, by emblem."""
    found: dict[str, Figure] = {}
    for emblem, made in data("cast").items():
        given: dict[str, Any] = {key: made[key] for key in ("head", "mood", "skin", "flip") if key in made}
        given |= {key: Piece(*made[key]) for key in ("coat", "hat", "hair", "beard") if key in made}
        found[emblem] = Figure(
            **given,
            extras=tuple(Piece(*extra) for extra in made.get("extras", ())),
            tools=tuple(_held(*tool) for tool in made.get("tools", ())),
        )
    return found


@cache
def figure(emblem: str) -> Figure:
    """Return the figure for any emblem."""
    return cast().get(emblem) or _by_lot(emblem)


_HEADS = ("man", "stout", "old", "profile", "lady", "profile-lady")
_LADIES = frozenset({"lady", "profile-lady"})
_NOT_BY_LOT = frozenset({"beast", "flower"})
_HERS = frozenset({"veil", "kerchief", "diadem", "feathers", "gown", "shawl"})
"""Hats and coats of women alone."""
_MOUTH = frozenset({"pipe", "smoke"})
"""What a hand cannot hold away from the face."""
_BARE = ("short", "slick", "crop", "fringe", "wild")
_TRESSES = ("long", "bun", "braid", "curls", "bob")
_HAIRS = ("black", "brown", "umber", "grey", "white")


def _pseudo_random(emblem: str) -> Iterator[int]:
    # Equal in every process: the numbers depend on the emblem alone.
    number = 0
    while True:
        yield from hashlib.sha256(f"{emblem}/{number}".encode()).digest()
        number += 1


def _by_lot(emblem: str) -> Figure:
    lots = _pseudo_random(emblem)

    def one(choices: Sequence[str]) -> str:
        return choices[next(lots) % len(choices)]

    def worn(where: str, barred: frozenset[str]) -> Piece:
        return Piece(one(sorted(set(drawings(where)) - barred)), one(cloths), one(cloths))

    # The lots are drawn in this order for good: one more in between would dress everybody anew.
    cloths = sorted(CLOTHS)
    head = one(_HEADS)
    lady = head in _LADIES
    barred = _NOT_BY_LOT if lady else _NOT_BY_LOT | _HERS
    hatless = next(lots) % 4 == 0
    shade = one(_HAIRS)
    bearded = not lady and next(lots) % 4 > 0
    tool, flip = one(sorted(drawings("props"))), next(lots) % 2 == 0
    flip = flip or tool in _MOUTH
    return Figure(
        coat=worn("coats", barred),
        head=head,
        mood=one(("calm", "stern", "sly", "smile")),
        skin=one(sorted(SKINS)),
        hat=None if hatless else worn("hats", barred),
        hair=Piece(one(_TRESSES if lady else _BARE), shade) if hatless or lady else None,
        beard=Piece(one(sorted(drawings("beards"))), shade) if bearded else None,
        tools=(Held(tool, 18 if flip else 87, 88, 0.44, -6 if flip else 6, flip=not flip),),
        flip=flip,
    )


WIDTH = 104
"""Units across a bust."""

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
    hair = figure.hair
    # Long hair falls behind the neck and the coat.
    if hair is not None and f"{hair.kind}-behind" in drawings("hair"):
        with brush.at(*_HEAD):
            _put(brush, "hair", Piece(f"{hair.kind}-behind", hair.first), theme)
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
    """Draw an object in ±45 units round the origin; an unknown one is a sheet with a star."""
    known = drawings("emblems").get(kind) or drawings("props").get(kind) or drawings("signs")["plain"]
    draw(brush, known, inks(theme))
