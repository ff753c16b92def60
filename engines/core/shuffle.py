"""The seed of a match, mixed from a part that the house draws and ids that come from others.

The house publishes the part's hash before anybody joins, so it cannot change the part; it learns the ids only
afterwards, so it cannot choose the result. Anybody can check both with the usual tools:

    printf 'bauta-shuffle-1 PART' | sha256sum
    printf '["bauta-shuffle-1","ID","ID"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:PART
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence

from engines.core.rng import SEED_BYTES

_DOMAIN = "bauta-shuffle-1"


def part_hash(part: bytes) -> str:
    """Return the hash of a part that is published before anybody joins: SHA-256, 64 hex digits."""
    return hashlib.sha256(f"{_DOMAIN} {part.hex()}".encode()).hexdigest()


def mixed_seed(part: bytes, ids: Sequence[str]) -> bytes:
    """Return the seed mixed from a part and ids, in their order; raises ``ValueError``."""
    if len(part) != SEED_BYTES:
        raise ValueError(f"a part has {SEED_BYTES} bytes")
    # As JSON, so that no two lists of ids are encoded alike.
    message = json.dumps([_DOMAIN, *ids], separators=(",", ":"))
    return hmac.digest(part, message.encode(), hashlib.sha256)
