"""The painter of the example: two hands, and the rounds so far."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Msg, msg
from engines.core.texts import load
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice, description
from renderers.core.contract import Key, Table
from renderers.core.painter import Order, Painter
from renderers.core.type import sans, serif
from tests.newcomer.engine.view import View
from tests.newcomer.renderer.theme import THEMES, Theme

WIDTH, HEIGHT = 1100, 520
_NAME, _SIGN, _WORDS = serif(48), serif(200), sans(34)


class OddsPainter(Painter[View]):
    """One picture: each side's score, the last round, and the viewer's own fingers."""

    def pictures(self, view: View) -> tuple[tuple[Key, Msg], ...]:
        """Return the board, which shows a player the own fingers too."""
        return (("board", msg("picture.board")),)

    def image(self, order: Order[View]) -> Image.Image:
        """Return the two hands."""
        theme, voice = THEMES.choose(order.table.theme), Voice(load(_PACKAGE), order.table)
        canvas = Canvas(Image.new("RGB", (WIDTH, HEIGHT), theme.ground))
        for seat in (0, 1):
            _put_side(canvas, order.view, seat, theme, voice)
        return canvas.image

    def palette(self, theme: str) -> None:
        """Return no palette: pictures are encoded as WebP."""

    def describe(self, order: Order[View]) -> str:
        """Return the picture in words."""
        return description(_sentences(order.view, Voice(load(_PACKAGE), order.table)))

    def text(self, view: View, table: Table) -> str:
        """Return the same as plain text."""
        return "\n".join(_sentences(view, Voice(load(_PACKAGE), table)))


_PACKAGE = __name__
RENDERER = OddsPainter()


def _put_side(canvas: Canvas, view: View, seat: int, theme: Theme, voice: Voice) -> None:
    """Write one side's half: the name, what it shows, its score."""
    x, colour = WIDTH * (0.25 + seat / 2), theme.sides[seat].cloth
    canvas.fill((seat * WIDTH // 2, HEIGHT - 40), (WIDTH // 2, 40), colour)
    canvas.words(voice.painted(seat, _NAME, WIDTH // 2 - 40), (x, 70), _NAME, colour, "mm")
    canvas.words(_sign(view, seat), (x, 240), _SIGN, theme.ink, "mm")
    canvas.words(voice.say("score", n=view.public.scores()[seat]), (x, 420), _WORDS, theme.ink, "mm")


def _sign(view: View, seat: int) -> str:
    """Return what a hand shows: own fingers, a closed fist, or those of the last round."""
    if view.viewer == seat and view.own:
        return str(view.own)
    if view.public.ready[seat]:
        return "?"
    return str(view.public.rounds[-1][seat]) if view.public.rounds else "–"


def _sentences(view: View, voice: Voice) -> list[str]:
    scores = view.public.scores()
    said = [
        voice.say("stands", even=voice.spoken(0), odd=voice.spoken(1), first=scores[0], second=scores[1]),
        *(voice.say("is_ready", name=voice.spoken(seat)) for seat in (0, 1) if view.public.ready[seat]),
    ]
    if view.own:
        said.append(voice.say("own", n=view.own))
    if view.public.rounds:
        said.append(voice.say("last", first=view.public.rounds[-1][0], second=view.public.rounds[-1][1]))
    return said
