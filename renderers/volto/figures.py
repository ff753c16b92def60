"""The five masks from behind, each with the emblem that says how it moves.

A mask fits into ±66 units. An emblem is cut around (0, 0) with a radius of about 30 units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import ImageChops

from renderers.core.geometry import Point, mirrored, moved, path, polar, star
from renderers.core.sprite_builder import Paint, SpriteBuilder, Stencil
from renderers.volto.theme import Side, Theme

_ARM: list[Point] = [(-5.5, -5.5), (-5.5, -15), (-12.5, -17), (0, -31), (12.5, -17), (5.5, -15), (5.5, -5.5)]
_CROSS = [point for turn in (0, 90, 180, 270) for point in moved(_ARM, 0, 0, turn=turn)]
_QUILL = path((-5, 36), (-5, -3), (-14, -10, -13, -26, 0, -41), (13, -26, 14, -10, 5, -3), (5, 36))
_SLIM_ARM: list[Point] = [(-6, -6), (-6, -31), (6, -31), (6, -6)]
_SLIM_CROSS = [point for turn in (0, 90, 180, 270) for point in moved(_SLIM_ARM, 0, 0, turn=turn)]
_SLIM_QUILL = path((-4, 40), (-4, 0), (-9, -12, -8, -30, 0, -46), (8, -30, 9, -12, 4, 0), (4, 40))
_SPEAR = path(
    (0, -36),
    (6, -28, 13, -18, 17, -6),
    (5.5, -10),
    (5.5, 14),
    (16, 14),
    (16, 22),
    (5.5, 22),
    (5.5, 35),
    (-5.5, 35),
    (-5.5, 22),
    (-16, 22),
    (-16, 14),
    (-5.5, 14),
    (-5.5, -10),
    (-17, -6),
    (-13, -18, -6, -28, 0, -36),
)
_POINTS = star(8, 34, 13)


def emblem(builder: SpriteBuilder, kind: str, at: Point, scale: float, *, small: bool = False) -> Stencil:
    """Return the emblem of ``kind``, one of ``NALSC``, around ``at``.

    ``small``: the Noble's cross and the Advisor's quills are slim, so that both stay + and x on a phone.
    """
    if kind == "A":
        # A gap separates the quills where one lies over the other.
        quill = _SLIM_QUILL if small else _QUILL
        under, over = (builder.polygon(moved(quill, *at, scale * 0.94, turn=turn)) for turn in (-45, 45))
        return ImageChops.lighter(ImageChops.subtract(under, builder.grown(over, 1.1 * scale)), over)
    if kind == "L":
        petals = builder.discs([polar(angle, 20.5 * scale, at) for angle in range(0, 360, 45)], 9.6 * scale)
        full = ImageChops.lighter(petals, builder.discs([at], 20 * scale))
        for angle in range(0, 360, 45):
            # Cuts keep the petals apart where the rose is small.
            ends = [polar(angle + 22.5, radius * scale, at) for radius in (22.0, 36.0)]
            full = ImageChops.subtract(full, builder.line(ends, 1.8 * scale))
        return ImageChops.subtract(full, builder.discs([at], 8.5 * scale))
    outline = {"N": _SLIM_CROSS if small else _CROSS, "S": _SPEAR, "C": _POINTS}[kind]
    return builder.polygon(moved(outline, *at, scale))


_HAT = mirrored(
    path((0, -62), (26, -62, 32, -46, 40, -34), (48, -26, 58, -24, 67, -28), (62, -8, 26, -6, 0, 2))
)
_JAW = mirrored(path((0, -16), (40, -16), (42, 10, 44, 30, 54, 54), (36, 66, 16, 66, 0, 66)))
_BRIM = path(
    (-44, -24), (-20, -40, 34, -42, 66, -32), (68, -26, 66, -24, 62, -22), (30, -26, -10, -22, -38, -14)
)
_CROWN = path((-20, -32), (-22, -64, -8, -66, 14, -66), (38, -66, 44, -58, 46, -34))
_BEAK = path(
    (-22, -26), (48, -28), (58, 6, 56, 40, 38, 56), (16, 64, 4, 50, -4, 38), (-20, 40, -44, 48, -66, 64),
    (-62, 30, -42, 4, -24, -6),
)  # fmt: skip
_HALF = mirrored(
    path((0, -16), (24, -20, 44, -26, 68, -42), (70, -4, 60, 40, 36, 46), (20, 48, 10, 40, 0, 32))
)
_FEATHER = path((0, 0), (-15, -18, -12, -40, 0, -54), (12, -40, 15, -18, 0, 0))
_FEATHERS = ((-30, -12, -46), (30, -12, 46), (-16, -13, -22), (16, -13, 22), (0, -14, 0))
_HELM = mirrored(path((0, -50), (30, -48, 44, -26, 44, 4), (43, 26, 44, 40, 52, 60), (36, 68, 16, 68, 0, 66)))
_PLUME = path(
    (-6, -46), (-8, -68, 24, -72, 44, -62), (60, -54, 70, -36, 66, -8), (58, -28, 44, -40, 26, -40), (4, -42)
)
_CAP = path(
    (-42, -12), (-50, -42, -22, -48, -2, -54), (14, -59, 20, -66, 28, -70), (54, -62, 56, -34, 42, -12)
)
_BAND = path((-46, -20), (-16, -9, 16, -9, 46, -20), (46, 0), (16, 11, -16, 11, -46, 0))
_CHIN = mirrored(path((0, -14), (42, -14), (48, 20, 26, 54, 0, 68)))
_SLIT = mirrored(path((0, -22), (16, -22, 28, -22, 36, -14), (35, -3, 27, 0, 21, 2), (21, 64), (0, 62)))
_ALMOND = path((-14, 1), (-6, -9, 8, -9, 14, -3), (8, 6, -6, 7, -14, 1))
_RIBBON = path((0, 0), (10, 12, -4, 22, 7, 44), (12, 40), (4, 22, 16, 12, 4, -4))


@dataclass(frozen=True, slots=True)
class Smith:
    """Draws the parts of one owner's masks."""

    builder: SpriteBuilder
    theme: Theme
    seat: int

    @property
    def side(self) -> Side:
        """Return the owner's colours."""
        return self.theme.sides[self.seat]

    def cast(self, *outlines: list[Point]) -> None:
        """Draw the shadow of the whole silhouette."""
        whole = self.builder.polygon(*outlines)
        self.builder.cast(whole, self.theme.ink, (1, 3), 1.5, 0.6)
        self.builder.cast(whole, self.theme.ink, (3, 7), 4.5, 0.75)

    def shell(self, outline: list[Point], velvet: Paint, rim: float = 4.6) -> Stencil:
        """Draw a hollow part with the owner's edge and return its inside."""
        builder, side = self.builder, self.side
        form = builder.polygon(outline)
        # A contour of ink parts it from what lies below.
        builder.lay(builder.grown(form, 2), self.theme.ink)
        builder.lay(form, (side.shine, side.metal, side.metal, side.dull))
        inside = builder.grown(form, -rim)
        builder.lay(inside, velvet)
        builder.shade(inside, self.theme.ink, (3, 4.5), 4, 0.7)
        return inside

    def eye(self, x: float, y: float, size: float, lean: float) -> None:
        """Cut an eye's hole."""
        turn = 1 if x >= 0 else -1
        points = [(turn * px * size, py * size) for px, py in _ALMOND]
        hole = self.builder.polygon(moved(points, x, y, turn=-turn * lean))
        self.builder.lay(hole, self.theme.ink)

    def mount(self, kind: str, at: Point, scale: float) -> None:
        """Set the emblem into the velvet."""
        sign = emblem(self.builder, kind, at, scale)
        self.builder.cast(sign, self.theme.ink, (1, 2), 2.5, 0.8)
        self.builder.lay(sign, self.theme.emblem)

    def ribbons(self, x: float, y: float, *, left: bool = True) -> None:
        """Hang the ties at both sides, or at the right one alone."""
        for turn in (-1, 1) if left else (1,):
            tie = self.builder.polygon(moved([(turn * px, py) for px, py in _RIBBON], turn * x, y))
            self.builder.lay(self.builder.grown(tie, 1.5), self.theme.ink)
            self.builder.lay(tie, self.side.lit)

    def trace(self, points: list[Point], width: float, inside: Stencil, opacity: float = 0.8) -> None:
        """Draw a thread of metal that ends where the part does."""
        line = ImageChops.multiply(self.builder.line(points, width), inside)
        self.builder.lay(line, self.side.metal, opacity)


def _noble(smith: Smith) -> None:
    side = smith.side
    smith.ribbons(45, 0)
    smith.cast(_JAW, _HAT)
    smith.shell(_JAW, (side.deep, side.cloth, side.lit))
    for x in (-19, 19):
        smith.eye(x, 2, 0.75, 4)
    hat = smith.shell(_HAT, (smith.theme.ink, side.deep, side.cloth))
    smith.builder.lay(
        ImageChops.multiply(smith.builder.soft(smith.builder.discs([(-4, -46)], 13), 6), hat), side.lit, 0.7
    )
    for turn in (-1, 1):
        smith.trace(path((turn * 30, -48), (turn * 32, -26, turn * 14, -14, 0, -8)), 2.4, hat)
    smith.mount("N", (0, 35), 0.9)


def _advisor(smith: Smith) -> None:
    side = smith.side
    smith.ribbons(46, 14, left=False)
    smith.cast(_BEAK, _CROWN, _BRIM)
    beak = smith.shell(_BEAK, (side.deep, side.cloth, side.lit))
    smith.trace(path((-60, 54), (-44, 38, -28, 28, -10, 26)), 2.6, beak)
    smith.shell(_CROWN, (smith.theme.ink, side.deep, side.cloth))
    smith.shell(_BRIM, (side.deep, smith.theme.ink), rim=2.6)
    builder = smith.builder
    builder.lay(builder.discs([(-19, 4)], 11.5), smith.theme.ink)
    builder.lay(builder.discs([(-19, 4)], 10.4), (side.shine, side.metal, side.dull))
    builder.lay(builder.discs([(-19, 4)], 7), smith.theme.ink)
    builder.lay(builder.soft(builder.discs([(-17, 6)], 3), 1.2), smith.theme.lamp, 0.9)
    smith.mount("A", (23, 16), 0.86)


def _lady(smith: Smith) -> None:
    side, builder = smith.side, smith.builder
    feathers = [moved(_FEATHER, x, y, turn=turn) for x, y, turn in _FEATHERS]
    smith.ribbons(50, 22)
    smith.cast(_HALF, *feathers)
    for feather in feathers:
        form = builder.polygon(feather)
        builder.lay(builder.grown(form, 1.6), smith.theme.ink)
        builder.lay(form, side.metal)
        leaf = builder.grown(form, -2.4)
        builder.lay(leaf, (side.lit, side.lit, side.cloth))
    smith.shell(_HALF, (side.deep, side.cloth, side.lit))
    for x in (-42, 42):
        smith.eye(x, 8, 1.12, 14)
    builder.lay(builder.discs([(0, 3)], 35), smith.theme.ink)
    builder.lay(builder.discs([(0, 3)], 33.5), (side.shine, side.metal, side.dull))
    jewel = builder.discs([(0, 3)], 30)
    builder.lay(jewel, (smith.theme.ink, side.deep, side.cloth))
    builder.shade(jewel, smith.theme.ink, (2, 3), 2.5, 0.8)
    smith.mount("L", (0, 3), 0.86)


def _soldier(smith: Smith) -> None:
    side, builder = smith.side, smith.builder
    smith.cast(_HELM, _PLUME)
    plume = builder.polygon(_PLUME)
    builder.lay(builder.grown(plume, 1.6), smith.theme.ink)
    builder.lay(plume, side.metal)
    plume = builder.grown(plume, -2.2)
    builder.lay(plume, (side.lit, side.lit, side.cloth))
    smith.trace(path((-2, -46), (10, -58, 44, -58, 58, -18)), 2.4, plume)
    smith.shell(_HELM, (side.deep, side.cloth, side.lit))
    slit = builder.polygon(_SLIT)
    builder.lay(builder.grown(slit, 2.2), (side.shine, side.metal, side.dull))
    builder.lay(slit, (smith.theme.ink, side.deep))
    smith.mount("S", (0, 20), 1.0)


def _candidate(smith: Smith) -> None:
    side, builder = smith.side, smith.builder
    smith.ribbons(42, 14)
    smith.cast(_CHIN, _CAP, _BAND)
    smith.shell(_CHIN, (side.deep, side.cloth, side.lit))
    for x in (-22, 22):
        smith.eye(x, 20, 0.75, 3)
    cap = smith.shell(_CAP, (side.cloth, side.lit, side.metal))
    for x in (-24, 6):
        smith.trace(path((x, -10), (x - 6, -34, x + 12, -46, 30, -66)), 2.4, cap)
    band = builder.polygon(_BAND)
    builder.lay(builder.grown(band, 1.6), smith.theme.ink)
    builder.lay(band, (side.shine, side.metal, side.dull))
    jewels: list[Point] = [(x, 0 - x * x / 230) for x in (-30, 0, 30)]
    builder.lay(builder.discs(jewels, 6), side.deep)
    smith.mount("C", (0, 38), 0.8)


FIGURES: dict[str, Callable[[Smith], None]] = {
    "N": _noble,
    "A": _advisor,
    "L": _lady,
    "S": _soldier,
    "C": _candidate,
}
