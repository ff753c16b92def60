"""The colours of The Secret of the Doge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PIL import Image

from renderers.core.encode import shipped_palette
from renderers.core.theme import Colour, Themes


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one seat: the solid, its lit and its dark side, and the tint that it leaves on paper."""

    body: Colour
    light: Colour
    dark: Colour
    tint: Colour


@dataclass(frozen=True, slots=True)
class Tints:
    """The flat washes of the engraving, the same in every theme.

    ``brass``: the rim of the private board; ``dull``: what is in the shade on a steel hull.
    """

    paper: Colour
    paper_lit: Colour
    sign: Colour
    stone: Colour
    stone_dim: Colour
    quay: Colour
    pavement: Colour
    joint: Colour
    field: Colour
    water: Colour
    water_lit: Colour
    roof: Colour
    brick: Colour
    steel: Colour
    dull: Colour
    dome: Colour
    wood: Colour
    banner: Colour
    brass: Colour
    ink: Colour
    soft: Colour
    pale: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a picture. ``sides`` are in the order of the seats: blue, yellow, red, green.

    ``tints``: what is engraved; ``cream``: borders of cards and labels; ``gilt``: what is legal, chosen or
    to act, lit, pale, as a ground, and its edge; ``rubric``: the second ink, for what is certain or struck
    out; ``first``, ``pencil``: of the sheet; ``damask``: the ground of hands, lit, and its fillet;
    ``laid``: the paper of clues, its lines and chains; ``night``, ``mist``: the ghost's.
    """

    tints: Tints
    ink: Colour
    soft: Colour
    pale: Colour
    cream: Colour
    sign: Colour
    gilt: Colour
    gilt_lit: Colour
    gilt_pale: Colour
    gilt_disc: Colour
    gilt_edge: Colour
    rubric: Colour
    first: Colour
    pencil: Colour
    damask: Colour
    damask_lit: Colour
    fillet: Colour
    laid: Colour
    laid_line: Colour
    laid_chain: Colour
    night: Colour
    mist: Colour
    sides: tuple[Side, Side, Side, Side]


_TINTS = Tints(
    paper="#E9DBBE",
    paper_lit="#F3E9D2",
    sign="#FBF6EA",
    stone="#F4ECDA",
    stone_dim="#E2D5BA",
    quay="#F2E8D3",
    pavement="#EADFC6",
    joint="#DFD2B4",
    field="#E4D5B3",
    water="#B9CEC8",
    water_lit="#CBDAD2",
    roof="#DDAE8E",
    brick="#E3BFA2",
    steel="#B7C3BE",
    dull="#9FAFAC",
    dome="#B9C6BF",
    wood="#CFA47C",
    banner="#DFA088",
    brass="#D9AC4C",
    ink="#34261A",
    soft="#6E5940",
    pale="#A48C69",
)


def _theme(*sides: Side) -> Theme:
    blue, yellow, red, green = sides
    return Theme(
        tints=_TINTS,
        ink="#34261A",
        soft="#6E5940",
        pale="#A48C69",
        cream="#F8F0DC",
        sign="#FBF6EA",
        gilt="#D9AC4C",
        gilt_lit="#E7C56E",
        gilt_pale="#FBE9B0",
        gilt_disc="#F3D88C",
        gilt_edge="#4B3308",
        rubric="#A3271F",
        first="#2A1E16",
        pencil="#57534E",
        damask="#1F2E36",
        damask_lit="#253843",
        fillet="#B8862B",
        laid="#F2E8D0",
        laid_line="#ECE1C6",
        laid_chain="#E2D5B5",
        night="#1D2429",
        mist="#DDE3DC",
        sides=(blue, yellow, red, green),
    )


THEMES = Themes(
    "doge",
    {
        "default": _theme(
            Side("#2F5F94", "#6C9CCB", "#173453", "#C9D6DE"),
            Side("#E0A526", "#F7D680", "#8A5D0C", "#F2E2B4"),
            Side("#A5332A", "#D9776A", "#571510", "#EACBBB"),
            Side("#4C8C63", "#92C39F", "#1F4A31", "#D0DCC4"),
        ),
        "clear": _theme(
            Side("#23479C", "#6E95DC", "#0C2552", "#C6D3E8"),
            Side("#FBD83E", "#FFEFA0", "#7A5C00", "#F9EFC0"),
            Side("#7E2412", "#C8654A", "#421004", "#E9C2B2"),
            Side("#86CCBA", "#B5E4D6", "#0F4A3D", "#D3EBE4"),
        ),
    },
)
"""``clear`` tells the seats apart for the colour-blind by four steps of lightness: dark blue, light yellow,
dark brick, a light green. Heads, hatching and letters tell the same without any colour."""


@cache
def shipped(theme: Theme) -> Image.Image:
    """Return the palette of a theme; raises ``KeyError`` for a theme that none is shipped for."""
    return shipped_palette("renderers.doge", THEMES, theme)
