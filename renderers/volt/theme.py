"""The colours of VOLT."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.theme import Colour, Themes

SIDES = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one side's robot, pads, panel and light; ``field`` is its panel's ground."""

    light: Colour
    base: Colour
    dark: Colour
    glow: Colour
    field: Colour


@dataclass(frozen=True, slots=True)
class Deck:
    """The colours of a deck of modules, and of the dice of that colour."""

    light: Colour
    base: Colour
    dark: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a picture. ``sides`` are in the order of :data:`SIDES`."""

    night: Colour
    ink: Colour
    panel: Colour
    panel_lit: Colour
    line: Colour
    plate: Colour
    plate_other: Colour
    seam: Colour
    steel: Colour
    steel_lit: Colour
    steel_dark: Colour
    lamp: Colour
    shade: Colour
    words: Colour
    quiet: Colour
    gold: Colour
    gold_lit: Colour
    gold_dark: Colour
    mint: Colour
    mint_dark: Colour
    copper: Colour
    copper_dark: Colour
    bolt: Colour
    hot: Colour
    stripe: Colour
    stripe_dark: Colour
    depth: Colour
    sides: tuple[Side, Side, Side, Side]
    red: Deck
    blue: Deck
    yellow: Deck

    def side(self, key: str) -> Side:
        """Return the colours of the side ``key``."""
        return self.sides[SIDES.index(key)]

    def deck(self, key: str) -> Deck:
        """Return the colours of a deck, or of a die; raises ``KeyError``."""
        return {"red": self.red, "blue": self.blue, "yellow": self.yellow}[key]


_RED = Deck("#FF9C8C", "#C23A35", "#6E1719")
_BLUE = Deck("#9CC6FF", "#2F6CC4", "#153566")
_YELLOW = Deck("#FFE08A", "#B98A1B", "#5C4206")

_SHOW = Theme(
    night="#0C111A",
    ink="#06080D",
    panel="#182230",
    panel_lit="#26344A",
    line="#47566A",
    plate="#7E8A99",
    plate_other="#76828F",
    seam="#4E5866",
    steel="#AEBBC8",
    steel_lit="#E9F0F6",
    steel_dark="#5D6978",
    lamp="#FFF6E4",
    shade="#8C98B4",
    words="#F2F6FA",
    quiet="#A9B6C4",
    gold="#F0B93A",
    gold_lit="#FFEBAE",
    gold_dark="#7C550C",
    mint="#7FE6CB",
    mint_dark="#1E5A50",
    copper="#B8764A",
    copper_dark="#4A2C1C",
    bolt="#DFF1FF",
    hot="#FF5A36",
    stripe="#E2AC2C",
    stripe_dark="#20242C",
    depth="#040406",
    sides=(
        Side("#FFC98C", "#EE7F22", "#8A3F0A", "#FF9A45", "#A85312"),
        Side("#DFF7A0", "#8DCB35", "#426B10", "#B4EE58", "#4F7F16"),
        Side("#DCC6FF", "#9A66EA", "#4A2790", "#BC92FF", "#5B33A6"),
        Side("#FFFDF4", "#E6DCC4", "#8F8167", "#FFF3D6", "#8D8068"),
    ),
    red=_RED,
    blue=_BLUE,
    yellow=_YELLOW,
)

_CLEAR = Theme(
    night="#0A0E15",
    ink="#05070B",
    panel="#17202C",
    panel_lit="#263446",
    line="#566579",
    plate="#6F7985",
    plate_other="#69737F",
    seam="#414A55",
    steel="#B9C3CE",
    steel_lit="#F4F7FA",
    steel_dark="#59646F",
    lamp="#FFFFFF",
    shade="#A6AEBC",
    words="#FFFFFF",
    quiet="#B8C2CD",
    gold="#F5C84C",
    gold_lit="#FFF2C4",
    gold_dark="#6C4C08",
    mint="#8DF0D6",
    mint_dark="#16423B",
    copper="#8E7B70",
    copper_dark="#3A2F29",
    bolt="#FFFFFF",
    hot="#FF6A3C",
    stripe="#F0C03C",
    stripe_dark="#14171D",
    depth="#000000",
    sides=(
        Side("#FFD09A", "#F08A1C", "#8A4304", "#FFA64D", "#B35F08"),
        Side("#DDF3FF", "#74C4F4", "#1D5F8C", "#9FDBFF", "#3D93C8"),
        Side("#A99BF0", "#5238B4", "#1E1158", "#8D7BEA", "#2C1A80"),
        Side("#FFFFFF", "#EFE7D4", "#8D836C", "#FFF8E4", "#A2977C"),
    ),
    red=_RED,
    blue=_BLUE,
    yellow=_YELLOW,
)

THEMES = Themes("volt", {"default": _SHOW, "clear": _CLEAR})
"""``clear`` tells the sides apart for the colour-blind: orange, sky, indigo and ivory are four steps of
lightness as well as other hues. Silhouettes, prints and signs tell the same without any colour."""
