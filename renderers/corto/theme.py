"""The colours of CORTO."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.corto.view import ADVENTURES, Adventure
from renderers.core.theme import Colour, Themes, mix

SHAPES = ("circle", "square", "triangle", "diamond")
"""What the markers of each seat are shaped like, whatever the theme."""


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one seat: its markers, and what is written on them."""

    colour: Colour
    words: Colour


@dataclass(frozen=True, slots=True)
class Strip:
    """The watercolours of one adventure.

    ``mid`` washes its cards, ``deep`` makes their backs and corners, ``line`` is the ink of its landscape.
    """

    sky: Colour
    far: Colour
    mid: Colour
    ground: Colour
    deep: Colour
    line: Colour

    @property
    def shadow(self) -> Colour:
        """Return what a card's shadow is washed with: never black, which belongs to the borders."""
        return mix(self.line, self.ground, 0.35)

    @property
    def lit(self) -> Strip:
        """Return the light washes behind who adds markers."""
        return replace(self, sky=self.sky, mid=self.far, deep=self.mid)

    @property
    def shaded(self) -> Strip:
        """Return the dark washes behind who hits."""
        return replace(self, sky=self.deep, mid=self.line, deep=self.line)

    @property
    def margin(self) -> Colour:
        """Return what column 0 is washed with, under title and deck."""
        return mix(self.mid, self.deep, 0.15)


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a picture. ``strips`` are in the order of the adventures, ``sides`` of the seats.

    ``card`` is the white of cards and boxes, ``box`` the ground of the narration, ``glow`` what is legal,
    chosen or just played, ``hit`` what is aimed at, ``arrow`` long range, ``hair`` the line inside black
    borders.
    """

    ink: Colour
    paper: Colour
    card: Colour
    box: Colour
    cream: Colour
    glow: Colour
    hit: Colour
    arrow: Colour
    gold: Colour
    wax: Colour
    soft: Colour
    hair: Colour
    sides: tuple[Side, Side, Side, Side]
    strips: tuple[Strip, ...]

    def strip(self, key: str) -> Strip:
        """Return the colours of an adventure; raises ``KeyError`` where there is none."""
        if key not in ADVENTURES:
            raise KeyError(key)
        return self.strips[tuple(ADVENTURES).index(key)]


_SHOW = {
    "#8fbdc9": Strip("#E3EEEA", "#B5D3D6", "#8FBDC9", "#6EA5B7", "#2F6A86", "#2D566B"),
    "#eaa184": Strip("#FBE3D0", "#F3BFA0", "#EAA184", "#E5B98E", "#C65F44", "#8A3F30"),
    "#aac68e": Strip("#EAF0DC", "#C5D7AD", "#AAC68E", "#85AA6C", "#4A7A45", "#375A36"),
    "#d6a05c": Strip("#F7E6C2", "#E8BF82", "#D6A05C", "#C98C45", "#94591F", "#6B421B"),
    "#bccad3": Strip("#E9EEF1", "#D3DCE1", "#BCCAD3", "#F3F5F4", "#5B7186", "#51626F"),
    "#ecc955": Strip("#FDF2C4", "#F5DE8C", "#ECC955", "#E6B93F", "#B8860F", "#7D5A10"),
}
"""Adventures by the colour that their data have."""

_APART = {
    "#8fbdc9": Strip("#DCECF2", "#9CC4D6", "#6EA5C4", "#4B86AD", "#1C4F78", "#173F5E"),
    "#aac68e": Strip("#E3F0E8", "#A9CFBF", "#7FB5A2", "#5B9686", "#1F6658", "#1C4D44"),
    "#d6a05c": Strip("#EFDCC6", "#CFA179", "#B07C50", "#96633B", "#6B3F1C", "#4F2E14"),
    "#bccad3": Strip("#F1F4F6", "#E0E7EB", "#D3DCE2", "#F8FAF9", "#6D7F8F", "#51626F"),
}
"""Those that are farther apart in lightness for the colour-blind: a deep blue, blue-green, brown, white."""


def made(colour: Colour) -> Strip:
    """Return watercolours for an adventure that is known by its colour only."""
    return Strip(
        sky=mix(colour, "#FFFDF6", 0.74),
        far=mix(colour, "#FFFDF6", 0.42),
        mid=colour,
        ground=mix(colour, "#3A2834", 0.13),
        deep=mix(colour, "#2A1C24", 0.48),
        line=mix(colour, "#241A20", 0.64),
    )


def _strips(known: dict[Colour, Strip]) -> tuple[Strip, ...]:
    def strip(adventure: Adventure) -> Strip:
        return known.get(adventure.colour) or made(adventure.colour)

    return tuple(strip(adventure) for adventure in ADVENTURES.values())


def _theme(sides: tuple[Side, Side, Side, Side], strips: tuple[Strip, ...]) -> Theme:
    return Theme(
        ink="#181411",
        paper="#FBF6E9",
        card="#FFFDF6",
        box="#FBE7AE",
        cream="#ECDFC2",
        glow="#FFE08A",
        hit="#D9512F",
        arrow="#FFD24A",
        gold="#D8AD45",
        wax="#7D3138",
        soft="#60564A",
        hair="#8A8177",
        sides=sides,
        strips=strips,
    )


_WHITE, _INK = "#FFFDF6", "#181411"

THEMES = Themes(
    "corto",
    {
        "default": _theme(
            (Side("#C8392B", _WHITE), Side("#22508F", _WHITE), Side("#F5B921", _INK), Side("#4FB59B", _INK)),
            _strips(_SHOW),
        ),
        "clear": _theme(
            (Side("#7E1528", _WHITE), Side("#2F72CC", _WHITE), Side("#FFD83D", _INK), Side("#A6EDD0", _INK)),
            _strips({**_SHOW, **_APART}),
        ),
    },
)
"""``clear`` tells the seats apart for the colour-blind by four steps of lightness: very dark, middle, light
green, yellow. Shapes and numbers tell the same without any colour."""
