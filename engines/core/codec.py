"""Canonical encoding: one value, one text, on every Python and every hash seed; and keyed digests."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any


def canonical(data: Mapping[str, Any]) -> str:
    """Return JSON data as one line: keys sorted, no spaces, no character outside ASCII.

    Raises ``TypeError`` for anything that is not JSON, sets and floats among it: a float's text
    and a set's order are no safe ground for a digest.
    """
    _check(data)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def keyed_digest(key: bytes, data: Mapping[str, Any]) -> str:
    """Return the HMAC-SHA-256 of the canonical text, 64 hex digits."""
    return hmac.digest(key, canonical(data).encode(), hashlib.sha256).hex()


def _check(value: object) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"a key must be text, not {type(key).__name__}")
            _check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check(item)
    elif value is not None and not isinstance(value, (str, int, bool)):
        raise TypeError(f"no JSON for {type(value).__name__}")
