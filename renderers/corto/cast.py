"""Who is on the cards: for each emblem of a character what the figure is made of.

An owner of the box may replace the cards. A figure for an emblem that is not in the file is drawn by lot from
the same wardrobe: always the same for the same emblem.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from renderers.corto.drawing import drawings
from renderers.corto.tints import CLOTHS, SKINS


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing of the wardrobe in its cloths."""

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


def _piece(words: Sequence[str]) -> Piece:
    return Piece(*words)


def _held(items: Sequence[Any]) -> Held:
    kind, x, y, scale, turn, *options = items
    words = options[0].split() if options else []
    return Held(
        kind,
        x,
        y,
        scale,
        turn,
        flip="flip" in words,
        behind="back" in words,
        hand="hand" in words,
        low="low" in words,
    )


def _figure(data: Mapping[str, Any]) -> Figure:
    given: dict[str, Any] = {key: data[key] for key in ("head", "mood", "skin", "flip") if key in data}
    given |= {key: _piece(data[key]) for key in ("coat", "hat", "hair", "beard") if key in data}
    return Figure(
        **given,
        extras=tuple(_piece(extra) for extra in data.get("extras", ())),
        tools=tuple(_held(tool) for tool in data.get("tools", ())),
    )


@cache
def cast() -> Mapping[str, Figure]:
    """Return the figures of the cards that the package knows, by emblem."""
    text = (files("renderers.corto") / "data" / "cast.json").read_text("utf-8")
    return {emblem: _figure(data) for emblem, data in json.loads(text).items()}


@cache
def figure(emblem: str) -> Figure:
    """Return who is on the card with this emblem, whatever it is."""
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


def _lots(emblem: str) -> Iterator[int]:
    """Yield numbers that look thrown and hang on the emblem alone."""
    number = 0
    while True:
        yield from hashlib.sha256(f"{emblem}/{number}".encode()).digest()
        number += 1


def _by_lot(emblem: str) -> Figure:
    lots = _lots(emblem)

    def one(choices: Sequence[str]) -> str:
        return choices[next(lots) % len(choices)]

    def worn(where: str, barred: frozenset[str]) -> Piece:
        return Piece(one(sorted(set(drawings(where)) - barred)), one(cloths), one(cloths))

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
