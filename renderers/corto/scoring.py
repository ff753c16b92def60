"""The treasure count: who has won, and where every seat's gold comes from."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import Figurine, View
from renderers.core.caches import scene
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.type import Weight, comic, sans
from renderers.corto import art
from renderers.corto.bands import flat
from renderers.corto.boxes import box, caps, shrunk
from renderers.corto.counters import counter
from renderers.corto.layout import INNER, MARGIN, WIDTH
from renderers.corto.ledger import Grid, height, lines, put_table
from renderers.corto.story import ask
from renderers.corto.theme import Theme

_TOP = 300
_TITLE = 88
_HEAP = ((-92, 0), (92, 4), (-46, 6), (46, 2), (0, 8), (-70, -24), (70, -20), (-24, -18), (24, -22))
"""Where the coins of the treasure lie, from the middle of its foot."""
_WON = sans(36, Weight.BOLD)
_GROUP = sans(30, Weight.SEMIBOLD)
_LINE = 44


def scoring(view: View, theme: Theme, voice: Voice) -> Image.Image:
    """Return the page of the count, best seats first."""
    order = ranked(view)
    high = height(len(lines(voice, view)), ties=True)
    told = groups_in_words(voice, view, order)
    canvas = Canvas(Image.new("RGB", (WIDTH, _TOP + high + 36 + _LINE * len(told)), theme.paper))
    canvas.image.paste(_panel(theme, view.strips), (0, 0))
    _put_title(canvas, theme, voice.say("scoring.title"), ask(voice, view))
    best = frozenset(view.ranks[0] if view.ranks is not None else ())
    grid = Grid(MARGIN, _TOP - 28, INNER - 4, order, best, ties=True)
    put_table(canvas, theme, voice, view, grid)
    for number, (seat, line) in enumerate(told):
        y = grid.top + high + 40 + number * _LINE
        canvas.put(counter(theme, view.players[seat].colour, None, 36), (MARGIN + 28, y))
        text, face = shrunk(line, _GROUP, INNER - 80, 26)
        canvas.words(text, (MARGIN + 58, y), face, theme.ink)
    return flat(theme, canvas.image)


def _put_title(canvas: Canvas, theme: Theme, title: str, result: str) -> None:
    """Letter the title over the landscape, and below it how the match ended."""
    wide = round(comic(_TITLE).width(title)) + 60
    box(canvas, (MARGIN + 26, 32, wide, 104), theme.card, theme.ink, 4, theme.ink)
    caps(canvas, title, (MARGIN + 54, 84), _TITLE, theme.ink)
    box(canvas, (MARGIN + 26, 164, 700, 62), theme.box, theme.ink, 3, theme.ink)
    text, face = shrunk(result, _WON, 668, 26)
    canvas.words(text, (MARGIN + 42, 194), face, theme.ink)


def ranked(view: View) -> tuple[Seat, ...]:
    """Return the seats, best first; while the match runs in their order."""
    if view.ranks is None:
        return tuple(player.seat for player in view.players)
    return tuple(seat for place in view.ranks for seat in place)


def groups_in_words(voice: Voice, view: View, order: tuple[Seat, ...]) -> list[tuple[Seat, str]]:
    """Return for each seat that has groups which squares they are, the largest first."""
    found = []
    for seat in order:
        own = sorted((group for group in view.groups if group.seat == seat), key=lambda g: not g.largest)
        if own:
            told = [
                voice.say("scoring.group", squares=" ".join(group.squares), n=group.gold) for group in own
            ]
            found.append((seat, " · ".join(told)))
    return found


@scene
def _panel(theme: Theme, strips: tuple[str, ...]) -> Image.Image:
    """Return the panel behind the title: the landscape of the first strip, framed."""
    canvas = Canvas(Image.new("RGB", (WIDTH, _TOP), theme.paper))
    canvas.fill((MARGIN - 3, 9), (INNER + 6, 240), theme.ink)
    view = art.panorama(strips[0], INNER, 234, theme)
    canvas.image.paste(view, (MARGIN, 12))
    for figure, x in ((Figurine.CORTO, WIDTH - 226), (Figurine.RASPUTIN, WIDTH - 116)):
        canvas.put(art.figurine(figure, 204, theme), (x, 128))
    for x, y in sorted(_HEAP, key=lambda at: at[1]):
        canvas.put(art.piece("gold", 46, theme), (WIDTH - 171 + x, 222 + y))
    canvas.put(art.piece("ingot", 36, theme), (WIDTH - 300, 226))
    return canvas.image
