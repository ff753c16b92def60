"""Moving pictures: the frames of a match as one animated WebP that a chat shows by itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TypeVar

from PIL import Image

T = TypeVar("T")

MEDIA_TYPE = "image/webp"
WIDTH = 550
"""Pixels: what a chat shows of a board on a large screen."""

LIMIT = 2 << 20
"""Bytes that a moving picture may have."""

MOST = 100
"""Frames at most: more nobody watches, and all are in memory together."""

QUALITIES = (75, 60, 45, 30)
FIRST_MS, FRAME_MS, LAST_MS = 1_500, 900, 6_000
"""How long a frame stays; the last one is held before the picture begins anew."""


def spread(items: Sequence[T], most: int = MOST) -> list[T]:
    """Return at most ``most`` of ``items``, two or more, evenly spread, from the first to the last."""
    if len(items) <= most:
        return list(items)
    step = (len(items) - 1) / (most - 1)
    return [items[round(number * step)] for number in range(most)]


def frame(image: Image.Image, width: int = WIDTH) -> Image.Image:
    """Return a picture in the size of a frame."""
    height = round(image.height * width / image.width)
    return image.convert("RGB").resize((width, height), Image.Resampling.BOX)


def film(frames: Sequence[Image.Image], limit: int = LIMIT) -> bytes:
    """Return frames of one size as an animated WebP of at most ``limit`` bytes; equal frames, equal bytes.

    What does not fit is encoded more coarsely, then with fewer frames. Raises ``ValueError`` for no
    frame, and where not even two frames fit.
    """
    if not frames:
        raise ValueError("a film has frames")
    shown, size = list(frames), 0
    while True:
        for quality in QUALITIES:
            data = _encoded(shown, quality)
            if len(data) <= limit:
                return data
            size = len(data)
        if len(shown) <= 2:
            raise ValueError(f"two frames do not fit into {limit} bytes")
        shown = spread(shown, max(2, min(len(shown) - 1, len(shown) * limit // size)))


def _encoded(frames: Sequence[Image.Image], quality: int) -> bytes:
    durations = [FRAME_MS] * len(frames)
    durations[0], durations[-1] = FIRST_MS, LAST_MS
    out = io.BytesIO()
    frames[0].save(
        out,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        quality=quality,
        method=0,
        kmin=9,
        kmax=60,
    )
    return out.getvalue()
