"""The signs of the game: a woodcut for each card and each source of a clue, and what tells the owners apart.

A woodcut is a mask: a solid shape with a few lines left white, printed in any colour. All woodcuts of a
size are made and cached together, so that no file is made or read because of a card that one seat sees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image, ImageDraw

from engines.core.contract import Seat
from engines.doge.view import CARDS, CRAFTS, Card, Source
from renderers.core.caches import sprite
from renderers.core.canvas import Pen
from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.doge.curves import outline, outlines, oval

Sign: TypeAlias = Card | Source

SIGNS: tuple[Sign, ...] = (*CARDS, *Source)

_INK, _WHITE = "#FFFFFF", "#000000"
_MARGIN = 0.04
"""The room around a woodcut, as a share of its size."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a woodcut in a box of 100 × 100: a path, filled or, with a ``width``, drawn as a line."""

    path: str
    width: float = 0
    white: bool = False

    def draw(self, pen: Pen) -> None:
        """Draw the part."""
        for points in outlines(self.path):
            if self.width:
                pen.line([_placed(point) for point in points], self.width, _WHITE if self.white else _INK)
            else:
                pen.polygon([_placed(point) for point in points], _WHITE if self.white else _INK)


@dataclass(frozen=True, slots=True)
class Dot:
    """A disc of a woodcut."""

    x: float
    y: float
    radius: float
    white: bool = False

    def draw(self, pen: Pen) -> None:
        """Draw the part."""
        pen.disc(_placed((self.x, self.y)), self.radius, _WHITE if self.white else _INK)


def _placed(point: Point) -> Point:
    return point[0] - 50, point[1] - 50


def _coil() -> tuple[Cut, ...]:
    """Return what is left white of a coil of rope: between its strands, and the lay of each strand."""
    strands = [oval((45, 60), radius, radius, -62, 242) for radius in (20.8, 29.4)]
    for radius, count in ((16.4, 9), (25.0, 13), (33.8, 17)):
        for number in range(count):
            angle = math.radians(-50 + 280 * number / (count - 1))
            x, y = 45 + radius * math.cos(angle), 60 + radius * math.sin(angle)
            dx, dy = 4 * math.cos(angle + 0.75), 4 * math.sin(angle + 0.75)
            strands.append([(x - dx, y - dy), (x + dx, y + dy)])
    paths = [_path(points) for points in strands]
    return Cut(" ".join(paths[:2]), 2.2, white=True), Cut(" ".join(paths[2:]), 1.8, white=True)


def _path(points: list[Point]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)


WOODCUTS: dict[Sign, tuple[Cut | Dot, ...]] = {
    Card.ASCIA: (  # an axe
        Cut("M44 94 C46 76 50 40 56 8", 10),
        Cut("M52 14 L40 13 C31 12 22 8 14 0 C3 18 1 44 10 64 C20 54 33 46 49 44 Z"),
        Cut("M56 13 L70 15 C73 22 72 34 68 43 L52 42 Z"),
        Cut("M15 12 C8 27 8 42 13 54", 3.4, white=True),
        Cut("M50 19 L47 40 M60 19 L57 39", 2.4, white=True),
        Cut("M38 95 L51 97", 7),
    ),
    Card.FAVRO: (  # an anvil, and a hammer over it
        Cut(
            "M4 44 L92 44 L92 57 C80 58 71 62 66 70 L66 76 C75 78 82 83 84 89 L84 96 L26 96 L26 89 "
            "C28 83 35 78 44 76 L44 70 C39 61 22 58 4 44 Z"
        ),
        Cut("M16 49.5 L86 49.5 M33 89.5 L77 89.5", 2.6, white=True),
        Cut("M23 9 L53 3 L57 23 L27 29 Z"),
        Cut("M53 14 L96 23", 8),
        Cut("M32 12 L35 24", 2.4, white=True),
    ),
    Card.REMER: (  # an oar, and the rowlock of a gondola
        Cut("M12 97 L64 33", 7.5),
        Cut("M57 34 C63 22 74 9 88 1 C93 -1 98 3 97 8 C92 23 82 36 69 45 Z"),
        Cut("M66 36 L90 7", 2.6, white=True),
        Cut(
            "M14 4 C22 1 31 4 33 12 C34 18 30 21 27 22 C33 25 40 23 44 18 C51 22 52 32 46 40 "
            "C40 47 39 50 40 54 L22 75 C20 56 24 52 22 44 C20 35 8 30 7 19 C7 12 9 6 14 4 Z"
        ),
        Cut("M16 14 C16 26 30 32 30 42 C30 50 27 54 27 62", 2.6, white=True),
    ),
    Card.CORDER: (  # a coil of rope
        Cut("M54 22 C82 14 96 30 93 52 C91 66 94 78 89 92", 8.5),
        Cut("M82 84 L96 87 L92 99 L79 96 Z"),
        Dot(45, 60, 38),
        Dot(45, 60, 12, white=True),
        *_coil(),
        Cut("M31 2 C40 6 50 6 59 2 L56 44 C49 41 41 41 34 44 Z"),
        Cut("M33 15 L57 8 M34 25 L56.5 18 M34.5 35 L56 28", 3.2, white=True),
    ),
    Card.IMPIRARESSA: (  # a string of beads, and a fan of needles
        Cut("M10 8 C4 62 30 84 50 84 C70 84 96 62 90 8", 3),
        *(Dot(x, y, r) for x, y, r in ((10, 9, 6.5), (8.5, 25, 7), (12, 42, 8), (20.5, 59, 9), (34, 74, 10))),
        *(
            Dot(x, y, r)
            for x, y, r in ((90, 9, 6.5), (91.5, 25, 7), (88, 42, 8), (79.5, 59, 9), (66, 74, 10))
        ),
        Dot(50, 82, 13),
        *(Dot(x, y, r, white=True) for x, y, r in ((46, 77, 3.2), (31, 71, 2.4), (63, 71, 2.4))),
        Cut("M50 52 L34 6 M50 52 L45 2 M50 52 L55 2 M50 52 L66 6", 3),
        Cut("M43 44 L57 44 L54 60 L46 60 Z"),
    ),
    Card.COMUNE: (  # a key
        *(Dot(x, y, 12) for x, y in ((50, 15), (32, 30), (68, 30))),
        Dot(50, 30, 10),
        *(Dot(x, y, 5, white=True) for x, y in ((50, 15), (32, 30), (68, 30))),
        Cut("M50 36 L50 95", 9.5),
        Cut("M41 45 L59 45 L59 52 L41 52 Z"),
        Cut("M50 70 L80 70 L80 80 L72 80 L72 76 L66 76 L66 80 L50 80 Z"),
        Cut("M50 86 L78 86 L78 97 L69 97 L69 93 L50 95 Z"),
        Cut("M48 55 L48 92", 2.2, white=True),
    ),
    Card.PERIL: (  # a bell tower in the tide
        Cut("M50 0 L64 26 L36 26 Z"),
        Cut("M35 28 L65 28 L65 47 L35 47 Z"),
        Cut("M33 49 L67 49 L68 72 C60 66 44 74 32 68 Z"),
        Cut("M40 46 L40 38 C40 33 47 33 47 38 L47 46 Z", white=True),
        Cut("M53 46 L53 38 C53 33 60 33 60 38 L60 46 Z", white=True),
        Cut("M43 53 L43 64 M57 53 L57 64", 2.6, white=True),
        Cut("M3 76 C12 66 22 66 31 74 C40 82 48 82 56 75 C65 67 75 67 84 75 C88 78 93 79 97 77", 7.5),
        Cut("M3 92 C12 82 22 82 31 90 C40 98 48 98 56 91 C65 83 75 83 84 91 C88 94 93 95 97 93", 7.5),
    ),
    Card.MARINA: (  # an anchor
        Dot(50, 14, 11.5),
        Dot(50, 14, 5, white=True),
        Cut("M50 24 L50 88 M12 62 C16 82 34 92 50 93 C66 92 84 82 88 62", 9),
        Cut("M27 35 L73 35", 8),
        Cut("M3 74 L13 50 L26 70 Z M97 74 L87 50 L74 70 Z M42 88 L50 99 L58 88 Z"),
        Cut("M48 40 L48 82", 2.2, white=True),
    ),
    Card.SOVRINTENDENZA: (  # an Ionic column
        Cut("M10 2 L90 2 L90 11 L10 11 Z"),
        Cut(
            "M12 13 L88 13 C97 13 98 31 87 31 C81 31 78 27 78 23 L22 23 C22 27 19 31 13 31 C2 31 3 13 12 13 Z"
        ),
        Dot(13, 22, 3.6, white=True),
        Dot(87, 22, 3.6, white=True),
        Cut("M27 27 L73 27 L76 82 L24 82 Z"),
        Cut("M35.5 31 L34 79 M45 31 L44.5 79 M55 31 L55.5 79 M64.5 31 L66 79", 3.4, white=True),
        Cut("M18 83 L82 83 L82 89 L90 89 L90 98 L10 98 L10 89 L18 89 Z"),
        Cut("M18 88.5 L82 88.5", 2, white=True),
    ),
    Card.BIENNALE: (  # a palette, and a brush
        Cut(
            "M44 18 C74 14 98 32 97 56 C96 68 86 72 76 69 C66 66 58 72 62 82 C65 91 58 97 48 96 "
            "C22 95 3 78 3 55 C3 35 20 21 44 18 Z"
        ),
        *(Dot(x, y, 7.5, white=True) for x, y in ((24, 50), (40, 34), (62, 34))),
        Dot(81, 49, 7, white=True),
        Dot(29, 71, 6, white=True),
        Cut("M92 0 L100 8 L60 62 C56 68 47 72 39 72 C43 66 43 58 48 53 Z", white=True),
        Cut("M94 2 L98.5 6.5 L61 53 L55.5 48.5 Z M53 51 L59 56 C56 64 50 67 43 68 C46 62 47 54 53 51 Z"),
    ),
    Source.MEETING: (  # two pawns
        Dot(28, 20, 15),
        Dot(72, 20, 15),
        Cut("M18 38 L38 38 L48 96 L4 96 Z M62 38 L82 38 L96 96 L54 96 Z"),
    ),
    Source.LOOK: (  # an eye
        Cut("M2 50 C18 22 36 16 50 16 C64 16 82 22 98 50 C82 78 64 84 50 84 C36 84 18 78 2 50 Z"),
        Dot(50, 50, 24, white=True),
        Dot(50, 50, 14),
        Dot(45, 44, 4, white=True),
    ),
    Source.GHOST: (  # the ghost under its horned cap
        Cut(
            "M50 2 C56 8 66 8 76 2 C80 12 78 24 72 32 C82 44 84 66 90 94 C82 90 78 98 70 97 "
            "C62 96 58 90 50 96 C42 100 34 92 28 96 C22 99 16 94 10 96 C18 66 18 46 30 32 C28 20 36 6 50 2 Z"
        ),
        Cut("M36 36 C42 33 47 36 48 42 C44 46 37 44 36 36 Z", white=True),
        Cut("M66 36 C60 33 55 36 54 42 C58 46 65 44 66 36 Z", white=True),
        Cut("M31 29 C42 24 60 24 72 29", 3, white=True),
    ),
}
"""The woodcuts; ``white`` parts are cut out of those before them."""


def emblem(sign: Sign, size: int) -> Image.Image:
    """Return the woodcut of a card or a source as a square mask (``L``); never draw on it."""
    left = SIGNS.index(sign) * size
    return _woodcuts(size).crop((left, 0, left + size, size))


@sprite
def _woodcuts(size: int) -> Image.Image:
    """Return all woodcuts of a size side by side."""
    sheet = Image.new("L", (size * len(SIGNS), size))
    for number, sign in enumerate(SIGNS):
        pen = Pen(size, size, ground=_WHITE, zoom=size * (1 - 2 * _MARGIN) / 100, centred=True)
        for part in WOODCUTS[sign]:
            part.draw(pen)
        sheet.paste(pen.finish().convert("L"), (number * size, 0))
    return sheet


def print_emblem(image: Image.Image, sign: Sign, centre: Point, size: int, ink: Colour) -> None:
    """Print a woodcut on a picture (``RGB`` or ``RGBA``), its middle on ``centre``."""
    colour = (*rgb(ink), 255) if image.mode == "RGBA" else rgb(ink)
    at = (math.floor(centre[0] - size / 2 + 0.5), math.floor(centre[1] - size / 2 + 0.5))
    image.paste(colour, at, emblem(sign, size))


SHIELD = outline(
    "M-0.98 -0.96 C-0.4 -1.12 0.4 -1.12 0.98 -0.96 L0.98 0.1 "
    "C0.98 0.7 0.5 0.96 0 1.16 C-0.5 0.96 -0.98 0.7 -0.98 0.1 Z"
)
"""The frame of an institution; its half width is 1."""

ROUNDEL = tuple(oval((0, 0), 1, 1))
"""The frame of a craft."""


def frame_of(card: Card) -> tuple[Point, ...]:
    """Return the outline around a card's emblem: a roundel for a craft, a shield for an institution."""
    return ROUNDEL if card in CRAFTS else SHIELD


# --- owners ---------------------------------------------------------------------------------------

LETTERS = ("B", "Y", "R", "G")
"""The letters of the seats, on their pawns and cards."""

_MERLON = outline(
    "M-1.06 1.05 L-1.06 -1.18 C-0.8 -1.1 -0.3 -0.8 0 -0.3 C0.3 -0.8 0.8 -1.1 1.06 -1.18 L1.06 1.05 Z"
)

HEADS: tuple[tuple[Point, ...], ...] = (
    ROUNDEL,
    ((0, -1.32), (1.12, 0), (0, 1.2), (-1.12, 0)),
    ((0, -1.3), (1.3, 1.05), (-1.3, 1.05)),
    _MERLON,
)
"""The heads of the seats' pawns, of about equal size: ball, lozenge, triangle, swallowtail merlon."""


def hatching(seat: Seat, size: tuple[int, int], period: float, width: float) -> Image.Image:
    """Return an owner's hatching as a mask, as engravers write heraldic colours; all in pixels of the mask.

    Blue has level lines, yellow points, red upright lines, green lines from the upper left.
    """
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    step, line = round(period), max(1, round(width))
    if seat == 0:
        for y in range(step // 2, size[1], step):
            draw.line((0, y, size[0], y), fill=255, width=line)
    elif seat == 1:
        for row, y in enumerate(range(step // 2, size[1] + step, step)):
            for x in range(step // 2 + row % 2 * step // 2, size[0] + step, step):
                draw.ellipse((x - 0.9 * line, y - 0.9 * line, x + 0.9 * line, y + 0.9 * line), fill=255)
    elif seat == 2:
        for x in range(step // 2, size[0], step):
            draw.line((x, 0, x, size[1]), fill=255, width=line)
    else:
        # Across, the lines are then as far apart as the others.
        for x in range(-size[1], size[0], round(period * math.sqrt(2))):
            draw.line((x, 0, x + size[1], size[1]), fill=255, width=line)
    return mask
