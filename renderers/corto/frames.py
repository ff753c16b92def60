"""What a card has round its picture: the border that says what it does, its plate, its signs.

Units: a card is 126 wide whatever its size; how high it is depends on the picture that it stands in.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.corto.view import Border
from renderers.core.geometry import star
from renderers.core.theme import Colour
from renderers.core.type import Face
from renderers.corto.brush import Brush
from renderers.corto.curves import boxed
from renderers.corto.drawing import draw, drawings, inks, scenery
from renderers.corto.lettering import titled, words
from renderers.corto.theme import Strip, Theme

WIDTH = 126
"""Units of a card from left to right."""
MARGIN = 12
"""Units round a card on its sprite, for what breaks the frame."""
EDGE = 12
LOW_EDGE = 16
"""Width of the border of a card without a plate, which has to say alone what the card does."""
CORNER = 48
"""Width and height of the turned corner with the letter of a second strip."""
LETTER = 40
"""Size of that letter."""
PLATE = 36
"""Height of a name plate, for cards that have one."""

_RIM = 2
_CHECK = 20
"""About how long a white or black field of a checked border is."""
_TITLE = 37
_WORD = 0.26
"""How far from its middle a line is parted between words, as a share of its length."""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of a card, in units from the card's upper left corner."""

    x: float
    y: float
    width: float
    height: float


def framed(brush: Brush, border: Border, height: float, plate: int, theme: Theme) -> Box:
    """Draw the border: white adds, black hits, checks of both do either. Return the picture's place."""
    edge = EDGE if plate else LOW_EDGE
    low = plate or edge
    inside = Box(edge + 2, edge + 2, WIDTH - 2 * edge - 4, height - edge - low - 4)
    brush.fill(boxed(0, 0, WIDTH, height), theme.ink)
    # A fine line parts a dark picture from a black border.
    if border is not Border.WHITE:
        brush.fill(boxed(inside.x - 2.8, inside.y - 2.8, inside.width + 5.6, inside.height + 5.6), theme.hair)
    if border is Border.WHITE:
        brush.fill(boxed(_RIM, _RIM, WIDTH - 2 * _RIM, height - 2 * _RIM), theme.card)
    elif border is Border.BOTH:
        for box in checks(WIDTH - 2 * _RIM, height - 2 * _RIM, _CHECK):
            brush.fill(boxed(_RIM + box.x, _RIM + box.y, box.width, box.height), theme.card)
    brush.fill(boxed(inside.x - 1.6, inside.y - 1.6, inside.width + 3.2, inside.height + 3.2), theme.ink)
    return inside


def checks(width: float, height: float, size: float) -> list[Box]:
    """Return the white fields of a checked ground: markers and bubbles never hide them all."""
    # An odd number each way makes all four corners white, and so all four sides alike.
    columns, rows = (2 * round((side / size - 1) / 2) + 1 for side in (width, height))
    across, down = width / columns, height / rows
    return [
        Box(x * across, y * down, across, down)
        for y in range(rows)
        for x in range(columns)
        if (x + y) % 2 == 0
    ]


def backdrop(brush: Brush, land: str, strip: Strip, box: Box, theme: Theme) -> None:
    """Wash the ground behind a figure or a thing, with one motif of its adventure."""
    colours = scenery(theme, strip)
    with brush.at(0, box.height - 130):
        draw(brush, drawings("backdrops")[""], colours)
        draw(brush, drawings("backdrops").get(land, ()), colours)


def stage(brush: Brush, border: Border, land: str, strip: Strip, box: Box, theme: Theme) -> None:
    """Wash the ground as light and shade: light where the border is white, dark where it is black.

    So a small card tells what it does even where its border cannot be seen.
    """
    if border is not Border.BLACK:
        backdrop(brush, land, strip.lit, box, theme)
    if border is not Border.WHITE:
        left = box.width / 2 if border is Border.BOTH else 0
        with brush.clip(boxed(left, 0, box.width - left, box.height)):
            backdrop(brush, land, strip.shaded, box, theme)


def named(image: Image.Image, border: Border, name: str, height: float, zoom: float, theme: Theme) -> None:
    """Write the name on the plate; on half and half black begins between two letters."""
    text, face = titled(name, _TITLE * zoom, (WIDTH - 10) * zoom)
    left, right = (round((MARGIN + x) * zoom) for x in (_RIM, WIDTH - _RIM))
    top, low = round((MARGIN + height - PLATE + 1) * zoom), round((MARGIN + height - _RIM) * zoom)
    box = (left, top, right, low)
    # Painted twice, in black on white and in white on black, and joined at the cut.
    white = _plate(box, text, face, theme.card, theme.ink, zoom)
    black = _plate(box, text, face, theme.ink, theme.card, zoom)
    cut = right - left if border is Border.WHITE else 0
    if border is Border.BOTH:
        start = (right - left - face.width(text)) / 2
        cut = round(start + _gap(text, [face.width(text[:i]) for i in range(len(text) + 1)]))
    white.paste(black.crop((cut, 0, *black.size)), (cut, 0))
    image.paste(white, (left, top))


def _plate(
    box: tuple[int, int, int, int], text: str, face: Face, ground: Colour, colour: Colour, zoom: float
) -> Image.Image:
    plate = Image.new("RGBA", (box[2] - box[0], box[3] - box[1]), ground)
    at = (plate.width / 2, plate.height / 2)
    words(plate, text, at, face, colour, zoom, bold=round(0.55 * zoom, 2))
    return plate


def _gap(text: str, ends: list[float]) -> float:
    """Return where to break a line near its middle: between two words if possible, else between letters."""
    middle = ends[-1] / 2
    words_end = [(ends[i] + ends[i + 1]) / 2 for i, letter in enumerate(text) if letter == " "]
    near = [place for place in words_end if abs(place - middle) <= _WORD * ends[-1]]
    return min(near or ends[1:-1] or [middle], key=lambda place: abs(place - middle))


def bubble(brush: Brush, box: Box, theme: Theme) -> None:
    """Draw what a friend of Corto thinks of, in the upper left corner."""
    with brush.at(box.x + 20, box.y + 11, 1.3):
        draw(brush, drawings("signs")["bubble"], inks(theme))


def corner(brush: Brush, right: float, top: float, colour: Colour, theme: Theme) -> None:
    """Turn an upper right corner in the colour of the second strip, large enough for its letter."""
    for rim, fill in ((0.0, theme.ink), (2.2, theme.card), (4.0, colour)):
        left, low = right - CORNER + rim, top + CORNER - rim
        over = f"{left},{top + rim}! {right - rim},{top + rim}! {right - rim},{low}!"
        brush.fill(f"{over} {left + 16},{low}! {left},{low - 16}!", fill)


def far_arrows(brush: Brush, height: float, plate: int, theme: Theme) -> None:
    """Draw the four arrowheads of long range, which break the frame."""
    # The middle of the picture, not of the card: the plate is not part of it.
    middle = height / 2 - plate / 3
    for x, y, turn in ((0, middle, 180), (WIDTH, middle, 0), (WIDTH / 2, 0, -90), (WIDTH / 2, height, 90)):
        with brush.at(x, y, 1, turn):
            draw(brush, drawings("signs")["arrowhead"], inks(theme))


def far_sign(brush: Brush, x: float, y: float, theme: Theme) -> None:
    """Draw the sign of long range inside a picture: an arrow each way."""
    with brush.at(x, y, 1.15):
        draw(brush, drawings("signs")["far"], inks(theme))


def power_signs(brush: Brush, border: Border, power: int, box: Box, theme: Theme) -> None:
    """Draw one sign for each marker that an object adds, or takes off."""
    low = box.height < box.width
    for i in range(power):
        off = (i - (power - 1) / 2) * (38 if low else 40)
        x, y = (box.width - 22, box.height / 2 + off) if low else (box.width / 2 + off, box.height - 21)
        with brush.at(box.x + x, box.y + y):
            if border is Border.WHITE:
                draw(brush, drawings("signs")["add"], inks(theme))
                continue
            points = star(9, 21.5, 14, turn=10 + 14 * i)
            brush.fill(points, theme.card)
            brush.outline(points, 3.4, 0, theme.card)
            brush.fill(points, theme.ink)
            draw(brush, drawings("signs")["hit"], inks(theme))
