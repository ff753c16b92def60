"""The colours of Volo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from PIL import Image

from renderers.core.encode import shipped_palette
from renderers.core.theme import Colour, Themes


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one seat: its birds (left half, right half, marks), clouds, plaque."""

    dark: Colour
    light: Colour
    mark: Colour
    head: Colour
    cloud: Colour
    rim: Colour
    thread: Colour
    word: Colour
    word_on_ink: Colour


@dataclass(frozen=True, slots=True)
class Scenery:
    """The colours of what lies behind the game: sky, far shores, near bank, islet and poles.

    ``sky`` from the zenith to the sun; ``shores``: two mists, then two towns; ``bank``: near, middle, far;
    ``islet``: sand, green, walls in the sun and in shade, roofs, trees.
    """

    sky: tuple[Colour, ...]
    sun: Colour
    shores: tuple[Colour, ...]
    glitter: Colour
    bank: tuple[Colour, ...]
    islet: tuple[Colour, ...]
    pole: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a picture, and how strong its lines are.

    Themes compare by identity, so that lookups in caches are fast. ``sides``: seat 0 (Orange), seat 1 (Blue);
    ``water``: bands, far to near; ``shade``: what a shadow draws the water towards; ``name``: names of
    points on the water; ``rim``: width of a cloud's edge; ``thread``: width of a thread of wind.
    """

    scenery: Scenery
    water: tuple[Colour, ...]
    shade: Colour
    row: Colour
    glint: Colour
    name: Colour
    ink: Colour
    slate: Colour
    cream: Colour
    paper: Colour
    gold: Colour
    chosen: Colour
    white: Colour
    regions: tuple[Colour, ...]
    sides: tuple[Side, Side]
    rim: float
    thread: float


_REGIONS = ("#EDB93F", "#9B74CC", "#5FAE73", "#DB6F92", "#8E7A54", "#3E9FB8")

_SCENERY = Scenery(
    sky=("#DB967B", "#E4A786", "#ECB892", "#F2C8A0", "#F7D8AF", "#FAE5C2"),
    sun="#FFFBF0",
    shores=("#C3BFA9", "#9DAFA9", "#8FA3A0", "#A9B3A6"),
    glitter="#FFF8E6",
    bank=("#1D3D45", "#2C545B", "#3B6A6C"),
    islet=("#E2C79A", "#3F6F6C", "#DDA279", "#A86548", "#7E3F30", "#2A5157"),
    pole=("#8DAEB4", "#6E8B8F", "#45656C", "#FBF2E0"),
)

_DAWN = Theme(
    scenery=_SCENERY,
    water=(
        "#FAE8CB",
        "#F3E5CD",
        "#EBE3CF",
        "#E2E1D2",
        "#D8DED3",
        "#CEDAD4",
        "#C3D5D3",
        "#B8CFD1",
        "#ACC8CC",
        "#A0C0C6",
        "#94B7BE",
    ),
    shade="#3E6E78",
    row="#E9E6D8",
    glint="#F2EFE2",
    name="#2F5C64",
    ink="#16343C",
    slate="#24484F",
    cream="#FBF2E0",
    paper="#FFFBF0",
    gold="#F4B93C",
    chosen="#FFE7A6",
    white="#FFFFFF",
    regions=_REGIONS,
    sides=(
        Side(
            dark="#C94512",
            light="#E26A22",
            mark="#7E2608",
            head="#FBF2E0",
            cloud="#F8CFA8",
            rim="#BE5520",
            thread="#DB9264",
            word="#B23C0C",
            word_on_ink="#F7A868",
        ),
        Side(
            dark="#1F468B",
            light="#2F62B0",
            mark="#B5D2F0",
            head="#FFFFFF",
            cloud="#BFD6EF",
            rim="#345F9F",
            thread="#7A9AC7",
            word="#1F468B",
            word_on_ink="#A9C8EC",
        ),
    ),
    rim=3.0,
    thread=1.0,
)

_CLEAR = Theme(
    scenery=replace(
        _SCENERY,
        sky=("#E7C9A9", "#EBD2B2", "#F0DBBD", "#F4E4C9", "#F8ECD6", "#FBF2E2"),
        shores=("#BFC6BF", "#9DAEB0", "#84999E", "#9FB0B0"),
        bank=("#10282F", "#24454D", "#365C63"),
    ),
    water=(
        "#FBF1DE",
        "#F6EFE0",
        "#F0EDE2",
        "#EAEBE3",
        "#E4E8E3",
        "#DEE5E3",
        "#D8E2E1",
        "#D2DEDF",
        "#CBDADB",
        "#C5D5D8",
        "#BED0D4",
    ),
    shade="#2F5A66",
    row="#FFFFFF",
    glint="#FFFFFF",
    name="#24505A",
    ink="#10282F",
    slate="#1C3B42",
    cream="#FFF6E0",
    paper="#FFFDF6",
    gold="#FFD24A",
    chosen="#FFEFB8",
    white="#FFFFFF",
    regions=_REGIONS,
    sides=(
        Side(
            dark="#B26A00",
            light="#E09708",
            mark="#5A3300",
            head="#FFF6E0",
            cloud="#FCEBC2",
            rim="#7A4A00",
            thread="#875A13",
            word="#7A4A00",
            word_on_ink="#FCD98C",
        ),
        Side(
            dark="#12295E",
            light="#1E4386",
            mark="#D6E6FA",
            head="#FFFFFF",
            cloud="#8EA6CE",
            rim="#0F2757",
            thread="#1C3463",
            word="#12295E",
            word_on_ink="#B9CCEE",
        ),
    ),
    rim=4.5,
    thread=1.35,
)

THEMES = Themes("volo", {"default": _DAWN, "clear": _CLEAR})
"""``clear`` tells the sides apart for the colour-blind: light flocks against dark ones, stronger lines."""


@cache
def shipped(theme: Theme) -> Image.Image:
    """Return the palette of a theme; raises ``KeyError`` for a theme that none is shipped for."""
    return shipped_palette("renderers.volo", THEMES, theme)
