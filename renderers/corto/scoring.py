"""The treasure count: who has won, and where every seat's gold comes from."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import ADVENTURES, View
from renderers.core.caches import scene
from renderers.core.canvas import Canvas
from renderers.core.type import Weight, sans
from renderers.core.voice import Voice
from renderers.corto import art
from renderers.corto.bands import flat
from renderers.corto.boxes import box, caps, shrunk
from renderers.corto.layout import INNER, MARGIN, WIDTH
from renderers.corto.ledger import height, lines, put_table
from renderers.corto.story import ask
from renderers.corto.theme import Theme

_TOP = 300
_WON = sans(36, Weight.BOLD)
_GROUP = sans(30, Weight.SEMIBOLD)
_WHO = sans(30, Weight.BOLD)
_LINE = 44


def scoring(view: View, theme: Theme, voice: Voice) -> Image.Image:
    """Return the page of the count, best seats first."""
    order = ranked(view)
    high = height(len(lines(voice, view)), ties=True)
    told = groups_in_words(voice, view, order)
    canvas = Canvas(Image.new("RGB", (WIDTH, _TOP + high + 36 + _LINE * len(told)), theme.paper))
    canvas.image.paste(_panel(theme, view.strips), (0, 0))
    caps(canvas, voice.say("scoring.title"), (MARGIN + 40, 66), 92, theme.ink)
    canvas.put(art.figurine("corto", 196, theme), (WIDTH - 210, 146))
    canvas.put(art.figurine("rasputin", 196, theme), (WIDTH - 100, 146))
    box(canvas, (MARGIN + 26, 156, 700, 66), theme.box, theme.ink, 3, theme.ink)
    text, face = shrunk(ask(voice, view), _WON, 668, 26)
    canvas.words(text, (MARGIN + 42, 188), face, theme.ink)
    best = frozenset(view.ranks[0] if view.ranks is not None else ())
    put_table(canvas, theme, voice, view, (MARGIN, _TOP - 28, INNER - 4), order, best, ties=True)
    y = _TOP - 28 + high + 40
    for seat, line in told:
        canvas.put(art.marker(view.players[seat].colour, None, 36, theme), (MARGIN + 28, y))
        canvas.words(shrunk(line, _GROUP, INNER - 80, 26)[0], (MARGIN + 58, y), shrunk(line, _GROUP, INNER - 80, 26)[1], theme.ink)
        y += _LINE
    return flat(theme, canvas.image)


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
            told = [voice.say("scoring.group", squares=" ".join(group.squares), gold=group.gold) for group in own]
            found.append((seat, " · ".join(told)))
    return found


@scene
def _panel(theme: Theme, strips: tuple[str, ...]) -> Image.Image:
    """Return the panel behind the title: the landscape of the first strip, framed."""
    canvas = Canvas(Image.new("RGB", (WIDTH, _TOP), theme.paper))
    canvas.fill((MARGIN - 3, 9), (INNER + 6, 240), theme.ink)
    view = art.panorama(ADVENTURES[strips[0]], INNER, 234, theme)
    canvas.image.paste(view, (MARGIN, 12))
    return canvas.image
