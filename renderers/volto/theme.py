"""The colours of VOLTO."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.theme import Colour, Themes


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one seat: its cloth, its metal, its blank face, its palace."""

    deep: Colour
    cloth: Colour
    lit: Colour
    metal: Colour
    dull: Colour
    shine: Colour
    face: Colour
    shade: Colour
    wall: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a picture. ``sides`` are seat 0 (Sun) and seat 1 (Moon).

    ``letters``: known masks carry their kind's letter on the owner's badge, and marks of what a mask
    may be are letters, not emblems.
    """

    panel: Colour
    ink: Colour
    water: Colour
    ripple: Colour
    lamp: Colour
    night: Colour
    stone: Colour
    tile: Colour
    tile_dark: Colour
    words: Colour
    quiet: Colour
    gold: Colour
    ivory: Colour
    coral: Colour
    emblem: Colour
    sides: tuple[Side, Side]
    letters: bool


_NIGHT = Theme(
    panel="#16202E",
    ink="#0B0F18",
    water="#0A1622",
    ripple="#1B3A52",
    lamp="#FFB662",
    night="#8FA6CE",
    stone="#E4DCCB",
    tile="#545868",
    tile_dark="#434653",
    words="#F3EBDA",
    quiet="#A9B0BC",
    gold="#FFD97A",
    ivory="#FFF6DE",
    coral="#FF8A66",
    emblem="#FFF3D0",
    sides=(
        Side(
            deep="#3E0D13",
            cloth="#8E2227",
            lit="#B8393A",
            metal="#E0AE52",
            dull="#8A5A22",
            shine="#FFEBB0",
            face="#FFF3DC",
            shade="#D8BE94",
            wall="#C98E72",
        ),
        Side(
            deep="#0B2433",
            cloth="#1C5570",
            lit="#2F7893",
            metal="#C3D3DA",
            dull="#5C7480",
            shine="#FFFFFF",
            face="#F4F8F8",
            shade="#AFC2C9",
            wall="#8FB1BF",
        ),
    ),
    letters=False,
)

_CLEAR = Theme(
    panel="#17202C",
    ink="#080B12",
    water="#0B111B",
    ripple="#223246",
    lamp="#F4E2C0",
    night="#A9B4C6",
    stone="#E2DDD2",
    tile="#515663",
    tile_dark="#474B57",
    words="#FFFFFF",
    quiet="#B5BBC5",
    gold="#FFE07A",
    ivory="#FFFFFF",
    coral="#FF9E7A",
    emblem="#FFFFFF",
    sides=(
        Side(
            deep="#3B1A03",
            cloth="#A8520F",
            lit="#E38A2B",
            metal="#F2C463",
            dull="#8F5F16",
            shine="#FFF0BE",
            face="#FFF6E2",
            shade="#DDC79B",
            wall="#D9A35F",
        ),
        Side(
            deep="#081B40",
            cloth="#1D4A94",
            lit="#4A84D6",
            metal="#CBD9F0",
            dull="#5A6F96",
            shine="#FFFFFF",
            face="#F4F7FC",
            shade="#AEBFDA",
            wall="#7FA3DA",
        ),
    ),
    letters=True,
)

THEMES = Themes("volto", {"default": _NIGHT, "clear": _CLEAR})
"""``clear`` tells the sides apart for the colour-blind: amber against cobalt,
letters on every known mask, heavier rims."""
