"""The search finds a secret in every disguise, and nothing where there is nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable
from urllib.parse import quote

import pytest
from PIL import Image, PngImagePlugin

from tests.leaks.hunt import traces

WORD = "kzbwrdtmv"
SECRET = WORD.encode()


def png(word: str = "", *, pixels: bool = False, compressed: bool = False, exif: bool = False) -> bytes:
    image = Image.new("RGB", (8, 8), "white")
    if pixels:
        image.frombytes(word.encode().ljust(192, b"\0"))
    notes = PngImagePlugin.PngInfo()
    if compressed:
        notes.add_text("note", word, zip=True)
    data = Image.Exif()
    if exif:
        data[0x9286] = word
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=notes, exif=data)
    return out.getvalue()


def lossless(word: str) -> bytes:
    image = Image.new("RGB", (8, 8))
    image.frombytes(word.encode().ljust(192, b"\0"))
    out = io.BytesIO()
    image.save(out, "WEBP", lossless=True)
    return out.getvalue()


HIDINGS: dict[str, Callable[[], bytes]] = {
    "plain": lambda: b"a " + SECRET + b" b",
    "capitals": SECRET.upper,
    "reversed": lambda: SECRET[::-1],
    "spelt": lambda: " ".join(WORD).encode(),
    "repr": lambda: repr(("x", WORD)).encode(),
    "json escapes": lambda: "".join(f"\\u{ord(c):04x}" for c in WORD).encode(),
    "percent": lambda: "".join(f"%{ord(c):02X}" for c in WORD).encode() + quote("ü").encode(),
    "utf-16": lambda: WORD.encode("utf-16"),
    "hex": lambda: SECRET.hex().upper().encode(),
    "codes": lambda: json.dumps(list(SECRET)).encode(),
    "base64": lambda: base64.b64encode(b"so" + SECRET + b"and"),
    "long base64": lambda: base64.urlsafe_b64encode(b"a long text with a word " + SECRET + b" in it"),
    "base32": lambda: base64.b32encode(b"now" + SECRET + b"on"),
    "digest": f"view-{hashlib.sha256(SECRET).hexdigest()[:16]}.png".encode,
    "zlib": lambda: b"xyz" + zlib.compress(SECRET * 2) + b"xyz",
    "gzip": lambda: b"xyz" + gzip.compress(SECRET),
    "twice": lambda: base64.b64encode(zlib.compress(b"a long enough text to be seen " + SECRET)),
    "pixels": lambda: png(WORD, pixels=True),
    "compressed chunk": lambda: png(WORD, compressed=True),
    "exif": lambda: png(WORD, exif=True),
    "webp": lambda: lossless(WORD),
}


@pytest.mark.parametrize("name", HIDINGS)
def test_a_hidden_word_is_found(name: str) -> None:
    assert traces(HIDINGS[name](), [b"another", SECRET])


@pytest.mark.parametrize("name", HIDINGS)
def test_another_word_is_not(name: str) -> None:
    assert traces(HIDINGS[name](), [b"bwnnrtdkv"]) == []


@pytest.mark.parametrize("before", range(6))
@pytest.mark.parametrize("encode", [base64.b64encode, base64.b32encode])
def test_it_is_found_wherever_it_begins(before: int, encode: Callable[[bytes], bytes]) -> None:
    assert traces(encode(b"x" * before + SECRET + b"yz"), [SECRET])


def test_a_trace_does_not_say_the_secret() -> None:
    assert WORD not in str(traces(SECRET, [SECRET]))
