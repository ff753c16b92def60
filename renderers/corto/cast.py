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


_PLAIN_HATS = frozenset({"beast", "flower"})
_BARE = ("short", "slick", "crop", "fringe", "wild")
_TRESSES = ("long", "bun", "braid", "curls", "bob")


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

    cloths = sorted(CLOTHS)
    head = one(("man", "lady", "stout", "old"))
    lady = head == "lady"
    hats = sorted(set(drawings("hats")) - _PLAIN_HATS)
    bare = next(lots) % 4 == 0
    beards = ("", "") if lady else ("", *sorted(drawings("beards")))
    beard = one(beards)
    shade = one(("black", "brown", "umber", "grey", "white"))
    return Figure(
        coat=Piece(one(sorted(set(drawings("coats")) - {"gown"})), one(cloths), one(cloths)),
        head=head,
        mood=one(("calm", "stern", "sly", "smile")),
        skin=one(sorted(SKINS)),
        hat=None if bare else Piece(one(hats), one(cloths), one(cloths)),
        hair=Piece(one(_TRESSES if lady else _BARE), shade) if bare or lady else None,
        beard=Piece(beard, shade) if beard else None,
        tools=(Held(one(sorted(drawings("props"))), 18, 88, 0.44, -6),),
        flip=next(lots) % 2 == 0,
    )
