"""Volo: positions from openings to a lagoon nearly full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from PIL import Image

from engines.core.match import Match
from engines.volo.view import Ending, LastTurn, Region, VoloView, geometry
from renderers.core.contract import Table
from tests.renderers.looks.base import TABLE, Look, at_position, look, play, start

CUT = (
    "..b..o..b.oo.b.bo.o.....obo.o..o.bob.o.o..o.bbb..ooo.o.o.b.o..oo..o.b.b.oo.o..obb.b...obo.b.obbb.b.bb.b.ob"
    "..obb...ooob.. b"
)


def volo(board: str, *turns: str) -> Match:
    """Return a match after some turns."""
    return play(start("volo", board=board), *turns)


def volo_cut(*turns: str) -> Match:
    """Return a match where a flight of Blue can cut Orange into regions, after some turns."""
    return play(_at(CUT), *turns)


def _at(text: str) -> Match:
    return at_position("volo", text, board="standard")


def position(orange: str, blue: str, mover: str = "o", board: str = "standard") -> str:
    """Return the position text of birds on named points."""
    signs = {**dict.fromkeys(orange.split(), "o"), **dict.fromkeys(blue.split(), "b")}
    return "".join(signs.get(name, ".") for name in geometry(board).points) + f" {mover}"


SCATTERED = position(
    "a2 b1 c1 c2 d1 e2 f3 f2 h4 j4 k3 k4 l2 g8 i1 k1 e6 f6 g6 i6 j6",
    "m5 l7 l6 k6 k7 j5 j10 k9 i10 h10 h9 g11 f11 f12 e10 d10 e9 e8 f8 c7 a6 g2 i2 k2 e1",
)
TIGHT = position(
    "c3 c4 d4 e5 f6 g6 h6 i6 h8 i8 j8 e8 f9", "d5 d6 e6 f7 f8 g8 h7 i7 j6 k6 d3 c2 g9 g10 h9", "b"
)
OPEN = position("f4 g5 h5 c4 i9 d9 k4 e10 e3", "a2 m6 b3 c8")
MANY = (
    ("a2", "a2 a3 b1 b2 b3", "b2"),
    ("a5", "a5 a6 b6 b7 c7", "a5 b6"),
    ("d1", "d1 e1 f1 e2 f2", "e2"),
    ("d10", "d10 e10 e11 f11 f12", "e11 d10"),
    ("f5", "f5 f6 g5 g6 h6", "g6"),
    ("h1", "h1 i1 j1 h2 i2 j2", "h1 i2"),
    ("h11", "h11 h12 i11 i10 j10 j9", "h12"),
    ("k4", "k4 k5 l3 l4 m3", "l4"),
)


def many_regions() -> Look:
    """Return a look at eight regions to choose from: more than there are colours."""
    regions = tuple(Region(word, tuple(all_.split()), tuple(held.split())) for word, all_, held in MANY)
    birds = (tuple(name for region in regions for name in region.birds), ("g8", "g9", "h9"))
    last = LastTurn(1, ("f8", "NE1"), "fly", ("f8",), ("g9",), (), "NE", 1)
    base = volo("standard").view(1)
    flocks = (tuple((name,) for name in birds[0]), (birds[1],))
    shown = replace(base, birds=birds, flocks=flocks, mover=1, last=last, regions=regions)
    return Look("volo", shown, ("f8", "NE1"))


def crowd() -> Look:
    """Return a look at a board nearly full, as no file may outgrow its limit."""
    names = geometry("standard").points
    birds = (tuple(sorted(names[0::3])), tuple(sorted(names[1::3])))
    base = volo("standard").view(None)
    last = LastTurn(0, ("a4",), "add", (), (names[0],))
    flocks = tuple(tuple((name,) for name in held) for held in birds)
    return Look("volo", replace(base, birds=birds, flocks=(flocks[0], flocks[1]), last=last))


def won(board: str = "standard") -> Look:
    """Return a look at a match that Orange has won by a flight of one step."""
    view: VoloView = volo(board).view(None)
    held = (("c3", "d3", "d4", "e4", "f4", "f5"), ("c6", "d7", "h3", "i4"))
    last = LastTurn(0, ("e5", "NW1"), "fly", ("e5",), ("f5",), (), "NW", 1, ("h4",))
    flocks = ((held[0],), (("c6", "d7"), ("h3", "i4")))
    ended = Ending("united", 0)
    return Look("volo", replace(view, birds=held, flocks=flocks, last=last, ending=ended, supply=(37, 40)))


MORE: Mapping[str, Callable[[], Look]] = {
    "opening": lambda: look(volo("standard"), 0),
    "scattered": lambda: look(_at(SCATTERED), None),
    "scattered_asked": lambda: look(_at(SCATTERED), 0),
    "row_broadside": lambda: look(_at(SCATTERED), 0, "e6:g6"),
    "row_tied": lambda: look(_at(OPEN), 0, "d9:e10"),
    "row_in_line": lambda: look(_at(OPEN), 0, "e3:h5"),
    "row_flown": lambda: look(play(_at(OPEN), "d9:e10-W4"), None),
    "single": lambda: look(_at(SCATTERED), 0, "g8"),
    "tight": lambda: look(_at(TIGHT), None),
    "tight_asked": lambda: look(_at(TIGHT), 1),
    "flown": lambda: look(play(_at(SCATTERED), "e6:g6-NW3"), None),
    "drafted": lambda: look(_at(SCATTERED), 0, "e6:g6", "NW3"),
    "added": lambda: look(play(_at(SCATTERED), "d4"), None),
    "many_regions": many_regions,
    "crowd": crowd,
    "won": won,
    "won_small": lambda: won("small"),
}
"""Looks beyond the approved ones: the palettes are learnt from them."""


LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(volo_cut("h2:i2-NE3/a5"), None),
    "private": lambda: look(volo_cut(), 1),
    "chosen": lambda: look(volo_cut(), 1, "h2:i2"),
    "regions": lambda: look(volo_cut(), 1, "h2:i2", "NE3"),
    "small": lambda: look(volo("small", "c4", "d7"), 0),
}


@cache
def state(name: str) -> Look:
    """Return a look of this module; raises ``KeyError``."""
    return {**MORE, **LOOKS}[name]()


def painted(name: str, theme: str) -> Image.Image:
    """Return a look in full colour."""
    return state(name).image(Table(TABLE.names, theme=theme))
