"""The foot of a clue sheet: what the treasure can still be, and what the marks mean."""

from __future__ import annotations

from PIL import Image

from engines.doge.view import CRAFTS, INSTITUTIONS, Mark, Pair, Source, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted
from renderers.core.captions import Captions
from renderers.core.geometry import polar
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, serif, shrunk
from renderers.doge.emblems import hatching, print_emblem
from renderers.doge.highlights import Focus
from renderers.doge.quill import Hand, write
from renderers.doge.theme import Theme

_NUMBER = serif(132, Weight.BOLD)
_WORDS = serif(31, Weight.SEMIBOLD_ITALIC)
_LEAST = 30

_NUMBER_X = 118
_GRID = (276, 56)
"""The corner of the treasures' grid; ``y`` from the upper edge of the foot."""
_CELL = (68, 50)
_EMBLEM = 44
_KEY_X, _KEY_Y, _KEY_PITCH = 672, 34, 38


def put_foot(canvas: Canvas, theme: Theme, captions: Captions, view: View, top: int, focus: Focus) -> None:
    """Draw the foot from its upper edge."""
    assert view.sheet is not None
    treasures = view.sheet.treasures
    _put_count(canvas, theme, captions, view, top)
    left, first = _GRID[0], top + _GRID[1]
    # Loaded whether or not they are needed: what is cached on disk must not tell of a draft, or of notes.
    stone, rim, _, _ = bead(theme), _frame(theme), _crossed(*_CELL), ring(theme, 40)
    _put_grid(canvas, theme, treasures, (left, first))
    # At the end, and for who has guessed wrong, the treasure is no longer a question.
    framed = focus.pair or view.treasure
    if framed is not None:
        x = left + (CRAFTS.index(framed.craft) + 0.5) * _CELL[0]
        y = first + (INSTITUTIONS.index(framed.institution) + 0.5) * _CELL[1]
        canvas.put(rim, (x, y))
        if framed == view.treasure:
            canvas.put(stone, (x, y))
    _put_key(canvas, theme, captions, top, aided=treasures is not None)


def _put_count(canvas: Canvas, theme: Theme, captions: Captions, view: View, top: int) -> None:
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is None:
        text, ink, words = "?", theme.pale, captions.text("sheet.unaided")
    else:
        key = "sheet.treasures" if view.truth is None else "sheet.were"
        text, ink, words = str(len(treasures)), theme.rubric, captions.text(key, n=len(treasures))
    canvas.sign(text, (_NUMBER_X, top + 92), _NUMBER, ink)
    for number, line in enumerate(words.split("\n")):
        shown, face = shrunk(line, _WORDS, 190, _LEAST)
        canvas.words(shown, (_NUMBER_X, top + 182 + 38 * number), face, theme.ink, "mm")


def _put_grid(
    canvas: Canvas, theme: Theme, treasures: tuple[Pair, ...] | None, corner: tuple[int, int]
) -> None:
    """Draw a bead where the treasure can be, hatching where not; nothing in the cells if it is not told."""
    (left, top), (wide, high) = corner, _CELL
    for number, card in enumerate(CRAFTS):
        print_emblem(canvas.image, card, (left + number * wide + wide / 2, top - 26), _EMBLEM, theme.ink)
    for row, institution in enumerate(INSTITUTIONS):
        y = top + row * high
        print_emblem(canvas.image, institution, (left - 34, y + high / 2), _EMBLEM, theme.ink)
        for column, craft in enumerate(CRAFTS if treasures is not None else ()):
            x = left + column * wide
            if Pair(institution, craft) in (treasures or ()):
                canvas.fill((x, y), (wide, high), theme.sign)
                canvas.put(bead(theme), (x + wide / 2, y + high / 2))
            else:
                canvas.fill((x, y), (wide, high), mix(theme.laid_chain, theme.laid, 0.2))
                canvas.image.paste(rgb(mix(theme.laid, theme.pale, 0.6)), (x, y), _crossed(wide, high))
    for number in range(6):
        line = 3 if number in {0, 5} else 1
        canvas.fill((left + number * wide - 1, top - 1), (line, 5 * high + 2), theme.ink)
        canvas.fill((left - 1, top + number * high - 1), (5 * wide + 2, line), theme.ink)


@sprite
def _frame(theme: Theme) -> Image.Image:
    size = (_CELL[0] + 14, _CELL[1] + 14)
    image = Image.new("RGBA", size, theme.gilt_edge)
    image.paste(rgb(theme.gilt_lit), (2, 2, size[0] - 2, size[1] - 2))
    image.paste(rgb(theme.gilt_edge), (8, 8, size[0] - 8, size[1] - 8))
    image.paste((0, 0, 0, 0), (9, 9, size[0] - 9, size[1] - 9))
    return image


@sprite
def _crossed(width: int, height: int) -> Image.Image:
    return hatching(3, (width, height), 7, 1).transpose(Image.Transpose.FLIP_LEFT_RIGHT)


@sprite
def bead(theme: Theme) -> Image.Image:
    """Return a bead of Murano glass, the sign of a treasure that is still possible."""
    dark, light = mix(theme.rubric, theme.first, 0.7), mix(theme.rubric, theme.gilt_pale, 0.12)

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 19, dark)
        pen.disc((0, 0), 17.4, mix(theme.rubric, theme.first, 0.25))
        pen.disc((-0.8, -0.8), 16, theme.rubric)
        pen.disc((-2, -2.5), 11.5, light)
        for number in range(6):
            pen.disc(polar(20 + 60 * number, 10.5), 2.6, theme.gilt_pale)
        pen.oval((-6, -9), 4, 3, mix(theme.rubric, "#FFFFFF", 0.75))

    return painted(44, draw)


@sprite
def ring(theme: Theme, size: int) -> Image.Image:
    """Return the ring around a card that is certainly true."""
    builder = SpriteBuilder(size, size, centred=True)
    builder.lay(builder.ring((0, 0), size / 2, 3), theme.rubric)
    return builder.finish()


def _put_key(canvas: Canvas, theme: Theme, captions: Captions, top: int, *, aided: bool) -> None:
    rows: list[tuple[str, Mark | Source, Hand, Colour]] = [
        ("maybe", Mark.MAYBE, Hand.QUILL, theme.first),
        ("false", Mark.FALSE, Hand.QUILL, theme.first),
    ]
    if aided:
        rows += [
            ("sure_true", Mark.TRUE, Hand.QUILL, theme.rubric),
            ("sure_false", Mark.FALSE, Hand.QUILL, theme.rubric),
        ]
    rows.append(("pencil", Mark.TRUE, Hand.PENCIL, theme.pencil))
    rows += [(source.value, source, Hand.QUILL, theme.ink) for source in Source]
    for number, (key, sign, hand, ink) in enumerate(rows):
        at = (_KEY_X + 24, top + _KEY_Y + number * _KEY_PITCH)
        if isinstance(sign, Mark):
            if sign is Mark.TRUE and hand is Hand.QUILL:
                canvas.put(ring(theme, 40), at)
            write(canvas, sign, at, 44, hand, ink, number)
        else:
            print_emblem(canvas.image, sign, at, 36, ink)
        text, face = shrunk(captions.text(f"key.{key}"), _WORDS, 1072 - _KEY_X - 60, _LEAST)
        canvas.words(text, (_KEY_X + 60, at[1] - 1), face, theme.ink)
