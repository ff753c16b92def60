"""Canonical encoding: one value, one text, on every Python and every hash seed; and keyed digests."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any

_LEAVES = frozenset({str, int, bool, type(None)})

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical(data: Mapping[str, Any]) -> str:
    """Return JSON data as one line: keys sorted, no spaces, no character outside ASCII.

    Raises ``TypeError`` for anything that is not JSON, sets and floats among it: a float's text
    and a set's order are no safe ground for a digest.
    """
    _check(data)
    return _ENCODER.encode(data)


def keyed_digest(key: bytes, data: Mapping[str, Any]) -> str:
    """Return the HMAC-SHA-256 of the canonical text, 64 hex digits."""
    return hmac.digest(key, canonical(data).encode(), hashlib.sha256).hex()


def _check(value: object) -> None:
    """Raise ``TypeError`` unless ``value`` is JSON; most of a state are leaves, which cost no call."""
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"a key must be text, not {type(key).__name__}")
        items: Iterable[object] = value.values()
    elif isinstance(value, (list, tuple)):
        items = value
    elif value is None or isinstance(value, (str, int)):
        return
    else:
        raise TypeError(f"no JSON for {type(value).__name__}")
    for item in items:
        if type(item) not in _LEAVES:
            _check(item)
