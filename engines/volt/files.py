"""The data files of VOLT: read once, hashed for the manifest."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from typing import Any

_FOLDER = files("engines.volt") / "data"


def _bytes(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


def entries(name: str) -> list[dict[str, Any]]:
    """Return the entries of a data file."""
    found: list[dict[str, Any]] = json.loads(_bytes(name))
    return found


NAMES = ("arenas.json", "modules.json")

HASHES = tuple((name, hashlib.sha256(_bytes(name)).hexdigest()) for name in NAMES)
"""Each file's SHA-256: a match ends on the data that it began with."""
