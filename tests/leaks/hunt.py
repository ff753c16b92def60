"""Searches bytes for a secret, in every shape that could hide it.

Plain, reversed, spread out, in other alphabets (UTF-16, hex, base 32 and 64, JSON and percent escapes),
as an unkeyed digest, compressed, in the chunks and the EXIF data of a picture, in its very pixels.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from urllib.parse import unquote_to_bytes

from PIL import Image

DEPTH = 4
"""Wrappings within wrappings that are opened."""

SHORTEST = 24
"""Characters of a run of base 64 that is opened."""

DIGESTS = ("md5", "sha1", "sha256", "sha512", "blake2b", "blake2s")
PREFIX = 8
"""Bytes of a digest that are looked for: names are often cut."""

_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{%d,}={0,2}" % SHORTEST)
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_GZIP = b"\x1f\x8b\x08"
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF8", b"\xff\xd8\xff")


@cache
def needles(secret: bytes) -> dict[str, bytes]:
    """Return what a secret looks like, by the name of the disguise; all but digests in lower case."""
    found = {
        "plain": secret,
        "reversed": secret[::-1],
        "utf-16": secret.decode("latin-1").encode("utf-16-le"),
        "utf-16 be": secret.decode("latin-1").encode("utf-16-be"),
        "hex": secret.hex().encode(),
        "list of codes": json.dumps(list(secret)).encode()[1:-1],
    }
    for shift in range(3):
        # What stands before shifts the alphabet; the first and last letters depend on the neighbours.
        text = base64.b64encode(b"\0" * shift + secret)
        found[f"base64+{shift}"] = text[
            -(-8 * shift // 6) : len(text) - 4 if (shift + len(secret)) % 3 else None
        ]
    for shift in range(5):
        text = base64.b32encode(b"\0" * shift + secret).rstrip(b"=")
        found[f"base32+{shift}"] = text[-(-8 * shift // 5) : (8 * (shift + len(secret))) // 5]
    for name in DIGESTS:
        digest = hashlib.new(name, secret).digest()[:PREFIX]
        found |= {
            name: digest,
            f"{name} hex": digest.hex().encode(),
            f"{name} 64": base64.b64encode(digest)[:10],
        }
        found[f"{name} 32"] = base64.b32encode(digest)[:12]
    return {name: needle.lower() for name, needle in found.items()}


def traces(blob: bytes, secrets: Iterable[bytes]) -> list[str]:
    """Return where secrets stand in ``blob``: disguise and wrapping, never the secret itself."""
    found: set[str] = set()
    wanted = [(number, needles(secret)) for number, secret in enumerate(secrets)]
    for wrapping, data in opened(blob):
        text = data.lower()
        bare = re.sub(rb"[^a-z0-9]+", b"", text)
        for number, looks in wanted:
            found |= {
                f"secret {number}: {look} {wrapping}" for look, needle in looks.items() if needle in text
            }
            if looks["plain"].isalnum() and looks["plain"] in bare:
                found.add(f"secret {number}: spread out {wrapping}")
    return sorted(found)


def opened(blob: bytes, depth: int = DEPTH, name: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield ``blob`` and all that is wrapped in it, each with the names of its wrappings."""
    yield name, blob
    if depth:
        for kind, inner in _inside(blob):
            if inner and inner != blob:
                yield from opened(inner, depth - 1, f"{name}/{kind}")


def _inside(blob: bytes) -> Iterator[tuple[str, bytes]]:
    if blob.startswith(_PICTURES):
        # Three bytes of anything that was unwrapped may look like the beginning of a picture.
        with suppress(OSError, SyntaxError, ValueError):
            yield from _picture(blob)
    elif b"\\" in blob:
        yield "escapes", _unescaped(blob)
    if b"%" in blob:
        yield "percent", unquote_to_bytes(blob)
    for place in (match.start() for match in _ZLIB.finditer(blob)):
        yield "zlib", _inflated(blob[place:])
    if _GZIP in blob:
        with suppress(OSError, EOFError, zlib.error):
            yield "gzip", gzip.decompress(blob[blob.index(_GZIP) :])
    for match in _BASE64.finditer(blob):
        yield "base64", _decoded(match[0])


def _picture(blob: bytes) -> Iterator[tuple[str, bytes]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        picture = Image.open(io.BytesIO(blob))
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            yield f"pixels {number}", picture.convert("RGB").tobytes()
        yield "exif", repr(dict(picture.getexif())).encode()
        yield "chunks", repr(picture.info).encode()


def _unescaped(blob: bytes) -> bytes:
    """Return the text behind the escapes of JSON and of Python's reprs."""
    return _ESCAPE.sub(lambda found: _character(found[1] or found[2]) if found[3] is None else found[3], blob)


def _character(code: bytes) -> bytes:
    return chr(int(code, 16)).encode("utf-8", "replace")


def _inflated(data: bytes) -> bytes:
    engine = zlib.decompressobj()
    try:
        return engine.decompress(data, 1 << 22)
    except zlib.error:
        return b""


def _decoded(run: bytes) -> bytes:
    text = run.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    return base64.b64decode(text[: len(text) // 4 * 4])
