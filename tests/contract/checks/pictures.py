"""Pictures show what their viewer knows: twins' pictures and their words are equal, byte for byte."""

from __future__ import annotations

from typing import Any

from engines.core.contract import Viewer, Words
from engines.core.match import Match
from engines.core.names import POP
from renderers.core.contract import ALT_LIMIT, Renderer, Table

TEXT_LIMIT = 1_800

ENDS = (".", "!", "?")
"""Without them, sentences in a row are read out as one."""


def painted(renderer: Renderer[Any], match: Match, viewer: Viewer, draft: Words) -> list[object]:
    """Return all that a viewer can look at with a draft: bytes, media type, size and words."""
    game, view = match.game, match.view(viewer)
    menu = game.menu(view, draft) if draft or viewer is not None else None
    shown = game.preview(view, draft) if menu is not None else view
    table = Table(tuple(f"Player {seat}" for seat in range(match.setup.seats)))
    found: list[object] = [renderer.text(shown, table)]
    for key, label in renderer.pictures(shown):
        picture = renderer.paint(shown, key, table, draft, menu)
        assert picture.data, "an empty picture"
        assert picture.width > 0
        assert picture.height > 0
        assert 0 < len(picture.alt) <= ALT_LIMIT, "a picture's words are missing or too long"
        assert picture.alt.rstrip(POP).endswith(ENDS), "a picture's words are no whole sentences"
        found += [key, label, picture.data, picture.media_type, picture.width, picture.height, picture.alt]
    return found


def check_pictures(renderer: Renderer[Any], match: Match, viewer: Viewer, draft: Words = ()) -> None:
    """Check that every viewer has a board, and a text for a screen reader."""
    text, *rest = painted(renderer, match, viewer, draft)
    assert "board" in rest, "no board"
    assert 0 < len(str(text)) <= TEXT_LIMIT, "the board's text is missing or too long"


def check_twin_pictures(
    renderer: Renderer[Any], match: Match, other: Match, viewer: Viewer, draft: Words = ()
) -> None:
    """Compare the pictures of a viewer in two truths that it cannot tell apart."""
    one, two = painted(renderer, match, viewer, draft), painted(renderer, other, viewer, draft)
    assert one == two, f"viewer {viewer} sees hidden truth in a picture"
