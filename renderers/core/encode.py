"""Encoding: a small PNG in a palette that is learned once for each theme, or a JPEG.

A PNG is compressed in slabs of some rows, and a slab that was compressed before comes from a cache: what an
act leaves unchanged costs nothing. See ADR 0035.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import TypeAlias, TypeVar

from PIL import Image

from renderers.core import jpeg
from renderers.core.caches import MIB, Bounded
from renderers.core.deflate import zlib
from renderers.core.jpeg import encode_jpeg
from renderers.core.theme import Colour, Themes, rgb

T = TypeVar("T")

MEDIA_TYPE = "image/png"
RGB: TypeAlias = tuple[int, int, int]
COLOURS = 256
LEVELS = (3, 6, 9)
"""Compression levels: the most efficient one first, harder ones for pictures that are too large."""

LIMIT = 120 * 1024
"""Bytes beyond which a picture is compressed harder."""

RESOURCE = "palettes.json"
"""The file of a package that ships palettes, so that nothing is learned at start-up."""

SLAB = 30
"""Rows of a slab: about half a bird or a piece, so that few slabs change unnecessarily."""

REACH = 4096
"""Bytes before a slab that it may refer to, some four rows: without them a picture grows by a twentieth."""

SLABS: Bounded[bytes] = Bounded(4 * MIB, len)
"""Compressed slabs by a hash of their rows and of those before, and by their level."""


def commonest_colours(
    samples: Iterable[Image.Image], exact: Iterable[RGB], count: int, apart: int
) -> list[RGB]:
    """Return ``count`` colours at most: those of ``exact``, then the commonest of the samples.

    ``apart``: the square of the distance (green counts most, blue more than red) that each keeps from those
    before it. A rare colour of a large area is kept, which the average of many would blend.
    """
    counted: Counter[RGB] = Counter()
    for sample in samples:
        for number, colour in sample.getcolors(sample.width * sample.height) or ():
            if isinstance(colour, tuple):
                counted[colour[0], colour[1], colour[2]] += number
    found = list(exact)[:count]
    # Ties by colour, so that every process finds the same ones.
    for colour, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        if len(found) == count:
            break
        red, green, blue = colour
        if all(2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2 > apart for r, g, b in found):
            found.append(colour)
    return found


def palette_of(colours: Iterable[RGB]) -> Image.Image:
    """Return the palette of these colours, at most :data:`COLOURS` of them."""
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in colours for part in colour][: 3 * COLOURS])
    return holder


def shipped_palette(package: str, themes: Themes[T], theme: T) -> Image.Image:
    """Return the palette that a package ships for a theme; raises ``KeyError`` if it ships none."""
    name = themes.name_of(theme)
    colours = shipped_colours(package, name)
    if not colours:
        raise KeyError(name)
    return palette_of(map(rgb, colours))


def shipped_colours(package: str, theme: str) -> tuple[Colour, ...]:
    """Return the palette of a theme that a package ships as data; nothing if it ships none."""
    data: Mapping[str, list[Colour]] = json.loads(files(package).joinpath(RESOURCE).read_text("ascii"))
    return tuple(data.get(theme, ()))


def colours_of(theme: object) -> tuple[Colour, ...]:
    """Return every colour in a theme: text in it, in its tuples, and in the dataclasses that it holds."""
    if isinstance(theme, str):
        return (theme,)
    if isinstance(theme, tuple):
        return tuple(colour for item in theme for colour in colours_of(item))
    if is_dataclass(theme):
        return tuple(colour for part in fields(theme) for colour in colours_of(getattr(theme, part.name)))
    return ()


def encoded(image: Image.Image, holder: Image.Image | None) -> tuple[bytes, str]:
    """Return bytes and media type: a PNG in the colours of ``holder``, a JPEG if there is none."""
    if holder is None:
        return encode_jpeg(image), jpeg.MEDIA_TYPE
    return encode(image, holder), MEDIA_TYPE


def encode(image: Image.Image, holder: Image.Image) -> bytes:
    """Return ``image`` as a PNG in the colours of ``holder``; equal pixels give equal bytes.

    A ``P`` picture is in these colours already.
    """
    if image.mode != "P":
        image = image.quantize(palette=holder, dither=Image.Dither.NONE)
    tried = (_png(image, level) for level in LEVELS)
    # Levels are tried one by one: most pictures never need a harder one.
    data = next(tried)
    while len(data) > LIMIT and (harder := next(tried, None)) is not None:
        data = harder
    return data


def _png(image: Image.Image, level: int) -> bytes:
    # A PNG has a filter byte before each row: 0, no filter.
    filtered = Image.new("P", (image.width + 1, image.height), 0)
    filtered.paste(image, (1, 0))
    rows, step = filtered.tobytes(), SLAB * filtered.width
    body = b"".join(_slab(rows, at, at + step, level) for at in range(0, len(rows), step))
    # A zlib stream: its header, the slabs, an empty last block, the checksum of all rows.
    stream = b"\x78\x9c" + body + b"\x03\x00" + struct.pack(">I", zlib.adler32(rows))
    indexed = 3
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 8, indexed, 0, 0, 0)),
        (b"PLTE", bytes(image.getpalette() or ())),
        (b"IDAT", stream),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _slab(rows: bytes, start: int, end: int, level: int) -> bytes:
    before = rows[max(0, start - REACH) : start]
    slab = rows[start:end]
    known = hashlib.sha256(before)
    known.update(slab)
    return SLABS.get((known.digest(), len(before), level), lambda: _compressed(before, slab, level))


def _compressed(before: bytes, slab: bytes, level: int) -> bytes:
    # A decoder has unpacked the rows before, so a slab may refer to them. A full flush makes it end on a
    # byte. A memory level above 8 is slower: it does not fit into a processor's cache.
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, 8, zlib.Z_DEFAULT_STRATEGY, before)
    return packer.compress(slab) + packer.flush(zlib.Z_FULL_FLUSH)
