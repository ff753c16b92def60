"""Keyed randomness: every draw has a key of its own, so that one more draw shifts no other.

A match has 32 secret bytes. Each draw is labelled (with the step at which it happens, and what
it is for) and gets the HMAC-SHA-256 stream of its label. The same seed and labels give the same
draws on every Python and every ``PYTHONHASHSEED``.

The seed itself is mixed from a part that the house draws and ids that come from others. The house publishes
the part's hash before anybody joins, so it cannot change the part; it learns the ids only afterwards, so it
cannot choose the result. Anybody can check both with the usual tools:

    printf 'bauta-shuffle-1 PART' | sha256sum
    printf '["bauta-shuffle-1","ID","ID"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:PART
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, MutableSequence, Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Label: TypeAlias = str | int

SEED_BYTES = 32

_SHUFFLE = "bauta-shuffle-1"
"""Separates the hashes of a shuffle from all others."""


class Rng:
    """A secret key that labelled streams and further keys are derived from."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes")
        self._key = key

    def __repr__(self) -> str:
        return "<Rng>"

    @classmethod
    def of_match(cls, seed: bytes) -> Rng:
        """Return the randomness that a match itself uses."""
        return cls(seed).child("match")

    def child(self, *labels: Label) -> Rng:
        """Return independent randomness for ``labels``: nothing drawn there shifts anything here."""
        return Rng(self._digest(b"child", labels))

    def stream(self, *labels: Label) -> Stream:
        """Return the stream of draws for ``labels``; the same labels give the same stream again."""
        return Stream(self._digest(b"stream", labels))

    def secret(self, *labels: Label) -> bytes:
        """Return 32 bytes derived for ``labels``, such as the key of the digests."""
        return self._digest(b"secret", labels)

    def _digest(self, kind: bytes, labels: tuple[Label, ...]) -> bytes:
        encoded = bytearray(kind + b"|")
        for label in labels:
            # Type and length before each text: no two lists of labels are encoded alike.
            text = str(label).encode()
            encoded += b"%b%d:" % (b"i" if isinstance(label, int) else b"s", len(text)) + text
        return hmac.digest(self._key, encoded, hashlib.sha256)


class Stream:
    """Draws without bias from one labelled stream."""

    __slots__ = ("_words",)

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def __repr__(self) -> str:
        return "<Stream>"

    def below(self, n: int) -> int:
        """Return a number in ``0 <= x < n``, uniformly; raises ``ValueError`` unless 0 < n <= 2**32."""
        if not 0 < n <= 1 << 32:
            raise ValueError("below() needs 0 < n <= 2**32")
        limit = (1 << 32) - (1 << 32) % n
        # Words beyond the last whole multiple of n would make small numbers likelier.
        while (word := next(self._words)) >= limit:
            pass
        return word % n

    def chance(self, num: int, den: int) -> bool:
        """Return true with probability ``num / den``."""
        return self.below(den) < num

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``; raises ``ValueError`` for none."""
        if not items:
            raise ValueError("there is nothing to choose from")
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put ``items`` into a random order (Fisher-Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return ``items`` in a random order."""
        copy = list(items)
        self.shuffle(copy)
        return tuple(copy)


def _words(key: bytes) -> Iterator[int]:
    """Yield 32-bit words: HMAC-SHA-256 of a counter, eight words per block."""
    block = 0
    while True:
        digest = hmac.digest(key, block.to_bytes(8, "big"), hashlib.sha256)
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def commitment(seed: bytes) -> str:
    """Return the hash of a seed that is published before the match: SHA-256, 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


def part_hash(part: bytes) -> str:
    """Return the hash of a part that is published before anybody joins: SHA-256, 64 hex digits."""
    return hashlib.sha256(f"{_SHUFFLE} {part.hex()}".encode()).hexdigest()


def mixed_seed(part: bytes, ids: Sequence[str]) -> bytes:
    """Return the seed mixed from a part and ids, in their order; raises ``ValueError``."""
    if len(part) != SEED_BYTES:
        raise ValueError(f"a part has {SEED_BYTES} bytes")
    # As JSON, so that no two lists of ids are encoded alike.
    message = json.dumps([_SHUFFLE, *ids], separators=(",", ":"))
    return hmac.digest(part, message.encode(), hashlib.sha256)
