"""The colours of Volo."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.theme import Colour, Themes


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one seat: its birds (left half, right half, marks), its clouds, its plaque."""

    dark: Colour
    light: Colour
    mark: Colour
    head: Colour
    cloud: Colour
    rim: Colour
    word: Colour
    word_on_ink: Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a picture. ``sides`` are seat 0 (Orange) and seat 1 (Blue)."""

    ground: Colour
    water: Colour
    coast: Colour
    row: Colour
    glint: Colour
    dot: Colour
    land: Colour
    ink: Colour
    slate: Colour
    mist: Colour
    paper: Colour
    gold: Colour
    white: Colour
    regions: tuple[Colour, ...]
    sides: tuple[Side, Side]


_REGIONS = ("#EDB93F", "#A887CF", "#7DBB8E", "#DB7F9B", "#B9A27C", "#6FB7C9")

_DAWN = Theme(
    ground="#BFD3D6",
    water="#E3ECE8",
    coast="#8FB0B5",
    row="#CDDCDA",
    glint="#FBFAF2",
    dot="#5C8B92",
    land="#4E6E6F",
    ink="#16343C",
    slate="#24484F",
    mist="#D5E3E3",
    paper="#FFFBF0",
    gold="#F4B93C",
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
            word="#1F468B",
            word_on_ink="#A9C8EC",
        ),
    ),
)

_CLEAR = Theme(
    ground="#C4D4D6",
    water="#EDF2EF",
    coast="#8AA9AE",
    row="#D3DFDD",
    glint="#FFFFFF",
    dot="#4C7B82",
    land="#45605F",
    ink="#10282F",
    slate="#1C3B42",
    mist="#DDE8E8",
    paper="#FFFDF6",
    gold="#FFD24A",
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
            word="#12295E",
            word_on_ink="#B9CCEE",
        ),
    ),
)

THEMES = Themes("volo", {"default": _DAWN, "clear": _CLEAR})
"""``clear`` tells the sides apart for the colour-blind: light flocks against dark ones."""
