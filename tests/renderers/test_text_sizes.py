"""No text is smaller than nine pixels where a chat shows a picture: on a desktop, or on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PIL import ImageDraw

from bench.reading.sets import SIZES
from renderers.core.caches import WORDS, keep_on_disk
from renderers.core.sprite_builder import SpriteBuilder
from tests.kit.painted_once import painted_anew
from tests.kit.samples import MORE
from tests.renderers.looks import LOOKS, named

LEAST = 9
"""Pixels of a chat, of what style sheets call the size of a font."""

GAMES = ("volt", "volto", "volo", "doge")

LONG = frozenset({("doge_sheet_long", "desktop")})
"""A sheet with more clues than fit beside each other is two sheets high, and a desktop shows it small."""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, float]]]:
    """Yield what is written from now on, each text with the size of its font in pixels of a picture."""
    found: list[tuple[str, float]] = []
    scale = [1]
    write, word = ImageDraw.ImageDraw.text, SpriteBuilder.word

    def noted(self: Any, xy: Any, text: str, *args: Any, **more: Any) -> None:
        found.append((text, more["font"].size / scale[-1]))
        write(self, xy, text, *args, **more)

    def enlarged(self: Any, *args: Any) -> Any:
        # A sprite is drawn larger than it is put.
        scale.append(self._reduce)
        try:
            return word(self, *args)
        finally:
            scale.pop()

    keep_on_disk(None)
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    monkeypatch.setattr(SpriteBuilder, "word", enlarged)
    # What is kept is not written again.
    with painted_anew():
        yield found


@pytest.mark.parametrize("game", GAMES)
def test_text_is_large_enough_where_a_chat_shows_it(game: str, written: list[tuple[str, float]]) -> None:
    small: list[tuple[str, str, str, float]] = []
    for name in [name for name in LOOKS if name.partition("_")[0] == game][:: 1 if MORE > 1 else 5]:
        before = len(written)
        WORDS.clear()  # all but what is on sprites is written for each look
        width, height = named(name).image().size
        assert len(written) > before, f"{name}: nothing is written"
        for place, (most_wide, most_high) in SIZES.items():
            share = min(1, most_wide / width, most_high / height)
            small += [
                (name, place, text, size * share)
                for text, size in written[before:]
                if (name, place) not in LONG and size * share < LEAST
            ]
    assert not small
