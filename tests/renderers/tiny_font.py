"""A font of a few blocks, made here: it stands for one that a distribution brings."""

from __future__ import annotations

import struct
from pathlib import Path

EM, HIGH = 1000, 800


def write_font(path: Path, characters: str, *, family: str = "Tiny", style: str = "Regular") -> Path:
    """Write a TrueType font in which each of ``characters`` is a block, each of another width."""
    codes = sorted(set(map(ord, characters)))
    # The first glyph is the one for what is missing.
    glyphs = [_block(300, 100), *(_block(820 - 20 * number, HIGH) for number in range(len(codes)))]
    offsets = [0]
    for glyph in glyphs:
        offsets.append(offsets[-1] + len(glyph))
    count = len(glyphs)
    tables = {
        "OS/2": struct.pack(
            ">HhHHHhhhhhhhhhhh10s4L4sHHHhhhHH",
            *(
                0,
                900,
                400,
                5,
                0,
                650,
                600,
                0,
                75,
                650,
                600,
                0,
                350,
                50,
                300,
                0,
                bytes(10),
                0,
                0,
                0,
                0,
                b"TINY",
            ),
            *(64, codes[0] & 0xFFFF, codes[-1] & 0xFFFF, HIGH, -200, 0, HIGH, 200),
        ),
        "cmap": _cmap(codes),
        "glyf": b"".join(glyphs),
        "head": struct.pack(
            ">LLLLHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, EM, 0, 0, 0, 0, EM, HIGH, 0, 8, 2, 1, 0
        ),
        "hhea": struct.pack(
            ">LhhhHhhhhhhhhhhhH", 0x10000, HIGH, -200, 0, EM, 0, 0, EM, 1, 0, *[0] * 6, count
        ),
        "hmtx": b"".join(struct.pack(">Hh", 900, 0) for _ in glyphs),
        "loca": b"".join(struct.pack(">L", offset) for offset in offsets),
        "maxp": struct.pack(">LHHHHHHHHHHHHHH", 0x10000, count, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
        "name": _names(family, style),
        "post": struct.pack(">LLhhLLLLL", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    found, data, at = b"", b"", 12 + 16 * len(tables)
    for tag, table in tables.items():
        found += struct.pack(">4sLLL", tag.encode(), 0, at + len(data), len(table))
        data += table + bytes(-len(table) % 4)
    path.write_bytes(struct.pack(">LHHHH", 0x10000, len(tables), 128, 3, 32) + found + data)
    return path


def _block(width: int, height: int) -> bytes:
    """Return the outline of a box."""
    corners = ((50, 0), (50, height), (width, height), (width, 0))
    steps = [(x - px, y - py) for (px, py), (x, y) in zip(((0, 0), *corners), corners, strict=False)]
    glyph = struct.pack(">hhhhhHH", 1, 50, 0, width, height, 3, 0) + bytes([1] * 4)
    glyph += b"".join(struct.pack(">h", x) for x, _ in steps) + b"".join(
        struct.pack(">h", y) for _, y in steps
    )
    return glyph + bytes(-len(glyph) % 4)


def _cmap(codes: list[int]) -> bytes:
    groups = b"".join(struct.pack(">LLL", code, code, number) for number, code in enumerate(codes, 1))
    table = struct.pack(">HHLLL", 12, 0, 16 + len(groups), 0, len(codes)) + groups
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table


def _names(family: str, style: str) -> bytes:
    texts = [(1, family.encode("utf-16-be")), (2, style.encode("utf-16-be"))]
    records, data = b"", b""
    for key, text in texts:
        records += struct.pack(">HHHHHH", 3, 1, 0x409, key, len(text), len(data))
        data += text
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + data
