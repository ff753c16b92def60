"""Digests of a picture's content: equal for equal views, in every process.

Painters of the simulation write them into alt texts, where the witness reads them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

_LOOK = re.compile(r"\bshows ([0-9a-f]{12})\b")


def look(shown: object) -> str:
    """Return the digest of a view, or of any other content of a picture."""
    return hashlib.blake2b(repr(plain(shown)).encode(), digest_size=6).hexdigest()


def looks_in(alt: str) -> list[str]:
    """Return the digests in an alt text."""
    return _LOOK.findall(alt)


def plain(value: Any) -> Any:
    """Convert a value to lists, numbers and texts in a fixed order."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, *(plain(getattr(value, name)) for name in _fields(type(value)))]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(one) for one in value), key=repr)
    if isinstance(value, Mapping):
        return sorted(([plain(key), plain(one)] for key, one in value.items()), key=repr)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value.name if isinstance(value, Enum) else value


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(one.name for one in dataclasses.fields(cast("Any", kind)))
    return found
