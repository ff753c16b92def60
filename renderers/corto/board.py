"""The public page: head, strips, players."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import View
from renderers.core.captions import Voice
from renderers.corto.bands import pile
from renderers.corto.head import head
from renderers.corto.looks import looks
from renderers.corto.players import players
from renderers.corto.strips import public_strip
from renderers.corto.theme import Theme


def board(view: View, theme: Theme, voice: Voice) -> Image.Image:
    """Return the page that everybody sees."""
    discard = voice.say("board.discard")
    strips = [public_strip(theme, look, discard) for look in looks(view)]
    return pile(theme, [head(theme, voice, view), *strips, players(theme, voice, view)])
