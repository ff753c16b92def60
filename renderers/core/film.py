"""Moving pictures: frames as an animated WebP, which a chat plays by itself."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PIL import Image

T = TypeVar("T")

MEDIA_TYPE = "image/webp"
WIDTH = 550
"""Pixels: what a chat shows of a board on a large screen."""

LIMIT = 2 << 20
"""Bytes that a moving picture may have."""

REEL_LIMIT = 1 << 20
"""Bytes that the replay of one round may have."""

MOST = 100
"""Frames at most: nobody watches more, and all are in memory at the same time."""

_OPTIONS: Mapping[str, Any] = {"save_all": True, "loop": 0, "method": 0, "kmin": 9, "kmax": 60}
"""How a WebP is written: for ever, quickly, and with a whole frame now and then."""
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


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a replay, and how many milliseconds it stays."""

    image: Image.Image = field(repr=False)
    ms: int


def film(frames: Sequence[Image.Image], limit: int = LIMIT) -> bytes:
    """Return frames of one size as an animated WebP of at most ``limit`` bytes; equal frames, equal bytes.

    What does not fit is encoded more coarsely, then with fewer frames. Raises ``ValueError`` for no
    frame, and where not even two frames fit.
    """
    last = len(frames) - 1
    stays = [LAST_MS if n == last else FRAME_MS if n else FIRST_MS for n in range(len(frames))]
    return reel([Frame(image, ms) for image, ms in zip(frames, stays, strict=True)], limit)


def reel(frames: Sequence[Frame], limit: int = REEL_LIMIT) -> bytes:
    """Return frames of one size, each as long as it stays, as :func:`film` does. Raises as it does."""
    if not frames:
        raise ValueError("a film has frames")
    shown, size = list(frames), 0
    while True:
        for quality in QUALITIES:
            out = io.BytesIO()
            others = [frame.image for frame in shown[1:]]
            stays = [frame.ms for frame in shown]
            shown[0].image.save(
                out, "WEBP", append_images=others, duration=stays, quality=quality, **_OPTIONS
            )
            size = len(out.getbuffer())
            if size <= limit:
                return out.getvalue()
        if len(shown) <= 2:
            raise ValueError(f"two frames do not fit into {limit} bytes")
        # Fewer frames, in proportion to what is too much, and at least one fewer.
        shown = spread(shown, max(2, min(len(shown) - 1, len(shown) * limit // size)))
