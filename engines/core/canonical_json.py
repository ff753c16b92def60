"""Values as plain JSON data, as one canonical text on every Python and hash seed, and as keyed digests.

The data files of games, in their folders ``data``, are read and hashed here too.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib.resources import files
from typing import Any

from engines.core.contract import Fact

_LEAVES = frozenset({str, int, bool, type(None)})

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical(data: Mapping[str, Any]) -> str:
    """Return JSON data as one line: keys sorted, no spaces, no character outside ASCII.

    Raises ``TypeError`` for anything that is not JSON, including sets and floats: a float's text
    and a set's order are no safe basis for a digest.
    """
    _check(data)
    return _ENCODER.encode(data)


def keyed_digest(key: bytes, data: Mapping[str, Any]) -> str:
    """Return the HMAC-SHA-256 of the canonical text, 64 hex digits."""
    return hmac.digest(key, canonical(data).encode(), hashlib.sha256).hex()


def _check(value: object) -> None:
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
        # Most of a state is leaves, and every commit computes a digest: a leaf costs no call.
        if type(item) not in _LEAVES:
            _check(item)


def plain_fields(value: object) -> dict[str, Any]:
    """Return the fields of a dataclass as JSON data, by name; raises ``TypeError`` for anything else.

    Fields that equality leaves out (``compare=False``, such as caches) are left out here too.
    """
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"{type(value).__name__} is no dataclass")
    return {part.name: plain(getattr(value, part.name)) for part in fields(value) if part.compare}


def plain(value: object) -> Any:
    """Return a frozen value as JSON data; equal values give equal data.

    An enum is its value, a sequence a list, a set a list in canonical order, a mapping an object whose
    keys are texts, a :class:`Fact` an object of its kind and data, any other dataclass its fields.
    Raises ``TypeError`` for what has no such form, including floats.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=_ENCODER.encode)
    if isinstance(value, Mapping):
        return _plain_mapping(value)
    if isinstance(value, Fact):
        return {"kind": value.kind, **{name: plain(datum) for name, datum in value.data}}
    return plain_fields(value)


def _plain_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        name = plain(key)
        if not isinstance(name, (str, int)) or isinstance(name, bool):
            raise TypeError(f"a key must be a text or a number, not {type(key).__name__}")
        if str(name) in found:  # 1 and "1": one would hide the other
            raise TypeError(f"two keys are written {name}")
        found[str(name)] = plain(item)
    return found


def read_data(package: str, name: str) -> Any:
    """Return the contents of a JSON file in the folder ``data`` of ``package``."""
    return json.loads(_data_bytes(package, name))


def data_hashes(package: str, *names: str) -> tuple[tuple[str, str], ...]:
    """Return each data file's SHA-256 by name: a match ends on the data that it began with."""
    return tuple((name, hashlib.sha256(_data_bytes(package, name)).hexdigest()) for name in names)


def _data_bytes(package: str, name: str) -> bytes:
    return (files(package) / "data" / name).read_bytes()
