"""The painter of Odds and Evens: two hands, and the rounds so far."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Msg, Seat, msg
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions, description
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.core.type import sans, serif
from tests.kit.odds.engine.view import SEATS, View
from tests.kit.odds.renderer.theme import THEMES, Theme

WIDTH, HEIGHT = 1100, 520
_NAME, _SIGN, _WORDS = serif(48), serif(200), sans(34)


class OddsPainter(Painter[View]):
    """One picture: each side's score, the last round, and the viewer's own fingers."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return the board, which shows a player the own fingers too."""
        return (("board", msg("picture.board")),)

    def image(self, order: Order[View]) -> Image.Image:
        """Return the two hands."""
        theme, captions = THEMES.choose(order.table.theme), self.captions(order.table)
        canvas = Canvas(Image.new("RGB", (WIDTH, HEIGHT), theme.ground))
        for seat in SEATS:
            _paint_side(canvas, order.view, seat, theme, captions)
        return canvas.image

    def palette(self, theme: str) -> None:
        """Return no palette: the pictures are encoded as JPEG."""

    def describe(self, order: Order[View]) -> str:
        """Return the picture in words."""
        return description(_sentences(order.view, self.captions(order.table)))

    def text(self, view: View, table: Table) -> str:
        """Return the same as plain text."""
        return "\n".join(_sentences(view, self.captions(table)))


RENDERER = OddsPainter()


def _paint_side(canvas: Canvas, view: View, seat: Seat, theme: Theme, captions: Captions) -> None:
    """Write one side's half: the name, what it shows, its score."""
    x, colour = WIDTH * (0.25 + seat / 2), theme.sides[seat].cloth
    canvas.fill((seat * WIDTH // 2, HEIGHT - 40), (WIDTH // 2, 40), colour)
    canvas.words(captions.painted_name(seat, _NAME, WIDTH // 2 - 40), (x, 70), _NAME, colour, "mm")
    canvas.words(_sign(view, seat), (x, 240), _SIGN, theme.ink, "mm")
    canvas.words(captions.text("score", n=view.public.scores()[seat]), (x, 420), _WORDS, theme.ink, "mm")


def _sign(view: View, seat: Seat) -> str:
    """Return what a hand shows: own fingers, a closed fist, or those of the last round."""
    if view.viewer == seat and view.fingers.own:
        return str(view.fingers.own)
    if seat in view.fingers.ready:
        return "?"
    return str(view.public.rounds[-1][seat]) if view.public.rounds else "–"


def _sentences(view: View, captions: Captions) -> list[str]:
    (even, odd), (first, second) = map(captions.plain_name, SEATS), view.public.scores()
    said = [captions.text("stands", even=even, odd=odd, first=first, second=second)]
    said += [captions.text("is_ready", name=captions.plain_name(seat)) for seat in sorted(view.fingers.ready)]
    if view.fingers.own:
        said.append(captions.text("own", n=view.fingers.own))
    if view.public.rounds:
        said.append(captions.text("last", first=view.public.rounds[-1][0], second=view.public.rounds[-1][1]))
    return said
