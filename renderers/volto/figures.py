"""The five masks from behind: velvet, a rim of metal, the emblem. Units: a mask fits into ±66."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import ImageChops

from renderers.core.geometry import Point, mirrored, moved, path
from renderers.core.sprite_builder import Paint, Stencil, Studio
from renderers.volto.emblems import emblem
from renderers.volto.theme import Side, Theme

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
    """Makes the parts of one owner's masks in a studio."""

    studio: Studio
    theme: Theme
    seat: int

    @property
    def side(self) -> Side:
        """Return the owner's colours."""
        return self.theme.sides[self.seat]

    def cast(self, *outlines: list[Point]) -> None:
        """Lay the shadow of the whole silhouette."""
        whole = self.studio.polygon(*outlines)
        self.studio.cast(whole, self.theme.ink, (1, 3), 1.5, 0.6)
        self.studio.cast(whole, self.theme.ink, (3, 7), 4.5, 0.75)

    def shell(self, outline: list[Point], velvet: Paint, rim: float = 4.6) -> Stencil:
        """Draw a hollow part with the owner's edge and return its inside."""
        studio, side = self.studio, self.side
        form = studio.polygon(outline)
        studio.lay(studio.grown(form, 2), self.theme.ink)
        studio.lay(form, (side.shine, side.metal, side.metal, side.dull))
        inside = studio.grown(form, -rim)
        studio.lay(inside, velvet)
        studio.shade(inside, self.theme.ink, (3, 4.5), 4, 0.7)
        return inside

    def eye(self, x: float, y: float, size: float, lean: float) -> None:
        """Cut an eye's hole."""
        turn = 1 if x >= 0 else -1
        points = [(turn * px * size, py * size) for px, py in _ALMOND]
        hole = self.studio.polygon(moved(points, x, y, turn=-turn * lean))
        self.studio.lay(hole, self.theme.ink)

    def mount(self, kind: str, at: Point, scale: float) -> None:
        """Set the emblem into the velvet."""
        sign = emblem(self.studio, kind, at, scale)
        self.studio.cast(sign, self.theme.ink, (1, 2), 2.5, 0.8)
        self.studio.lay(sign, self.theme.emblem)

    def ribbons(self, x: float, y: float, *, left: bool = True) -> None:
        """Hang the ties at both sides, or at the right one alone."""
        for turn in (-1, 1) if left else (1,):
            tie = self.studio.polygon(moved([(turn * px, py) for px, py in _RIBBON], turn * x, y))
            self.studio.lay(self.studio.grown(tie, 1.5), self.theme.ink)
            self.studio.lay(tie, self.side.lit)

    def trace(self, points: list[Point], width: float, inside: Stencil, opacity: float = 0.8) -> None:
        """Draw a thread of metal that ends where the part does."""
        line = ImageChops.multiply(self.studio.line(points, width), inside)
        self.studio.lay(line, self.side.metal, opacity)


def _noble(smith: Smith) -> None:
    """Draw a bauta: a three-cornered hat over a jaw that flares out."""
    side = smith.side
    smith.ribbons(45, 0)
    smith.cast(_JAW, _HAT)
    smith.shell(_JAW, (side.deep, side.cloth, side.lit))
    for x in (-19, 19):
        smith.eye(x, 2, 0.75, 4)
    hat = smith.shell(_HAT, (smith.theme.ink, side.deep, side.cloth))
    smith.studio.lay(
        ImageChops.multiply(smith.studio.soft(smith.studio.discs([(-4, -46)], 13), 6), hat), side.lit, 0.7
    )
    for turn in (-1, 1):
        smith.trace(path((turn * 30, -48), (turn * 32, -26, turn * 14, -14, 0, -8)), 2.4, hat)
    smith.mount("N", (0, 35), 0.9)


def _advisor(smith: Smith) -> None:
    """Draw a plague doctor: a flat hat and a long beak to the lower left."""
    side = smith.side
    smith.ribbons(46, 14, left=False)
    smith.cast(_BEAK, _CROWN, _BRIM)
    beak = smith.shell(_BEAK, (side.deep, side.cloth, side.lit))
    smith.trace(path((-60, 54), (-44, 38, -28, 28, -10, 26)), 2.6, beak)
    smith.shell(_CROWN, (smith.theme.ink, side.deep, side.cloth))
    smith.shell(_BRIM, (side.deep, smith.theme.ink), rim=2.6)
    studio = smith.studio
    studio.lay(studio.discs([(-19, 4)], 11.5), smith.theme.ink)
    studio.lay(studio.discs([(-19, 4)], 10.4), (side.shine, side.metal, side.dull))
    studio.lay(studio.discs([(-19, 4)], 7), smith.theme.ink)
    studio.lay(studio.soft(studio.discs([(-17, 6)], 3), 1.2), smith.theme.lamp, 0.9)
    smith.mount("A", (23, 16), 0.86)


def _lady(smith: Smith) -> None:
    """Draw a half mask with swept corners under five feathers, a jewel on its forehead."""
    side, studio = smith.side, smith.studio
    feathers = [moved(_FEATHER, x, y, turn=turn) for x, y, turn in _FEATHERS]
    smith.ribbons(50, 22)
    smith.cast(_HALF, *feathers)
    for feather in feathers:
        form = studio.polygon(feather)
        studio.lay(studio.grown(form, 1.6), smith.theme.ink)
        studio.lay(form, side.metal)
        leaf = studio.grown(form, -2.4)
        studio.lay(leaf, (side.lit, side.lit, side.cloth))
    smith.shell(_HALF, (side.deep, side.cloth, side.lit))
    for x in (-42, 42):
        smith.eye(x, 8, 1.12, 14)
    studio.lay(studio.discs([(0, 3)], 35), smith.theme.ink)
    studio.lay(studio.discs([(0, 3)], 33.5), (side.shine, side.metal, side.dull))
    jewel = studio.discs([(0, 3)], 30)
    studio.lay(jewel, (smith.theme.ink, side.deep, side.cloth))
    studio.shade(jewel, smith.theme.ink, (2, 3), 2.5, 0.8)
    smith.mount("L", (0, 3), 0.86)


def _soldier(smith: Smith) -> None:
    """Draw a barbute with its T slit and a plume to the right."""
    side, studio = smith.side, smith.studio
    smith.cast(_HELM, _PLUME)
    plume = studio.polygon(_PLUME)
    studio.lay(studio.grown(plume, 1.6), smith.theme.ink)
    studio.lay(plume, side.metal)
    plume = studio.grown(plume, -2.2)
    studio.lay(plume, (side.lit, side.lit, side.cloth))
    smith.trace(path((-2, -46), (10, -58, 44, -58, 58, -18)), 2.4, plume)
    smith.shell(_HELM, (side.deep, side.cloth, side.lit))
    slit = studio.polygon(_SLIT)
    studio.lay(studio.grown(slit, 2.2), (side.shine, side.metal, side.dull))
    studio.lay(slit, (smith.theme.ink, side.deep))
    smith.mount("S", (0, 20), 1.0)


def _candidate(smith: Smith) -> None:
    """Draw the doge: a horned cap with a jewelled band over a full face."""
    side, studio = smith.side, smith.studio
    smith.ribbons(42, 14)
    smith.cast(_CHIN, _CAP, _BAND)
    smith.shell(_CHIN, (side.deep, side.cloth, side.lit))
    for x in (-22, 22):
        smith.eye(x, 20, 0.75, 3)
    cap = smith.shell(_CAP, (side.cloth, side.lit, side.metal))
    for x in (-24, 6):
        smith.trace(path((x, -10), (x - 6, -34, x + 12, -46, 30, -66)), 2.4, cap)
    band = studio.polygon(_BAND)
    studio.lay(studio.grown(band, 1.6), smith.theme.ink)
    studio.lay(band, (side.shine, side.metal, side.dull))
    jewels: list[Point] = [(x, 0 - x * x / 230) for x in (-30, 0, 30)]
    studio.lay(studio.discs(jewels, 6), side.deep)
    smith.mount("C", (0, 38), 0.8)


FIGURES: dict[str, Callable[[Smith], None]] = {
    "N": _noble,
    "A": _advisor,
    "L": _lady,
    "S": _soldier,
    "C": _candidate,
}
