"""Everything on the page but cards and markers: figurines, quest pieces, decks. Sizes are pixels."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engines.corto.view import Figurine
from renderers.core.caches import sprite
from renderers.core.geometry import polar
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, sans
from renderers.corto.brush import Brush
from renderers.corto.curves import boxed
from renderers.corto.drawing import Drawing, draw, drawings, inks
from renderers.corto.lettering import number as written
from renderers.corto.theme import Theme

SIZES = {
    "vessel": (92, 66),
    "aces": (72, 60),
    "tile": (42, 42),
    "ingot": (56, 36),
    "crow": (50, 38),
    "leopard": (46, 46),
    "train": (116, 46),
    "carriage": (56, 46),
    "gold": (50, 50),
}
"""Width and height of the pieces on the board, without their white edges."""

_BUSTS = {Figurine.CORTO: (0.72, 2.0, 2.0), Figurine.RASPUTIN: (0.72, -2.0, 4.0)}
"""Scale and origin of each figurine on its token."""
_PLAIN = (84, 84)
_EDGE = 2
_HANGS = 11
"""Pixels that a deck's number reaches below its pile."""


def cut_out(image: Image.Image, edge: int, colour: Colour) -> Image.Image:
    """Return a sprite with a white edge of ``edge`` pixels round it, as if cut out of paper."""
    sheet = Image.new("RGBA", (image.width + 2 * edge, image.height + 2 * edge), (*rgb(colour), 0))
    alpha = Image.new("L", sheet.size)
    alpha.paste(image.getchannel("A").point([0] * 100 + [255] * 156), (edge, edge))
    grown = alpha
    for _ in range(edge):
        grown = ImageChops.lighter(grown.filter(ImageFilter.MaxFilter(3)), grown)
    sheet.putalpha(grown)
    sheet.alpha_composite(image, (edge, edge))
    return sheet


@sprite
def figurine(which: Figurine, height: int, theme: Theme) -> Image.Image:
    """Return a figurine on its stand, feet in the middle of the lower edge: white C, black R."""
    zoom = height / 192
    edge = max(1, round(2.4 * zoom))
    # The white edge belongs to the height, so the figurine itself is drawn a little smaller.
    zoom = (height - 2 * edge) / 186
    brush = Brush(round(76 * zoom), round(186 * zoom), zoom, theme.ink)
    white = which is Figurine.CORTO
    with brush.at(7, 7):
        draw(brush, drawings("figurines")[which.value], inks(theme))
    with brush.at(38, 167):
        stand = "-27,-12! 27,-12! 31,17! -31,17!"
        brush.wash(stand, theme.card if white else theme.ink, 0.12 if white else 0, 0, 3)
        brush.outline(stand, 2.2)
    image = brush.finish()
    letter = theme.ink if white else theme.card
    written(image, which.value[0].upper(), (38 * zoom, 169.5 * zoom), 31 * zoom, letter, zoom)
    return cut_out(image, edge, theme.card)


@sprite
def token(which: Figurine, height: int, theme: Theme) -> Image.Image:
    """Return a figurine's bust beside its letter, on the ground of its stand: white C, black R."""
    zoom = height / 46
    width = round(66 * zoom)
    white = which is Figurine.CORTO
    brush = Brush(width, height, zoom, theme.ink)
    brush.fill(boxed(0, 0, 66, 46), theme.ink)
    brush.fill(boxed(2.5, 2.5, 61, 41), theme.card)
    bust = boxed(2.5, 2.5, 32, 41)
    brush.fill(bust, theme.box)
    scale, x, y = _BUSTS[which]
    with brush.clip(bust), brush.at(x, y, scale):
        draw(brush, drawings("figurines")[which.value], inks(theme))
    if not white:
        brush.fill(boxed(34.5, 2.5, 29, 41), theme.ink)
    brush.fill(boxed(34.5, 2.5, 2, 41), theme.ink)
    image = brush.finish()
    letter = theme.ink if white else theme.card
    written(image, which.value[0].upper(), (50 * zoom, 23 * zoom), 43 * zoom, letter, zoom)
    return cut_out(image, max(1, round(1.6 * zoom)), theme.card)


@sprite
def piece(kind: str, height: int, theme: Theme, *, heading: str = "left", number: int = 0) -> Image.Image:
    """Return a piece of a quest, ``kind`` as a view's piece has it; ``height`` without its white edge.

    ``heading``: which way a train travels; ``number``: its carriages left, or the gold of a taken carriage
    (0: an armed one). A train has a tag with it at its rear and an arrow before its front, and its middle
    is the sprite's.
    """
    width, tall = SIZES.get(kind, _PLAIN)
    zoom = height / tall
    brush = Brush(round(width * zoom), height, zoom, theme.ink)
    right = kind == "train" and heading == "right"
    with brush.at(width / 2, tall / 2, flip=right):
        draw(brush, _drawing(kind, number), inks(theme))
    image = cut_out(brush.finish(), max(1, round(_EDGE * zoom)), theme.card)
    if kind == "train" and number:
        return _with_tags(image, f"×{number}", zoom, theme, right=right)
    if kind == "carriage" and number:
        middle = (image.width / 2, image.height * 0.42)
        disc = ImageDraw.Draw(image)
        r = 10.5 * zoom
        x, y = middle
        disc.ellipse(
            (x - r, y - r, x + r, y + r), fill=theme.gold, outline=theme.ink, width=max(1, round(1.6 * zoom))
        )
        written(image, str(number), middle, 17 * zoom, theme.ink, zoom)
    return image


def _drawing(kind: str, number: int) -> Drawing:
    known = drawings("pieces")
    if kind == "carriage" and not number:
        return known["armed"]
    return known.get(kind) or drawings("signs")["plain"]


def _with_tags(image: Image.Image, text: str, zoom: float, theme: Theme, *, right: bool) -> Image.Image:
    """Put the number of carriages at the train's rear, and before its front an arrow as it travels."""
    label, arrow = tag(text, round(44 * zoom), theme), _heading(round(44 * zoom), theme, right=right)
    # Both ends get the same room, so that the sprite's middle stays the train's.
    # The number lies over the carriages, or one could not tell on which square the train is.
    rear, front = round(label.width * 0.15), arrow.width - round(4 * zoom)
    reach = max(rear, front)
    sheet = Image.new("RGBA", (image.width + 2 * reach, max(image.height, label.height)))
    sheet.alpha_composite(image, (reach, (sheet.height - image.height) // 2))
    back = reach - rear
    x = back if right else sheet.width - back - label.width
    sheet.alpha_composite(label, (x, (sheet.height - label.height) // 2))
    ahead = reach - front
    x = sheet.width - ahead - arrow.width if right else ahead
    sheet.alpha_composite(arrow, (x, (sheet.height - arrow.height) // 2))
    return sheet


def _heading(height: int, theme: Theme, *, right: bool) -> Image.Image:
    """Return the arrowhead before a train."""
    zoom = height / 44
    brush = Brush(round(32 * zoom), height, zoom, theme.ink)
    with brush.at(16, 22, flip=not right):
        brush.fill("-15,-21! 15.5,0! -15,21!", theme.ink)
        brush.fill("-11,-14! 9.5,0! -11,14!", theme.glow)
    return brush.finish()


@sprite
def tag(text: str, height: int, theme: Theme, *, glow: bool = False) -> Image.Image:
    """Return a white tag (``glow``: a bright one) with a number or a square's name."""
    face = sans(round(height * 0.78), Weight.BLACK)
    rim = max(1, round(height / 18))
    width = round(face.width(text) + height * 0.44)
    image = Image.new("RGBA", (width, height), theme.ink)
    image.paste(rgb(theme.glow if glow else theme.card), (rim, rim, width - rim, height - rim))
    written(image, text, (width / 2, height / 2), height * 0.78, theme.ink, height / 36)
    return image


@sprite
def card_back(deck: str, width: int, height: int, theme: Theme) -> Image.Image:
    """Return the back of a deck's cards: a compass star in its colour, and its letter."""
    if width < 60:
        # The star has no room on so small a card.
        image = Image.new("RGBA", (width, height), theme.ink)
        image.paste(rgb(theme.card), (2, 2, width - 2, height - 2))
        image.paste(rgb(theme.strip(deck).deep), (4, 4, width - 4, height - 4))
        tall = min(width * 0.9, height * 0.78)
        written(image, deck, (width / 2, height / 2), tall, theme.card, width / 36)
        return image
    strip = theme.strip(deck)
    zoom = width / 92
    tall = height / zoom
    brush = Brush(width, height, zoom, theme.ink)
    brush.fill(boxed(0, 0, 92, tall), theme.ink)
    brush.fill(boxed(2, 2, 88, tall - 4), theme.card)
    field = boxed(7, 7, 78, tall - 14)
    brush.fill(field, strip.deep)
    middle = (46.0, tall * 0.46)
    with brush.clip(field):
        for turn in range(0, 360, 30):
            brush.fill(
                [middle, polar(turn - 7.5, tall, middle), polar(turn + 7.5, tall, middle)],
                mix(strip.deep, strip.mid, 0.28),
            )
    brush.dot(*middle, 31, 31, theme.card)
    brush.outline([polar(turn, 31, middle) for turn in range(0, 360, 10)], 2.4)
    image = brush.finish()
    written(image, deck, (middle[0] * zoom, middle[1] * zoom), 48 * zoom, strip.deep, zoom)
    return image


def deck(key: str, count: int, width: int, height: int, theme: Theme, *, glow: bool = False) -> Image.Image:
    """Return a draw deck of ``count`` cards with its number; a card is ``width`` × ``height``.

    The pile is up to four edges thick and goes right and down; an empty one is a dashed place.
    ``glow``: its number shines, since a card may be drawn from it.
    """
    # Only piles are kept: nearly every act changes a number.
    sheet = _pile(key, min(3, (count + 3) // 5) if count else None, width, height, theme).copy()
    label = tag(str(count), max(46, round(height * 0.34)), theme, glow=glow)
    sheet.alpha_composite(label, (sheet.width - label.width, sheet.height - label.height))
    return sheet


@sprite
def _pile(key: str, edges: int | None, width: int, height: int, theme: Theme) -> Image.Image:
    """Return a deck with so many edges below its uppermost card; ``None``: the place of an empty one."""
    step = max(2, round(width / 35))
    # The number hangs over the lower edge, clear of the letter.
    sheet = Image.new("RGBA", (width + 3 * step + 4, height + 3 * step + _HANGS))
    for i in range(edges or 0, 0, -1):
        box = (i * step, i * step, i * step + width, i * step + height)
        sheet.paste((*rgb(theme.ink), 255), box)
        sheet.paste((*rgb(theme.cream), 255), (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2))
    if edges is not None:
        sheet.alpha_composite(card_back(key, width, height, theme))
    else:
        strip = theme.strip(key)
        pen = ImageDraw.Draw(sheet)
        pen.rectangle((0, 0, width - 1, height - 1), fill=strip.margin, outline=strip.line, width=3)
        pen.rectangle((4, 4, width - 5, height - 5), outline=strip.far, width=2)
        written(sheet, key, (width / 2, height * 0.46), width * 0.52, strip.far, width / 92)
    return sheet
