"""Moving pictures: frames as an animated WebP, which a chat plays by itself."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PIL import Image

from renderers.core.deflate import zlib

T = TypeVar("T")

MEDIA_TYPE = "image/webp"
WIDTH = 550
"""Pixels at which a chat shows a board on a large screen."""

LIMIT = 2 << 20
"""Bytes that a moving picture may have."""

REEL_LIMIT = 1 << 20
"""Bytes that the replay of one round may have."""

MOST = 100
"""Frames at most: nobody watches more."""

PACKING = 1
"""Compression level of frames while they wait in memory: the fastest."""

_OPTIONS: Mapping[str, Any] = {"save_all": True, "loop": 0, "method": 0, "kmin": 9, "kmax": 60}
"""How a WebP is written: in an endless loop, quickly, and with a whole frame now and then."""
QUALITIES = (75, 60, 45, 30)
FIRST_MS, FRAME_MS, LAST_MS = 1_500, 900, 6_000
"""How long the first frame, each further one and the last one stay, before the film restarts."""


def spread(items: Sequence[T], most: int = MOST) -> list[T]:
    """Return at most ``most`` of ``items``, two or more, evenly spread, from the first to the last."""
    if len(items) <= most:
        return list(items)
    step = (len(items) - 1) / (most - 1)
    return [items[round(number * step)] for number in range(most)]


def frame(image: Image.Image, width: int = WIDTH) -> Image.Image:
    """Return a picture in RGB, in the size of a frame."""
    height = round(image.height * width / image.width)
    return image.convert("RGB").resize((width, height), Image.Resampling.BOX)


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a replay, and how many milliseconds it stays."""

    image: Image.Image = field(repr=False)
    ms: int


class _Roll(Image.Image):
    """Frames of one size, packed: a hundred of them as pixels would fill 140 MiB.

    To Pillow it is a picture of many frames, like one read from a file: each is unpacked on request.
    """

    def __init__(self, packed: Sequence[bytes], size: tuple[int, int]) -> None:
        super().__init__()
        self._packed = packed
        self._mode, self._size = "RGB", size
        self.n_frames = len(packed)
        self.seek(0)

    def seek(self, frame: int) -> None:
        """Show a frame; raises ``IndexError`` if there is none."""
        self.im = Image.frombytes("RGB", self._size, zlib.decompress(self._packed[frame])).im
        self._at = frame

    def tell(self) -> int:
        """Return which frame is shown."""
        return self._at


def film(frames: Iterable[Image.Image], limit: int = LIMIT) -> bytes:
    """Return frames of one size as an animated WebP of at most ``limit`` bytes; equal frames, equal bytes.

    If it does not fit, it is encoded more coarsely, then with fewer frames. Raises ``ValueError`` for no
    frame, or if not even two frames fit. Frames are taken one by one, and none is kept uncompressed.
    """
    packed, size = _pack(frames)
    last = len(packed) - 1
    stays = [LAST_MS if n == last else FRAME_MS if n else FIRST_MS for n in range(len(packed))]
    return _encoded(packed, stays, size, limit)


def reel(frames: Iterable[Frame], limit: int = REEL_LIMIT) -> bytes:
    """Return frames of one size, each with its own time, as :func:`film` does. Raises as it does."""
    stays: list[int] = []

    def images() -> Iterator[Image.Image]:
        for each in frames:
            stays.append(each.ms)
            yield each.image

    packed, size = _pack(images())
    return _encoded(packed, stays, size, limit)


def _pack(images: Iterable[Image.Image]) -> tuple[list[bytes], tuple[int, int]]:
    packed: list[bytes] = []
    size = (0, 0)
    for image in images:
        size = image.size
        packed.append(zlib.compress(image.convert("RGB").tobytes(), PACKING))
    if not packed:
        raise ValueError("a film has frames")
    return packed, size


def _encoded(packed: Sequence[bytes], stays: Sequence[int], size: tuple[int, int], limit: int) -> bytes:
    shown, taken = [*zip(packed, stays, strict=True)], 0
    while True:
        for quality in QUALITIES:
            out = io.BytesIO()
            roll = _Roll([each for each, _ in shown], size)
            roll.save(out, "WEBP", duration=[ms for _, ms in shown], quality=quality, **_OPTIONS)
            taken = len(out.getbuffer())
            if taken <= limit:
                return out.getvalue()
        if len(shown) <= 2:
            raise ValueError(f"two frames do not fit into {limit} bytes")
        # Fewer frames, in proportion to the excess, and at least one fewer.
        shown = spread(shown, max(2, min(len(shown) - 1, len(shown) * limit // taken)))
